package postgres

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/stdlib/sql"
)

var disguises = []string{"%s", "\n\t%s ", "%s;", ";;%s", "-- x\n%s", "/* a /* b */ BEGIN */%s", "/**/%s/**/", "SELECT 1; %s", "SELECT ';'; %s", "SELECT E'\\';'; %s",
	"SELECT $$;'$$, $a$ $b$; $a$; %s", `SELECT ";"; %s`, "INSERT INTO t VALUES (1); %s; SELECT 2", "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; %s"}

func TestWhatAConnectionWouldKeepIsRefused(t *testing.T) {
	pool, inTx, alone := sql.Use{}, sql.Use{InTx: true}, sql.Use{Alone: true}
	for _, c := range []struct {
		text                string
		pool, inTx, oneConn bool // is refused
	}{
		{"BEGIN", true, true, true}, {"begin", true, true, true}, {"Start Transaction", true, true, true}, {"COMMIT", true, true, true}, {"END", true, true, true},
		{"ROLLBACK", true, true, true}, {"ABORT", true, true, true}, {"SAVEPOINT a", true, true, true}, {"RELEASE a", true, true, true}, {"ROLLBACK TO a", true, true, true},
		{"PREPARE TRANSACTION 'x'", true, true, true},
		{"SET search_path = x", true, true, false}, {"SET SESSION a = 1", true, true, false}, {"SET LOCAL a = 1", true, false, false}, {"RESET ALL", true, true, false},
		{"SET TRANSACTION READ ONLY", true, false, false}, {"LISTEN a", true, true, false}, {"UNLISTEN *", true, true, false}, {"DISCARD ALL", true, true, false},
		{"PREPARE x AS SELECT 1", true, true, false}, {"EXECUTE x", true, true, false}, {"DECLARE c CURSOR FOR SELECT 1", true, false, false},
		{"CREATE TEMP TABLE x (a int)", true, false, false}, {"create local temporary view v AS SELECT 1", true, false, false}, {"SELECT 1 INTO TEMP x", true, false, false},
		{"CREATE TABLE pg_temp.x (a int)", true, false, false}, {"SELECT set_config('a', 'b', false)", true, false, false}, {"WITH a AS (SELECT pg_advisory_lock(1)) SELECT * FROM a", true, true, false},
		{"SELECT 'BEGIN'", false, false, false}, {`SELECT "begin" FROM t`, false, false, false}, {"SELECT 1 AS set", false, false, false}, {"UPDATE t SET a = 1", false, false, false},
		{"INSERT INTO temp VALUES (1)", false, false, false}, {"SELECT pg_advisory_xact_lock(1)", false, false, false}, {"DO $$ BEGIN PERFORM 1; END $$", false, false, false},
		{"SELECT $1; SELECT $2", false, false, false}, {"CREATE TABLE t (a int)", false, false, false}, {"NOTIFY a", false, false, false}, {"", false, false, false},
	} {
		for _, disguise := range disguises {
			text := fmt.Sprintf(disguise, c.text)
			require.Equal(t, c.pool, refused(text, pool) != nil, "%q in a pool", text)
			require.Equal(t, c.inTx, refused(text, inTx) != nil, "%q in a transaction", text)
			require.Equal(t, c.oneConn, refused(text, alone) != nil, "%q on one connection", text)
			require.NoError(t, refused(text, sql.Use{Own: true}))
		}
	}
}

func FuzzStatements(f *testing.F) {
	for _, text := range disguises {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, words := range statements(text) {
			require.NotEmpty(t, words)
			leaves(words, sql.Use{})
		}
	})
}
