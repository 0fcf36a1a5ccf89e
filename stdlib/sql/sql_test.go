package sql_test

import (
	"context"
	gosql "database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/sql"
	"github.com/runnel-lang/runnel/stdlib/sql/postgres"
	"github.com/runnel-lang/runnel/stdlib/sql/sqlite"
	"github.com/runnel-lang/runnel/vm/host"
)

// script may open what the grants say.
func script(limits runnel.Limits, grants ...any) runneltest.Runner {
	return runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{sql.Module}, Host: runnel.Host{Grants: grants}, Limits: limits}
}

// run returns what a script prints and the error that it ends with.
func run(t *testing.T, src string, limits runnel.Limits, grants ...any) (string, error) {
	t.Helper()
	o := script(limits, grants...).Run(t, src)
	return strings.TrimSpace(o.Printed), o.Err
}

// opening tells how an address is answered.
func opening(t *testing.T, address string, grants ...any) string {
	t.Helper()
	got, err := run(t, `
import sql
try {
  let db = sql.open("`+address+`")
  db.exec("CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1)")
  db.close()
  print("open")
} catch e: IoError { print(e.kind) } catch e: sql.SqlError { print(e.problem) }`, runnel.Limits{}, grants...)
	require.NoError(t, err)
	return got
}

func TestTheHostSaysWhatIsOpened(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	require.NoError(t, os.Mkdir(inside, 0o700))
	require.NoError(t, os.Symlink("..", filepath.Join(inside, "out")))
	require.NoError(t, os.Symlink("../secret.db", filepath.Join(inside, "link.db")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.db"), nil, 0o600))
	root, err := os.OpenRoot(inside)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })

	require.Equal(t, "NotGranted", opening(t, "sqlite::memory:"))
	require.Equal(t, "NotGranted", opening(t, "sqlite::memory:", postgres.Source{}))
	require.Equal(t, "open", opening(t, "sqlite::memory:", postgres.Source{}, sqlite.Source{}))
	require.Equal(t, "NotGranted", opening(t, "sqlite:"+inside+"/a.db", sqlite.Source{}))
	require.Equal(t, "open", opening(t, "sqlite:"+inside+"/a.db", sqlite.Source{Everywhere: true}))

	below := sqlite.Source{Root: root}
	for _, name := range []string{"b.db", "/c.db", "./d.db", "file:e.db", "f%2e.db", "out/inside/g.db"} {
		want := "open"
		if strings.HasPrefix(name, "out") { // the way leads out, though only to come back
			want = "Other"
		}
		require.Equal(t, want, opening(t, "sqlite:"+name, below), name)
	}
	for _, name := range []string{"../h.db", "out/h.db", "link.db", "x/../../h.db"} {
		require.NotEqual(t, "open", opening(t, "sqlite:"+name, below), name)
	}
	require.Equal(t, []string{"inside", "secret.db"}, names(t, dir))
	require.Equal(t, []string{"a.db", "b.db", "c.db", "d.db", "f%2e.db", "file:e.db", "link.db", "out"}, names(t, inside))

	require.Equal(t, "Denied", opening(t, "sqlite:/a.db?mode=ro", sqlite.Source{Root: root}, sqlite.Source{}))
	require.Equal(t, "NotFound", opening(t, "sqlite:/new.db", sqlite.Source{Root: root, ReadOnly: true}))
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestDatabasesAreBounded(t *testing.T) {
	small := sqlite.Source{MaxMemory: 8 << 20}
	for _, fill := range []string{
		`db.exec("CREATE TABLE t (x)"); loop { db.exec("INSERT INTO t VALUES (zeroblob(100000))") }`,
		`db.exec("CREATE TEMP TABLE t (x)"); loop { db.exec("INSERT INTO t VALUES (zeroblob(100000))") }`,
		`db.query("WITH RECURSIVE n(x) AS (SELECT zeroblob(100000) UNION ALL SELECT zeroblob(100000) FROM n) SELECT * FROM n ORDER BY x")`,
	} {
		got, err := run(t, `
import sql
let db = sql.open("sqlite::memory:")
try { `+fill+` } catch e: sql.SqlError { print(e.code) }`, runnel.Limits{}, small)
		require.NoError(t, err)
		require.Contains(t, []string{"SQLITE_FULL", "SQLITE_NOMEM", "SQLITE_TOOBIG"}, got, fill)
	}
	dir := t.TempDir()
	got, err := run(t, `
import sql
let db = sql.open("sqlite:`+dir+`/a.db")
db.exec("CREATE TABLE t (x)")
try { loop { db.exec("INSERT INTO t VALUES (zeroblob(100000))") } } catch e: sql.SqlError { print(e.code) }`, runnel.Limits{},
		sqlite.Source{Everywhere: true, MaxFile: 1 << 20})
	require.NoError(t, err)
	require.Equal(t, "SQLITE_FULL", got)
	info, err := os.Stat(dir + "/a.db")
	require.NoError(t, err)
	require.LessOrEqual(t, info.Size(), int64(1<<20))
}

func TestFilesHaveAWriteAheadLog(t *testing.T) {
	dir := t.TempDir()
	mode := func(address string, source sqlite.Source) string {
		got, err := run(t, `
import sql
let db = sql.open("`+address+`")
db.exec("CREATE TABLE IF NOT EXISTS t (x)")
print(db.query("PRAGMA journal_mode")[0]["journal_mode"])
db.close()`, runnel.Limits{}, source)
		require.NoError(t, err)
		return got
	}
	everywhere := sqlite.Source{Everywhere: true}
	require.Equal(t, "wal", mode("sqlite:"+dir+"/a.db", everywhere))
	require.Equal(t, []string{"a.db"}, names(t, dir), "what is beside it goes when it is closed")
	require.Equal(t, "wal", mode("sqlite:"+dir+"/a.db", everywhere))
	require.Equal(t, "delete", mode("sqlite:"+dir+"/b.db", sqlite.Source{Everywhere: true, MaxFile: 1 << 20}), "nothing bounds the size of a log")
	require.Equal(t, "memory", mode("sqlite::memory:", everywhere))
}

func TestValuesThatNoParameterStandsForAreRefused(t *testing.T) {
	got, err := run(t, `
import sql
let db = sql.open("sqlite::memory:")
db.exec("CREATE TABLE t (a, b)")
fn tried(f: fn()) { try { f(); print("done") } catch e { print(e.message()) } }
tried(|| { db.exec("INSERT INTO t VALUES (?, ?)", [1, 2, 3]); return })
tried(|| { db.exec("DELETE FROM t WHERE a = 1", ["why"]); return })
tried(|| { db.query("SELECT ?", [1, 2]); return })
tried(|| { let s = db.prepare("SELECT ?"); s.query([1, 2]); return })
tried(|| { db.exec("INSERT INTO t VALUES (?, '?')", [1]); return })
`, runnel.Limits{}, sqlite.Source{})
	require.NoError(t, err)
	told := func(what string, given, taken int) string {
		return fmt.Sprintf("cannot run the "+what+": values given: %d, parameters of the statement: %d\n", given, taken)
	}
	require.Equal(t, told("statement", 3, 2)+told("statement", 1, 0)+told("query", 2, 1)+told("query", 2, 1)+"done", got)
}

// A file that another process holds at the moment is opened all the same.
func TestAHeldFileIsOpenedWithoutALog(t *testing.T) {
	file := t.TempDir() + "/a.db"
	holder, err := gosql.Open("sqlite", file)
	require.NoError(t, err)
	defer holder.Close()
	_, err = holder.Exec("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
	require.NoError(t, err)
	tx, err := holder.Begin()
	require.NoError(t, err)
	defer tx.Rollback()
	var x int
	require.NoError(t, tx.QueryRow("SELECT x FROM t").Scan(&x))
	got, err := run(t, `
import sql
let db = sql.open("sqlite:`+file+`")
print(db.query("SELECT x FROM t")[0]["x"])`, runnel.Limits{}, sqlite.Source{Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, "7", got)
}

func TestResultsKeepToTheMemoryLimit(t *testing.T) {
	for _, query := range []string{
		`db.query("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")`,
		`db.query_as<bytes>("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT zeroblob(1000) FROM n")`,
		`let all: [bytes] = []; loop { all.push(db.first<bytes>("SELECT zeroblob(5000000)")!) }`,
	} {
		_, err := run(t, `import sql; let db = sql.open("sqlite::memory:"); `+query, runnel.Limits{Memory: 32 << 20}, sqlite.Source{MaxMemory: 20 << 20})
		require.ErrorContains(t, err, "memory limit", query)
	}
}

// What SQLite may take is paid for, however many databases are opened.
func TestOpenDatabasesArePaidFor(t *testing.T) {
	_, err := run(t, `import sql; let all: [sql.Db] = []; loop { all.push(sql.open("sqlite::memory:")) }`,
		runnel.Limits{Memory: 64 << 20}, sqlite.Source{MaxMemory: 10 << 20})
	require.ErrorContains(t, err, "memory limit")
	got, err := run(t, `import sql; let all: [sql.Db] = []
for i in 0..100 { let db = sql.open("sqlite::memory:"); db.close(); all.push(db) }
print("ok")`,
		runnel.Limits{Memory: 64 << 20}, sqlite.Source{MaxMemory: 10 << 20})
	require.NoError(t, err)
	require.Equal(t, "ok", got)
}

func TestWaitingForAConnectionEnds(t *testing.T) {
	sql.SetPatience(20 * time.Millisecond)
	defer sql.SetPatience(5 * time.Second)
	got, err := run(t, `
import sql
let db = sql.open("sqlite::memory:")
db.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
let many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
fn tell(f: fn() -> int) { print(try { "${f()}" } catch e: IoError { "${e.kind}" }) }
let rows = db.rows<int>(many)
tell(|| db.exec("DELETE FROM t").rows)
rows.close()
tell(|| db.transaction(|tx| db.exec("DELETE FROM t").rows))
tell(|| db.transaction(|tx| tx.exec("DELETE FROM t").rows))
print(try { "${rows.next()}" } catch e: IoError { "${e.kind}" })
`, runnel.Limits{}, sqlite.Source{})
	require.NoError(t, err)
	require.Equal(t, "TimedOut\nTimedOut\n1\nClosed", got)
}

// What a program leaves open is closed with it, and what it has not committed is
// not kept.
func TestTheEndOfAProgramClosesWhatIsOpen(t *testing.T) {
	file := t.TempDir() + "/a.db"
	in := script(runnel.Limits{}, sqlite.Source{Everywhere: true}).Compile(t, `
import sql
let db = sql.open("sqlite:`+file+`")
db.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
let statement = db.prepare("SELECT * FROM t")
let rows = db.rows<int>("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
db.transaction(|tx| { tx.exec("INSERT INTO t VALUES (2)"); throw error("over") })
`).NewInstance()
	defer in.Close()
	require.ErrorContains(t, in.Run(context.Background()), "over")
	require.Positive(t, descriptors(t, file))
	in.Close()
	require.Zero(t, descriptors(t, file))
	got, err := run(t, `import sql; print(sql.open("sqlite:`+file+`").query_as<int>("SELECT x FROM t"))`, runnel.Limits{}, sqlite.Source{Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, "[1]", got)
}

// descriptors counts those of the process for a file.
func descriptors(t *testing.T, file string) (n int) {
	t.Helper()
	open, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	if len(open) == 0 {
		t.Skip("the system does not list descriptors")
	}
	for _, fd := range open {
		if to, _ := os.Readlink(fd); to == file {
			n++
		}
	}
	return n
}

func TestAnInstanceThatIsStoppedEndsItsStatement(t *testing.T) {
	in := script(runnel.Limits{}, sqlite.Source{}).Compile(t, `
import sql
let db = sql.open("sqlite::memory:")
db.query("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
`).NewInstance()
	defer in.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	require.Error(t, in.Run(ctx))
	require.Less(t, time.Since(begun), time.Minute)
}

// Servers are reached through what the host dials with, by their names.
func TestServersAreDialledByTheHost(t *testing.T) {
	var dialled []string
	src := postgres.Source{Dial: func(_ context.Context, network, address string) (net.Conn, error) {
		dialled = append(dialled, network+" "+address)
		return nil, errors.Join(errors.New("no way"), host.ErrNotGranted)
	}}
	t.Setenv("PGPASSWORD", "of-the-host")
	t.Setenv("PGHOST", "elsewhere")
	require.Equal(t, "NotGranted", opening(t, "postgres://ada:x@db.example.com/shop?sslmode=disable", src))
	require.Equal(t, []string{"tcp db.example.com:5432"}, dialled)
}
