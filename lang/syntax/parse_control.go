package syntax

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// head parses the expression between a keyword and the { of its body. If it is
// broken, the body is parsed all the same.
func (p *parser) head() (x Expr) {
	m := p.mark()
	defer func() {
		if p.caught(recover(), m, p.skipHead) {
			if p.kind != token.LBrace {
				p.bail()
			}
			x = &BadExpr{p.base(m.start)}
		}
		p.noBrace = m.noBrace
	}()
	p.noBrace = true
	return p.expr()
}

// ifExpr parses an if with its else branches.
//
// ebnf: If   = "if" Cond Block [ "else" ( If | Block ) ] .
// ebnf: Cond = Test { "&&" Test } . // a map here stands in parentheses
// ebnf: Test = [ "let" Pattern "=" ] Expr .
func (p *parser) ifExpr() Expr {
	h := p.enter()
	e := &If{}
	chain := []*If{e}
	for {
		e.Sp.Start = p.start
		p.next()
		e.Cond = p.cond()
		e.Then = p.body()
		if !p.elifSlip() && !(p.accept(token.Else) && p.kind == token.If) {
			break
		}
		p.grow()
		next := &If{}
		e.Else, e = next, next
		chain = append(chain, next)
	}
	if p.last == token.Else {
		e.Else = p.body()
	}
	for _, e := range chain {
		e.ExprBase = p.base(e.Sp.Start)
	}
	p.leave(h)
	return chain[0]
}

// cond parses the head of an if or while.
func (p *parser) cond() Cond {
	c := p.test()
	for p.kind == token.AndAnd || c.Binds() && p.condCommaSlip() {
		and := p.here()
		p.next()
		next := p.test()
		next.AndSp = and
		more := next.More
		next.More = nil
		c.More = append(append(c.More, next), more...)
	}
	return c
}

// test parses a condition up to the next `let`.
func (p *parser) test() Cond {
	if p.kind != token.Let {
		m := p.start
		x := p.conditionSlip(p.head())
		if p.condSlip(m) || p.commentedHead().IsValid() {
			x = &BadExpr{p.base(m)}
		}
		return Cond{X: x}
	}
	p.next()
	c := Cond{Pattern: p.pattern(true)}
	if p.kind != token.Eq {
		p.failExpected("`=`")
	}
	p.next()
	c.X = p.head()
	for b, ok := c.X.(*Binary); ok && b.Op == OpAndAnd; b, ok = c.X.(*Binary) {
		c.X = b.X
		c.More = append(c.More, Cond{X: b.Y, AndSp: b.OpSp})
	}
	slices.Reverse(c.More)
	return c
}

// body parses the block of a construct whose head was parsed.
func (p *parser) body() *Block {
	slashes, before := p.commentedHead(), len(p.diags)
	if b := p.bareBody(p.from); b != nil {
		if slashes.IsValid() && len(p.diags) > before {
			p.notDivided(p.diags[before], slashes)
		}
		return b
	}
	p.bodySlip()
	return p.block()
}

// loop parses a loop with its label.
//
// ebnf: While = "while" Cond Block .
// ebnf: Loop  = "loop" Block .
// ebnf: For   = "for" Pattern [ "," Pattern ] "in" Expr Block . // patterns that cannot fail
func (p *parser) loop() Expr {
	start := p.start
	h := p.enter()
	defer p.leave(h)
	var label Name
	if p.kind == token.Label {
		label = p.label()
		if p.kind != token.Colon {
			d := p.report(diag.MisplacedWord, p.span(start), "a label stands before a loop or after `break` and `continue`")
			d.Help = append(d.Help, "write `'"+label.Text+": for ...`")
			p.bail()
		}
		p.next()
	}
	switch p.kind {
	case token.While:
		p.next()
		w := &While{Label: label, Cond: p.cond()}
		w.Body = p.body()
		w.ExprBase = p.base(start)
		return w
	case token.Loop:
		p.next()
		l := &Loop{Label: label, Body: p.body()}
		l.ExprBase = p.base(start)
		return l
	case token.For:
		p.next()
		if w := p.loopSlip(start, label); w != nil {
			return w
		}
		f := &For{Label: label}
		p.forHead(f)
		f.Body = p.body()
		f.ExprBase = p.base(start)
		return f
	}
	p.failExpected("`for`, `while` or `loop` after the label")
	return nil
}

