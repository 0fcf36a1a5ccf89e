package syntax

import (
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
	if p.kind == token.Import && p.importSlip() {
		p.bail()
	}
	if p.kind != token.Ident {
		return
	}
	p.dropModifiers(true)
	p.statementSlip()
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
		if word == "func" && p.receiverAhead() {
			p.instead("fn")
			p.kind = token.Fn
			return
		}
		like(token.Fn, token.Ident)
	case "class", "record":
		like(token.Struct, token.Ident)
	case "trait", "protocol":
		like(token.Interface, token.Ident)
	case "use", "require", "include", "using":
		p.pathSlip()
		like(token.Import, token.Ident, token.Str, token.BadLit)
	case "export", "public":
		like(token.Pub, token.Ident, token.Let, token.Var, token.Const, token.Fn, token.Struct, token.Enum, token.Interface)
	case "local":
		if p.next2() == token.Ident && (p.peek2().Value == "function" || p.peek2().Value == "fn") {
			p.drop("a function of a block is declared with `fn`, or as a lambda: `let f = |x: int| x + 1`")
			like(token.Fn, token.Ident)
			return
		}
		like(token.Let, token.Ident)
	case "val", "auto", "final":
		like(token.Let, token.Ident)
	case "mut":
		like(token.Var, token.Ident)
	case "switch", "when":
		if word == "switch" && p.next2() == token.LParen && !p.callAhead() {
			p.instead("match")
			p.kind = token.Match
			return
		}
		like(token.Match, token.Ident, token.Self, token.Int, token.Str, token.StrHead, token.True, token.False)
	case "foreach":
		like(token.For, token.Ident, token.LParen)
	case "raise":
		like(token.Throw, token.Ident)
	case "go":
		like(token.Spawn, token.Ident)
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
		if k := p.next2(); k == token.LBrace || k == token.EOF && p.alone() {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `do` in Runnel")
			d.Help = append(d.Help, "write `loop { ... if !again { break } }`")
			p.next()
			p.block()
			if p.kind == token.While || p.at("until") {
				p.bail()
			}
		}
	case "unless":
		if p.wordBefore() {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `unless` in Runnel")
			d.Help = append(d.Help, "negate the condition: `if !(...) { ... }`")
			p.skipToEnd()
		}
	case "until":
		if p.wordBefore() {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `until` in Runnel")
			d.Help = append(d.Help, "negate the condition: `while !(...) { ... }`")
			p.skipToEnd()
		}
	case "repeat":
		if k := p.next2(); k == token.EOF && p.alone() || k == token.LBrace {
			p.repeatSlip()
		}
	case "case":
		if k := p.next2(); k == token.Ident || k == token.Self {
			d := p.report(diag.ForeignSyntax, p.here(), "`case` is written `match` in Runnel")
			d.Help = append(d.Help, "write `match x { 1 => ..., _ => ... }`")
			p.skipToEnd()
		}
	}
}

