package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	runnelsql "github.com/runnel-lang/runnel/stdlib/sql"
)

// codes with a name, and what they mean to module sql.
var codes = map[int]struct{ name, kind string }{
	lib.SQLITE_CONSTRAINT_UNIQUE:     {"SQLITE_CONSTRAINT_UNIQUE", "unique"},
	lib.SQLITE_CONSTRAINT_PRIMARYKEY: {"SQLITE_CONSTRAINT_PRIMARYKEY", "unique"},
	lib.SQLITE_CONSTRAINT_ROWID:      {"SQLITE_CONSTRAINT_ROWID", "unique"},
	lib.SQLITE_CONSTRAINT_FOREIGNKEY: {"SQLITE_CONSTRAINT_FOREIGNKEY", "foreign_key"},
	lib.SQLITE_CONSTRAINT_NOTNULL:    {"SQLITE_CONSTRAINT_NOTNULL", "not_null"},
	lib.SQLITE_CONSTRAINT_CHECK:      {"SQLITE_CONSTRAINT_CHECK", "check"},
	lib.SQLITE_ERROR:                 {"SQLITE_ERROR", ""},
	lib.SQLITE_BUSY:                  {"SQLITE_BUSY", "busy"},
	lib.SQLITE_LOCKED:                {"SQLITE_LOCKED", "busy"},
	lib.SQLITE_NOMEM:                 {"SQLITE_NOMEM", ""},
	lib.SQLITE_READONLY:              {"SQLITE_READONLY", "denied"},
	lib.SQLITE_AUTH:                  {"SQLITE_AUTH", "denied"},
	lib.SQLITE_CORRUPT:               {"SQLITE_CORRUPT", ""},
	lib.SQLITE_FULL:                  {"SQLITE_FULL", ""},
	lib.SQLITE_TOOBIG:                {"SQLITE_TOOBIG", ""},
	lib.SQLITE_CONSTRAINT:            {"SQLITE_CONSTRAINT", ""},
	lib.SQLITE_MISMATCH:              {"SQLITE_MISMATCH", ""},
	lib.SQLITE_RANGE:                 {"SQLITE_RANGE", ""},
	lib.SQLITE_NOTADB:                {"SQLITE_NOTADB", ""},
}

func cannotOpen(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_CANTOPEN
}

// explain tells what an error of a statement means; what goes wrong with the file
// is another matter.
func explain(err error) *runnelsql.Problem {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	code := e.Code()
	switch code & 0xff {
	case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM, lib.SQLITE_INTERRUPT:
		return nil
	}
	known, ok := codes[code]
	if !ok {
		known, ok = codes[code&0xff]
	}
	if !ok {
		known.name = fmt.Sprintf("SQLITE_%d", code)
	}
	return &runnelsql.Problem{Text: strings.TrimSuffix(e.Error(), fmt.Sprintf(" (%d)", code)), Code: known.name, Kind: known.kind}
}
