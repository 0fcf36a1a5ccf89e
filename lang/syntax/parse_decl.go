package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// declaration parses a declaration, or gives nil if none begins here.
func (p *parser) declaration(top bool) Stmt {
	start := p.start
	var doc string
	if p.kind == token.Ident || p.kind.IsKeyword() {
		doc = p.doc()
		p.declarationSlip()
	}
	pub := p.kind == token.Pub
	if pub {
		if !top {
			d := p.report(diag.MisplacedModifier, p.here(), "`pub` stands only at the top level")
			d.Notes = append(d.Notes, "what a block declares is not seen outside it")
		}
		p.next()
		p.declarationSlip()
	}
	switch p.kind {
	case token.Let, token.Var, token.Const:
		return p.letStmt(start, pub, doc)
	case token.Fn:
		return p.fnDecl(start, fnHead{doc: doc, pub: pub})
	case token.Struct:
		return p.structDecl(start, doc, pub, false)
	case token.Enum:
		return p.enumDecl(start, doc, pub)
	case token.Interface:
		return p.interfaceDecl(start, doc, pub)
	case token.Import:
		return p.importDecl(start)
	case token.Ident:
		switch p.tok.Value {
		case "type":
			if p.next2() == token.Ident {
				if d := p.goType(start, doc, pub); d != nil {
					return d
				}
				return p.typeDecl(start, doc, pub)
			}
		case "test", "bench":
			if k := p.next2(); k == token.Str || k == token.RawStr {
				return p.testDecl(start)
			}
		case "native":
			switch p.next2() {
			case token.Fn:
				p.next()
				return p.fnDecl(start, fnHead{doc: doc, pub: pub, native: true})
			case token.Struct:
				p.next()
				return p.structDecl(start, doc, pub, true)
			}
		case "extend":
			if p.extendAhead() {
				return p.extendDecl(start)
			}
		}
		if d := p.typedDecl(start, fnHead{doc: doc, pub: pub}); d != nil {
			return d
		}
	}
	if pub {
		p.failExpected("a declaration after `pub`")
	}
	return nil
}

