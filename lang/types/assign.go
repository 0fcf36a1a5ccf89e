package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

func (c *checker) assign(s *syntax.AssignStmt) {
	target := unparen(s.Target)
	if several, ok := target.(*syntax.TupleLit); ok {
		c.assignSeveral(s, several)
		return
	}
	t := c.target(target)
	if target != s.Target {
		c.setType(s.Target.ID(), t)
	}
	defer c.commentedOperand(s.Value)
	if s.Op == syntax.OpNone {
		c.assignedSign(s)
		if c.noneInMap(s, target, t) {
			return
		}
		c.check(s.Value, t, &reason{text: "what is assigned to `" + c.short(target) + "`", later: c.laterOf(target)})
		return
	}
	var got Type
	if own := c.ownOperand(s.Op, t); own != nil {
		got = c.expr(s.Value, own, nil)
	} else if w := Prune(t); w == Type(Float) || c.isNumberParam(w) || isList(w) {
		got = c.expr(s.Value, w, nil)
	} else {
		got = c.expr(s.Value, nil, nil)
	}
	res, own := c.ownBinary(s, s.Op, s.OpSp, s.Target, s.Value, Prune(t), Prune(got))
	if !own {
		res = c.operate(s.Op, s.OpSp, s.Target, s.Value, Prune(t), Prune(got))
	}
	if res != Type(Invalid) && !c.convertible(nil, res, t) {
		c.err(diag.TypeMismatch, s.Value.Span(), "the result is `%s`, but `%s` is `%s`", c.shown(res), c.short(target), c.shown(t))
	}
}

// short is an expression's source for a message.
func (c *checker) short(e syntax.Expr) string {
	if s := c.source(e.Span()); len(s) <= 30 {
		return s
	}
	return "this"
}

// noneInMap mends m[key] = none, which removes the entry in Lua.
func (c *checker) noneInMap(s *syntax.AssignStmt, target syntax.Expr, t Type) bool {
	ix, ok := target.(*syntax.Index)
	if !ok || !isNone(s.Value) {
		return false
	}
	_, optional := optionalOf(t)
	if _, isMap := appOf(Prune(c.info.TypeOf(ix.X)), CMap); !isMap || optional || isOpen(t) || Prune(t) == Type(Any) {
		return false
	}
	c.info.Types[s.Value.ID()] = Invalid
	own := c.source(ix.X.Span()) + ".remove(" + c.source(ix.I.Span()) + ")"
	c.err(diag.TypeMismatch, s.Value.Span(), "the values of this map are `%s`, which is never none", c.shown(t)).
		fix("remove the entry", diag.Edit{Span: s.Sp, New: own})
	return true
}

// target checks what is assigned to and gives the type of the place.
func (c *checker) target(e syntax.Expr) Type {
	switch x := e.(type) {
	case *syntax.Ident:
		t := c.variableTarget(x)
		c.setType(x.Id, t)
		return t
	case *syntax.Member:
		t := c.expr(x, nil, nil)
		info := c.info.Members[x]
		switch {
		case info == nil:
			return t
		case x.Safe:
			c.err(diag.BadTarget, x.Sp, "`?.` cannot be assigned through").help("use `if let v = x { v.%s = ... }`", x.Name.Text)
			return Invalid
		case info.Kind == MemField && info.Field.ReadOnly:
			c.err(diag.Immutable, x.Name.Sp, "field `%s` is read-only", info.Field.Name).
				label(info.Field.At, "declared with `let`").
				help("remove the `let` of its declaration to make it assignable")
		case info.Kind == MemTuple:
			c.err(diag.Immutable, x.Sp, "a tuple cannot be changed").help("make a new one: `t = (a, b)`")
		case info.Kind == MemModule:
			c.err(diag.Immutable, x.Sp, "`%s` belongs to another module and cannot be assigned", c.short(x))
		case info.Kind != MemField:
			c.err(diag.BadTarget, x.Sp, "`%s` cannot be assigned", c.short(x))
		}
		return t
	case *syntax.Index:
		reports := len(c.reports)
		t := c.expr(x, nil, nil)
		if len(c.reports) > reports {
			return t
		}
		switch xt := Prune(c.info.TypeOf(x.X)); {
		case xt == Type(Str) || xt == Type(Bytes):
			c.err(diag.Immutable, x.Sp, "a `%s` cannot be changed", xt).help("build a new one, or use a `buffer`")
		default:
			if _, ok := unparen(x.I).(*syntax.RangeLit); ok && xt != Type(Invalid) {
				c.err(diag.BadTarget, x.Sp, "a slice cannot be assigned")
			}
		}
		return t
	case *syntax.BadExpr:
		return Invalid
	}
	t := c.expr(e, nil, nil)
	c.err(diag.BadTarget, e.Span(), "this cannot be assigned to").
		help("a variable, a field `x.f` or an element `x[i]` can")
	c.giveUp(t, 0)
	return Invalid
}

