package types

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// fact is the narrowed type of a `let` or parameter. Such a variable never
// changes, so a fact holds in all code that it dominates, closures included:
// facts are a stack, cut back where the code they hold for ends.
type fact struct {
	obj Object // *Local or *Global
	t   Type
}

// narrowed returns the type of a variable here.
func (c *checker) narrowed(o Object, declared Type) Type {
	for i := len(c.facts) - 1; i >= 0; i-- {
		if c.facts[i].obj == o {
			return c.facts[i].t
		}
	}
	return declared
}

// narrowable returns the variable an expression names, when its type can be
// narrowed: no field and no var, which another task may change meanwhile.
func (c *checker) narrowable(e syntax.Expr) Object {
	id, ok := unparen(e).(*syntax.Ident)
	if !ok {
		return nil
	}
	switch o := c.info.Uses[id.Id].(type) {
	case *Local:
		if !o.Var {
			return o
		}
	case *Global:
		if !o.Var {
			return o
		}
	}
	return nil
}

// cond checks a condition; what is known when it holds and when it does not
// are the two results.
func (c *checker) cond(e syntax.Expr) (yes, no []fact) {
	if !c.enter(e.Span()) {
		c.info.Types[e.ID()] = Invalid
		return nil, nil
	}
	defer c.leave()
	switch x := e.(type) {
	case *syntax.Paren:
		yes, no = c.cond(x.X)
		t := c.info.Types[x.X.ID()]
		c.record(e, t)
		c.fold(e, t)
		return yes, no
	case *syntax.Unary:
		if x.Op == syntax.OpNot {
			outer := c.negated
			c.negated = x
			yes, no = c.cond(x.X)
			c.negated = outer
			c.record(e, Bool)
			c.fold(e, Bool)
			return no, yes
		}
	case *syntax.Binary:
		switch x.Op {
		case syntax.OpAndAnd, syntax.OpOrOr:
			return c.logical(x)
		case syntax.OpEq, syntax.OpNe:
			c.checkBool(e)
			some := c.comparedToNone(x)
			if x.Op == syntax.OpEq {
				return nil, some
			}
			return some, nil
		}
	case *syntax.Is:
		c.checkBool(e)
		if o := c.narrowable(x.X); o != nil {
			if t := c.info.TypeOfExpr(x.Type); t != nil && t != Type(Invalid) {
				return []fact{{o, t}}, nil
			}
		}
		return nil, nil
	}
	c.checkBool(e)
	return nil, nil
}

func (c *checker) checkBool(e syntax.Expr) {
	t := c.expr(e, Bool, nil)
	if !c.convertible(e, t, Bool) {
		c.mismatch(e, t, Bool, becauseCond)
	}
}

// logical checks && and ||, whose right side is only reached when the left
// side held or did not.
func (c *checker) logical(x *syntax.Binary) (yes, no []fact) {
	before := len(c.reports)
	yes1, no1 := c.cond(x.X)
	mark := len(c.facts)
	if x.Op == syntax.OpAndAnd {
		c.facts = append(c.facts, yes1...)
	} else {
		c.facts = append(c.facts, no1...)
	}
	reports := len(c.reports)
	yes2, no2 := c.cond(x.Y)
	c.noBools(x, before, reports)
	c.facts = c.facts[:mark]
	c.record(x, Bool)
	c.fold(x, Bool)
	if x.Op == syntax.OpAndAnd {
		return append(yes1[:len(yes1):len(yes1)], yes2...), nil
	}
	return nil, append(no1[:len(no1):len(no1)], no2...)
}

// comparedToNone returns what is known when `x == none` does not hold.
func (c *checker) comparedToNone(x *syntax.Binary) []fact {
	operand := x.X
	if _, ok := unparen(x.X).(*syntax.NoneLit); ok {
		operand = x.Y
	} else if _, ok := unparen(x.Y).(*syntax.NoneLit); !ok {
		return nil
	}
	o := c.narrowable(operand)
	if o == nil {
		return nil
	}
	if inner, ok := optionalOf(c.info.TypeOf(operand)); ok {
		return []fact{{o, inner}}
	}
	return nil
}

