package sqlite

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is counted is what SQLite takes: one value less is an error of its own.
func TestParametersAreThoseThatSQLiteTakes(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE t (a, b, "c?", d)`)
	require.NoError(t, err)
	for text, n := range map[string]int{
		"SELECT 1":                               0,
		"SELECT ?, ?":                            2,
		"SELECT ?3":                              3,
		"SELECT ?2, ?":                           3,
		"SELECT $1, $2, $1":                      2,
		"SELECT :a, @a, $a, :a":                  3,
		"SELECT '?', ?, 'it''s ?'":               1,
		`SELECT "c?", [c?], ` + "`c?`, ? FROM t": 1,
		"SELECT ? -- and ?\n, ?":                 2,
		"SELECT ? /* ? ; ? */, ?":                2,
		"SELECT ? /* ?":                          1,
		"SELECT ?; SELECT ?, ?; SELECT ?":        2,
		"INSERT INTO t (a) VALUES (?)":           1,
		"SELECT a?1 FROM t":                      -1, // no statement
		"":                                       0,
		"SELECT x'00', ?":                        1,
		"SELECT json_extract('{}', '$.a'), ?, d->>'$[0]' FROM t": 1,
	} {
		if n < 0 {
			contents(text)
			continue
		}
		values, _ := contents(text)
		require.Equal(t, n, values, text)
		if strings.Contains(text, ":a") {
			continue // wants values with names, which module sql does not give
		}
		args := make([]any, n)
		_, err := db.Exec(text, args...)
		require.NoError(t, err, text)
		if n > 0 {
			_, err = db.Exec(text, args[1:]...)
			require.ErrorContains(t, err, "missing", text)
		}
	}
}

func TestAQueryIsOneStatement(t *testing.T) {
	for text, n := range map[string]int{
		"": 0, ";;": 0, "SELECT 1": 1, "SELECT 1;": 1, " ; SELECT ';' ; -- ;\n /* ; */ ": 1,
		"SELECT 1; SELECT 2": 2, "SELECT [;]; ?": 2, "-- one\nSELECT 1;\n-- two\nSELECT 2;\n": 2,
	} {
		_, statements := contents(text)
		require.Equal(t, n, statements, text)
	}
}

func FuzzParameters(f *testing.F) {
	for _, text := range []string{"SELECT ?1, $a -- ?", "'a''?'", "/*", "?99999999999999999999", "[", "é?"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, _ := contents(text); n < 0 {
			t.Fatal(n)
		}
	})
}
