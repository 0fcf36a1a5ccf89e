package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// loop is a loop around the code being checked.
type loop struct {
	label  string
	expr   syntax.Expr
	broken bool // a break leaves it
}

func (c *checker) inLoop(e syntax.Expr, label syntax.Name, body *syntax.Block) *loop {
	l := &loop{label: label.Text, expr: e}
	if label.Text != "" {
		for _, o := range c.frame.loops {
			if o.label == label.Text {
				c.err(diag.DuplicateName, label.Sp, "a loop around this one has the label `%s` too", label.Text)
			}
		}
	}
	c.frame.loops = append(c.frame.loops, l)
	facts := len(c.facts)
	c.drop(body)
	c.facts = c.facts[:facts]
	c.frame.loops = c.frame.loops[:len(c.frame.loops)-1]
	return l
}

func (c *checker) while(e *syntax.While) Type {
	names, facts := len(c.names), len(c.facts)
	yes, no := c.condHead(e.Cond)
	c.facts = append(c.facts, yes...)
	l := c.inLoop(e, e.Label, e.Body)
	c.reportUnusedLocals(names)
	c.names, c.facts = c.names[:names], c.facts[:facts]
	if !l.broken {
		c.facts = append(c.facts, no...)
	}
	return Unit
}

func (c *checker) loopExpr(e *syntax.Loop) Type {
	if c.inLoop(e, e.Label, e.Body).broken {
		return Unit
	}
	return Never
}

func (c *checker) jump(e syntax.Expr, label syntax.Name, at diag.Span, what string) Type {
	loops := c.frame.loops
	if len(loops) == 0 {
		switch {
		case c.frame.defers > 0:
			c.err(diag.LeavesDefer, at, "`%s` cannot leave a `defer`", what)
		case c.frame.parent != nil && len(c.frame.parent.loops) > 0:
			c.err(diag.OutsideLoop, at, "`%s` cannot leave a closure or task for the loop around it", what).
				help("give back a value and let the loop decide")
		default:
			c.err(diag.OutsideLoop, at, "`%s` can only stand in a loop", what)
		}
		return Invalid
	}
	target := loops[len(loops)-1]
	if label.Text != "" {
		target = nil
		var labels []string
		for _, l := range loops {
			if l.label == label.Text {
				target = l
			}
			if l.label != "" {
				labels = append(labels, l.label)
			}
		}
		if target == nil {
			c.err(diag.UnknownLabel, label.Sp, "no loop around this has the label `%s`", label.Text).
				didYouMean(label.Text, label.Sp, labels)
			return Invalid
		}
	}
	if what == "break" {
		target.broken = true
	}
	c.info.Labels[e] = target.expr
	return Never
}

func (c *checker) returnExpr(e *syntax.Return) Type {
	fr := c.frame
	switch {
	case fr.defers > 0:
		c.err(diag.LeavesDefer, e.Sp, "`return` cannot stand in a `defer`").note("it runs when the function has ended already")
	case fr.yields && e.X != nil:
		c.err(diag.TypeMismatch, e.X.Span(), "the `return` of a generator has no value").
			note("this function gives its elements with `yield`; `return` ends it").
			help("give the value before the end: `yield x`, then `return`")
	case fr.yields:
		return Never
	case fr.result == nil:
		c.err(diag.OutsideFunction, e.Sp, "`return` can only stand in a function")
	case e.X != nil && Prune(fr.result) == Type(Unit) && fr.why != nil && !c.isLambda():
		t := c.expr(e.X, nil, nil)
		if t != Type(Unit) && t != Type(Invalid) && t != Type(Never) {
			fn, ok := fr.node.(*FuncDecl)
			if ok && fn.Syntax != nil && fn.Syntax.Untyped {
				return Never // the parser has told
			}
			d := c.err(diag.TypeMismatch, e.X.Span(), "this function gives no value")
			if ok {
				d.label(fn.At, "declared without a result").help("declare it: `-> %s`", c.shown(t))
			}
		}
		return Never
	case e.X != nil:
		c.check(e.X, fr.result, fr.why)
		c.commentedOperand(e.X)
		return Never
	default:
		if t := Prune(fr.result); isOpen(t) {
			c.tryUnify(t, Unit)
		} else if t != Type(Unit) && t != Type(Invalid) {
			c.err(diag.MissingValue, e.Sp, "this `return` needs a value of type `%s`", c.shown(t))
		}
		return Never
	}
	if e.X != nil {
		c.expr(e.X, nil, nil)
	}
	return Invalid
}

