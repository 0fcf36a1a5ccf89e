package syntax

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Types as other languages write them. They are read as ours, so that each costs one
// error.

// typeIs reports that the type that began at start and ends here is written otherwise, and
// gives it. d was reported at its first token.
func (p *parser) typeIs(d *diag.Diagnostic, start uint32, text string, t TypeExpr) TypeExpr {
	at := diag.Span{Start: start, End: p.end}
	p.forgetWithin(d, at)
	p.ownNames(t)
	if text == "" {
		text = p.ourText(t)
	}
	d.Span = at
	d.Message = "the type `" + p.text(at) + "` is written `" + text + "` in Runnel"
	if strings.Contains(p.text(at), "\n") {
		d.Message = "this type is written `" + text + "` in Runnel"
	}
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
	return t
}

// forgetWithin drops what was reported within a place since d was: its fix mends that too.
func (p *parser) forgetWithin(d *diag.Diagnostic, at diag.Span) {
	from := slices.Index(p.diags, d)
	if from < 0 {
		return
	}
	kept := p.diags[:from+1]
	for _, other := range p.diags[from+1:] {
		if other.Code != diag.ForeignSyntax || other.Span.Start < at.Start || other.Span.End > at.End {
			kept = append(kept, other)
		}
	}
	p.diags = kept
}

// ownNames puts our names in place of those of other languages in a type.
func (p *parser) ownNames(t TypeExpr) {
	switch t := t.(type) {
	case *NamedType:
		if own, ok := OwnTypes[t.Name.Text]; ok && len(t.Args) == 0 && t.Module.Text == "" && !isUpper(t.Name.Text) {
			t.Name.Text = own
		}
		for _, a := range t.Args {
			p.ownNames(a)
		}
	case *ListType:
		p.ownNames(t.Elem)
	case *OptionalType:
		p.ownNames(t.Elem)
	case *TupleType:
		for _, e := range t.Elems {
			p.ownNames(e)
		}
	case *FnType:
		for _, e := range t.Params {
			p.ownNames(e)
		}
		if t.Result != nil {
			p.ownNames(t.Result)
		}
	}
}

// foreignType reads a type that does not begin as ours do; nil if it is none.
func (p *parser) foreignType() TypeExpr {
	start := p.start
	report := func() *diag.Diagnostic {
		d := p.report(diag.ForeignSyntax, p.here(), "this type is written otherwise in Runnel")
		p.errAt = -1
		return d
	}
	switch k := p.kind; {
	case k == token.Amp, k == token.Star, k == token.AndAnd:
		d := report()
		p.next()
		p.accept(token.Label)
		if p.at("mut") || p.kind == token.Const || p.at("dyn") {
			p.next()
		}
		if p.at("dyn") {
			p.next()
		}
		t := p.typeExpr()
		d.Help = append(d.Help, "there are no pointers: structs, lists and maps are references by themselves")
		return p.typeIs(d, start, "", t)
	case k == token.LBrack && (p.next2() == token.RBrack || p.next2() == token.Int): // []int, [3]int
		d := report()
		p.next()
		p.accept(token.Int)
		if p.kind != token.RBrack {
			p.failExpected("`]`")
		}
		p.next()
		elem := p.typeExpr()
		return p.typeIs(d, start, "", &ListType{TypeBase{p.span(start), p.id()}, elem})
	case k == token.Interface && p.next2() == token.LBrace, k == token.Struct && p.next2() == token.LBrace:
		d := report()
		p.next()
		p.opening()
		if p.kind != token.RBrace {
			d.Message = "a type is declared by itself, with a name"
			d.Help = append(d.Help, "write `struct Name { ... }` and use `Name` here")
			p.bail()
		}
		p.closing("")
		if k == token.Struct {
			return p.typeIs(d, start, "", &TupleType{TypeBase{p.span(start), p.id()}, nil})
		}
		return p.typeIs(d, start, "", &NamedType{TypeBase{p.span(start), p.id()}, Name{}, Name{"any", p.span(start)}, nil})
	case k == token.LBrace && p.next2() == token.Ident && builtinTypes[p.peek2().Value]: // {str: int}
		d := report()
		p.opening()
		return p.mapType(d, start, p.typeExpr())
	case k == token.LBrace && (p.last == token.Colon || p.last == token.Eq) && p.next2() == token.Ident:
		p.objectType()
	case k == token.None || p.at("void"):
		if p.last != token.Arrow && p.last != token.Colon {
			return nil
		}
		d := p.report(diag.ForeignSyntax, p.here(), "`%s` is no type", p.tok.Value)
		arrow := p.end - 2
		if p.last == token.Colon {
			arrow = p.end - 1
		}
		p.next()
		gap := diag.Span{Start: arrow, End: p.end}
		if gap.Start > p.src.Base && p.text(diag.Span{Start: gap.Start - 1, End: gap.Start}) == " " {
			gap.Start--
		}
		if p.kind == token.LBrace {
			d.Fixes = []diag.Fix{{Title: "a function that gives nothing has no `->`", Edits: []diag.Edit{{Span: gap, New: ""}}}}
		} else {
			d.Help = append(d.Help, "the type of nothing is `()`; a function that gives nothing has no `->`")
		}
		return &TupleType{TypeBase{p.span(start), p.id()}, nil}
	}
	return nil
}

