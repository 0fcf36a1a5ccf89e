package runnel

import (
	"context"
	"fmt"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

// CompileLimits bound what compiling a program may take, so that no source can
// keep a host busy or fill its memory. A field that is 0 means the default. In
// addition, a program has at most 100,000 functions and 65,535 types, counting
// each instantiation of a generic one.
type CompileLimits struct {
	Time   time.Duration // 30 seconds
	Source int           // bytes of the program's files: 4 MiB
}

// WithCompileLimits bounds what Compile, Check and sessions may take to compile a program.
func WithCompileLimits(l CompileLimits) Option { return func(rt *Runtime) { rt.compiling = l } }

const (
	compileTime   = 30 * time.Second
	compileSource = 4 << 20
)

// within returns the context of a compilation.
func (l CompileLimits) within(ctx context.Context) (context.Context, context.CancelFunc) {
	d := l.Time
	if d <= 0 {
		d = compileTime
	}
	return context.WithTimeoutCause(vm.OrBackground(ctx), d, fmt.Errorf("it took longer than %v", d))
}

// source is how many bytes a program may have.
func (l CompileLimits) source() int {
	if l.Source <= 0 {
		return compileSource
	}
	return l.Source
}
