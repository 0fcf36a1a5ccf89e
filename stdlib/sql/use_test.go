package sql_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/sql/sqlite"
)

// Statements that change the connection which they happen to get, however they
// are written.
var leaving = map[string][]string{
	"db.transaction": {
		"BEGIN", "begin immediate", "BEGIN TRANSACTION", "COMMIT", "END", "END TRANSACTION", "ROLLBACK", "rollback to x", "SAVEPOINT a", "RELEASE a", "release savepoint a",
	},
	"connections: 1": {
		"PRAGMA foreign_keys = OFF", "pragma foreign_keys(0)", "PRAGMA main.synchronous=OFF", "PRAGMA query_only=1", "PRAGMA busy_timeout=1", "PRAGMA case_sensitive_like = ON",
		"CREATE TEMP TABLE x (a)", "create temporary view v AS SELECT 1", "CREATE TABLE temp.x (a)", "CREATE VIRTUAL TABLE temp.f USING fts5(a)",
	},
}

// disguises of a statement.
var disguises = []string{"%s", " \n\t%s", "%s;", ";;%s", "-- note\n%s", "/* BEGIN */ %s", "/**/%s/**/", "SELECT 1; %s", "INSERT INTO t VALUES (1); %s; INSERT INTO t VALUES (2)", "EXPLAIN %s"}

func TestNoStatementChangesAConnectionOfAPool(t *testing.T) {
	var cases strings.Builder
	for way, texts := range leaving {
		for _, text := range texts {
			for _, disguise := range disguises {
				fmt.Fprintf(&cases, "  (%q, %q),\n", way, fmt.Sprintf(disguise, text))
			}
		}
	}
	got, err := run(t, `import sql
let db = sql.open("sqlite:`+filepath.Join(t.TempDir(), "db")+`")
db.exec("CREATE TABLE t (a)")
fn refused(way: str, text: str, use: fn()) {
  try { use(); print("done:", text) } catch e: sql.SqlError { if !e.text.contains(way) && !e.text.contains("a query is one statement") { print(text, e.text) } }
}
for c in [
`+cases.String()+`] {
  let (way, text) = c
  refused(way, text, || { db.exec(text); () })
  refused(way, text, || { db.query(text); () })
  refused(way, text, || { db.first<int>(text); () })
  refused(way, text, || { let s = db.prepare(text); s.exec(); () })
  refused(way, text, || { let s = db.prepare(text); s.query(); () })
  if !text.lower().contains("temp") { // which is granted there
    db.transaction(|tx| refused(way, text, || { tx.exec(text); () }))
    db.transaction(|tx| tx.transaction(|tx| refused(way, text, || { tx.query(text); () })))
  }
}
db.exec("DELETE FROM t")
scope { for k in 0..20 { spawn { db.exec("INSERT INTO t VALUES (?)", [k]) } } }
print("written", db.first<int>("SELECT count(*) FROM t")!)`, runnel.Limits{}, sqlite.Source{Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, "written 20", got)
}

func TestWhatOneConnectionMayBeTold(t *testing.T) {
	got, err := run(t, `import sql
for address in ["sqlite::memory:", "sqlite:`+filepath.Join(t.TempDir(), "db")+`"] {
  let db = sql.open(address, connections: 1)
  db.exec("PRAGMA foreign_keys = OFF; CREATE TEMP TABLE x (a); INSERT INTO x VALUES (7)")
  print(db.first<int>("PRAGMA foreign_keys")!, db.first<int>("SELECT a FROM x")!)
  try { db.exec("BEGIN") } catch e: sql.SqlError { print(e.problem) }
}
let db = sql.open("sqlite:`+filepath.Join(t.TempDir(), "db2")+`")
db.exec("PRAGMA user_version = 5; CREATE TABLE t (a); CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = 9; END; INSERT INTO t VALUES (1)")
print(db.first<int>("PRAGMA user_version")!, db.first<int>("SELECT a FROM t")!, db.first<int>("PRAGMA foreign_keys")!)
db.transaction(|tx| {
  tx.exec("CREATE TEMP TABLE x (a); INSERT INTO x VALUES (8)")
  tx.transaction(|part| part.exec("INSERT INTO t SELECT a FROM x"))
  try { tx.transaction(|part| { part.exec("INSERT INTO t VALUES (3)"); throw error("back") }) } catch e { }
  tx.exec("DROP TABLE x")
})
print(db.first<int>("SELECT count(*) FROM t")!)`, runnel.Limits{}, sqlite.Source{Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, "0 7\nDenied\n0 7\nDenied\n5 9 1\n2", got)
}