// mapType reads the rest of {K: V} and [K: V], whose key was read.
func (p *parser) mapType(d *diag.Diagnostic, start uint32, key TypeExpr) TypeExpr {
	if !p.accept(token.Colon) {
		p.failExpected("`:`")
	}
	val := p.typeExpr()
	p.closing("")
	return p.typeIs(d, start, "", &NamedType{TypeBase{p.span(start), p.id()}, Name{}, Name{"map", point(start)}, []TypeExpr{key, val}})
}

// foreignNamed reads a type that begins with a word of other languages; nil if it is none.
func (p *parser) foreignNamed() TypeExpr {
	start := p.start
	word, next := p.tok.Value, p.next2()
	report := func() *diag.Diagnostic {
		d := p.report(diag.ForeignSyntax, p.here(), "this type is written otherwise in Runnel")
		p.errAt = -1
		return d
	}
	switch word {
	case "dyn", "impl", "inout", "mut", "unsigned", "signed", "readonly", "final", "ref", "struct":
		if next == token.Ident || next == token.LBrack {
			d := report()
			p.next()
			t := p.typeExpr()
			return p.typeIs(d, start, "", t)
		}
	case "chan":
		if next == token.Ident || next == token.LBrack || next == token.Struct || next == token.Interface || next == token.Star {
			d := report()
			p.next()
			t := p.typeExpr()
			return p.typeIs(d, start, "", &NamedType{TypeBase{p.span(start), p.id()}, Name{}, Name{"chan", point(start)}, []TypeExpr{t}})
		}
	case "map":
		if next == token.LBrack { // map[K]V
			d := report()
			p.next()
			p.opening()
			key := p.typeExpr()
			p.closing("")
			val := p.typeExpr()
			return p.typeIs(d, start, "", &NamedType{TypeBase{p.span(start), p.id()}, Name{}, Name{"map", point(start)}, []TypeExpr{key, val}})
		}
	case "func", "function", "Fn", "FnMut", "FnOnce":
		if next == token.LParen { // func(int) int
			d := report()
			p.next()
			f := &FnType{Params: p.typeList()}
			if p.accept(token.Arrow) || (p.kind == token.Ident || p.kind == token.LBrack) && !p.nl {
				f.Result = p.typeExpr()
			}
			f.TypeBase = TypeBase{p.span(start), p.id()}
			return p.typeIs(d, start, "", f)
		}
	case "Callable":
		if next == token.LBrack { // Callable[[int], int]
			d := report()
			p.next()
			p.opening()
			f := &FnType{}
			if p.kind == token.LBrack {
				p.opening()
				p.list(func() { f.Params = append(f.Params, p.typeExpr()) })
			}
			if p.accept(token.Comma) {
				f.Result = p.typeExpr()
			}
			p.closing("")
			f.TypeBase = TypeBase{p.span(start), p.id()}
			return p.typeIs(d, start, "", f)
		}
	}
	if next != token.LBrack || p.tok.Value == "" {
		return nil
	}
	after := p.thirdKind()
	if !isUpper(word) && word != "list" && word != "dict" && word != "set" && word != "tuple" || after == token.RBrack || after == token.Int {
		return nil
	}
	d := report() // List[int]
	p.next()
	p.opening()
	var args []TypeExpr
	p.list(func() { args = append(args, p.typeExpr()) })
	t, text := p.appliedType(start, word, args)
	return p.typeIs(d, start, text, t)
}

// thirdKind is the kind of the second token after the lookahead.
func (p *parser) thirdKind() token.Kind {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	p.lex.Next()
	return kindOf(p.lex.Peek())
}

