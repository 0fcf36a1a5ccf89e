package types

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// reason says why a value of a type is expected, for the message when it is
// not one. A check with a nil reason only takes the expected type as a hint.
type reason struct {
	text string    // "argument `b` of `f`", "the value of `x`"
	at   diag.Span // where the type comes from, may be invalid
	note string    // label at that place

	arg, of, what string // an argument or field of a call, in place of text
	recv          Type   // of the method of a generic type that is called, or nil
}

func (r *reason) String() string {
	if r.what == "" {
		return r.text
	}
	return fmt.Sprintf("%s `%s` of `%s`", r.what, r.arg, r.of)
}

var (
	becauseValue = &reason{text: "this"}
	becauseCond  = &reason{text: "a condition"}
	becauseDrop  = &reason{text: "a statement"}
)

// check types e where a value of type want is expected; the mismatch is
// reported with its reason.
func (c *checker) check(e syntax.Expr, want Type, why *reason) Type {
	want = Prune(want)
	if want == Type(Unit) {
		return c.drop(e)
	}
	t := c.expr(e, want, why)
	if !c.convertible(e, t, want) {
		c.mismatch(e, t, want, why)
	}
	return t
}

// convertible reports whether e of type from can stand where to is expected,
// solving variables. The conversions are T to T?, a type to an interface it
// satisfies, anything to any, and an integer literal to float.
func (c *checker) convertible(e syntax.Expr, from, to Type) bool {
	from, to = Prune(from), Prune(to)
	if to == Type(Invalid) {
		c.giveUp(from, 0) // nothing else will solve its variables
		return true
	}
	if from == Type(Invalid) || from == Type(Never) || from == to {
		return true
	}
	if to == Type(Any) {
		c.anyNone(from, 0)
		return true
	}
	if _, fromOptional := optionalOf(from); fromOptional || isOpen(from) || isOpen(to) {
		if c.tryUnify(from, to) {
			return true
		}
	}
	if inner, ok := optionalOf(to); ok {
		if fromInner, isOpt := optionalOf(from); isOpt {
			_, nested := optionalOf(inner)
			return nested && c.tryUnify(from, inner) && fromInner != nil
		}
		return c.convertible(e, from, inner)
	}
	if n, ok := to.(*Named); ok && n.Decl.Kind == KInterface && !isOpen(from) {
		if fn, ok := from.(*Named); ok && fn.Decl == n.Decl {
			return c.tryUnify(from, to)
		}
		mark := len(c.trail)
		if c.unsatisfied(from, n) == nil {
			return true
		}
		c.undo(mark)
		return false
	}
	if (to == Type(Float) || c.isNumberParam(to)) && e != nil && from == Type(Int) && isIntLiteral(e) {
		c.retype(e, to)
		return true
	}
	return c.tryUnify(from, to)
}

// isIntLiteral reports whether e is built of integer literals only.
func isIntLiteral(e syntax.Expr) bool {
	for {
		switch x := e.(type) {
		case *syntax.IntLit:
			return true
		case *syntax.Paren:
			e = x.X
		case *syntax.Unary:
			if x.Op != syntax.OpNeg {
				return false
			}
			e = x.X
		case *syntax.Binary:
			switch x.Op {
			case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpPow:
			default:
				return false
			}
			if !isIntLiteral(x.Y) {
				return false
			}
			e = x.X
		default:
			return false
		}
	}
}

// retype makes an expression of integer literals one of type t.
func (c *checker) retype(e syntax.Expr, t Type) {
	c.info.Types[e.ID()] = t
	delete(c.info.Consts, e.ID())
	switch x := e.(type) {
	case *syntax.Paren:
		c.retype(x.X, t)
	case *syntax.Unary:
		c.retype(x.X, t)
	case *syntax.Binary:
		c.retype(x.X, t)
		c.retype(x.Y, t)
	}
	c.fold(e, t)
}

// mismatch reports that e has type got where want is expected.
func (c *checker) mismatch(e syntax.Expr, got, want Type, why *reason) {
	got, want = c.shown(got), c.shown(want)
	switch e.(type) {
	case *syntax.While, *syntax.For, *syntax.Loop:
		c.err(diag.MissingValue, e.Span(), "%s must be `%s`, but a loop gives no value", cmp.Or(why, becauseValue), want).
			help("put the value after the loop")
		return
	}
	gs, ws := got.String(), want.String()
	if isNone(e) {
		gs = "none"
		c.giveUp(got, 0)
	}
	if gs == ws {
		gs, ws = qualified(got), qualified(want)
	}
	d := c.err(diag.TypeMismatch, e.Span(), "expected `%s`, found `%s`", ws, gs)
	if why != nil {
		if s := why.String(); s != "" {
			d.Message = fmt.Sprintf("%s must be `%s`, but this is `%s`", s, ws, gs)
		}
		note := why.note
		if note == "" {
			note = "declared here"
		}
		d.label(why.at, "%s", note)
	}
	d.text("this is `%s`", gs)
	if why != nil && why.recv != nil {
		d.note("it is called on a value of type `%s`", written(c.shown(why.recv)))
	}
	if c.explainQuestion(d, e, got, want) {
		return
	}
	c.explainMismatch(d, e, got, want)
}

