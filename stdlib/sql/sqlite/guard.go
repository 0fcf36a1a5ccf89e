package sqlite

import (
	"context"
	"database/sql/driver"

	runnelsql "github.com/runnel-lang/runnel/stdlib/sql"
)

// connection is what the driver's connections can do.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// guarded is a connection that tells its guard whose statements it compiles.
type guarded struct {
	connection
	guard *guard
}

// as has something compiled for a use, and gives the reason of the guard where it
// is refused.
func as[T any](g *guard, use runnelsql.Use, compile func() (T, error)) (T, error) {
	g.use, g.refused = use, ""
	value, err := compile()
	g.use = runnelsql.Use{Own: true} // for what database/sql does by itself
	if err != nil && g.refused != "" {
		err = &runnelsql.Refused{Text: g.refused}
	}
	return value, err
}

func (c *guarded) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	s, err := as(c.guard, runnelsql.UseOf(ctx), func() (driver.Stmt, error) { return c.connection.PrepareContext(ctx, text) })
	if err != nil {
		return nil, err
	}
	return &guardedStmt{s.(statement), c.guard, text}, nil
}

func (c *guarded) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := noSurplus(text, args); err != nil {
		return nil, err
	}
	return as(c.guard, runnelsql.UseOf(ctx), func() (driver.Result, error) { return c.connection.ExecContext(ctx, text, args) })
}

func (c *guarded) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := noSurplus(text, args); err != nil {
		return nil, err
	}
	if err := oneQuery(text); err != nil {
		return nil, err
	}
	return as(c.guard, runnelsql.UseOf(ctx), func() (driver.Rows, error) { return c.connection.QueryContext(ctx, text, args) })
}

// statement is what the driver's prepared statements can do.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// guardedStmt is a prepared statement: of several in one text, each is compiled
// when the one before has run.
type guardedStmt struct {
	statement
	guard *guard
	text  string
}

func (s *guardedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := noSurplus(s.text, args); err != nil {
		return nil, err
	}
	return as(s.guard, runnelsql.UseOf(ctx), func() (driver.Result, error) { return s.statement.ExecContext(ctx, args) })
}

func (s *guardedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := noSurplus(s.text, args); err != nil {
		return nil, err
	}
	if err := oneQuery(s.text); err != nil {
		return nil, err
	}
	return as(s.guard, runnelsql.UseOf(ctx), func() (driver.Rows, error) { return s.statement.QueryContext(ctx, args) })
}
