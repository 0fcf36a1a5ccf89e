package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Binding powers of the binary operators, loosest first.
const (
	precNone = iota
	precCoalesce
	precOrOr
	precAndAnd
	precCompare
	precRange
	precOr
	precXor
	precAnd
	precShift
	precAdd
	precMul
	precPow
)

type binaryOp struct {
	op   BinOp
	prec int8
}

var binaryOps = [token.NumKinds]binaryOp{
	token.QQ:       {OpCoalesce, precCoalesce},
	token.OrOr:     {OpOrOr, precOrOr},
	token.AndAnd:   {OpAndAnd, precAndAnd},
	token.EqEq:     {OpEq, precCompare},
	token.NotEq:    {OpNe, precCompare},
	token.Lt:       {OpLt, precCompare},
	token.LtEq:     {OpLe, precCompare},
	token.Gt:       {OpGt, precCompare},
	token.GtEq:     {OpGe, precCompare},
	token.DotDot:   {OpNone, precRange},
	token.DotDotEq: {OpNone, precRange},
	token.Pipe:     {OpOr, precOr},
	token.Caret:    {OpXor, precXor},
	token.Amp:      {OpAnd, precAnd},
	token.Shl:      {OpShl, precShift},
	token.GtGt:     {OpShr, precShift},
	token.Plus:     {OpAdd, precAdd},
	token.Minus:    {OpSub, precAdd},
	token.Star:     {OpMul, precMul},
	token.Slash:    {OpDiv, precMul},
	token.Percent:  {OpMod, precMul},
	token.StarStar: {OpPow, precPow},
}

// expr parses an expression.
//
// ebnf: Expr       = OrElse .
// ebnf: OrElse     = Or [ "??" ( OrElse | Block ) ] .
// ebnf: Or         = And { "||" And } .
// ebnf: And        = Comparison { "&&" Comparison } .
// ebnf: Comparison = Range [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) Range ] .
// ebnf: Range      = BitOr [ ".." [ BitOr ] | "..=" BitOr ] . // without an end up to the largest int
// ebnf: BitOr      = BitXor { "|" BitXor } .
// ebnf: BitXor     = BitAnd { "^" BitAnd } .
// ebnf: BitAnd     = Shift { "&" Shift } .
// ebnf: Shift      = Sum { ( "<<" | ">>" ) Sum } .
// ebnf: Sum        = Product { ( "+" | "-" ) Product } .
// ebnf: Product    = Power { ( "*" | "/" | "%" ) Power } .
// ebnf: Power      = Unary [ "**" Power ] .
func (p *parser) expr() Expr { return p.binary(precCoalesce) }

// binary parses operators that bind at least as tightly as lowest.
func (p *parser) binary(lowest int8) Expr {
	h := p.enter()
	start := p.start
	x := p.unary()
	for {
		b := binaryOps[p.kind]
		if b.prec == precNone {
			if b = p.operatorSlip(); b.prec == precNone {
				break
			}
		}
		if b.op == OpSub && !p.newline() && (p.decrements() || p.dashComment()) {
			break
		}
		if b.op == OpLt && !p.newline() {
			if y := p.arrowSend(start, x); y != nil {
				x = y
				continue
			}
		}
		if b.op == OpAndAnd && p.letBehind() {
			break
		}
		if b.prec < lowest || p.newline() && b.op != OpCoalesce && b.op != OpAndAnd {
			break
		}
		x = p.operation(start, x, b)
		p.grow()
	}
	p.leave(h)
	return x
}

// letBehind reports whether the operator at the lookahead is followed by the next test of
// a condition.
func (p *parser) letBehind() bool { return kindOf(p.peek2()) == token.Let }

