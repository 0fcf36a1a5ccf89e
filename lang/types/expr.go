package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// expr returns the type of an expression and records it. want, when not nil, is
// the type expected of it: a hint for literals, lambdas and variants. With a
// reason, expressions made of branches hold each branch to want; converting
// the value itself to want is the caller's (check does both).
func (c *checker) expr(e syntax.Expr, want Type, why *reason) Type {
	if !c.enter(e.Span()) {
		c.info.Types[e.ID()] = Invalid
		return Invalid
	}
	if want != nil {
		want = Prune(want)
	}
	t := c.record(e, c.exprInner(e, want, why))
	c.leave()
	return t
}

// record notes the type of an expression.
func (c *checker) record(e syntax.Expr, t Type) Type {
	if _, ok := t.(*Basic); !ok {
		open, size := openAndSize(t, 0, 0)
		if size > maxTypeSize {
			c.err(diag.TypeTooLarge, e.Span(), "the type of this expression is too large").
				note("it has more than %d parts", maxTypeSize).
				help("use a struct for what is nested so deeply")
			t = Invalid
		} else if open {
			c.info.Types[e.ID()] = t
			c.pending = append(c.pending, &c.info.Types[e.ID()])
			return t
		}
	}
	c.info.Types[e.ID()] = t
	return t
}

func (c *checker) exprInner(e syntax.Expr, want Type, why *reason) Type {
	switch e := e.(type) {
	case *syntax.IntLit:
		return c.intLit(e, want)
	case *syntax.FloatLit:
		return Float
	case *syntax.BoolLit:
		return Bool
	case *syntax.StrLit:
		c.foreignTemplate(e)
		return Str
	case *syntax.BytesLit:
		return Bytes
	case *syntax.DurationLit:
		return Duration
	case *syntax.UnitLit:
		return Unit
	case *syntax.NoneLit:
		return c.noneLit(e, want)
	case *syntax.InterpLit:
		return c.interp(e)
	case *syntax.Spread:
		return c.spread(e, want)
	case *syntax.ListLit:
		return c.listLit(e, want, why)
	case *syntax.MapLit:
		return c.mapLit(e, want, why)
	case *syntax.TupleLit:
		return c.tupleLit(e, want, why)
	case *syntax.RangeLit:
		return c.rangeLit(e)
	case *syntax.Ident:
		return c.ident(e, want, why)
	case *syntax.TypeName:
		c.typeExpr(e.Type)
		c.err(diag.NotAValue, e.Sp, "a type is not a value")
		return Invalid
	case *syntax.SelfExpr:
		return c.selfExpr(e)
	case *syntax.Member:
		return c.member(e, want, why)
	case *syntax.Index:
		return c.index(e)
	case *syntax.Call:
		return c.call(e, want, why)
	case *syntax.Unwrap:
		return c.unwrap(e)
	case *syntax.Unary:
		return c.unary(e, want)
	case *syntax.Binary:
		return c.binary(e, want, why)
	case *syntax.Is:
		return c.is(e)
	case *syntax.As:
		return c.as(e)
	case *syntax.Lambda:
		return c.lambda(e, want, why)
	case *syntax.Paren:
		t := c.expr(e.X, want, why)
		c.fold(e, t)
		return t
	case *syntax.Block:
		return c.block(e, want, why)
	case *syntax.If:
		return c.ifExpr(e, want, why)
	case *syntax.Match:
		return c.match(e, want, why)
	case *syntax.Try:
		return c.tryExpr(e, want, why)
	case *syntax.Scope:
		return c.scopeExpr(e, want, why)
	case *syntax.Lock:
		return c.lock(e, want, why)
	case *syntax.Select:
		return c.selectExpr(e, want, why)
	case *syntax.While:
		return c.while(e)
	case *syntax.Loop:
		return c.loopExpr(e)
	case *syntax.For:
		return c.forExpr(e)
	case *syntax.Throw:
		return c.throw(e)
	case *syntax.Yield:
		return c.yield(e)
	case *syntax.Return:
		return c.returnExpr(e)
	case *syntax.Break:
		return c.jump(e, e.Label, e.Sp, "break")
	case *syntax.Continue:
		return c.jump(e, e.Label, e.Sp, "continue")
	case *syntax.Spawn:
		return c.spawn(e, want)
	case *syntax.Await:
		return c.await(e, want)
	}
	c.broken = true
	return Invalid
}

// ---- literals ----

func (c *checker) intLit(e *syntax.IntLit, want Type) Type {
	w := withoutOptional(want)
	switch {
	case w == nil:
	case w == Type(Float), c.isNumberParam(w):
		return w
	default:
		if v, ok := w.(*Var); ok {
			if v.IntLit {
				return v
			}
			return c.newIntVar(e.Sp)
		}
	}
	return Int
}

