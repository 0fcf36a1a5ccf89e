package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Values as conditions, which they are elsewhere.

// compared is the value that is none, or empty, of a type that is used as a condition.
func compared(t Type) string {
	switch t {
	case Type(Int):
		return "0"
	case Type(Float):
		return "0.0"
	case Type(Str):
		return `""`
	}
	if _, ok := optionalOf(t); ok {
		return "none"
	}
	return ""
}

// truth says how a value of another type is made a condition.
func (c *checker) truth(d report, e syntax.Expr, got Type) {
	at, src, op := e.Span(), c.source(e.Span()), "!="
	_, optional := optionalOf(got)
	if optional {
		d.help("the value of an optional is used within `if let v = x { ... }`")
	}
	if strings.Contains(src, "\n") || strings.HasPrefix(src, "-") {
		return
	}
	switch e.(type) {
	case *syntax.Binary, *syntax.If, *syntax.Match, *syntax.Lambda, *syntax.RangeLit, *syntax.IntLit, *syntax.FloatLit, *syntax.StrLit, *syntax.InterpLit:
		if zero := compared(got); zero != "" {
			d.help("compare it: `x != %s`", zero)
		}
		return
	}
	if c.negated != nil && c.negated.X == e {
		at, op = c.negated.Sp, "=="
	}
	text := ""
	a, isApp := got.(*App)
	switch zero := compared(got); {
	case zero != "":
		text = src + " " + op + " " + zero
	case isApp && (a.Ctor == CList || a.Ctor == CMap || a.Ctor == CSet):
		text = src + ".len() " + op + " 0"
	default:
		return
	}
	d.fix("compare it", diag.Edit{Span: at, New: text})
}

// choice says what `x || y` and `x && y` of values are: a default, or one of two values.
func (c *checker) choice(d report, x *syntax.Binary) {
	left := Prune(c.info.TypeOf(x.X))
	if x.Op != syntax.OpOrOr {
		d.Help = append(d.Help, "one of two values is `if c { a } else { b }`")
		return
	}
	if _, ok := optionalOf(left); ok {
		d.Help, d.Fixes = nil, nil
		d.fix("the default of an optional stands behind `??`", diag.Edit{Span: x.OpSp, New: "??"})
		return
	}
	zero, a, b := compared(left), c.source(x.X.Span()), c.source(x.Y.Span())
	if zero == "" || strings.Contains(a+b, "\n") || !Identical(left, Prune(c.info.TypeOf(x.Y))) {
		d.Help = append(d.Help, "the default of an optional is `x ?? y`; one of two values is `if c { a } else { b }`")
		return
	}
	d.Help, d.Fixes = nil, nil
	d.fix("one of two values is chosen with `if`", diag.Edit{Span: x.Sp, New: "if " + a + " != " + zero + " { " + a + " } else { " + b + " }"})
}
