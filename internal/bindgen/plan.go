package bindgen

import (
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// plan is what is offered of a package, and what is not.
type plan struct {
	*loaded
	opts    Options
	handles map[*types.Named]bool // structs that stay in Go: scripts hold pointers
	open    map[*types.Named]bool // types that are being looked at

	consts  []offer
	structs []offer
	funcs   []offer
	refused []refusal
	names   map[string]bool
}

// offer is a call of package runnel.
type offer struct {
	obj   types.Object
	name  string // in the script
	about []string
}

// refusal is what cannot be offered.
type refusal struct{ name, reason string }

func newPlan(l *loaded, opts Options) *plan {
	p := &plan{loaded: l, opts: opts, handles: map[*types.Named]bool{}, open: map[*types.Named]bool{}, names: map[string]bool{}}
	scope := l.types.Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && t.Exported() {
			p.classify(t)
		}
	}
	texts := l.constTexts()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() || !p.wanted(name) {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			p.constant(obj, texts[name])
		case *types.Func:
			p.function(obj)
		case *types.TypeName:
			p.typeName(obj)
		case *types.Var:
			p.refuse(name, errors.New("it is a variable"))
		}
	}
	p.constructors()
	return p
}

// wanted reports whether a name is to be offered. `Type.Method` follows its type
// where no pattern has a dot.
func (p *plan) wanted(name string) bool {
	matches := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			ok, _ := path.Match(pattern, name) // see Options.check
			whole, _, dotted := strings.Cut(name, ".")
			if dotted && !strings.Contains(pattern, ".") {
				ok, _ = path.Match(pattern, whole)
			}
			prefix, _, _ := strings.Cut(pattern, ".")
			return ok || !dotted && prefix != pattern && prefix == name
		})
	}
	skipped := slices.ContainsFunc(p.opts.Skip, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
	return !skipped && (len(p.opts.Only) == 0 || matches(p.opts.Only))
}

func (p *plan) refuse(name string, err error) {
	p.refused = append(p.refused, refusal{name, err.Error()})
}

// offered takes a name of the module; false means that it is taken.
func (p *plan) offered(goName, name string) bool {
	if p.names[name] {
		p.refuse(goName, fmt.Errorf("%s is there already", name))
		return false
	}
	p.names[name] = true
	return true
}

// lower is a Go name as one of a script.
func lower(name string) string {
	s := names.Snake(name)
	if token.Lookup(s).IsKeyword() {
		s += "_"
	}
	return s
}

