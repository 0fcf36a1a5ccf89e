// Package sql holds the native functions of module sql, on database/sql. Which
// databases there are is what the host grants: the Sources of the packages below.
package sql

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	runneltime "github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed sql.rnl
var source string

// Module is what the import of sql gives.
var Module = vm.NewModule("sql", source, runneltime.Module)

// Source is the capability to open databases of one kind. A host grants those it
// names, and its binary holds the drivers of no others.
type Source interface {
	// Takes reports whether an address is of this kind: "sqlite:data.db".
	Takes(address string) bool
	// Open prepares what opens connections; it does not wait. Addresses that the
	// host does not grant give an error that wraps host.ErrNotGranted.
	Open(address string) (*Database, error)
}

// Database is what a Source has opened.
type Database struct {
	*sql.DB
	// Connections bounds how many are open at a time; 0 means what the script says.
	Connections int
	// Memory is what it may take at most: the script pays for it while it is open.
	Memory int64
	// Explain tells what an error of the driver means, or nil when it comes from
	// somewhere else, such as the network.
	Explain func(error) *Problem
	// Closed, if any, is called when it has been closed.
	Closed func()
}

// Problem is an error of a statement.
type Problem struct {
	Text, Code string
	// Kind is "unique", "foreign_key", "not_null", "check", "busy", "denied", or "".
	Kind string
}

// maxConnections bounds what a script may ask for.
const maxConnections = 100

// slow is a wait for a connection after which it is looked for forgotten ones.
const slow = 50 * time.Millisecond

// patience is how long a statement waits for a connection.
var patience = 5 * time.Second

// dbSize is what an open database takes beside its Memory, about.
const dbSize = 64 << 10

// pool is an open database. Using a connection takes a slot, so that the wait
// for one is bounded, and its end is told as what it is.
type pool struct {
	*Database
	slots chan struct{}
}

func newPool(d *Database, connections int) *pool {
	if d.Connections > 0 {
		connections = d.Connections
	}
	d.SetMaxOpenConns(connections)
	d.SetMaxIdleConns(connections)
	return &pool{Database: d, slots: make(chan struct{}, connections)}
}

func (p *pool) take(ctx context.Context) error {
	soon, late := time.NewTimer(slow), time.NewTimer(patience)
	defer soon.Stop()
	defer late.Stop()
	for {
		select {
		case p.slots <- struct{}{}:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-soon.C:
			vm.Reclaim() // rows that nobody reads any more keep a connection
			continue
		case <-late.C:
		}
		return &vm.IOError{Kind: vm.IOTimedOut, Err: fmt.Errorf(
			"all %d connections are in use for %v: is there a transaction or are there rows that are not closed?", cap(p.slots), patience)}
	}
}

func (p *pool) give() { <-p.slots }

func (p *pool) Close() error {
	err := p.DB.Close()
	if p.Closed != nil {
		p.Closed()
	}
	return err
}

func init() {
	Module.Blocking("connect", connect)
	Module.Blocking("Db.close", closeResource)
	Module.Blocking("Statement.close", closeResource)
	Module.Blocking("Cursor.close", closeResource)
	Module.Blocking("prepared", prepare)
	Module.Blocking("begin", begin)
	Module.Blocking("commit", commit)
	Module.Blocking("rollback", rollback)
	Module.Link("begin_query", true, linkTime(0, beginQuery))
	Module.Link("begin_prepared", true, linkTime(0, beginPrepared))
	Module.Link("run", true, linkTime(0, run))
	Module.Link("run_prepared", true, linkTime(0, runPrepared))
	Module.Link("fetch", true, linkTime(2, fetch))
}

// sourceOf returns the granted source of an address.
func sourceOf(c *vm.Call, address string) Source {
	found := false
	for _, g := range c.Host().Grants {
		s, ok := g.(Source)
		found = found || ok
		takes := false
		if ok {
			c.Foreign(func() { takes = s.Takes(address) })
		}
		if takes {
			return s
		}
	}
	if !found {
		c.NotGranted("databases")
	}
	scheme, _, _ := strings.Cut(address, ":")
	c.NotGranted(fmt.Sprintf("databases of the kind %.20q", scheme))
	return nil
}

func connect(c *vm.Call) {
	address, connections := c.Str(0), c.Int(1)
	if connections < 1 || connections > maxConnections {
		c.Throw(vm.ErrValue, "sql: the number of connections is from 1 to %d, not %d", maxConnections, connections)
	}
	src := sourceOf(c, address)
	var p *pool
	c.Await(vm.Blocking{
		Name: "open a database",
		Work: func(ctx context.Context) (any, error) {
			d, err := src.Open(strings.Clone(address))
			if err != nil {
				return nil, err
			}
			p = newPool(d, int(connections))
			return nil, p.PingContext(ctx)
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if p == nil {
				c.ThrowIO("cannot open the database", err)
			}
			answer := newAnswer(c)
			if answer.failed(p, "cannot open the database", err) {
				p.Close()
				return
			}
			answer.resource(0, "database", &db{pool: p, run: p.DB}, dbSize+int(p.Memory))
		},
		Drop: func() {
			if p != nil {
				p.Close()
			}
		},
	})
}

// closeResource closes on a thread of the IO pool: that may reach files or the
// network.
func closeResource(c *vm.Call) {
	r := vm.ResourceOf(c, 0)
	if d, ok := r.Closer.(*db); ok && d.tx != nil || r.Closed() {
		return // a transaction ends by commit or rollback
	}
	c.Block("close "+r.Name, func(context.Context) (any, error) { return nil, r.Close() }, func(c *vm.Call, _ any, _ error) {
		c.ResizeNative(0, stmtSize)
	})
}

// ioError tells what a driver's error means to the script when it is none of a
// statement.
func ioError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) || strings.Contains(err.Error(), "sql: database is closed") {
		return &vm.IOError{Kind: vm.IOClosed, Err: errors.New("it is closed")}
	}
	return err
}
