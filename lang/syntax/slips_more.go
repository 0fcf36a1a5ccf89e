package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// What stands in types, literals and calls elsewhere.

// fieldTypeSlip reads a field whose type stands before its name or without a colon.
func (p *parser) fieldTypeSlip(f *FieldDecl) bool {
	if p.kind != token.Ident && p.kind != token.LBrack && p.kind != token.Star || p.nl {
		return false
	}
	first := f.Name
	swapped := p.kind == token.Ident && (builtinTypes[first.Text] || foreignTypeWords[first.Text] || isUpper(first.Text) && !isUpper(p.tok.Value) && !builtinTypes[p.tok.Value] && !foreignTypeWords[p.tok.Value])
	d := p.report(diag.MissingAnnotation, first.Sp, "a field is written with a colon before its type")
	p.errAt = -1
	var text string
	if swapped {
		f.Name = p.ident()
		f.Type = &NamedType{TypeBase{first.Sp, p.id()}, Name{}, first, nil}
		text = f.Name.Text + ": " + first.Text
	} else {
		f.Type = p.typeExpr()
		if isUpper(f.Name.Text) {
			f.Name.Text = names.Snake(f.Name.Text)
		}
		text = f.Name.Text + ": " + p.text(f.Type.Span())
	}
	d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: first.Sp.Start, End: p.end}, New: text}}}}
	return true
}

// structLit reads `Point{x: 1}` as Point(x: 1), and the lists and maps of Go; nil if no {
// of a value follows x.
func (p *parser) structLit(start uint32, x Expr) Expr {
	if p.kind != token.LBrace || p.nl || p.noBrace {
		return nil
	}
	name := ""
	switch x := x.(type) {
	case *Ident:
		name = x.Name
	case *Member:
		name = x.Name.Text
	}
	if name == "" || !isUpper(name) {
		return nil
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "a struct is made by calling it: `%s(x: 1, y: 2)`", name)
	p.errAt = -1
	h := p.enter()
	c := &Call{Fn: x}
	p.opening()
	simple := true
	var renames []diag.Edit
	var cp *copySlip
	p.list(func() {
		if cp == nil {
			p.quiet = true // it is told of already
			cp = p.copyBegins(c.Args)
			p.quiet = p.aborted
			if cp != nil {
				d.Message, cp.d = cp.d.Message, d
			}
		}
		if cp != nil {
			p.copyElem(cp)
			return
		}
		var a Arg
		switch {
		case p.isMemberName() && (kindOf(p.peek2()) == token.Comma || kindOf(p.peek2()) == token.RBrace):
			simple = false // shorthand: x for x: x
		case p.isMemberName() && (kindOf(p.peek2()) == token.Colon || kindOf(p.peek2()) == token.Eq):
			a.Name = p.ident()
			if isUpper(a.Name.Text) {
				a.Name.Text = names.Snake(a.Name.Text)
				renames = append(renames, diag.Edit{Span: a.Name.Sp, New: a.Name.Text})
			}
			simple = simple && p.kind == token.Colon
			p.next()
		}
		a.Value = p.expr()
		c.Args = append(c.Args, a)
	})
	if cp != nil {
		p.leave(h)
		return p.copyEnds(cp, start)
	}
	end := diag.Span{Start: p.end - 1, End: p.end}
	if simple {
		d.Fixes = []diag.Fix{{Title: "write parentheses", Edits: []diag.Edit{{Span: diag.Span{Start: x.Span().End, End: at.End}, New: "("}, {Span: end, New: ")"}}}}
		d.Fixes[0].Edits = append(d.Fixes[0].Edits, renames...)
	}
	c.Rparen = end
	c.ExprBase = p.base(start)
	p.leave(h)
	if len(renames) > 0 && simple {
		return c
	}
	return &BadExpr{c.ExprBase}
}

