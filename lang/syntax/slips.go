package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// This file knows what people write who come from other languages. A slip whose
// meaning is clear is reported and read as what was meant, so that it costs one
// error only; otherwise the error gets a help line.

// instead reports that the lookahead is written otherwise in this language.
func (p *parser) instead(word string) *diag.Diagnostic {
	d := p.report(diag.ForeignSyntax, p.here(), "`%s` is written `%s` in Runnel", p.tok.Value, word)
	d.Fixes = append(d.Fixes, diag.Fix{Title: "write `" + word + "`", Edits: []diag.Edit{{Span: p.here(), New: word}}})
	return d
}

// drop reports that the word at the lookahead is not needed, and takes it.
func (p *parser) drop(why string) {
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", p.tok.Value)
	d.Help = append(d.Help, why)
	p.next()
}

// startsOperand reports whether a token of kind k can begin an operand.
func startsOperand(k token.Kind) bool {
	switch k {
	case token.LParen, token.LBrack, token.Minus, token.Bang, token.Self, token.True, token.False, token.None, token.Await:
		return true
	}
	return k >= token.Ident && k <= token.StrHead && k != token.Label || k == token.BadLit
}

// declarationSlip reads the words that begin statements elsewhere as ours.
func (p *parser) declarationSlip() {
	if p.kind == token.Else || p.kind == token.Catch {
		before := "an `if`"
		if p.kind == token.Catch {
			before = "a `try`"
		}
		p.report(diag.MisplacedWord, p.here(), "this `%s` does not follow the block of %s", p.tok.Value, before)
		p.bail()
	}
	if p.kind != token.Ident {
		return
	}
	like := func(k token.Kind, followers ...token.Kind) {
		next := p.next2()
		for _, f := range followers {
			if next == f {
				p.instead(k.String())
				p.kind = k
				return
			}
		}
	}
	switch word := p.tok.Value; word {
	case "func", "function", "def", "fun", "proc", "sub":
		like(token.Fn, token.Ident)
	case "class", "record":
		like(token.Struct, token.Ident)
	case "trait", "protocol":
		like(token.Interface, token.Ident)
	case "use", "require", "include", "using":
		like(token.Import, token.Ident, token.Str)
	case "export", "public":
		like(token.Pub, token.Ident, token.Let, token.Var, token.Const, token.Fn, token.Struct, token.Enum, token.Interface)
	case "val", "auto", "final", "local":
		like(token.Let, token.Ident)
	case "mut":
		like(token.Var, token.Ident)
	case "switch", "when":
		like(token.Match, token.Ident, token.Self, token.Int, token.Str, token.StrHead, token.True, token.False)
	case "foreach":
		like(token.For, token.Ident)
	case "raise":
		like(token.Throw, token.Ident)
	case "go":
		like(token.Spawn, token.Ident)
	case "async", "private", "static":
		if p.next2() == token.Fn {
			why := "any function may wait, and any may be spawned"
			if word != "async" {
				why = "what is not `pub` is seen in its own file only"
			}
			p.drop(why)
		}
	case "from":
		if p.next2() == token.Ident {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `from` in Runnel")
			name := p.peek2().Value
			d.Help = append(d.Help, "write `import "+name+"`, and `"+name+".` before the names of the module")
			p.bail()
		}
	case "impl":
		if p.next2() == token.Ident || p.next2() == token.Lt {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `impl` in Runnel")
			d.Help = append(d.Help, "methods stand within the braces of their `struct` or `enum`; an interface is satisfied by having its methods")
			p.bail()
		}
	case "do":
		if p.next2() == token.LBrace {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `do` in Runnel")
			d.Help = append(d.Help, "write `loop { ... if !again { break } }`")
			p.bail()
		}
	case "unless", "until":
		if k := p.next2(); k == token.Ident || k == token.Bang {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", word)
			d.Help = append(d.Help, "negate the condition: `if !(...) { ... }` or `while !(...) { ... }`")
			p.bail()
		}
	case "int", "float", "bool", "str", "bytes", "duration", "any":
		if p.next2() == token.Ident {
			name := p.peek2().Value
			d := p.report(diag.ForeignSyntax, p.here(), "a declaration begins with `let` or `var`, not with its type")
			d.Help = append(d.Help, "write `let "+name+": "+word+" = ...`")
			p.bail()
		}
	}
}

