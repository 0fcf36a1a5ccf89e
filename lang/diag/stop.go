package diag

import "context"

// Stopped is the panic of a compilation whose context has ended; what it was at is of
// no use any more.
type Stopped struct{ cause error }

// Stop panics with a *Stopped when a context, which may be nil, has ended.
func Stop(ctx context.Context) {
	if ctx != nil && ctx.Err() != nil {
		panic(&Stopped{context.Cause(ctx)})
	}
}

// Diagnostic says that compiling was stopped, and why.
func (s *Stopped) Diagnostic() Diagnostic {
	return Diagnostic{Code: CompileStopped, Message: "compiling was stopped: " + s.cause.Error()}
}
