package runnel

import (
	"errors"
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

// MachineCode returns the machine code of a function of p.Code.Funcs, for people to read.
// An error says why there is none.
func (p *Program) MachineCode(function int) (native.Listing, error) {
	if !NativeSupported() {
		return native.Listing{}, errors.New("there is no machine code for this system: see `runnel doctor`")
	}
	linked, err := vm.Link(p.Code, p.rt.modules)
	if err != nil {
		return native.Listing{}, err
	}
	l, ok := native.List(linked, function)
	if !ok {
		return l, errors.New("it is too large for machine code, and interpreted")
	}
	return l, nil
}
