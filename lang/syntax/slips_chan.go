package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/internal/lazy"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Channels, tasks and groups of declarations as Go and Rust write them.

// arrowReceive reads `<-ch`, at the <.
func (p *parser) arrowReceive() Expr {
	start := p.start
	d := p.report(diag.ForeignSyntax, diag.Span{Start: start, End: start + 2}, "there is no `<-` in Runnel")
	h := p.enter()
	p.next()
	p.next()
	p.errAt = -1
	ch := p.postfix()
	p.leave(h)
	text := p.text(ch.Span()) + ".recv()"
	d.Help = append(d.Help, "it is none when the channel is closed")
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: ch.Span().Start}}, {Span: point(ch.Span().End), New: ".recv()"}}}}
	at := ExprBase{diag.Span{Start: start, End: p.end}, p.id()}
	recv := &Member{ExprBase: at, X: ch, Name: Name{"recv", point(p.end)}}
	return &Call{ExprBase: ExprBase{at.Sp, p.id()}, Fn: recv, Rparen: point(p.end)}
}

// makeSlip reads make(chan int), make(map[string]int) and make([]int, n) of Go; nil if make is a
// function.
func (p *parser) makeSlip() Expr {
	if p.next2() != token.LParen {
		return nil
	}
	cp := p.lex.Mark()
	p.lex.Next()
	p.lex.Next()
	word := p.lex.Peek().Value
	p.lex.Next()
	s := typeScan{lex: p.lex}
	ok := word == "chan" || word == "map" && s.kind() == token.LBrack || word == "[" && s.kind() == token.RBrack
	p.lex.Return(cp)
	if !ok {
		return nil
	}
	start := p.start
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `make` in Runnel")
	h := p.enter()
	p.next()
	p.opening()
	p.quiet = true
	t := p.typeExpr()
	p.quiet = p.aborted
	p.errAt = -1
	var sizes []Expr
	for p.accept(token.Comma) {
		sizes = append(sizes, p.expr())
	}
	p.closing("")
	p.leave(h)
	text, x := p.made(t, sizes)
	at := diag.Span{Start: start, End: p.end}
	if text == "" {
		d.Help = append(d.Help, "a list begins empty, `let xs: [T] = []`, and grows with `xs.push(x)`")
		return &BadExpr{p.base(start)}
	}
	if t, ok := t.(*ListType); ok && text == "[]" {
		if m := declaredName().FindStringSubmatchIndex(p.lineBefore(start)); m != nil {
			name := start - uint32(m[1]-m[3])
			d.Fixes = []diag.Fix{{Title: "write its type, and `[]`", Edits: []diag.Edit{{Span: point(name), New: ": " + p.ourText(t)}, {Span: at, New: "[]"}}}}
			return x
		}
		d.Help = append(d.Help, "where nothing is put in soon, write its type: `let xs: "+p.ourText(t)+" = []`")
	}
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
	return x
}

var declaredName = lazy.Regexp(`^\s*(?:let|var|const)\s+(\w+)\s*=\s*$`)

// lineBefore is what stands on its line before a place.
func (p *parser) lineBefore(at uint32) string {
	before := p.src.Src[:at-p.src.Base]
	return before[len(before)-min(p.column(at), 100):]
}

// made is what gives a new value of a type, as text and as an expression.
func (p *parser) made(t TypeExpr, sizes []Expr) (string, Expr) {
	bad := &BadExpr{ExprBase{diag.Span{Start: p.end, End: p.end}, p.id()}}
	switch t := t.(type) {
	case *NamedType:
		p.ownNames(t)
		fn := &Ident{ExprBase: ExprBase{t.Span(), p.id()}, Name: t.Name.Text, TypeArgs: t.Args}
		c := &Call{ExprBase: ExprBase{diag.Span{Start: t.Span().Start, End: p.end}, p.id()}, Fn: fn, Rparen: point(p.end)}
		size := ""
		if len(sizes) > 0 && t.Name.Text == "chan" {
			size = p.text(sizes[0].Span())
			c.Args = []Arg{{Value: sizes[0]}}
		}
		return p.ourText(t) + "(" + size + ")", c
	case *ListType:
		p.ownNames(t)
		_, zero, _ := strings.Cut(zeroOf[p.ourText(t.Elem)], " = ")
		switch {
		case len(sizes) == 0 || p.text(sizes[0].Span()) == "0":
			return "[]", bad
		case zero != "":
			return "[" + zero + "].repeat(" + p.text(sizes[0].Span()) + ")", bad
		}
	}
	return "", bad
}

