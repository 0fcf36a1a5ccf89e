package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Function values as other languages write them: function(x) { ... }, func(x int) int { ... },
// (x: number): number => ..., x -> ..., lambda x: ... . They are read as lambdas.

// functionSlip reads a function without a name, at the word that begins it; nil if the
// word is a name here.
func (p *parser) functionSlip() Expr {
	if p.kind != token.Fn && !p.functionAhead() {
		return nil
	}
	start, block := p.start, p.last
	d := p.report(diag.ForeignSyntax, p.here(), "a function without a name is a lambda")
	p.next()
	if p.kind == token.Ident { // function name(x) { ... } as a value
		p.next()
	}
	if p.kind != token.LParen {
		d.Help = append(d.Help, "write `|x: int| x + 1`, or `|x| { ... }` with statements")
		p.bail()
	}
	x := p.foreignLambda(start, d)
	if p.kind != token.LParen || p.nl {
		return x
	}
	c := &Call{Fn: x}
	args := p.here()
	p.opening()
	p.list(func() { c.Args = append(c.Args, Arg{Value: p.expr()}) })
	if block == token.Defer || block == token.Spawn {
		p.calledLambda(d, block.String(), c, diag.Span{Start: args.Start, End: p.end})
	}
	c.Rparen = point(p.end)
	c.ExprBase = p.base(start)
	return c
}

// calledLambda says that a function that is called where it stands, behind `defer` or `spawn`, is
// a block there.
func (p *parser) calledLambda(d *diag.Diagnostic, word string, c *Call, args diag.Span) {
	d.Message = "`" + word + "` takes a block: `" + word + " { ... }`"
	d.Help, d.Fixes = nil, nil
	l, ok := c.Fn.(*Lambda)
	if !ok {
		return
	}
	if len(l.Params) > 0 || len(c.Args) > 0 {
		d.Help = append(d.Help, "the block uses the variables around it; it needs no arguments")
		return
	}
	body := l.Body.Span()
	from := d.Span.Start
	if p.text(diag.Span{Start: max(from, p.src.Base+3) - 3, End: from}) == "go " {
		from -= 3
		word += " "
	} else {
		word = ""
	}
	d.Fixes = []diag.Fix{{Title: "write a block", Edits: []diag.Edit{{Span: diag.Span{Start: from, End: body.Start}, New: word}, {Span: diag.Span{Start: body.End, End: args.End}}}}}
}

// functionAhead reports whether a function without a name begins at the lookahead, a word
// that could be the name of a function that is called.
func (p *parser) functionAhead() bool {
	if k := p.next2(); k != token.LParen {
		return p.at("function") && k == token.Ident && p.kind == token.Ident
	}
	if p.noBrace {
		return false
	}
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	if !p.paramsAhead() {
		return false
	}
	t := p.lex.Peek()
	if t.Pos.Line != p.tok.Pos.Line {
		return p.at("function")
	}
	switch kindOf(t) {
	case token.LBrace, token.Arrow, token.FatArrow, token.Return, token.Ident:
		return true
	case token.Colon: // not a key of a map
		p.lex.Next()
		s := typeScan{lex: p.lex}
		return s.typ(0) && (s.kind() == token.LBrace || s.kind() == token.FatArrow)
	}
	return false
}

// paramsAhead goes past parentheses with names and types in them; it reports false
// when something else is there.
func (p *parser) paramsAhead() bool {
	if kindOf(p.lex.Peek()) != token.LParen {
		return false
	}
	for n := 0; n < 200; n++ {
		p.lex.Next()
		switch t := p.lex.Peek(); kindOf(t) {
		case token.RParen:
			p.lex.Next()
			return true
		case token.Ident, token.Comma, token.Colon, token.LBrack, token.RBrack, token.Lt, token.Gt, token.Question, token.Star, token.Amp, token.Dot,
			token.Eq, token.Int, token.Str, token.True, token.False, token.None, token.Pipe, token.DotDot, token.Let, token.Var, token.Const:
		default:
			return false
		}
	}
	return false
}

