package sqlite

import (
	"strings"

	"modernc.org/sqlite"

	runnelsql "github.com/runnel-lang/runnel/stdlib/sql"
)

// pragmas that scripts may read, and of these those that they may set. What is
// not here is refused: it reaches files, bounds, or memory of the process.
var pragmas = map[string]bool{
	"application_id": true, "auto_vacuum": true, "busy_timeout": true, "case_sensitive_like": true,
	"checkpoint_fullfsync": true, "collation_list": false, "compile_options": false, "data_version": false,
	"defer_foreign_keys": true, "encoding": true, "foreign_key_check": true, "foreign_key_list": true,
	"foreign_keys": true, "freelist_count": false, "function_list": false, "ignore_check_constraints": true,
	"incremental_vacuum": true, "index_info": true, "index_list": true, "index_xinfo": true,
	"integrity_check": true, "journal_mode": true, "journal_size_limit": true, "max_page_count": false,
	"module_list": false, "optimize": true, "page_count": false, "page_size": false, "pragma_list": false,
	"query_only": true, "quick_check": true, "recursive_triggers": true, "reverse_unordered_selects": true,
	"schema_version": false, "secure_delete": true, "synchronous": true, "table_info": true, "table_list": true,
	"table_xinfo": true, "user_version": true, "wal_autocheckpoint": true, "wal_checkpoint": true,
}

// settings are the pragmas of a connection: what they set is not in the file.
var settings = map[string]bool{
	"busy_timeout": true, "case_sensitive_like": true, "checkpoint_fullfsync": true, "defer_foreign_keys": true,
	"foreign_keys": true, "ignore_check_constraints": true, "journal_size_limit": true, "query_only": true,
	"recursive_triggers": true, "reverse_unordered_selects": true, "secure_delete": true, "synchronous": true,
	"wal_autocheckpoint": true,
}

// modules of virtual tables that hold what is put into them.
var modules = map[string]bool{"fts5": true, "rtree": true, "rtree_i32": true, "geopoly": true}

// creates are the actions that make something, also in the schema temp.
var creates = map[sqlite.AuthorizerActionCode]bool{
	sqlite.AuthCreateTable: true, sqlite.AuthCreateIndex: true, sqlite.AuthCreateView: true, sqlite.AuthCreateTrigger: true,
	sqlite.AuthCreateTempTable: true, sqlite.AuthCreateTempIndex: true, sqlite.AuthCreateTempView: true, sqlite.AuthCreateTempTrigger: true,
	sqlite.AuthCreateVTable: true,
}

// guard says what statements may do on a connection.
type guard struct {
	use     runnelsql.Use // of the statement that is compiled
	refused string        // why it was not, where that is not for all connections
}

// authorize says whether a part of a statement may be compiled.
func (g *guard) authorize(action sqlite.AuthorizerActionCode, arg1, arg2, arg3, arg4 string) sqlite.AuthorizerReturnCode {
	if why := g.leaves(action, arg1, arg2, arg3); why != "" {
		g.refused = why
		return sqlite.AuthorizerDeny
	}
	return authorize(action, arg1, arg2, arg3, arg4)
}

// leaves tells what to do in place of a statement that would leave something
// behind in the connection.
func (g *guard) leaves(action sqlite.AuthorizerActionCode, arg1, arg2, schema string) string {
	switch {
	case g.use.Own:
	case action == sqlite.AuthTransaction, action == sqlite.AuthSavepoint:
		return runnelsql.UseTransaction
	case g.use.Alone:
	case action == sqlite.AuthPragma && arg2 != "" && settings[strings.ToLower(arg1)]:
		return runnelsql.UseOneConnection
	case g.use.InTx:
	case creates[action] && schema == "temp":
		return runnelsql.UseTemporary
	}
	return ""
}

// authorize says what may be done on any connection. ATTACH, and with it VACUUM,
// would open files.
func authorize(action sqlite.AuthorizerActionCode, arg1, arg2, _, _ string) sqlite.AuthorizerReturnCode {
	ok := true
	switch action {
	case sqlite.AuthAttach, sqlite.AuthDetach:
		ok = false
	case sqlite.AuthPragma:
		settable, known := pragmas[strings.ToLower(arg1)]
		ok = known && (settable || arg2 == "")
	case sqlite.AuthCreateVTable, sqlite.AuthDropVTable:
		ok = modules[strings.ToLower(arg2)]
	case sqlite.AuthFunction:
		switch strings.ToLower(arg2) {
		case "load_extension", "fts3_tokenizer":
			ok = false
		}
	case sqlite.AuthRead:
		switch strings.ToLower(arg1) {
		case "sqlite_dbpage", "dbstat":
			ok = false
		}
	}
	if !ok {
		return sqlite.AuthorizerDeny
	}
	return sqlite.AuthorizerOK
}