// letSlip looks at what follows let, var or const.
func (p *parser) letSlip(word string, s *LetStmt) {
	if p.kind != token.Ident || p.next2() != token.Ident {
		return
	}
	switch {
	case p.tok.Value == "mut":
		at := diag.Span{Start: p.start, End: uint32(p.peek2().Pos.Offset)}
		d := p.report(diag.ForeignSyntax, p.here(), "there is no `mut` in Runnel")
		d.Help = append(d.Help, "`let` binds once; a variable that changes is declared with `var`")
		if p.end >= 3 && p.text(diag.Span{Start: p.end - 3, End: p.end}) == "let" {
			d.Help = nil
			at.Start = p.end - 3
			d.Fixes = []diag.Fix{{Title: "a variable that changes is declared with `var`", Edits: []diag.Edit{{Span: at, New: "var "}}}}
		}
		s.Kind = Var
		p.next()
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
	case p.kind == token.DotDot || p.kind == token.Star || p.kind == token.StarStar:
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

// forms tells how a for is written.
const forms = "write `for x in xs { ... }`, `for k, v in m { ... }` or `for i in 0..n { ... }`"

// argSlip looks at what follows an argument.
func (p *parser) argSlip(a *Arg) {
	id, ok := a.Value.(*Ident)
	if p.kind != token.Eq || !ok || a.Name.Text != "" {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "an argument is named with `:`")
	at := diag.Span{Start: id.Sp.End, End: uint32(p.peek2().Pos.Offset)}
	d.Fixes = []diag.Fix{{Title: "write `" + id.Name + ":`", Edits: []diag.Edit{{Span: at, New: ": "}}}}
	p.next()
	a.Name = Name{id.Name, id.Sp}
	a.Value = p.expr()
}

// nameSlip reads names that are keywords elsewhere; nil if this is a plain name.
func (p *parser) nameSlip() Expr {
	start := p.start
	switch p.tok.Value {
	case "null", "nil", "undefined":
		if at := max(p.src.Base+7, p.start) - 7; p.tok.Value == "nil" && p.text(diag.Span{Start: at, End: p.start}) == "err != " {
			d := p.report(diag.ForeignSyntax, diag.Span{Start: at, End: p.here().End}, "what fails throws: there is no error to compare")
			d.Help = append(d.Help, "leave this `if` out, or catch the error: `try { ... } catch err { ... }`")
			p.errAt = -1
			p.next()
			return &NoneLit{p.base(start)}
		}
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
			if x := p.newSlip(); x != nil {
				return x
			}
		}
	case "map":
		return p.goLiteral()
	case "vec":
		if p.next2() == token.Bang && p.thirdKind() == token.LBrack && p.manyAhead() {
			at := diag.Span{Start: p.start, End: p.start + 4}
			d := p.report(diag.ForeignSyntax, at, "there are no macros in Runnel: a list is written `[1, 2, 3]`")
			d.Fixes = []diag.Fix{{Title: "write a list", Edits: []diag.Edit{{Span: at, New: ""}}}}
			p.next()
			p.next()
			p.errAt = -1
			return p.operand()
		}
	case "format", "panic", "todo", "unimplemented", "unreachable", "dbg", "print", "println", "eprint", "eprintln", "debug_assert", "assert_eq", "assert_ne":
		if p.next2() == token.Bang && p.thirdKind() == token.LParen {
			return p.macro()
		}
	case "make":
		return p.makeSlip()
	case "chan":
		if p.next2() == token.Ident {
			d := p.report(diag.ForeignSyntax, p.here(), "the type of a channel is written `chan<T>`")
			d.Help = append(d.Help, "a channel is made with `chan<int>()`, one with a buffer with `chan<int>(10)`")
			p.bail()
		}
	case "lambda":
		return p.lambdaSlip()
	case "func", "function", "fun", "proc":
		return p.functionSlip()
	case "move", "async":
		if k := p.next2(); k == token.Pipe || k == token.OrOr || k == token.LParen && p.callArrow() {
			d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", p.tok.Value)
			d.Help = append(d.Help, "a lambda uses the variables around it, and may wait, by itself")
			d.Fixes = []diag.Fix{{Title: "leave it out", Edits: []diag.Edit{{Span: diag.Span{Start: p.start, End: uint32(p.peek2().Pos.Offset)}}}}}
			p.next()
			p.errAt = -1
			return p.operand()
		}
	case "typeof":
		if k := p.next2(); k == token.Ident || k == token.Self {
			return p.typeofSlip()
		}
	case "switch", "when":
		if p.next2() == token.LBrace && !p.noBrace {
			return p.conditionSwitch()
		}
		if k := p.next2(); startsOperand(k) && k != token.LBrack && k != token.Minus && k != token.Bang && (k != token.LParen || !p.noBrace && !p.callAhead()) {
			p.instead("match")
			return p.matchExpr()
		}
	case "f", "r", "u":
		if t := p.peek2(); t.Pos.Offset == p.tok.Pos.Offset+1 {
			switch kindOf(t) {
			case token.Str, token.StrHead:
				d := p.report(diag.ForeignSyntax, p.here(), "a string has no `%s` before it", p.tok.Value)
				p.prefixFix(d, t)
				p.next()
				return p.operand()
			}
		}
	}
	return nil
}

// callArrow reports whether the parentheses behind the lookahead are those of a lambda.
func (p *parser) callArrow() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	return p.paramsAhead() && kindOf(p.lex.Peek()) == token.FatArrow
}

// typeofSlip reads `typeof x`.
func (p *parser) typeofSlip() Expr {
	start := p.start
	d := p.report(diag.ForeignSyntax, p.here(), "the name of a value's type is `type_of(x)`; a type is tested with `x is T`")
	word := p.here()
	word.End = uint32(p.peek2().Pos.Offset)
	h := p.enter()
	p.next()
	x := p.postfix()
	p.leave(h)
	d.Fixes = []diag.Fix{{Title: "write `type_of(...)`", Edits: []diag.Edit{{Span: word, New: "type_of("}, {Span: point(p.end), New: ")"}}}}
	c := &Call{Fn: &Ident{ExprBase: ExprBase{point(start), p.id()}, Name: "type_of"}, Args: []Arg{{Value: x}}, Rparen: point(p.end)}
	c.ExprBase = p.base(start)
	return c
}

