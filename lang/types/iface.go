package types

import (
	"cmp"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Satisfies reports whether a closed type satisfies an interface.
func (p *Program) Satisfies(t Type, iface *Named) bool {
	c := p.c
	ok := false
	c.in(env{mod: p.Main, info: p.Main.Info}, func() { ok = c.unsatisfied(t, iface) == nil })
	return ok
}

// MethodOf finds a method of a closed type: declared, of a built-in type, or a
// default method of an interface that t asserts or (for t an interface) has;
// recvArgs are the arguments of fn.OwnerParams(). It gives nil when there is
// none.
func (p *Program) MethodOf(t Type, name string) (fn *FuncDecl, recvArgs []Type) {
	c := p.c
	c.in(env{mod: p.Main, info: p.Main.Info}, func() {
		fn, recvArgs = c.methodOf(t, name)
		recvArgs, _ = zonkAll(recvArgs, 0)
	})
	return fn, recvArgs
}

// IsDefault reports whether a method of an interface has a body of its own.
func (f *FuncDecl) IsDefault() bool { return f.Syntax.Body != nil || f.Native }

// methodOf finds a method of a type, which may hold variables.
func (c *checker) methodOf(t Type, name string) (*FuncDecl, []Type) {
	switch t := Prune(t).(type) {
	case *Named:
		if m := t.Decl.Method(name); m != nil {
			return m, t.Args
		}
		for _, a := range t.Decl.Asserts {
			if m := a.Decl.Method(name); m != nil && m.IsDefault() {
				return m, (&Subst{t.Decl.Params, t.Args}).Apply(a).(*Named).Args
			}
		}
	case *TypeParam:
		if t.Bound != nil {
			return c.methodOf(t.Bound, name)
		}
	case *Basic, *App, *Func:
		var first *FuncDecl
		var firstArgs []Type
		for _, e := range c.extends(headOf(t)) {
			for _, m := range e.Methods {
				if m.Name != name {
					continue
				}
				args, ok := c.matchTarget(e, t)
				if ok && c.withinBounds(e.Params, args) {
					return m, args
				}
				if ok && first == nil {
					first, firstArgs = m, args
				}
			}
		}
		return first, firstArgs // its bound is reported
	}
	return nil, nil
}

// withinBounds reports whether a type of one's own has what an extension asks of it: two
// of them may have methods of one name.
func (c *checker) withinBounds(params []*TypeParam, args []Type) bool {
	for i, p := range params {
		switch Prune(args[i]).(type) {
		case *Named, *TypeParam:
		default:
			continue
		}
		if p.Bound == nil {
			continue
		}
		mark := len(c.trail)
		why := c.unsatisfied(args[i], (&Subst{params, args}).Apply(p.Bound).(*Named))
		c.undo(mark)
		if why != nil {
			return false
		}
	}
	return true
}

// matchTarget finds the arguments under which an extended type is t.
func (c *checker) matchTarget(e *Extend, t Type) ([]Type, bool) {
	args := make([]Type, len(e.Params))
	mark := len(c.trail)
	if !c.matchType(e.Params, args, e.Target, t) {
		c.undo(mark)
		return nil, false
	}
	for i := range args {
		if args[i] == nil {
			args[i] = Invalid
		}
	}
	return args, true
}

func (c *checker) matchType(params []*TypeParam, args []Type, pattern, t Type) bool {
	switch p := pattern.(type) {
	case *TypeParam:
		for i, q := range params {
			if q == p {
				if args[i] == nil {
					args[i] = Prune(t)
					return true
				}
				return c.tryUnify(args[i], t)
			}
		}
	case *App:
		if a, ok := Prune(t).(*App); ok && a.Ctor == p.Ctor && len(a.Args) == len(p.Args) {
			for i := range p.Args {
				if !c.matchType(params, args, p.Args[i], a.Args[i]) {
					return false
				}
			}
			return true
		}
		if !isOpen(t) {
			return false
		}
	}
	return c.tryUnify(pattern, t)
}

// unmet says why a type does not satisfy an interface.
type unmet struct {
	c       *checker
	t       Type
	iface   *Named
	missing []*FuncDecl
	wrong   *FuncDecl // required
	have    *FuncDecl // what the type has instead
	wantSig string
	haveSig string
	hint    string
}

func (u *unmet) explain(d report) {
	if doc := u.iface.Decl.Doc; len(u.missing) > 0 && u.iface.Decl.Module.Std && u.missing[0].Doc == "" && doc != "" && !u.c.isOperator(u.iface) {
		first, _, _ := strings.Cut(doc, ".\n")
		d.note("`%s`: %s", u.iface, strings.Join(strings.Fields(first), " "))
		return // its methods are not for others
	}
	if len(u.missing) > 0 {
		var sigs []string
		for _, m := range u.missing {
			sigs = append(sigs, signature(m, (&Subst{u.iface.Decl.Params, u.iface.Args}).Apply))
		}
		d.note("`%s` has no %s", u.c.shown(u.t), strings.Join(sigs, ", "))
		d.label(u.missing[0].At, "required here")
		for _, m := range u.missing {
			if near := nearest(m.Name, u.c.methodNames(u.t)); near != "" {
				d.help("its method `%s` has a similar name", near)
			}
		}
	}
	if u.wrong != nil {
		d.note("`%s` needs %s", u.iface, u.wantSig)
		d.note("`%s` has    %s", u.c.shown(u.t), u.haveSig)
		d.label(u.have.At, "declared here")
	}
	if u.hint != "" {
		d.help("%s", u.hint)
	}
}

// signature prints a method's declaration with its types mapped.
func signature(f *FuncDecl, apply func(Type) Type) string {
	var b strings.Builder
	b.WriteString("`fn " + f.Name + "(")
	for i, p := range f.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name + ": " + apply(p.Type).String())
	}
	b.WriteString(")")
	if r := apply(f.Result); Prune(r) != Type(Unit) {
		b.WriteString(" -> " + r.String())
	}
	return b.String() + "`"
}

