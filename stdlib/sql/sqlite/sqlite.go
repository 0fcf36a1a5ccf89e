// Package sqlite opens SQLite databases for module sql, with a driver that needs
// no C. What a script may do in one is bounded: no statement reaches another
// file, loads code, or takes more memory than its database is granted.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	runnelsql "github.com/runnel-lang/runnel/stdlib/sql"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Source is the capability to open SQLite databases. The zero Source grants those
// in memory.
type Source struct {
	// Root grants files below a directory; a leading slash means the directory.
	Root *os.Root
	// Everywhere grants all files that the process may open. What a statement sorts
	// goes to temporary files of the system then, and else stays in memory.
	Everywhere bool
	// ReadOnly keeps files from being changed.
	ReadOnly bool
	// MaxMemory bounds a database in memory, and what statements take for sorting
	// and the like; 0 means 64 MB. A script pays for all of it while a database is
	// open. As SQLite counts memory for the whole process, databases that are open
	// at the same time share the sum.
	MaxMemory int64
	// MaxFile bounds the size of a file; 0 means no bound. Files with a bound have no
	// write-ahead log, whose size nothing bounds.
	MaxFile int64
}

const (
	scheme     = "sqlite:"
	memory     = ":memory:"
	pageSize   = 4096
	busyMillis = 5000
	fileMemory = 16 << 20 // for the connections to a file, where sorting takes none
)

// Takes reports whether an address begins with sqlite:.
func (s Source) Takes(address string) bool { return strings.HasPrefix(address, scheme) }

// Open opens a database that is granted.
func (s Source) Open(address string) (*runnelsql.Database, error) {
	s.MaxMemory = cmp.Or(s.MaxMemory, 64<<20)
	name, query, _ := strings.Cut(strings.TrimPrefix(address, scheme), "?")
	readOnly := query == "mode=ro"
	if query != "" && !readOnly {
		return nil, invalid("%.40q is no option: there is mode=ro", query)
	}
	c := &connector{source: s}
	takes := s.MaxMemory
	if name == memory {
		c.dsn = "file::memory:?" + options(false)
		c.pages = s.MaxMemory / pageSize
	} else {
		file, err := s.file(name, readOnly || s.ReadOnly)
		if err != nil {
			return nil, err
		}
		c.dsn = (&url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: options(readOnly || s.ReadOnly)}).String()
		c.pages = s.MaxFile / pageSize
		c.wal = !readOnly && !s.ReadOnly && s.MaxFile == 0
		if s.Everywhere {
			takes = min(takes, fileMemory)
		}
	}
	d := &runnelsql.Database{DB: sql.OpenDB(c), Memory: takes, Explain: explain, Closed: grantHeap(takes)}
	if name == memory {
		d.Connections = 1 // each would have a database of its own
	}
	return d, nil
}

func invalid(format string, args ...any) error {
	return &vm.IOError{Kind: vm.IOInvalid, Err: fmt.Errorf(format, args...)}
}

// options of the driver: no statement may damage the file's format, and a text in
// double quotes is a name.
func options(readOnly bool) string {
	const all = "_defensive=1&_dqs=0&_error_rc=1&_time_format=sqlite&_txlock="
	if readOnly {
		return all + "deferred&mode=ro"
	}
	return all + "immediate"
}

// file returns the path of a granted file, which SQLite opens by itself. The file is
// looked at and not opened: closing it would drop the locks of other connections.
func (s Source) file(name string, readOnly bool) (string, error) {
	if name == "" || strings.ContainsRune(name, 0) {
		return "", invalid("an address names a file or %s", memory)
	}
	stat, join := os.Stat, filepath.Abs
	switch {
	case s.Everywhere:
	case s.Root != nil:
		name = cmp.Or(path.Clean(strings.TrimLeft(filepath.ToSlash(name), "/")), ".")
		stat = s.Root.Stat
		join = func(name string) (string, error) { return filepath.Abs(filepath.Join(s.Root.Name(), name)) }
	default:
		return "", fmt.Errorf("the file %q: %w", name, host.ErrNotGranted)
	}
	info, err := stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return "", invalid("%q is no file", name)
	case errors.Is(err, fs.ErrNotExist) && !readOnly:
		_, err = stat(filepath.Dir(name))
	}
	if err != nil {
		return "", err
	}
	return join(name)
}

// connector opens the connections of one database.
type connector struct {
	source Source
	dsn    string
	pages  int64 // that the database may have; 0 is not a bound
	wal    bool  // it is to have a write-ahead log, which no bound holds
}

func (c *connector) Driver() driver.Driver { return &sqlite.Driver{} }

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	var d sqlite.Driver
	g := &guard{use: runnelsql.Use{Own: true}}
	d.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error { return c.prepare(conn, g) })
	conn, err := d.Open(c.dsn)
	if cannotOpen(err) && vm.Reclaim() { // SQLite does not tell of too many open files
		conn, err = d.Open(c.dsn)
	}
	if err != nil {
		return nil, err
	}
	if err := setLimits(conn, c.source.MaxMemory); err != nil {
		conn.Close()
		return nil, err
	}
	return &guarded{conn.(connection), g}, nil
}

// prepare sets bounds, and then what keeps statements from changing them.
func (c *connector) prepare(conn sqlite.ExecQuerierContext, g *guard) error {
	if c.wal { // where others use the file at the moment it goes without, and does not wait
		_, _ = conn.ExecContext(context.Background(), "PRAGMA journal_mode=WAL", nil)
	}
	set := fmt.Sprintf("PRAGMA busy_timeout=%d; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"+
		"PRAGMA mmap_size=0; PRAGMA cache_size=-1024;", busyMillis)
	if !c.source.Everywhere {
		set += fmt.Sprintf("PRAGMA temp_store=MEMORY; PRAGMA temp.max_page_count=%d;", c.source.MaxMemory/pageSize)
	}
	if c.pages > 0 {
		set += fmt.Sprintf("PRAGMA main.max_page_count=%d;", c.pages)
	}
	if _, err := conn.ExecContext(context.Background(), set, nil); err != nil {
		return err
	}
	return conn.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(g.authorize)
}

// setLimits bounds what single statements and values take.
func setLimits(conn driver.Conn, maxMemory int64) error {
	// Limit takes a connection of database/sql: this one is lent to it. It is not
	// given back, so that closing db does not close it.
	db := sql.OpenDB(lent{conn})
	defer db.Close()
	c, err := db.Conn(context.Background())
	if err != nil {
		return err
	}
	for id, most := range map[int]int{
		lib.SQLITE_LIMIT_LENGTH:              int(min(maxMemory/4, 1_000_000_000)),
		lib.SQLITE_LIMIT_SQL_LENGTH:          1 << 20,
		lib.SQLITE_LIMIT_EXPR_DEPTH:          200,
		lib.SQLITE_LIMIT_COMPOUND_SELECT:     200,
		lib.SQLITE_LIMIT_VDBE_OP:             1 << 20,
		lib.SQLITE_LIMIT_ATTACHED:            0,
		lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
		lib.SQLITE_LIMIT_TRIGGER_DEPTH:       50,
		lib.SQLITE_LIMIT_WORKER_THREADS:      0,
	} {
		if _, err := sqlite.Limit(c, id, most); err != nil {
			return err
		}
	}
	return nil
}

// lent connects to a connection that is there.
type lent struct{ conn driver.Conn }

func (l lent) Connect(context.Context) (driver.Conn, error) { return l.conn, nil }
func (l lent) Driver() driver.Driver                        { return &sqlite.Driver{} }