// condHead checks the head of an if or while. Names it binds stay in scope until
// the caller cuts c.names back.
func (c *checker) condHead(cond syntax.Cond) (yes, no []fact) {
	yes, no = c.condPart(cond)
	facts := len(c.facts)
	for _, more := range cond.More {
		c.facts = append(c.facts[:facts], yes...)
		also, _ := c.condPart(more)
		yes, no = append(slices.Clip(yes), also...), nil
	}
	c.facts = c.facts[:facts]
	return yes, no
}

// condPart checks a part of a condition.
func (c *checker) condPart(cond syntax.Cond) (yes, no []fact) {
	if cond.Pattern == nil {
		return c.cond(cond.X)
	}
	t := c.expr(cond.X, nil, nil)
	names := len(c.names)
	inner, optional := optionalOf(t)
	if b, ok := cond.Pattern.(*syntax.BindPattern); ok && b.Type == nil {
		c.patternSite(b, t)
		info := &PatInfo{Type: Prune(t)}
		c.info.Pats[b] = info
		switch {
		case optional:
			info.Unwrap = true
			info.Bind = c.bindLocal(b, inner, names)
		default:
			info.Bind = c.bindLocal(b, orInvalid(Prune(t)), names)
			if t != Type(Invalid) && t != Type(Never) {
				c.err(diag.OptionalMisuse, cond.X.Span(), "this is never none, so `let` always succeeds").
					text("this is `%s`", c.shown(t)).
					help("write a plain `let %s = ...` before", b.Name.Text)
			}
		}
	} else {
		m := c.newMatch(cond.X, t, []syntax.Pattern{cond.Pattern})
		m.pattern(cond.Pattern)
	}
	if optional {
		if o := c.narrowable(cond.X); o != nil {
			yes = []fact{{o, inner}}
		}
	}
	return yes, nil
}

func (c *checker) ifExpr(e *syntax.If, want Type, why *reason) Type {
	names, facts := len(c.names), len(c.facts)
	yes, no := c.condHead(e.Cond)
	if e.Else == nil { // the value of the block is dropped, as there is none without else
		c.facts = append(c.facts, yes...)
		valued := why != nil && want != nil && want != Type(Unit) && !isOpen(want)
		var then Type
		if valued {
			then = c.expr(e.Then, want, why)
		} else {
			then = c.drop(e.Then)
		}
		c.reportUnusedLocals(names)
		c.names, c.facts = c.names[:names], c.facts[:facts]
		if then == Type(Never) {
			c.facts = append(c.facts, no...)
		}
		if valued {
			c.err(diag.MissingValue, e.Sp, "this `if` has no `else`, so it gives no value").
				text("expected `%s`", c.shown(want)).
				help("add an `else` branch")
			return Invalid
		}
		return Unit
	}
	j := c.newJoin(want, why)
	c.facts = append(c.facts, yes...)
	then := j.add(e.Then)
	c.reportUnusedLocals(names)
	c.names, c.facts = c.names[:names], c.facts[:facts]
	c.facts = append(c.facts, no...)
	els := j.add(e.Else)
	c.facts = c.facts[:facts]
	// What made one branch leave is known after the other.
	switch {
	case then == Type(Never) && els != Type(Never):
		c.facts = append(c.facts, no...)
	case els == Type(Never) && then != Type(Never):
		c.facts = append(c.facts, yes...)
	}
	return j.result()
}

// join finds the type of an expression with several branches. With a reason,
// each branch must have the type wanted; else the first one's type decides.
type join struct {
	c      *checker
	want   Type
	why    *reason
	hard   bool
	t      Type // so far; nil before the first branch that gives a value
	first  syntax.Expr
	others []syntax.Expr
	n      int
	what   string        // begins the message when they differ
	wider  string        // the type of a literal that takes different elements
	loose  bool          // elements may differ: then they are any
	ints   []syntax.Expr // literals that are floats if all elements are, where they may differ
	told   bool          // that they differ
}

