package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/internal/lazy"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Values as other languages make them: from others, of two, by address.

// addressSlip reads &x and *x as x; nil if it is something else.
func (p *parser) addressSlip() Expr {
	if p.kind != token.Amp && p.kind != token.Star || p.last == token.Amp || p.last == token.Star {
		return nil
	}
	next := p.peek2()
	if k := kindOf(next); next.Pos.Offset != int(p.start)+1 || !startsOperand(k) || k == token.Minus || k == token.Bang {
		return nil
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "there is no `%s` before an operand", p.tok.Value)
	h := p.enter()
	p.next()
	if p.at("mut") && kindOf(p.peek2()) == token.Ident {
		p.next()
		at.End = p.start
	}
	p.errAt = -1
	x := p.operand()
	p.leave(h)
	d.Help = append(d.Help, "there are no pointers: structs, lists and maps are references by themselves")
	d.Fixes = []diag.Fix{{Title: "leave it out", Edits: []diag.Edit{{Span: at, New: ""}}}}
	return x
}

// comprehension reads `x * 2 for x in xs if x > 1` behind its value, among the elements of
// a list or the arguments of a call.
func (p *parser) comprehension(value Expr, key Expr) Expr {
	if p.kind != token.For || p.nl && !p.nlOff {
		return value
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a list is made from another by its methods")
	d.Help = append(d.Help, "write `xs.map(|x| ...)`, and before it `.filter(|x| ...)`")
	p.errAt = -1
	first := value
	if key != nil {
		first = key
	}
	start := first.Span().Start
	h := p.enter()
	p.next()
	var names []string
	for p.kind == token.Ident {
		names = append(names, p.ident().Text)
		if !p.accept(token.Comma) {
			break
		}
	}
	if p.kind != token.In || len(names) == 0 {
		p.bail()
	}
	p.next()
	outer := p.noBrace
	p.noBrace = true
	xs := p.binary(precCoalesce)
	p.noBrace = outer
	var cond Expr
	if p.kind == token.If {
		p.next()
		cond = p.expr()
	}
	p.leave(h)
	if p.kind == token.For || p.kind == token.If {
		p.bail()
	}
	text := p.asReceiver(xs)
	params := "|" + names[0] + "| "
	if len(names) > 1 {
		params = "|(" + strings.Join(names, ", ") + ")| "
		if c, ok := xs.(*Call); ok && len(c.Args) == 1 && p.text(c.Fn.Span()) == "enumerate" {
			text = p.asReceiver(c.Args[0].Value) + ".enumerate()"
		}
		if c, ok := xs.(*Call); ok && len(c.Args) == 0 {
			if m, ok := c.Fn.(*Member); ok && m.Name.Text == "items" {
				text = p.asReceiver(m.X) + ".entries()"
			}
		}
	}
	if cond != nil {
		text += ".filter(" + params + p.text(cond.Span()) + ")"
	}
	switch own := p.text(value.Span()); {
	case key != nil:
		text += ".map(" + params + "(" + p.text(key.Span()) + ", " + own + ")).to_map()"
	case own != names[0] || cond == nil:
		text += ".map(" + params + own + ")"
	}
	at := diag.Span{Start: start, End: p.end}
	if o := p.open[len(p.open)-1]; o.kind != token.LParen && closer(o.kind) == p.kind {
		at = diag.Span{Start: o.at.Start, End: p.here().End}
	}
	if !strings.Contains(p.text(at), "\n") {
		d.Help = nil
		d.Fixes = []diag.Fix{{Title: "write its methods", Edits: []diag.Edit{{Span: at, New: text}}}}
	}
	return &BadExpr{p.base(start)}
}

// asReceiver is the text of an expression before a dot.
func (p *parser) asReceiver(x Expr) string {
	text := p.text(x.Span())
	switch x := x.(type) {
	case *Call:
		if p.text(x.Fn.Span()) == "range" && len(x.Args) == 1 {
			return "(0.." + p.text(x.Args[0].Value.Span()) + ")"
		}
		if p.text(x.Fn.Span()) == "range" && len(x.Args) == 2 {
			return "(" + p.text(x.Args[0].Value.Span()) + ".." + p.text(x.Args[1].Value.Span()) + ")"
		}
	case *RangeLit, *Binary, *Unary, *If, *Lambda, *MapLit:
		return "(" + text + ")"
	}
	return text
}

// choice reads `c and a or b`, at the `and`.
func (p *parser) choice(start uint32, c Expr) Expr {
	d := p.report(diag.ForeignSyntax, p.here(), "a choice between two values is written with `if` in Runnel")
	h := p.enter()
	p.next()
	then := p.operand()
	p.next()
	els := p.binary(precCompare + 1)
	p.leave(h)
	if strings.Contains(p.text(diag.Span{Start: start, End: p.end}), "\n") {
		d.Help = append(d.Help, "write `if c { a } else { b }`")
		return &BadExpr{p.base(start)}
	}
	d.Fixes = []diag.Fix{{Title: "write it with `if`", Edits: []diag.Edit{
		{Span: point(start), New: "if "}, {Span: diag.Span{Start: c.Span().End, End: then.Span().Start}, New: " { "},
		{Span: diag.Span{Start: then.Span().End, End: els.Span().Start}, New: " } else { "}, {Span: point(p.end), New: " }"}}}}
	return &BadExpr{p.base(start)}
}

// choiceAhead reports whether a literal and an `or` stand behind the lookahead, an `and`.
func (p *parser) choiceAhead() bool {
	switch p.next2() {
	case token.Int, token.Float, token.Str:
	default:
		return false
	}
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	p.lex.Next()
	t := p.lex.Peek()
	return kindOf(t) == token.Ident && t.Value == "or"
}

// concatenation reads `a .. b .. c` of Lua, of which a range was made; nil if no
// range is chained.
func (p *parser) concatenation(start uint32, r *RangeLit) Expr {
	if r.Lo == nil || r.Hi == nil || r.Inclusive || p.kind != token.DotDot || p.newline() {
		return nil
	}
	parts := []Expr{r.Lo, r.Hi}
	at := diag.Span{Start: r.Lo.Span().End, End: r.Hi.Span().Start}
	d := &diag.Diagnostic{Code: diag.ForeignSyntax, Span: at, Message: "`..` makes a range of ints; texts are joined with `+`"}
	second := p.here()
	for p.kind == token.DotDot && !p.newline() {
		p.next()
		parts = append(parts, p.binary(precRange+1))
	}
	text, is := "", false
	for _, x := range parts {
		src := p.text(x.Span())
		_, plain := x.(*StrLit)
		_, inserts := x.(*InterpLit)
		switch {
		case (plain || inserts) && src[0] == '"':
			text += strings.Trim(src, `"`)
			is = true
		case strings.HasPrefix(src, "[[") && strings.HasSuffix(src, "]]"):
			text += strings.TrimSuffix(strings.TrimPrefix(src, "[["), "]]")
			is = true
		default:
			text += "${" + src + "}"
		}
	}
	if !p.quiet {
		p.add(d)
	}
	switch {
	case !is:
		d.Code, d.Message, d.Span = diag.ChainedComparison, "ranges cannot be chained", second
		d.Notes = append(d.Notes, "a range has two ends and no step")
		d.Help = append(d.Help, "texts are joined with `+`, or written together: \"${a}${b}\"")
	case !strings.Contains(p.text(diag.Span{Start: start, End: p.end}), "\n"):
		d.Fixes = []diag.Fix{{Title: "write them into one text", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: `"` + text + `"`}}}}
	}
	return &BadExpr{p.base(start)}
}

