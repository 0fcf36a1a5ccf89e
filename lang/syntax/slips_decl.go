package syntax

import (
	"cmp"
	"strings"

	"github.com/runnel-lang/runnel/internal/lazy"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Declarations as other languages write them.

// modifiers are words that stand before declarations and members elsewhere.
var modifiers = map[string]string{
	"public": "the members of a type are seen wherever the type is, and `pub` exports a declaration", "private": "what is not `pub` is seen in its own file only; a name with `_` before it is not meant for others",
	"protected": "there is no inheritance: what is not `pub` is seen in its own file only", "internal": "what is not `pub` is seen in its own file only",
	"final": "a type is never extended; a field that is read-only is declared with `let`", "abstract": "an `interface` lists methods that types have", "sealed": "an `enum` has a fixed set of variants",
	"override": "a method satisfies an interface by its name and types", "virtual": "a method satisfies an interface by its name and types", "open": "a type is never extended",
	"async": "any function may wait, and any may be spawned", "suspend": "any function may wait, and any may be spawned", "inline": "the compiler decides", "unsafe": "all code is safe",
	"extern": "functions of the host come from modules", "synchronized": "guard a value with `mutex(...)` and `lock m as v { ... }`", "data": "a struct prints and compares its fields by itself",
	"case": "a struct prints and compares its fields by itself", "readonly": "a field that is read-only is declared with `let`", "declare": "types are declared with `struct`, `enum` or `interface`",
	"mutating": "any method may change its fields", "lateinit": "give the field a default, or make its type optional", "volatile": "share values by `chan`, `mutex` or `sync.atomic`",
	"static": "a function at the top of a file belongs to no type; one that is called on a type stands in it: `struct P { static fn make() -> P { ... } }`", "export": "`pub` exports a declaration", "default": "a module exports by name: `pub fn f() { }`",
}

// modifier reports whether the lookahead is a word before a declaration.
func (p *parser) modifier() bool {
	if p.kind != token.Ident || modifiers[p.tok.Value] == "" {
		return false
	}
	switch k := p.next2(); k {
	case token.Fn, token.Struct, token.Enum, token.Interface, token.Let, token.Var, token.Const:
		return true
	case token.Ident:
		word := p.peek2().Value
		return modifiers[word] != "" || declares[word] || p.tok.Value != "data" && p.tok.Value != "case" && p.tok.Value != "default" && p.tok.Value != "open" && (p.typedName(1) || p.thirdKind() == token.LParen || p.thirdKind() == token.Colon)
	}
	return false
}

// declares are the words of other languages that begin declarations.
var declares = map[string]bool{
	"func": true, "function": true, "def": true, "fun": true, "class": true, "trait": true, "protocol": true, "record": true, "val": true, "void": true,
}

// dropModifiers reports the words before a declaration, once, and takes them.
func (p *parser) dropModifiers(top bool) {
	ahead := func() bool { return p.modifier() && (top || !p.at("static")) }
	if !ahead() {
		return
	}
	start, first := p.start, p.tok.Value
	var all []string
	exports := false
	for ahead() {
		exports = exports || p.tok.Value == "public" || p.tok.Value == "export"
		all = append(all, p.tok.Value)
		p.next()
	}
	at := diag.Span{Start: start, End: p.end}
	d := &diag.Diagnostic{Code: diag.ForeignSyntax, Span: at, Message: "there is no `" + strings.Join(all, " ") + "` in Runnel"}
	d.Help = append(d.Help, modifiers[first])
	edit := diag.Edit{Span: diag.Span{Start: start, End: p.start}}
	title := "leave it out"
	if exports && top && len(p.open) == 0 {
		edit.New, title = "pub ", "write `pub`"
	}
	d.Fixes = []diag.Fix{{Title: title, Edits: []diag.Edit{edit}}}
	if !p.quiet {
		p.add(d)
	}
}

// typedName reports whether a type and a name stand at the n-th token, as in `int x = 3`, and
// what follows continues as a declaration does elsewhere.
func (p *parser) typedName(n int) bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	for range n {
		p.lex.Next()
	}
	line := p.tok.Pos.Line
	s := typeScan{lex: p.lex}
	first := p.lex.Peek()
	if kindOf(first) != token.Ident || first.Pos.Line != line || foreignStatements[first.Value] != "" {
		return false
	}
	known := builtinTypes[first.Value] || foreignTypeWords[first.Value] || isUpper(first.Value)
	if !s.typ(0) {
		return false
	}
	for s.kind() == token.Star || s.kind() == token.Amp || s.kind() == token.LBrack {
		lbrack := s.kind() == token.LBrack
		p.lex.Next()
		if lbrack && s.kind() != token.RBrack {
			return false
		}
		if lbrack {
			p.lex.Next()
		}
	}
	name := p.lex.Peek()
	if kindOf(name) != token.Ident || name.Pos.Line != line {
		return false
	}
	p.lex.Next()
	next := p.lex.Peek()
	if next.Pos.Line != line {
		return known
	}
	switch kindOf(next) {
	case token.Eq, token.Semi, token.EOF, token.LParen, token.LBrack, token.RBrace, token.Comma:
		return known
	}
	return false
}

