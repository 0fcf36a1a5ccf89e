package types

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

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
	c.noteReceiver(d, why)
	if c.explainAnew(d, got, want) {
		return
	}
	if c.explainDecided(d, e, got, want, why) || c.explainQuestion(d, e, got, want) {
		return
	}
	c.explainMismatch(d, e, got, want)
}

// isPostfix reports whether `.name` can stand behind an expression as it is written.
func isPostfix(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.Ident, *syntax.Member, *syntax.Call, *syntax.SelfExpr, *syntax.Index, *syntax.Paren:
		return true
	}
	return false
}

// methodLike names the one method of a struct that is such a function as is wanted.
func methodLike(got, want Type) (name string) {
	n, ok := Prune(got).(*Named)
	f, isFunc := Prune(want).(*Func)
	if !ok || !isFunc || len(n.Args) > 0 {
		return ""
	}
	for _, m := range n.Decl.Methods {
		fits := len(m.Params) == len(f.Params) && len(m.TypeParams) == 0 && Identical(m.Result, f.Result)
		for i := range f.Params {
			fits = fits && Identical(m.Params[i].Type, f.Params[i])
		}
		if fits && name != "" {
			return ""
		}
		if fits {
			name = m.Name
		}
	}
	return name
}

// explainMismatch adds what mends the usual mismatches.
func (c *checker) explainMismatch(d report, e syntax.Expr, got, want Type) {
	if isNone(e) {
		d.help("only an optional can be none: declare it as `%s?`", want)
		return
	}
	if name := methodLike(got, want); name != "" && isPostfix(e) {
		d.fix("its method does it", diag.Edit{Span: diag.Span{Start: e.Span().End, End: e.Span().End}, New: "." + name})
		return
	}
	if want == Type(Duration) && c.hasMember(got, "since") {
		d.help("the time since then is `time.now() - %s`; what takes a duration goes with `time.mono()`", c.short(e))
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
	if f, ok := got.(*Func); ok && Identical(f.Result, want) {
		if v := c.variantUsed(e); v != nil {
			d.help("`%s` has fields: write `%s`", v.Name, c.withFields(e, v, "reply"))
			return
		}
	}
	if c.explainShape(e, got, want, wrap) || c.explainActor(d, got, want) {
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
	if inner, ok := optionalOf(want); ok && got != Type(Unit) {
		want = Prune(inner)
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
		c.truth(d, e, got)
	case Type(Duration):
		if got == Type(Int) {
			d.help("write a unit (`500ms`, `2s`) or multiply: `n * 1s`")
		}
	}
	c.explainInvariance(d, got, want)
}

// explainShape offers to put a value into the function or the list that is
// expected, or to take it out of a function that is none.
func (c *checker) explainShape(e syntax.Expr, got, want Type, wrap func(title, before, after string)) bool {
	fits := func(to Type) bool {
		mark := len(c.trail)
		defer c.undo(mark)
		to = Prune(to)
		return !isOpen(to) && to != Type(Any) && to != Type(Unit) && c.convertible(nil, got, to)
	}
	if w, ok := want.(*Func); ok && fits(w.Result) {
		params := strings.Repeat("_, ", len(w.Params))
		wrap("make it a function", "|"+strings.TrimSuffix(params, ", ")+"| ", "")
		return true
	}
	if w, ok := appOf(want, CList); ok && fits(w.Args[0]) {
		wrap("put it into a list", "[", "]")
		return true
	}
	return false
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
