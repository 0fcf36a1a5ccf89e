package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// importSlip reports the imports of other languages, at the keyword import.
func (p *parser) importSlip() bool {
	next := p.peek2()
	switch kindOf(next) {
	case token.LBrace, token.Star, token.LParen:
	case token.Ident:
		if !p.fromAhead() {
			return false
		}
	default:
		return false
	}
	d := p.report(diag.ForeignSyntax, p.here(), "an import names one module")
	name := p.lastText()
	commas := p.listedModules()
	switch {
	case commas != nil:
		d.Fixes = []diag.Fix{{Title: "write a line for each", Edits: commas}}
	case kindOf(next) == token.LParen:
		d.Help = append(d.Help, "write one line for each: `import fs`")
	case strings.HasPrefix(name, "."):
		d.Help = append(d.Help, "write `import \""+name+"\"`, and the module's name and a dot before what it exports")
	case name != "":
		d.Help = append(d.Help, "write `import "+name+"`, and `"+name+".` before the names of the module")
	default:
		d.Help = append(d.Help, "write `import fs` for a module of the library, `import \"./file\"` for a file")
	}
	p.next()
	if p.kind == token.LParen || p.kind == token.LBrace {
		p.opening()
	}
	return true
}

// listedModules returns what makes lines of the import `a, b`, and nil for another.
func (p *parser) listedModules() (commas []diag.Edit) {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	for {
		if kindOf(p.lex.Next()) != token.Ident {
			return nil
		}
		t := p.lex.Peek()
		if t.Pos.Line != p.tok.Pos.Line || kindOf(t) != token.Comma {
			if t.Pos.Line == p.tok.Pos.Line && kindOf(t) != token.EOF {
				return nil
			}
			return commas
		}
		from := uint32(p.lex.Next().Pos.Offset)
		commas = append(commas, diag.Edit{Span: diag.Span{Start: from, End: uint32(p.lex.Peek().Pos.Offset)}, New: "\nimport "})
	}
}

// fromAhead reports whether the import continues as `x from` or `x, { y } from`.
func (p *parser) fromAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	p.lex.Next()
	t := p.lex.Peek()
	return t.Pos.Line == p.tok.Pos.Line && (t.Value == "from" || kindOf(t) == token.Comma)
}

// lastText is the last text in quotes of the line, if it can be a module's name.
func (p *parser) lastText() (name string) {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	for n := 0; n < 100; n++ {
		t := p.lex.Peek()
		if t.Pos.Line != p.tok.Pos.Line {
			break
		}
		switch kindOf(t) {
		case token.EOF:
			return name
		case token.Str, token.BadLit:
			if v := t.Value; len(v) > 2 && !strings.ContainsAny(v[1:len(v)-1], "\"`$ ") {
				name = v[1 : len(v)-1]
			}
		}
		p.lex.Next()
	}
	return name
}

// pathSlip reports `use std::fs;` and `using System.IO;`.
func (p *parser) pathSlip() {
	if p.next2() != token.Ident {
		return
	}
	cp := p.lex.Mark()
	p.lex.Next()
	p.lex.Next()
	k := kindOf(p.lex.Peek())
	p.lex.Return(cp)
	if k != token.ColonColon && k != token.Dot {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "an import names one module")
	d.Help = append(d.Help, "write `import fs` for a module of the library, `import \"./file\"` for a file; lists, maps and sets need none")
	p.bail()
}
