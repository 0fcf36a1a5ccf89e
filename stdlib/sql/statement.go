package sql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/runnel-lang/runnel/vm"
)

// runner runs statements: a *sql.DB or a *sql.Tx.
type runner interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

// db is the Go value of a sql.Db: a database, a transaction, or a part of one.
type db struct {
	*pool
	run       runner
	tx        *sql.Tx            // nil outside of transactions
	cancel    context.CancelFunc // of tx
	savepoint string             // "" but in a part of a transaction
	parts     atomic.Int64       // savepoints begun in it
}

// Close closes a database, or takes a transaction back that nobody has ended.
func (d *db) Close() error {
	switch {
	case d.tx == nil:
		return d.pool.Close()
	case d.savepoint != "":
		return nil // it ends with the transaction around it
	}
	err := d.tx.Rollback()
	d.ended()
	return err
}

func (d *db) ended() {
	d.cancel()
	d.give()
}

// acquire takes a connection for one statement; in a transaction it has one already.
func (d *db) acquire(ctx context.Context) (give func(), err error) {
	if d.tx != nil {
		return func() {}, nil
	}
	if err := d.take(ctx); err != nil {
		return nil, err
	}
	return sync.OnceFunc(d.give), nil
}

// statement is a text with its values, or a prepared one.
type statement struct {
	db   *db
	stmt *sql.Stmt
	text string
	args []any
}

// use tells the driver who sends a statement.
func (d *db) use(ctx context.Context) context.Context {
	return withUse(ctx, Use{Alone: cap(d.slots) == 1, InTx: d.tx != nil})
}

func (s *statement) query(ctx context.Context) (*sql.Rows, error) {
	ctx = s.db.use(ctx)
	if s.stmt != nil {
		return s.stmt.QueryContext(ctx, s.args...)
	}
	return s.db.run.QueryContext(ctx, s.text, s.args...)
}

func (s *statement) exec(ctx context.Context) (sql.Result, error) {
	ctx = s.db.use(ctx)
	if s.stmt != nil {
		return s.stmt.ExecContext(ctx, s.args...)
	}
	return s.db.run.ExecContext(ctx, s.text, s.args...)
}

// preparedStmt is the Go value of a sql.Statement.
type preparedStmt struct {
	*sql.Stmt
	db *db
}

const stmtSize = 1 << 10

func prepare(c *vm.Call) {
	d, text := vm.ResourceArg[*db](c, 0), c.Str(1)
	var stmt *sql.Stmt
	c.Await(vm.Blocking{
		Name:  "prepare a statement",
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			give, err := d.acquire(ctx)
			if err != nil {
				return nil, err
			}
			defer give()
			stmt, err = d.run.PrepareContext(d.use(ctx), strings.Clone(text))
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			answer := newAnswer(c)
			if !answer.failed(d.pool, "cannot prepare the statement", err) {
				answer.resource(0, "statement", &preparedStmt{stmt, d}, stmtSize)
			}
		},
		Drop: func() {
			if stmt != nil {
				stmt.Close()
			}
		},
	})
}

// textOf returns the statement of a call with a Db, a text and args; preparedOf that
// of one with a Statement and args.
func textOf(c *vm.Call, timeID uint32) *statement {
	return &statement{db: vm.ResourceArg[*db](c, 0), text: strings.Clone(c.Str(1)), args: arguments(c, 2, timeID)}
}

func preparedOf(c *vm.Call, timeID uint32) *statement {
	p := vm.ResourceArg[*preparedStmt](c, 0)
	return &statement{db: p.db, stmt: p.Stmt, args: arguments(c, 1, timeID)}
}

func beginQuery(c *vm.Call, timeID uint32)    { openCursor(c, textOf(c, timeID), int(c.Int(3))) }
func beginPrepared(c *vm.Call, timeID uint32) { openCursor(c, preparedOf(c, timeID), int(c.Int(2))) }
func run(c *vm.Call, timeID uint32)           { execute(c, textOf(c, timeID)) }
func runPrepared(c *vm.Call, timeID uint32)   { execute(c, preparedOf(c, timeID)) }

// done is what a statement without rows has done.
type done struct {
	rows, lastID int64
	hasID        bool
}

func execute(c *vm.Call, s *statement) {
	work := func(ctx context.Context) (any, error) {
		give, err := s.db.acquire(ctx)
		if err != nil {
			return nil, err
		}
		defer give()
		result, err := s.exec(ctx)
		if err != nil {
			return nil, err
		}
		var d done
		d.rows, _ = result.RowsAffected()
		d.lastID, err = result.LastInsertId()
		d.hasID = err == nil
		return d, nil
	}
	finish := func(c *vm.Call, value any, err error) {
		answer := newAnswer(c)
		if answer.failed(s.db.pool, "cannot run the statement", err) {
			return
		}
		d := value.(done)
		answer.set(0, vm.IntValue(d.rows))
		if d.hasID {
			answer.set(1, vm.BoxInt(d.lastID))
		}
	}
	c.Await(vm.Blocking{Name: "run a statement", Parks: true, Work: work, Finish: finish})
}