func (c *checker) newJoin(want Type, why *reason) *join {
	if want != nil {
		want = Prune(want)
	}
	hard := why != nil && want != nil && !isOpen(want)
	return &join{what: "the branches have", c: c, want: want, why: why, hard: hard, loose: !hard && isAny(want)}
}

// add checks a branch and gives its own type.
func (j *join) add(e syntax.Expr) Type {
	c := j.c
	if j.hard {
		t := c.check(e, j.want, j.why)
		if t != Type(Never) {
			j.n++
		}
		return Prune(t)
	}
	h := hint(orNil(j.want))
	if h == nil {
		h = j.t
	}
	if j.loose {
		h = Any
	}
	t := Prune(c.expr(e, h, nil))
	if t == Type(Never) {
		return t
	}
	j.n++
	switch {
	case j.t == nil || j.t == Type(Invalid):
		j.t, j.first = t, e
	case t == Type(Int) && Prune(j.t) == Type(Float) && isIntLiteral(tail(e)):
		j.floats(e)
	case c.convertible(tail(e), t, j.t):
		j.t = Prune(j.t)
	case j.widen(e, t):
	case j.loose:
		j.t = Any
	case j.told && j.wider != "":
	default:
		j.told = true
		d := c.err(diag.BranchesDisagree, tail(e).Span(), "%s different types: `%s` and `%s`", j.what, c.shown(j.t), c.shown(t)).
			text("this is `%s`", c.shown(t)).
			label(tail(j.first).Span(), "this is `%s`", c.shown(j.t))
		if c.explainAnew(d, j.t, t) {
			break
		}
		if c.emptyMapMeant(d, j, e, t) {
			break
		}
		if j.t == Type(Unit) || t == Type(Unit) {
			d.help("a branch whose last statement is no expression gives `()`")
		} else if shared := c.sharedInterface(j.t, t); shared != nil {
			d.help("make them the same, or write the type wanted: both are `%s`", written(shared))
		} else if j.wider != "" {
			d.help("make them the same, or write the type wanted: `let x: %s = ...`", j.wider)
		} else {
			d.help("make them the same, or write the type wanted: `let x: any = ...`")
		}
	}
	j.others = append(j.others, e)
	return t
}

// widen makes the type so far one that both branches convert to: T? for T and
// T?, float for integer literals and float.
func (j *join) widen(e syntax.Expr, t Type) bool {
	c := j.c
	if _, ok := optionalOf(t); ok && c.convertible(tail(j.first), j.t, t) {
		j.t = t
		return true
	}
	if t == Type(Float) && j.t == Type(Int) {
		for _, o := range append([]syntax.Expr{j.first}, j.others...) {
			if !isIntLiteral(tail(o)) {
				return false
			}
		}
		j.floats(append(j.others, j.first)...)
		j.t = t
		return true
	}
	return false
}

// floats makes integer literals floats; in what may turn out to hold any, at the end only.
func (j *join) floats(es ...syntax.Expr) {
	if j.loose {
		j.ints = append(j.ints, es...)
		return
	}
	for _, e := range es {
		j.c.retypeTail(e, Float)
	}
}

func (j *join) result() Type {
	if j.loose && j.t != nil && withoutOptional(Prune(j.t)) == Type(Float) {
		j.loose = false
		j.floats(j.ints...)
	}
	switch {
	case j.n == 0:
		return Never
	case j.hard:
		return j.want
	}
	return orInvalid(j.t)
}

// tail is the expression that gives a block's value.
func tail(e syntax.Expr) syntax.Expr {
	for {
		switch x := e.(type) {
		case *syntax.Paren:
			e = x.X
			continue
		case *syntax.Block:
			if last := lastExpr(x); last != nil {
				e = last
				continue
			}
		}
		return e
	}
}

// lastExpr is the expression that is a block's value, or nil.
func lastExpr(b *syntax.Block) syntax.Expr {
	if n := len(b.Stmts); n > 0 {
		if s, ok := b.Stmts[n-1].(*syntax.ExprStmt); ok && !s.Semi {
			return s.X
		}
	}
	return nil
}

