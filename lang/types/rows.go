package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// sharedRows warns of a list that is filled with one value, made on the spot, that can
// change: `[[0].repeat(3)].repeat(2)` and `rows.fill([])`.
func (c *checker) sharedRows(e *syntax.Call, fn *syntax.Member) {
	if len(e.Args) != 1 {
		return
	}
	var row syntax.Expr
	count := ""
	switch fn.Name.Text {
	case "fill":
		row = e.Args[0].Value
	case "repeat":
		lit, ok := unparen(fn.X).(*syntax.ListLit)
		if !ok || len(lit.Elems) != 1 {
			return
		}
		if k, known := c.constInt(e.Args[0].Value); known && k < 2 {
			return
		}
		row = lit.Elems[0]
		count = "0..(" + c.source(e.Args[0].Value.Span()) + ")"
		switch unparen(e.Args[0].Value).(type) {
		case *syntax.IntLit, *syntax.Ident, *syntax.Member, *syntax.Call:
			count = "0.." + c.source(e.Args[0].Value.Span())
		}
	default:
		return
	}
	if !isMadeHere(row) || !changes(c.info.TypeOf(row)) {
		return
	}
	d := c.warn(diag.SharedElement, row.Span(), "every element is this same `%s`: what changes one changes all", c.shown(c.info.TypeOf(row)))
	text := "(" + count + ").map(|_| " + c.source(row.Span()) + ")"
	if fn.Name.Text == "fill" {
		d.help("make each by itself: `(0..xs.len()).map(|_| %s)` is such a list", c.source(row.Span()))
	} else {
		d.fix("make each by itself", diag.Edit{Span: e.Sp, New: text})
	}
}

// isMadeHere reports an expression that makes a new value.
func isMadeHere(e syntax.Expr) bool {
	switch unparen(e).(type) {
	case *syntax.ListLit, *syntax.MapLit, *syntax.Call:
		return true
	}
	return false
}

// changes reports whether a value of a type is a reference to what can change.
func changes(t Type) bool {
	switch t := Prune(t).(type) {
	case *App:
		return t.Ctor == CList || t.Ctor == CMap || t.Ctor == CSet
	case *Basic:
		return t == Buffer
	case *Named:
		for _, f := range t.Decl.Fields {
			if !f.ReadOnly {
				return t.Decl.Kind == KStruct
			}
		}
	}
	return false
}
