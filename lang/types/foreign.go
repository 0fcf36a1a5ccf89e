package types

import (
	"cmp"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// What people of other languages mean by operators and calls whose types do not fit here.

// isConcatenation reports `a .. b` of Lua, whose bounds are texts.
func (c *checker) isConcatenation(e *syntax.RangeLit) bool {
	if e.Lo == nil || e.Hi == nil || e.Inclusive {
		return false
	}
	if !c.isTextual(e.Lo) && !c.isTextual(e.Hi) {
		return false
	}
	x, y := Prune(c.expr(e.Lo, nil, nil)), Prune(c.expr(e.Hi, nil, nil))
	at := diag.Span{Start: e.Lo.Span().End, End: e.Hi.Span().Start}
	d := c.err(diag.TypeMismatch, at, "`..` makes a range of ints; texts are joined with `+`")
	switch {
	case x == Type(Str) && y == Type(Str):
		d.fix("write `+`", diag.Edit{Span: at, New: " + "})
	case strings.Contains(c.source(e.Sp), "\n"): // it may be what follows that is not closed
		d.help("write them into one text: `\"${a}${b}\"`")
	default:
		text := func(e syntax.Expr, t Type) string {
			if lit, ok := e.(*syntax.StrLit); ok && !strings.ContainsAny(c.source(lit.Sp), "\n`") {
				return strings.Trim(c.source(lit.Sp), "\"")
			}
			return "${" + c.source(e.Span()) + "}"
		}
		d.fix("write them into one text", diag.Edit{Span: e.Sp, New: `"` + text(e.Lo, x) + text(e.Hi, y) + `"`})
	}
	return true
}

// isTextual reports an expression that is surely a text.
func (c *checker) isTextual(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.StrLit, *syntax.InterpLit:
		return true
	case *syntax.Ident:
		if b := c.local(e.Name); b != nil {
			if l, ok := b.obj.(*Local); ok {
				return Prune(l.Type) == Type(Str)
			}
		}
		if g, ok := c.mod.find(e.Name).(*Global); ok && g.Type != nil {
			return Prune(g.Type) == Type(Str)
		}
	}
	return false
}

// notFirst tells of `!x == y`, in which the ! is meant for the whole comparison; the reports
// of its operands begin at before.
func (c *checker) notFirst(e *syntax.Binary, before int) bool {
	u, ok := e.X.(*syntax.Unary)
	if !ok || u.Op != syntax.OpNot || len(c.reports) <= before {
		return false
	}
	if d := c.reports[before]; d.Code != diag.TypeMismatch || d.Span != u.X.Span() {
		return false
	}
	c.reports = c.reports[:before+1]
	d := report{c.reports[before], c}
	d.Help, d.Fixes, d.Labels, d.Text = nil, nil, nil, ""
	d.Span = e.Sp
	d.Message = "`!` binds tighter than `" + binaryText[e.Op] + "`: it turns round the `" + c.shown(c.info.TypeOf(u.X)).String() + "` before it is compared"
	op := syntax.OpNe
	if e.Op == syntax.OpNe {
		op = syntax.OpEq
	}
	text := c.source(u.X.Span()) + " " + binaryText[op] + " " + c.source(e.Y.Span())
	d.fix("write `"+text+"`", diag.Edit{Span: e.Sp, New: text})
	return true
}

// noBools makes one report of those of the operands of && and ||, from reports before
// and right on, that are not bools.
func (c *checker) noBools(x *syntax.Binary, before, right int) {
	if len(c.reports) == before {
		return
	}
	isCond := func(i int) bool {
		return i < len(c.reports) && c.reports[i].Code == diag.TypeMismatch && strings.HasPrefix(c.reports[i].Message, becauseCond.text)
	}
	own := func(i int, operand syntax.Expr) bool { return isCond(i) && c.reports[i].Span == operand.Span() }
	left := before < right && own(right-1, x.X)
	last := len(c.reports) - 1
	if right <= last && own(last, x.Y) {
		if left {
			c.reports = c.reports[:last]
			last = right - 1
		}
	} else if !left {
		return
	} else {
		last = right - 1
	}
	d := report{c.reports[last], c}
	d.Message = "an operand of `" + binaryText[x.Op] + "` must be `bool`" + strings.TrimPrefix(d.Message, becauseCond.text+" must be `bool`")
	c.choice(d, x)
}