// importDecl parses an import.
//
// ebnf: ImportDecl = "import" ( name | string ) [ "as" name ] .
func (p *parser) importDecl(start uint32) *ImportDecl {
	p.next()
	d := &ImportDecl{PathSp: p.here()}
	switch p.kind {
	case token.Ident:
		d.Path = p.next().Value
		if (p.kind == token.Dot || p.kind == token.Slash) && !p.nl {
			e := p.report(diag.UnexpectedToken, p.here(), "a standard module is imported by its name alone")
			e.Help = append(e.Help, "for a file beside this one write its path as a string: `import \"./"+d.Path+"/...\"`")
			p.bail()
		}
	case token.Str:
		v := p.next().Value
		d.Path = p.unescape(v[1:len(v)-1], d.PathSp.Start+1, false)
		d.IsFile = true
	case token.BadLit:
		p.badLiteral()
		p.bail()
	default:
		p.failExpected("a module's name or a path in quotes")
	}
	if p.kind == token.As && !p.newline() {
		p.next()
		d.Alias = p.name("a module")
	}
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

// fnHead is what stands before the fn of a function.
type fnHead struct {
	doc      string
	pub      bool
	native   bool
	method   bool // a member: its name may be any word
	static   bool // a member that is called on its type
	bodyless bool // an interface's: the body may be left out
}

// fnDecl parses a function from its fn on.
//
// ebnf: FnDecl = [ "native" ] [ "static" ] "fn" name [ TypeParams ] Params [ "->" Type ] [ Block ] . // no body: only in an interface, or native; static: only in a struct or enum
func (p *parser) fnDecl(start uint32, h fnHead) *FnDecl {
	p.next()
	p.receiverSlip()
	return p.fnRest(start, h)
}

// fnRest parses a function from its name on.
func (p *parser) fnRest(start uint32, h fnHead) *FnDecl {
	f := &FnDecl{Doc: h.doc, Pub: h.pub, Native: h.native, Static: h.static}
	if h.method {
		f.Name = p.memberName("a method")
	} else {
		f.Name = p.name("a function")
	}
	p.ownerSlip()
	if f.TypeParams = p.typeParams(); f.TypeParams == nil {
		f.TypeParams = p.bracketParams()
	}
	known := len(p.diags)
	f.Params = p.params()
	head := p.end
	f.Result = p.result()
	p.headTail()
	outer, given := p.yields, p.given
	p.yields, p.given = false, nil
	switch {
	case p.kind == token.LBrace && (!p.newline() || !h.native && !h.bodyless):
		f.Body = p.block()
	case h.native || h.bodyless:
	default:
		f.Body = p.missingBody()
	}
	f.Yields, p.yields = p.yields, outer
	if f.Result == nil && !f.Yields && len(p.diags) > known {
		p.missingResult(f, head)
	}
	p.given = given
	f.StmtBase = StmtBase{p.span(start)}
	return f
}

// missingBody reports that a function has no body.
func (p *parser) missingBody() *Block {
	if b := p.bareFunction(p.from); b != nil {
		return b
	}
	if p.kind == token.Eq || p.kind == token.FatArrow || p.kind == token.Colon {
		d := p.report(diag.UnexpectedToken, p.here(), "expected `{`, found `%s`", p.tok.Value)
		d.Help = append(d.Help, "the body of a function stands in braces: `{ ... }`; its last expression is the result")
		p.bail()
	}
	p.report(diag.UnexpectedToken, p.where(), "expected `{` and the function's body, found %s", p.found())
	p.complete()
	p.bail()
	return nil
}

// params parses the parameters of a function. A broken one keeps its place, so
// that the function is declared with as many as were meant.
//
// ebnf: Params = "(" [ Param { "," Param } [ "," ] ] ")" .
// ebnf: Param  = name ":" Type [ "=" Expr ] .
func (p *parser) params() (params []*Param) {
	if p.kind != token.LParen {
		p.failExpected("`(`")
	}
	m := p.mark()
	defer func() {
		if p.caught(recover(), m, p.skipParams) && p.kind != token.LBrace && p.kind != token.Arrow {
			p.bail()
		}
	}()
	p.opening()
	p.list(func() {
		if !p.selfParam() {
			params = append(params, p.param(m.indent))
		}
	})
	return params
}

// skipParams goes past the parameter list that began at m.
func (p *parser) skipParams(m mark) { p.skipParam(m, m.indent, false) }

// skipParam goes to the end of the brackets that were opened after m or, for
// one parameter, to the comma or parenthesis that ends it. indent is that of
// the line on which the list begins.
func (p *parser) skipParam(m mark, indent int, one bool) {
	for p.kind != token.EOF && !(p.nl && p.tok.Pos.Column <= indent && p.kind != token.RParen) {
		if len(p.open) == m.open && (!one || p.kind == token.Comma || p.kind == token.RParen) {
			return
		}
		switch p.kind {
		case token.LParen, token.LBrack, token.StrHead:
			p.opening()
			continue
		case token.LBrace, token.Unterminated:
			return
		case token.RParen, token.RBrack, token.StrTail:
			p.closeInner(m.open)
		}
		p.next()
	}
}

// param parses a parameter; of a broken one the name is kept if there is one.
func (p *parser) param(indent int) (par *Param) {
	m := p.mark()
	par = &Param{Name: Name{"_", point(p.start)}}
	defer func() {
		if p.caught(recover(), m, func(m mark) { p.skipParam(m, indent, true) }) {
			par.Type = &BadType{TypeBase{p.span(m.start), p.id()}}
			if p.kind != token.Comma && p.kind != token.RParen {
				p.bail()
			}
		}
	}()
	p.paramSlip()
	if !p.colonSlip(par) {
		p.typedParam(par)
	}
	if p.accept(token.Eq) {
		par.Default = p.expr()
	}
	return par
}

func (p *parser) typedParam(par *Param) {
	par.Name = p.name("a parameter")
	if p.typedSlip(par) || p.optionalParam(par) {
		return
	}
	if p.kind != token.Colon {
		d := p.report(diag.MissingAnnotation, point(p.end), "the parameter `%s` needs a type", par.Name.Text)
		d.Text = "expected `: T` here"
		if p.untyped(d, par) {
			return
		}
		d.Help = append(d.Help, "types of parameters are always written: `"+par.Name.Text+": int`")
		p.bail()
	}
	p.next()
	par.Type = p.typeExpr()
}

// result parses the result type, nil when none is written.
func (p *parser) result() TypeExpr {
	if p.newline() {
		return nil
	}
	switch p.kind {
	case token.Arrow:
		p.next()
		return p.errorResult(p.typeExpr())
	case token.Ident, token.LBrack, token.LParen:
		if p.kind == token.Ident && p.next2() != token.LBrace {
			return nil
		}
		at := diag.Span{Start: p.start, End: p.start}
		p.report(diag.ForeignSyntax, p.here(), "the result type stands after `->`").
			Fixes = []diag.Fix{{Title: "write `->`", Edits: []diag.Edit{{Span: at, New: "-> "}}}}
		return p.errorResult(p.typeExpr())
	case token.Colon, token.FatArrow:
		if k := p.next2(); k != token.Ident && k != token.LBrack && k != token.LParen {
			return nil
		}
		at := p.here()
		p.report(diag.ForeignSyntax, at, "the result type stands after `->`").
			Fixes = []diag.Fix{{Title: "write `->`", Edits: []diag.Edit{{Span: at, New: " ->"}}}}
		p.next()
		return p.typeExpr()
	}
	return nil
}

// typeDecl parses a type alias.
//
// ebnf: TypeDecl = "type" TypeName [ TypeParams ] "=" Type .
func (p *parser) typeDecl(start uint32, doc string, pub bool) *TypeDecl {
	p.next()
	d := &TypeDecl{Doc: doc, Pub: pub, Name: p.name("a type")}
	d.TypeParams = p.typeParams()
	if p.kind != token.Eq {
		e := p.report(diag.UnexpectedToken, p.where(), "expected `=`, found %s", p.found())
		e.Help = append(e.Help, "`type` names an existing type: `type Id = int`; new ones are declared with `struct`, `enum` or `interface`")
		p.bail()
	}
	p.next()
	d.Type = p.typeExpr()
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

// testDecl parses a test or a benchmark.
//
// ebnf: TestDecl = ( "test" | "bench" ) string Block .
func (p *parser) testDecl(start uint32) *TestDecl {
	d := &TestDecl{Bench: p.tok.Value == "bench"}
	p.next()
	d.Name = p.literal().(*StrLit).Value
	d.Body = p.block()
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

// extendAhead reports whether the word extend begins a declaration here.
func (p *parser) extendAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	s := typeScan{lex: p.lex}
	return s.kind() == token.Lt || s.typ(0) && s.kind() == token.LBrace
}

// extendDecl parses methods of a built-in type.
//
// ebnf: ExtendDecl = "extend" [ TypeParams ] Type "{" { [ "native" ] FnDecl } "}" .
func (p *parser) extendDecl(start uint32) *ExtendDecl {
	p.next()
	d := &ExtendDecl{TypeParams: p.typeParams()}
	d.Target = p.typeExpr()
	p.members("a method", func(start uint32, doc string) {
		if f := p.method(start, doc, false); f != nil {
			d.Methods = append(d.Methods, f)
			return
		}
		p.failExpected("a method")
	})
	d.StmtBase = StmtBase{p.span(start)}
	return d
}

// memberName takes the name of a field or method: any word.
func (p *parser) memberName(what string) Name {
	if !p.isMemberName() {
		p.failExpected("the name of " + what)
	}
	return p.ident()
}

func (p *parser) isMemberName() bool { return p.kind == token.Ident || p.kind.IsKeyword() }

// name takes the name of something that is declared. Whether its case is right
// is for the checker to say, which knows what the library may do.
func (p *parser) name(what string) Name {
	if p.kind.IsKeyword() && !p.newline() {
		d := p.report(diag.ReservedWord, p.here(), "`%s` is a keyword and cannot name %s", p.tok.Value, what)
		d.Help = append(d.Help, "choose another name, such as `"+p.tok.Value+"_`")
		if p.misnamed == nil {
			p.misnamed = map[token.Kind]bool{}
		}
		p.misnamed[p.kind] = true
		return p.ident()
	}
	if p.kind != token.Ident {
		p.failExpected("the name of " + what)
	}
	return p.ident()
}

// standsAsName reports whether the lookahead, a reserved word that something has been
// called by, is that name again: the mistake is told once.
func (p *parser) standsAsName() bool {
	if !p.nl && p.lastEndsOperand() {
		return false
	}
	t := p.peek2()
	adjacent := t.Pos.Offset == p.tok.Pos.Offset+len(p.tok.Value)
	switch kind := kindOf(t); {
	case t.Pos.Line > p.tok.Pos.Line || kind == token.EOF || kind == token.StrMid || kind == token.StrTail:
		return true
	case kind == token.LBrace || kind == token.Bang:
		return false
	case kind == token.LParen || kind == token.LBrack:
		return adjacent
	default:
		return kind.IsFixed() && !kind.IsKeyword()
	}
}

// lastEndsOperand reports whether the last token taken may be the end of an operand.
func (p *parser) lastEndsOperand() bool {
	switch p.last {
	case token.Ident, token.RParen, token.RBrack, token.RBrace, token.Self, token.True, token.False, token.None, token.StrTail:
		return true
	}
	return p.last >= token.Int && p.last <= token.Str
}

// builtinTypes are the names of types that may stand at the head of an expression.
var builtinTypes = map[string]bool{
	"int": true, "float": true, "bool": true, "str": true, "bytes": true, "duration": true, "never": true,
	"any": true, "map": true, "set": true, "buffer": true, "task": true, "chan": true, "mutex": true,
}
