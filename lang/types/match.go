package types

import (
	"github.com/runnel-lang/runnel/lang/syntax"
)

func (c *checker) match(e *syntax.Match, want Type, why *reason) Type {
	t := Prune(c.expr(e.X, nil, nil))
	if v, ok := t.(*Var); ok {
		c.unknownYet(e.X, v)
		t = Invalid
	}
	ps := make([]syntax.Pattern, len(e.Arms))
	for i, arm := range e.Arms {
		ps[i] = arm.Pattern
	}
	m := c.newMatch(e.X, t, ps)
	obj := c.narrowable(e.X)
	j := c.newJoin(want, why)
	noneSeen, failed := false, false
	for _, arm := range e.Arms {
		names, facts := len(c.names), len(c.facts)
		m.scope = names
		reports := len(c.reports)
		m.pattern(arm.Pattern)
		failed = failed || len(c.reports) > reports
		if obj != nil {
			if nt := m.narrows(arm.Pattern, t, noneSeen); nt != nil {
				c.facts = append(c.facts, fact{obj, nt})
			}
		}
		if lit, ok := arm.Pattern.(*syntax.LitPattern); ok && arm.Guard == nil {
			_, isNone := lit.X.(*syntax.NoneLit)
			noneSeen = noneSeen || isNone
		}
		if arm.Guard != nil {
			yes, _ := c.cond(arm.Guard)
			c.facts = append(c.facts, yes...)
		}
		arm.Body = emptyMap(arm.Body, j.want)
		j.add(arm.Body)
		c.reportUnusedLocals(names)
		c.names, c.facts = c.names[:names], c.facts[:facts]
	}
	if t != Type(Invalid) && t != Type(Never) && !failed {
		c.exhaustive(e, t)
	}
	if len(e.Arms) == 0 {
		return Never
	}
	return j.result()
}

// narrows returns the type the matched variable has in an arm, nil when nothing
// new is known.
func (m *matcher) narrows(p syntax.Pattern, t Type, noneSeen bool) Type {
	inner, optional := optionalOf(t)
	info := m.c.info.Pats[p]
	switch {
	case info == nil:
		return nil
	case info.Test != nil && !hasOpen(info.Test, 0):
		return info.Test
	case optional && (info.Unwrap || noneSeen):
		if _, ok := p.(*syntax.LitPattern); ok && !info.Unwrap {
			return nil
		}
		return inner
	}
	return nil
}