// listInBraces reads {1, 2, 3} as a list, of which the first element was taken.
func (p *parser) listInBraces(at diag.Span, first Expr) Expr {
	d := p.report(diag.ForeignSyntax, at, "a list is written in brackets: `[1, 2, 3]`; braces are for maps, `{\"a\": 1}`")
	l := &ListLit{Elems: []Expr{first}}
	for p.accept(token.Comma) && p.kind != token.RBrace {
		l.Elems = append(l.Elems, p.expr())
	}
	if p.kind != token.RBrace {
		p.bail()
	}
	if keys := p.shorthand(l.Elems); keys != "" {
		d.Message = "braces are for maps, whose keys are written: `{\"a\": a}`; a list stands in brackets"
		d.Fixes = []diag.Fix{{Title: "write a map", Edits: []diag.Edit{{Span: diag.Span{Start: at.Start, End: p.here().End}, New: keys}}}}
		d.Help = append(d.Help, "for a record with fields declare a `struct`: `struct Point { x: int, y: int }`, made with `Point(1, 2)`")
		return &BadExpr{p.base(at.Start)}
	}
	d.Fixes = []diag.Fix{{Title: "write brackets", Edits: []diag.Edit{{Span: at, New: "["}, {Span: p.here(), New: "]"}}}}
	return l
}

