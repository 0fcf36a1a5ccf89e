package vm

import (
	"fmt"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What is known of a value without knowing where it comes from: an object's
// header names its type, the pointer word of a boxed scalar too. So whatever a
// native builds, and whatever a place of a type holds, can be held against it.

// fits reports whether v is a value of a type. It looks at the value itself and
// not at what that refers to: see checkValue. A number word without a tag fits
// any number type, as none can do harm.
func (p *Program) fits(id uint32, v Value) bool {
	t := &p.Types[id]
	switch {
	case t.Rep == bytecode.RepI:
		return fitsNumber(t, v.n)
	case t.Kind == bytecode.TOptional:
		return v.p == nil || p.fitsSome(id, t, v)
	case v.p == nil:
		return false
	case t.Rep == bytecode.RepP:
		return typeOf(v.p) == id
	}
	return p.fitsAny(v)
}

func fitsNumber(t *bytecode.Type, n uint64) bool {
	switch t.Kind {
	case bytecode.TBool:
		return n <= 1
	case bytecode.TEnum:
		return n < uint64(len(t.Variants))
	}
	return true
}

// fitsSome is fits for an optional that is not none.
func (p *Program) fitsSome(id uint32, t *bytecode.Type, v Value) bool {
	switch elem := &p.Types[t.Elem]; {
	case elem.Kind == bytecode.TOptional:
		return typeOf(v.p) == id
	case elem.Rep == bytecode.RepI:
		return v.p == p.descList[t.Elem] && fitsNumber(elem, v.n)
	}
	return p.fits(t.Elem, v)
}

// fitsAny is fits for any and interfaces, where the pointer word tells the type.
func (p *Program) fitsAny(v Value) bool {
	id := typeOf(v.p)
	if id >= uint32(len(p.Types)) {
		return false
	}
	switch t := &p.Types[id]; {
	case t.Rep == bytecode.RepI:
		return v.p == p.descList[id] && fitsNumber(t, v.n)
	default:
		return t.Rep == bytecode.RepP && t.Kind != bytecode.TCell && v.p != p.descList[id]
	}
}

// fitsPlainly tells at a glance of most values that fits holds: of ints and floats, and
// of objects of just the type. It is for callers that ask about many.
func fitsPlainly(id uint32, rep bytecode.Rep, v Value) bool {
	if rep == bytecode.RepP {
		return v.p != nil && (*Header)(v.p).Type == id
	}
	return id == bytecode.IDInt || id == bytecode.IDFloat
}

// mustFit throws where a native puts a value into a place of another type.
func (p *Program) mustFit(id uint32, v Value) {
	if !p.fits(id, v) {
		p.misfit(id, v)
	}
}

func (p *Program) misfit(id uint32, v Value) {
	t, what := &p.Types[id], "a number"
	switch {
	case t.Rep == bytecode.RepI:
	case v.p == nil:
		notNil(nil)
	default:
		what = "a " + p.nameOf(v.TypeID())
	}
	internal("%s was put where a %s belongs", what, t.Name)
}

func (p *Program) nameOf(id uint32) string {
	if id < uint32(len(p.Types)) {
		return p.Types[id].Name
	}
	return "value of an unknown type"
}

// takes holds the arguments of a host against the parameters of a function: in a
// program that was not compiled here the one that it has found may be another.
func (in *Instance) takes(callee Callee, args []Value) error {
	f, p := callee.f, in.Program()
	if f == nil {
		return in.misuse("a function is called that the program does not have")
	}
	if len(args) != len(f.Params) {
		return in.misuse("%s has %d parameters, %d arguments are given", f.Name, len(f.Params), len(args))
	}
	for i, id := range f.Params {
		if !p.fits(id, args[i]) {
			return in.misuse("argument %d of %s is no %s", i+1, f.Name, p.Types[id].Name)
		}
	}
	return nil
}

// misuse makes the internal error of what a host has found in a program.
func (in *Instance) misuse(format string, args ...any) *Error {
	return &Error{Kind: "InternalError", Message: "internal error: " + fmt.Sprintf(format, args...), in: in}
}

// typeOf returns a type that must be of one of two kinds.
func (c *Call) typeOf(id uint32, kind, or bytecode.TypeKind) *bytecode.Type {
	t := c.Type(id)
	if t.Kind != kind && t.Kind != or {
		c.otherKind(t)
	}
	return t
}

//go:noinline
func (c *Call) otherKind(t *bytecode.Type) {
	internal("%s makes an object as a %s", c.ref.Name, t.Name)
}

// SetResult is SetValue for a native whose result type is known only at run time.
func (c *Call) SetResult(v Value) {
	c.w.prog.mustFit(c.ref.Result, v)
	c.SetValue(v)
}