// forHead parses a for up to its body. If it is broken, the body is parsed all
// the same.
func (p *parser) forHead(f *For) {
	m := p.mark()
	defer func() {
		if p.caught(recover(), m, p.skipHead) {
			if p.kind != token.LBrace {
				p.bail()
			}
			f.X = &BadExpr{p.base(m.start)}
		}
	}()
	if p.forSlip(f) {
		return
	}
	for {
		f.Vars = append(f.Vars, p.forPattern())
		if p.kind != token.Comma {
			break
		}
		if len(f.Vars) == 2 {
			d := p.report(diag.UnexpectedToken, p.here(), "a `for` has one or two variables")
			d.Help = append(d.Help, "a tuple is taken apart in parentheses: `for (a, b, c) in xs { ... }`")
			p.bail()
		}
		p.next()
	}
	if p.at("of") && p.next2() != token.LBrace {
		p.instead("in")
		p.kind = token.In
	}
	if p.kind != token.In {
		d := p.report(diag.UnexpectedToken, p.where(), "expected `in`, found %s", p.found())
		d.Help = append(d.Help, forms)
		p.bail()
	}
	p.next()
	f.X = p.head()
	p.stepSlip(f)
}

// matchExpr parses a match.
//
// ebnf: Match    = "match" Expr "{" { MatchArm } "}" . // a map as the operand stands in parentheses
// ebnf: MatchArm = Pattern [ "if" Expr ] "=>" ( Block | Assignment | Expr ) ( newline | "," ) .
func (p *parser) matchExpr() Expr {
	start := p.start
	p.next()
	from := p.start
	e := &Match{X: p.head()}
	if m := p.start; p.condSlip(from) {
		e.X = &BadExpr{p.base(m)}
	}
	outer := p.cases
	p.cases = caseArms{}
	defer func() { p.cases = outer }()
	p.arms(func() {
		if a := p.armSlip(); a != nil {
			e.Arms = append(e.Arms, a)
			return
		}
		a := &MatchArm{Pattern: p.pattern(true)}
		if p.accept(token.If) {
			a.Guard = p.guard()
		}
		p.arrow()
		a.Body = p.armBody()
		e.Arms = append(e.Arms, a)
	})
	e.ExprBase = p.base(start)
	return e
}

// arms parses the arms of a match or select.
func (p *parser) arms(arm func()) {
	p.members("an arm", func(uint32, string) { arm() })
}

// arrow takes the => of an arm.
func (p *parser) arrow() {
	if p.kind == token.Arrow || p.kind == token.Colon {
		arrow := "=>"
		if p.kind == token.Colon {
			arrow = " =>" // a colon stands close to what is before it
		}
		p.report(diag.ForeignSyntax, p.here(), "an arm is written with `=>`").
			Fixes = []diag.Fix{{Title: "write `=>`", Edits: []diag.Edit{{Span: p.here(), New: arrow}}}}
		p.next()
		return
	}
	p.expect(token.FatArrow)
}

// tryExpr parses a try.
//
// ebnf: Try   = "try" Block Catch { Catch } .
// ebnf: Catch = "catch" ( name | "_" ) [ ":" Type ] Block .
func (p *parser) tryExpr() Expr {
	start := p.start
	p.next()
	t := &Try{Body: p.body()}
	finally := p.catchSlip()
	for p.kind == token.Catch {
		t.Catches = append(t.Catches, p.catch())
		finally = p.catchSlip() || finally
	}
	if len(t.Catches) == 0 && !finally {
		d := p.report(diag.TryWithoutCatch, p.where(), "a `try` needs a `catch`")
		d.Help = append(d.Help, "write `try { ... } catch e { ... }`; for something done in any case use `defer`")
	}
	t.ExprBase = p.base(start)
	return t
}

func (p *parser) catch() *CatchClause {
	start := p.start
	p.next()
	c := &CatchClause{}
	switch p.kind {
	case token.FatArrow:
		p.drop("a `catch` names the error directly: `catch e { ... }`")
		c.Name = p.name("an error")
	case token.LBrace, token.Colon:
		d := p.report(diag.UnexpectedToken, p.here(), "a `catch` names the error")
		d.Help = append(d.Help, "write `catch e { ... }`, or `catch _ { ... }` to ignore it")
	case token.LParen:
		p.catchParens(c)
	default:
		if p.catchTypeSlip(c) {
			break
		}
		c.Name = p.name("an error")
		if p.accept(token.Colon) {
			c.Type = p.typeExpr()
		}
	}
	c.Body = p.body()
	c.Sp = p.span(start)
	return c
}

// lockExpr parses a lock.
//
// ebnf: Lock  = "lock" Postfix "as" name Block .
// ebnf: Scope = "scope" Block .
func (p *parser) lockExpr() Expr {
	start := p.start
	h := p.enter()
	p.next()
	saved := p.noBrace
	p.noBrace = true
	l := &Lock{X: p.postfix()}
	p.noBrace = saved
	if p.kind != token.As {
		d := p.report(diag.UnexpectedToken, p.where(), "expected `as`, found %s", p.found())
		d.Help = append(d.Help, "`lock m as v { ... }` names the value that the mutex guards")
		p.bail()
	}
	p.next()
	l.Name = p.name("a variable")
	l.Body = p.body()
	l.ExprBase = p.base(start)
	p.leave(h)
	return l
}