// memberSlip is declarationSlip within a type.
func (p *parser) memberSlip() {
	if p.kind != token.Ident {
		return
	}
	switch p.tok.Value {
	case "func", "function", "def", "fun":
		if p.next2() == token.Ident {
			p.instead("fn")
			p.kind = token.Fn
		}
	case "async", "private", "public", "static", "override":
		if p.next2() == token.Fn {
			p.drop("a method begins with `fn`")
		}
	}
}

// letSlip looks at what follows let, var or const.
func (p *parser) letSlip(word string) {
	if p.kind != token.Ident || p.next2() != token.Ident {
		return
	}
	switch {
	case p.tok.Value == "mut":
		p.drop("`let` binds once; a variable that changes is declared with `var`")
	case builtinTypes[p.tok.Value]:
		d := p.report(diag.ForeignSyntax, p.here(), "the type of a variable stands after its name")
		d.Help = append(d.Help, "write `"+word+" "+p.peek2().Value+": "+p.tok.Value+" = ...`")
		p.next()
	}
}

// typeSlip reports what cannot begin a type but may have been meant to.
func (p *parser) typeSlip() {
	var d *diag.Diagnostic
	switch {
	case p.kind == token.Amp || p.kind == token.Star || p.kind == token.AndAnd:
		d = p.report(diag.ForeignSyntax, p.here(), "there is no `%s` before a type", p.tok.Value)
		d.Help = append(d.Help, "there are no pointers: structs, lists and maps are references by themselves")
	case (p.kind == token.LBrace || p.kind == token.RBrace || p.nl) && p.last == token.Arrow:
		d = p.report(diag.UnexpectedToken, p.where(), "expected a type, found %s", p.found())
		d.Help = append(d.Help, "a function that gives nothing has no `->`")
	case p.kind == token.None || p.at("void"):
		d = p.report(diag.ForeignSyntax, p.here(), "`%s` is no type", p.tok.Value)
		d.Help = append(d.Help, "the type of nothing is `()`; a function that gives nothing has no `->`")
	default:
		return
	}
	p.bail()
}

// paramSlip looks at the start of a parameter.
func (p *parser) paramSlip() {
	switch {
	case p.kind == token.Self:
		d := p.report(diag.ForeignSyntax, p.here(), "`self` is not a parameter")
		d.Help = append(d.Help, "every method has `self` by itself: leave it out here")
		p.bail()
	case p.kind == token.DotDot || p.kind == token.Star:
		d := p.report(diag.ForeignSyntax, p.here(), "a function has a fixed number of parameters")
		d.Help = append(d.Help, "take a list: `xs: [int]`")
		p.bail()
	}
}

// colonSlip reads a parameter without its colon, `a int` or `int a`.
func (p *parser) colonSlip(par *Param) bool {
	if p.kind != token.Ident || p.next2() != token.Ident {
		return false
	}
	first, second := p.tok.Value, p.peek2()
	d := p.report(diag.MissingAnnotation, p.here(), "a parameter is written with a colon before its type")
	both := diag.Span{Start: p.start, End: p.start + uint32(second.Pos.Offset-p.tok.Pos.Offset+len(second.Value))}
	text := first + ": " + second.Value
	if builtinTypes[first] || isUpper(first) {
		text = second.Value + ": " + first
		par.Type = p.typeExpr()
		par.Name = p.name("a parameter")
	} else {
		par.Name = p.name("a parameter")
		par.Type = p.typeExpr()
	}
	d.Fixes = append(d.Fixes, diag.Fix{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: both, New: text}}})
	return true
}

// fieldSlip helps with a field that has no type.
func (p *parser) fieldSlip(d *diag.Diagnostic, name string) {
	switch {
	case p.kind == token.Ident && !p.nl && builtinTypes[name]:
		d.Help = append(d.Help, "write `"+p.tok.Value+": "+name+"`")
	case p.kind == token.Ident && !p.nl:
		d.Help = append(d.Help, "write `"+name+": "+p.tok.Value+"`")
	case p.kind == token.LParen && !p.nl:
		d.Help = append(d.Help, "a method begins with `fn`; a struct needs no constructor: it is called with its fields")
	default:
		d.Help = append(d.Help, "types of fields are always written: `name: int`, or `name: int = 0` with a default")
	}
}