// arrowAhead reports whether the parentheses at the lookahead hold the parameters of
// a lambda with an arrow.
func (p *parser) arrowAhead() bool {
	if p.guardIn == len(p.open)+1 {
		return false
	}
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	line := p.tok.Pos.Line
	p.lex.Next()
	switch kindOf(p.lex.Peek()) {
	case token.RParen, token.Ident:
	default:
		return false
	}
	p.lex.Return(cp)
	if !p.paramsAhead() {
		return false
	}
	t := p.lex.Peek()
	if t.Pos.Line != line {
		return false
	}
	switch kindOf(t) {
	case token.FatArrow, token.Arrow:
		return true
	case token.Colon:
		p.lex.Next()
		s := typeScan{lex: p.lex}
		return s.typ(0) && s.kind() == token.FatArrow
	}
	return false
}

// typedArrow reads (x: T, y): R => e.
func (p *parser) typedArrow() Expr {
	start := p.start
	d := p.report(diag.ForeignSyntax, p.here(), "a lambda is written `|x| ...`")
	return p.foreignLambda(start, d)
}

// foreignLambda reads the parentheses, result and body of a function value.
func (p *parser) foreignLambda(start uint32, d *diag.Diagnostic) Expr {
	h := p.enter()
	l := &Lambda{}
	var names []string
	p.errAt = -1
	before := len(p.diags)
	p.opening()
	p.list(func() {
		par := &Param{}
		if p.kind == token.Ident && (p.next2() == token.Ident || p.next2() == token.LBrack) {
			p.quiet = true
			p.colonSlip(par)
			p.quiet = p.aborted
		}
		if par.Name.Text == "" {
			par.Name = p.name("a parameter")
			p.accept(token.Question)
			if p.accept(token.Colon) {
				par.Type = p.typeExpr()
			}
		}
		if p.accept(token.Eq) {
			p.expr()
		}
		text := par.Name.Text
		if par.Type != nil {
			text += ": " + p.text(par.Type.Span())
		}
		names = append(names, text)
		l.Params = append(l.Params, par)
	})
	text := "|" + strings.Join(names, ", ") + "|"
	switch {
	case p.kind == token.Colon && !p.nl && p.next2() != token.EOF, p.kind == token.Arrow && d.Span.Start != start:
		p.next()
		l.Result = p.typeExpr()
	case (p.kind == token.Ident || p.kind == token.LBrack) && !p.nl:
		l.Result = p.typeExpr()
	case p.kind == token.Arrow:
		if k := p.next2(); k == token.Ident && p.last == token.RParen && p.arrowType() {
			p.next()
			l.Result = p.typeExpr()
		}
	}
	if l.Result != nil {
		text += " -> " + p.text(l.Result.Span())
	}
	if (p.kind == token.FatArrow || p.kind == token.Arrow) && !p.nl {
		p.next()
	}
	d.Message = "a lambda is written `" + text + " ...`"
	at := diag.Span{Start: start, End: p.end}
	if len(p.diags) == before && !strings.Contains(p.text(at), "\n") {
		d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
	}
	if p.kind == token.LBrace {
		l.Body = p.block()
	} else if b := p.bareLambda(); b != nil {
		d.Fixes = nil
		d.Help = append(d.Help, "its body stands in braces: `"+text+" { ... }`")
		l.Body = b
	} else {
		l.Body = p.armBody()
	}
	l.ExprBase = p.base(start)
	p.leave(h)
	return l
}

// arrowType reports whether a type stands behind the arrow at the lookahead, and then a
// body.
func (p *parser) arrowType() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	s := typeScan{lex: p.lex}
	return s.typ(0) && s.kind() == token.LBrace
}

// bareLambda reads the body of a function value that an `end` ends.
func (p *parser) bareLambda() *Block {
	if p.kind != token.Return && !(p.nl && p.tok.Pos.Column > p.from) {
		return nil
	}
	indent := p.from
	b := p.bareStatements(func() bool { return !(p.nl && p.tok.Pos.Column <= indent) }, false)
	if p.atEnd() {
		p.next()
	}
	b.Rbrace = point(p.end)
	b.Sp.End = max(b.Sp.End, p.end)
	return b
}