// isConstAt reports whether the name at a place is declared with const.
func (c *checker) isConstAt(at diag.Span) bool {
	f := c.prog.Files.File(at.Start)
	if f == nil {
		return false
	}
	line, _ := f.Pos(at.Start)
	return strings.HasPrefix(strings.TrimPrefix(strings.TrimSpace(f.Line(line)), "pub "), "const ")
}

func (c *checker) variableTarget(x *syntax.Ident) Type {
	fixed := func(at diag.Span, what, help string) {
		if c.fixed[at] {
			return // one `var` mends all
		}
		c.fixed[at] = true
		if what == "declared with `let`" && c.isConstAt(at) {
			what = "declared with `const`"
		}
		d := c.err(diag.Immutable, x.Sp, "`%s` cannot be assigned, as it is %s", x.Name, what)
		d.label(at, "declared here")
		if help != "" {
			d.help("%s", help)
		}
	}
	if b := c.local(x.Name); b != nil {
		c.info.Uses[x.Id] = b.obj
		switch o := b.obj.(type) {
		case *Local:
			c.use(b, x.Sp)
			c.mutated[o] = true
			if !o.Var {
				o.Used = true
				c.reportFixed(o, fixed)
			}
			return o.Type
		case *ConstObj:
			o.Used = true
			fixed(o.At, "a constant", "")
			return o.Type
		}
	}
	o := c.topLevel(x.Name)
	if o == nil {
		if c.isConsequence(x.Sp, x.Name) {
			return Invalid
		}
		if x.Name == "_" {
			c.err(diag.BadTarget, x.Sp, "`_` alone is no variable").help("`let _ = ...` drops a value")
			return Invalid
		}
		d := c.err(diag.UnknownName, x.Sp, "there is no variable `%s`", x.Name)
		c.assigned[x.Name] = true
		if c.self != nil && c.memberKind(c.self, x.Name) == "field" {
			d.fix("`"+x.Name+"` is a field of this type", diag.Edit{Span: x.Sp, New: "self." + x.Name})
		} else if !d.didYouMean(x.Name, x.Sp, c.variables()) {
			d.help("declare it: `var %s = ...`", x.Name)
		}
		return Invalid
	}
	c.info.Uses[x.Id] = o
	switch o := o.(type) {
	case *Global:
		c.useGlobal(o, x.Sp)
		c.mutated[o] = true
		if !o.Var {
			o.Used = true
			fixed(o.At, "declared with `let`", "declare it with `var`")
		}
		return c.globalValue(x, o)
	case *ConstObj:
		o.Used = true
		fixed(o.At, "a constant", "")
		return o.Type
	case badObj:
		return Invalid
	}
	c.err(diag.BadTarget, x.Sp, "`%s` is no variable", x.Name).label(objectPlace(o), "declared here")
	return Invalid
}

func (c *checker) reportFixed(o *Local, fixed func(diag.Span, string, string)) {
	if o.Fn != nil {
		fixed(o.At, "a function", "")
		return
	}
	if fn, ok := o.Func.(*FuncDecl); ok {
		for _, p := range fn.Params {
			if p.Obj == o {
				fixed(o.At, "a parameter", "copy it: `var "+o.Name+"_now = "+o.Name+"`")
				return
			}
		}
	}
	fixed(o.At, "not declared with `var`", "declare it with `var`")
}
