package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Functions that stand in a type and are called on its name.

// distinctStatic reports a static function that has the name of another member.
func (c *checker) distinctStatic(t *TypeDecl, f *FuncDecl) {
	if t.Kind == KInterface {
		c.err(diag.InterfaceRule, f.At, "an interface has no static functions").
			help("a function that makes a value is an argument: `fn f<T>(make: fn() -> T)`")
	}
	if first := t.Static(f.Name); first != f {
		c.err(diag.DuplicateName, f.At, "`%s` has two static functions `%s`", t.Name, f.Name).label(first.At, "first declared here")
	}
	if m := t.Method(f.Name); m != nil {
		c.err(diag.DuplicateName, f.At, "`%s` has a method and a static function `%s`", t.Name, f.Name).label(m.At, "the method")
	}
	if x := t.field(f.Name); x != nil {
		c.err(diag.DuplicateName, f.At, "`%s` has a field and a static function `%s`", t.Name, f.Name).label(x.At, "the field")
	}
}

// ownerArgs returns the type arguments of the type before a dot: those that are written, or
// variables.
func (c *checker) ownerArgs(t *TypeDecl, written []Type, at diag.Span) []Type {
	if written != nil || len(t.Params) == 0 {
		return written
	}
	args := c.freshArgs(t.Params, t.Name, at)
	c.wantBounds(t.Params, args, t.Name, at)
	return args
}

// staticValue is Type.f that is not called.
func (c *checker) staticValue(e *syntax.Member, f *FuncDecl, ownerArgs []Type, want Type) Type {
	c.useFunc(f, e.Name.Sp)
	c.info.Uses[e.ID()] = f
	owner := c.ownerArgs(f.On, ownerArgs, e.X.Span())
	own := c.typeArgsFor(f.TypeParams, e.TypeArgs, f.Name, e.Name.Sp)
	t := funcType(f, methodSubst(f, owner, own).Apply)
	if want != nil {
		c.solveFromWant(t, want)
	}
	if args := append(owner[:len(owner):len(owner)], own...); len(args) > 0 {
		c.info.Insts[e.ID()] = args
		c.settleAll(args)
	}
	c.info.Members[e] = &MemberInfo{Kind: MemStatic, Type: t}
	c.settle(&c.info.Members[e].Type)
	return t
}

// callStatic is Type.f(...).
func (c *checker) callStatic(e *syntax.Call, fn *syntax.Member, f *FuncDecl, ownerArgs []Type, want Type, why *reason) Type {
	c.useFunc(f, fn.Name.Sp)
	c.info.Uses[fn.ID()] = f
	c.info.Types[fn.ID()] = Unit
	c.info.Members[fn] = &MemberInfo{Kind: MemStatic, Type: Unit}
	owner := c.ownerArgs(f.On, ownerArgs, fn.X.Span())
	own := c.typeArgsFor(f.TypeParams, fn.TypeArgs, f.Name, fn.Name.Sp)
	return c.finish(e, c.funcCallee(f, CallFunc, owner, own), want, why)
}

// staticOf finds the static function of a value's type that a name may mean.
func staticOf(t Type, name string) *FuncDecl {
	if n, ok := Prune(t).(*Named); ok {
		return n.Decl.Static(name)
	}
	return nil
}

// unknownStatic reports a name behind a type's that is none of its static functions.
func (c *checker) unknownStatic(t *TypeDecl, e *syntax.Member) {
	name := e.Name.Text
	if m := t.Method(name); m != nil {
		d := c.err(diag.NotAValue, e.Sp, "`%s` is a method of `%s`: it is called on a value", name, t.Name).label(m.At, "declared here")
		if at := m.Syntax.Sp; !t.Module.Std && t.Kind != KInterface && !usesSelf(m.Syntax) {
			d.fix("declare it with `static fn` to call it on the type", diag.Edit{Span: diag.Span{Start: at.Start, End: at.Start}, New: "static "})
		}
		return
	}
	d := c.err(diag.NotAValue, e.Sp, "the type `%s` has no static function `%s`", t.Name, name)
	var names []string
	for _, f := range t.Statics {
		names = append(names, f.Name)
	}
	switch {
	case d.didYouMean(name, e.Name.Sp, names):
	case t.Kind == KStruct && t.field(name) != nil:
		d.help("`%s` is a field of its values", name)
	case t.Kind == KStruct && !t.Native && (name == "new" || len(t.Statics) == 0):
		d.help("a value of it is made with `%s(...)`", t.Name)
	case len(names) > 0:
		d.help("it has %s", listed(names))
	}
}

// staticMeant says how a static function is called where a value stands before the dot.
func (c *checker) staticMeant(e *syntax.Member, t Type) bool {
	f := staticOf(t, e.Name.Text)
	if f == nil {
		return false
	}
	name := c.shown(&Named{Decl: f.On}).String()
	c.err(diag.UnknownMember, e.Name.Sp, "`%s` is a static function of `%s`: it is called on the type", f.Name, f.On.Name).
		label(f.At, "declared here").
		fix("write `"+name+"."+f.Name+"`", diag.Edit{Span: e.X.Span(), New: name})
	return true
}

// usesSelf reports whether the body of a method names its value.
func usesSelf(d *syntax.FnDecl) (uses bool) {
	syntax.Walk(d, func(n syntax.Node) bool {
		_, ok := n.(*syntax.SelfExpr)
		uses = uses || ok
		return !uses
	})
	return uses
}
