package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Operators as other languages write them. Their operands are read, so that each costs
// one error.

// The operators that are none here: opForeign gives a value that nothing is known of.
const (
	opNoOp BinOp = 100 + iota
	opTernary
	opElvis
	opPostIf
	opIn
	opNotIn
	opInstance
	opPipe
	opCompare
	opChoice
)

// foreignOps are words that are operators elsewhere, with the operator here.
var foreignOps = map[string]struct {
	kind token.Kind
	text string
}{
	"and": {token.AndAnd, "&&"}, "or": {token.OrOr, "||"}, "mod": {token.Percent, "%"}, "div": {token.Slash, "/"}, "rem": {token.Percent, "%"},
	"xor": {token.NotEq, "!="}, "eq": {token.EqEq, "=="}, "shl": {token.Shl, "<<"},
}

// operatorSlip reads operators of other languages.
func (p *parser) operatorSlip() binaryOp {
	if p.newline() {
		return binaryOp{}
	}
	adjacent := func(k token.Kind) bool {
		t := p.peek2()
		return kindOf(t) == k && t.Pos.Offset == p.tok.Pos.Offset+len(p.tok.Value)
	}
	switch p.kind {
	case token.Ident:
		return p.wordSlip()
	case token.Tilde:
		if adjacent(token.Eq) {
			at := p.here()
			at.End++
			d := p.report(diag.ForeignSyntax, at, "`~=` is written `!=` in Runnel")
			d.Fixes = []diag.Fix{{Title: "write `!=`", Edits: []diag.Edit{{Span: at, New: "!="}}}}
			p.next()
			p.kind = token.NotEq
		}
	case token.Question:
		if adjacent(token.Colon) {
			return binaryOp{opElvis, precCoalesce}
		}
		if p.ternaryAhead() {
			return binaryOp{opTernary, precCoalesce}
		}
	case token.In:
		if len(p.open) == 0 || p.open[len(p.open)-1].kind != token.StrHead {
			return binaryOp{opIn, precCompare}
		}
	case token.If:
		if !p.noBrace && startsOperand(p.next2()) {
			return binaryOp{opPostIf, precNone + 1}
		}
	}
	return binaryOps[p.kind]
}

// wordSlip reads an operator that is a word elsewhere.
func (p *parser) wordSlip() binaryOp {
	word := p.tok.Value
	if word == "and" && p.choiceAhead() {
		return binaryOp{opChoice, precAndAnd}
	}
	if k := p.next2(); word == "or" && (k == token.Int || k == token.Float || k == token.Str || k == token.StrHead || k == token.LBrack) {
		p.instead("??") // a literal is not a bool
		p.kind = token.QQ
		return binaryOps[p.kind]
	}
	if own, ok := foreignOps[word]; ok {
		if word != "and" && word != "or" && !startsOperand(p.next2()) {
			return binaryOp{}
		}
		p.instead(own.text)
		p.kind = own.kind
		return binaryOps[p.kind]
	}
	switch word {
	case "instanceof", "isa":
		if p.next2() == token.Ident {
			return binaryOp{opInstance, precCompare}
		}
	case "not":
		if p.next2() == token.In {
			return binaryOp{opNotIn, precCompare}
		}
	case "unless":
		if startsOperand(p.next2()) && !p.noBrace {
			return binaryOp{opPostIf, precNone + 1}
		}
	}
	return binaryOp{}
}

// ternaryAhead reports whether the ? at the lookahead has its : on this line or the next.
func (p *parser) ternaryAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	depth := 0
	for n := 0; n < 200; n++ {
		t := p.lex.Peek()
		switch k := kindOf(t); k {
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			depth++
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			if depth--; depth < 0 {
				return false
			}
		case token.Colon:
			if depth == 0 {
				return n > 0
			}
		case token.EOF, token.Semi, token.Unterminated:
			return false
		case token.Comma:
			if depth == 0 {
				return false
			}
		}
		if t.Pos.Line > p.tok.Pos.Line+1 {
			return false
		}
		p.lex.Next()
	}
	return false
}

