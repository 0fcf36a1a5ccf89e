package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// assignSeveral checks `(a, b) = value`.
func (c *checker) assignSeveral(s *syntax.AssignStmt, targets *syntax.TupleLit) {
	if s.Op != syntax.OpNone {
		c.err(diag.BadAssignment, s.OpSp, "several places are assigned with `=` only").
			help("write an assignment for each")
	}
	want := c.targets(targets)
	if s.Target != syntax.Expr(targets) {
		c.recordWithin(s.Target, want)
	}
	why := &reason{text: "what is assigned to `" + c.short(targets) + "`"}
	if _, ok := unparen(s.Value).(*syntax.TupleLit); ok {
		c.check(s.Value, want, why)
		return
	}
	got := Prune(c.expr(s.Value, hint(want), nil))
	if got != Type(Invalid) && got != Type(Never) {
		c.assignable(s.Value, targets, want, got, why)
	}
}

// targets checks the places of an assignment to several and gives their types.
func (c *checker) targets(e syntax.Expr) Type {
	if !c.enter(e.Span()) {
		return Invalid
	}
	defer c.leave()
	switch x := unparen(e).(type) {
	case *syntax.TupleLit:
		parts := make([]Type, len(x.Elems))
		for i, el := range x.Elems {
			parts[i] = c.targets(el)
		}
		return c.record(x, NewTuple(parts...))
	case *syntax.Ident:
		if x.Name == "_" {
			return c.record(x, c.newVar(x.Sp, "the type of what `_` drops", "leave it out"))
		}
	}
	t := c.target(unparen(e))
	c.recordWithin(e, t)
	return t
}

// assignable reports what of a value does not fit the places that it is assigned to.
func (c *checker) assignable(value syntax.Expr, target syntax.Expr, want, got Type, why *reason) {
	want, got = Prune(want), Prune(got)
	targets, several := unparen(target).(*syntax.TupleLit)
	if a, ok := appOf(got, CTuple); several && ok && len(a.Args) == len(targets.Elems) {
		parts := want.(*App).Args
		for i, el := range targets.Elems {
			c.assignable(value, el, parts[i], a.Args[i], why)
		}
		return
	}
	switch {
	case several:
		c.mismatch(value, got, want, why)
	case !c.convertible(nil, got, want):
		c.err(diag.TypeMismatch, value.Span(), "what is assigned to `%s` must be `%s`, but it is `%s`", c.short(target), c.shown(want), c.shown(got)).
			label(target.Span(), "this is `%s`", c.shown(want))
	}
}