// unsatisfied matches t with an interface, solving variables of both; it gives
// nil when t satisfies it.
func (c *checker) unsatisfied(t Type, iface *Named) *unmet {
	t = Prune(t)
	if t == Type(Invalid) || t == Type(Never) {
		return nil
	}
	u := &unmet{c: c, t: t, iface: iface}
	for _, name := range [...]string{"Ordered", "Hashable", "Number"} {
		if c.core.is(iface.Decl, name) {
			return u.marker(name)
		}
	}
	if p, ok := t.(*TypeParam); ok {
		if p.Bound == nil {
			u.hint = "declare the type parameter as `" + p.Name + ": " + iface.String() + "`"
			if len(iface.Decl.Methods) == 0 {
				return nil
			}
			u.missing = requiredMethods(iface.Decl)
			return u
		}
		t = p.Bound
	}
	if n, ok := t.(*Named); ok && n.Decl == iface.Decl {
		if c.tryUnify(n, iface) {
			return nil
		}
		u.hint = "the type arguments differ"
		return u
	}
	want := (&Subst{iface.Decl.Params, iface.Args}).Apply
	for _, m := range iface.Decl.Methods {
		have, recvArgs := c.methodOf(t, m.Name)
		if have == nil {
			if !m.IsDefault() {
				u.missing = append(u.missing, m)
			}
			continue
		}
		args := (&Subst{have.OwnerParams(), recvArgs}).Apply
		if u.wrong == nil && !c.sameSignature(m, want, have, args) {
			u.wrong, u.have = m, have
			u.wantSig = signature(m, func(t Type) Type { return c.shown(want(t)) })
			u.haveSig = signature(have, func(t Type) Type { return c.shown(args(t)) })
		}
	}
	if u.missing == nil && u.wrong == nil {
		return nil
	}
	return u
}

// sharedInterface finds an interface of the library's module that both types are
// of, which both satisfy: in their own part, or in one that this stands on.
func (c *checker) sharedInterface(a, b Type) Type {
	x, ok := Prune(a).(*Named)
	y, both := Prune(b).(*Named)
	if !ok || !both || !x.Decl.Module.Std || x.Decl.Module != y.Decl.Module {
		return nil
	}
	for _, part := range append([]*Module{x.Decl.Module}, x.Decl.Module.Imports...) {
		if libraryModule(part) != libraryModule(x.Decl.Module) {
			continue
		}
		for _, t := range part.Types {
			if t.Kind == KInterface && t.Pub && t.Doc != "" && len(t.Params) == 0 && c.unsatisfied(x, t.Self) == nil && c.unsatisfied(y, t.Self) == nil {
				return t.Self
			}
		}
	}
	return nil
}

