package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// typeExpr parses a type.
//
// ebnf: Type = PrimaryType { "?" } .
func (p *parser) typeExpr() TypeExpr {
	start := p.start
	t := p.typeTail(start, p.primaryType(true))
	for !p.newline() && (p.kind == token.Question || p.kind == token.QQ) {
		t = p.marks(start, t)
	}
	return t
}

// testedType parses the type after `is` and `as`, where a `??` with an operand is the
// operator, and a < begins arguments only if a > follows.
func (p *parser) testedType(is bool) TypeExpr {
	start := p.start
	t := p.primaryType(false)
	for !p.newline() && (p.kind == token.Question || p.kind == token.QQ && p.qqOfType(is)) {
		t = p.marks(start, t)
	}
	return t
}

// marks takes a `?`, or a `??`, which is lexed as one token.
func (p *parser) marks(start uint32, t TypeExpr) TypeExpr {
	double, mid := p.kind == token.QQ, p.start+1
	p.next()
	o := p.optional(start, t)
	if double {
		o.Sp.End = mid
		return p.optional(start, o)
	}
	return o
}

// qqOfType reports whether the `??` behind a tested type is a part of it: no operand
// follows, or it is written to the type and the line ends, or the test, whose bool is
// never none.
func (p *parser) qqOfType(is bool) bool {
	joined := p.start == p.end
	next := p.peek2()
	if is && joined || next.Pos.Line != p.tok.Pos.Line && !p.nlOff && joined {
		return true
	}
	return p.endsOperator(kindOf(next))
}

// endsOperator reports whether a token begins no operand.
func (p *parser) endsOperator(k token.Kind) bool {
	switch k {
	case token.EOF, token.RParen, token.RBrack, token.RBrace, token.StrMid, token.StrTail, token.Spec, token.Comma, token.Semi, token.Colon,
		token.Question, token.QQ, token.Eq, token.EqEq, token.NotEq, token.Lt, token.LtEq, token.Gt, token.GtEq, token.AndAnd, token.FatArrow,
		token.Dot, token.QDot, token.DotDot, token.DotDotEq, token.Else, token.Catch, token.As, token.Is, token.Plus, token.Star, token.StarStar,
		token.Slash, token.Percent, token.Amp, token.Caret, token.Shl:
		return true
	case token.LBrace:
		return p.noBrace
	}
	return false
}

func (p *parser) optional(start uint32, t TypeExpr) *OptionalType {
	p.grow()
	return &OptionalType{TypeBase{p.span(start), p.id()}, t}
}

// ebnf: PrimaryType = [ name "." ] TypeName [ TypeArgs ] | "[" Type "]" | TupleType | FnType .
// ebnf: TypeName    = name .
// ebnf: TupleType   = "(" [ Type { "," Type } [ "," ] ] ")" .
// ebnf: FnType      = "fn" "(" [ Type { "," Type } [ "," ] ] ")" [ "->" Type ] .
func (p *parser) primaryType(args bool) TypeExpr {
	start := p.start
	h := p.enter()
	defer p.leave(h)
	if t := p.foreignType(); t != nil {
		return t
	}
	switch p.kind {
	case token.Ident:
		if t := p.foreignNamed(); t != nil {
			return t
		}
		return p.namedType(args)
	case token.LBrack:
		p.opening()
		elem := p.typeExpr()
		if p.kind == token.Semi && p.next2() == token.Int { // [int; 3]
			d := p.report(diag.ForeignSyntax, p.here(), "a list")
			p.next()
			p.next()
			p.closing("")
			return p.typeIs(d, start, "", &ListType{TypeBase{p.span(start), p.id()}, elem})
		}
		if p.kind == token.Colon { // [str: int]
			return p.mapType(p.report(diag.ForeignSyntax, p.here(), "a map"), start, elem)
		}
		p.closing("")
		return &ListType{TypeBase{p.span(start), p.id()}, elem}
	case token.LParen:
		if t := p.arrowFn(); t != nil {
			return t
		}
		elems := p.typeList()
		if len(elems) == 1 {
			return elems[0]
		}
		return &TupleType{TypeBase{p.span(start), p.id()}, elems}
	case token.Fn:
		p.next()
		if p.kind != token.LParen {
			p.failExpected("`(`")
		}
		t := &FnType{Params: p.typeList()}
		if p.kind == token.Arrow && !p.newline() {
			p.next()
			t.Result = p.typeExpr()
		}
		t.TypeBase = TypeBase{p.span(start), p.id()}
		return t
	}
	p.typeSlip()
	p.failExpected("a type")
	return nil
}

func (p *parser) namedType(args bool) *NamedType {
	start := p.start
	t := &NamedType{Name: p.ident()}
	if p.kind == token.Dot && !p.newline() {
		p.next()
		t.Module = t.Name
		if p.kind != token.Ident {
			p.failExpected("the name of a type")
		}
		t.Name = p.ident()
	}
	if p.kind == token.Lt && !p.newline() && (args || p.typeArgsAhead(false)) {
		t.Args = p.typeArgs()
	}
	t.TypeBase = TypeBase{p.span(start), p.id()}
	return t
}

// ident takes the lookahead as a name.
func (p *parser) ident() Name {
	sp := p.here()
	return Name{p.next().Value, sp}
}

