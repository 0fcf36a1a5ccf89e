package types

import (
	"fmt"
	"math"
	"strconv"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

func (c *checker) index(e *syntax.Index) Type {
	t := Prune(c.expr(e.X, nil, nil))
	if a, ok := appOf(t, CMap); ok {
		if _, isRange := unparen(e.I).(*syntax.RangeLit); !isRange {
			c.check(e.I, a.Args[0], &reason{text: "the key of this map", later: c.laterOf(e.X)})
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
				c.textIndex(e)
				return Invalid
			}
			c.fromTheEnd(e)
			return Str
		case Invalid, Never:
			return x
		}
	case *Var:
		c.unknownYet(e.X, x)
		return Invalid
	}
	d := c.err(diag.NotIndexable, e.Sp, "`%s` cannot be indexed", c.shown(t))
	if t == Type(Any) {
		d.anyIndex(c.short(e.X), c.short(e.I), i)
	}
	return Invalid
}

// anyIndex tells how to get at the parts of a value of any type, which is that of JSON mostly.
func (d report) anyIndex(x, i string, index Type) {
	of, what := "map<str, any>", "a map"
	if index == Type(Int) {
		of, what = "[any]", "a list"
	}
	d.help("say that it is %s: `(%s as %s)[%s]`, or test it: `if %s is %s { ... }`", what, x, of, i, x, of)
	d.help("JSON of a known shape is read into a struct: `json.decode<T>(text)`")
}

// element is the type of x[i] for an index or range i.
func (c *checker) element(e *syntax.Index, i Type, elem, slice Type) Type {
	c.fromTheEnd(e)
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

// textIndex reports `s[i]` on text.
func (c *checker) textIndex(e *syntax.Index) {
	s, i := c.short(e.X), c.short(e.I)
	if s == "this" || i == "this" {
		s, i = "s", "i"
	}
	d := c.err(diag.NotIndexable, e.Sp, "a str has no index: a position in it is a byte, and a character is a str")
	if k, ok := c.constInt(e.I); ok && k < 0 {
		d.help("`%s.chars()` is the list of its characters, and `.last()` the last one of them", s)
		return
	}
	d.help("`%s.chars()[%s]` is a character, `%s.byte_at(%s)` a byte, `%s[%s..%s]` the text between two bytes", s, i, s, i, s, i, c.next(e.I, i))
	d.help("to go through the characters write `for ch in %s`", s)
}

// next writes one more than an index.
func (c *checker) next(e syntax.Expr, text string) string {
	if k, ok := c.constInt(e); ok {
		return strconv.FormatInt(k+1, 10)
	}
	return text + " + 1"
}

// constInt is the value of an int that is known.
func (c *checker) constInt(e syntax.Expr) (int64, bool) {
	if e == nil {
		return 0, false
	}
	k, ok := c.info.ConstOf(e)
	n, isInt := k.(int64)
	return n, ok && isInt
}

// fromTheEnd reports an index or bound that is meant to count from the end.
func (c *checker) fromTheEnd(e *syntax.Index) {
	x := c.short(e.X)
	if x == "this" {
		x = "xs"
	}
	negative := func(at syntax.Expr) (int64, report, bool) {
		k, ok := c.constInt(at)
		if !ok || k >= 0 || k == math.MinInt64 {
			return 0, report{}, false
		}
		return -k, c.err(diag.NotIndexable, at.Span(), "an index counts from the start, so %d is always out of range", k), true
	}
	_, isList := appOf(Prune(c.info.TypeOf(e.X)), CList)
	r, isSlice := unparen(e.I).(*syntax.RangeLit)
	if !isSlice {
		if k, d, ok := negative(e.I); ok {
			if k == 1 && isList {
				d.help("the last element is `%s.last()`, none of an empty list", x)
			}
			c.countBack(d, e, e.I, k)
		}
		return
	}
	if k, d, ok := negative(r.Lo); ok {
		if isList && r.Hi == nil {
			d.help("the last ones are `%s.take_last(%d)`", x, k)
		} else {
			c.countBack(d, e, r.Lo, k)
		}
	}
	if k, d, ok := negative(r.Hi); ok {
		c.countBack(d, e, r.Hi, k)
	}
}

// countBack writes an index from the end by the length.
func (c *checker) countBack(d report, e *syntax.Index, at syntax.Expr, k int64) {
	text := fmt.Sprintf("%s.len() - %d", c.source(e.X.Span()), k)
	if _, plain := unparen(e.X).(*syntax.Ident); plain {
		d.fix("count from the end", diag.Edit{Span: at.Span(), New: text})
	} else {
		d.help("count from the end by the length: `xs.len() - %d`", k)
	}
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
	} else if _, generic := t.(*TypeParam); generic {
		c.err(diag.OptionalMisuse, e.Sp, "`!` needs an optional, and `%s` need not be one", t)
	} else if t != Type(Invalid) && t != Type(Never) {
		end := e.Sp
		end.Start = e.X.Span().End
		c.warn(diag.NeverNone, e.Sp, "this `!` does nothing, as the value is never none").
			text("this is `%s`", c.shown(t)).
			fix("remove the `!`", diag.Edit{Span: end})
	}
	return t
}

