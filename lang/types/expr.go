package types

import (
	"fmt"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// expr gives the type of an expression and records it. want, when not nil, is
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
	case *syntax.ListLit:
		return c.listLit(e, want, why)
	case *syntax.MapLit:
		return c.mapLit(e, want, why)
	case *syntax.TupleLit:
		return c.tupleLit(e, want, why)
	case *syntax.RangeLit:
		return c.rangeLit(e)
	case *syntax.Ident:
		return c.ident(e, want)
	case *syntax.TypeName:
		c.typeExpr(e.Type)
		c.err(diag.NotAValue, e.Sp, "a type is not a value")
		return Invalid
	case *syntax.SelfExpr:
		return c.selfExpr(e)
	case *syntax.Member:
		return c.member(e, want)
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
		return c.lambda(e, want)
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
		return NewList(c.newVar(e.Sp, "the element type of this list", "write its type: `let xs: [int] = []`"))
	}
	return NewList(c.elements(e.Elems))
}

// elements finds the common type of expressions, as of branches.
func (c *checker) elements(es []syntax.Expr) Type {
	j := c.newJoin(nil, nil)
	for _, x := range es {
		j.add(x)
	}
	return j.result()
}

func (c *checker) mapLit(e *syntax.MapLit, want Type, why *reason) Type {
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
	keys, values := make([]syntax.Expr, len(e.Entries)), make([]syntax.Expr, len(e.Entries))
	for i, en := range e.Entries {
		keys[i], values[i] = en.Key, en.Value
	}
	return c.newApp(CMap, []Type{c.elements(keys), c.elements(values)}, e.Sp)
}

