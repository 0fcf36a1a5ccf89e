package diag

import (
	"context"
	"fmt"
)

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

// Defect is what a panic of the parser, the checker or the compiler is to a host: no
// program takes the process down, whatever is wrong with them.
func Defect(what any) Diagnostic {
	return Diagnostic{Code: CompilerDefect, Message: fmt.Sprint("internal error of the compiler: ", what), Help: []string{"please report this program"}}
}