// foreignOperation parses what stands behind an operator that is none here.
func (p *parser) foreignOperation(start uint32, x Expr, op BinOp) Expr {
	at := p.here()
	switch op {
	case opTernary:
		return p.ternary(start, x)
	case opChoice:
		return p.choice(start, x)
	case opPostIf:
		return p.postIf(start, x)
	case opElvis:
		at.End++
		d := p.report(diag.ForeignSyntax, at, "`?:` is written `??` in Runnel")
		d.Fixes = []diag.Fix{{Title: "write `??`", Edits: []diag.Edit{{Span: at, New: "??"}}}}
		p.next()
		p.next()
		y := p.binary(precCoalesce)
		return &Binary{p.base(start), OpCoalesce, at, x, y}
	case opInstance:
		p.instead("is")
		p.next()
		t := p.testedType(true)
		return &Is{p.base(start), x, t}
	}
	not := ""
	if op == opNotIn {
		not = "!"
		p.next()
		at.End = p.here().End
	}
	p.next()
	fixed := len(p.diags)
	y := p.binary(precCompare + 1)
	of := p.text(y.Span())
	if _, ok := y.(*RangeLit); ok {
		of = "(" + of + ")"
	}
	d := &diag.Diagnostic{Code: diag.ForeignSyntax, Span: at, Message: "there is no operator `" + p.text(at) + "` in Runnel"}
	d.Help = append(d.Help, "whether a collection holds a value is `xs.contains(x)`; of a map `m.has(key)`")
	if len(p.diags) == fixed && !p.quiet {
		text := not + of + ".contains(" + p.text(x.Span()) + ")"
		switch y.(type) {
		case *Ident, *Member, *Call, *Index, *StrLit, *ListLit, *RangeLit, *Paren, *SelfExpr:
			if y.Span().End <= p.end && !strings.Contains(text, "\n") {
				d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: text}}}}
			}
		}
		p.add(d)
	}
	return &BadExpr{p.base(start)}
}

// ternary reads `c ? a : b`.
func (p *parser) ternary(start uint32, c Expr) Expr {
	d := p.report(diag.ForeignSyntax, p.here(), "a choice between two values is written with `if` in Runnel")
	h := p.enter()
	p.next()
	then := p.expr()
	if p.kind != token.Colon {
		d.Help = append(d.Help, "write `if c { a } else { b }`")
		p.bail()
	}
	p.next()
	els := p.expr()
	end := p.end
	text := "if " + p.text(c.Span()) + " { " + p.text(then.Span()) + " } else { " + p.text(els.Span()) + " }"
	if strings.Contains(text, "\n") || len(text) > 100 {
		d.Help = append(d.Help, "write `if c { a } else { b }`")
	} else {
		d.Fixes = []diag.Fix{{Title: "write it with `if`", Edits: []diag.Edit{
			{Span: point(start), New: "if "}, {Span: diag.Span{Start: c.Span().End, End: then.Span().Start}, New: " { "},
			{Span: diag.Span{Start: then.Span().End, End: els.Span().Start}, New: " } else { "}, {Span: point(end), New: " }"}}}}
	}
	e := &If{Cond: Cond{X: c}, Then: p.blockOf(then), Else: p.blockOf(els)}
	e.ExprBase = p.base(start)
	p.leave(h)
	return e
}

// blockOf is a block without braces that gives x.
func (p *parser) blockOf(x Expr) *Block {
	return &Block{ExprBase: ExprBase{x.Span(), p.id()}, Stmts: []Stmt{&ExprStmt{StmtBase: StmtBase{x.Span()}, X: x}}, Rbrace: point(x.Span().End)}
}

// postIf reads `a if c else b` and `f() if c`, also with `unless`.
func (p *parser) postIf(start uint32, then Expr) Expr {
	not := p.at("unless")
	d := p.report(diag.ForeignSyntax, p.here(), "a condition stands before what depends on it")
	h := p.enter()
	p.next()
	c := p.binary(precOrOr)
	head := "if " + p.text(c.Span()) + " { "
	if not {
		head = "if !(" + p.text(c.Span()) + ") { "
	}
	if p.kind == token.Else && !p.nl {
		p.next()
		els := p.expr()
		d.Fixes = []diag.Fix{{Title: "write `if c { a } else { b }`", Edits: []diag.Edit{
			{Span: point(start), New: head}, {Span: diag.Span{Start: then.Span().End, End: els.Span().Start}, New: " } else { "}, {Span: point(p.end), New: " }"}}}}
	} else {
		d.Fixes = []diag.Fix{{Title: "write `if c { ... }`", Edits: []diag.Edit{
			{Span: point(start), New: head}, {Span: diag.Span{Start: then.Span().End, End: p.end}, New: " }"}}}}
		if not {
			d.Fixes[0].Title = "write `if !c { ... }`"
		}
	}
	p.leave(h)
	return &BadExpr{p.base(start)}
}

