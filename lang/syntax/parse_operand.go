package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// operand parses what an expression is made of.
//
// ebnf: Operand = Literal | Interpolated | name [ TypeArgs ] | "self" | Paren | List | Map | Lambda | Control .
// ebnf: Control = If | Match | Try | [ label ":" ] ( While | Loop | For ) | Scope | Lock | Select | Spawn | Jump | Yield .
func (p *parser) operand() Expr {
	start := p.start
	switch p.kind {
	case token.Ident:
		return p.nameExpr()
	case token.Int, token.Float, token.Duration, token.Bytes, token.Str, token.RawStr,
		token.True, token.False, token.None, token.BadLit:
		return p.literal()
	case token.StrHead:
		return p.interpolated()
	case token.Self:
		p.next()
		return &SelfExpr{p.base(start)}
	case token.LParen:
		if p.arrowAhead() {
			return p.typedArrow()
		}
		return p.paren()
	case token.LBrack:
		if x := p.goLiteral(); x != nil {
			return x
		}
		if x := p.repeated(); x != nil {
			return x
		}
		elems := p.listElems()
		return &ListLit{p.base(start), elems}
	case token.LBrace:
		if !p.noBrace {
			return p.mapLit()
		}
	case token.Pipe, token.OrOr:
		return p.lambda()
	case token.If:
		return p.ifExpr()
	case token.Match:
		return p.matchExpr()
	case token.Try:
		return p.tryExpr()
	case token.While, token.Loop, token.For, token.Label:
		return p.loop()
	case token.Scope:
		p.next()
		b := p.block()
		return &Scope{p.base(start), b}
	case token.Lock:
		return p.lockExpr()
	case token.Select:
		return p.selectExpr()
	case token.Spawn:
		return p.spawnExpr()
	case token.Return, token.Throw, token.Break, token.Continue:
		return p.jump()
	case token.Yield:
		return p.yield()
	}
	if x := p.operandSlip(); x != nil {
		return x
	}
	p.failExpected("an expression")
	return nil
}

// nameExpr parses a name with explicit type arguments.
func (p *parser) nameExpr() Expr {
	start := p.start
	if x := p.nameSlip(); x != nil {
		return x
	}
	n := p.ident()
	if p.kind != token.Lt || !p.typeArgsAhead(true) {
		return &Ident{ExprBase: p.base(start), Name: n.Text}
	}
	args := p.typeArgs()
	if builtinTypes[n.Text] {
		t := &NamedType{TypeBase{p.span(start), p.id()}, Name{}, n, args}
		return &TypeName{p.base(start), t}
	}
	return &Ident{p.base(start), n.Text, args}
}

// paren parses (), (x) and tuples.
//
// ebnf: Paren = "(" [ Expr { "," Expr } [ "," ] ] ")" .
func (p *parser) paren() Expr {
	start := p.start
	elems := p.exprList()
	if x := p.castSlip(start, elems); x != nil {
		return x
	}
	switch len(elems) {
	case 0:
		return &UnitLit{p.base(start)}
	case 1:
		return &Paren{p.base(start), elems[0]}
	}
	return &TupleLit{p.base(start), elems}
}

// mapLit parses a map.
//
// ebnf: Map      = "{" [ MapEntry { "," MapEntry } [ "," ] ] "}" .
// ebnf: MapEntry = Expr ":" Expr .
// ebnf: List     = "[" [ ListElem { "," ListElem } [ "," ] ] "]" .
func (p *parser) mapLit() Expr {
	start, at := p.start, p.here()
	m := &MapLit{}
	var list Expr
	var copied *copySlip
	var table *diag.Diagnostic // that told of {x = 1}
	p.opening()
	p.list(func() {
		if copied == nil && p.kind == token.DotDot {
			copied = p.copyBegins(entriesAsArgs(m.Entries))
		}
		if copied != nil {
			p.copyElem(copied)
			return
		}
		if p.kind.IsKeyword() && p.startsStatement() {
			p.blockAsOperand(at)
		}
		var e MapEntry
		p.spread() // `*` and `**`
		e.Key = p.expr()
		if p.kind == token.Comma && len(m.Entries) == 0 {
			list = p.listInBraces(at, e.Key)
			return
		}
		e.Key = p.entrySlip(e.Key, &table)
		if p.kind != token.Colon {
			if len(m.Entries) == 0 && (p.nl || p.kind == token.RBrace || p.kind == token.Semi || p.kind == token.Eq) {
				p.blockAsOperand(at)
			}
			p.failExpected("`:` and a value")
		}
		p.next()
		e.Value = p.expr()
		if made := p.comprehension(e.Value, e.Key); made != e.Value {
			list = made
			return
		}
		m.Entries = append(m.Entries, e)
	})
	if copied != nil {
		return p.copyEnds(copied, start)
	}
	if l, ok := list.(*ListLit); ok {
		l.ExprBase = p.base(start)
		return l
	}
	if list != nil {
		return &BadExpr{p.base(start)}
	}
	m.ExprBase = p.base(start)
	return m
}