// foreignTypeWords are names of types that begin declarations elsewhere.
var foreignTypeWords = map[string]bool{
	"string": true, "double": true, "char": true, "long": true, "short": true, "unsigned": true, "signed": true, "boolean": true, "number": true, "void": true,
	"uint": true, "int32": true, "int64": true, "float64": true, "float32": true, "size_t": true, "i32": true, "i64": true, "u8": true, "usize": true, "f64": true, "byte": true, "decimal": true,
}

// typedDecl reads `int x = 3`, and the function `int f(int a) { ... }`; nil if none begins here.
func (p *parser) typedDecl(start uint32, h fnHead) Stmt {
	if p.kind != token.Ident || p.next2() == token.Eq || p.next2() == token.LParen || !p.typedName(0) {
		return nil
	}
	at := p.start
	var t TypeExpr
	void := p.at("void")
	if void {
		p.next()
	} else {
		t = p.primaryType(true)
	}
	typ := diag.Span{Start: at, End: p.end}
	for p.kind == token.Star || p.kind == token.Amp {
		p.next()
	}
	name := p.tok.Value
	if p.next2() == token.LParen {
		return p.typedFn(start, at, t, typ, h)
	}
	word := p.text(typ)
	d := p.report(diag.ForeignSyntax, typ, "a declaration begins with `let` or `var`, not with its type")
	edit := diag.Edit{Span: diag.Span{Start: at, End: p.start + uint32(len(name))}, New: "let " + name}
	if builtinTypes[word] {
		edit.New += ": " + word
	}
	p.errAt = -1
	b := &BindPattern{Name: p.name("a variable")}
	b.PatternBase = p.patternBase(b.Name.Sp.Start)
	s := &LetStmt{Kind: Var, Pattern: b}
	if p.kind == token.LBrack {
		d.Help = append(d.Help, "a list is written `let "+name+" = [1, 2, 3]`")
		p.bail()
	}
	if p.kind == token.Eq {
		d.Fixes = []diag.Fix{{Title: "write `" + edit.New + "`", Edits: []diag.Edit{edit}}}
		p.next()
		s.Value = p.value()
	} else {
		d.Help = append(d.Help, "write `var "+name+" = ...`: a variable begins with a value")
		s.Value = &BadExpr{p.base(p.end)}
	}
	s.StmtBase = StmtBase{p.span(start)}
	return s
}

// typedFn reads a function that begins with the type of its result.
func (p *parser) typedFn(start, at uint32, result TypeExpr, typ diag.Span, h fnHead) Stmt {
	d := p.report(diag.ForeignSyntax, typ, "a function begins with `fn`; the type of its result stands behind it")
	edits := []diag.Edit{{Span: diag.Span{Start: at, End: p.start}, New: "fn "}}
	fixed := len(p.diags)
	p.errAt = -1
	f := &FnDecl{Doc: h.doc, Pub: h.pub, Static: h.static, Name: p.name("a function")}
	f.Params = p.params()
	if result != nil {
		f.Result = result
		edits = append(edits, diag.Edit{Span: point(p.end), New: " -> " + p.text(typ)})
	}
	if fixed <= len(p.diags) && !p.quiet {
		d.Fixes = []diag.Fix{{Title: "write it with `fn`", Edits: edits}}
	}
	if p.kind == token.LBrace {
		f.Body = p.block()
	} else if f.Body = p.bareFunction(p.from); f.Body == nil {
		f.Body = &Block{ExprBase: p.base(p.end), Rbrace: point(p.end)}
	}
	f.StmtBase = StmtBase{p.span(start)}
	return f
}