// operation parses the operator at the lookahead and its right operand.
func (p *parser) operation(start uint32, x Expr, b binaryOp) Expr {
	if b.op >= opNoOp {
		return p.foreignOperation(start, x, b.op)
	}
	kind, at := p.kind, p.here()
	p.next()
	if kind == token.GtEq || kind == token.GtGt {
		at.End++
		p.next()
	}
	if kind == token.Minus {
		p.decrementSlip()
	}
	switch b.prec {
	case precRange:
		p.threeDots(kind)
		r := &RangeLit{Lo: x, Inclusive: kind == token.DotDotEq}
		if !p.openEnd(r.Inclusive) {
			r.Hi = p.binary(precRange + 1)
		}
		r.ExprBase = p.base(start)
		if y := p.concatenation(start, r); y != nil {
			return y
		}
		if (p.kind == token.DotDot || p.kind == token.DotDotEq) && !p.newline() {
			d := p.report(diag.ChainedComparison, p.here(), "ranges cannot be chained")
			d.Notes = append(d.Notes, "a range has two ends and no step")
			d.Help = append(d.Help, "texts are joined with `+`, or written together: \"${a}${b}\"")
			p.bail()
		}
		return r
	case precCompare:
		if l, ok := x.(*Binary); ok && binPrec(l.Op) == precCompare {
			d := p.remark(diag.ChainedComparison, at, "comparisons cannot be chained")
			d.Labels = append(d.Labels, diag.Label{Span: l.OpSp, Text: "the first comparison gives a bool"})
			d.Help = append(d.Help, "compare twice: `a < b && b < c`, or use parentheses")
		}
		p.comparisonSlip(kind)
	case precPow:
		if u, ok := x.(*Unary); ok && u.Op == OpNeg {
			d := p.remark(diag.MinusBeforePower, u.Sp, "a minus before `**` needs parentheses")
			d.Help = append(d.Help, "write `-(x ** y)` or `(-x) ** y`")
		}
	}
	right := b.prec + 1
	if b.prec == precPow || b.prec == precCoalesce {
		right = b.prec // these group to the right
	}
	var y Expr
	if b.op == OpCoalesce && p.kind == token.LBrace && !p.noBrace && p.blockAhead() {
		y = p.block()
	} else {
		y = p.binary(right)
	}
	return &Binary{p.base(start), b.op, at, x, y}
}

func binPrec(op BinOp) int8 {
	if op >= OpEq && op <= OpGe {
		return precCompare
	}
	return precNone
}

// openEnd reports whether a range ends here without an upper bound.
func (p *parser) openEnd(inclusive bool) bool {
	if !p.endsOperand() && !(p.kind == token.LBrace && p.noBrace) && p.kind != token.FatArrow {
		return false
	}
	if p.nl && !p.newline() && startsOperand(p.kind) {
		return false // within brackets the bound may stand on the next line
	}
	if inclusive {
		p.report(diag.UnexpectedToken, p.here(), "`..=` needs an upper bound").
			Help = []string{"write `..` for everything to the end"}
	}
	return true
}

// unary parses prefix operators and, tighter than these, `as` and `is`.
//
// ebnf: Unary  = ( "!" | "-" | "~" | "await" ) Unary | Tested .
// ebnf: Tested = Postfix { ( "as" | "is" ) Type } .
func (p *parser) unary() Expr {
	start := p.start
	var op UnOp
	switch p.kind {
	case token.Bang:
		op = OpNot
	case token.Minus:
		op = OpNeg
	case token.Tilde:
		op = OpCompl
	case token.Await:
		h := p.enter()
		p.next()
		x := p.unary()
		p.leave(h)
		return &Await{p.base(start), x}
	default:
		if p.at("not") {
			if x := p.notSlip(); x != nil {
				return x
			}
		}
		return p.tested()
	}
	h := p.enter()
	p.next()
	if op == OpNeg {
		p.minusAt = p.lex.Cursor()
	}
	x := p.unary()
	p.leave(h)
	return &Unary{p.base(start), op, x}
}

func (p *parser) tested() Expr {
	start := p.start
	x := p.postfix()
	for (p.kind == token.As || p.kind == token.Is) && !p.newline() {
		as := p.kind == token.As
		p.next()
		if !as {
			if y := p.isNotSlip(start, x); y != nil {
				x = y
				p.grow()
				continue
			}
		}
		t := p.testedType(!as)
		p.grow()
		if as {
			x = &As{p.base(start), x, t}
		} else {
			x = &Is{p.base(start), x, t}
		}
	}
	return x
}

// postfix parses an operand with what follows it: calls, members, indexes, `!`.
//
// ebnf: Postfix = Operand { ( "." | "?." ) member [ TypeArgs ] | Args | "[" Index "]" | "!" } .
// ebnf: Index   = Expr | [ BitOr ] ".." [ BitOr ] | [ BitOr ] "..=" BitOr .
func (p *parser) postfix() Expr {
	start := p.start
	x := p.operand()
	if y := p.structLit(start, x); y != nil {
		x = y
	}
	switch x.(type) {
	case *Lambda, *Return, *Throw, *Yield, *Break, *Continue:
		return x
	}
	for {
		switch p.kind {
		case token.Dot, token.QDot:
			x = p.member(start, x)
		case token.LParen:
			if p.newline() {
				return x
			}
			x = p.call(start, x)
		case token.LBrack:
			if p.newline() {
				return x
			}
			x = p.index(start, x)
		case token.Bang:
			if p.newline() {
				return x
			}
			p.next()
			x = &Unwrap{p.base(start), x}
		default:
			if y := p.postfixSlip(start, x); y != nil {
				x = y
				break
			}
			return x
		}
		p.grow()
	}
}

