package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// basicTypes are the built-in types without arguments, by name.
var basicTypes = map[string]*Basic{
	"int": Int, "float": Float, "bool": Bool, "str": Str, "bytes": Bytes, "duration": Duration,
	"any": Any, "never": Never, "buffer": Buffer,
}

// ctors are the built-in types with arguments that have a name.
var ctors = map[string]Ctor{"map": CMap, "set": CSet, "task": CTask, "chan": CChan, "mutex": CMutex}

func (k Ctor) arity() int {
	if k == CMap {
		return 2
	}
	return 1
}

// typeExpr returns what a type expression denotes.
func (c *checker) typeExpr(te syntax.TypeExpr) Type {
	if te == nil {
		return Invalid
	}
	if !c.enter(te.Span()) {
		return Invalid
	}
	t := c.typeExprInner(te)
	c.leave()
	if id := te.ID(); int(id) < len(c.info.Types) {
		c.info.Types[id] = t
	}
	return t
}

func (c *checker) typeExprs(tes []syntax.TypeExpr) []Type {
	if len(tes) == 0 {
		return nil
	}
	out := make([]Type, len(tes))
	for i, te := range tes {
		out[i] = c.typeExpr(te)
	}
	return out
}

func (c *checker) typeExprInner(te syntax.TypeExpr) Type {
	switch te := te.(type) {
	case *syntax.NamedType:
		return c.namedType(te)
	case *syntax.ListType:
		return NewList(c.typeExpr(te.Elem))
	case *syntax.TupleType:
		switch len(te.Elems) {
		case 0:
			return Unit
		case 1:
			return c.typeExpr(te.Elems[0])
		}
		return NewTuple(c.typeExprs(te.Elems)...)
	case *syntax.OptionalType:
		return NewOptional(c.typeExpr(te.Elem))
	case *syntax.FnType:
		f := &Func{Params: c.typeExprs(te.Params), Result: Unit}
		if te.Result != nil {
			f.Result = c.typeExpr(te.Result)
		}
		return f
	}
	return Invalid
}

func (c *checker) namedType(te *syntax.NamedType) Type {
	name := te.Name.Text
	c.typeSite(te)
	if te.Module.Text == "" {
		for i := len(c.tparams) - 1; i >= 0; i-- {
			if p := c.tparams[i]; p.Name == name && !p.repeated {
				c.typeArgCount(te, name, 0)
				return p
			}
		}
		if b, ok := basicTypes[name]; ok {
			c.typeArgCount(te, name, 0)
			return b
		}
		if k, ok := ctors[name]; ok {
			if !c.typeArgCount(te, name, k.arity()) {
				return Invalid
			}
			return c.newApp(k, c.typeExprs(te.Args), te.Sp)
		}
	}
	var o Object
	if te.Module.Text != "" {
		o = c.exported(te.Module, te.Name)
		if o == nil {
			c.typeExprs(te.Args)
			return Invalid
		}
	} else if o = c.topLevel(name); o == nil {
		mended := c.unknownType(te)
		reports := len(c.reports)
		c.typeExprs(te.Args)
		if mended {
			c.reports = c.reports[:reports] // by the same fix
		}
		return Invalid
	}
	if !isType(o) && te.Module.Text == "" {
		// A value may have the name of a type of the prelude.
		if t := c.preludeName(name); isType(t) && isPub(t) {
			o = t
		}
	}
	return c.instantiate(o, te)
}

func isType(o Object) bool {
	switch o.(type) {
	case *TypeDecl, *aliasObj:
		return true
	}
	return false
}

// newApp makes an instance of a built-in type; the keys of maps and sets must
// be hashable.
func (c *checker) newApp(k Ctor, args []Type, at diag.Span) Type {
	t := &App{k, args}
	if k == CMap || k == CSet {
		c.keyCheck(args[0], at)
	}
	return t
}

// keyCheck requires of t that it can be the key of a map or set.
func (c *checker) keyCheck(t Type, at diag.Span) {
	h := c.core.decls["Hashable"]
	if h == nil {
		return
	}
	b := boundCheck{t, h.Self, at, keyOfMap}
	switch {
	case !c.ready:
		c.checks = append(c.checks, func() { c.checkBound(b) })
	case isOpen(t):
		c.bounds = append(c.bounds, b)
	default:
		c.checkBound(b)
	}
}

// instantiate makes the type a name stands for with the arguments written.
func (c *checker) instantiate(o Object, te *syntax.NamedType) Type {
	switch o := o.(type) {
	case *TypeDecl:
		if !c.typeArgCount(te, o.Name, len(o.Params)) {
			return Invalid
		}
		if len(o.Params) == 0 {
			return o.Self
		}
		args := c.typeExprs(te.Args)
		c.signatureBounds(o.Params, args, o.Name, te.Sp)
		return &Named{o, args}
	case *aliasObj:
		if !c.typeArgCount(te, o.decl.Name.Text, len(o.params)) {
			return Invalid
		}
		args := c.typeExprs(te.Args)
		t := c.resolveAlias(o)
		c.signatureBounds(o.params, args, o.decl.Name.Text, te.Sp)
		return (&Subst{o.params, args}).Apply(t)
	case badObj:
		return Invalid
	}
	c.typeExprs(te.Args)
	d := c.err(diag.UnknownType, te.Name.Sp, "`%s` is not a type", te.Name.Text)
	if fn, ok := o.(*FuncDecl); !ok || !fn.Module.Std {
		d.label(objectPlace(o), "it is declared here")
	}
	c.foreignType(d, te)
	return Invalid
}

// signatureBounds checks written type arguments against the bounds of what
// they instantiate, as soon as all signatures are known.
func (c *checker) signatureBounds(params []*TypeParam, args []Type, of string, at diag.Span) {
	if c.ready {
		mark := len(c.bounds)
		c.wantBounds(params, args, of, at)
		c.solveBounds(mark)
		return
	}
	c.checks = append(c.checks, func() {
		mark := len(c.bounds)
		c.wantBounds(params, args, of, at)
		c.solveBounds(mark)
	})
}

func (c *checker) runChecks() {
	for len(c.checks) > 0 {
		checks := c.checks
		c.checks = nil
		for _, f := range checks {
			f()
		}
	}
}

func (c *checker) typeArgCount(te *syntax.NamedType, name string, n int) bool {
	if len(te.Args) == n {
		return true
	}
	c.typeExprs(te.Args)
	d := c.err(diag.TypeArgCount, te.Sp, "`%s` takes %s, not %d", name, plural(n, "type argument"), len(te.Args))
	if n > 0 && len(te.Args) == 0 {
		d.help("write it as `%s<...>`", name)
	}
	return false
}

func (c *checker) resolveAlias(a *aliasObj) Type {
	if a.t != nil {
		return a.t
	}
	if a.busy {
		c.err(diag.DefinedByItself, a.decl.Name.Sp, "type `%s` stands for itself", a.decl.Name.Text).
			help("a type that contains itself is a `struct` or an `enum`")
		a.t = Invalid
		return Invalid
	}
	a.busy = true
	c.in(env{mod: a.mod, info: a.mod.Info, tparams: a.params}, func() {
		c.resolveBounds(a.params, a.decl.TypeParams)
		t := c.typeExpr(a.decl.Type)
		if a.t == nil {
			a.t = t
		}
	})
	a.busy = false
	return a.t
}