// unknownYet reports the use of a value whose type is not inferred so far.
func (c *checker) unknownYet(e syntax.Expr, v *Var) {
	d := c.err(diag.CannotInfer, e.Span(), "the type of this value is not known here yet")
	if v.later != nil {
		d.help("write the type where `%s` is declared: nothing before this decides it", v.later.name)
	} else if id, ok := unparen(e).(*syntax.Ident); ok {
		d.help("write the parameter's type: `|%s: int| ...`, or what else it is", id.Name)
	} else if call, ok := unparen(e).(*syntax.Call); ok {
		if id, ok := call.Fn.(*syntax.Ident); ok && c.local(id.Name) != nil {
			d.help("write the types of the parameters, that of `%s` as `%s: fn(int) -> int`, or what else it takes and gives", id.Name, id.Name)
		}
	} else {
		d.help("give a part of it a name with its type before: `let x: int = ...`")
	}
	c.link(v, Invalid)
}

// typeTest checks the operand of is and as, and reports tests that cannot
// hold or always do.
func (c *checker) typeTest(from Type, te syntax.TypeExpr, at diag.Span, op string) (to Type) {
	to = c.typeExpr(te)
	if from == Type(Invalid) || to == Type(Invalid) || from == Type(Never) {
		return Invalid
	}
	if why := c.testable(from, to); why != "" {
		d := c.err(diag.UselessTypeTest, at, "`%s` cannot be used on `%s`: %s", op, c.shown(from), why)
		if _, ok := optionalOf(from); ok {
			d.help("test for none with `x != none`")
		} else if op == "as" && to == Type(Any) {
			d.help("it becomes `any` by itself where one is expected: leave `as any` away")
		} else if op == "as" && (to == Type(Int) || to == Type(Float) || to == Type(Str)) {
			d.help("convert with `%s(x)`", to)
		}
	}
	return to
}

// testable says why a value of static type from cannot be tested for to; ""
// when it can.
func (c *checker) testable(from, to Type) string {
	switch {
	case from == Type(Any):
		return ""
	case to == Type(Any):
		return "every value is an `any`"
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
	t := Prune(c.expr(e.X, nil, nil))
	p := c.variantMeant(e, t)
	if p == nil {
		c.typeTest(t, e.Type, e.Sp, "is")
		return Bool
	}
	c.newMatch(e.X, t, []syntax.Pattern{p}).pattern(p)
	c.info.Variants[e] = p
	return Bool
}

// variantMeant returns the pattern of `x is Shape.Dot`, and of `x is Dot` where x is a Shape;
// nil where a type is meant.
func (c *checker) variantMeant(e *syntax.Is, t Type) *syntax.VariantPattern {
	name, ok := e.Type.(*syntax.NamedType)
	if !ok || len(name.Args) > 0 {
		return nil
	}
	m := &matcher{c: c}
	if q := name.Module.Text; q != "" {
		if d := m.typeAt(q); d == nil || d.Kind != KEnum {
			return nil
		}
	} else {
		n, ok := withoutOptional(t).(*Named)
		if !ok || n.Decl.variant(name.Name.Text) == nil || m.typeAt(name.Name.Text) != nil {
			return nil
		}
	}
	return &syntax.VariantPattern{
		PatternBase: syntax.PatternBase{Sp: name.Sp, Id: name.Id}, Qualifier: name.Module, Name: name.Name,
	}
}

func (c *checker) as(e *syntax.As) Type {
	return c.typeTest(Prune(c.expr(e.X, nil, nil)), e.Type, e.Sp, "as")
}