func (c *checker) forExpr(e *syntax.For) Type {
	names, facts := len(c.names), len(c.facts)
	info := &ForInfo{Elem: Invalid}
	vars := c.iterate(e, info)
	c.lastIndex(e)
	c.info.Fors[e] = info
	for i, p := range e.Vars {
		var t Type = Invalid
		if i < len(vars) {
			t = vars[i]
		}
		b, ok := p.(*syntax.BindPattern)
		if !ok || b.Type != nil {
			if c.twoMeant(e, p, info, t) {
				t = Invalid
			}
			c.bindParts(p, t, names, inFor)
			continue
		}
		c.info.Pats[b] = &PatInfo{Type: t}
		c.settle(&c.info.Pats[b].Type)
		c.setType(b.Id, t)
		if b.Name.Text == "_" {
			continue
		}
		c.lowerCase(b.Name, "variable")
		l := c.newLocal(b.Name, t)
		l.Used = true
		c.settle(&l.Type)
		c.info.Pats[b].Bind = l
		c.bind(b.Name, l, names)
	}
	c.settle(&info.Elem)
	c.settle(&info.Key)
	reports := len(c.reports)
	c.inLoop(e, e.Label, e.Body)
	c.pairsMeant(e, info, reports)
	c.names, c.facts = c.names[:names], c.facts[:facts]
	return Unit
}

// twoMeant reports parentheses around two names where what runs over gives two by itself,
// and no pairs.
func (c *checker) twoMeant(e *syntax.For, p syntax.Pattern, info *ForInfo, t Type) bool {
	two, ok := p.(*syntax.TuplePattern)
	if !ok || len(two.Elems) != 2 || two.Rest > 0 || len(e.Vars) != 1 || t == Type(Invalid) || isOpen(t) || isTuple(orInvalid(withoutOptional(t))) {
		return false
	}
	gives := "the index and the element"
	switch info.Kind {
	case ForMap:
		gives = "the key and the value"
	case ForList, ForStr, ForBytes:
	default:
		return false
	}
	at := p.Span()
	c.err(diag.PatternMismatch, at, "this pattern is a tuple, but the value is `%s`", c.shown(t)).
		fix("for "+gives+" leave out the parentheses", diag.Edit{Span: diag.Span{Start: at.Start, End: at.Start + 1}},
			diag.Edit{Span: diag.Span{Start: at.End - 1, End: at.End}})
	return true
}

// pairsMeant tells of a loop over a list of pairs whose two variables are index and
// element, at the first error in its body, found from reports on, about one of them.
func (c *checker) pairsMeant(e *syntax.For, info *ForInfo, reports int) {
	if info.Kind != ForList || !c.isPair(e.Vars, info.Elem) {
		return
	}
	for _, d := range c.reports[min(reports, len(c.reports)):] {
		if d.Severity == diag.Error && c.usesOf(e, d.Span) {
			d.Help, d.Fixes = nil, nil // they mend the error as if the variables were what they are
			report{d, c}.note("a list gives `for a, b in` the index and the element, which is `%s`", c.shown(info.Elem)).
				fix("take the pair apart", pairEdits(e)...)
			return
		}
	}
}