// baseSlip reads what stands behind the name of a class elsewhere.
func (p *parser) baseSlip(d *StructDecl) {
	for !p.newline() {
		switch {
		case p.at("implements"), p.at("with"), p.at("conforms"):
			word := p.here()
			e := p.report(diag.ForeignSyntax, word, "`%s` is written `:` in Runnel", p.tok.Value)
			at := word
			if p.text(diag.Span{Start: word.Start - 1, End: word.Start}) == " " {
				at.Start--
			}
			e.Fixes = []diag.Fix{{Title: "write `:`", Edits: []diag.Edit{{Span: at, New: ":"}}}}
			p.next()
			d.Implements = append(d.Implements, p.typeExpr())
			for p.accept(token.Comma) {
				d.Implements = append(d.Implements, p.typeExpr())
			}
		case p.at("extends"):
			p.noBase(p.here())
			p.next()
			p.typeExpr()
			d.Broken = true
		case p.kind == token.LParen:
			at := p.here()
			p.quiet = true
			p.opening()
			for p.kind != token.EOF && !p.nl && p.kind != token.RParen {
				p.next()
			}
			p.accept(token.RParen)
			p.unwind(len(p.open) - 1)
			p.quiet = p.aborted
			at.End = p.end
			if p.kind == token.Colon || p.kind == token.LBrace && !strings.Contains(p.text(at), ":") {
				p.noBase(at)
			} else {
				e := p.report(diag.ForeignSyntax, at, "the fields of a struct stand in braces")
				e.Help = append(e.Help, "write `struct "+d.Name.Text+" { x: int, y: int }`; it is made with `"+d.Name.Text+"(1, 2)`")
				p.errAt = -1
			}
			d.Broken = true
			if p.kind != token.LBrace && p.kind != token.Colon {
				p.bail()
			}
		default:
			return
		}
	}
}

// noBase says what to do without base types.
func (p *parser) noBase(at diag.Span) {
	d := p.report(diag.ForeignSyntax, at, "a struct has no base type")
	d.Help = append(d.Help, "put a value of it in a field, `base: Animal`, or let both satisfy an `interface` by their methods")
	p.errAt = -1
}

// makers are what other languages call the function that makes a value.
var makers = map[string]bool{"constructor": true, "__init__": true, "initialize": true, "init": true, "__construct": true, "new": true}