// operatorSlip reads `and` and `or` between operands as operators.
func (p *parser) operatorSlip() binaryOp {
	if p.kind != token.Ident || p.newline() {
		return binaryOp{}
	}
	switch p.tok.Value {
	case "and":
		p.instead("&&")
		p.kind = token.AndAnd
	case "or":
		p.instead("||")
		p.kind = token.OrOr
	}
	return binaryOps[p.kind]
}

// notSlip reads `not x` as `!x`.
func (p *parser) notSlip() bool {
	if k := p.next2(); k == token.LParen || k == token.LBrack || k == token.Minus || !startsOperand(k) {
		return false // a function or variable of this name
	}
	d := p.instead("!")
	d.Fixes[0].Edits[0].Span.End = uint32(p.peek2().Pos.Offset) // no space after it
	return true
}

// isNotSlip reads the `not` of `is not`.
func (p *parser) isNotSlip() {
	if p.at("not") && p.next2() == token.Ident || p.kind == token.Bang {
		d := p.report(diag.ForeignSyntax, p.here(), "there is no `is not` in Runnel")
		d.Help = append(d.Help, "write `!(x is T)`")
		p.next()
	}
}

// comparisonSlip reads === and <>, whose first part was taken.
func (p *parser) comparisonSlip(kind token.Kind) {
	if p.start != p.end {
		return
	}
	switch {
	case p.kind == token.Eq && (kind == token.EqEq || kind == token.NotEq):
		p.report(diag.ForeignSyntax, p.here(), "there is only one kind of equality").
			Help = []string{"write `==` or `!=`; `same(a, b)` tells whether two references are the same"}
		p.next()
	case p.kind == token.Gt && kind == token.Lt:
		p.report(diag.ForeignSyntax, p.here(), "`<>` is written `!=` in Runnel")
		p.next()
	}
}

// decrementSlip sees x--, of which the first minus was taken.
func (p *parser) decrementSlip() {
	if p.kind != token.Minus || p.start != p.end {
		return
	}
	switch p.next2() {
	case token.EOF, token.Semi, token.RBrace, token.RParen, token.LBrace:
		p.report(diag.ForeignSyntax, p.here(), "there is no `--` in Runnel").Help = []string{"write `x -= 1`"}
		p.next()
		p.bail()
	}
}

// increment reads x++ as x += 1.
func (p *parser) increment(start uint32, x Expr, op BinOp) Stmt {
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "there is no `++` in Runnel")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "write `+= 1`", Edits: []diag.Edit{{Span: at, New: " += 1"}}})
	p.next()
	one := &IntLit{ExprBase: ExprBase{at, p.id()}, Value: 1}
	return &AssignStmt{StmtBase{p.span(start)}, x, op, at, one}
}

// walrus reads x := v as let x = v.
func (p *parser) walrus(start uint32, x Expr) Stmt {
	id, ok := x.(*Ident)
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `:=` in Runnel")
	d.Help = append(d.Help, "write `let x = ...` to declare a variable, `x = ...` to assign to one")
	if !ok {
		p.bail()
	}
	d.Fixes = append(d.Fixes, diag.Fix{Title: "declare it with `let`", Edits: []diag.Edit{
		{Span: diag.Span{Start: start, End: start}, New: "let "}, {Span: p.here(), New: "="}}})
	p.next()
	b := &BindPattern{PatternBase{id.Sp, p.id()}, Name{id.Name, id.Sp}, nil}
	s := &LetStmt{Kind: Var, Pattern: b, Value: p.value()}
	s.StmtBase = StmtBase{p.span(start)}
	return s
}

// conditionSlip reads `if a = b` as a comparison.
func (p *parser) conditionSlip(x Expr) Expr {
	if p.kind != token.Eq || p.newline() {
		return x
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "`=` assigns; a comparison is written `==`")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "compare with `==`", Edits: []diag.Edit{{Span: at, New: "=="}}})
	p.next()
	y := p.head()
	return &Binary{ExprBase{x.Span().To(y.Span()), p.id()}, OpEq, at, x, y}
}

