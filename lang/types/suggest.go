package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// nearest returns the candidate most like name, or "" when none is close.
func nearest(name string, candidates []string) string {
	slices.Sort(candidates) // maps list them in any order
	return diag.Suggest(name, candidates)
}

// maxLikened bounds how many names a check looks through for one that may be meant: a
// program may be all mistakes.
const maxLikened = 1_000_000

// tired reports whether enough names have been looked through.
func (c *checker) tired() bool { return c.likened > maxLikened }

// didYouMean offers the candidate most like name, which stands at a place, and
// reports whether there is one.
func (r report) didYouMean(name string, at diag.Span, candidates []string) bool {
	if r.c.likened += len(candidates); r.c.tired() {
		return false
	}
	near := nearest(name, candidates)
	if near == "" {
		return false
	}
	title := "did you mean `" + near + "`?"
	if diag.SameWord(name, near) {
		title = "it is written `" + near + "` here"
	}
	r.fix(title, diag.Edit{Span: at, New: near})
	return true
}

// unknownName reports a name that stands for nothing. want is the type
// expected of it, or nil.
func (c *checker) unknownName(id *syntax.Ident, want Type, why *reason) {
	name := id.Name
	if c.isConsequence(id.Sp, name) || c.assigned[name] {
		return
	}
	if enum := enumWanted(want); enum != nil && isUpperCamel(name) && foreignNames()[name] == "" && foreignHelp()[name] == "" {
		c.unknownVariant(enum.Decl, syntax.Name{Text: name, Sp: id.Sp}, c.enumWith(name), why)
		return
	}
	if c.keys[id] && c.keyAt.Diagnostic != nil && len(c.reports) > 0 && slices.Contains(c.reports, c.keyAt.Diagnostic) {
		f := &c.keyAt.Fixes[0] // of the same program: one report for all keys without quotes
		f.Edits = append(f.Edits, diag.Edit{Span: id.Sp, New: `"` + name + `"`})
		f.Title = "write the keys as text"
		return
	}
	d := c.err(diag.UnknownName, id.Sp, "there is no `%s` here", name)
	switch {
	case c.callsItself(d, name):
		return
	case c.keys[id]:
		d.help("a key is an expression: text stands in quotes, and a record with names is a `struct`").
			fix("write the key as text", diag.Edit{Span: id.Sp, New: `"` + name + `"`})
		c.keyAt = d
		return
	case c.self != nil && c.memberKind(c.self, name) != "":
		d.fix(fmt.Sprintf("`%s` is a %s of this type", name, c.memberKind(c.self, name)), diag.Edit{Span: id.Sp, New: "self." + name})
		return
	}
	if c.on != nil && c.on.Static(name) != nil {
		own := c.on.Name + "." + name
		d.fix("`"+name+"` is a static function of this type", diag.Edit{Span: id.Sp, New: own})
		return
	}
	if own, ok := foreignNames()[name]; ok {
		if let := c.binding; own == "none" && let != nil && let.Value == syntax.Expr(id) && let.Type == nil {
			d.help("write `%s: int? = none`, or what else it can be: an optional says what may be missing", strings.TrimRight(c.source(diag.Span{Start: let.Sp.Start, End: let.Pattern.Span().End}), " "))
			if let.Kind != syntax.Var {
				return
			}
		}
		d.fix("it is written `"+own+"` here", diag.Edit{Span: id.Sp, New: own})
		return
	}
	if help, ok := foreignHelp()[name]; ok {
		d.help("%s", help)
		return
	}
	if strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") {
		d.help("`error(\"...\")` makes an error; one of your own is a struct with a method `message() -> str`")
		return
	}
	if isUpperCamel(name) {
		if enum := c.enumWith(name); enum != "" {
			d.fix("it is a variant of `"+enum+"`", diag.Edit{Span: id.Sp, New: enum + "." + name})
			return
		}
	}
	if c.opts.Loader != nil && slices.Contains(c.opts.Loader.Names(), name) {
		d.help("import the module first: `import %s`", name)
		return
	}
	d.didYouMean(name, id.Sp, c.visibleNames())
}