func (p *parser) member(start uint32, x Expr) Expr {
	if y := p.typeAssertion(start, x); y != nil {
		return y
	}
	if y := p.joinedByDot(start, x); y != nil {
		return y
	}
	m := &Member{X: x, Safe: p.kind == token.QDot}
	p.next()
	_, number := x.(*IntLit)
	switch {
	case p.kind == token.Int && number: // together they would be another number
		p.failExpected("the name of a member after `.`")
	case p.kind == token.Ident, p.kind == token.Int:
		m.Name = p.ident()
	case p.kind == token.LBrack:
		if !m.Safe {
			p.failExpected("the name of a member after `.`")
		}
		d := p.report(diag.UnexpectedToken, p.here(), "there is no `?.[`")
		d.Help = append(d.Help, "`?.` leads to a field or method: write `x?.get(i)`")
		p.bail()
	default:
		p.failExpected("the name of a member after `.`")
	}
	if p.kind == token.Lt && p.typeArgsAhead(true) {
		m.TypeArgs = p.typeArgs()
	}
	m.ExprBase = p.base(start)
	return m
}

// call parses the arguments of a call.
//
// ebnf: Args = "(" [ Arg { "," Arg } [ "," ] ] ")" .
// ebnf: Arg  = [ name ":" ] Expr .
func (p *parser) call(start uint32, fn Expr) Expr {
	c := &Call{Fn: fn}
	p.opening()
	var copied *copySlip
	p.list(func() {
		var a Arg
		if id, ok := fn.(*Ident); ok && copied == nil && p.kind == token.DotDot && isUpper(id.Name) {
			copied = p.copyBegins(c.Args)
		}
		if copied != nil {
			p.copyElem(copied)
			return
		}
		p.spread()
		if p.isMemberName() && kindOf(p.peek2()) == token.Colon {
			a.Name = p.ident()
			p.next()
		}
		a.Value = p.comprehension(p.arrowSlip(p.expr()), nil)
		p.argSlip(&a)
		c.Args = append(c.Args, a)
	})
	if copied != nil {
		return p.copyEnds(copied, start)
	}
	c.Rparen = diag.Span{Start: max(p.end, 1) - 1, End: p.end}
	c.ExprBase = p.base(start)
	return c
}

func (p *parser) index(start uint32, x Expr) Expr {
	p.opening()
	p.open[len(p.open)-1].index = true
	var i Expr
	at := p.start
	if p.kind == token.DotDot || p.kind == token.DotDotEq {
		r := &RangeLit{Inclusive: p.kind == token.DotDotEq}
		p.next()
		if !p.openEnd(r.Inclusive) {
			r.Hi = p.binary(precRange + 1)
		}
		r.ExprBase = p.base(at)
		i = r
	} else if p.kind != token.Colon && p.kind != token.ColonColon {
		i = p.expr()
	}
	if p.kind == token.Colon {
		before := len(p.diags)
		i = p.colonSlice(at, i)
		p.slicedTo(before, x, i)
	}
	if p.kind == token.Colon || p.kind == token.ColonColon {
		return p.steppedSlice(start, x, i)
	}
	p.indexSlip(x)
	p.closing("")
	return &Index{p.base(start), x, i}
}

// exprList parses expressions up to the closing bracket.
func (p *parser) exprList() (list []Expr) {
	p.opening()
	p.list(func() {
		p.spread()
		list = append(list, p.comprehension(p.expr(), nil))
	})
	return list
}

// listElems parses the elements of a list literal.
//
// ebnf: ListElem = Expr | ".." Expr .
func (p *parser) listElems() (list []Expr) {
	p.opening()
	p.list(func() {
		start := p.start
		if !p.dots() {
			list = append(list, p.comprehension(p.expr(), nil))
			return
		}
		x := p.expr()
		list = append(list, &Spread{p.base(start), x})
	})
	return list
}

// dots takes the `..` before a list whose elements belong to another one. Other languages
// have three dots, or a star.
func (p *parser) dots() bool {
	at := p.here()
	switch {
	case p.kind == token.DotDot && p.next2() == token.Dot:
		at.End++
		p.next()
		d := p.remark(diag.MeansElsewhere, at, "`...` of other languages is `..` in Runnel")
		d.Severity = diag.Warning
		d.Fixes = []diag.Fix{{Title: "write two dots", Edits: []diag.Edit{{Span: at, New: ".."}}}}
	case p.kind == token.Star && !p.nl && p.next2() == token.Ident:
		d := p.remark(diag.ForeignSyntax, at, "there is no `*` before an element in Runnel")
		d.Fixes = []diag.Fix{{Title: "write `..`", Edits: []diag.Edit{{Span: at, New: ".."}}}}
	case p.kind != token.DotDot:
		return false
	}
	p.next()
	return true
}
