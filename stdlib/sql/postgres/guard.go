package postgres

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/runnel-lang/runnel/stdlib/sql"
)

// guardedConnector gives connections that refuse statements which leave something
// behind in them.
type guardedConnector struct{ driver.Connector }

func guarded(config pgx.ConnConfig) driver.Connector {
	return guardedConnector{stdlib.GetConnector(config)}
}

func (c guardedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &guardedConn{conn.(*stdlib.Conn)}, nil
}

type guardedConn struct{ *stdlib.Conn }

func (c *guardedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if err := refused(text, sql.UseOf(ctx)); err != nil {
		return nil, err
	}
	return c.Conn.PrepareContext(ctx, text)
}

func (c *guardedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := refused(text, sql.UseOf(ctx)); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, text, args)
}

// ExecContext also looks at what has become of the connection, should the text be
// read in another way here than by the server.
func (c *guardedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	use := sql.UseOf(ctx)
	if err := refused(text, use); err != nil {
		return nil, err
	}
	result, err := c.Conn.ExecContext(ctx, text, args)
	if err != nil || use.Own {
		return result, err
	}
	switch idle := c.Conn.Conn().PgConn().TxStatus() == 'I'; {
	case use.InTx && idle:
		return nil, &sql.Refused{Text: sql.UseTransaction}
	case !use.InTx && !idle:
		if _, err := c.Conn.Conn().Exec(ctx, "ROLLBACK"); err != nil {
			return nil, err
		}
		return nil, &sql.Refused{Text: sql.UseTransaction}
	}
	return result, nil
}

func refused(text string, use sql.Use) error {
	if use.Own {
		return nil
	}
	for _, words := range statements(text) {
		if why := leaves(words, use); why != "" {
			return &sql.Refused{Text: why}
		}
	}
	return nil
}

// transactions are the words that statements about transactions begin with.
var transactions = map[string]bool{
	"BEGIN": true, "START": true, "COMMIT": true, "END": true, "ROLLBACK": true, "ABORT": true, "SAVEPOINT": true, "RELEASE": true,
}

// kept are the words of statements whose effect the connection keeps, and of
// functions.
var kept = map[string]bool{
	"PREPARE": true, "EXECUTE": true, "DEALLOCATE": true, "LISTEN": true, "UNLISTEN": true, "DISCARD": true, "RESET": true, "LOAD": true,
}
var keptByCall = map[string]bool{
	"PG_ADVISORY_LOCK": true, "PG_ADVISORY_LOCK_SHARED": true, "PG_TRY_ADVISORY_LOCK": true, "PG_TRY_ADVISORY_LOCK_SHARED": true,
}

// leaves tells what to do in place of a statement that would leave something
// behind in its connection.
func leaves(words []string, use sql.Use) string {
	first, second := words[0], ""
	if len(words) > 1 {
		second = words[1]
	}
	if transactions[first] || first == "PREPARE" && second == "TRANSACTION" {
		return sql.UseTransaction
	}
	if use.Alone {
		return ""
	}
	local := second == "LOCAL" || second == "TRANSACTION" || second == "CONSTRAINTS"
	switch {
	case kept[first], first == "SET" && !local:
		return sql.UseOneConnection
	case use.InTx:
	case first == "SET", first == "DECLARE", first == "LOCK":
		return sql.UseTransaction
	}
	for i, word := range words {
		temporary := (word == "TEMP" || word == "TEMPORARY") && (first == "CREATE" || first == "SELECT" && words[i-1] == "INTO")
		switch {
		case keptByCall[word]:
			return sql.UseOneConnection
		case !use.InTx && word == "SET_CONFIG":
			return sql.UseOneConnection
		case !use.InTx && (temporary || word == "PG_TEMP" && first == "CREATE"):
			return sql.UseTemporary
		}
	}
	return ""
}
