package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// A generator is a function whose declared result is an Iterator<T> and that holds
// a `yield`. A call of it runs nothing; each next() runs it to the next yield.

// elementOf returns the type of the elements of a generator with a result.
func elementOf(result Type) (Type, bool) {
	n, ok := orInvalid(result).(*Named)
	if !ok || n.Decl.Name != "Iterator" || !n.Decl.Module.prelude {
		return nil, false
	}
	return n.Args[0], true
}

// functionBody checks the body of a function whose result is known.
func (c *checker) functionBody(body syntax.Expr, fr *frame) {
	reports := len(c.reports)
	if !fr.yields {
		c.check(body, fr.result, fr.why)
		c.yieldMeant(body, fr, reports)
		return
	}
	c.drop(body)
	last := tail(body)
	t := c.info.TypeOf(last)
	if _, ok := elementOf(fr.result); !ok || len(c.reports) > reports || t == nil || !c.iterates(t) {
		return
	}
	c.err(diag.DroppedValue, last.Span(), "this iterator is not used").
		note("the function is a generator: it gives what it yields, and no other result").
		help("give its elements: `for x in %s { yield x }`", c.source(last.Span()))
}

// yieldMeant is for a function whose elements a lambda in it should have yielded: that it
// gives no iterator follows from that, and was reported from reports on.
func (c *checker) yieldMeant(body syntax.Expr, fr *frame, reports int) {
	if !fr.yielded {
		return
	}
	for _, d := range c.reports[min(reports, len(c.reports)):] {
		if at := body.Span(); d.Code == diag.TypeMismatch && d.Span == tail(body).Span() || d.Code == diag.MissingValue && d.Span.End == at.End {
			c.follows[d] = true
		}
	}
}

// iterates reports whether a type is an Iterator.
func (c *checker) iterates(t Type) bool {
	if _, ok := elementOf(t); ok {
		return true
	}
	fn, _ := c.methodOf(t, "next")
	return fn != nil && len(fn.Params) == 0
}

func (c *checker) yield(e *syntax.Yield) Type {
	fr := c.frame
	elem, ok := elementOf(fr.result)
	switch {
	case fr.defers > 0:
		c.cannotYield(e, "defer", "what is deferred runs when the function has ended")
	case !ok:
		c.yieldOutside(e)
		return Unit
	case fr.held == "lock":
		c.cannotYield(e, "lock", "the mutex would stay locked until somebody asks for the next element, which may be never").
			help("copy what is needed in the `lock`, and `yield` behind it")
	case fr.held == "scope":
		c.cannotYield(e, "scope", "its tasks would be waited for when somebody asks for the next element, which may be never").
			help("get the values in the `scope`, and `yield` them behind it")
	case fr.held == "select":
		c.cannotYield(e, "select", "").help("let the `select` give a value, and `yield` it behind: `let x = select { ... }`")
	}
	c.check(e.X, elem, &reason{text: "each element of this generator", at: fr.why.at, note: fr.why.note})
	return Unit
}

func (c *checker) cannotYield(e *syntax.Yield, what, why string) report {
	d := c.err(diag.YieldWithin, e.Sp, "`yield` cannot stand in a `%s`", what)
	if why != "" {
		d.note("%s", why)
	}
	return d
}

// yieldOutside reports a yield in what is not a generator.
func (c *checker) yieldOutside(e *syntax.Yield) {
	fr := c.frame
	r := c.openRegion()
	t := c.expr(e.X, nil, nil)
	c.closeRegion(r)
	result := "Iterator<T>"
	if !isOpen(t) && t != Type(Invalid) && t != Type(Never) {
		result = "Iterator<" + c.shown(t).String() + ">"
	}
	switch node := fr.node.(type) {
	case *FuncDecl:
		d := c.err(diag.YieldOutside, e.Sp, "this function yields, but its result is not an `Iterator`")
		switch {
		case node.Syntax.Result != nil:
			d.label(node.Syntax.Result.Span(), "declared here").help("declare it: `-> %s`; or collect the elements in a list and give that", result)
		case result == "Iterator<T>" || node.Syntax.Body == nil:
			d.label(node.At, "declared without a result").help("declare it: `-> %s`", result)
		default:
			at := node.Syntax.Body.Sp.Start
			d.label(node.At, "declared without a result").
				fix("declare it: `-> "+result+"`", diag.Edit{Span: diag.Span{Start: at, End: at}, New: "-> " + result + " "})
		}
	case *syntax.Lambda:
		d := c.err(diag.YieldOutside, e.Sp, "this `yield` belongs to the lambda around it, whose result is not an `Iterator`")
		fr.parent.yielded = true
		if res := Prune(fr.result); node.Result != nil || !isOpen(res) && res != Type(Invalid) {
			d.help("a `for` loop is no function: a `yield` in its body belongs to the function around it")
		} else {
			c.tryUnify(fr.result, Invalid)
			params := "|...|"
			if len(node.Params) == 0 {
				params = "||"
			}
			d.help("write the lambda's result: `%s -> %s { ... }`", params, result)
		}
	case *syntax.Spawn:
		c.err(diag.YieldOutside, e.Sp, "a task has nobody to yield to").
			note("it runs beside the function around it").
			help("send the values over a channel, and `yield` what comes out of it")
	default:
		c.err(diag.YieldOutside, e.Sp, "`yield` can only stand in a function whose result is an `Iterator`").
			help("put it in one: `fn items() -> %s { ... }`", result)
	}
}

// noDefer reports a defer in a generator.
func (c *checker) noDefer(s *syntax.DeferStmt) {
	if c.frame.yields && c.frame.defers == 0 {
		c.err(diag.YieldWithin, s.Sp, "a generator cannot `defer`").
			note("nobody promises to run it to its end: who iterates may stop half-way").
			help("leave what is to be done to who iterates")
	}
}

// hold notes that a lock, scope or select is open until the function that it gives is called.
func (c *checker) hold(what string) func() {
	fr := c.frame
	outer := fr.held
	fr.held = what
	return func() { fr.held = outer }
}
