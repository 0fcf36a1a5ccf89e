package bindgen

import (
	"errors"
	"fmt"
	"go/types"
)

// What of Go's types package vm/bind takes in the signature of a native.

// bindable tells why a type cannot be in a signature.
func (p *plan) bindable(t types.Type) error {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return basic(t)
	case *types.Named:
		return p.named(t)
	case *types.Pointer:
		return p.pointer(t)
	case *types.Slice:
		return p.bindable(t.Elem())
	case *types.Map:
		return p.mapType(t)
	case *types.Interface:
		if t.Empty() {
			return nil
		}
		return errors.New("it has an interface in it")
	case *types.Signature:
		return errors.New("it has a function in it that is not a parameter")
	case *types.TypeParam:
		return errors.New("it is generic")
	}
	return fmt.Errorf("a %s is no type for scripts", p.show(t))
}

func basic(t *types.Basic) error {
	switch {
	case t.Kind() == types.Uintptr || t.Kind() == types.UnsafePointer || t.Info()&types.IsComplex != 0:
		return fmt.Errorf("a %s is no type for scripts", t)
	}
	return nil
}

func (p *plan) named(t *types.Named) error {
	obj := t.Obj()
	switch {
	case obj.Pkg() == nil: // error, comparable
		return errors.New("an error is given last or not at all")
	case obj.Pkg().Path() == "time" && obj.Name() == "Duration":
		return nil
	case t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0:
		return fmt.Errorf("%s is generic", p.show(t))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if obj.Pkg() != p.types {
			return fmt.Errorf("%s belongs to another package", p.show(t))
		}
		return p.structure(t, u)
	case *types.Interface:
		return fmt.Errorf("%s is an interface", p.show(t))
	default:
		if p.open[t] {
			return fmt.Errorf("%s contains itself", p.show(t))
		}
		p.open[t] = true
		defer delete(p.open, t)
		return p.bindable(u)
	}
}

// structure tells why a struct cannot be copied into a script.
func (p *plan) structure(t *types.Named, s *types.Struct) error {
	if !t.Obj().Exported() {
		return fmt.Errorf("%s is not exported", p.show(t))
	}
	if p.handles[t] {
		return fmt.Errorf("%s is a handle, of which a pointer is needed", p.show(t))
	}
	if err := p.copied(t, s); err != nil {
		return err
	}
	if p.open[t] { // it refers to itself
		return nil
	}
	p.open[t] = true
	defer delete(p.open, t)
	for f := range s.Fields() {
		if err := p.bindable(f.Type()); err != nil {
			return fmt.Errorf("field %s of %s: %w", f.Name(), p.show(t), err)
		}
	}
	return nil
}

// copied tells why copying the exported fields of a struct loses something.
func (p *plan) copied(t *types.Named, s *types.Struct) error {
	for f := range s.Fields() {
		if !f.Exported() {
			return fmt.Errorf("%s has fields that are not exported", p.show(t))
		}
	}
	if s.NumFields() == 0 {
		return fmt.Errorf("%s has no fields", p.show(t))
	}
	return nil
}

func (p *plan) pointer(t *types.Pointer) error {
	named, ok := types.Unalias(t.Elem()).(*types.Named)
	switch {
	case ok && p.handles[named]:
		return nil
	case ok && isChan(named):
		return p.bindable(named.TypeArgs().At(0))
	}
	return p.bindable(t.Elem())
}

func (p *plan) mapType(t *types.Map) error {
	key, ok := t.Key().Underlying().(*types.Basic)
	if !ok {
		return fmt.Errorf("a %s cannot be a key in a script", p.show(t.Key()))
	}
	if err := basic(key); err != nil {
		return err
	}
	if s, ok := t.Elem().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return nil // a set
	}
	return p.bindable(t.Elem())
}

// signature tells why a function cannot be offered.
func (p *plan) signature(s *types.Signature) error {
	if s.TypeParams().Len() > 0 {
		return errors.New("it is generic")
	}
	for i := range s.Params().Len() {
		v := s.Params().At(i)
		if i == 0 && isContext(v.Type()) {
			continue
		}
		if err := p.param(v.Type()); err != nil {
			return fmt.Errorf("parameter %d: %w", i+1, err)
		}
	}
	return p.results(s)
}

func (p *plan) results(s *types.Signature) error {
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		if i == s.Results().Len()-1 && isError(t) {
			continue
		}
		if err := p.bindable(t); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
	}
	return nil
}

// param may be a function of the script's, too, which may fail.
func (p *plan) param(t types.Type) error {
	f, ok := t.Underlying().(*types.Signature)
	if !ok {
		return p.bindable(t)
	}
	n := f.Results().Len()
	if n == 0 || n > 2 || !isError(f.Results().At(n-1).Type()) {
		return fmt.Errorf("a %s does not give an error last, and a script may fail", p.show(t))
	}
	if f.Variadic() {
		return fmt.Errorf("a %s is variadic", p.show(t))
	}
	for v := range f.Params().Variables() {
		if !isContext(v.Type()) {
			if err := p.bindable(v.Type()); err != nil {
				return err
			}
		}
	}
	return p.results(f)
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

// isChan tells runnel.Chan[T], a channel of the script.
func isChan(t *types.Named) bool {
	return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == runnelPath+"/vm/bind" && t.Obj().Name() == "Chan" && t.TypeArgs().Len() == 1
}

// takesContext reports whether a function may wait.
func takesContext(s *types.Signature) bool {
	return s.Params().Len() > 0 && isContext(s.Params().At(0).Type())
}

// show writes a type with the names of packages.
func (p *plan) show(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}