func (c *checker) noneLit(e *syntax.NoneLit, want Type) Type {
	if _, ok := optionalOf(orInvalid(want)); ok {
		return want
	}
	v := c.newVar(e.Sp, "what this `none` is an optional of", "write the type where the value is declared: `let x: int? = none`")
	c.vars[v.ID].none = true
	return NewOptional(v)
}

func (c *checker) interp(e *syntax.InterpLit) Type {
	for i := range e.Parts {
		p := &e.Parts[i]
		if p.X == nil {
			continue
		}
		t := c.expr(p.X, nil, nil)
		c.shownFunction(p.X)
		c.shows(t, p.X.Span())
		for _, hole := range p.Holes {
			c.check(hole, Int, &reason{text: "a width or precision of a format"})
		}
		if p.Spec != "" {
			c.formatSpec(p, Prune(t))
		}
	}
	c.fold(e, Str)
	return Str
}

func (c *checker) listLit(e *syntax.ListLit, want Type, why *reason) Type {
	if a, ok := appOf(orInvalid(withoutOptional(want)), CList); ok && !isOpen(a.Args[0]) {
		elem := Prune(a.Args[0])
		for _, x := range e.Elems {
			c.check(x, elem, &reason{text: "each element of this list"})
		}
		return a
	}
	if len(e.Elems) == 0 {
		if a, ok := appOf(orInvalid(withoutOptional(want)), CList); ok {
			return a
		}
		if isAny(want) {
			return NewList(Any)
		}
		return NewList(c.newVar(e.Sp, "the element type of this list", "write its type: `let xs: [int] = []`"))
	}
	return NewList(c.elements(e.Elems, "the elements of this list have", "[any]", isAny(want)))
}

// spread checks `..xs` in a list literal; its type is that of the elements.
func (c *checker) spread(e *syntax.Spread, want Type) Type {
	var list Type
	if want != nil && !isOpen(want) {
		list = NewList(want)
	}
	t := Prune(c.expr(e.X, list, nil))
	if a, ok := appOf(t, CList); ok {
		return a.Args[0]
	}
	if t == Type(Invalid) || t == Type(Never) {
		return t
	}
	d := c.err(diag.TypeMismatch, e.X.Span(), "`..` takes the elements of a list, and this is `%s`", c.shown(t))
	if inner, optional := optionalOf(t); optional {
		if _, ok := appOf(inner, CList); ok {
			d.help("say what stands for none: `..(xs ?? [])`")
		}
	} else if c.iterates(t) {
		d.help("make it one: `..xs.to_list()`")
	}
	return Invalid
}

// isAny reports that a literal is expected to be an any: what is in it may differ.
func isAny(want Type) bool { return want != nil && withoutOptional(want) == Type(Any) }

// elements finds the common type of expressions, as of branches; what says
// what they are, wider the type of what holds them that takes different ones. Where loose
// says so, they may differ.
func (c *checker) elements(es []syntax.Expr, what, wider string, loose bool) Type {
	j := c.newJoin(nil, nil)
	j.what, j.wider, j.loose = what, wider, loose
	for _, x := range es {
		j.add(x)
	}
	return j.result()
}

func (c *checker) mapLit(e *syntax.MapLit, want Type, why *reason) Type {
	for _, en := range e.Entries {
		if id, ok := en.Key.(*syntax.Ident); ok {
			c.keys[id] = true
		}
	}
	a, ok := appOf(orInvalid(withoutOptional(want)), CMap)
	if ok && !isOpen(a.Args[0]) && !isOpen(a.Args[1]) {
		for _, en := range e.Entries {
			c.check(en.Key, a.Args[0], &reason{text: "each key of this map"})
			c.check(en.Value, a.Args[1], &reason{text: "each value of this map"})
		}
		return a
	}
	if len(e.Entries) == 0 {
		if ok {
			return a
		}
		return c.newApp(CMap, []Type{
			c.newVar(e.Sp, "the key type of this map", "write its type: `let m: map<str, int> = {}`"),
			c.newVar(e.Sp, "the value type of this map", "write its type: `let m: map<str, int> = {}`"),
		}, e.Sp)
	}
	if c.inMap == 0 {
		c.keyAt = report{}
	}
	c.inMap++
	defer func() { c.inMap-- }()
	keys, values := make([]syntax.Expr, len(e.Entries)), make([]syntax.Expr, len(e.Entries))
	for i, en := range e.Entries {
		keys[i], values[i] = en.Key, en.Value
	}
	bare := c.keyAt.Diagnostic
	key := c.elements(keys, "the keys of this map have", "map<any, V>", false)
	// An object of another language: that its values differ is not the point.
	object := c.keyAt.Diagnostic != bare
	value := c.elements(values, "the values of this map have", "map<"+c.shown(key).String()+", any>", isAny(want) || object || orInvalid(want) == Type(Invalid) && want != nil)
	if object && value == Type(Any) {
		c.recordMeant(e)
	}
	return c.newApp(CMap, []Type{key, value}, e.Sp)
}

