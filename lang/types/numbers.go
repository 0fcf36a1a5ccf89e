package types

import (
	"math"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Enums none of whose variants has fields: their numbers, and what is called on the type.

// number gives the variants of an enum their numbers: those that are written, else one more
// than the variant before.
func (c *checker) number(t *TypeDecl, d *syntax.EnumDecl) {
	next, seen := int64(0), map[int64]*VariantDecl{}
	for i, v := range d.Variants {
		w := t.Variant[i]
		if v.Number != nil {
			n, ok := literalInt(v.Number)
			switch {
			case !t.Plain():
				c.err(diag.NotConstant, v.Number.Span(), "an enum with fields has no numbers").
					help("write a method that gives them: `match self { ... }`")
			case !ok:
				c.err(diag.NotConstant, v.Number.Span(), "the number of a variant is an integer literal")
			}
			if !ok {
				continue
			}
			c.check(v.Number, Int, &reason{text: "the number of a variant"})
			next = n
		} else if i > 0 && next == math.MinInt64 {
			c.err(diag.NotConstant, w.At, "there is no number after %d", math.MaxInt64).help("give `%s` a number", w.Name)
			return
		}
		if first := seen[next]; first != nil && t.Plain() {
			c.err(diag.DuplicateName, w.At, "`%s` and `%s` have the same number %d", first.Name, w.Name, next).label(first.At, "the other one")
		}
		w.Number, seen[next] = next, w
		next++
	}
}

// literalInt is the value of an integer literal, which may be negated.
func literalInt(e syntax.Expr) (int64, bool) {
	switch e := e.(type) {
	case *syntax.IntLit:
		return int64(e.Value), true
	case *syntax.Unary:
		if x, ok := e.X.(*syntax.IntLit); ok && e.Op == syntax.OpNeg {
			return -int64(x.Value), true
		}
	}
	return 0, false
}

// derive declares what every enum without fields has, unless it has a member of that name.
func (c *checker) derive(t *TypeDecl) {
	if !t.Plain() || len(t.Variant) == 0 {
		return
	}
	found := NewOptional(t.Self)
	add := func(kind Derived, name, param string, pt, result Type, doc string) {
		if t.Method(name) != nil || t.Static(name) != nil {
			return
		}
		f := &FuncDecl{Name: name, Module: t.Module, On: t, Result: result, Doc: doc, At: diag.NoSpan, Syntax: &syntax.FnDecl{}, Derived: kind}
		if pt != nil {
			f.Params = []*Param{{Name: param, Type: pt, Obj: &Local{Name: param, Type: pt, At: diag.NoSpan}}}
		}
		t.Statics = append(t.Statics, f)
	}
	add(DerivedAll, "all", "", nil, NewList(t.Self), "The variants, as a new list.")
	add(DerivedParse, "parse", "name", Str, found, "The variant that has a name, or none.")
	add(DerivedOf, "of", "number", Int, found, "The variant that has a number, or none.")
	t.staticIndex = nil
}

// Number is the function that gives the number of a variant; nil where that is its position.
func (d *TypeDecl) Number() *FuncDecl {
	for _, v := range d.Variant {
		if d.number == nil && v.Number != int64(v.Tag) {
			d.number = &FuncDecl{Name: "number", Module: d.Module, On: d, Result: Int, At: diag.NoSpan, Syntax: &syntax.FnDecl{}, Derived: DerivedNumber}
			d.number.Params = []*Param{{Name: "variant", Type: d.Self, Obj: &Local{Name: "variant", Type: d.Self, At: diag.NoSpan}}}
		}
	}
	return d.number
}

// isPlainEnum reports whether t is an enum none of whose variants has fields.
func isPlainEnum(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Kind == KEnum && n.Decl.Plain()
}