func (p *parser) typeList() []TypeExpr {
	var elems []TypeExpr
	p.opening()
	p.list(func() { elems = append(elems, p.typeExpr()) })
	return elems
}

// typeArgs parses explicit type arguments.
//
// ebnf: TypeArgs = "<" Type { "," Type } [ "," ] ">" .
func (p *parser) typeArgs() []TypeExpr {
	at := p.here()
	p.next()
	var args []TypeExpr
	for !p.isGt() {
		args = append(args, p.typeExpr())
		if !p.accept(token.Comma) {
			break
		}
	}
	p.closingGt(at)
	if len(args) == 0 {
		p.remark(diag.UnexpectedToken, p.span(at.Start), "expected a type between `<` and `>`")
	}
	return args
}

// typeParams parses the parameters of a generic declaration.
//
// ebnf: TypeParams = "<" TypeParam { "," TypeParam } [ "," ] ">" .
// ebnf: TypeParam  = TypeName [ ":" Type ] .
func (p *parser) typeParams() []*TypeParam {
	if p.kind != token.Lt {
		return nil
	}
	at := p.here()
	if p.last == token.Ident && p.thirdLine() {
		at.End = uint32(p.peek2().Pos.Offset + len(p.peek2().Value))
		p.noBase(at) // class Dog < Animal
		p.next()
		p.next()
		return nil
	}
	p.next()
	var params []*TypeParam
	for !p.isGt() {
		tp := &TypeParam{Name: p.name("a type parameter")}
		if p.accept(token.Colon) {
			tp.Bound = p.typeExpr()
		}
		params = append(params, tp)
		if !p.accept(token.Comma) {
			break
		}
	}
	p.closingGt(at)
	if len(params) == 0 {
		p.remark(diag.UnexpectedToken, p.span(at.Start), "expected a type parameter between `<` and `>`")
	}
	return params
}

func (p *parser) isGt() bool { return p.kind >= token.Gt && p.kind <= token.GtGtEq }

func (p *parser) closingGt(open diag.Span) {
	if p.isGt() {
		p.next()
		return
	}
	d := p.report(diag.UnexpectedToken, p.where(), "expected `,` or `>`, found %s", p.found())
	d.Labels = append(d.Labels, diag.Label{Span: open, Text: "this `<` is not closed"})
	p.bail()
}

// typeArgsAhead decides by C#'s rule whether the < at the lookahead begins type
// arguments: what follows reads as a list of types up to its > and, where the
// list ends an operand, the next token cannot continue a comparison.
func (p *parser) typeArgsAhead(operand bool) bool {
	if p.newline() {
		return false
	}
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	s := &typeScan{lex: p.lex}
	if !s.args(0) {
		return false
	}
	if !operand {
		return true
	}
	next := p.lex.Peek()
	switch kindOf(next) {
	case token.LParen, token.RParen, token.RBrack, token.RBrace, token.Colon, token.Semi, token.Comma,
		token.Dot, token.QDot, token.EqEq, token.NotEq, token.StrMid, token.StrTail, token.EOF:
		return true
	}
	return next.Pos.Line > s.line
}

// typeScan looks ahead over types without building them.
type typeScan struct {
	lex  *lookahead
	line int // of the last > taken
}

// maxScan bounds how deep the lookahead goes, and so what it costs.
const maxScan = 50

func (s *typeScan) kind() token.Kind { return kindOf(s.lex.Peek()) }

func (s *typeScan) accept(k token.Kind) bool {
	if s.kind() != k {
		return false
	}
	s.lex.Next()
	return true
}

func (s *typeScan) args(depth int) bool {
	s.lex.Next()
	for {
		if !s.typ(depth + 1) {
			return false
		}
		if !s.accept(token.Comma) {
			break
		}
		if k := s.kind(); k >= token.Gt && k <= token.GtGtEq {
			break
		}
	}
	if k := s.kind(); k < token.Gt || k > token.GtGtEq {
		return false
	}
	s.line = s.lex.Next().Pos.Line
	return true
}

func (s *typeScan) typ(depth int) bool {
	if depth > maxScan {
		return false
	}
	switch s.kind() {
	case token.Ident:
		s.lex.Next()
		if s.accept(token.Dot) && !s.accept(token.Ident) {
			return false
		}
		if s.kind() == token.Lt && !s.args(depth) {
			return false
		}
	case token.LBrack:
		s.lex.Next()
		if !s.typ(depth+1) || !s.accept(token.RBrack) {
			return false
		}
	case token.LParen:
		if !s.tuple(depth) {
			return false
		}
	case token.Fn:
		s.lex.Next()
		if s.kind() != token.LParen || !s.tuple(depth) {
			return false
		}
		if s.accept(token.Arrow) && !s.typ(depth+1) {
			return false
		}
	default:
		return false
	}
	for s.kind() == token.Question || s.kind() == token.QQ {
		s.lex.Next()
	}
	return true
}

func (s *typeScan) tuple(depth int) bool {
	s.lex.Next()
	for s.kind() != token.RParen {
		if !s.typ(depth + 1) {
			return false
		}
		if !s.accept(token.Comma) {
			break
		}
	}
	return s.accept(token.RParen)
}