func (c *checker) tupleLit(e *syntax.TupleLit, want Type, why *reason) Type {
	a, ok := appOf(orInvalid(withoutOptional(want)), CTuple)
	if ok && len(a.Args) != len(e.Elems) {
		ok = false
	}
	ts := make([]Type, len(e.Elems))
	never := false
	for i, x := range e.Elems {
		switch {
		case ok && why != nil && !isOpen(a.Args[i]):
			c.check(x, a.Args[i], why)
			ts[i] = Prune(a.Args[i])
		case ok:
			ts[i] = c.expr(x, a.Args[i], nil)
		case isAny(want):
			ts[i] = c.expr(x, want, nil)
		default:
			ts[i] = c.expr(x, nil, nil)
		}
		never = never || ts[i] == Type(Never)
	}
	if never {
		return Never
	}
	return NewTuple(ts...)
}

// rangeType is the prelude's struct of a..b as a value.
func (c *checker) rangeType() Type {
	if d, ok := c.preludeName("range").(*TypeDecl); ok {
		return d.Self
	}
	return Invalid
}

func (c *checker) rangeLit(e *syntax.RangeLit) Type {
	if c.isConcatenation(e) {
		return Str
	}
	why := &reason{text: "a bound of a range"}
	if e.Lo != nil {
		c.check(e.Lo, Int, why)
	}
	if e.Hi != nil {
		c.check(e.Hi, Int, why)
	}
	return c.rangeType()
}

func (c *checker) selfExpr(e *syntax.SelfExpr) Type {
	b := c.local("self")
	if b == nil {
		d := c.err(diag.SelfOutside, e.Sp, "there is no `self` here")
		if c.self != nil {
			d.help("a default value cannot use `self`")
		} else if c.on != nil {
			d.help("a static function is called on its type, not on a value: leave `static` away, or take a parameter")
		} else {
			d.help("`self` is the value a method is called on; it exists in methods only")
		}
		return Invalid
	}
	c.use(b, e.Sp)
	c.info.Uses[e.Id] = b.obj
	return b.obj.(*Local).Type
}

// ---- names ----

func (c *checker) ident(e *syntax.Ident, want Type, why *reason) Type {
	c.identSite(e, want)
	if b := c.local(e.Name); b != nil {
		c.info.Uses[e.Id] = b.obj
		c.noTypeArgs(e.TypeArgs, e.Name)
		switch o := b.obj.(type) {
		case *Local:
			o.Used = true
			c.use(b, e.Sp)
			c.useLambda(o, o.Name, e.Sp)
			return Prune(c.narrowed(o, o.Type))
		case *ConstObj:
			return c.constValue(e, o)
		}
	}
	if enum, v := c.variantWanted(e.Name, want); v != nil {
		c.noTypeArgs(e.TypeArgs, e.Name)
		return c.variantValue(e, enum.Decl, v, enum.Args)
	}
	o := c.topLevel(e.Name)
	if o == nil {
		c.typeExprs(e.TypeArgs)
		c.unknownName(e, want, why)
		return Invalid
	}
	return c.value(e, e.Name, o, e.TypeArgs)
}

// value is what a top-level name is as a value. e is an Ident or Member.
func (c *checker) value(e syntax.Expr, name string, o Object, typeArgs []syntax.TypeExpr) Type {
	c.info.Uses[e.ID()] = o
	if _, ok := o.(*FuncDecl); !ok {
		c.noTypeArgs(typeArgs, name)
	}
	switch o := o.(type) {
	case *Global:
		o.Used = true
		c.useGlobal(o, e.Span())
		c.useLambda(o, o.Name, e.Span())
		return c.globalValue(e, o)
	case *ConstObj:
		return c.constValue(e, o)
	case *FuncDecl:
		c.useFunc(o, e.Span())
		return c.funcValue(e, o, typeArgs)
	case *TypeDecl:
		if c.isConsequence(e.Span(), "") {
			return Invalid
		}
		d := c.err(diag.NotAValue, e.Span(), "`%s` is a type, not a value", name)
		switch o.Kind {
		case KStruct:
			d.help("make a value of it with `%s(...)`", name)
		case KEnum:
			if len(o.Variant) > 0 {
				d.help("write one of its variants, such as `%s.%s`", name, o.Variant[0].Name)
			}
		}
	case *aliasObj:
		c.err(diag.NotAValue, e.Span(), "`%s` is a type, not a value", name)
	case *ModuleObj:
		o.Used = true
		c.err(diag.NotAValue, e.Span(), "`%s` is a module, not a value", name).help("name something in it: `%s.name`", name)
	case *BuiltinFunc:
		c.err(diag.NotAValue, e.Span(), "`%s` can only be called", name).help("wrap it in a lambda: `|x| %s(x)`", name)
	}
	return Invalid
}