// appliedType is our type for one of another language with arguments.
func (p *parser) appliedType(start uint32, word string, args []TypeExpr) (TypeExpr, string) {
	var texts []string
	for _, a := range args {
		texts = append(texts, p.text(a.Span()))
	}
	base := TypeBase{p.span(start), p.id()}
	switch strings.ToLower(word) {
	case "list", "sequence", "iterable":
		if len(args) == 1 {
			return &ListType{base, args[0]}, "[" + texts[0] + "]"
		}
	case "optional":
		if len(args) == 1 {
			return &OptionalType{base, args[0]}, texts[0] + "?"
		}
	case "tuple":
		if len(args) > 1 {
			return &TupleType{base, args}, "(" + strings.Join(texts, ", ") + ")"
		}
	case "dict", "mapping":
		word = "map"
	case "set":
		word = "set"
	case "union":
		return &NamedType{base, Name{}, Name{"any", point(start)}, nil}, "any"
	}
	return &NamedType{base, Name{}, Name{word, point(start)}, args}, word + "<" + strings.Join(texts, ", ") + ">"
}

// typeTail reads what stands behind a type elsewhere: int[], int | null, (x: int) => int.
func (p *parser) typeTail(start uint32, t TypeExpr) TypeExpr {
	for !p.newline() {
		switch {
		case p.kind == token.LBrack && p.next2() == token.RBrack && p.start == p.end:
			d := p.report(diag.ForeignSyntax, p.here(), "a list")
			p.next()
			p.next()
			p.errAt = -1
			t = p.typeIs(d, start, "", &ListType{TypeBase{p.span(start), p.id()}, t})
		case p.kind == token.Pipe && !p.bars && (p.next2() == token.Ident || p.next2() == token.None || p.next2() == token.LBrack || p.next2() == token.Str):
			d := p.report(diag.ForeignSyntax, p.here(), "a union")
			none, more := false, false
			for p.kind == token.Pipe && !p.newline() {
				p.next()
				switch {
				case p.kind == token.None, p.at("null"), p.at("undefined"), p.at("None"), p.at("nil"):
					none = true
					p.next()
				case p.kind == token.Str:
					more = true
					p.next()
				default:
					more = true
					p.primaryType(true)
				}
			}
			p.errAt = -1
			switch {
			case none && !more:
				t = p.typeIs(d, start, "", &OptionalType{TypeBase{p.span(start), p.id()}, t})
			default:
				d.Span.Start, d.Span.End = start, p.end
				d.Message = "there are no types with `|` in Runnel"
				d.Help = append(d.Help, "declare an enum with a variant for each, `enum Value { Number(int), Text(str) }`, or take `any` and test it with `match`")
				t = &NamedType{TypeBase{p.span(start), p.id()}, Name{}, Name{"any", point(start)}, nil}
			}
		default:
			return t
		}
	}
	return t
}

// arrowFn reads (x: int, y: int) => int as the type of a function; nil if none begins here.
func (p *parser) arrowFn() TypeExpr {
	if p.bars {
		return nil
	}
	cp := p.lex.Mark()
	line := p.tok.Pos.Line
	ok := p.paramsAhead()
	t := p.lex.Peek()
	ok = ok && t.Pos.Line == line && (kindOf(t) == token.FatArrow || kindOf(t) == token.Arrow)
	p.lex.Return(cp)
	if !ok {
		return nil
	}
	start := p.start
	d := p.report(diag.ForeignSyntax, p.here(), "the type of a function")
	p.errAt = -1
	f := &FnType{}
	p.opening()
	p.list(func() {
		if p.kind == token.Ident && p.next2() == token.Colon {
			p.next()
			p.next()
		}
		f.Params = append(f.Params, p.typeExpr())
	})
	p.next()
	f.Result = p.typeExpr()
	f.TypeBase = TypeBase{p.span(start), p.id()}
	return p.typeIs(d, start, "", f)
}

// ourText is a type as it is written here.
func (p *parser) ourText(t TypeExpr) string { return TypeText(t, p.text) }

// TypeText is a type as it is written here; source is the text at a place.
func TypeText(t TypeExpr, source func(diag.Span) string) string {
	texts := func(list []TypeExpr) string {
		out := make([]string, len(list))
		for i, e := range list {
			out[i] = TypeText(e, source)
		}
		return strings.Join(out, ", ")
	}
	switch t := t.(type) {
	case *ListType:
		return "[" + TypeText(t.Elem, source) + "]"
	case *OptionalType:
		return TypeText(t.Elem, source) + "?"
	case *TupleType:
		return "(" + texts(t.Elems) + ")"
	case *FnType:
		text := "fn(" + texts(t.Params) + ")"
		if t.Result != nil {
			text += " -> " + TypeText(t.Result, source)
		}
		return text
	case *NamedType:
		name := t.Name.Text
		if t.Module.Text != "" {
			name = t.Module.Text + "." + name
		}
		if len(t.Args) > 0 {
			name += "<" + texts(t.Args) + ">"
		}
		return name
	}
	return source(t.Span())
}
