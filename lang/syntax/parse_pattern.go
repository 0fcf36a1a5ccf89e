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

// ebnf: SinglePattern = BindPattern | LiteralPattern | RangePattern | TuplePattern | VariantPattern .
// ebnf: TuplePattern  = "(" [ Pattern { "," Pattern } [ "," ] ] ")" .
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
		var elems []Pattern
		p.list(func() { elems = append(elems, p.pattern(true)) })
		if len(elems) == 1 {
			return elems[0]
		}
		return &TuplePattern{p.patternBase(start), elems}
	case token.Int, token.Float, token.Duration, token.Bytes, token.Str, token.RawStr, token.Minus,
		token.True, token.False, token.None, token.BadLit:
		return p.literalPattern()
	case token.StrHead:
		d := p.report(diag.BadPattern, p.here(), "a pattern cannot contain an interpolation")
		d.Help = append(d.Help, "bind the value and compare it in a guard: `s if s == \"...\" => ...`")
		p.bail()
	case token.LBrack, token.LBrace:
		what := "a list"
		if p.kind == token.LBrace {
			what = "a map or struct"
		}
		d := p.report(diag.BadPattern, p.here(), "%s cannot be matched in brackets", what)
		d.Help = append(d.Help, "a struct is matched as `Point(x: 0, y)`; for a list, test `len()` and its elements in a guard")
		p.bail()
	}
	p.failExpected("a pattern")
	return nil
}

// bindPattern parses a binding, or `_`, with an optional type test.
//
// ebnf: BindPattern = ( name | "_" ) [ ":" Type ] .
func (p *parser) bindPattern(typed bool) Pattern {
	start := p.start
	b := &BindPattern{Name: p.name("a variable")}
	if typed && p.kind == token.Colon {
		p.next()
		b.Type = p.typeExpr()
	}
	b.PatternBase = p.patternBase(start)
	return b
}

// ebnf: LiteralPattern = [ "-" ] Literal .
// ebnf: RangePattern   = LiteralPattern ( ".." | "..=" ) LiteralPattern .
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
// ebnf: FieldPattern   = [ name ":" ] Pattern .
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
		p.list(func() { v.Fields = append(v.Fields, p.fieldPattern()) })
	}
	v.PatternBase = p.patternBase(start)
	return v
}

func (p *parser) fieldPattern() FieldPattern {
	var f FieldPattern
	if p.isMemberName() && kindOf(p.peek2()) == token.Colon && !(p.kind == token.Ident && isUpper(p.tok.Value)) {
		f.Name = p.ident()
		p.next()
	}
	if p.kind == token.DotDot {
		d := p.report(diag.BadPattern, p.here(), "`..` is not needed here")
		d.Help = append(d.Help, "fields that are not named match anything")
		p.bail()
	}
	f.Pat = p.pattern(true)
	return f
}

// letPattern parses what a let binds: a name or a pattern that cannot fail.
func (p *parser) letPattern() Pattern {
	if p.kind.IsKeyword() && p.kind != token.True && p.kind != token.False && p.kind != token.None && !p.newline() {
		return p.bindPattern(false) // which says what is wrong
	}
	if p.kind == token.Ident && isUpper(p.tok.Value) {
		switch p.next2() {
		case token.Colon, token.Eq, token.EOF, token.Comma, token.RParen: // a name in the wrong case
			return p.bindPattern(false)
		}
	}
	return p.pattern(false)
}

func isUpper(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z'
}
