package sql

import "context"

// Use is what a driver may know of who uses a connection of a pool. Whatever a
// statement leaves behind there meets whoever gets the connection next, and not
// who has sent it: a transaction would take writes of others back, a setting
// would be here and not there. So drivers refuse such statements.
type Use struct {
	// Own says that the statement is the module's own, and no script's.
	Own bool
	// Alone says that the pool has one connection only.
	Alone bool
	// InTx says that the statement is one of a transaction.
	InTx bool
}

type useKey struct{}

func withUse(ctx context.Context, u Use) context.Context { return context.WithValue(ctx, useKey{}, u) }

// UseOf returns what a context says; without, the statement is taken for one of the
// module's own.
func UseOf(ctx context.Context) Use {
	if u, ok := ctx.Value(useKey{}).(Use); ok {
		return u
	}
	return Use{Own: true}
}

// Refused is the error of a statement that would change a connection of a pool, and of a
// query of several, of which nobody would see all rows.
type Refused struct{ Text string }

func (r *Refused) Error() string { return r.Text }

// The ways to do what a refused statement was to do.
const (
	// UseTransaction is for BEGIN, COMMIT, ROLLBACK, SAVEPOINT and the like.
	UseTransaction = "a transaction is begun and ended with db.transaction, for each statement may get another connection"
	// UseOneConnection is for settings.
	UseOneConnection = "what this sets is kept by a single connection: open the database with `connections: 1`"
	// UseTemporary is for what lives as long as the connection.
	UseTemporary = "what is temporary belongs to a single connection: make it in db.transaction, or open the database with `connections: 1`"
)