// shorthand is a map for {a, b} of JavaScript, "" where not all are names.
func (p *parser) shorthand(elems []Expr) string {
	entries := make([]string, len(elems))
	for i, e := range elems {
		id, ok := e.(*Ident)
		if !ok {
			return ""
		}
		entries[i] = `"` + id.Name + `": ` + id.Name
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// spread reports `...xs` before an argument.
func (p *parser) spread() {
	if p.kind != token.DotDot && p.kind != token.Star && p.kind != token.StarStar || p.nl && p.kind != token.DotDot {
		return
	}
	word := p.tok.Value
	at := p.here()
	if p.next2() == token.Dot {
		word, at.End = "...", at.End+1
	} else if p.kind == token.DotDot || p.next2() != token.Ident {
		return
	}
	d := p.report(diag.ForeignSyntax, at, "there is no `%s` before an argument in Runnel", word)
	if p.kind == token.Star {
		d.Help = append(d.Help, "there are no pointers: structs, lists and maps are references by themselves")
	}
	d.Help = append(d.Help, "a function that is to take many takes a list; in a list `..` joins another one: `[..xs, 3]`")
	p.next()
	p.accept(token.Dot)
	p.errAt = -1
}

// castSlip reads (int) x, of which the parentheses were taken.
func (p *parser) castSlip(start uint32, elems []Expr) Expr {
	if len(elems) != 1 || p.nl {
		return nil
	}
	id, ok := elems[0].(*Ident)
	if !ok || !builtinTypes[id.Name] && !foreignTypeWords[id.Name] {
		return nil
	}
	switch p.kind {
	case token.Ident, token.Int, token.Float, token.Str, token.Self, token.LParen:
	default:
		return nil
	}
	own := id.Name
	if !builtinTypes[own] {
		own = "int"
		if strings.HasPrefix(id.Name, "f") || id.Name == "double" {
			own = "float"
		}
	}
	at := diag.Span{Start: start, End: p.end}
	d := p.report(diag.ForeignSyntax, at, "a value is converted by a call: `%s(x)`", own)
	p.errAt = -1
	h := p.enter()
	p.postfix()
	p.leave(h)
	d.Fixes = []diag.Fix{{Title: "write `" + own + "(...)`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.endOfParen(at)}, New: own + "("}, {Span: point(p.end), New: ")"}}}}
	return &BadExpr{p.base(start)}
}

// endOfParen is where the operand behind a cast begins.
func (p *parser) endOfParen(at diag.Span) uint32 {
	end := at.End
	for p.text(diag.Span{Start: end, End: end + 1}) == " " {
		end++
	}
	return end
}

// labelSlip reads a label without its quote before a loop.
func (p *parser) labelSlip() bool {
	if p.kind != token.Ident || p.next2() != token.Colon {
		return false
	}
	switch p.thirdKind() {
	case token.For, token.While, token.Loop:
	default:
		return false
	}
	d := p.report(diag.MisplacedWord, p.here(), "a label begins with `'`")
	d.Fixes = []diag.Fix{{Title: "write `'" + p.tok.Value + "`", Edits: []diag.Edit{{Span: point(p.start), New: "'"}}}}
	return true
}

// newSlip reads `new X(...)`; nil when only the word is to be left out.
func (p *parser) newSlip() Expr {
	start := p.start
	name := p.peek2().Value
	help, ok := newHelp[name]
	if !ok {
		d := p.report(diag.ForeignSyntax, p.here(), "there is no `new` in Runnel")
		d.Help = append(d.Help, "a struct is made by calling it: `"+name+"(...)`")
		d.Fixes = []diag.Fix{{Title: "leave it out", Edits: []diag.Edit{{Span: diag.Span{Start: p.start, End: uint32(p.peek2().Pos.Offset)}, New: ""}}}}
		p.next()
		return nil
	}
	at := diag.Span{Start: p.start, End: uint32(p.peek2().Pos.Offset + len(name))}
	d := p.report(diag.ForeignSyntax, at, "there is no `new %s` in Runnel", name)
	if help == "error" {
		d.Fixes = []diag.Fix{{Title: "write `error`", Edits: []diag.Edit{{Span: at, New: "error"}}}}
	} else {
		d.Help = append(d.Help, help)
	}
	p.next()
	p.next()
	p.errAt = -1
	if p.kind == token.Lt {
		for p.kind != token.EOF && !p.nl && p.kind != token.LParen && p.kind != token.RParen && p.kind != token.Semi {
			p.next()
		}
	}
	for p.kind == token.LBrack && !p.nl {
		p.opening()
		if p.kind != token.RBrack {
			p.expr()
		}
		p.closing("")
	}
	if p.kind == token.LParen && !p.nl {
		p.opening()
		p.list(func() { p.expr() })
	}
	return &BadExpr{p.base(start)}
}

var newHelp = map[string]string{
	"Map": "a map is made with `{\"a\": 1}` or `map<K, V>()`", "HashMap": "a map is made with `{\"a\": 1}` or `map<K, V>()`", "Dictionary": "a map is made with `{\"a\": 1}` or `map<K, V>()`",
	"TreeMap": "a map is made with `{\"a\": 1}` or `map<K, V>()`", "Set": "a set is made with `set<T>()`", "HashSet": "a set is made with `set<T>()`",
	"Array": "a list is made with `[1, 2]`, `[0].repeat(10)` or `let xs: [int] = []`", "ArrayList": "a list is made with `[1, 2]`, `[0].repeat(10)` or `let xs: [int] = []`", "List": "a list is made with `[1, 2]`, `[0].repeat(10)` or `let xs: [int] = []`",
	"Error": "error", "Exception": "error", "TypeError": "error", "RangeError": "error", "RuntimeException": "error", "IllegalArgumentException": "error", "ValueError": "error",
	"Promise": "a task is started with `spawn { ... }`", "Date": "the time is `time.now()` of `import time`", "Thread": "a task is started with `spawn { ... }`", "RegExp": "a pattern is made with `re.compile(\"...\")` of `import re`",
	"int": "a list of zeros is `[0].repeat(10)`", "float": "a list of zeros is `[0.0].repeat(10)`", "double": "a list of zeros is `[0.0].repeat(10)`", "string": "a list of texts is `[\"\"].repeat(10)`", "String": "a text is written by itself: `\"x\"`",
	"StringBuilder": "texts are joined with `+`, `xs.join(\"\")` or a `buffer()`", "Scanner": "read a line with `io.prompt(\"...\")` of `import io`", "Object": "a record with names is a `struct`, a table a map: `{\"a\": 1}`",
}

// predicate reads `x.empty?` of Ruby, at the ?; nil if it is something else.
func (p *parser) predicate(start uint32, x Expr) Expr {
	m, ok := x.(*Member)
	if !ok || p.kind != token.Question || p.start != p.end || p.ternaryAhead() {
		return nil
	}
	own := map[string]string{"nil": "x == none", "empty": "x.is_empty()", "zero": "x == 0", "include": "x.contains(y)", "even": "x % 2 == 0", "odd": "x % 2 != 0", "any": "x.any(|e| ...)", "all": "x.all(|e| ...)"}[m.Name.Text]
	if own == "" {
		own = "x." + m.Name.Text + "()"
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a name has no `?` behind it")
	d.Help = append(d.Help, "write `"+strings.Replace(own, "x", p.text(m.X.Span()), 1)+"`")
	p.next()
	if p.kind == token.LParen && !p.nl {
		p.opening()
		p.list(func() { p.expr() })
	}
	return &BadExpr{p.base(start)}
}

// selfParam takes self, &self and &mut self among parameters; it reports whether it was one.
func (p *parser) selfParam() bool {
	at := p.here()
	n := p.kind
	switch {
	case n == token.Self:
	case n == token.Amp && (p.next2() == token.Self || p.next2() == token.Ident && p.peek2().Value == "mut"):
		p.next()
		if p.at("mut") {
			p.next()
		}
		if p.kind != token.Self {
			p.failExpected("the name of a parameter")
		}
	case p.at("this") && p.next2() != token.Colon, p.at("mut") && p.next2() == token.Self:
		if p.at("mut") {
			p.next()
		}
	default:
		return false
	}
	d := p.report(diag.ForeignSyntax, at, "`self` is not a parameter")
	p.next()
	if p.accept(token.Colon) {
		p.typeExpr()
	}
	end := p.end
	if p.kind == token.Comma {
		end = uint32(p.peek2().Pos.Offset)
	}
	d.Fixes = []diag.Fix{{Title: "leave it out: every method has `self` by itself", Edits: []diag.Edit{{Span: diag.Span{Start: at.Start, End: end}, New: ""}}}}
	p.errAt = -1
	return true
}

// silence puts a value that nothing is known of in place of that of a statement whose rest
// could not be read.
func silence(s Stmt) {
	switch s := s.(type) {
	case *ExprStmt:
		s.X = &BadExpr{ExprBase{s.X.Span(), s.X.ID()}}
	case *LetStmt:
		if s.Value != nil {
			s.Value = &BadExpr{ExprBase{s.Value.Span(), s.Value.ID()}}
		}
	}
}

// optionalSlip takes the ? of `name?: T`.
func (p *parser) optionalSlip(name Name) *diag.Diagnostic {
	if p.kind != token.Question || p.nl || p.next2() != token.Colon {
		return nil
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a field that may be missing has an optional type and a default")
	d.Fixes = []diag.Fix{{Title: "write it so", Edits: []diag.Edit{{Span: p.here(), New: ""}}}}
	p.next()
	p.errAt = -1
	return d
}

// optionalField continues with the fix of optionalSlip behind the type.
func (p *parser) optionalField(d *diag.Diagnostic, f *FieldDecl) {
	if d == nil {
		return
	}
	d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: point(p.end), New: "? = none"})
	d.Fixes[0].Title = "write `" + f.Name.Text + ": " + p.text(f.Type.Span()) + "? = none`"
	f.Type = &OptionalType{TypeBase{f.Type.Span(), p.id()}, f.Type}
	f.Default = &NoneLit{p.base(p.end)}
}

// interfaceSlip reports fields, and methods without `fn`, in an interface.
func (p *parser) interfaceSlip() {
	if p.kind != token.Ident {
		return
	}
	switch p.next2() {
	case token.Colon, token.Question:
		d := p.report(diag.ForeignSyntax, p.here(), "an interface has methods only")
		d.Help = append(d.Help, "declare a struct with this field, or a method: `fn "+p.tok.Value+"() -> T`")
		p.bail()
	case token.LParen:
		d := p.report(diag.ForeignSyntax, p.here(), "a method begins with `fn`")
		d.Help = append(d.Help, "write `fn "+names.Snake(p.tok.Value)+"(...) -> T`")
		p.bail()
	}
}

// repeated reads [0; 10] as a list; nil if it is another list.
func (p *parser) repeated() Expr {
	cp := p.lex.Mark()
	p.lex.Next()
	k := kindOf(p.lex.Peek())
	p.lex.Next()
	semi := kindOf(p.lex.Peek()) == token.Semi
	p.lex.Return(cp)
	if !semi || k < token.Ident || k > token.Str && k != token.True && k != token.False {
		return nil
	}
	start := p.start
	p.opening()
	x := p.expr()
	d := p.report(diag.ForeignSyntax, p.here(), "a value is repeated by a method of lists")
	semiAt := p.here()
	p.next()
	p.errAt = -1
	n := p.expr()
	p.closing("")
	d.Fixes = []diag.Fix{{Title: "write `[" + p.text(x.Span()) + "].repeat(" + p.text(n.Span()) + ")`", Edits: []diag.Edit{
		{Span: diag.Span{Start: semiAt.Start, End: n.Span().Start}, New: "].repeat("}, {Span: diag.Span{Start: n.Span().End, End: p.end}, New: ")"}}}}
	return &BadExpr{p.base(start)}
}

// entrySlip reads `{x = 1}` of Lua and `{"a" => 1}` of Ruby and PHP; table is what told of the
// former, once for each map. It gives the key.
func (p *parser) entrySlip(key Expr, table **diag.Diagnostic) Expr {
	id, ok := key.(*Ident)
	if p.kind == token.FatArrow && !ok {
		d := p.report(diag.ForeignSyntax, p.here(), "a key and its value are parted by `:`")
		d.Fixes = []diag.Fix{{Title: "write `:`", Edits: []diag.Edit{{Span: diag.Span{Start: p.end, End: p.here().End}, New: ":"}}}}
		p.kind = token.Colon
		return key
	}
	if !ok || p.kind != token.Eq && p.kind != token.FatArrow || p.nl {
		return key
	}
	if *table == nil {
		*table = p.report(diag.ForeignSyntax, p.here(), "a key and its value are parted by `:`, and a key that is text stands in quotes")
		(*table).Help = append((*table).Help, "a record with names is a `struct`: `struct Point { x: int, y: int }`, made with `Point(x: 1, y: 2)`")
		(*table).Fixes = []diag.Fix{{Title: "write a map"}}
	}
	fix := &(*table).Fixes[0]
	fix.Edits = append(fix.Edits, diag.Edit{Span: diag.Span{Start: id.Sp.Start, End: p.here().End}, New: `"` + id.Name + `":`})
	p.kind = token.Colon
	return &StrLit{ExprBase: ExprBase{id.Sp, p.id()}, Value: id.Name}
}

// labelled parses the loop behind a label without its quote.
func (p *parser) labelled() Expr {
	label := p.ident()
	p.next()
	x := p.loop()
	switch x := x.(type) {
	case *For:
		x.Label = label
		x.Sp.Start = label.Sp.Start
	case *While:
		x.Label = label
		x.Sp.Start = label.Sp.Start
	case *Loop:
		x.Label = label
		x.Sp.Start = label.Sp.Start
	}
	return x
}

// methodColon reports whether the colon at the lookahead calls a method, as in s:len().
func (p *parser) methodColon() bool {
	t := p.peek2()
	return p.start == p.end && kindOf(t) == token.Ident && t.Pos.Offset == int(p.start)+1 && p.thirdKind() == token.LParen
}

// prefixFix mends a string with a letter before it: what stands in braces in one with an f
// is inserted.
func (p *parser) prefixFix(d *diag.Diagnostic, str *lexer.Token) {
	text := str.Value
	own := text
	switch {
	case kindOf(str) != token.Str || strings.Contains(text, "{{"):
	case p.tok.Value == "f":
		own = strings.ReplaceAll(text, "{", "${")
	case p.tok.Value == "r" && !strings.Contains(text, "`"):
		own = "`" + text[1:len(text)-1] + "`"
	}
	if own == text && p.tok.Value != "u" || kindOf(str) != token.Str {
		d.Help = append(d.Help, "a string in double quotes may contain `${...}`; a raw one stands in backquotes")
		return
	}
	at := p.here()
	at.End += uint32(len(text))
	d.Fixes = []diag.Fix{{Title: "write `" + own + "`", Edits: []diag.Edit{{Span: at, New: own}}}}
	if strings.Contains(own, "`") {
		d.Fixes[0].Title = "a raw string stands in backquotes"
	}
}
