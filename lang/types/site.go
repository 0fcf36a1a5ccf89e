package types

import (
	"maps"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Site is what was known where the name at Options.At stands: what other names
// could stand there is for tools to offer.
type Site struct {
	Kind   SiteKind
	Name   diag.Span
	Want   Type // of the value expected or, in a pattern, of what is matched; nil when any is
	Recv   Type // SiteMember: of the value before the dot
	Module *Module
	Enum   *TypeDecl
	Fields []*Field // SitePattern: those that the name could be one of

	Later      []*Global   // of the module, not declared yet when the code of the site runs
	Locals     []LocalName // the innermost last
	TypeParams []*TypeParam
}

// SiteKind says what kind of name stands at a Site.
type SiteKind uint8

const (
	SiteValue   SiteKind = iota // a value, or what is called
	SiteMember                  // after a dot: a member of Recv, a name of Module or a variant of Enum
	SiteType                    // a type, of Module when that is not nil
	SitePattern                 // a pattern; after a dot a variant of Enum or a type of Module
)

// LocalName is a local name in scope.
type LocalName struct {
	Name string
	Obj  Object // *Local or *ConstObj
	Type Type   // as it is known at the site
}

// CallSite is the innermost call whose arguments hold Options.At.
type CallSite struct {
	Call   *syntax.Call
	Info   *CallInfo
	Name   string
	Params []CallParam
	Result Type
}

// Named reports whether the arguments of the call can be given by name.
func (s *CallSite) Named() bool {
	for _, p := range s.Params {
		if p.Name != "" {
			return true
		}
	}
	return false
}

// CallParam is a parameter of what is called, or a field of what is made.
type CallParam struct {
	Name     string // "" when it has none
	Type     Type
	Optional bool // it has a default
}

// isAt reports whether Options.At is in a name or at its end.
func (c *checker) isAt(name diag.Span) bool {
	at := c.opts.At
	return at != 0 && name.Start <= at && at <= name.End && name.End > name.Start
}

// site notes what is known of the name at Options.At.
func (c *checker) site(kind SiteKind, name diag.Span, want Type) *Site {
	s := &Site{Kind: kind, Name: name, Want: want, TypeParams: c.tparams}
	for _, b := range c.names {
		v := LocalName{Name: b.name, Obj: b.obj}
		switch o := b.obj.(type) {
		case *Local:
			v.Type = c.narrowed(o, o.Type)
		case *ConstObj:
			v.Type = o.Type
		}
		s.Locals = append(s.Locals, v)
	}
	if m, top := c.frameModule(); top {
		for _, g := range m.Globals {
			if !c.globals[g] {
				s.Later = append(s.Later, g)
			}
		}
	}
	c.prog.Site = s
	return s
}

// frameModule returns the module whose top-level code is being checked.
func (c *checker) frameModule() (*Module, bool) {
	if c.frame == nil {
		return nil, false
	}
	m, ok := c.frame.node.(*Module)
	return m, ok
}

// identSite notes a name that stands for a value.
func (c *checker) identSite(e *syntax.Ident, want Type) {
	at := e.Sp
	at.End = at.Start + uint32(len(e.Name))
	if c.isAt(at) {
		c.site(SiteValue, at, want)
	}
}

// memberSite notes a name after a dot.
func (c *checker) memberSite(e *syntax.Member, recv Type, m *ModuleObj, enum *TypeDecl, want Type) {
	if !c.isAt(e.Name.Sp) {
		return
	}
	s := c.site(SiteMember, e.Name.Sp, want)
	s.Enum = enum
	switch {
	case m != nil:
		s.Module = m.Module
	case recv != nil:
		s.Recv = Prune(recv)
		if inner, ok := optionalOf(recv); ok && e.Safe {
			s.Recv = inner
		}
	}
}

// typeSite notes a name that stands for a type.
func (c *checker) typeSite(te *syntax.NamedType) {
	if !c.isAt(te.Name.Sp) {
		return
	}
	s := c.site(SiteType, te.Name.Sp, nil)
	if m, ok := c.mod.find(te.Module.Text).(*ModuleObj); ok {
		s.Module = m.Module
	}
}

// patternSite notes a pattern that is a name or begins with one.
func (c *checker) patternSite(p syntax.Pattern, t Type) {
	switch p := p.(type) {
	case *syntax.BindPattern:
		if c.isAt(p.Name.Sp) {
			c.site(SitePattern, p.Name.Sp, t)
		}
	case *syntax.VariantPattern:
		if c.isAt(p.Qualifier.Sp) {
			c.site(SitePattern, p.Qualifier.Sp, t)
		}
		if !c.isAt(p.Name.Sp) {
			return
		}
		s := c.site(SitePattern, p.Name.Sp, t)
		if p.Qualifier.Text == "" {
			return
		}
		s.Enum = (&matcher{c: c}).typeAt(p.Qualifier.Text)
		if o, ok := c.mod.find(p.Qualifier.Text).(*ModuleObj); ok {
			s.Module = o.Module
		}
	}
}

// fieldSite notes that the name at Options.At could be that of a field.
func (c *checker) fieldSite(p syntax.Pattern, fields []*Field) {
	if s := c.prog.Site; s != nil && s.Kind == SitePattern && c.isAt(p.Span()) && s.Name == p.Span() {
		s.Fields = fields
	}
}

// callSite notes a call whose arguments hold Options.At.
func (c *checker) callSite(e *syntax.Call, ce *callee) {
	at := c.opts.At
	if at == 0 || at <= e.Fn.Span().End || at > e.Sp.End || at == e.Sp.End && c.source(e.Rparen) == ")" {
		return
	}
	s := &CallSite{Call: e, Info: ce.info, Name: ce.name, Result: ce.result}
	for _, p := range ce.params {
		s.Params = append(s.Params, CallParam{p.name, p.t, p.optional})
	}
	c.prog.Call = s
}

// ---- what tools list ----

// Scope lists the top-level names of the module, without those it continues.
func (m *Module) Scope() map[string]Object { return maps.Clone(m.scope) }

// Visible lists the names of the module and those it continues.
func (m *Module) Visible() map[string]Object { return maps.Collect(m.names) }

// Exports lists the names that importers see.
func (m *Module) Exports() map[string]Object {
	out := map[string]Object{}
	for n, o := range m.scope {
		if isPub(o) {
			out[n] = o
		}
	}
	return out
}

// Methods lists the methods of a closed type, with their types for it.
func (p *Program) Methods(t Type) (list []Method) {
	c := p.c
	c.in(env{mod: p.Main, info: p.Main.Info}, func() {
		seen := map[string]bool{}
		for _, name := range c.methodNames(t) {
			fn, recvArgs := c.methodOf(t, name)
			if fn == nil || seen[name] {
				continue
			}
			seen[name] = true
			own := make([]Type, len(fn.TypeParams))
			for i, tp := range fn.TypeParams {
				own[i] = tp
			}
			recvArgs, _ = zonkAll(recvArgs, 0)
			list = append(list, Method{fn, funcType(fn, methodSubst(fn, recvArgs, own).Apply)})
		}
		list = append(list, c.iteratorMethods(t)...)
		if n, ok := Prune(t).(*Named); ok && n.Decl.Copy() != nil && n.Decl.ownAffair(c.mod) == "" {
			fn := n.Decl.Copy()
			list = append(list, Method{fn, funcType(fn, (&Subst{n.Decl.Params, n.Args}).Apply)})
		}
	})
	return list
}

// Method is a method of a type, as it is called on a value of it.
type Method struct {
	Fn   *FuncDecl
	Type *Func
}

// Fits reports whether a value of a type can stand where another is wanted.
func (p *Program) Fits(t, want Type) (ok bool) {
	if hasOpen(t, 0) || hasOpen(want, 0) {
		return false
	}
	c := p.c
	c.in(env{mod: p.Main, info: p.Main.Info}, func() { ok = c.convertible(nil, t, want) })
	return ok
}
