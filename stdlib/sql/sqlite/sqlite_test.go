package sqlite

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever a statement says: it leaves no file behind.
func FuzzStatementsStayInTheirDatabase(f *testing.F) {
	for _, text := range []string{
		"ATTACH 'x.db' AS x; CREATE TABLE x.t (a)", "VACUUM INTO 'x.db'", "PRAGMA temp_store_directory='.'; CREATE TEMP TABLE t (a)",
		"SELECT load_extension('x')", "PRAGMA journal_mode=WAL", "CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE TABLE t (a); INSERT INTO t VALUES (1)",
		"PRAGMA database_list", "BEGIN; SAVEPOINT a; ROLLBACK TO a", "WITH n AS (SELECT 1) SELECT * FROM n", "CREATE VIEW v AS SELECT * FROM pragma_table_list",
		"EXPLAIN ATTACH 'x.db' AS x", "ATTACH 'file:x.db?mode=rwc' AS x",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Chdir(dir)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Source{MaxMemory: 8 << 20}.Open("sqlite::memory:")
		require.NoError(t, err)
		defer d.Closed()
		defer d.Close()
		d.SetMaxOpenConns(1)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for range 2 {
			if rows, err := d.QueryContext(ctx, text); err == nil {
				rows.Next()
				rows.Close()
			}
			d.ExecContext(ctx, text)
		}
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left)
	})
}