// begin starts a transaction, or, in one, a part that can be taken back.
func begin(c *vm.Call) {
	d := vm.ResourceArg[*db](c, 0)
	var tx *db
	c.Await(vm.Blocking{
		Name:  "begin a transaction",
		Parks: true,
		Work: func(ctx context.Context) (_ any, err error) {
			tx, err = d.begin(ctx)
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			answer := newAnswer(c)
			if !answer.failed(d.pool, "cannot begin a transaction", err) {
				answer.resource(0, "transaction", tx, stmtSize)
			}
		},
		Drop: func() {
			if tx != nil {
				tx.Close()
			}
		},
	})
}

func (d *db) begin(ctx context.Context) (*db, error) {
	if d.tx != nil {
		name := fmt.Sprintf("%s_%d", cmp.Or(d.savepoint, "part"), d.parts.Add(1))
		_, err := d.tx.ExecContext(ctx, "SAVEPOINT "+name)
		if err != nil {
			return nil, err
		}
		return &db{pool: d.pool, run: d.tx, tx: d.tx, cancel: func() {}, savepoint: name}, nil
	}
	if err := d.take(ctx); err != nil {
		return nil, err
	}
	// The transaction outlives the context of the work that begins it.
	own, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	tx, err := d.DB.BeginTx(own, nil)
	if err != nil {
		cancel()
		d.give()
		return nil, err
	}
	return &db{pool: d.pool, run: tx, tx: tx, cancel: cancel}, nil
}

func (d *db) commit(ctx context.Context) error {
	if d.savepoint != "" {
		_, err := d.tx.ExecContext(ctx, "RELEASE "+d.savepoint)
		return err
	}
	stop := context.AfterFunc(ctx, d.cancel)
	defer stop()
	return d.tx.Commit()
}

func (d *db) rollback(ctx context.Context) error {
	if d.savepoint != "" {
		_, err := d.tx.ExecContext(ctx, "ROLLBACK TO "+d.savepoint)
		if err == nil {
			_, err = d.tx.ExecContext(ctx, "RELEASE "+d.savepoint)
		}
		return err
	}
	return d.tx.Rollback()
}

func commit(c *vm.Call) {
	r := vm.ResourceOf(c, 0)
	d := vm.ResourceArg[*db](c, 0)
	c.Await(vm.Blocking{Name: "commit a transaction", Parks: true, Work: func(ctx context.Context) (any, error) {
		err := d.commit(ctx)
		if d.savepoint == "" || err == nil {
			r.Close() // which gives the connection back
		}
		return nil, err
	}, Finish: func(c *vm.Call, _ any, err error) {
		c.SetNone()
		if err != nil {
			c.SetObject(failure(c, c.Ref().Result, d.pool, "cannot commit the transaction", err))
		}
	}})
}

// rollback takes back what was not committed. An error of it would hide the one
// that led here; the connection is not used again then.
func rollback(c *vm.Call) {
	r := vm.ResourceOf(c, 0)
	if r.Closed() {
		return
	}
	d := vm.ResourceArg[*db](c, 0)
	c.Await(vm.Blocking{Name: "take a transaction back", Parks: true, Work: func(ctx context.Context) (any, error) {
		d.rollback(ctx)
		return nil, r.Close()
	}, Finish: func(*vm.Call, any, error) {}})
}

// answer is the tuple that a native gives: its results, then, where the database
// refuses, what it says.
type answer struct {
	c   *vm.Call
	obj vm.StructWriter
}

func newAnswer(c *vm.Call) answer {
	obj := c.NewStruct(c.Ref().Result)
	c.Pin(obj.Object())
	c.SetValue(obj.Value())
	return answer{c, obj}
}

func (a answer) set(i int, v vm.Value) { a.obj.Set(i, v) }

// resource sets what has been opened.
func (a answer) resource(i int, name string, value interface{ Close() error }, size int) {
	optional := a.obj.Fields()[i].Type
	id := a.c.Type(optional).Elem
	a.set(i, a.c.NewResource(id, name, value, size).Value())
}

// failed sets the error of a statement, as the last part of the tuple. Errors of
// other kinds are thrown.
func (a answer) failed(p *pool, what string, err error) bool {
	if err == nil {
		return false
	}
	fields := a.obj.Fields()
	a.set(len(fields)-1, failure(a.c, fields[len(fields)-1].Type, p, what, err).Value())
	return true
}

// failure returns the texts that tell of the error of a statement: an optional list.
func failure(c *vm.Call, optional uint32, p *pool, what string, err error) vm.Object {
	problem := p.Explain(err)
	if refused := (*Refused)(nil); errors.As(err, &refused) {
		problem = &Problem{Text: refused.Text, Kind: "denied"}
	}
	if problem == nil {
		c.ThrowIO(what, ioError(err))
	}
	w := c.NewList(c.Type(optional).Elem, 3)
	list := w.Object()
	c.Pin(list)
	for _, text := range []string{problem.Text, problem.Code, problem.Kind} {
		w.Push(c.NewStr(strings.ToValidUTF8(text, "\uFFFD")).Value())
	}
	return list
}