// lambdaSlip reads `lambda x, y: x + y`.
func (p *parser) lambdaSlip() Expr {
	start := p.start
	if p.next2() != token.Ident {
		return nil
	}
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `lambda` in Runnel")
	h := p.enter()
	p.next()
	l := &Lambda{}
	var names []string
	for p.kind == token.Ident {
		par := &Param{Name: p.name("a parameter")}
		names, l.Params = append(names, par.Name.Text), append(l.Params, par)
		if !p.accept(token.Comma) {
			break
		}
	}
	text := "|" + strings.Join(names, ", ") + "|"
	if p.kind != token.Colon {
		d.Help = append(d.Help, "write `"+text+" ...`")
		p.bail()
	}
	p.next()
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: text}}}}
	l.Body = p.armBody()
	l.ExprBase = p.base(start)
	p.leave(h)
	return l
}

// missingResult tells, beside what else is wrong with a function, that it has no type for
// what it gives: else that comes when all is mended.
func (p *parser) missingResult(f *FnDecl, head uint32) {
	x := p.given
	if x == nil {
		x = lastOperand(f.Body)
	}
	if x == nil {
		return
	}
	d := p.remark(diag.MissingAnnotation, point(head), "the result of `%s` needs a type", f.Name.Text)
	d.Text = "expected `-> T` here"
	f.Untyped = true
	if t := literalType(x); t != "" {
		d.Fixes = []diag.Fix{{Title: "write `-> " + t + "`", Edits: []diag.Edit{{Span: point(head), New: " -> " + t}}}}
		return
	}
	d.Help = append(d.Help, "write `-> int`, or what else it gives, behind the parameters; a function that gives nothing has none")
}

// lastOperand is what a body ends with, if it is there for its value only.
func lastOperand(body *Block) Expr {
	if body == nil || len(body.Stmts) == 0 {
		return nil
	}
	s, ok := body.Stmts[len(body.Stmts)-1].(*ExprStmt)
	if !ok || s.Semi {
		return nil
	}
	if b, ok := s.X.(*Binary); ok {
		return b
	}
	if literalType(s.X) != "" {
		return s.X
	}
	return nil
}

// literalType is the type of a literal, "" of anything else.
func literalType(x Expr) string {
	tuple, ok := x.(*TupleLit)
	if !ok {
		return scalarType(x)
	}
	types := make([]string, len(tuple.Elems))
	for i, e := range tuple.Elems {
		if types[i] = scalarType(e); types[i] == "" {
			return ""
		}
	}
	return "(" + strings.Join(types, ", ") + ")"
}

func scalarType(x Expr) string {
	switch x.(type) {
	case *IntLit:
		return "int"
	case *FloatLit:
		return "float"
	case *BoolLit:
		return "bool"
	case *StrLit, *InterpLit:
		return "str"
	}
	return ""
}

// letElse reads `let Some(x) = y else { return z }`.
func (p *parser) letElse(d *diag.Diagnostic, s Stmt) bool {
	l, ok := s.(*LetStmt)
	if !ok || l.Value == nil {
		return false
	}
	name := "x"
	switch b := l.Pattern.(type) {
	case *BindPattern:
		name = b.Name.Text
	case *VariantPattern:
		if b.Name.Text != "Some" || len(b.Fields) != 1 {
			d.Help = append(d.Help, "a `let` takes apart what cannot fail: write `match x { ... }`, or `if let` with the rest in its block")
			return true
		}
		if f, ok := b.Fields[0].Pat.(*BindPattern); ok {
			name = f.Name.Text
		}
	default:
		return false
	}
	src := p.src.Src
	d.Help = append(d.Help, "what leaves where a value is missing stands behind `??`: `let "+name+" = "+src[l.Value.Span().Start-p.src.Base:l.Value.Span().End-p.src.Base]+" ?? return`, or `?? return x`, `?? throw error(\"...\")`, `?? continue`")
	return true
}

// optionalParam reads a parameter `name?: T`.
func (p *parser) optionalParam(par *Param) bool {
	if p.kind != token.Question || kindOf(p.peek2()) != token.Colon {
		return false
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a parameter that may be left out has a default")
	mark := p.here()
	p.next()
	p.next()
	par.Type = p.typeExpr()
	end := par.Type.Span().End
	text := "? = none"
	if _, ok := par.Type.(*OptionalType); ok {
		text = " = none"
	} else {
		par.Type = &OptionalType{TypeBase{par.Type.Span(), p.id()}, par.Type}
	}
	d.Fixes = []diag.Fix{{Title: "write `= none`", Edits: []diag.Edit{{Span: mark}, {Span: point(end), New: text}}}}
	par.Default = &NoneLit{ExprBase{point(end), p.id()}}
	return true
}