// rangeCall mends range(3), range(a, b) and range(a, b, step) of Python.
func (c *checker) rangeCall(d report, e *syntax.Call) {
	var args []string
	for _, a := range e.Args {
		args = append(args, c.source(a.Value.Span()))
	}
	text := ""
	switch len(args) {
	case 1:
		text = "0.." + args[0]
	case 2:
		text = args[0] + ".." + args[1]
	default:
		d.help("count with `for i in 0..n`")
		return
	}
	d.Labels, d.Notes = nil, nil
	d.Span = e.Sp
	d.Message = "a range is written `a..b`"
	d.fix("write `"+text+"`", diag.Edit{Span: e.Sp, New: text})
}

// methodColon reports `f(s:upper())`, which calls a method in Lua.
func (c *checker) methodColon(a syntax.Arg) bool {
	call, ok := a.Value.(*syntax.Call)
	if !ok || a.Value.Span().Start != a.Name.Sp.End+1 {
		return false
	}
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || c.local(a.Name.Text) == nil && c.mod.find(a.Name.Text) == nil {
		return false
	}
	at := diag.Span{Start: a.Name.Sp.End, End: fn.Sp.Start}
	c.err(diag.ForeignSyntax, at, "a method is called with `.`").fix("write `.`", diag.Edit{Span: at, New: "."})
	return true
}

// skipArgs leaves the arguments of a call that is wrong already unchecked.
func (c *checker) skipArgs(e *syntax.Call) {
	for _, a := range e.Args {
		c.info.Types[a.Value.ID()] = Invalid
	}
}

// someSlip mends Some(x) and None, which stand for the value of an optional elsewhere.
func (m *matcher) someSlip(d report, p *syntax.VariantPattern) {
	switch p.Name.Text {
	case "Some", "Just", "Ok":
	case "None", "Nothing", "Nil":
		d.fix("the missing value is `none`", diag.Edit{Span: p.Sp, New: "none"})
		return
	case "Err":
		d.help("what fails throws: `try { ... } catch e { ... }`")
		return
	default:
		if _, ok := m.c.topLevel(p.Name.Text).(*ConstObj); ok && len(p.Fields) == 0 {
			d.help("a constant is compared in a guard: `x if x == %s => ...`", p.Name.Text)
		}
		return
	}
	if len(p.Fields) == 1 && p.Fields[0].Name.Text == "" {
		d.fix("a value stands for itself", diag.Edit{Span: p.Sp, New: m.c.source(p.Fields[0].Pat.Span())})
		return
	}
	d.help("a value stands for itself: `if let v = x { ... }`")
}

// Foreign says what a name of another language is here: names of ours, of which the first
// that there is is meant, and what to write; both may be empty.
func Foreign(name string) (own []string, help string) {
	if n, ok := foreignNames()[name]; ok {
		own = append(own, n)
	}
	if n, ok := syntax.OwnTypes[name]; ok {
		own = append(own, n)
	}
	own = append(own, otherNames()[name]...)
	if n, ok := exportsElsewhere()[name]; ok {
		module, _, _ := strings.Cut(name, ".")
		own = append(own, module+"."+n)
	}
	return own, cmp.Or(foreignHelp()[name], memberHelp()[name], foreignTypeHelp()[name], foreignModules()[name])
}

