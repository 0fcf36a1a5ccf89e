package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// members parses the { } of a declaration: members end at a newline, a comma,
// a semicolon or their own }. A broken one is skipped. elem is given the start and the doc
// comment of each.
func (p *parser) members(what string, elem func(start uint32, doc string)) {
	if p.bareMembers(what, elem) {
		return
	}
	h := p.enter()
	p.sameLine()
	p.opening()
	for p.kind != token.RBrace && p.kind != token.EOF {
		if p.unbalanced && p.nl && p.tok.Pos.Column <= p.open[len(p.open)-1].indent {
			break
		}
		if p.accept(token.Semi) || p.accept(token.Comma) {
			continue
		}
		p.oneMember(what, elem)
	}
	p.closing("")
	p.leave(h)
}

func (p *parser) oneMember(what string, elem func(start uint32, doc string)) {
	m := p.mark()
	defer func() {
		if p.caught(recover(), m, p.skipMember) {
			p.lost++
		}
	}()
	elem(p.start, p.doc())
	switch {
	case p.nl, p.kind == token.RBrace, p.kind == token.EOF, p.kind == token.Comma, p.kind == token.Semi:
	case p.last == token.RBrace, p.endsBare(), p.cases.d != nil && p.nextCase():
	default:
		d := p.report(diag.UnexpectedToken, p.where(), "expected a new line or `,` after %s, found %s", what, p.found())
		p.slipHelp(d)
		p.bail()
	}
}

// method parses a method, or gives nil if none begins here.
func (p *parser) method(start uint32, doc string, bodyless bool) *FnDecl {
	p.memberSlip()
	h := fnHead{doc: doc, method: true, bodyless: bodyless}
	if p.kind == token.Pub {
		d := p.report(diag.MisplacedModifier, p.here(), "members have no `pub`")
		d.Notes = append(d.Notes, "the fields and methods of a type are seen wherever the type is")
		p.next()
	}
	if p.at("native") && p.next2() == token.Fn {
		p.next()
		h.native = true
	}
	if p.at("static") && p.kind == token.Ident && p.next2() != token.Colon {
		return p.staticFn(start, h)
	}
	if p.kind != token.Fn {
		return nil
	}
	return p.fnDecl(start, h)
}

// staticFn parses a function that is called on its type, from `static` on.
func (p *parser) staticFn(start uint32, h fnHead) *FnDecl {
	word := p.here()
	p.next()
	p.memberSlip()
	h.static = true
	if p.kind == token.Fn {
		return p.fnDecl(start, h)
	}
	if f := p.methodSlip(start, h, ""); f != nil {
		return f
	}
	d := p.report(diag.MisplacedModifier, word, "only functions are `static`")
	d.Help = append(d.Help, "a constant of a type stands beside it: `const max = 3`; what all its values share is a `let` at the top of the file")
	p.bail()
	return nil
}

// structDecl parses a struct.
//
// ebnf: StructDecl = [ "native" ] "struct" TypeName [ TypeParams ] [ ":" Type { "," Type } ] [ "{" { Field | FnDecl } "}" ] . // no braces: only native
// ebnf: Field      = [ "let" ] name ":" Type [ "=" Expr ] .
func (p *parser) structDecl(start uint32, doc string, pub, native bool) *StructDecl {
	p.next()
	return p.structRest(start, &StructDecl{Doc: doc, Pub: pub, Native: native, Name: p.name("a struct")})
}