var regexSlip = lazy.Regexp(`^/((?:[^/\\\n]|\\.)+)/[a-z]*`)

// regexSlip reports /[a-z]+/ of JavaScript, Ruby and Perl, at its first slash.
func (p *parser) regexSlip() {
	if p.kind != token.Slash {
		return
	}
	rest := p.src.Src[int(p.start-p.src.Base):]
	m := regexSlip().FindStringSubmatch(rest[:min(len(rest), 200)])
	if m == nil || strings.ContainsAny(m[1], "`") {
		return
	}
	at := diag.Span{Start: p.start, End: p.start + uint32(len(m[0]))}
	own := "re.compile(`" + m[1] + "`)"
	d := p.report(diag.ForeignSyntax, at, "a pattern is made from a text, by the module re")
	d.Help = append(d.Help, "write `import re`, and then "+own+"; `.matches(text)` tests and `.find(text)` finds")
	p.bail()
}

// besideValue says how a value is had that Go gives with an error or an ok beside it.
func (p *parser) besideValue(d *diag.Diagnostic, value Expr) {
	if !strings.HasPrefix(d.Message, "a function gives one value") || len(p.names) < 2 || len(d.Help) == 0 {
		return
	}
	name, other, text := p.names[0], p.names[len(p.names)-1], p.text(value.Span())
	if strings.Contains(text, "\n") || len(text) > 60 {
		return
	}
	switch x := value.(type) {
	case *Index:
		d.Message = "an entry that may be missing is an optional, with no `" + other + "` beside it"
		d.Help = []string{"write `if let " + name + " = " + p.text(x.X.Span()) + ".get(" + p.text(x.I.Span()) + ") { ... }`"}
		return
	case *Call:
		if fn := p.text(x.Fn.Span()); (fn == "pcall" || fn == "xpcall") && len(x.Args) > 0 {
			d.Message = "there is no `" + fn + "` in Runnel"
			body := p.bodyOf(x.Args[0].Value)
			if strings.HasPrefix(body, "error(") {
				body = "throw " + body
			}
			d.Help = []string{"errors are caught with `try { " + body + " } catch " + other + " { ... }`"}
			return
		}
		if m, ok := x.Fn.(*Member); ok && givesOptional[m.Name.Text] {
			d.Message = "what may be missing is an optional, with no `" + other + "` beside it"
			d.Help = []string{"write `if let " + name + " = " + text + " { ... }`, or with a default `let " + name + " = " + text + " ?? ...`"}
			return
		}
	}
	d.Help = []string{"it throws when it fails: write `let " + name + " = " + text + "`; to handle that, `try { ... } catch " + other + " { ... }` around it"}
}

