package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// What people of Go write.

// goType reads `type P struct { ... }`; nil if another declaration follows the name.
func (p *parser) goType(start uint32, doc string, pub bool) Stmt {
	cp := p.lex.Mark()
	p.lex.Next()
	p.lex.Next()
	t := p.lex.Peek()
	p.lex.Return(cp)
	kind := kindOf(t)
	if t.Pos.Line != p.tok.Pos.Line || kind != token.Struct && kind != token.Interface {
		return nil
	}
	at := diag.Span{Start: p.start, End: uint32(t.Pos.Offset + len(t.Value))}
	name := p.peek2().Value
	text := t.Value + " " + name
	p.report(diag.ForeignSyntax, at, "%s is declared with `%s`", map[token.Kind]string{token.Struct: "a struct", token.Interface: "an interface"}[kind], text).
		Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
	p.errAt = -1
	p.next()
	n := p.ident()
	if kind == token.Struct {
		return p.structRest(start, &StructDecl{Doc: doc, Pub: pub, Name: n})
	}
	d := &InterfaceDecl{Doc: doc, Pub: pub, Name: n}
	p.next()
	p.interfaceRest(start, d)
	return d
}

// goLiteral reads []int{1, 2} and map[string]int{"a": 1}; nil if none begins here.
func (p *parser) goLiteral() Expr {
	start := p.start
	isMap := p.at("map")
	if p.noBrace || !isMap && p.kind != token.LBrack || isMap && p.next2() != token.LBrack || !isMap && p.next2() != token.RBrack {
		return nil
	}
	cp := p.lex.Mark()
	p.lex.Next()
	p.lex.Next()
	s := typeScan{lex: p.lex}
	ok := true
	if isMap {
		ok = s.typ(0) && s.accept(token.RBrack)
	}
	ok = ok && s.typ(0) && s.kind() == token.LBrace
	p.lex.Return(cp)
	if !ok {
		return nil
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a literal has no type before it")
	h := p.enter()
	p.errAt = -1
	p.quiet = true
	p.typeExpr()
	p.quiet = p.aborted
	if isMap {
		d.Fixes = []diag.Fix{{Title: "leave the type out", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.start}, New: ""}}}}
		if p.next2() == token.RBrace {
			d.Fixes = nil
			d.Help = append(d.Help, "an empty map is `map<str, int>()`")
			p.opening()
			p.closing("")
			p.leave(h)
			return &BadExpr{p.base(start)}
		}
		x := p.mapLit()
		p.leave(h)
		return x
	}
	open := p.here()
	p.opening()
	l := &ListLit{}
	p.list(func() { l.Elems = append(l.Elems, p.expr()) })
	d.Message = "a list is written in brackets, without its type: `[1, 2]`"
	d.Fixes = []diag.Fix{{Title: "write a list", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: open.End}, New: "["}, {Span: diag.Span{Start: p.end - 1, End: p.end}, New: "]"}}}}
	l.ExprBase = p.base(start)
	p.leave(h)
	if len(l.Elems) == 0 {
		return &BadExpr{l.ExprBase}
	}
	return l
}

// arrowSend reads `ch <- v` of Go, at the <; nil if it is a comparison.
func (p *parser) arrowSend(start uint32, x Expr) Expr {
	minus := p.peek2()
	if start != p.stmtAt || p.kind != token.Lt || kindOf(minus) != token.Minus || minus.Pos.Offset != int(p.start)+1 {
		return nil
	}
	after := p.text(diag.Span{Start: p.start + 2, End: p.start + 3})
	if after != " " {
		return nil
	}
	at := diag.Span{Start: p.start, End: p.start + 2}
	d := p.report(diag.ForeignSyntax, at, "there is no `<-` in Runnel")
	d.Help = append(d.Help, "a channel is read with `ch.recv()` and written with `ch.send(v)`")
	p.next()
	p.next()
	y := p.expr()
	text := p.text(x.Span()) + ".send(" + p.text(y.Span()) + ")"
	if !strings.Contains(text, "\n") {
		d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: text}}}}
		d.Help = nil
	}
	fn := &Member{ExprBase: ExprBase{x.Span().To(at), p.id()}, X: x, Name: Name{"send", at}}
	return &Call{ExprBase: p.base(start), Fn: fn, Args: []Arg{{Value: y}}, Rparen: point(p.end)}
}