// elifSlip reports whether the lookahead is an `elif` that goes on as an if.
func (p *parser) elifSlip() bool {
	if p.kind != token.Ident {
		return false
	}
	switch p.tok.Value {
	case "elif", "elsif", "elseif":
		if k := p.next2(); startsOperand(k) || k == token.Let {
			p.instead("else if")
			return true
		}
	}
	return false
}

// bodySlip helps where a block should begin.
func (p *parser) bodySlip() {
	if p.kind == token.LBrace {
		return
	}
	d := p.report(diag.UnexpectedToken, p.where(), "expected `{`, found %s", p.found())
	switch {
	case p.kind == token.Colon, p.at("then"), p.at("do"), p.nl:
		d.Help = append(d.Help, "a body stands in braces, which begin on the same line: `{ ... }`")
	case p.kind == token.ColonEq || p.kind == token.Eq:
		d.Help = append(d.Help, "an assignment is a statement: make it before, or write `if let v = ... { }` for an optional")
	default:
		d.Help = append(d.Help, "a body always stands in braces, also when it is a single statement")
	}
	p.complete()
	p.bail()
}

// forSlip reports the beginning of other kinds of for.
func (p *parser) forSlip() {
	if p.kind == token.Let || p.kind == token.Var || p.kind == token.Const {
		d := p.report(diag.ForeignSyntax, p.here(), "a `for` declares its variable without `%s`", p.tok.Value)
		d.Help = append(d.Help, forms)
		p.bail()
	}
}

// forms tells how a for is written.
const forms = "write `for x in xs { ... }`, `for k, v in m { ... }` or `for i in 0..n { ... }`"

// armSlip looks at the start of an arm.
func (p *parser) armSlip() {
	switch {
	case p.at("case"):
		switch p.next2() {
		case token.Ident, token.Int, token.Str, token.LParen, token.Minus:
			p.drop("an arm begins with its pattern: `1 => ...`")
		}
	case p.kind == token.Else, p.at("default") && p.next2() == token.Colon:
		d := p.report(diag.ForeignSyntax, p.here(), "the arm that matches anything else is written `_`")
		d.Help = append(d.Help, "write `_ => ...`")
		p.bail()
	}
}

// catchSlip reads what follows a try elsewhere; it reports whether that was a
// finally.
func (p *parser) catchSlip() bool {
	if p.kind != token.Ident {
		return false
	}
	switch p.tok.Value {
	case "finally", "ensure":
		if p.next2() == token.LBrace {
			p.drop("write `defer { ... }` before the `try`: it is run in any case")
			p.block()
			return true
		}
	case "except", "rescue":
		switch p.next2() {
		case token.Ident, token.LBrace, token.LParen:
			p.instead("catch")
			p.kind = token.Catch
		}
	}
	return false
}