// classify settles whether a struct is copied, or stays in Go.
func (p *plan) classify(t *types.TypeName) {
	named, ok := t.Type().(*types.Named)
	if !ok || t.IsAlias() || named.TypeParams().Len() > 0 {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	if p.copied(named, s) != nil || pointerMethods(named) {
		p.handles[named] = true
	}
}

// pointerMethods reports whether a type has methods that change it.
func pointerMethods(t *types.Named) bool {
	for m := range t.Methods() {
		if _, ok := m.Signature().Recv().Type().(*types.Pointer); ok && m.Exported() {
			return true
		}
	}
	return false
}

// ---- constants ----

func (p *plan) constant(c *types.Const, text string) {
	if err := constantFits(c); err != nil {
		p.refuse(c.Name(), err)
		return
	}
	name := lower(c.Name())
	if p.offered(c.Name(), name) {
		p.consts = append(p.consts, offer{obj: c, name: name, about: about(text, nil)})
	}
}

func constantFits(c *types.Const) error {
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok || basic(b) != nil {
		return errors.New("it is complex")
	}
	switch {
	case b.Info()&types.IsInteger != 0:
		if _, exact := constant.Int64Val(constant.ToInt(c.Val())); !exact {
			return errors.New("it does not fit an int")
		}
	case b.Info()&types.IsFloat != 0:
		if f, _ := constant.Float64Val(c.Val()); f == 0 && constant.Sign(c.Val()) != 0 {
			return errors.New("it does not fit a float")
		}
	}
	return nil
}

// ---- functions ----

func (p *plan) function(f *types.Func) {
	s := f.Signature()
	if err := p.signature(s); err != nil {
		p.refuse(f.Name(), err)
		return
	}
	name := lower(f.Name())
	if p.offered(f.Name(), name) {
		p.funcs = append(p.funcs, offer{obj: f, name: name, about: about(p.text(f.Name()), params(s))})
	}
}

// params are the names of the parameters for scripts, or nil where some have none.
func params(s *types.Signature) (names []string) {
	for i := range s.Params().Len() {
		v := s.Params().At(i)
		if i == 0 && isContext(v.Type()) {
			continue
		}
		name := lower(v.Name())
		if name == "" || name == "_" || slices.Contains(names, name) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// ---- types ----

func (p *plan) typeName(t *types.TypeName) {
	named, ok := t.Type().(*types.Named)
	switch {
	case t.IsAlias() || !ok:
		p.refuse(t.Name(), errors.New("it is an alias"))
	case named.TypeParams().Len() > 0:
		p.refuse(t.Name(), errors.New("it is generic"))
	case p.handles[named]:
		p.handle(t, named)
	default:
		p.value(t, named)
	}
}

// value offers a type whose values are copied.
func (p *plan) value(t *types.TypeName, named *types.Named) {
	if err := p.bindable(named); err != nil {
		p.refuse(t.Name(), err)
		return
	}
	for m := range named.Methods() {
		if m.Exported() && p.wanted(t.Name()+"."+m.Name()) {
			p.methodOfValue(t.Name(), m)
		}
	}
	if _, ok := named.Underlying().(*types.Struct); ok && p.offered(t.Name(), t.Name()) {
		p.structs = append(p.structs, offer{obj: t, name: t.Name(), about: about(p.typeText(t.Name()), nil)})
	}
}

// methodOfValue offers a method of values as a function: weekday_string(d).
func (p *plan) methodOfValue(typ string, m *types.Func) {
	full, s := typ+"."+m.Name(), m.Signature()
	err := p.signature(s)
	_, changes := s.Recv().Type().(*types.Pointer)
	switch {
	case changes:
		err = errors.New("it changes its receiver, which is copied")
	case s.Variadic():
		err = errors.New("it is variadic")
	case takesContext(s):
		err = errors.New("its context is not the first parameter of a function")
	}
	if err != nil {
		p.refuse(full, err)
		return
	}
	receiver := lower(typ)
	args := append([]string{receiver}, params(s)...)
	if len(args) != 1+s.Params().Len() || slices.Contains(args[1:], receiver) {
		args = nil
	}
	name := names.Snake(typ) + "_" + names.Snake(m.Name())
	if p.offered(full, name) {
		p.funcs = append(p.funcs, offer{obj: m, name: name, about: about(p.text(full), args)})
	}
}

// handle offers a type of which scripts hold pointers.
func (p *plan) handle(t *types.TypeName, named *types.Named) {
	if !p.offered(t.Name(), t.Name()) {
		return
	}
	var methods []*types.Func
	for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		f := sel.Obj().(*types.Func)
		full := t.Name() + "." + f.Name()
		if !f.Exported() || !p.wanted(full) {
			continue
		}
		err := p.signature(f.Signature())
		if f.Signature().Variadic() {
			err = errors.New("it is variadic")
		}
		if err != nil {
			p.refuse(full, err)
			continue
		}
		methods = append(methods, f)
	}
	o := offer{t, t.Name(), about(p.typeText(t.Name()), nil)}
	o.about = append(o.about, p.aboutMethods(t.Name(), methods)...)
	p.structs = append(p.structs, o)
}

// aboutMethods are the arguments that tell the methods of a handle.
func (p *plan) aboutMethods(typ string, methods []*types.Func) (args []string) {
	var chosen, blocking []string
	for _, m := range methods {
		chosen = append(chosen, quote(m.Name()))
		if takesContext(m.Signature()) {
			blocking = append(blocking, quote(m.Name()))
		}
		if text, names := p.text(typ+"."+m.Name()), params(m.Signature()); text != "" || names != nil {
			args = append(args, "runnel.Method("+strings.Join(append([]string{quote(m.Name()), quote(text)}, quoteAll(names)...), ", ")+")")
		}
	}
	if len(blocking) > 0 {
		args = slices.Insert(args, 0, "runnel.BlockingMethods("+strings.Join(blocking, ", ")+")")
	}
	return slices.Insert(args, 0, "runnel.Methods("+strings.Join(chosen, ", ")+")")
}

// constructors adds `new_x` for handles that no function gives.
func (p *plan) constructors() {
	made := p.funcs
	for _, o := range p.structs {
		named := o.obj.Type().(*types.Named)
		if !p.handles[named] || slices.ContainsFunc(made, func(f offer) bool { return gives(f.obj.(*types.Func), named) }) {
			continue
		}
		name := "new_" + names.Snake(o.name)
		if p.offered("new("+o.name+")", name) {
			p.funcs = append(p.funcs, offer{obj: o.obj, name: name, about: about("An empty "+o.name+".", nil)})
		}
	}
}

func gives(f *types.Func, named *types.Named) bool {
	for v := range f.Signature().Results().Variables() {
		if ptr, ok := v.Type().(*types.Pointer); ok && ptr.Elem() == named {
			return true
		}
	}
	return false
}

// about are the further arguments of a call of package runnel.
func about(text string, params []string) (args []string) {
	if text != "" {
		args = append(args, "runnel.Doc("+quote(text)+")")
	}
	if len(params) > 0 {
		args = append(args, "runnel.Params("+strings.Join(quoteAll(params), ", ")+")")
	}
	return args
}
