package runnel

import (
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/native"
)

// WithNative has what programs spend their time in compiled to machine code while they
// run, on systems where that works: see NativeSupported. Results, errors, steps, limits
// and schedules are the same. It is for what is compiled or loaded by the Runtime;
// sessions, and instances with WithRace or that count for coverage, are interpreted.
func WithNative() Option {
	return func(rt *Runtime) { rt.native = func(p *vm.Program) { native.Use(p) } }
}

// NativeSupported reports whether WithNative has any effect here: on Linux on amd64
// processors with AVX, where the system lets memory be made executable.
func NativeSupported() bool { return native.Supported() }
