package types

import (
	"regexp"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// What is a program here, but means something else in other languages: warnings that say so.

func (c *checker) elsewhere(at diag.Span, format string, args ...any) report {
	return c.warn(diag.MeansElsewhere, at, format, args...)
}

var (
	rawInsert    = lazy.Regexp(`\$\{([a-z_]\w*)`)
	quotedInsert = lazy.Regexp(`\$\{[^}]*"`)
	rubyInsert   = lazy.Regexp(`#\{([a-z_]\w*)`)
	plainDollar  = lazy.Regexp(`\$([a-z_]\w*)`)
	braceInsert  = lazy.Regexp(`\{([a-z_]\w*)\}`)
	percentForm  = lazy.Regexp(`%[-+0-9.]*[dsvfq]\b|\{\}|\{[0-9]\}`)
	sumText      = lazy.Regexp(`^\(*(?:[0-9]+|[a-z_]\w*)\)*(?: ?[-+*/%] ?\(*(?:[0-9]+|[a-z_]\w*)\)*)*$`)
)

// foreignTemplate warns of a text into which other languages insert a variable that is
// known here.
func (c *checker) foreignTemplate(e *syntax.StrLit) {
	src := c.source(e.Sp)
	if c.mod.Std || len(src) < 4 || !strings.ContainsAny(src, "$#") {
		return
	}
	raw := src[0] == '`'
	inserts := rubyInsert()
	switch {
	case raw:
		inserts = rawInsert()
	case !strings.Contains(src, "#{"):
		inserts = plainDollar()
	}
	name := c.inserted(inserts, src)
	if name == "" {
		return
	}
	d := c.elsewhere(e.Sp, "nothing is inserted for `%s` into this text", name)
	body := src[1 : len(src)-1]
	switch {
	case raw && !strings.ContainsAny(body, "\"\\\n"):
		d.fix("values are inserted between double quotes", diag.Edit{Span: e.Sp, New: `"` + body + `"`})
	case raw && !strings.Contains(body, "\n") && !quotedInsert().MatchString(body):
		d.fix("values are inserted between double quotes", diag.Edit{Span: e.Sp, New: `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(body) + `"`})
	case raw:
		d.help("a text in backquotes is raw; values are inserted between double quotes: \"${%s}\"", name)
	case inserts == rubyInsert():
		d.fix("values are inserted with `${...}`", diag.Edit{Span: e.Sp, New: strings.ReplaceAll(src, "#{", "${")})
	default:
		d.fix("values are inserted with `${...}`", diag.Edit{Span: e.Sp, New: plainDollar().ReplaceAllString(src, "$${$1}")})
	}
}

// inserted returns the first variable that is known among those a template names, which are
// used by it.
func (c *checker) inserted(inserts *regexp.Regexp, src string) (first string) {
	for _, m := range inserts.FindAllStringSubmatchIndex(src, 10) {
		name := src[m[2]:m[3]]
		if m[0] > 0 && src[m[0]-1] == '\\' || !c.variable(name) {
			continue
		}
		if first == "" {
			first = name
		}
	}
	return first
}

// variable reports whether a name is a variable in sight, and counts it as used.
func (c *checker) variable(name string) bool {
	if b := c.local(name); b != nil {
		c.use(b, diag.NoSpan)
		return true
	}
	switch o := c.mod.find(name).(type) {
	case *Global:
		o.Used = true
		return true
	case *ConstObj:
		o.Used = true
		return true
	}
	return false
}

// printedFormat warns of the formats of other languages in what is printed.
func (c *checker) printedFormat(e *syntax.Call) {
	if c.mod.Std || len(e.Args) == 0 {
		return
	}
	lit, ok := e.Args[0].Value.(*syntax.StrLit)
	if !ok {
		return
	}
	src := c.source(lit.Sp)
	if len(src) == 0 || src[0] != '"' || c.source(e.Fn.Span()) != "print" || lit.Sp.Start != e.Fn.Span().End+1 {
		return // or it is written otherwise, which is told already
	}
	if form := percentForm().FindString(lit.Value); form != "" && (len(e.Args) > 1 || form[0] == '%') {
		c.elsewhere(lit.Sp, "`print` puts nothing in place of `%s`", form).
			help("write \"${x}\", with a format \"${x:>8.2f}\"")
		return
	}
	if name := c.inserted(braceInsert(), src); name != "" && !strings.Contains(src, "${") {
		c.elsewhere(lit.Sp, "nothing is inserted for `%s` into this text", name).
			fix("values are inserted with `${...}`", diag.Edit{Span: lit.Sp, New: strings.ReplaceAll(src, "{", "${")})
	}
}

// doubleMinus warns of `a -- b`, a comment in SQL and Lua and a decrement in C, and reports
// whether what follows is none of a program.
func (c *checker) doubleMinus(e *syntax.Binary) bool {
	first := e.Y
	for b, ok := first.(*syntax.Binary); ok; b, ok = first.(*syntax.Binary) {
		first = b.X
	}
	y, ok := first.(*syntax.Unary)
	if e.Op != syntax.OpSub || !ok || y.Op != syntax.OpNeg || y.Sp.Start != e.OpSp.End {
		return false
	}
	at := diag.Span{Start: e.OpSp.Start, End: y.Sp.Start + 1}
	if id, ok := y.X.(*syntax.Ident); ok && c.local(id.Name) == nil && c.mod.find(id.Name) == nil && c.preludeName(id.Name) == nil {
		c.err(diag.ForeignSyntax, at, "a comment begins with `//`").fix("write `//`", diag.Edit{Span: at, New: "//"})
		return true
	}
	if c.source(y.X.Span()) != "" {
		c.elsewhere(at, "`--` subtracts the negative of what follows: a comment begins with `//`, and `x -= 1` counts down").
			fix("to add write `+`", diag.Edit{Span: at, New: "+"})
	}
	return false
}

// commentedOperand warns of `x = 7 // 2`: behind // stands a comment.
func (c *checker) commentedOperand(x syntax.Expr) {
	if c.mod.Std || x == nil {
		return
	}
	rest := c.restOfLine(x.Span().End)
	space := strings.HasPrefix(rest, " ")
	text, ok := strings.CutPrefix(strings.TrimPrefix(rest, " "), "//")
	if !ok {
		return
	}
	t := Prune(c.info.TypeOf(x))
	if t != Type(Int) && t != Type(Float) && !isIntVar(t) {
		return
	}
	switch x.(type) {
	case *syntax.Call, *syntax.IntLit, *syntax.FloatLit, *syntax.Ident, *syntax.Member, *syntax.Binary, *syntax.Paren, *syntax.Index:
	default:
		return
	}
	if number := strings.Trim(text, " 0123456789") == ""; space != strings.HasPrefix(text, " ") && !number || !c.isSum(text) {
		return
	}
	at := diag.Span{Start: x.Span().End, End: x.Span().End + 2}
	if space {
		at = diag.Span{Start: at.Start + 1, End: at.End + 1}
	}
	c.elsewhere(at, "`//` begins a comment: nothing is divided here").
		fix("integers are divided with `/`", diag.Edit{Span: at, New: "/"})
}

// isSum reports a text of numbers and variables in sight, with operators between them.
func (c *checker) isSum(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || !sumText().MatchString(text) {
		return false
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("+-*/%() ", r) }) {
		if word[0] > '9' && !c.variable(word) {
			return false
		}
	}
	return true
}

// restOfLine is what stands from a place to the end of its line.
func (c *checker) restOfLine(at uint32) string {
	f := c.prog.Files.File(at)
	if f == nil || int(at-f.Base) > len(f.Src) {
		return ""
	}
	line := f.Src[at-f.Base:]
	if len(line) > 80 {
		line = line[:80]
	}
	line, _, _ = strings.Cut(line, "\n")
	return strings.TrimRight(line, "\r")
}

// notPower warns of 2 ^ 10 and 10 ^ 3.
func (c *checker) notPower(e *syntax.Binary) {
	x, ok := e.X.(*syntax.IntLit)
	_, ok2 := e.Y.(*syntax.IntLit)
	if !ok || !ok2 || e.Op != syntax.OpXor || c.mod.Std || x.Value != 2 && x.Value != 10 || strings.ContainsAny(c.source(e.Sp), "xXbBoO") {
		return
	}
	c.elsewhere(e.OpSp, "`^` is the exclusive or of bits").fix("the power is `**`", diag.Edit{Span: e.OpSp, New: "**"})
}

// assignedSign warns of `x =- 1`.
func (c *checker) assignedSign(s *syntax.AssignStmt) {
	u, ok := s.Value.(*syntax.Unary)
	if s.Op != syntax.OpNone || !ok || u.Op != syntax.OpNeg || u.Sp.Start != s.OpSp.End || u.X.Span().Start == u.Sp.Start+1 {
		return
	}
	at := diag.Span{Start: s.OpSp.Start, End: u.Sp.Start + 1}
	c.elsewhere(at, "`=-` assigns a negative value").fix("to subtract write `-=`", diag.Edit{Span: at, New: "-="})
}

// lastIndex warns of a loop over indexes that ends behind the last one.
func (c *checker) lastIndex(e *syntax.For) {
	r, ok := unparen(e.X).(*syntax.RangeLit)
	if !ok || !r.Inclusive || r.Hi == nil || len(e.Vars) != 1 {
		return
	}
	call, ok := r.Hi.(*syntax.Call)
	if !ok || len(call.Args) > 0 {
		return
	}
	m, ok := call.Fn.(*syntax.Member)
	b, ok2 := e.Vars[0].(*syntax.BindPattern)
	if !ok || !ok2 || m.Name.Text != "len" {
		return
	}
	list, found := c.source(m.X.Span()), false
	syntax.Walk(e.Body, func(n syntax.Node) bool {
		if ix, ok := n.(*syntax.Index); ok {
			if id, ok := ix.I.(*syntax.Ident); ok && id.Name == b.Name.Text && c.source(ix.X.Span()) == list {
				found = true
			}
		}
		return !found
	})
	if !found {
		return
	}
	lo := c.source(r.Lo.Span())
	d := c.elsewhere(r.Sp, "the last index of `%s` is `%s.len() - 1`, and the first one 0", list, list)
	if lo == "1" {
		lo = "0"
	}
	d.fix("write `"+lo+".."+c.source(r.Hi.Span())+"`", diag.Edit{Span: r.Sp, New: lo + ".." + c.source(r.Hi.Span())})
}

// shownFunction warns of a function that is made text where its result is meant.
func (c *checker) shownFunction(e syntax.Expr) {
	e = unparen(e)
	f, ok := Prune(c.info.TypeOf(e)).(*Func)
	if !ok || c.mod.Std {
		return
	}
	switch x := e.(type) {
	case *syntax.Member:
		if m := c.info.Members[x]; m == nil || m.Kind != MemMethod && m.Kind != MemModule {
			return
		}
	case *syntax.Ident:
		if _, ok := c.info.Uses[x.Id].(*FuncDecl); !ok {
			return
		}
	default:
		return
	}
	d := c.elsewhere(e.Span(), "this is a function, which is not called")
	if len(f.Params) == 0 {
		d.fix("call it", diag.Edit{Span: diag.Span{Start: e.Span().End, End: e.Span().End}, New: "()"})
		return
	}
	d.help("call it: `%s(...)`", c.source(e.Span()))
}
