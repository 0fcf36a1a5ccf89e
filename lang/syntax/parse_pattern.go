package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// pattern parses a pattern with alternatives. typed says that a binding may
// carry a type test.
//
// ebnf: Pattern = SinglePattern { "|" SinglePattern } .
func (p *parser) pattern(typed bool) Pattern {
	start := p.start
	first := p.singlePattern(typed)
	if p.kind != token.Pipe {
		return first
	}
	alts := []Pattern{first}
	for p.accept(token.Pipe) {
		alts = append(alts, p.singlePattern(typed))
	}
	return &OrPattern{p.patternBase(start), alts}
}

func (p *parser) patternBase(start uint32) PatternBase {
	return PatternBase{p.span(start), p.id()}
}

// ebnf: SinglePattern = BindPattern | LiteralPattern | RangePattern | TuplePattern | ListPattern | VariantPattern .
// ebnf: TuplePattern  = "(" [ PartPattern { "," PartPattern } [ "," ] ] ")" .
// ebnf: PartPattern   = Pattern | ".." . // `..` once
func (p *parser) singlePattern(typed bool) Pattern {
	start := p.start
	h := p.enter()
	defer p.leave(h)
	switch p.kind {
	case token.Ident:
		if isUpper(p.tok.Value) || p.next2() == token.Dot {
			return p.variantPattern()
		}
		return p.bindPattern(typed)
	case token.LParen:
		p.opening()
		t := &TuplePattern{}
		p.list(func() { p.part(t) })
		return p.tuplePattern(start, t)
	case token.LBrack:
		if typed {
			return p.listPattern()
		}
		p.bracketPattern()
		p.bail()
	case token.LBrace:
		p.bracketPattern()
		p.bail()
	case token.Int, token.Float, token.Duration, token.Bytes, token.Str, token.RawStr, token.Minus,
		token.True, token.False, token.None, token.BadLit:
		return p.literalPattern()
	case token.StrHead:
		d := p.report(diag.BadPattern, p.here(), "a pattern cannot contain an interpolation")
		d.Help = append(d.Help, "bind the value and compare it in a guard: `s if s == \"...\" => ...`")
		p.bail()
	}
	p.failExpected("a pattern")
	return nil
}

// listPattern parses the pattern of a list.
//
// ebnf: ListPattern = "[" [ ElemPattern { "," ElemPattern } [ "," ] ] "]" .
// ebnf: ElemPattern = Pattern | ".." [ name ] . // `..` once
func (p *parser) listPattern() Pattern {
	start := p.start
	l := &ListPattern{}
	p.opening()
	p.list(func() {
		if l.Rest > 0 && p.kind == token.DotDot {
			p.twice()
		}
		if !p.dots() {
			l.Elems = append(l.Elems, p.pattern(true))
			return
		}
		l.Rest = len(l.Elems) + 1
		if p.kind == token.Ident && !isUpper(p.tok.Value) {
			l.Between = p.bindPattern(false).(*BindPattern)
		}
	})
	l.PatternBase = p.patternBase(start)
	return l
}

// part parses a part of a tuple pattern.
func (p *parser) part(t *TuplePattern) {
	if p.kind == token.DotDot {
		p.rest(&t.Rest, len(t.Elems))
		return
	}
	t.Elems = append(t.Elems, p.pattern(true))
}

// rest takes a `..` that stands for the parts not looked at, after n patterns.
func (p *parser) rest(at *int, n int) {
	if *at > 0 {
		p.twice()
	}
	*at = n + 1
	p.next()
	if p.kind == token.Ident && !p.newline() {
		d := p.report(diag.BadPattern, p.here(), "what `..` stands for has no name")
		d.Help = append(d.Help, "write a name or `_` for each part")
		p.bail()
	}
}

func (p *parser) twice() {
	d := p.report(diag.BadPattern, p.here(), "`..` stands twice in this pattern")
	d.Help = append(d.Help, "write `_` for each part that is not looked at, or leave out the other ones by one `..`")
	p.bail()
}

// tuplePattern makes the pattern of a tuple whose parts have been parsed; around a
// single one the parentheses mean nothing.
func (p *parser) tuplePattern(start uint32, t *TuplePattern) Pattern {
	if len(t.Elems) == 1 && t.Rest == 0 {
		return t.Elems[0]
	}
	t.PatternBase = p.patternBase(start)
	return t
}

// bindPattern parses a binding, or `_`, with an optional type test.
//
// ebnf: BindPattern = ( name | "_" ) [ ":" Type ] .
func (p *parser) bindPattern(typed bool) Pattern {
	start := p.start
	b := &BindPattern{Name: p.name("a variable")}
	if typed && p.kind == token.Colon {
		p.next()
		p.bars = true
		b.Type = p.typeExpr()
		p.bars = false
	}
	b.PatternBase = p.patternBase(start)
	return b
}