func (c *checker) tupleLit(e *syntax.TupleLit, want Type, why *reason) Type {
	a, ok := appOf(orInvalid(withoutOptional(want)), CTuple)
	if ok && len(a.Args) != len(e.Elems) {
		ok = false
	}
	ts := make([]Type, len(e.Elems))
	for i, x := range e.Elems {
		switch {
		case ok && why != nil && !isOpen(a.Args[i]):
			c.check(x, a.Args[i], why)
			ts[i] = Prune(a.Args[i])
		case ok:
			ts[i] = c.expr(x, a.Args[i], nil)
		default:
			ts[i] = c.expr(x, nil, nil)
		}
		if ts[i] == Type(Never) {
			ts[i] = Invalid
		}
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

func (c *checker) ident(e *syntax.Ident, want Type) Type {
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
		c.unknownName(e)
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
	if m, top := c.frame.node.(*Module); top && m == g.Module && !c.globals[g] {
		c.err(diag.UsedTooEarly, e.Span(), "`%s` is used before it is declared", g.Name).
			label(g.At, "declared here").
			help("top-level statements run in order: move the declaration up")
		if g.Type == nil {
			return Invalid
		}
	}
	if g.Type == nil {
		if g.Module == c.mod {
			c.err(diag.UsedTooEarly, e.Span(), "the type of `%s` is not known yet here", g.Name).
				label(g.At, "declared here").
				help("move its declaration up, or write its type: `let %s: ... = ...`", g.Name)
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

// typeArgsFor gives the type arguments written, or variables.
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
	if want == nil || name == "" || name[0] < 'A' || name[0] > 'Z' {
		return nil, nil
	}
	want = withoutOptional(want)
	if f, ok := want.(*Func); ok {
		want = Prune(f.Result)
	}
	if n, ok := want.(*Named); ok && n.Decl.Kind == KEnum {
		return n, n.Decl.variant(name)
	}
	return nil, nil
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

// ---- postfix and type tests ----

func (c *checker) index(e *syntax.Index) Type {
	t := Prune(c.expr(e.X, nil, nil))
	if a, ok := appOf(t, CMap); ok {
		if _, isRange := unparen(e.I).(*syntax.RangeLit); !isRange {
			c.check(e.I, a.Args[0], &reason{text: "the key of this map"})
			return Prune(a.Args[1])
		}
	}
	if r, ok := unparen(e.I).(*syntax.RangeLit); ok && r.Lo == nil && r.Hi == nil {
		c.err(diag.NotIndexable, r.Sp, "a slice needs at least one bound")
	}
	i := Prune(c.expr(e.I, nil, nil))
	switch x := t.(type) {
	case *App:
		switch x.Ctor {
		case CList:
			return c.element(e, i, Prune(x.Args[0]), x)
		case CTuple:
			c.err(diag.NotIndexable, e.Sp, "a tuple is not indexed").help("its elements are `.0`, `.1`, ...")
			return Invalid
		case COptional:
			c.err(diag.OptionalMisuse, e.X.Span(), "this may be none, so it cannot be indexed").
				text("this is `%s`", c.shown(t)).
				help("use `x!`, or `if let v = x { ... }`")
			return Invalid
		}
	case *Basic:
		switch x {
		case Bytes:
			return c.element(e, i, Int, Bytes)
		case Buffer:
			return c.element(e, i, Int, Bytes)
		case Str:
			if !c.isRange(i) && i != Type(Invalid) {
				c.err(diag.NotIndexable, e.Sp, "a str is not indexed, as its characters differ in size").
					help("take a slice `s[a..b]` of bytes, or loop over it: `for ch in s`")
				return Invalid
			}
			return Str
		case Invalid, Never:
			return x
		}
	case *Var:
		c.unknownYet(e.X, x)
		return Invalid
	}
	c.err(diag.NotIndexable, e.Sp, "`%s` cannot be indexed", c.shown(t))
	return Invalid
}

// element is the type of x[i] for an index or range i.
func (c *checker) element(e *syntax.Index, i Type, elem, slice Type) Type {
	if c.isRange(i) {
		return slice
	}
	if _, ok := unparen(e.I).(*syntax.RangeLit); ok {
		return slice
	}
	if !c.convertible(e.I, i, Int) {
		c.mismatch(e.I, i, Int, &reason{text: "an index"})
	}
	return elem
}

func (c *checker) isRange(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Name == "range" && n.Decl.Module.prelude
}

func (c *checker) unwrap(e *syntax.Unwrap) Type {
	t := Prune(c.expr(e.X, nil, nil))
	if inner, ok := optionalOf(t); ok {
		return inner
	}
	if v, ok := t.(*Var); ok {
		c.unknownYet(e.X, v)
	} else if t != Type(Invalid) && t != Type(Never) {
		end := e.Sp
		end.Start = e.X.Span().End
		c.err(diag.OptionalMisuse, e.Sp, "`!` needs an optional, and this is never none").
			text("this is `%s`", c.shown(t)).
			fix("remove the `!`", diag.Edit{Span: end})
	}
	return t
}

// unknownYet reports the use of a value whose type is not inferred so far.
func (c *checker) unknownYet(e syntax.Expr, v *Var) {
	d := c.err(diag.CannotInfer, e.Span(), "the type of this value is not known here yet")
	if id, ok := unparen(e).(*syntax.Ident); ok {
		d.help("write the parameter's type: `|%s: T| ...`", id.Name)
	}
	c.link(v, Invalid)
}

// typeTest checks the operand of is and as, and reports tests that cannot
// hold or always do.
func (c *checker) typeTest(x syntax.Expr, te syntax.TypeExpr, at diag.Span, op string) (from, to Type) {
	from = Prune(c.expr(x, nil, nil))
	to = c.typeExpr(te)
	if from == Type(Invalid) || to == Type(Invalid) || from == Type(Never) {
		return from, Invalid
	}
	if why := c.testable(from, to); why != "" {
		d := c.err(diag.UselessTypeTest, at, "`%s` cannot be used on `%s`: %s", op, c.shown(from), why)
		if _, ok := optionalOf(from); ok {
			d.help("test for none with `x != none`")
		} else if op == "as" && (to == Type(Int) || to == Type(Float) || to == Type(Str)) {
			d.help("convert with `%s(x)`", to)
		}
		return from, to
	}
	return from, to
}

// testable says why a value of static type from cannot be tested for to; ""
// when it can.
func (c *checker) testable(from, to Type) string {
	if from == Type(Any) {
		return ""
	}
	if n, ok := from.(*Named); ok && n.Decl.Kind == KInterface {
		if m, ok := to.(*Named); ok && m.Decl.Kind == KInterface {
			return ""
		}
		mark := len(c.trail)
		ok := c.unsatisfied(to, n) == nil
		c.undo(mark)
		if ok {
			return ""
		}
		return fmt.Sprintf("a `%s` never is one", to)
	}
	return "its type is known"
}

func (c *checker) is(e *syntax.Is) Type {
	c.typeTest(e.X, e.Type, e.Sp, "is")
	return Bool
}

func (c *checker) as(e *syntax.As) Type {
	_, to := c.typeTest(e.X, e.Type, e.Sp, "as")
	return to
}