func (p *parser) startsStatement() bool {
	switch p.kind {
	case token.Let, token.Var, token.Const, token.Return, token.For, token.While, token.Loop, token.Defer,
		token.Throw, token.Yield, token.Break, token.Continue, token.Fn:
		return true
	}
	return false
}

func (p *parser) blockAsOperand(at diag.Span) {
	d := p.report(diag.BraceIsMap, at, "a `{` here begins a map, not a block")
	d.Help = append(d.Help, "a block stands after `if`, `match`, `=>`, `|x|` and the like; move its statements before this one, or to a function")
	if p.beforeBrace(at) {
		d.Help = append(d.Help, "where a value may be missing, `x.or_else(|| { ... })` runs a block for another")
	}
	p.bail()
}

// beforeBrace reports whether `??` stands before the brace at a place.
func (p *parser) beforeBrace(at diag.Span) bool {
	before := p.src.Src[:at.Start-p.src.Base]
	return strings.HasSuffix(strings.TrimRight(before[max(0, len(before)-40):], " \n"), "??")
}

// lambda parses a function literal.
//
// ebnf: Lambda      = "|" [ LambdaParam { "," LambdaParam } [ "," ] ] "|" [ "->" Type ] ( Block | Assignment | Expr ) .
// ebnf: LambdaParam = ( name | "_" | TuplePattern | VariantPattern ) [ ":" Type ] .
func (p *parser) lambda() Expr {
	start := p.start
	h := p.enter()
	l := &Lambda{}
	if !p.accept(token.OrOr) {
		at := p.here()
		p.next()
		for p.kind != token.Pipe {
			par := p.lambdaParam()
			if p.accept(token.Colon) {
				p.bars = true
				par.Type = p.typeExpr()
				p.bars = false
			}
			l.Params = append(l.Params, par)
			if !p.accept(token.Comma) {
				break
			}
		}
		if p.kind != token.Pipe {
			d := p.report(diag.UnexpectedToken, p.where(), "expected `,` or `|`, found %s", p.found())
			d.Labels = append(d.Labels, diag.Label{Span: at, Text: "the lambda's parameters begin here"})
			d.Help = append(d.Help, "a lambda is written `|x, y| x + y`")
			p.bail()
		}
		p.next()
	}
	if p.kind == token.Arrow {
		p.next()
		p.bars = true
		l.Result = p.typeExpr()
		p.bars = false
	}
	if p.kind == token.FatArrow {
		p.report(diag.ForeignSyntax, p.here(), "a lambda has no `=>`").
			Help = []string{"its body follows the parameters: `|x| x + 1`"}
		p.next()
	}
	outer, given := p.yields, p.given
	p.yields = false
	l.Body = p.armBody()
	l.Yields, p.yields, p.given = p.yields, outer, given
	l.ExprBase = p.base(start)
	p.leave(h)
	return l
}

// lambdaParam parses a parameter of a lambda up to its type.
func (p *parser) lambdaParam() *Param {
	apart := p.kind == token.LParen
	if p.kind == token.Ident {
		next := p.next2()
		apart = next == token.Dot || next == token.LParen && isUpper(p.tok.Value)
	}
	if !apart {
		return &Param{Name: p.name("a parameter")}
	}
	x := p.singlePattern(false)
	if b, ok := x.(*BindPattern); ok { // in parentheses
		return &Param{Name: b.Name, Type: b.Type}
	}
	return &Param{Name: Name{Sp: x.Span()}, Pattern: x}
}

// armBody parses the body of an arm or a lambda: a block, an expression, or an
// assignment, which becomes a block without braces.
func (p *parser) armBody() Expr {
	start := p.start
	if p.kind == token.LBrace && !p.mapAhead() {
		return p.block()
	}
	if p.kind == token.Defer || p.kind == token.Let || p.kind == token.Var || p.kind == token.Const {
		d := p.report(diag.UnexpectedToken, p.here(), "expected an expression, found the keyword `%s`", p.tok.Value)
		d.Help = append(d.Help, "put statements in braces: `{ "+p.tok.Value+" ... }`")
		p.bail()
	}
	p.bodyAt = start
	x := p.expr()
	if s := p.assignment(start, x); s != nil {
		return &Block{ExprBase: p.base(start), Stmts: []Stmt{s}, Rbrace: point(p.end)}
	}
	return x
}