// unknownFunction reports a call of a name that stands for nothing.
func (c *checker) unknownFunction(e *syntax.Call, id *syntax.Ident, want Type, why *reason) {
	if !c.mod.Std && !c.isConsequence(id.Sp, id.Name) && (c.sortedBy(e, id.Name) || c.foreignCall(e, id.Name)) {
		return
	}
	reports := len(c.reports)
	c.unknownName(id, want, why)
	if len(e.Args) == 0 || len(c.reports) == reports {
		return
	}
	x := e.Args[0].Value
	d := report{c.reports[reports], c}
	method, t := id.Name, Prune(c.info.TypeOf(x))
	if own := otherNames()[method]; len(own) > 0 && own[0] == "copy" {
		method = "copy"
	}
	if m, _ := c.methodOf(t, method); m == nil && copiedStruct(t, method) == nil || len(d.Fixes) > 0 {
		return
	}
	switch unparen(x).(type) {
	case *syntax.Ident, *syntax.Member, *syntax.Call, *syntax.Index, *syntax.StrLit, *syntax.ListLit:
	default:
		return // its place in `x.f()` would need parentheses
	}
	d.Help = nil
	rest := diag.Span{Start: x.Span().End, End: e.Rparen.Start}
	if len(e.Args) > 1 {
		rest.Start = e.Args[1].Value.Span().Start
	}
	if !e.Rparen.IsValid() {
		d.help("it is a method: `x.%s()`", method)
		return
	}
	d.fix("it is a method", diag.Edit{Span: e.Sp, New: c.source(x.Span()) + "." + method + "(" + c.source(rest) + ")"})
}

// memberKind says what a name is in a type: "field", "method" or "".
func (c *checker) memberKind(t Type, name string) string {
	if n, ok := t.(*Named); ok && n.Decl.field(name) != nil {
		return "field"
	}
	if m, _ := c.methodOf(t, name); m != nil {
		return "method"
	}
	return ""
}