// memberSlip reads what begins members elsewhere.
func (p *parser) memberSlip() {
	p.dropModifiers(false)
	if p.kind != token.Ident {
		return
	}
	switch word := p.tok.Value; word {
	case "func", "function", "def", "fun", "method":
		if k := p.next2(); k == token.Ident || k == token.Self {
			if makers[p.peek2().Value] {
				p.makerSlip(p.peek2().Value)
			}
			p.instead("fn")
			p.kind = token.Fn
		}
	case "get", "set":
		if p.next2() == token.Ident {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` for fields in Runnel", word)
			d.Help = append(d.Help, "write a method: `fn "+p.peek2().Value+"() -> T { ... }`")
			p.bail()
		}
	case "attr_accessor", "attr_reader", "attr_writer":
		d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", word)
		d.Help = append(d.Help, "a field is declared with its type: `name: str`")
		p.bail()
	case "val":
		if p.next2() == token.Ident {
			p.instead("let")
			p.kind = token.Let
		}
	}
}

// makerSlip reports a function that makes a value, and leaves it out.
func (p *parser) makerSlip(name string) {
	d := p.report(diag.ForeignSyntax, p.here(), "a struct needs no `%s`", name)
	d.Help = append(d.Help, "it is called with its fields, `Point(1, 2)`; declare them in its body, `x: int`, with a default where one is wanted: `y: int = 0`")
	p.giveUpBody()
}

// methodSlip reads a method without `fn`; nil if none begins here.
func (p *parser) methodSlip(start uint32, h fnHead, owner string) *FnDecl {
	if p.kind != token.Ident {
		return nil
	}
	if p.next2() == token.LParen {
		name := p.tok.Value
		if makers[name] && !h.static || name == owner {
			p.makerSlip(name)
		}
		d := p.report(diag.ForeignSyntax, p.here(), "a method begins with `fn`")
		d.Fixes = []diag.Fix{{Title: "write `fn`", Edits: []diag.Edit{{Span: point(p.start), New: "fn "}}}}
		p.errAt = -1
		return p.fnRest(start, h)
	}
	if f, ok := p.typedFnAhead(start, h); ok {
		return f
	}
	return nil
}

// typedFnAhead reads a method that begins with the type of its result.
func (p *parser) typedFnAhead(start uint32, h fnHead) (*FnDecl, bool) {
	if p.next2() == token.Colon || !p.typedName(0) {
		return nil, false
	}
	cp := p.lex.Mark()
	s := typeScan{lex: p.lex}
	s.typ(0)
	p.lex.Next()
	fn := s.kind() == token.LParen
	p.lex.Return(cp)
	if !fn {
		return nil, false
	}
	f, _ := p.typedDecl(start, h).(*FnDecl)
	return f, f != nil
}

// severalNames reads the further names of `let a, b = f()`; first is the one before.
func (p *parser) severalNames(start uint32, word string, first Pattern) Pattern {
	elems := []Pattern{first}
	names := []string{p.text(first.Span())}
	for p.accept(token.Comma) {
		e := p.letPattern()
		elems, names = append(elems, e), append(names, p.text(e.Span()))
	}
	at := diag.Span{Start: first.Span().Start, End: p.end}
	list := "(" + strings.Join(names, ", ") + ")"
	own := word == "let" || word == "var"
	before := diag.Span{Start: max(at.Start-min(at.Start, 6), p.src.Base), End: at.Start}
	local := p.text(before) == "local "
	if word != "var" {
		word = "let"
	}
	d := p.report(diag.ForeignSyntax, at, "several names are bound by a tuple: `%s %s = ...`", word, list)
	p.errAt = -1
	switch names[len(names)-1] {
	case "err", "e", "error", "ok", "exists", "found":
		d.Message = "a function gives one value, and no error beside it"
		if names[len(names)-1] == "ok" || names[len(names)-1] == "exists" || names[len(names)-1] == "found" {
			d.Help = append(d.Help, "what may be missing is an optional: `if let v = m.get(key) { ... }`; what fails throws: `try { ... } catch e { ... }`")
		} else {
			d.Help = append(d.Help, "it throws when it fails: write `"+word+" "+names[0]+" = ...`, and catch the error where it matters: `try { ... } catch e { ... }`")
		}
	default:
		edits := []diag.Edit{{Span: point(at.Start), New: "("}, {Span: point(at.End), New: ")"}}
		if local {
			edits[0] = diag.Edit{Span: before, New: "let ("}
		}
		if own || local {
			d.Fixes = []diag.Fix{{Title: "write a tuple", Edits: edits}}
		} else {
			d.Help = append(d.Help, "values stand in parentheses too: `let "+list+" = (1, 2)`")
		}
	}
	t := &TuplePattern{PatternBase: p.patternBase(at.Start), Elems: elems}
	t.Sp = at
	p.several, p.names = d, names
	return t
}

// severalValues reads the further values of `let a, b = 1, 2`; first is the one before.
func (p *parser) severalValues(d *diag.Diagnostic, first Expr) Expr {
	start := first.Span().Start
	values := []Expr{first}
	for p.kind == token.Comma && !p.newline() {
		p.next()
		values = append(values, p.expr())
	}
	if len(values) == 1 {
		p.besideValue(d, first)
		return &BadExpr{p.base(start)}
	}
	if len(d.Fixes) > 0 {
		d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: point(start), New: "("}, diag.Edit{Span: point(p.end), New: ")"})
	}
	return &TupleLit{p.base(start), values}
}

// severalTargets reads `a, b := f()` and `n, err = f()`, of which the first target was
// taken; nil if the comma is something else.
func (p *parser) severalTargets(start uint32, x Expr) Stmt {
	if p.kind != token.Comma || p.newline() || !p.assignsAhead() {
		return nil
	}
	targets, names := []Expr{x}, []string{p.text(x.Span())}
	for p.accept(token.Comma) {
		y := p.postfix()
		targets, names = append(targets, y), append(names, p.text(y.Span()))
	}
	at := diag.Span{Start: start, End: p.end}
	list := "(" + strings.Join(names, ", ") + ")"
	d := p.report(diag.ForeignSyntax, at, "several names are bound by a tuple: `let %s = ...`", list)
	p.errAt = -1
	edits := []diag.Edit{{Span: point(at.Start), New: "("}, {Span: point(at.End), New: ")"}}
	last := names[len(names)-1]
	switch {
	case last == "err" || last == "ok":
		d.Message = "a function gives one value, and no error beside it"
		d.Help = append(d.Help, "it throws when it fails: write `let "+names[0]+" = ...`, and catch the error where it matters: `try { ... } catch e { ... }`")
	default:
		edits[0].New = "let ("
		edits = append(edits, diag.Edit{Span: p.here(), New: "="})
		d.Fixes = []diag.Fix{{Title: "write `let " + list + " = ...`", Edits: edits}}
	}
	p.next()
	p.names = names
	m := p.mark()
	func() {
		defer func() { p.caught(recover(), m, p.skipStatement) }()
		p.severalValues(d, p.expr())
	}()
	return &BadStmt{StmtBase{p.span(start)}}
}

// assignsAhead reports whether a `:=`, or an `=` behind a name for an error, stands on the
// rest of the line.
func (p *parser) assignsAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	last := ""
	for n := 0; n < 100; n++ {
		t := p.lex.Peek()
		if t.Pos.Line != p.tok.Pos.Line {
			return false
		}
		switch kindOf(t) {
		case token.ColonEq:
			return true
		case token.Eq:
			return last == "err" || last == "ok"
		case token.EOF, token.Semi, token.LBrace, token.RBrace, token.FatArrow:
			return false
		}
		last = t.Value
		p.lex.Next()
	}
	return false
}

// zeroOf are the types of Go with their zero values, as they are written here.
var zeroOf = map[string]string{"int": "int = 0", "int64": "int = 0", "int32": "int = 0", "uint": "int = 0", "byte": "int = 0", "float64": "float = 0.0", "float32": "float = 0.0",
	"float": "float = 0.0", "string": `str = ""`, "str": `str = ""`, "bool": "bool = false", "any": "any? = none"}

// goCollection is a list or map of Go.
var goCollection = lazy.Regexp(`^(?:\[\](\w+)|map\[(\w+)\](\w+))$`)

// emptyOf is a type of Go with its zero value, as they are written here.
func emptyOf(t string) string {
	m := goCollection().FindStringSubmatch(t)
	own := func(t string) string {
		name, _, _ := strings.Cut(zeroOf[t], " ")
		return cmp.Or(name, t)
	}
	switch {
	case m == nil:
		return zeroOf[t]
	case m[1] != "":
		return "[" + own(m[1]) + "] = []"
	}
	return "map<" + own(m[2]) + ", " + own(m[3]) + "> = {}"
}

// typeBehind reads `var x int = 3`; it reports whether that ends the statement.
func (p *parser) typeBehind(s *LetStmt, word string) bool {
	if p.newline() || p.kind == token.EOF {
		return false
	}
	b, ok := s.Pattern.(*BindPattern)
	if !ok {
		return false
	}
	switch {
	case p.kind == token.Ident && !p.at("as"), p.kind == token.LBrack, p.kind == token.Star:
	default:
		return false
	}
	at := p.end
	d := p.report(diag.ForeignSyntax, p.here(), "the type of a variable stands behind a colon")
	told := len(p.diags)
	d.Fixes = []diag.Fix{{Title: "write a colon", Edits: []diag.Edit{{Span: point(at), New: ":"}}}}
	p.errAt = -1
	s.Type = p.typeExpr()
	if p.nl || p.kind == token.EOF || p.kind == token.Semi || p.kind == token.RBrace {
		d.Fixes = nil
		if own := valueElsewhere[p.text(s.Type.Span())]; own != "" {
			d.Message = "there is no `" + p.text(s.Type.Span()) + "` in Runnel"
			d.Help = append(d.Help, own)
		} else if own := emptyOf(p.text(s.Type.Span())); own != "" {
			p.diags = p.diags[:min(told, len(p.diags))] // not what is wrong with the type, too
			d.Fixes = []diag.Fix{{Title: "a variable begins with a value", Edits: []diag.Edit{{Span: diag.Span{Start: at, End: p.end}, New: ": " + own}}}}
		} else {
			d.Help = append(d.Help, "write `"+word+" "+b.Name.Text+": "+p.text(s.Type.Span())+" = ...`: a variable begins with a value")
		}
		s.Type, s.Value = nil, &BadExpr{p.base(s.Type.Span().Start)}
		return true
	}
	return false
}

// typeBehindValue reads `let xs = []: [int]`.
func (p *parser) typeBehindValue(s *LetStmt) {
	b, ok := s.Pattern.(*BindPattern)
	if !ok || p.kind != token.Colon || p.newline() || s.Type != nil || p.methodColon() {
		return
	}
	from := p.end
	d := p.report(diag.ForeignSyntax, p.here(), "the type of a variable stands behind its name")
	p.next()
	p.errAt = -1
	s.Type = p.typeExpr()
	d.Fixes = []diag.Fix{{Title: "write `" + b.Name.Text + ": " + p.ourText(s.Type) + "`", Edits: []diag.Edit{{Span: point(b.Name.Sp.End), New: ": " + p.ourText(s.Type)}, {Span: diag.Span{Start: from, End: p.end}}}}}
}

// valueElsewhere says what is written in place of a variable of a type of Go.
var valueElsewhere = map[string]string{
	"sync.WaitGroup":  "leave it out: `scope { ... }` waits for all tasks that are spawned in it",
	"sync.Mutex":      "guard a value with `let m = mutex(value)`, and use it inside `lock m as v { ... }`",
	"sync.RWMutex":    "guard a value with `let m = mutex(value)`, and use it inside `lock m as v { ... }`",
	"sync.Once":       "a value that is made once is a `let` at the top of the file",
	"strings.Builder": "join texts with `parts.join(\"\")`, or collect them in a `buffer()`",
	"bytes.Buffer":    "collect bytes in a `buffer()`",
}

// receiverSlip reports the receiver of a method of Go.
func (p *parser) receiverSlip() {
	if p.kind != token.LParen || p.next2() != token.Ident {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a method stands within the braces of its type, without a receiver")
	d.Help = append(d.Help, "write `struct P { ...; fn f() { ... } }`; in it `self` is the value it is called on")
	p.bail()
}

// severalResults reads the further values of `return a, b`; first is the one before.
func (p *parser) severalResults(start uint32, first Expr) Expr {
	if p.kind != token.Comma || p.newline() || p.nlOff || start != p.stmtAt {
		return first
	}
	word := start
	start = first.Span().Start
	d := p.report(diag.ForeignSyntax, p.here(), "a function gives one value; several are a tuple: `return (a, b)`")
	p.errAt = -1
	last, all := first, []Expr{first}
	for p.kind == token.Comma && !p.newline() {
		p.next()
		last = p.expr()
		all = append(all, last)
	}
	if p.given == nil {
		p.given = &TupleLit{p.base(start), all}
	}
	switch text := p.text(last.Span()); {
	case strings.HasPrefix(text, "error("), strings.HasPrefix(text, "Error("):
		d.Message = "a function gives one value, and no error beside it"
		d.Fixes = []diag.Fix{{Title: "what fails throws", Edits: []diag.Edit{{Span: diag.Span{Start: word, End: p.end}, New: "throw e" + text[1:]}}}}
	case (text == "nil" || text == "none" || text == "null") && p.end-start < 80:
		d.Message = "a function gives one value, and no error beside it"
		d.Fixes = []diag.Fix{{Title: "what succeeds gives its value", Edits: []diag.Edit{{Span: diag.Span{Start: first.Span().End, End: p.end}, New: ""}}}}
	case text == "nil", text == "none", text == "null", text == "err", strings.HasPrefix(text, "error"), strings.HasPrefix(text, "errors."), strings.HasPrefix(text, "fmt.Errorf"):
		d.Message = "a function gives one value, and no error beside it"
		d.Help = append(d.Help, "what fails throws: `throw error(\"...\")`; what succeeds gives its value: `return a`")
	default:
		d.Fixes = []diag.Fix{{Title: "write a tuple", Edits: []diag.Edit{{Span: point(start), New: "("}, {Span: point(p.end), New: ")"}}}}
	}
	return &BadExpr{p.base(start)}
}