// retypeTail makes a branch of integer literals one of type t.
func (c *checker) retypeTail(e syntax.Expr, t Type) {
	for e != tail(e) {
		c.info.Types[e.ID()] = t
		switch x := e.(type) {
		case *syntax.Paren:
			e = x.X
		case *syntax.Block:
			e = lastExpr(x)
		}
	}
	c.retype(e, t)
}

func orNil(t Type) Type {
	if t == nil || t == Type(Unit) {
		return nil
	}
	return t
}

func (c *checker) tryExpr(e *syntax.Try, want Type, why *reason) Type {
	facts := len(c.facts)
	j := c.newJoin(want, why)
	j.add(e.Body)
	c.facts = c.facts[:facts]
	all := diag.NoSpan
	var caught []Type
	for _, cl := range e.Catches {
		var t Type = c.errorType()
		if cl.Type != nil {
			t = c.typeExpr(cl.Type)
			if why := c.notError(t); why != nil {
				d := c.err(diag.NotAnError, cl.Type.Span(), "`%s` can never be thrown: it is not an `Error`", t)
				why.explain(d)
			}
		}
		c.unreachableCatch(cl, t, all, caught)
		caught = append(caught, t)
		if cl.Type == nil {
			all = cl.Sp
		}
		names := len(c.names)
		if cl.Name.Text != "_" && cl.Name.Text != "" {
			c.lowerCase(cl.Name, "variable")
			l := c.newLocal(cl.Name, t)
			l.Used = true
			c.info.Catches[cl] = l
			c.bind(cl.Name, l, names)
		}
		j.add(cl.Body)
		c.names, c.facts = c.names[:names], c.facts[:facts]
	}
	return j.result()
}

func (c *checker) unreachableCatch(cl *syntax.CatchClause, t Type, all diag.Span, caught []Type) {
	n, _ := t.(*Named)
	if all.IsValid() && (n == nil || n.Decl.Name != "Cancelled") {
		c.warn(diag.UnreachableArm, cl.Sp, "this `catch` is never reached").label(all, "this one catches everything")
		return
	}
	for _, o := range caught {
		if Identical(o, t) && t != Type(Invalid) {
			c.warn(diag.UnreachableArm, cl.Sp, "this `catch` is never reached: `%s` is caught before", t)
			return
		}
	}
}

// errorType is the prelude's interface Error.
func (c *checker) errorType() Type {
	if d := c.core.decls["Error"]; d != nil {
		return d.Self
	}
	return Invalid
}

// notError says why a type cannot be thrown, nil when it can.
func (c *checker) notError(t Type) *unmet {
	n, ok := c.errorType().(*Named)
	if !ok {
		return nil
	}
	return c.unsatisfied(t, n)
}

func (c *checker) throw(e *syntax.Throw) Type {
	t := c.expr(e.X, nil, nil)
	if why := c.notError(t); why != nil {
		d := c.err(diag.NotAnError, e.X.Span(), "`%s` cannot be thrown: it is not an `Error`", c.shown(t))
		if t == Type(Str) {
			src := c.source(e.X.Span())
			d.help("make an error of the text: `throw error(...)`").
				fix("wrap it in error(...)", diag.Edit{Span: e.X.Span(), New: "error(" + src + ")"})
		} else {
			why.explain(d)
		}
	}
	return Never
}

// emptyMapMeant mends `{}` beside a map, which is an empty block there.
func (c *checker) emptyMapMeant(d report, j *join, e syntax.Expr, t Type) bool {
	empty, other := tail(e), j.t
	if t != Type(Unit) {
		empty, other = tail(j.first), t
	}
	b, ok := empty.(*syntax.Block)
	if _, isMap := appOf(Prune(other), CMap); !ok || !isMap || len(b.Stmts) > 0 {
		return false
	}
	d.fix("`{}` is an empty block here; the empty map stands in parentheses", diag.Edit{Span: b.Sp, New: "({})"})
	return true
}