// givesOptional are methods whose result may be missing, and that throw nothing.
var givesOptional = map[string]bool{
	"parse": true, "parse_int": true, "parse_float": true, "get": true, "first": true, "last": true, "find": true, "find_index": true,
	"index_of": true, "pop": true, "min": true, "max": true, "min_by": true, "max_by": true, "next": true, "try_recv": true,
}

// bodyOf is what a function that is called without arguments does.
func (p *parser) bodyOf(fn Expr) string {
	if l, ok := fn.(*Lambda); ok {
		body := p.text(l.Body.Span())
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(body, "{"), "}"))
	}
	return p.text(fn.Span()) + "()"
}

var (
	errInCond = lazy.Regexp(`^(\w+)\s*:=\s*(.+?)\s*;\s*(\w+)\s*!=\s*(?:nil|none)\s*\{`)
	okInCond  = lazy.Regexp(`^(\w+)\s*,\s*(\w+)\s*:=\s*(.+?)\[(.+)\]\s*;\s*(!?)(\w+)\s*\{`)
	valInCond = lazy.Regexp(`^(\w+)\s*:=\s*([^;{]+?)\s*;`)
)

// inCond says how what Go declares in a condition, at start, is written.
func (p *parser) inCond(start uint32) string {
	rest := p.src.Src[int(start-p.src.Base):]
	rest, _, _ = strings.Cut(rest[:min(len(rest), 200)], "\n")
	if m := errInCond().FindStringSubmatch(rest); m != nil && m[1] == m[3] {
		return "what fails throws: `try { " + m[2] + " } catch " + m[1] + " { ... }`"
	}
	if m := okInCond().FindStringSubmatch(rest); m != nil && m[2] == m[6] {
		switch {
		case m[5] == "!":
			return "write `if !" + m[3] + ".has(" + m[4] + ") { ... }`"
		case m[1] == "_":
			return "write `if " + m[3] + ".has(" + m[4] + ") { ... }`"
		}
		return "write `if let " + m[1] + " = " + m[3] + ".get(" + m[4] + ") { ... }`"
	}
	if m := valInCond().FindStringSubmatch(rest); m != nil {
		return "write `let " + m[1] + " = " + m[2] + "` on the line before"
	}
	return ""
}

var aliasField = lazy.Regexp(`(\w+)(\??)\s*:\s*([\w\[\]<>., ]+?)\s*(?:[,;}\n]|$)`)