// macro takes the name of a macro, println!, as one: what is called then tells the checker, which
// knows the values that it inserts.
func (p *parser) macro() Expr {
	start, name := p.start, p.tok.Value+"!"
	p.next()
	p.next()
	return &Ident{ExprBase: p.base(start), Name: name}
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

// operandSlip reports what cannot begin an expression but may have been meant
// to. It gives nil when it knows nothing better than the general error.
func (p *parser) operandSlip() Expr {
	if x := p.addressSlip(); x != nil {
		return x
	}
	p.regexSlip()
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
		return p.functionSlip()
	case k == token.Let, k == token.Var, k == token.Const, k == token.Struct, k == token.Enum, k == token.Interface,
		k == token.Import, k == token.Pub, k == token.Defer:
		if p.newline() {
			return nil
		}
		d = p.report(diag.UnexpectedToken, p.here(), "expected an expression, found the keyword `%s`", p.tok.Value)
		d.Help = append(d.Help, "`"+p.tok.Value+"` begins a statement: put it on a line of its own, or in braces")
	case k == token.Eq && p.start == p.end && binaryOps[p.last].prec != precNone: // x ||= 3
		op := p.text(diag.Span{Start: p.start - 2, End: p.start})
		d = p.report(diag.ForeignSyntax, diag.Span{Start: p.start - 2, End: p.start + 1}, "there is no `%s=` in Runnel", op)
		d.Help = append(d.Help, "write `x = x "+op+" ...`")
	case k == token.Gt && p.start == p.end && p.last == token.Pipe:
		d = p.report(diag.ForeignSyntax, diag.Span{Start: p.start - 1, End: p.start + 1}, "there is no `|>` in Runnel")
		d.Help = append(d.Help, "call the function with the value: `f(x)`; methods are chained with `.`")
	case k == token.Gt && p.start == p.end && p.last == token.Gt:
		at := diag.Span{Start: p.start - 2, End: p.start + 1}
		p.report(diag.ForeignSyntax, at, "there is no `>>>` in Runnel; `>>` keeps the sign").
			Fixes = []diag.Fix{{Title: "write `>>`", Edits: []diag.Edit{{Span: at, New: ">>"}}}}
		p.next()
		return p.binary(precShift + 1)
	case k == token.Dot && kindOf(p.peek2()) == token.Int && p.peek2().Pos.Offset == int(p.start)+1:
		at := diag.Span{Start: p.start, End: p.start + 1 + uint32(len(p.peek2().Value))}
		text := "0" + p.text(at)
		p.report(diag.ForeignSyntax, at, "a float has a digit before its dot").Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
		p.next()
		p.next()
		return &BadExpr{p.base(at.Start)}
	case k == token.Lt && p.next2() == token.Minus:
		return p.arrowReceive()
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
	case token.ColonEq:
		d.Help = append(d.Help, "a name is declared by a statement of its own: write `let x = ...` before")
	case token.FatArrow:
		if n := len(p.open); n > 0 && p.open[n-1].kind == token.LBrack {
			d.Help = append(d.Help, "a map is written in braces: `{\"a\": 1}`")
			return
		}
		d.Help = append(d.Help, "a lambda is written `|x| x + 1`")
	case token.Question:
		if k := p.next2(); k == token.EOF || k == token.RBrace || k == token.Semi || k == token.Dot || binaryOps[k].prec != precNone && k != token.Minus {
			d.Message = "there is no `?` behind a value"
			d.Help = append(d.Help, "errors are passed on by themselves; the value of an optional is `x!` or `x ?? y`")
			d.Fixes = []diag.Fix{{Title: "leave it out", Edits: []diag.Edit{{Span: p.here()}}}}
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
	case p.kind == token.Colon && p.methodColon():
		d.Message = "a method is called with `.`"
		d.Fixes = []diag.Fix{{Title: "write `.`", Edits: []diag.Edit{{Span: p.here(), New: "."}}}}
	case p.at("do") && p.next2() == token.Pipe:
		d.Help = append(d.Help, "a function as an argument is written `f(|x| { ... })`")
		p.bare.owed++
	case p.kind == token.LBrace && (p.next2() == token.Pipe || p.next2() == token.Ident && p.peek2().Value == "it"):
		d.Help = append(d.Help, "a function as an argument is written `f(|x| { ... })`")
	case id != nil && p.kind == token.Colon:
		d.Help = append(d.Help, "to declare a variable write `let "+id.Name+": T = ...`")
	case id != nil && (p.kind >= token.Ident && p.kind <= token.StrHead || p.kind == token.BadLit):
		d.Help = append(d.Help, "a function is called with parentheses: `"+id.Name+"(...)`")
	case p.kind == token.Else && p.letElse(d, s):
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