func (c *checker) globalValue(e syntax.Expr, g *Global) Type {
	if c.notYet(g) {
		c.err(diag.UsedTooEarly, e.Span(), "`%s` is used before it is declared", g.Name).
			label(g.At, "declared here").
			help("top-level statements run in order: move the declaration up")
		if g.Type == nil {
			return Invalid
		}
	}
	if g.Type == nil {
		if g.Module == c.mod {
			d := c.err(diag.UsedTooEarly, e.Span(), "the type of `%s` is not known yet here", g.Name).
				label(g.At, "declared here")
			if !c.callsItself(d, g.Name) {
				d.help("move its declaration up, or write its type: `let %s: ... = ...`", g.Name)
			}
		}
		return Invalid
	}
	return Prune(c.narrowed(g, g.Type))
}

func (c *checker) noTypeArgs(args []syntax.TypeExpr, name string) {
	if len(args) > 0 {
		c.typeExprs(args)
		c.err(diag.TypeArgCount, args[0].Span(), "`%s` takes no type arguments", name)
	}
}

// funcValue is a declared function as a value.
func (c *checker) funcValue(e syntax.Expr, fn *FuncDecl, typeArgs []syntax.TypeExpr) Type {
	args := c.typeArgsFor(fn.TypeParams, typeArgs, fn.Name, e.Span())
	if len(args) > 0 {
		c.info.Insts[e.ID()] = args
		c.settleAll(args)
	}
	return funcType(fn, (&Subst{fn.TypeParams, args}).Apply)
}

func funcType(fn *FuncDecl, apply func(Type) Type) *Func {
	params := make([]Type, len(fn.Params))
	for i, p := range fn.Params {
		params[i] = apply(p.Type)
	}
	return &Func{params, apply(fn.Result)}
}

// typeArgsFor returns the type arguments written, or variables.
func (c *checker) typeArgsFor(params []*TypeParam, written []syntax.TypeExpr, of string, at diag.Span) []Type {
	var args []Type
	if len(written) > 0 {
		args = c.typeExprs(written)
		if len(args) != len(params) {
			c.err(diag.TypeArgCount, written[0].Span(), "`%s` takes %s, not %d", of, plural(len(params), "type argument"), len(args))
			args = nil
		}
	}
	if args == nil {
		args = c.freshArgs(params, of, at)
	}
	c.wantBounds(params, args, of, at)
	return args
}

// variantWanted finds the variant a bare name is where an enum, or a function
// that makes one, is expected.
func (c *checker) variantWanted(name string, want Type) (*Named, *VariantDecl) {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return nil, nil
	}
	if n := enumWanted(want); n != nil {
		return n, n.Decl.variant(name)
	}
	return nil, nil
}

// enumWanted is the enum that is expected, or that a function which is expected
// gives; or nil.
func enumWanted(want Type) *Named {
	if want == nil {
		return nil
	}
	want = withoutOptional(want)
	if f, ok := want.(*Func); ok {
		want = Prune(f.Result)
	}
	if n, ok := want.(*Named); ok && n.Decl.Kind == KEnum {
		return n
	}
	return nil
}

// variantValue is a variant that is not called: a value, or a function when it
// has fields.
func (c *checker) variantValue(e syntax.Expr, enum *TypeDecl, v *VariantDecl, args []Type) Type {
	c.info.Uses[e.ID()] = &VariantRef{enum, v}
	if len(args) > 0 {
		c.info.Insts[e.ID()] = args
		c.settleAll(args)
	}
	t := &Named{enum, args}
	if len(args) == 0 {
		t = enum.Self
	}
	if len(v.Fields) == 0 {
		return t
	}
	s := &Subst{enum.Params, args}
	params := make([]Type, len(v.Fields))
	for i, f := range v.Fields {
		params[i] = s.Apply(f.Type)
	}
	return &Func{params, t}
}