// ebnf: LiteralPattern = [ "-" ] Literal .
// ebnf: RangePattern   = LiteralPattern ( ".." [ LiteralPattern ] | "..=" LiteralPattern ) .
func (p *parser) literalPattern() Pattern {
	start := p.start
	lo := p.patternLiteral()
	if p.kind != token.DotDot && p.kind != token.DotDotEq {
		return &LitPattern{p.patternBase(start), lo}
	}
	r := &RangePattern{Lo: lo, Inclusive: p.kind == token.DotDotEq}
	p.next()
	switch p.kind {
	case token.Int, token.Float, token.Duration, token.Bytes, token.Str, token.RawStr, token.Minus, token.BadLit:
		r.Hi = p.patternLiteral()
	case token.FatArrow, token.If, token.Pipe, token.Comma, token.RParen, token.Eq:
		if r.Inclusive {
			p.failExpected("the range's upper bound")
		}
	default:
		p.failExpected("the range's upper bound")
	}
	r.PatternBase = p.patternBase(start)
	return r
}

func (p *parser) patternLiteral() Expr {
	start := p.start
	if p.kind != token.Minus {
		return p.literal()
	}
	p.next()
	p.minusAt = p.lex.Cursor()
	switch p.kind {
	case token.Int, token.Float, token.Duration:
	default:
		p.failExpected("a number after `-`")
	}
	x := p.literal()
	return &Unary{p.base(start), OpNeg, x}
}

// variantPattern parses a variant or struct pattern.
//
// ebnf: VariantPattern = { name "." } TypeName [ TypeArgs ] [ "(" [ FieldPattern { "," FieldPattern } [ "," ] ] ")" ] .
// ebnf: FieldPattern   = [ name ":" ] Pattern | ".." . // `..` once, and not beside names
func (p *parser) variantPattern() Pattern {
	start := p.start
	v := &VariantPattern{Name: p.ident()}
	for p.kind == token.Dot && !p.newline() {
		p.next()
		if p.kind != token.Ident {
			p.failExpected("the name of a variant")
		}
		if v.Qualifier.Text == "" {
			v.Qualifier = v.Name
		} else {
			v.Qualifier.Text += "." + v.Name.Text
			v.Qualifier.Sp = v.Qualifier.Sp.To(v.Name.Sp)
		}
		v.Name = p.ident()
	}
	if p.kind == token.Lt && !p.newline() {
		v.TypeArgs = p.typeArgs()
	}
	if !isUpper(v.Name.Text) {
		d := p.remark(diag.BadPattern, v.Name.Sp, "`%s` is no variant: their names begin with a capital letter", v.Name.Text)
		d.Help = append(d.Help, "to compare with a value, bind a name and use a guard: `x if x == ...`")
	}
	if p.kind == token.LParen && !p.newline() {
		v.HasArgs = true
		p.opening()
		p.list(func() { p.fieldPattern(v) })
	}
	if p.kind == token.LBrace && !p.newline() {
		d := p.report(diag.BadPattern, p.here(), "a struct is taken apart in parentheses")
		d.Help = append(d.Help, "write `"+v.Name.Text+"(a, b)` with a name for each field, `"+v.Name.Text+"(a, ..)` for the first one, or `"+v.Name.Text+"(field: a)`")
		p.bail()
	}
	v.PatternBase = p.patternBase(start)
	return v
}

func (p *parser) fieldPattern(v *VariantPattern) {
	var f FieldPattern
	if p.isMemberName() && kindOf(p.peek2()) == token.Colon && !(p.kind == token.Ident && isUpper(p.tok.Value)) {
		f.Name = p.ident()
		p.next()
	}
	if p.kind == token.DotDot {
		if n := len(v.Fields); n > 0 && v.Fields[n-1].Name.Text != "" {
			d := p.report(diag.BadPattern, p.here(), "`..` is not needed here")
			d.Help = append(d.Help, "beside names, fields that are not named match anything")
			p.bail()
		}
		p.rest(&v.Rest, len(v.Fields))
		return
	}
	f.Pat = p.pattern(true)
	v.Fields = append(v.Fields, f)
}

// forPattern parses what a for binds in each turn.
func (p *parser) forPattern() Pattern {
	if p.kind != token.LParen {
		return p.letPattern()
	}
	start, at := p.start, p.here()
	slip := func() {
		d := p.report(diag.ForeignSyntax, at, "a `for` has no parentheses around its head")
		d.Help = append(d.Help, forms)
		p.bail()
	}
	p.opening()
	t := &TuplePattern{}
	p.list(func() {
		if p.kind == token.Let || p.kind == token.Var || p.kind == token.Const || p.kind == token.Semi {
			slip()
		}
		p.part(t)
		if p.kind != token.Comma && p.kind != token.RParen {
			slip()
		}
	})
	return p.tuplePattern(start, t)
}

// letPattern parses what a let binds: a name or a pattern that cannot fail.
func (p *parser) letPattern() Pattern {
	if p.kind.IsKeyword() && p.kind != token.True && p.kind != token.False && p.kind != token.None && !p.newline() {
		return p.bindPattern(false) // which says what is wrong
	}
	if p.kind == token.Ident && isUpper(p.tok.Value) {
		switch p.next2() {
		case token.Colon, token.Eq, token.EOF, token.Comma, token.RParen, token.In: // a name in the wrong case
			return p.bindPattern(false)
		}
	}
	return p.pattern(false)
}

func isUpper(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z'
}
