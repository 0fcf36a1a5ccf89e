package syntax

import (
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Lists, maps and structs taken apart in brackets, as JavaScript, Python and Rust do.

// takenName is a name that `let [a, b] = xs` or `let {x, y: b} = p` binds, and the field that it
// is of; rest says that it stands for all that are left.
type takenName struct {
	name, field string
	rest        bool
}

// takenApart reads `let [a, b] = xs` and `let {x, y} = p`, at the bracket; nil if the names cannot
// be told.
func (p *parser) takenApart(start uint32) *LetStmt {
	if p.kind != token.LBrack && p.kind != token.LBrace {
		return nil
	}
	list := p.kind == token.LBrack
	names, ok := p.takenAhead(list)
	if !ok {
		return nil
	}
	why := "`let` does not take a struct or map apart in braces: bind its fields one by one"
	if list {
		why = "`let` cannot take a list apart, which may have another length: bind its elements one by one, or match it with `if let`"
	}
	d := p.report(diag.BadPattern, p.here(), "%s", why)
	s := &LetStmt{Pattern: p.takenPattern()}
	p.next()
	p.errAt = -1
	value := p.value()
	text := p.takenText(names, list, value)
	at := diag.Span{Start: start, End: p.end}
	if text == "" || strings.Contains(p.text(at), "\n") {
		d.Help = append(d.Help, "write `let a = xs[0]`, or of a struct `let x = p.x`, on a line for each")
	} else {
		d.Fixes = []diag.Fix{{Title: "write `" + strings.ReplaceAll(text, "\n", "; ") + "`", Edits: []diag.Edit{{Span: at, New: p.indented(text)}}}}
		if !list && !strings.Contains(text, `["`) {
			d.Help = append(d.Help, "an entry of a map is `m[\"x\"]`")
		}
	}
	s.Value = &BadExpr{p.base(value.Span().Start)}
	s.StmtBase = StmtBase{p.span(start)}
	return s
}

// indented is text of several lines, each indented as the line of the statement.
func (p *parser) indented(text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", max(p.indent-1, 0)))
}

// takenAhead looks at the names in brackets up to the `=`.
func (p *parser) takenAhead(list bool) (names []takenName, ok bool) {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	next := func(k token.Kind) (string, bool) {
		t := p.lex.Peek()
		if kindOf(t) != k {
			return "", false
		}
		p.lex.Next()
		return t.Value, true
	}
	end := token.RBrack
	if !list {
		end = token.RBrace
	}
	p.lex.Next()
	for len(names) < 10 {
		n := takenName{}
		if _, dots := next(token.DotDot); dots {
			n.rest = true
			next(token.Dot)
		} else if _, star := next(token.Star); star {
			n.rest = true
		}
		if n.name, ok = next(token.Ident); !ok {
			return nil, false
		}
		n.field = n.name
		if _, renamed := next(token.Colon); renamed && !list {
			if n.name, ok = next(token.Ident); !ok {
				return nil, false
			}
		}
		names = append(names, n)
		if _, more := next(token.Comma); !more {
			break
		}
	}
	_, closed := next(end)
	return names, closed && kindOf(p.lex.Peek()) == token.Eq
}

// takenPattern takes the brackets, and makes a pattern of the names in them.
func (p *parser) takenPattern() Pattern {
	start := p.start
	t := &TuplePattern{}
	p.opening()
	p.list(func() {
		p.accept(token.DotDot)
		p.accept(token.Dot)
		p.accept(token.Star)
		name := p.ident()
		if p.accept(token.Colon) {
			name = p.ident()
		}
		b := &BindPattern{Name: name}
		b.PatternBase = PatternBase{name.Sp, p.id()}
		t.Elems = append(t.Elems, b)
	})
	return p.tuplePattern(start, t)
}

// takenText is how the names are bound, "" where that takes more than this.
func (p *parser) takenText(names []takenName, list bool, value Expr) string {
	src := p.text(value.Span())
	before := ""
	if lit, ok := value.(*ListLit); ok && list && len(lit.Elems) == len(names) {
		return letOf(names, func(i int, _ takenName) string { return p.text(lit.Elems[i].Span()) })
	}
	if !plainPlace().MatchString(src) {
		of := "parts"
		if !list {
			of = "value"
		}
		for n := 2; strings.Contains(string(p.src.Src), of); n++ { // another may have the name
			of = strings.TrimRight(of, "0123456789") + strconv.Itoa(n)
		}
		before, src = "let "+of+" = "+src+"\n", of
	}
	for _, n := range names {
		if n.rest && !list {
			return ""
		}
	}
	isMap := before == "" && p.declaresMap(src, value.Span().Start)
	return before + letOf(names, func(i int, n takenName) string {
		switch {
		case n.rest:
			return src + "[" + strconv.Itoa(i) + "..]"
		case list:
			return src + "[" + strconv.Itoa(i) + "]"
		case isMap:
			return src + "[\"" + n.field + "\"]"
		}
		return src + "." + n.field
	})
}

// declaresMap reports whether a map is declared by a name shortly before a place.
func (p *parser) declaresMap(name string, at uint32) bool {
	before := p.src.Src[:at-p.src.Base]
	before = before[len(before)-min(len(before), 4000):]
	for _, decl := range []string{" " + name + ` = {"`, " " + name + " = map<", name + ": map<"} {
		if strings.Contains(before, decl) {
			return true
		}
	}
	return false
}

// letOf binds each name to a value.
func letOf(names []takenName, value func(int, takenName) string) string {
	left, right := make([]string, len(names)), make([]string, len(names))
	for i, n := range names {
		left[i], right[i] = n.name, value(i, n)
	}
	if len(names) == 1 {
		return "let " + left[0] + " = " + right[0]
	}
	return "let (" + strings.Join(left, ", ") + ") = (" + strings.Join(right, ", ") + ")"
}

// bracketPattern reports a bracket where a pattern is to begin.
func (p *parser) bracketPattern() {
	what := "a list"
	if p.kind == token.LBrace {
		what = "a map or struct"
	}
	d := p.report(diag.BadPattern, p.here(), "%s is not taken apart in brackets here", what)
	if what == "a list" {
		d.Help = append(d.Help, "it may have another length: match it with `if let [a, b] = xs { ... }` or in a `match`",
			"or read its elements one by one: `let a = xs[0]`, or `xs.first()`, which may be none")
		return
	}
	d.Help = append(d.Help, "read its fields one by one, `let x = p.x`; a struct is also taken apart with its name: `let Point(x, y) = p`",
		"an entry of a map is `m[\"x\"]`")
}