// catchTypeSlip reads a catch of a type whose error has no name, or gets it
// behind `as`; it reports whether it was one.
func (p *parser) catchTypeSlip(c *CatchClause) bool {
	if p.kind != token.Ident || p.tok.Value[0] < 'A' || p.tok.Value[0] > 'Z' {
		return false
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a `catch` names the error, before its type")
	d.Help = append(d.Help, "write `catch e: "+p.tok.Value+" { ... }`")
	c.Name = Name{Text: "_", Sp: p.here()}
	c.Type = p.typeExpr()
	if p.accept(token.As) {
		c.Name = p.name("an error")
	}
	return true
}

// argSlip looks at what follows an argument.
func (p *parser) argSlip(a Arg) {
	id, ok := a.Value.(*Ident)
	if p.kind != token.Eq || !ok || a.Name.Text != "" {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "an argument is named with `:`")
	d.Help = append(d.Help, "write `"+id.Name+": ...`")
	p.bail()
}

// nameSlip reads names that are keywords elsewhere; nil if this is a plain name.
func (p *parser) nameSlip() Expr {
	start := p.start
	switch p.tok.Value {
	case "null", "nil", "undefined":
		p.instead("none")
		p.next()
		return &NoneLit{p.base(start)}
	case "this":
		if k := p.next2(); k == token.Dot || k == token.QDot {
			p.instead("self")
			p.next()
			return &SelfExpr{p.base(start)}
		}
	case "new":
		if p.next2() == token.Ident {
			p.drop("a struct is made by calling it: `Point(x: 1, y: 2)`")
		}
	case "println", "eprintln", "assert_eq", "assert_ne":
		if p.next2() == token.Bang {
			return p.macroSlip()
		}
	case "chan":
		if p.next2() == token.Ident {
			d := p.report(diag.ForeignSyntax, p.here(), "the type of a channel is written `chan<T>`")
			d.Help = append(d.Help, "a channel is made with `chan<int>()`, one with a buffer with `chan<int>(10)`")
			p.bail()
		}
	case "lambda":
		if p.next2() == token.Ident {
			p.report(diag.ForeignSyntax, p.here(), "there is no `lambda` in Runnel").Help = []string{"write `|x, y| x + y`"}
			p.bail()
		}
	case "f", "r", "u":
		if t := p.peek2(); t.Pos.Offset == p.tok.Pos.Offset+1 {
			switch kindOf(t) {
			case token.Str, token.StrHead:
				d := p.report(diag.ForeignSyntax, p.here(), "a string has no `%s` before it", p.tok.Value)
				d.Help = append(d.Help, "a string in double quotes may contain `${...}`; a raw one stands in backquotes")
				p.next()
				return p.operand()
			}
		}
	}
	return nil
}

// macroSlip reads println! as print.
func (p *parser) macroSlip() Expr {
	start := p.start
	d := p.report(diag.ForeignSyntax, p.here(), "there are no macros in Runnel")
	if strings.HasPrefix(p.tok.Value, "assert") {
		d.Help = append(d.Help, "write `assert(a == b)`: if it fails, it shows both")
		p.bail()
	}
	d.Help = append(d.Help, "write `print(\"a ${x}\")`")
	p.next()
	p.next()
	return &Ident{ExprBase: p.base(start), Name: "print"}
}

// indexSlip sees vec![1, 2], of which all before the comma could be an index of
// the value of an optional.
func (p *parser) indexSlip(x Expr) {
	if _, ok := x.(*Unwrap); ok && (p.kind == token.Comma || p.kind == token.Semi) {
		d := p.report(diag.UnexpectedToken, p.here(), "expected `]`, found %s", p.found())
		d.Help = append(d.Help, "there are no macros: a list is written `[1, 2, 3]`")
		p.bail()
	}
}

// colonSlice reads xs[a:b] as a slice, which begins at start; lo is nil in xs[:b].
func (p *parser) colonSlice(start uint32, lo Expr) Expr {
	p.report(diag.ForeignSyntax, p.here(), "a slice is written with `..`").
		Fixes = []diag.Fix{{Title: "write `..`", Edits: []diag.Edit{{Span: p.here(), New: ".."}}}}
	p.next()
	r := &RangeLit{Lo: lo}
	if p.kind != token.RBrack {
		r.Hi = p.binary(precRange + 1)
	}
	r.ExprBase = p.base(start)
	return r
}

// operandSlip reports what cannot begin an expression but may have been meant
// to. It gives nil when it knows nothing better than the general error.
func (p *parser) operandSlip() Expr {
	var d *diag.Diagnostic
	switch k := p.kind; {
	case k == token.LBrace && p.next2() != token.Str && p.next2() != token.Int: // surely the body
		d = p.report(diag.UnexpectedToken, p.here(), "expected an expression, found `{`")
		d.Help = append(d.Help, "the `{` opens the body; a map must stand in parentheses here")
		return &BadExpr{p.base(p.start)}
	case k == token.LBrace:
		d = p.report(diag.BraceIsMap, p.here(), "a map must stand in parentheses here")
		d.Help = append(d.Help, "write `({...})`: without them the `{` opens the body")
		switch p.next2() {
		case token.Str, token.Int:
			return p.mapLit()
		}
	case k == token.Fn:
		d = p.report(diag.ForeignSyntax, p.here(), "a function without a name is a lambda")
		d.Help = append(d.Help, "write `|x: int| x + 1`, or `|x| { ... }` with statements")
	case k == token.Let, k == token.Var, k == token.Const, k == token.Struct, k == token.Enum, k == token.Interface,
		k == token.Import, k == token.Pub, k == token.Defer:
		if p.newline() {
			return nil
		}
		d = p.report(diag.UnexpectedToken, p.here(), "expected an expression, found the keyword `%s`", p.tok.Value)
		d.Help = append(d.Help, "`"+p.tok.Value+"` begins a statement: put it on a line of its own, or in braces")
	case k == token.Lt && p.next2() == token.Minus:
		d = p.report(diag.ForeignSyntax, p.here(), "there is no `<-` in Runnel")
		d.Help = append(d.Help, "a channel is read with `ch.recv()` and written with `ch.send(v)`")
	case p.nl && binaryOps[k].prec != precNone:
		d = p.report(diag.LeadingOperator, p.here(), "a line cannot begin with `%s`", p.operator())
		d.Help = append(d.Help, "write the operator at the end of the line above, so that the expression goes on")
	case k == token.Amp || k == token.Star:
		d = p.report(diag.ForeignSyntax, p.here(), "there is no `%s` before an operand", p.tok.Value)
		d.Help = append(d.Help, "there are no pointers: structs, lists and maps are references by themselves")
	case k == token.Plus || k == token.PlusPlus:
		d = p.report(diag.ForeignSyntax, p.here(), "there is no `%s` before an operand", p.tok.Value)
		d.Help = append(d.Help, "a positive number has no sign; to count up write `x += 1`")
	case k == token.DotDot:
		d = p.report(diag.ForeignSyntax, p.here(), "a range needs a lower bound here")
		d.Help = append(d.Help, "write `0..n`; only in an index may it be left out: `xs[..n]`")
	default:
		return nil
	}
	p.bail()
	return nil
}

// slipHelp adds help to the error at the lookahead.
func (p *parser) slipHelp(d *diag.Diagnostic) {
	if p.newline() {
		return
	}
	switch p.kind {
	case token.ColonColon:
		d.Help = append(d.Help, "members, variants and modules are reached with `.`")
	case token.FatArrow:
		d.Help = append(d.Help, "a lambda is written `|x| x + 1`")
	case token.Question:
		if k := p.next2(); k == token.EOF || k == token.RBrace || k == token.Semi || k == token.Dot || binaryOps[k].prec != precNone && k != token.Minus {
			d.Help = append(d.Help, "errors are passed on by themselves; the value of an optional is `x!` or `x ?? y`")
			return
		}
		d.Help = append(d.Help, "the conditional expression is `if c { a } else { b }`; the default of an optional is `x ?? y`")
	case token.Arrow:
		d.Help = append(d.Help, "members are reached with `.`; a lambda is written `|x| x + 1`")
	case token.In:
		d.Help = append(d.Help, "whether a collection holds a value is `xs.contains(x)`")
	case token.For:
		d.Help = append(d.Help, "a list is made from another with `xs.map(|x| ...)` and `xs.filter(|x| ...)`")
	case token.If:
		d.Help = append(d.Help, "the conditional expression is `if c { a } else { b }`")
	case token.Label:
		d.Help = append(d.Help, "strings are written in double quotes")
	}
}

// afterStatement adds help to the error at a token that should not follow the
// statement s.
func (p *parser) afterStatement(d *diag.Diagnostic, s Stmt) {
	e, _ := s.(*ExprStmt)
	var id *Ident
	if e != nil {
		id, _ = e.X.(*Ident)
	}
	switch {
	case p.kind == token.LBrace && p.last == token.RParen:
		d.Help = append(d.Help, "a function as an argument is written `f(|x| { ... })`")
	case p.kind == token.LBrace:
		d.Help = append(d.Help, "a struct is made by calling it: `Point(x: 1, y: 2)`; a map stands in parentheses here")
	case id != nil && p.kind == token.Colon:
		d.Help = append(d.Help, "to declare a variable write `let "+id.Name+": T = ...`")
	case id != nil && (p.kind >= token.Ident && p.kind <= token.StrHead || p.kind == token.BadLit):
		d.Help = append(d.Help, "a function is called with parentheses: `"+id.Name+"(...)`")
	case p.kind == token.Else:
		d.Help = append(d.Help, "an `else` follows the block of an `if`")
	default:
		n := len(d.Help)
		p.slipHelp(d)
		if len(d.Help) == n {
			d.Help = append(d.Help, "statements are separated by a new line or `;`")
		}
	}
}