// explainQuestion says of a function that was to make a question for an actor that
// what it makes has no place for an answer, or one for another type.
func (c *checker) explainQuestion(d report, e syntax.Expr, got, want Type) bool {
	g, ok1 := got.(*Func)
	w, ok2 := want.(*Func)
	if !ok1 || !ok2 || len(w.Params) != 1 || !isReply(w.Params[0]) {
		return false
	}
	for _, p := range g.Params {
		if isReply(p) {
			d.help("its answer is of type `%s`", Prune(p.(*Named).Args[0]))
			return true
		}
	}
	d.help("what it makes has no `actor.Reply` to be answered with: send it with `tell`")
	return true
}

// isReply reports a place for the answer to an actor's question.
func isReply(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Name == "Reply" && n.Decl.Native && n.Decl.Module.Std
}

// written prints a type as a user writes it: a name of the library with its module.
func written(t Type) string {
	n, ok := t.(*Named)
	if !ok || !n.Decl.Module.Std || strings.HasPrefix(n.Decl.Module.Path, "prelude") {
		return t.String()
	}
	module, _, _ := strings.Cut(n.Decl.Module.Path, "/")
	return module + "." + t.String()
}

// explainMismatch adds what mends the usual mismatches.
func (c *checker) explainMismatch(d report, e syntax.Expr, got, want Type) {
	if isNone(e) {
		d.help("only an optional can be none: declare it as `%s?`", want)
		return
	}
	src := c.source(e.Span())
	wrap := func(title, before, after string) {
		d.fix(title, diag.Edit{Span: e.Span(), New: before + src + after})
	}
	if inner, ok := optionalOf(got); ok && Identical(inner, want) {
		d.help("it may be none: use `x ?? default`, `if let v = x { }`, or `x!` to throw when it is none")
		return
	}
	if a, ok := got.(*App); ok && Identical(a.Args[0], want) {
		switch a.Ctor {
		case CTask:
			d.help("wait for the task's value with `await`")
			wrap("await the task", "await ", "")
			return
		case CMutex:
			d.help("use the value inside `lock m as v { ... }`")
			return
		}
	}
	if f, ok := got.(*Func); ok && Identical(f.Result, want) && slices.ContainsFunc(f.Params, isReply) {
		d.help("this makes a question for an actor: send it with `ask`, which puts the place for the answer in")
		return
	}
	if f, ok := got.(*Func); ok && len(f.Params) == 0 && Identical(f.Result, want) {
		d.help("call the function to get its result")
		wrap("call it", "", "()")
		return
	}
	if n, ok := want.(*Named); ok && n.Decl.Kind == KInterface {
		if why := c.unsatisfied(got, n); why != nil {
			why.explain(d)
		}
		return
	}
	if got == Type(Unit) && want != Type(Never) {
		d.help("nothing is given back here: end the block with the value that is wanted")
		return
	}
	switch want {
	case Type(Str):
		d.help("turn it into text with `str(x)` or in a string: \"${x}\"")
		wrap("convert to str", "str(", ")")
	case Type(Float):
		if got == Type(Int) {
			d.help("only integer literals become float by themselves; convert with `float(x)`")
			wrap("convert to float", "float(", ")")
		} else if got == Type(Str) {
			d.help("`float(x)` reads a number from text and throws when it is none")
		}
	case Type(Int):
		if got == Type(Float) {
			d.help("`int(x)` cuts the fraction off")
			wrap("convert to int", "int(", ")")
		} else if got == Type(Str) {
			d.help("`int(x)` reads a number from text and throws when it is none")
		}
	case Type(Bool):
		switch {
		case got == Type(Int):
			d.help("compare it: `x != 0`")
		case got == Type(Str):
			d.help("compare it: `x != \"\"`")
		default:
			if _, ok := optionalOf(got); ok {
				d.help("compare it, `x != none`, or use its value: `if let v = x { ... }`")
			}
		}
	case Type(Duration):
		if got == Type(Int) {
			d.help("write a unit (`500ms`, `2s`) or multiply: `n * 1s`")
		}
	}
	c.explainInvariance(d, got, want)
}

// explainInvariance says why [Circle] is no [Shape].
func (c *checker) explainInvariance(d report, got, want Type) {
	g, ok1 := got.(*App)
	w, ok2 := want.(*App)
	if !ok1 || !ok2 || g.Ctor != w.Ctor || len(g.Args) != len(w.Args) {
		return
	}
	for i := range g.Args {
		if !Identical(g.Args[i], w.Args[i]) && !hasOpen(g.Args[i], 0) && c.convertible(nil, g.Args[i], w.Args[i]) {
			d.note("a `%s` would be accepted as a `%s`, but not inside another type: that could be written to through either", g.Args[i], w.Args[i])
			d.help("write the type where the value is made, so that it is built as `%s`", want)
			return
		}
	}
}

// shown is a type as a message prints it: solved variables replaced.
func (c *checker) shown(t Type) Type {
	z, _ := zonk(t, 0)
	return z
}

// qualified prints a type with the modules of its names.
func qualified(t Type) string {
	n, ok := t.(*Named)
	if !ok {
		return t.String()
	}
	s := n.Decl.Module.Name + "." + n.Decl.Name
	if len(n.Args) > 0 {
		parts := make([]string, len(n.Args))
		for i, a := range n.Args {
			parts[i] = qualified(Prune(a))
		}
		s += "<" + strings.Join(parts, ", ") + ">"
	}
	return s
}