// structRest parses a struct from behind its name on.
func (p *parser) structRest(start uint32, d *StructDecl) *StructDecl {
	if d.Name.Text != "" && p.kind == token.Struct {
		p.next() // type P struct
	}
	d.TypeParams = p.typeParams()
	d.Implements = p.asserted()
	lost := p.lost
	p.baseSlip(d)
	if !d.Native || p.kind == token.LBrace && !p.newline() {
		p.members("a field", func(start uint32, doc string) {
			if f := p.method(start, doc, false); f != nil {
				d.Methods = append(d.Methods, f)
				return
			}
			if f := p.methodSlip(start, fnHead{doc: doc, method: true}, d.Name.Text); f != nil {
				d.Methods = append(d.Methods, f)
				return
			}
			d.Fields = append(d.Fields, p.field(doc))
		})
	}
	d.Broken = d.Broken || p.lost > lost
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

// asserted parses the interfaces that a type says it satisfies.
func (p *parser) asserted() (list []TypeExpr) {
	if p.kind != token.Colon || p.newline() || p.next2() == token.EOF { // the last is a body by indentation
		return nil
	}
	p.next()
	list = append(list, p.typeExpr())
	for p.accept(token.Comma) {
		list = append(list, p.typeExpr())
	}
	return list
}

func (p *parser) field(doc string) *FieldDecl {
	f := &FieldDecl{Doc: doc}
	switch p.kind {
	case token.Let:
		p.next()
		f.ReadOnly = true
	case token.Var, token.Const:
		d := p.report(diag.MisplacedModifier, p.here(), "a field is declared without `%s`", p.tok.Value)
		d.Help = append(d.Help, "write `name: T`, or `let name: T` for a field that is read-only after construction")
		p.next()
	}
	f.Name = p.memberName("a field")
	optional := p.optionalSlip(f.Name)
	if p.fieldTypeSlip(f) {
		return f
	}
	if p.kind != token.Colon || p.newline() {
		d := p.report(diag.MissingAnnotation, point(p.end), "the field `%s` needs a type", f.Name.Text)
		d.Text = "expected `: T` here"
		p.fieldSlip(d, f.Name.Text)
		p.bail()
	}
	p.next()
	f.Type = p.typeExpr()
	p.optionalField(optional, f)
	if p.kind == token.Eq && !p.newline() {
		p.next()
		f.Default = p.expr()
	}
	return f
}

// enumDecl parses an enum.
//
// ebnf: EnumDecl     = "enum" TypeName [ TypeParams ] [ ":" Type { "," Type } ] "{" { Variant | FnDecl } "}" .
// ebnf: Variant      = TypeName [ "(" [ VariantField { "," VariantField } [ "," ] ] ")" ] [ "=" Expr ] .
// ebnf: VariantField = [ name ":" ] Type [ "=" Expr ] .
func (p *parser) enumDecl(start uint32, doc string, pub bool) *EnumDecl {
	p.next()
	d := &EnumDecl{Doc: doc, Pub: pub, Name: p.name("an enum")}
	d.TypeParams = p.typeParams()
	d.Implements = p.asserted()
	p.members("a variant", func(start uint32, doc string) {
		if f := p.method(start, doc, false); f != nil {
			d.Methods = append(d.Methods, f)
			return
		}
		d.Variants = append(d.Variants, p.variant(doc))
	})
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

func (p *parser) variant(doc string) *Variant {
	v := &Variant{Doc: doc, Name: p.name("a variant")}
	if p.kind == token.LParen && !p.newline() {
		p.opening()
		p.list(func() {
			f := &Param{}
			if p.isMemberName() && kindOf(p.peek2()) == token.Colon {
				f.Name = p.memberName("a field")
				p.next()
			}
			f.Type = p.typeExpr()
			if p.accept(token.Eq) {
				f.Default = p.expr()
			}
			v.Fields = append(v.Fields, f)
		})
	}
	if p.kind == token.Eq && !p.newline() {
		p.next()
		v.Number = p.expr()
	}
	return v
}

// interfaceDecl parses an interface.
//
// ebnf: InterfaceDecl = "interface" TypeName [ TypeParams ] "{" { FnDecl } "}" .
func (p *parser) interfaceDecl(start uint32, doc string, pub bool) *InterfaceDecl {
	p.next()
	d := &InterfaceDecl{Doc: doc, Pub: pub, Name: p.name("an interface")}
	p.interfaceRest(start, d)
	return d
}

// interfaceRest parses an interface from behind its name on.
func (p *parser) interfaceRest(start uint32, d *InterfaceDecl) {
	d.TypeParams = p.typeParams()
	lost := p.lost
	p.members("a method", func(start uint32, doc string) {
		if f := p.method(start, doc, true); f != nil {
			d.Methods = append(d.Methods, f)
			return
		}
		p.interfaceSlip()
		p.failExpected("a method")
	})
	d.Broken = p.lost > lost
	d.StmtBase = StmtBase{p.span(start)}
}
