package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// sure is a place whose pattern must always match.
type sure struct{ what, must, help string }

var (
	inLet    = sure{"let", "a `let` must always", "use `match`, or `if let`"}
	inFor    = sure{"for", "a `for` takes every element", "take the element by a name, and use `if let` or `match` in the body"}
	inLambda = sure{"lambda", "a function takes every argument", "take the argument by a name, and use `if let` or `match` in the body"}
)

// bindIrrefutable checks a pattern that must match.
func (c *checker) bindIrrefutable(p syntax.Pattern, t Type, scope int, where sure) {
	if b, ok := p.(*syntax.BindPattern); ok && b.Type == nil {
		c.info.Pats[b] = &PatInfo{Type: Prune(t)}
		c.settle(&c.info.Pats[b].Type)
		c.info.Pats[b].Bind = c.bindLocal(b, t, scope)
		return
	}
	m := &matcher{c: c, t: Prune(t), scope: scope, sure: where, place: map[string]bool{}}
	m.pattern(p)
}

// bindLocal makes the variable of a binding; a global when it is one.
func (c *checker) bindLocal(b *syntax.BindPattern, t Type, scope int) *Local {
	if b.Name.Text == "_" {
		return nil
	}
	if g := c.info.GlobalBinds[b]; g != nil {
		if g.Type == nil {
			g.Type = Prune(t)
			c.settle(&g.Type)
		}
		return nil
	}
	c.bindingCase(b, "variable")
	if t == Type(Never) {
		t = Invalid
	}
	l := c.newLocal(b.Name, Prune(t))
	c.settle(&l.Type)
	c.bind(b.Name, l, scope)
	return l
}

// needRefutable reports a pattern that may fail where it must not.
func (m *matcher) needRefutable(p syntax.Pattern) {
	if m.refutable {
		return
	}
	m.refutable = true // once
	m.c.err(diag.RefutablePattern, p.Span(), "this pattern may not match, but %s", m.sure.must).help("%s", m.sure.help)
}

// guess makes more known of a type that is not known yet by what a pattern that must
// match takes apart.
func (m *matcher) guess(p syntax.Pattern, v *Var) Type {
	c := m.c
	var t Type
	switch p := p.(type) {
	case *syntax.TuplePattern:
		if p.Rest > 0 || len(p.Elems) == 0 {
			return v
		}
		t = c.tupleOf(p)
	case *syntax.VariantPattern:
		d := m.namedType(p)
		if d == nil || d.Kind != KStruct || len(d.Params) > 0 {
			return v
		}
		t = d.Self
	case *syntax.BindPattern:
		if p.Type == nil {
			return v
		}
		t = c.typeExpr(p.Type)
	default:
		return v
	}
	c.tryUnify(v, t)
	return Prune(v)
}

// tupleOf is the type of a tuple with as many parts as a pattern, which are to be found out.
func (c *checker) tupleOf(p *syntax.TuplePattern) Type {
	parts := make([]Type, len(p.Elems))
	for i, e := range p.Elems {
		parts[i] = c.newVar(e.Span(), "the type of this part of the tuple", "write the type of the whole tuple behind its pattern: `: (A, B)`")
	}
	return NewTuple(parts...)
}

// isName reports whether a pattern is a name for whatever there is.
func (m *matcher) isName(p syntax.Pattern) bool {
	b, ok := p.(*syntax.BindPattern)
	return ok && b.Type == nil && !m.refutable
}