func requiredMethods(d *TypeDecl) []*FuncDecl {
	var out []*FuncDecl
	for _, m := range d.Methods {
		if !m.IsDefault() {
			out = append(out, m)
		}
	}
	return out
}

func (c *checker) sameSignature(want *FuncDecl, wantArgs func(Type) Type, have *FuncDecl, haveArgs func(Type) Type) bool {
	if len(want.Params) != len(have.Params) || len(want.TypeParams) != len(have.TypeParams) {
		return false
	}
	if n := len(want.TypeParams); n > 0 {
		own := make([]Type, n)
		for i, p := range want.TypeParams {
			own[i] = p
		}
		inner, s := haveArgs, &Subst{have.TypeParams, own}
		haveArgs = func(t Type) Type { return inner(s.Apply(t)) }
	}
	for i := range want.Params {
		if !c.tryUnify(wantArgs(want.Params[i].Type), haveArgs(have.Params[i].Type)) {
			return false
		}
	}
	return c.tryUnify(wantArgs(want.Result), haveArgs(have.Result))
}

// marker checks the interfaces that only built-in types satisfy.
func (u *unmet) marker(name string) *unmet {
	ok := false
	switch name {
	case "Ordered":
		ok = u.c.isOrdered(u.t)
		if u.c.ownMethod(u.t, "Comparable") != nil {
			u.hint = "its order is a method of its own: `xs.sort_with(|a, b| a < b)`, `fn f<T: Comparable<T>>(x: T)`"
			break
		}
		u.hint = "int, float, bool, str, bytes, duration, and tuples and enums of these are ordered; compare something of the value that is one of these"
	case "Number":
		ok = u.t == Type(Int) || u.t == Type(Float) || u.c.isNumberParam(u.t)
		u.hint = "int and float are numbers"
		if u.t == Type(Duration) {
			u.hint += "; a duration is read with `text.parse_duration()`"
		}
	case "Hashable":
		ok = u.c.isHashable(u.t)
		u.hint = "int, float, bool, str, bytes, duration, and tuples, enums and structs with nothing but `let` fields of these are hashable"
		if _, optional := optionalOf(u.t); optional {
			u.hint = "none is no key: take the value out first, `if let k = x { m[k] = ... }`, or put another in its place: `m[x ?? -1]`"
		}
		if !ok {
			u.hint = cmp.Or(u.c.notKey(u.t), u.hint)
		}
	}
	if ok {
		return nil
	}
	if p, isParam := u.t.(*TypeParam); isParam {
		u.hint = "declare the type parameter as `" + p.Name + ": " + name + "`"
	}
	return u
}

func (c *checker) boundIs(t Type, name string) bool {
	p, ok := Prune(t).(*TypeParam)
	return ok && p.Bound != nil && c.core.is(p.Bound.Decl, name)
}

// isNumberParam reports whether t is a type parameter bounded by Number.
func (c *checker) isNumberParam(t Type) bool { return c.boundIs(t, "Number") }

func (c *checker) isOrdered(t Type) bool { return c.isData(t, "Ordered", nil) }

func (c *checker) isHashable(t Type) bool { return c.isData(t, "Hashable", nil) }