// enumWith finds an enum in scope that has a variant.
func (c *checker) enumWith(variant string) string {
	var found []string
	for n, o := range c.mod.names {
		if c.likened++; c.tired() {
			return ""
		}
		if t, ok := o.(*TypeDecl); ok && t.Kind == KEnum && t.variant(variant) != nil {
			found = append(found, n)
		}
		if m, ok := o.(*ModuleObj); ok {
			if enum := c.exportedEnum(m.Module, variant); enum != "" {
				found = append(found, n+"."+enum)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

func (c *checker) visibleNames() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for _, b := range c.names {
		out = append(out, b.name)
	}
	for n := range c.mod.names {
		out = append(out, n)
	}
	for n := range c.lib.byName {
		out = append(out, n)
	}
	for n := range builtins {
		out = append(out, n)
	}
	return out
}

// variables lists the names that may be assigned to.
func (c *checker) variables() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for _, b := range c.names {
		out = append(out, b.name)
	}
	for n, o := range c.mod.names {
		if _, ok := o.(*Global); ok {
			out = append(out, n)
		}
	}
	return out
}

// ---- types ----

// unknownType reports whether a fix writes the arguments again too.
func (c *checker) unknownType(te *syntax.NamedType) (mended bool) {
	name := te.Name.Text
	if foreignApplied()[name] == nil && c.isConsequence(te.Sp, name) {
		return false
	}
	d := c.err(diag.UnknownType, te.Name.Sp, "there is no type `%s`", name)
	c.foreignType(d, te)
	return len(d.Fixes) > 0 && d.Fixes[0].Edits[0].Span == te.Sp
}

// foreignType adds what a type that does not exist may mean.
func (c *checker) foreignType(d report, te *syntax.NamedType) {
	name := te.Name.Text
	if own, ok := syntax.OwnTypes[name]; ok {
		d.fix("it is called `"+own+"` here", diag.Edit{Span: te.Name.Sp, New: own})
		return
	}
	if help, ok := foreignTypeHelp()[name]; ok {
		d.help("%s", help)
		return
	}
	if own, ok := foreignApplied()[name]; ok {
		d.help("it is written `%s` here", strings.Join(own, ""))
		if len(te.Args) == len(own)/2 {
			own = slices.Clone(own)
			for i, a := range te.Args {
				own[2*i+1] = c.ownType(a)
			}
			d.Help = nil
			text := strings.Join(own, "")
			d.fix("it is written `"+text+"` here", diag.Edit{Span: te.Sp, New: text})
		}
		return
	}
	d.didYouMean(name, te.Name.Sp, slices.DeleteFunc(c.typeNames(), func(own string) bool {
		return isUpperCamel(name) && !isUpperCamel(own) && !diag.SameWord(name, own) // a name of one's own is none of a built-in type
	}))
}

// ownType is a type as it is written here.
func (c *checker) ownType(te syntax.TypeExpr) string {
	n, ok := te.(*syntax.NamedType)
	if !ok || n.Module.Text != "" || !c.enter(te.Span()) {
		return syntax.TypeText(te, c.source)
	}
	defer c.leave()
	if own, ok := syntax.OwnTypes[n.Name.Text]; ok {
		return own
	}
	if n.Name.Text == "number" || n.Name.Text == "Number" {
		return "float"
	}
	if own, ok := foreignApplied()[n.Name.Text]; ok && len(n.Args) == len(own)/2 {
		own = slices.Clone(own)
		for i, a := range n.Args {
			own[2*i+1] = c.ownType(a)
		}
		return strings.Join(own, "")
	}
	return c.source(te.Span())
}

func (c *checker) typeNames() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for n := range basicTypes {
		out = append(out, n)
	}
	for n := range ctors {
		out = append(out, n)
	}
	for _, p := range c.tparams {
		out = append(out, p.Name)
	}
	for n, o := range c.mod.names {
		switch o.(type) {
		case *TypeDecl, *aliasObj:
			out = append(out, n)
		}
	}
	for n := range c.lib.byName {
		if isUpperCamel(n) {
			out = append(out, n)
		}
	}
	return out
}

// ---- members ----

// unknownMember reports a member that a type does not have; call is that of which it is the
// function, or nil.
func (c *checker) unknownMember(e *syntax.Member, t Type, call *syntax.Call) {
	name := e.Name.Text
	if n, ok := t.(*Named); ok && n.Decl.Broken || c.isConsequence(e.Name.Sp, name) {
		return
	}
	if c.staticMeant(e, t) {
		return
	}
	if n := copiedStruct(t, name); n != nil {
		c.err(diag.NotAValue, e.Name.Sp, "the method `copy` of a struct can only be called").help("wrap it in a lambda: `|x| x.copy()`")
		return
	}
	if inner, ok := optionalOf(t); ok && c.hasMember(inner, name) {
		dot := diag.Span{Start: e.X.Span().End, End: e.Name.Sp.Start}
		d := c.err(diag.OptionalMisuse, e.Name.Sp, "this may be none, so it has no `%s`", name)
		d.text("the value is `%s`", c.shown(t))
		d.help("use `?.` to get none when it is none, or take the value out: `if let v = x { ... }`")
		d.fix("write `?.`", diag.Edit{Span: dot, New: "?."})
		return
	}
	d := c.err(diag.UnknownMember, e.Name.Sp, "`%s` has no `%s`", c.shown(t), name)
	if c.tired() {
		return
	}
	names := c.methodNames(t)
	if n, ok := t.(*Named); ok {
		for _, f := range n.Decl.Fields {
			names = append(names, f.Name)
		}
		names = slices.DeleteFunc(names, n.Decl.hides)
		if n.Decl.Copy() != nil {
			names = append(names, "copy")
		}
	}
	if c.entrySet(d, e, t, call) || c.textMethod(d, e, t, call) || c.ofCopy(d, e, t) {
		return
	}
	_, way := ways()[wayKind(t)][oneWord(name)]
	for _, own := range otherNames()[name] {
		if !way && own != name && slices.Contains(names, own) {
			d.rename("it is called `%s` here", own, c.called(e, t, own, call))
			return
		}
	}
	if c.anotherWay(d, e, t, call) {
		return
	}
	if help, ok := memberHelp()[name]; ok && !slices.ContainsFunc(names, func(own string) bool { return diag.SameWord(own, name) }) {
		d.help("%s", help)
		return
	}
	if d.didYouMean(name, e.Name.Sp, names) {
		return
	}
	if c.memberHints(d, e, t) {
		return
	}
	if c.freeFunction(d, e, name) {
		return
	}
	// A misspelt name of another language: `lenght`.
	c.likened += len(otherNames())
	for _, own := range otherNames()[nearest(name, foreignMembers())] {
		if slices.Contains(names, own) {
			d.rename("did you mean `%s`?", own, c.called(e, t, own, call))
			return
		}
	}
	if n, ok := t.(*Named); ok && n.Decl.Kind == KStruct && !n.Decl.Native {
		d.ownMembers(n.Decl)
	}
}

// called is the edit that puts a member in the place of another name: with parentheses where
// it is a method that takes nothing, and is not called.
func (c *checker) called(e *syntax.Member, t Type, own string, call *syntax.Call) diag.Edit {
	edit := diag.Edit{Span: e.Name.Sp, New: own}
	if m, _ := c.methodOf(t, own); m != nil && len(m.Params) == 0 && call == nil {
		edit.New += "()"
	}
	return edit
}

func (r report) rename(title, own string, edit diag.Edit) {
	r.fix(fmt.Sprintf(title, own), edit)
}

// entrySet mends m.set(k, v) of maps and lists.
func (c *checker) entrySet(d report, e *syntax.Member, t Type, call *syntax.Call) bool {
	switch e.Name.Text {
	case "set", "put", "insert", "store", "setItem", "Add", "add":
	default:
		return false
	}
	_, isMap := appOf(t, CMap)
	if call == nil || len(call.Args) != 2 || !c.onOneLine(call.Sp) || !isMap && !(isList(t) && (e.Name.Text == "set" || e.Name.Text == "put")) {
		return false
	}
	own := c.source(e.X.Span()) + "[" + c.source(call.Args[0].Value.Span()) + "] = " + c.source(call.Args[1].Value.Span())
	d.fix("write `"+own+"`", diag.Edit{Span: call.Sp, New: own})
	return true
}

// freeFunction offers the function of the prelude that a method of another language is here.
func (c *checker) freeFunction(d report, e *syntax.Member, name string) bool {
	for n := range c.lib.byName {
		if diag.SameWord(n, name) && !isUpperCamel(n) {
			d.help("it is a function: `%s(%s)`", n, c.source(e.X.Span()))
			return true
		}
	}
	return false
}

// hides reports a member that the library does not document: it is not for others.
func (d *TypeDecl) hides(member string) bool {
	if !d.Module.Std {
		return false
	}
	if f := d.field(member); f != nil {
		return f.Doc == ""
	}
	m := d.Method(member)
	return m != nil && m.Doc == ""
}

// ownMembers lists the fields and methods of a struct, unless they are many;
// of the library only what is documented.
func (d report) ownMembers(s *TypeDecl) {
	const most = 6
	var fields, methods []string
	for _, f := range s.Fields {
		if !s.hides(f.Name) {
			fields = append(fields, f.Name)
		}
	}
	for _, m := range s.Methods {
		if !s.hides(m.Name) {
			methods = append(methods, m.Name)
		}
	}
	if 0 < len(fields) && len(fields) <= most {
		d.help("%s %s", isOrAre("field", fields), listed(fields))
	}
	if 0 < len(methods) && len(methods) <= most {
		d.help("%s %s", isOrAre("method", methods), listed(methods))
	}
}

func isOrAre(what string, names []string) string {
	if len(names) == 1 {
		return "its " + what + " is"
	}
	return "its " + what + "s are"
}

func foreignMembers() []string {
	out := make([]string, 0, len(otherNames()))
	for n := range otherNames() {
		out = append(out, n)
	}
	return out
}

// keyMeant says how the value of a key is read, where a member was.
func (c *checker) keyMeant(d report, e *syntax.Member) {
	of := c.nameOf(e.X)
	if of == "" {
		d.help("the value of a key is `m[\"%s\"]`, or `m.get(\"%[1]s\")` when it may be missing", e.Name.Text)
		return
	}
	d.fix(fmt.Sprintf("a value is reached by its key; `%s.get(\"%s\")` gives none when it is missing", of, e.Name.Text),
		diag.Edit{Span: diag.Span{Start: e.X.Span().End, End: e.Name.Sp.End}, New: "[\"" + e.Name.Text + "\"]"})
}

// memberHints says how to get at a member that is elsewhere.
func (c *checker) memberHints(d report, e *syntax.Member, t Type) bool {
	name := e.Name.Text
	hints := len(d.Help)
	switch t := t.(type) {
	case *Func:
		if len(t.Params) == 0 && c.hasMember(t.Result, name) {
			d.help("it is a member of what the function gives: call it, `f().%s`", name)
		}
	case *TypeParam:
		if t.Bound == nil {
			d.help("nothing is known of a `%s`: give it a bound, `<%s: SomeInterface>`", t.Name, t.Name)
		}
	case *App:
		switch t.Ctor {
		case CTask:
			if c.hasMember(t.Args[0], name) {
				d.help("wait for the task's value first: `(await t).%s`", name)
			} else {
				d.help("the task's value is what `await t` gives")
			}
		case CMutex:
			if c.hasMember(t.Args[0], name) {
				d.help("the guarded value is used inside `lock m as v { v.%s }`", name)
			} else {
				d.help("the guarded value is `v` inside of `lock m as v { ... }`")
			}
		case CMap:
			if k := Prune(t.Args[0]); k == Type(Str) || isOpen(k) {
				c.keyMeant(d, e)
			}
		}
	case *Basic:
		if t == Any {
			d.help("find out what it is with `is`, `as` or `match`")
		}
	case *Named:
		if help, ok := actorHelp()[t.Decl.Name][name]; ok && isOfActors(t) {
			d.help("%s", help)
			return true
		}
		if t.Decl.Name == "Ref" && isOfActors(t) {
			d.help("an actor is reached by messages only: `tell` one, or `ask` for an answer")
			return true
		}
		if t.Decl.Kind == KEnum {
			for _, v := range t.Decl.Variant {
				for _, f := range v.Fields {
					if f.Name == name {
						d.help("`%s` is a field of variant `%s`: get it with `match`", name, v.Name)
						return true
					}
				}
			}
		}
	}
	return len(d.Help) > hints
}

func (c *checker) hasMember(t Type, name string) bool {
	return c.memberKind(Prune(t), name) != ""
}