// typeAssertion reads x.(T) of Go, at the dot; nil if it is a member.
func (p *parser) typeAssertion(start uint32, x Expr) Expr {
	if p.kind != token.Dot || p.next2() != token.LParen {
		return nil
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "a value is taken as another type with `as`")
	p.next()
	p.opening()
	p.errAt = -1
	if p.at("type") {
		d.Message = "the type of a value is found with `match`"
		d.Help = append(d.Help, "write `match x { n: int => ..., s: str => ..., _ => ... }`")
		p.next()
		p.closing("")
		return &BadExpr{p.base(start)}
	}
	t := p.typeExpr()
	p.closing("")
	d.Fixes = []diag.Fix{{Title: "write `as`", Edits: []diag.Edit{{Span: diag.Span{Start: at.Start, End: p.end}, New: " as " + p.text(t.Span())}}}}
	return &As{p.base(start), x, t}
}

// bracketParams reads the type parameters [T any] of Go and [T] of Scala.
func (p *parser) bracketParams() []*TypeParam {
	if p.kind != token.LBrack || p.nl {
		return nil
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "type parameters stand between `<` and `>`")
	p.errAt = -1
	p.opening()
	var params []*TypeParam
	var names []string
	p.list(func() {
		tp := &TypeParam{Name: p.name("a type parameter")}
		text := tp.Name.Text
		if p.accept(token.Colon) || p.kind == token.Ident {
			bound := p.text(p.here())
			if bound == "any" || bound == "comparable" {
				p.next()
			} else {
				tp.Bound = p.typeExpr()
				text += ": " + p.text(tp.Bound.Span())
			}
		}
		params, names = append(params, tp), append(names, text)
	})
	text := "<" + strings.Join(names, ", ") + ">"
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: at.Start, End: p.end}, New: text}}}}
	return params
}