// countedElsewhere reports `for i, x in enumerate(xs)` and the like, and gives xs: a loop
// counts along by itself. It is nil for another loop.
func (c *checker) countedElsewhere(e *syntax.For) syntax.Expr {
	call, ok := e.X.(*syntax.Call)
	if !ok {
		return nil
	}
	var name, inner = "", syntax.Expr(nil)
	switch fn := call.Fn.(type) {
	case *syntax.Ident:
		if len(call.Args) == 1 && c.local(fn.Name) == nil && c.mod.find(fn.Name) == nil {
			name, inner = fn.Name, call.Args[0].Value
		}
	case *syntax.Member:
		if full, ok := c.isForeign(fn); ok && len(call.Args) == 1 {
			name, inner = full, call.Args[0].Value
		}
	}
	switch name {
	case "enumerate", "ipairs", "pairs", "Object.entries", "Object.keys":
	default:
		return nil
	}
	if !c.onOneLine(call.Sp) {
		return nil
	}
	c.info.Types[call.Fn.ID()], c.info.Types[call.Id] = Invalid, Invalid
	text := c.source(inner.Span())
	if _, ok := inner.(*syntax.MapLit); ok {
		text = "(" + text + ")"
	}
	d := c.err(diag.UnknownName, call.Fn.Span(), "there is no `%s` here", name)
	if name == "ipairs" {
		d.help("the first index is 0")
	}
	d.fix("a loop gives the index or the key by itself", diag.Edit{Span: call.Sp, New: text})
	return inner
}

// recordMeant says, where the keys of a map are told to be no names, what its values of
// different types can be: the fields of a struct.
func (c *checker) recordMeant(e *syntax.MapLit) {
	var fields, values, entries []string
	for _, en := range e.Entries {
		id, ok := en.Key.(*syntax.Ident)
		src := c.source(en.Value.Span())
		if !ok || len(src) > 30 || strings.Contains(src, "\n") || len(fields) == 5 {
			return
		}
		fields = append(fields, id.Name+": "+c.shown(c.info.TypeOf(en.Value)).String())
		values = append(values, id.Name+": "+src)
		entries = append(entries, `"`+id.Name+`": `+src)
	}
	d := c.keyAt
	d.Help, d.Fixes = nil, nil
	d.help("values of different types with names are a struct: `struct Record { %s }`, made with `Record(%s)`", strings.Join(fields, ", "), strings.Join(values, ", "))
	d.help("as a map it is `let m: map<str, any> = {%s}`", strings.Join(entries, ", "))
}

// sortedBy mends sorted(xs, key: f) and the like; it reports false when the call is another.
func (c *checker) sortedBy(e *syntax.Call, name string) bool {
	if name != "sorted" && name != "max" && name != "min" || len(e.Args) != 2 {
		return false
	}
	xs, key := e.Args[0], e.Args[1]
	f, ok := key.Value.(*syntax.Lambda)
	if !c.onOneLine(e.Sp) || xs.Name.Text != "" || key.Name.Text != "key" && key.Name.Text != "reverse" {
		return false
	}
	own := c.source(xs.Value.Span())
	d := c.err(diag.UnknownName, e.Fn.Span(), "there is no `%s` with `%s` here", name, key.Name.Text)
	switch {
	case key.Name.Text == "reverse":
		d.fix("sort a copy, and turn it round", diag.Edit{Span: e.Sp, New: own + ".copy().sort().reverse()"})
	case ok && len(f.Params) == 1 && !strings.HasPrefix(c.source(f.Sp), "|"):
		d.help("write `%s.copy().sort_by(|%s| ...)`: it sorts by what the function gives", own, f.Params[0].Name.Text)
	case name == "sorted":
		d.fix("sort a copy by what the function gives", diag.Edit{Span: e.Sp, New: own + ".copy().sort_by(" + c.source(key.Value.Span()) + ")"})
	default:
		d.fix("a list has a method", diag.Edit{Span: e.Sp, New: own + "." + name + "_by(" + c.source(key.Value.Span()) + ")"})
	}
	return true
}

// greatest mends max(xs) and max(xs, key: f), and those of min; it reports false when the
// call takes two values or more, as ours do.
func (c *checker) greatest(e *syntax.Call, name string) bool {
	id, ok := e.Fn.(*syntax.Ident)
	if !ok || c.mod.Std || id.Name != "max" && id.Name != "min" || len(e.Args) == 0 || !c.onOneLine(e.Sp) {
		return false
	}
	xs := c.source(e.Args[0].Value.Span())
	if c.sortedBy(e, name) {
		return true
	}
	if len(e.Args) > 1 {
		return false
	}
	d := c.err(diag.MissingArgument, e.Sp, "`%s` takes two values or more", name)
	if xs[0] >= '0' && xs[0] <= '9' {
		return true
	}
	d.fix("that of a list is an optional", diag.Edit{Span: e.Sp, New: xs + "." + name + "()"})
	return true
}
