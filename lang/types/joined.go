package types

import "github.com/runnel-lang/runnel/lang/syntax"

// operands checks the operands of an operator that gives a value. The elements of lists
// that are joined get their type from the list expected, and of a literal from those of
// the other operand.
func (c *checker) operands(e *syntax.Binary, h, want Type) (x, y Type) {
	var lx, ly *syntax.ListLit
	if e.Op == syntax.OpAdd {
		if w := orInvalid(withoutOptional(want)); isList(w) {
			h = w
		}
		lx, _ = unparen(e.X).(*syntax.ListLit)
		ly, _ = unparen(e.Y).(*syntax.ListLit)
	}
	beside := func(t Type) Type {
		if e.Op == syntax.OpAdd && isList(t) {
			return hint(t)
		}
		return h
	}
	switch {
	case isComparison(e.Op) && isBareVariant(e.X): // the other operand gives the type
		y = Prune(c.expr(e.Y, nil, nil))
		x = Prune(c.expr(e.X, hint(y), nil))
	case lx != nil && ly != nil && h == nil && len(lx.Elems) > 0 && len(ly.Elems) > 0:
		all := append(lx.Elems[:len(lx.Elems):len(lx.Elems)], ly.Elems...)
		t := NewList(c.elements(all, "the elements of these lists have", "", false))
		c.recordWithin(e.X, t)
		c.recordWithin(e.Y, t)
		return t, t
	case lx != nil && ly == nil:
		y = Prune(c.expr(e.Y, h, nil))
		x = Prune(c.expr(e.X, beside(y), nil))
	default:
		x = Prune(c.expr(e.X, h, nil))
		if own := c.ownOperand(e.Op, x); own != nil {
			return x, Prune(c.expr(e.Y, own, nil))
		}
		if isComparison(e.Op) && isBareVariant(e.Y) {
			return x, Prune(c.expr(e.Y, hint(x), nil))
		}
		y = Prune(c.expr(e.Y, beside(x), nil))
	}
	return Prune(x), Prune(y)
}

// recordWithin notes the type of an expression and of what stands in its parentheses.
func (c *checker) recordWithin(e syntax.Expr, t Type) {
	for {
		c.record(e, t)
		p, ok := e.(*syntax.Paren)
		if !ok {
			return
		}
		e = p.X
	}
}