// postfixSlip reads what follows an operand elsewhere: X::y, p->y, s:f(), i++ within an
// expression; nil if nothing of that comes next.
func (p *parser) postfixSlip(start uint32, x Expr) Expr {
	if p.newline() {
		return nil
	}
	joined := p.start == p.end
	next := p.peek2()
	tight := next.Pos.Offset == int(p.start)+len(p.tok.Value)
	if y := p.predicate(start, x); y != nil {
		return y
	}
	if y := p.withSlip(start, x); y != nil {
		return y
	}
	switch {
	case p.kind == token.ColonColon && kindOf(next) == token.Lt: // parse::<int>()
		at := p.here()
		d := p.report(diag.ForeignSyntax, at, "type arguments stand directly behind the name")
		d.Fixes = []diag.Fix{{Title: "leave `::` out", Edits: []diag.Edit{{Span: at, New: ""}}}}
		p.next()
		p.errAt = -1
		if !p.typeArgsAhead(true) {
			p.bail()
		}
		args := p.typeArgs()
		switch x := x.(type) {
		case *Member:
			x.TypeArgs = args
			x.Sp.End = p.end
			return x
		case *Ident:
			x.TypeArgs = args
			x.Sp.End = p.end
			return x
		}
		return &BadExpr{p.base(start)}
	case p.kind == token.ColonColon && kindOf(next) == token.Spawn: // thread::spawn(...)
		from := start
		if strings.HasSuffix(p.text(diag.Span{Start: p.src.Base, End: start}), "std::") {
			from -= uint32(len("std::"))
		}
		d := p.report(diag.ForeignSyntax, p.here(), "a task is started with `spawn` alone")
		p.next()
		d.Fixes = []diag.Fix{{Title: "leave the rest out", Edits: []diag.Edit{{Span: diag.Span{Start: from, End: p.start}}}}}
		p.errAt = -1
		return p.spawnExpr()
	case p.kind == token.ColonColon && kindOf(next) == token.Ident, p.kind == token.Arrow && joined && tight && kindOf(next) == token.Ident:
		at := p.here()
		word := p.tok.Value
		d := p.report(diag.ForeignSyntax, at, "`%s` is written `.` in Runnel", word)
		d.Fixes = []diag.Fix{{Title: "write `.`", Edits: []diag.Edit{{Span: at, New: "."}}}}
		if id, ok := x.(*Ident); ok {
			d.Help = append(d.Help, pathHelp[id.Name+"::"+next.Value]...)
			d.Help = append(d.Help, pathHelp[id.Name]...)
			if len(d.Help) > 0 {
				d.Message = "there is no `" + id.Name + word + next.Value + "` in Runnel"
				d.Fixes = nil
				return p.skipPath(start)
			}
		}
		p.next()
		m := &Member{X: x, Name: p.ident()}
		m.ExprBase = p.base(start)
		return m
	case p.kind == token.PlusPlus && len(p.open) > 0 && p.nlOff:
		d := p.report(diag.ForeignSyntax, p.here(), "there is no `++` in Runnel")
		d.Help = append(d.Help, "an assignment is a statement: write `"+p.text(x.Span())+" += 1` before or after this one")
		p.next()
		p.errAt = -1
		return x
	}
	return nil
}

// pathHelp is what to write instead of X::f() of Rust, by the whole name or by its type.
var pathHelp = map[string][]string{
	"String::from": {"a text is written by itself: `\"x\"`"}, "String::new": {"an empty text is `\"\"`"}, "Box": {"there are no pointers: write the value itself"},
	"Vec": {"a list is made with `[]` or `let xs: [int] = []`"}, "Rc": {"there are no pointers: write the value itself"}, "Arc": {"there are no pointers: write the value itself; guard what tasks share with `mutex(value)`"},
	"HashMap": {"a map is made with `{}` or `map<K, V>()`"}, "HashSet": {"a set is made with `set<T>()`"}, "Mutex": {"a mutex is made with `mutex(value)`"},
	"std": {"print with `print(...)`; a module is imported by its name: `import fs`"}, "thread": {"a task is started with `spawn f()`"}, "Some": {"a value is an optional by itself"},
}

// skipPath takes the rest of a path and its call.
func (p *parser) skipPath(start uint32) Expr {
	for p.kind == token.ColonColon || p.kind == token.Ident {
		p.next()
	}
	if p.kind == token.LParen && !p.nl {
		p.opening()
		p.list(func() { p.expr() })
	}
	return &BadExpr{p.base(start)}
}

// threeDots reads the range 1...10, of which `..` was taken.
func (p *parser) threeDots(kind token.Kind) {
	if kind != token.DotDot || p.kind != token.Dot || p.start != p.end {
		return
	}
	at := diag.Span{Start: p.start - 2, End: p.start + 1}
	d := p.report(diag.ForeignSyntax, at, "a range is written `a..b`, without `b`, or `a..=b`, with it")
	d.Fixes = []diag.Fix{{Title: "write `..`", Edits: []diag.Edit{{Span: at, New: ".."}}}}
	p.next()
	p.errAt = -1
}
