package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// statements parses up to the end of the block or, at top level, of the file.
func (p *parser) statements(top bool) []Stmt {
	var list []Stmt
	for p.kind != token.EOF {
		switch p.strayEnd(); {
		case p.kind == token.EOF:
			return list
		case p.dashComment():
			continue
		case p.kind == token.Semi:
			p.next()
			continue
		case p.kind == token.RBrace && !top:
			return list
		case isCloser(p.kind):
			d := p.report(diag.StrayCloser, p.here(), "this `%s` closes nothing", p.tok.Value)
			if p.kind == token.RBrace {
				d.Help = append(d.Help, "remove it, or look above for a block that was closed too early")
			}
			p.next()
			continue
		case !top && p.unbalanced && p.nl && p.tok.Pos.Column <= p.open[len(p.open)-1].indent:
			return list // the } is missing here: closing reports it
		}
		list = append(list, p.statement(top))
	}
	return list
}

// statement parses one statement and its end. What is broken becomes a BadStmt.
//
// ebnf: Statement = [ "pub" ] Declaration | ImportDecl | TestDecl | LetStmt | Assignment | Defer | Block | Expr .
// ebnf: Declaration = FnDecl | StructDecl | EnumDecl | InterfaceDecl | TypeDecl | ExtendDecl | LetStmt .
func (p *parser) statement(top bool) (s Stmt) {
	m := p.mark()
	if p.bare.depth == 0 {
		p.bare.d = nil
	}
	defer func() {
		if p.caught(recover(), m, p.skipStatement) {
			s = &BadStmt{StmtBase{p.span(m.start)}}
		}
	}()
	s = p.startedStatement(top)
	p.endStatement(s, m)
	return s
}

func (p *parser) startedStatement(top bool) Stmt {
	if d := p.declaration(top); d != nil {
		return d
	}
	start := p.start
	if p.labelSlip() {
		x := p.labelled()
		return &ExprStmt{StmtBase: StmtBase{p.span(start)}, X: x}
	}
	switch {
	case p.kind == token.LBrace && !p.mapAhead():
		b := p.blockStatement()
		return &ExprStmt{StmtBase: StmtBase{p.span(start)}, X: b}
	case p.kind == token.Defer:
		return p.deferStmt()
	}
	return p.simpleStatement()
}

// deferStmt parses a defer.
//
// ebnf: Defer = "defer" ( Block | Assignment | Expr ) .
func (p *parser) deferStmt() Stmt {
	start := p.start
	p.next()
	var body Stmt
	switch {
	case p.newline():
		p.failExpected("a statement after `defer`")
	case p.kind == token.LBrace:
		at := p.start
		b := p.block()
		body = &ExprStmt{StmtBase: StmtBase{p.span(at)}, X: b}
	default:
		body = p.simpleStatement()
	}
	return &DeferStmt{StmtBase{p.span(start)}, body}
}

// simpleStatement parses an expression or an assignment.
//
// ebnf: Assignment = Expr AssignOp Expr .
// ebnf: AssignOp   = "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" .
func (p *parser) simpleStatement() Stmt {
	start := p.start
	p.stmtAt = start
	x := p.expr()
	if s := p.assignment(start, x); s != nil {
		return s
	}
	if s := p.severalTargets(start, x); s != nil {
		return s
	}
	if s := p.commaSlip(start, x); s != nil {
		return s
	}
	s := &ExprStmt{StmtBase: StmtBase{p.span(start)}, X: x}
	if call := p.printSlip(start, s); call != nil {
		return call
	}
	return s
}

var assignOps = [token.NumKinds]BinOp{
	token.PlusEq: OpAdd, token.MinusEq: OpSub, token.StarEq: OpMul, token.SlashEq: OpDiv, token.PercentEq: OpMod,
	token.AmpEq: OpAnd, token.PipeEq: OpOr, token.CaretEq: OpXor, token.ShlEq: OpShl,
}

// assignment parses the rest of an assignment to x, or gives nil if none follows.
func (p *parser) assignment(start uint32, x Expr) Stmt {
	if p.newline() {
		return nil
	}
	op, at := assignOps[p.kind], p.here()
	switch p.kind {
	case token.GtGtEq:
		op = OpShr
		p.next()
		p.next()
	case token.ColonEq:
		return p.walrus(start, x)
	case token.PlusPlus:
		return p.increment(start, x, OpAdd)
	case token.Minus:
		if !p.decrements() {
			return nil
		}
		at.End++
		return p.increment(start, x, OpSub)
	default:
		if op == OpNone && p.kind != token.Eq {
			return nil
		}
	}
	at.End = p.here().End
	p.next()
	s := &AssignStmt{Target: x, Op: op, OpSp: at}
	s.Value = p.value()
	s.StmtBase = StmtBase{p.span(start)}
	if p.kind == token.Eq && !p.newline() {
		d := p.report(diag.BadAssignment, p.here(), "assignments cannot be chained")
		d.Help = append(d.Help, "an assignment is a statement, not a value: write one for each target")
		p.bail()
	}
	return s
}