// blockAhead reports whether a brace behind `??` begins a block: what stands first in it has no
// colon behind it, as a key has, and it is not empty, as a map may be.
func (p *parser) blockAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	first := p.lex.Peek()
	if kindOf(first) == token.RBrace {
		return false
	}
	for depth := 0; ; p.lex.Next() {
		t := p.lex.Peek()
		switch k := kindOf(t); {
		case k == token.LParen, k == token.LBrack, k == token.LBrace, k == token.StrHead:
			depth++
		case depth > 0 && (k == token.RParen || k == token.RBrack || k == token.RBrace || k == token.StrTail):
			depth--
		case k == token.EOF:
			return true
		case depth > 0:
		case k == token.Colon:
			return false
		case k == token.RBrace, k == token.Semi, k == token.Comma, k == token.Eq, t.Pos.Line > first.Pos.Line, k.IsKeyword() && k != token.Self && k != token.True && k != token.False && k != token.None:
			return true
		}
	}
}

// mapAhead reports whether a brace where a block may stand begins a map: a literal or a name and
// a colon follow, as no block begins.
func (p *parser) mapAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	switch kindOf(p.lex.Peek()) {
	case token.Str, token.Int:
		p.lex.Next()
		return kindOf(p.lex.Peek()) == token.Colon
	case token.Ident:
		p.lex.Next()
		if kindOf(p.lex.Peek()) != token.Colon {
			return false
		}
		p.lex.Next()
		switch kindOf(p.lex.Peek()) {
		case token.For, token.While, token.Loop: // a label without its quote
			return false
		}
		p.lex.Next()
		switch kindOf(p.lex.Peek()) {
		case token.Eq, token.Question, token.QQ: // a variable of another language with its type
			return false
		}
		return true
	}
	return false
}

// spawnExpr parses a spawn.
//
// ebnf: Spawn = "spawn" [ "detached" ] ( Block | Postfix ) . // a call
func (p *parser) spawnExpr() Expr {
	start := p.start
	h := p.enter()
	p.next()
	s := &Spawn{}
	if p.at("detached") {
		switch p.next2() {
		case token.LBrace, token.Ident, token.Self, token.Int, token.Float, token.Duration, token.Bytes, token.RawStr, token.Str, token.StrHead:
			p.next()
			s.Detached = true
		}
	}
	outer := p.yields
	if b := p.spawnedLambda(); b != nil {
		s.X = b
		p.yields = outer
	} else if p.kind == token.LBrace {
		s.X = p.block()
		p.yields = outer // the checker reports one in the block
	} else {
		s.X = p.postfix()
		switch s.X.(type) {
		case *Call, *BadExpr:
		default:
			d := p.remark(diag.SpawnOperand, s.X.Span(), "`spawn` needs a call or a block")
			d.Help = append(d.Help, "write `spawn f(x)` or `spawn { ... }`")
			s.X = &BadExpr{ExprBase{s.X.Span(), p.id()}}
		}
	}
	s.ExprBase = p.base(start)
	p.leave(h)
	return s
}

// jump parses what leaves the normal course.
//
// ebnf: Jump = "return" [ Expr ] | "throw" Expr | ( "break" | "continue" ) [ label ] .
func (p *parser) jump() Expr {
	start, kind := p.start, p.kind
	p.next()
	switch kind {
	case token.Return:
		r := &Return{}
		if !p.endsOperand() {
			r.X = p.severalResults(start, p.expr())
			if p.given == nil {
				p.given = r.X
			}
		}
		r.ExprBase = p.base(start)
		return r
	case token.Throw:
		if p.endsOperand() {
			d := p.report(diag.UnexpectedToken, p.where(), "expected an expression after `throw`, found %s", p.found())
			d.Help = append(d.Help, "to pass on what was caught name it: `catch e { throw e }`")
			p.bail()
		}
		x := p.expr()
		return &Throw{p.base(start), x}
	}
	var label Name
	if p.kind == token.Label && !p.newline() {
		label = p.label()
	} else if p.kind == token.Ident && !p.newline() {
		d := p.report(diag.MisplacedWord, p.here(), "a label begins with `'`")
		d.Help = append(d.Help, "write `'"+p.tok.Value+"`; a loop has no value to leave with: assign it to a variable from before the loop, `v = "+p.tok.Value+"; break`")
		p.next()
	}
	if kind == token.Break && !p.nl && p.kind >= token.Int && p.kind <= token.StrHead {
		d := p.report(diag.ForeignSyntax, p.here(), "a loop has no value")
		d.Help = append(d.Help, "assign it to a variable from before the loop: `v = "+p.tok.Value+"; break`")
		p.expr()
	}
	if kind == token.Break {
		return &Break{p.base(start), label}
	}
	return &Continue{p.base(start), label}
}

// endsOperand reports whether nothing that could be an operand follows.
func (p *parser) endsOperand() bool {
	if p.nl {
		return true
	}
	switch p.kind {
	case token.Semi, token.Comma, token.EOF, token.RParen, token.RBrack, token.RBrace, token.StrMid, token.StrTail,
		token.Spec, token.Else, token.Colon:
		return true
	}
	return false
}

// label takes the lookahead as a label; its name has no quote.
func (p *parser) label() Name {
	n := p.ident()
	n.Text = n.Text[1:]
	return n
}