// spawnedLambda reads `(|| { ... })` and `(move || { ... })` behind `spawn`, as the block that is
// meant; nil if something else follows.
func (p *parser) spawnedLambda() *Block {
	cp := p.lex.Mark()
	start := p.start
	if p.kind != token.LParen {
		return nil
	}
	p.lex.Next()
	if t := p.lex.Peek(); t.Value == "move" || t.Value == "async" {
		p.lex.Next()
	}
	pipes := kindOf(p.lex.Peek()) == token.OrOr
	p.lex.Next()
	open := p.lex.Peek()
	p.lex.Return(cp)
	if !pipes || kindOf(open) != token.LBrace {
		return nil
	}
	d := p.report(diag.SpawnOperand, p.here(), "`spawn` takes a block, without a lambda around it")
	p.opening()
	for p.kind != token.LBrace {
		p.next()
	}
	p.errAt = -1
	b := p.blockStatement()
	end := p.end
	p.closing("")
	space := " "
	if p.text(diag.Span{Start: start - 1, End: start}) == " " {
		space = ""
	}
	d.Fixes = []diag.Fix{{Title: "write `spawn { ... }`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: b.Sp.Start}, New: space}, {Span: diag.Span{Start: end, End: p.end}}}}}
	return b
}

var groupLine = lazy.Regexp(`^\s*(\w+)(?:\s+(\w+))?\s*(?:=\s*(.*?))?\s*(?://.*)?$`)

// groupSlip reports `const ( ... )` of Go.
func (p *parser) groupSlip(word string) {
	if p.kind != token.LParen || p.peek2().Pos.Line == p.tok.Pos.Line || p.thirdKind() != token.Eq && p.thirdKind() != token.Ident {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "each declaration stands by itself")
	rest := p.src.Src[int(p.start-p.src.Base):]
	end := strings.Index(rest, "\n)")
	if end < 0 || end > 1000 {
		d.Help = append(d.Help, "write `"+word+" x = 1` on a line of its own for each")
		p.opening()
		p.bail()
	}
	at := diag.Span{Start: p.start - uint32(len(word)) - 1, End: p.start + uint32(end) + 2}
	p.grouped(d, word, strings.Split(rest[1:end], "\n"), at)
	p.opening()
	p.bail()
}

// grouped says how the declarations in the lines of a group are written.
func (p *parser) grouped(d *diag.Diagnostic, word string, lines []string, at diag.Span) {
	var names, out []string
	counts, typ := false, "Kind"
	for _, line := range lines {
		m := groupLine().FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case m == nil:
			d.Help = append(d.Help, "write `"+word+" x = 1` on a line of its own for each")
			return
		case m[3] == "iota":
			counts = true
			if m[2] != "" {
				typ = m[2]
			}
		case m[3] == "" && !counts:
			d.Help = append(d.Help, "write `"+word+" "+m[1]+" = ...` on a line of its own for each")
			return
		}
		names = append(names, m[1])
		out = append(out, word+" "+m[1]+" = "+m[3])
	}
	if counts {
		d.Message = "numbers that count up are the variants of an `enum`"
		d.Help = append(d.Help, "write `enum "+typ+" { "+strings.Join(names, ", ")+" }`; a variant is `"+typ+"."+names[0]+"`, its number `int("+typ+"."+names[0]+")`")
		return
	}
	d.Fixes = []diag.Fix{{Title: "write `" + strings.Join(out, "; ") + "`", Edits: []diag.Edit{{Span: at, New: strings.Join(out, "\n")}}}}
}