// value parses an initializer. A broken one becomes a BadExpr, so that what it
// was to initialize is still declared.
func (p *parser) value() (x Expr) {
	m := p.mark()
	defer func() {
		if p.caught(recover(), m, p.skipStatement) {
			x = &BadExpr{p.base(m.start)}
		}
	}()
	return p.arrowSlip(p.expr())
}

// endStatement takes the end of a statement; something else there is an error,
// after which the rest of the line is skipped.
func (p *parser) endStatement(s Stmt, m mark) {
	switch {
	case p.kind == token.Semi:
		if x, ok := s.(*ExprStmt); ok {
			x.Semi = true
		}
		p.next()
		return
	case p.nl, p.kind == token.RBrace, p.kind == token.EOF, p.endsBare(), p.cases.d != nil && p.bare.depth > 0 && p.nextCase():
		return
	}
	if isCloser(p.kind) {
		p.report(diag.StrayCloser, p.here(), "this `%s` closes nothing", p.tok.Value)
	} else {
		d := p.report(diag.UnexpectedToken, p.where(), "expected the end of the statement, found %s", p.found())
		p.afterStatement(d, s)
		if _, bad := s.(*ExprStmt); !bad || p.kind != token.Comma {
			silence(s)
		}
	}
	p.quiet = true
	p.skipStatement(mark{cursor: p.lex.Cursor() - 1, open: m.open, indent: m.indent})
	p.unwind(m.open)
	p.quiet = p.aborted
}

// letStmt parses let, var and const.
//
// ebnf: LetStmt = ( "let" | "var" | "const" ) Pattern [ ":" Type ] "=" Expr .
func (p *parser) letStmt(start uint32, pub bool, doc string) *LetStmt {
	s := &LetStmt{Doc: doc, Pub: pub}
	word := p.tok.Value
	switch p.kind {
	case token.Var:
		s.Kind = Var
	case token.Const:
		s.Kind = Const
	}
	p.next()
	p.groupSlip(word)
	p.letSlip(word, s)
	if t := p.takenApart(start); t != nil {
		t.Doc, t.Pub, t.Kind = s.Doc, s.Pub, s.Kind
		return t
	}
	s.Pattern = p.letPattern()
	if b, ok := s.Pattern.(*BindPattern); ok {
		b.Const = s.Kind == Const
	}
	p.several = nil
	if p.kind == token.Comma && !p.newline() {
		s.Pattern = p.severalNames(start, word, s.Pattern)
	}
	several := p.several
	if p.kind == token.Colon && !p.newline() {
		p.next()
		s.Type = p.typeExpr()
	} else if p.typeBehind(s, word) {
		s.StmtBase = StmtBase{p.span(start)}
		return s
	}
	switch {
	case p.kind == token.Eq && several != nil:
		p.next()
		s.Value = p.severalValues(several, p.value())
	case p.kind == token.Eq:
		p.next()
		s.Value = p.value()
		p.typeBehindValue(s)
	case p.kind == token.ColonEq:
		p.report(diag.ForeignSyntax, p.here(), "expected `=`, found `:=`").
			Fixes = []diag.Fix{{Title: "write `=`", Edits: []diag.Edit{{Span: p.here(), New: "="}}}}
		p.next()
		s.Value = p.value()
	case p.nl, p.kind == token.Semi, p.kind == token.RBrace, p.kind == token.EOF:
		d := p.report(diag.MissingInitialiser, point(p.end), "a `%s` needs a value", word)
		d.Text = "expected `=` and a value here"
		p.complete()
		if s.Type != nil {
			if _, ok := s.Type.(*OptionalType); ok {
				d.Help = append(d.Help, "for nothing yet write `= none`")
			} else {
				d.Help = append(d.Help, "for nothing yet make the type optional: `T? = none`")
			}
		}
		s.Value = &BadExpr{p.base(p.end)}
	default:
		p.failExpected("`=`")
	}
	s.StmtBase = StmtBase{p.span(start)}
	return s
}

// block parses { statements }.
//
// ebnf: Block = "{" { Statement ( newline | ";" ) } "}" . // before the } the end may be left out
func (p *parser) block() *Block {
	p.sameLine()
	return p.blockStatement()
}

// blockStatement parses a block whose { may begin a line.
func (p *parser) blockStatement() *Block {
	start := p.start
	h := p.enter()
	p.opening()
	b := &Block{Stmts: p.statements(false)}
	at := p.here()
	if p.kind != token.RBrace {
		at = point(p.end)
	}
	p.closing("")
	b.Rbrace = at
	b.ExprBase = p.base(start)
	p.leave(h)
	return b
}

// sameLine sees that a { comes next, and that it stands on the line it belongs
// to.
func (p *parser) sameLine() {
	if p.kind != token.LBrace {
		p.report(diag.UnexpectedToken, p.where(), "expected `{`, found %s", p.found())
		p.complete()
		p.bail()
	}
	if p.newline() {
		d := p.report(diag.UnexpectedToken, p.here(), "the `{` of a block stands on the line it belongs to")
		d.Help = append(d.Help, "a line that begins with `{` starts a new statement: move it to the end of the line above")
	}
}
