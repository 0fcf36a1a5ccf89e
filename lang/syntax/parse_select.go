package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// selectExpr parses a select.
//
// ebnf: Select    = "select" "{" { SelectArm } "}" .
// ebnf: SelectArm = ( Receive | Send | After | "_" ) "=>" ( Block | Assignment | Expr ) ( newline | "," ) .
// ebnf: Receive   = [ "let" Pattern "=" ] Postfix . // a call of recv
// ebnf: Send      = Postfix . // a call of send
// ebnf: After     = "after" Expr .
func (p *parser) selectExpr() Expr {
	start := p.start
	p.next()
	s := &Select{}
	p.arms(func() {
		at := p.start
		p.selectSlip()
		a := &SelectArm{}
		p.selectHead(a)
		p.arrow()
		a.Body = p.armBody()
		a.Sp = p.span(at)
		s.Arms = append(s.Arms, a)
	})
	s.ExprBase = p.base(start)
	return s
}

func (p *parser) selectHead(a *SelectArm) {
	switch {
	case p.kind == token.Let:
		p.next()
		a.Bind = p.letPattern()
		p.expect(token.Eq)
		p.chanOp(a)
	case p.at("_") && p.next2() == token.FatArrow:
		a.Kind = SelDefault
		p.next()
	case p.kind == token.Else:
		p.report(diag.BadSelectArm, p.here(), "the arm for when nothing is ready is written `_`")
		p.bail()
	case p.at("after") && p.next2() != token.Dot:
		a.Kind = SelAfter
		p.next()
		a.X = p.expr()
	default:
		p.chanOp(a)
	}
}

// chanOp parses the channel operation of an arm.
func (p *parser) chanOp(a *SelectArm) {
	start := p.start
	x := p.expr()
	if c, ok := x.(*Call); ok {
		m, ok := c.Fn.(*Member)
		switch {
		case !ok || m.Safe:
		case m.Name.Text == "recv" && len(c.Args) == 0:
			a.Kind, a.Chan = SelRecv, m.X
			return
		case m.Name.Text == "send" && len(c.Args) == 1 && a.Bind == nil:
			a.Kind, a.Chan, a.X = SelSend, m.X, c.Args[0].Value
			return
		}
	}
	d := p.report(diag.BadSelectArm, p.span(start), "this is no channel operation")
	d.Help = append(d.Help, "an arm of a `select` is `let v = ch.recv() => ...`, `ch.send(x) => ...`, `after 1s => ...` or `_ => ...`")
	p.bail()
}