// isData reports whether t is a scalar, or a tuple or enum of scalars, which can be
// ordered and hashed; a bound says which. Hashed can be besides what is equal by
// identity, and structs whose fields are never set. seen are the types being looked
// at; a recursive one is data when the rest of it is.
func (c *checker) isData(t Type, bound string, seen []*Named) bool {
	switch t := Prune(t).(type) {
	case *Basic:
		switch t.Kind {
		case KInt, KFloat, KBool, KStr, KBytes, KDuration, KInvalid, KNever:
			return true
		case KUnit:
			return bound == "Hashable"
		}
	case *TypeParam:
		return c.boundIs(t, bound) || c.boundIs(t, "Ordered") || c.boundIs(t, "Number")
	case *Var:
		return t.IntLit
	case *App:
		switch t.Ctor {
		case CTask, CChan, CMutex:
			return bound == "Hashable"
		case CTuple:
			return c.allData(t.Args, bound, seen)
		}
	case *Func:
		return bound == "Hashable"
	case *Named:
		if t.Decl.Kind != KEnum && (t.Decl.Kind != KStruct || t.Decl.Native || bound != "Hashable") || len(seen) > 20 {
			return false
		}
		if bound == "Ordered" && c.ownMethod(t, "Comparable") != nil {
			return false // what orders by content would not agree with its own order
		}
		for _, s := range seen {
			if s.Decl == t.Decl {
				return true
			}
		}
		seen = append(seen, t)
		s := &Subst{t.Decl.Params, t.Args}
		for _, f := range t.Decl.Fields {
			if !f.ReadOnly || f.Type == nil || !c.isData(s.Apply(f.Type), bound, seen) {
				return false
			}
		}
		for _, v := range t.Decl.Variant {
			for _, f := range v.Fields {
				if f.Type == nil || !c.isData(s.Apply(f.Type), bound, seen) {
					return false
				}
			}
		}
		return true
	}
	return false
}

func (c *checker) allData(ts []Type, bound string, seen []*Named) bool {
	for _, t := range ts {
		if !c.isData(t, bound, seen) {
			return false
		}
	}
	return true
}

// ---- rules of declarations ----

// checkRules checks what a type declaration promises: the interfaces it
// asserts, and what an interface may require.
func (c *checker) checkRules(t *TypeDecl) {
	c.in(env{mod: t.Module, info: t.Module.Info, tparams: t.Params}, func() {
		if t.Kind == KInterface {
			for _, m := range t.Methods {
				if len(m.TypeParams) > 0 && !m.IsDefault() {
					c.err(diag.InterfaceRule, m.At, "an interface cannot require a generic method").
						help("make the interface itself generic, or give the method a body")
				}
			}
			return
		}
		for i, a := range t.Asserts {
			if why := c.unsatisfied(t.Self, a); why != nil {
				at := t.At
				if list := implements(t); i < len(list) {
					at = list[i].Span()
				}
				d := c.err(diag.AssertNotMet, at, "`%s` does not satisfy `%s`", t.Name, a)
				why.explain(d)
				continue
			}
			c.nearMisses(t, a.Decl)
		}
	})
}

func implements(t *TypeDecl) []syntax.TypeExpr {
	switch d := t.Syntax.(type) {
	case *syntax.StructDecl:
		return d.Implements
	case *syntax.EnumDecl:
		return d.Implements
	}
	return nil
}

// nearMisses warns of a method whose name is almost that of a default method.
func (c *checker) nearMisses(t *TypeDecl, iface *TypeDecl) {
	pair := [2]*TypeDecl{t, iface}
	if t.Module.Std || c.compared[pair] {
		return
	}
	c.compared[pair] = true
	for _, m := range t.Methods {
		if iface.Method(m.Name) != nil || strings.ToLower(m.Name) != m.Name { // the latter is an error already
			continue
		}
		for _, def := range iface.Methods {
			if def.IsDefault() && t.Method(def.Name) == nil && diag.Suggest(m.Name, []string{def.Name}) != "" {
				c.warn(diag.NearMiss, m.At, "`%s` looks like `%s` of `%s`, but does not replace it", m.Name, def.Name, iface.Name).
					label(def.At, "the default method").
					fix("rename it", diag.Edit{Span: m.At, New: def.Name})
			}
		}
	}
}

// methodNames lists the methods of a type.
func (c *checker) methodNames(t Type) []string {
	var out []string
	switch t := Prune(t).(type) {
	case *Named:
		for _, m := range t.Decl.Methods {
			out = append(out, m.Name)
		}
		for _, a := range t.Decl.Asserts {
			for _, m := range a.Decl.Methods {
				out = append(out, m.Name)
			}
		}
	case *TypeParam:
		if t.Bound != nil {
			return c.methodNames(t.Bound)
		}
	default:
		for _, e := range c.extends(headOf(t)) {
			for _, m := range e.Methods {
				out = append(out, m.Name)
			}
		}
	}
	return out
}