// condSlip reports, in a condition that begins at start, what stands in a condition elsewhere: `x := f(); x > 1` and `let x = y;`. It
// reports whether it skipped to the body.
func (p *parser) condSlip(start uint32) bool {
	if p.newline() || p.kind != token.ColonEq && p.kind != token.Comma && p.kind != token.Semi {
		return false
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a condition declares nothing")
	if own := p.inCond(start); own != "" {
		d.Help = append(d.Help, own)
	} else {
		d.Help = append(d.Help, "write `let x = ...` on the line before; of a value that may be missing `if let v = m.get(key) { ... }`")
	}
	p.quiet = true
	for p.kind != token.LBrace && p.kind != token.EOF && !p.nl {
		p.next()
	}
	p.quiet = p.aborted
	if p.kind != token.LBrace {
		p.bail()
	}
	return true
}

// headTail reports what stands between the result of a function and its body elsewhere:
// throws, where.
func (p *parser) headTail() {
	if p.kind != token.Ident || p.nl {
		return
	}
	var help string
	switch p.tok.Value {
	case "throws", "raises":
		help = "any function may throw: leave it out"
	case "where":
		help = "a bound stands at the type parameter: `fn f<T: Ordered>(x: T)`"
	case "const", "override", "noexcept", "async":
		help = "leave it out"
	default:
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", p.tok.Value)
	d.Help = append(d.Help, help)
	p.quiet = true
	for p.kind != token.LBrace && p.kind != token.EOF && !p.nl {
		p.next()
	}
	p.quiet = p.aborted
	p.errAt = -1
}

// ownerSlip reports the name of a method behind that of its type, P:double and P.double.
func (p *parser) ownerSlip() {
	if p.kind != token.Colon && p.kind != token.Dot || p.start != p.end || p.next2() != token.Ident {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a method stands within the braces of its type")
	owner, name := p.text(diag.Span{Start: p.nameAt(), End: p.end}), p.peek2().Value
	d.Help = append(d.Help, "write `struct "+owner+" { ...; fn "+name+"() { ... } }`; in it `self` is the value it is called on",
		"functions of a module stand by themselves in its file: `pub fn "+name+"() { ... }`, called as `file."+name+"()` behind `import \"./file\"`")
	p.giveUpBody()
}

// giveUpBody gives a declaration up whose body is in braces on its line, is indented or
// ends with a word.
func (p *parser) giveUpBody() {
	cp := p.lex.Mark()
	braces := false
	for n := 0; n < 200 && !braces; n++ {
		t := p.lex.Peek()
		if t.Pos.Line != p.tok.Pos.Line || kindOf(t) == token.EOF {
			break
		}
		braces = kindOf(t) == token.LBrace
		p.lex.Next()
	}
	p.lex.Return(cp)
	if braces {
		p.bail()
	}
	p.skipToEnd()
}

// typedSlip reads a parameter whose type has no colon before it: xs []int, p *P, xs ...int,
// String[] args.
func (p *parser) typedSlip(par *Param) bool {
	at := p.end
	switch {
	case p.kind == token.LBrack && p.next2() == token.RBrack && p.thirdKind() == token.Ident && (isUpper(par.Name.Text) || builtinTypes[par.Name.Text] || foreignTypeWords[par.Name.Text]):
		first := par.Name
		d := p.report(diag.MissingAnnotation, first.Sp, "a parameter is written with a colon before its type")
		p.next()
		p.next()
		p.errAt = -1
		elem := &NamedType{TypeBase{first.Sp, p.id()}, Name{}, first, nil}
		par.Type = &ListType{TypeBase{diag.Span{Start: first.Sp.Start, End: p.end}, p.id()}, elem}
		par.Name = p.name("a parameter")
		text := par.Name.Text + ": [" + first.Text + "]"
		d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: first.Sp.Start, End: p.end}, New: text}}}}
		return true
	case p.kind == token.LBrack, p.kind == token.Star, p.kind == token.Amp, p.kind == token.Fn, p.at("func") && p.next2() == token.LParen, p.at("map") && p.next2() == token.LBrack:
		d := p.report(diag.MissingAnnotation, par.Name.Sp, "a parameter is written with a colon before its type")
		p.errAt = -1
		p.quiet = true
		par.Type = p.typeExpr()
		p.quiet = p.aborted
		text := ": " + p.ourText(par.Type)
		d.Fixes = []diag.Fix{{Title: "write `" + par.Name.Text + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: at, End: p.end}, New: text}}}}
		return true
	case p.kind == token.DotDot:
		d := p.report(diag.ForeignSyntax, p.here(), "a function has a fixed number of parameters")
		p.next()
		p.accept(token.Dot)
		p.accept(token.Colon)
		p.quiet = true
		elem := p.typeExpr()
		p.quiet = p.aborted
		par.Type = &ListType{TypeBase{elem.Span(), p.id()}, elem}
		p.errAt = -1
		text := ": [" + p.ourText(elem) + "]"
		d.Fixes = []diag.Fix{{Title: "take a list", Edits: []diag.Edit{{Span: diag.Span{Start: at, End: p.end}, New: text}}}}
		return true
	}
	return false
}

// nameAt is where the word begins that ends here.
func (p *parser) nameAt() uint32 {
	at := p.end
	for at > p.src.Base && isWord(p.src.Src[at-1-p.src.Base]) {
		at--
	}
	return at
}

// receiverAhead reports whether `(s *Stack) Push(` stands behind the lookahead.
func (p *parser) receiverAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	for _, k := range []token.Kind{token.LParen, token.Ident, token.Star, token.Ident, token.RParen, token.Ident, token.LParen} {
		switch t := p.lex.Peek(); {
		case kindOf(t) == k:
			p.lex.Next()
		case k != token.Star:
			return false
		}
	}
	return true
}