// objectType reports `type User = { name: string }` of TypeScript, at the brace.
func (p *parser) objectType() {
	d := p.report(diag.ForeignSyntax, p.here(), "a type with fields is declared by itself, with a name")
	d.Help = append(d.Help, "write `struct Point { x: int, y: int }` and use `Point` here")
	from := int(p.start - p.src.Base)
	before, rest := p.src.Src[max(0, from-60):from], p.src.Src[from:]
	end := strings.IndexByte(rest[:min(len(rest), 300)], '}')
	head := strings.Fields(before)
	if n := len(head); n < 3 || end < 0 || head[n-1] != "=" || head[n-3] != "type" {
		p.bail()
	}
	var fields []string
	for _, m := range aliasField().FindAllStringSubmatch(rest[1:end+1], -1) {
		own := m[3]
		switch {
		case own == "string" || own == "String":
			own = "str"
		case own == "number":
			own = "float"
		case own == "boolean":
			own = "bool"
		case own == "string[]":
			own = "[str]"
		case own == "number[]":
			own = "[float]"
		}
		if m[2] == "?" {
			own += "? = none"
		}
		fields = append(fields, m[1]+": "+own)
	}
	name := head[len(head)-2]
	d.Help = []string{"write `struct " + name + " { " + strings.Join(fields, ", ") + " }`, and make one with `" + name + "(...)`"}
	p.bail()
}

// errorResult reads the result `(T, error)` of Go as T.
func (p *parser) errorResult(t TypeExpr) TypeExpr {
	tuple, ok := t.(*TupleType)
	if !ok || len(tuple.Elems) != 2 || p.text(tuple.Elems[1].Span()) != "error" {
		return t
	}
	own := p.text(tuple.Elems[0].Span())
	d := p.remark(diag.ForeignSyntax, t.Span(), "a function gives one value, and no error beside it")
	d.Help = append(d.Help, "what fails throws: `throw error(\"...\")`")
	d.Fixes = []diag.Fix{{Title: "write `" + own + "`", Edits: []diag.Edit{{Span: t.Span(), New: own}}}}
	return tuple.Elems[0]
}

// untyped gives a parameter without a type that of its default, a literal, at the =.
func (p *parser) untyped(d *diag.Diagnostic, par *Param) bool {
	if p.kind != token.Eq {
		return false
	}
	own := map[token.Kind]string{token.Int: "int", token.Float: "float", token.Str: "str", token.True: "bool", token.False: "bool"}[p.next2()]
	if own == "" {
		return false
	}
	d.Fixes = []diag.Fix{{Title: "write `" + par.Name.Text + ": " + own + "`", Edits: []diag.Edit{{Span: point(p.end), New: ": " + own}}}}
	p.errAt = -1
	par.Type = &NamedType{TypeBase{point(p.end), p.id()}, Name{}, Name{own, point(p.end)}, nil}
	return true
}

// dollarText reports a text of C# with values, `$"hello {x}"`, at the dollar.
func (p *parser) dollarText(d *diag.Diagnostic) bool {
	rest := p.src.Src[int(p.start-p.src.Base):]
	if !strings.HasPrefix(rest, `$"`) {
		return false
	}
	d.Message = "a string has no `$` before it"
	end := strings.IndexByte(rest[2:min(len(rest), 300)], '"')
	text := ""
	if end >= 0 {
		text = rest[1 : end+3]
	}
	if end < 0 || strings.ContainsAny(text, "\n\\") || strings.Contains(text, "{{") || strings.Contains(text, "${") {
		d.Help = append(d.Help, "text takes values in: \"${x}\"")
		return true
	}
	own := strings.ReplaceAll(text, "{", "${")
	d.Fixes = []diag.Fix{{Title: "write `" + own + "`", Edits: []diag.Edit{{Span: diag.Span{Start: p.start, End: p.start + 1 + uint32(len(text))}, New: own}}}}
	return true
}

// joinedByDot reads `"a" . "b"` of PHP, at the dot; nil if it is a member.
func (p *parser) joinedByDot(start uint32, x Expr) Expr {
	if p.kind != token.Dot || p.nl {
		return nil
	}
	_, text := x.(*StrLit)
	if k := p.next2(); k != token.Str && k != token.StrHead && !(text && p.start > p.end && k == token.Ident && p.peek2().Pos.Offset > int(p.start)+1) {
		return nil
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "texts are joined with `+`")
	d.Fixes = []diag.Fix{{Title: "write `+`", Edits: []diag.Edit{{Span: at, New: "+"}}}}
	p.errAt = -1
	h := p.enter()
	p.next()
	p.unary()
	p.leave(h)
	return &BadExpr{p.base(start)}
}