// isPair reports whether two variables stand where elements are pairs, whose parts they fit.
func (c *checker) isPair(vars []syntax.Pattern, elem Type) bool {
	a, ok := appOf(Prune(elem), CTuple)
	if !ok || len(a.Args) != 2 || len(vars) != 2 {
		return false
	}
	for i, v := range vars {
		switch v := v.(type) {
		case *syntax.BindPattern:
		case *syntax.TuplePattern:
			if part, ok := appOf(Prune(a.Args[i]), CTuple); !ok || !v.Fits(len(part.Args)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pairEdits put the variables of a loop in parentheses.
func pairEdits(e *syntax.For) []diag.Edit {
	first, last := e.Vars[0].Span().Start, e.Vars[1].Span().End
	return []diag.Edit{{Span: diag.Span{Start: first, End: first}, New: "("}, {Span: diag.Span{Start: last, End: last}, New: ")"}}
}

// usesOf reports whether the expression that a place is in, in the body of a loop, uses
// the loop's variables.
func (c *checker) usesOf(e *syntax.For, at diag.Span) (found bool) {
	var around syntax.Node
	syntax.Walk(e.Body, func(n syntax.Node) bool {
		if sp := n.Span(); sp.Start > at.Start || sp.End < at.End {
			return false
		}
		around = n
		return true
	})
	if _, ok := around.(*syntax.Block); ok || around == nil {
		return false
	}
	syntax.Walk(around, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			for _, v := range e.Vars {
				syntax.Walk(v, func(n syntax.Node) bool {
					p, _ := n.(syntax.Pattern)
					info := c.info.Pats[p]
					found = found || info != nil && info.Bind != nil && c.info.Uses[id.Id] == Object(info.Bind)
					return true
				})
			}
		}
		return !found
	})
	return found
}

// iterate finds out how a for runs, and the types of its variables.
func (c *checker) iterate(e *syntax.For, info *ForInfo) []Type {
	over := e.X
	if inner := c.countedElsewhere(e); inner != nil {
		over = inner
	}
	t := Prune(c.expr(over, nil, nil))
	one := func(kind ForKind, elem Type) []Type {
		info.Kind, info.Elem = kind, Prune(elem)
		if len(e.Vars) > 1 {
			d := c.err(diag.NotIterable, e.Vars[1].Span(), "this loop has only one variable: `%s` gives one value each turn", c.shown(t))
			if c.isPair(e.Vars, elem) {
				d.fix("take the pair apart", pairEdits(e)...)
			} else {
				d.help("only lists, maps and strings give two")
			}
		}
		return []Type{info.Elem}
	}
	two := func(kind ForKind, first, elem Type) []Type {
		info.Kind, info.Elem = kind, Prune(elem)
		if len(e.Vars) < 2 {
			return []Type{info.Elem}
		}
		return []Type{Prune(first), info.Elem}
	}
	if _, ok := unparen(over).(*syntax.RangeLit); ok {
		return one(ForRange, Int)
	}
	switch x := t.(type) {
	case *App:
		switch x.Ctor {
		case CList:
			return two(ForList, Int, x.Args[0])
		case CMap:
			info.Key = Prune(x.Args[0])
			if len(e.Vars) < 2 {
				two(ForMap, nil, x.Args[1])
				return []Type{info.Key}
			}
			return two(ForMap, x.Args[0], x.Args[1])
		case CSet:
			return one(ForSet, x.Args[0])
		case CChan:
			return one(ForChan, x.Args[0])
		}
	case *Basic:
		switch x {
		case Str:
			return two(ForStr, Int, Str)
		case Bytes:
			return two(ForBytes, Int, Int)
		case Invalid, Never:
			return nil
		}
	case *Var:
		c.unknownYet(e.X, x)
		return nil
	}
	if c.isRange(t) {
		return one(ForRangeVal, Int)
	}
	if next, recvArgs := c.methodOf(t, "next"); next != nil && len(next.Params) == 0 && len(next.TypeParams) == 0 {
		if elem, ok := optionalOf(methodSubst(next, recvArgs, nil).Apply(next.Result)); ok {
			c.useFunc(next, e.X.Span())
			info.Next = &CallInfo{Kind: c.methodKind(t, next), Fn: next, RecvArgs: append([]Type(nil), recvArgs...)}
			c.settleAll(info.Next.RecvArgs)
			return one(ForIterator, elem)
		}
	}
	d := c.err(diag.NotIterable, e.X.Span(), "a `for` cannot run over `%s`", c.shown(t))
	switch {
	case t == Type(Int):
		d.help("count with a range: `for i in 0..n`")
	case isTuple(t):
		d.help("a tuple's elements have different types; name them: `let (a, b) = t`")
	default:
		if _, ok := optionalOf(t); ok {
			d.help("it may be none: use `if let xs = ... { for x in xs { } }`")
		} else {
			d.help("lists, maps, sets, strings, bytes, ranges, channels and types with `fn next() -> T?` can be run over")
		}
	}
	return nil
}
