package crossgen

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// declarations makes rows of what a file offers.
func (c *Catalogue) declarations(f *file) {
	open := f.module == "" || f.key == f.module
	for _, item := range f.items {
		switch d := item.(type) {
		case *syntax.FnDecl:
			if open && (d.Pub || f.key == "preamble") {
				c.function(f, d, nil, nil)
			}
		case *syntax.StructDecl:
			c.structRows(f, d)
		case *syntax.EnumDecl:
			if self := c.self(f, d.Name.Text, d.TypeParams); self != nil {
				c.variants(f, d, self)
				c.methods(f, d.Methods, self, d.TypeParams)
			}
		case *syntax.InterfaceDecl:
			if self := c.self(f, d.Name.Text, d.TypeParams); self != nil {
				c.methods(f, d.Methods, self, d.TypeParams)
			}
		case *syntax.ExtendDecl:
			if self := c.typeOf(f, d.Target, names(d.TypeParams)); self != nil {
				c.methods(f, d.Methods, self, d.TypeParams)
			}
		case *syntax.LetStmt:
			c.global(f, d, open)
		}
	}
}

// self is the type that a declaration makes, nil when programs cannot name it.
func (c *Catalogue) self(f *file, name string, ps []*syntax.TypeParam) *typ {
	head, ok := c.public[f.key+"."+name]
	if !ok {
		return nil
	}
	t := mk(head)
	for _, p := range ps {
		t.args = append(t.args, mk("$"+p.Name.Text))
	}
	return t
}

// global makes a row of a constant or a value of a module.
func (c *Catalogue) global(f *file, d *syntax.LetStmt, open bool) {
	b, ok := d.Pattern.(*syntax.BindPattern)
	if !ok || !d.Pub || !open || f.module == "" {
		return
	}
	t := c.literal(d.Value)
	if d.Type != nil {
		t = c.typeOf(f, d.Type, nil)
	}
	if t != nil {
		name := f.module + "." + b.Name.Text
		c.rows = append(c.rows, &row{name: name, text: name, value: true, result: t, library: true})
	}
}

func (c *Catalogue) literal(x syntax.Expr) *typ {
	switch x := x.(type) {
	case *syntax.IntLit:
		return tInt
	case *syntax.FloatLit:
		return tFloat
	case *syntax.StrLit:
		return tStr
	case *syntax.Unary:
		return c.literal(x.X)
	}
	return nil
}

func (c *Catalogue) structRows(f *file, d *syntax.StructDecl) {
	self := c.self(f, d.Name.Text, d.TypeParams)
	if self == nil {
		return
	}
	ts := bounds(d.TypeParams)
	make := &row{name: self.head, text: self.head, tparams: ts, written: names(d.TypeParams), result: self, library: f.key != "preamble", makes: true}
	whole := !d.Native && self.head != "range"
	left := false
	for _, fd := range d.Fields {
		t := c.typeOf(f, fd.Type, names(d.TypeParams))
		hidden := strings.HasPrefix(fd.Name.Text, "_")
		if t != nil && !hidden {
			c.rows = append(c.rows, &row{name: self.head + "." + fd.Name.Text, text: "." + fd.Name.Text, member: true, value: true,
				tparams: ts, params: []param{{"", self, false}}, result: t, library: make.library})
		}
		if t == nil || hidden {
			left = true // and so is what follows
		}
		if left {
			whole = whole && fd.Default != nil
		} else {
			make.params = append(make.params, param{fd.Name.Text, t, fd.Default != nil})
		}
	}
	for _, m := range d.Methods {
		if m.Name.Text == "message" && len(d.TypeParams) == 0 && self.head != "Cancelled" {
			c.thrown = append(c.thrown, self.head)
		}
	}
	if whole {
		c.rows = append(c.rows, make)
	}
	c.methods(f, d.Methods, self, d.TypeParams)
}

func (c *Catalogue) variants(f *file, d *syntax.EnumDecl, self *typ) {
	for _, v := range d.Variants {
		r := &row{name: self.head + "." + v.Name.Text, text: self.head + "." + v.Name.Text, value: len(v.Fields) == 0,
			tparams: bounds(d.TypeParams), result: self, library: f.key != "preamble", makes: true}
		ok := true
		for _, p := range v.Fields {
			t := c.typeOf(f, p.Type, names(d.TypeParams))
			ok = ok && t != nil
			r.params = append(r.params, param{p.Name.Text, t, p.Default != nil && p.Name.Text != ""})
		}
		if ok {
			c.rows = append(c.rows, r)
		}
	}
}

// own adds the operators of the preamble's types, and what they have as iterators.
func own(add func(text string, result *typ, params ...*typ)) {
	T, vec := mk("$T"), mk("Vec")
	many, steps := mk("Many", T), mk("Steps", T)
	add("({0} + {1})", vec, vec, vec)
	add("({0} - {1})", vec, vec, vec)
	for _, op := range []string{"*", "/", "**"} {
		add("({0} "+op+" {1})", vec, vec, tInt)
	}
	add("({0} % {1})", tInt, vec, tInt)
	add("(-{0})", vec, vec)
	add("({0} + {1})", many, many, many)
	add("({0} - {1})", many, many, tInt)
	add("(-{0})", mk("list", T), many)
	for _, op := range []string{"<", "<=", ">", ">="} {
		add("({0} "+op+" {1})", tBool, vec, vec)
		add("({0} "+op+" {1})", tBool, many, mk("list", T))
	}
	add("{0}.copy(x: {1})", vec, vec, tInt)
	add("{0}.copy(items: {1})", steps, steps, mk("list", T))
	add("{0}.to_list()", mk("list", T), steps)
	add("{0}.take({1})", mk("Iterator", T), steps, tInt)
	add("{0}.map({1})", mk("Iterator", T), steps, mk("fn", T, T))
	add("{0}.filter({1})", mk("Iterator", T), steps, mk("fn", T, tBool))
	add("{0}.chain({1})", mk("Iterator", T), steps, mk("Iterator", T))
	add("{0}.count()", tInt, steps)
	add("{0}.last()", mk("opt", T), steps)
}

func bounds(ps []*syntax.TypeParam) []tparam {
	var out []tparam
	for _, p := range ps {
		b := ""
		if n, ok := p.Bound.(*syntax.NamedType); ok {
			b = n.Name.Text
		}
		out = append(out, tparam{"$" + p.Name.Text, b})
	}
	return out
}

func (c *Catalogue) methods(f *file, ms []*syntax.FnDecl, self *typ, ps []*syntax.TypeParam) {
	for _, m := range ms {
		// What has no documentation is for the module itself.
		if m.Static && len(ps) > 0 {
			continue // its type parameters are written behind the type: see operators
		}
		if m.Doc != "" || f.key == "preamble" || self.head == "Iterator" {
			c.function(f, m, self, ps)
		}
	}
}

// function makes a row of a function or method.
func (c *Catalogue) function(f *file, d *syntax.FnDecl, self *typ, outer []*syntax.TypeParam) {
	ps := slices.Concat(outer, d.TypeParams)
	vars := names(ps)
	r := &row{tparams: bounds(ps), written: names(d.TypeParams), result: c.typeOf(f, d.Result, vars), library: f.key != "preamble"}
	if r.result == nil {
		return
	}
	switch {
	case d.Static:
		r.name = self.head + "." + d.Name.Text
		r.text = r.name
	case self != nil:
		r.name, r.text, r.member = self.head+"."+d.Name.Text, "."+d.Name.Text, true
		r.params = append(r.params, param{"", self, false})
	case f.module != "":
		r.name = f.module + "." + d.Name.Text
		r.text = r.name
	default:
		r.name, r.text = d.Name.Text, d.Name.Text
	}
	for _, p := range d.Params {
		t := c.typeOf(f, p.Type, vars)
		if t == nil {
			if p.Default == nil {
				return
			}
			break // it and what follows are left out
		}
		r.params = append(r.params, param{p.Name.Text, t, p.Default != nil})
	}
	r.loud = loud(r.name)
	c.rows = append(c.rows, r)
}

// operators are the rows of what is no function.
func operators() []*row {
	var rows []*row
	T, U, V := mk("$T"), mk("$U"), mk("$V")
	add := func(text string, result *typ, params ...*typ) {
		r := &row{name: text, text: text, shape: true, result: result}
		seen := map[string]bool{}
		for _, p := range params {
			r.params = append(r.params, param{"", p, false})
			for _, v := range []*typ{T, U, V} {
				if !seen[v.head] && p.contains(func(h string) bool { return h == v.head }) {
					seen[v.head] = true
					r.tparams = append(r.tparams, tparam{v.head, ""})
				}
			}
		}
		rows = append(rows, r)
	}
	bounded := func(bound string) { rows[len(rows)-1].tparams[0].bound = bound }
	for _, op := range []string{"+", "-", "*"} {
		add("({0} "+op+" {1})", tInt, tInt, tInt)
		add("({0} "+op+" {1})", tFloat, tFloat, tFloat)
	}
	for _, op := range []string{"&", "|", "^"} {
		add("({0} "+op+" {1})", tInt, tInt, tInt)
	}
	for _, op := range []string{"/", "%", "<<", ">>", "**"} { // they can throw, which a constant must not
		add("({0} "+op+" id({1}))", tInt, tInt, tInt)
		add("(id({0}) "+op+" {1})", tInt, tInt, tInt)
	}
	for _, op := range []string{"/", "%", "**"} {
		add("({0} "+op+" {1})", tFloat, tFloat, tFloat)
	}
	add("({0} + {1})", tStr, tStr, tStr)
	add("({0} + {1})", tBytes, tBytes, tBytes)
	for _, op := range []string{"+", "-"} {
		add("({0} "+op+" {1})", tDuration, tDuration, tDuration)
	}
	add("({0} * {1})", tDuration, tDuration, tInt)
	add("({0} * {1})", tDuration, tInt, tDuration)
	add("({0} / id({1}))", tDuration, tDuration, tInt)
	add("({0} / id({1}))", tInt, tDuration, tDuration)
	add("(-{0})", tInt, tInt)
	add("(-{0})", tFloat, tFloat)
	add("(-{0})", tDuration, tDuration)
	add("(~{0})", tInt, tInt)
	add("(!{0})", tBool, tBool)
	for _, op := range []string{"&&", "||"} {
		add("({0} "+op+" {1})", tBool, tBool, tBool)
	}
	for _, op := range []string{"<", "<=", ">", ">="} {
		add("({0} "+op+" {1})", tBool, T, T)
		bounded("Ordered")
		add("({0} "+op+" {1})", tBool, tInt, tInt)
		add("({0} "+op+" {1})", tBool, tFloat, tFloat)
	}
	for _, op := range []string{"==", "!="} {
		add("({0} "+op+" {1})", tBool, T, T)
		add("({0} "+op+" {1})", tBool, tInt, tInt)
		add("(id<$T?>({0}) "+op+" none)", tBool, mk("opt", T))
	}
	add("{0}[{1}]", T, mk("list", T), tInt)
	add("({0} + {1})", mk("list", T), mk("list", T), mk("list", T))
	add("{0}[{1}]", T, mk("map", U, T), U)
	rows[len(rows)-1].tparams = []tparam{{"$T", ""}, {"$U", "Hashable"}}
	add("{0}[{1}]", tInt, tBytes, tInt)
	for _, t := range []*typ{mk("list", T), tStr, tBytes} {
		add("{0}[{1}..{2}]", t, t, tInt, tInt)
		add("{0}[{1}..={2}]", t, t, tInt, tInt)
		add("{0}[{1}..]", t, t, tInt)
		add("{0}[..{1}]", t, t, tInt)
		add("{0}[id<range>({1})]", t, t, tRange) // a known bound below 0 is an error
	}
	add("({0}..{1})", tRange, tInt, tInt)
	add("({0}..={1})", tRange, tInt, tInt)
	color := mk("Color")
	add("int({0})", tInt, color)
	add("Color.all()", mk("list", color))
	add("Color.of({0})", mk("opt", color), tInt)
	add("Color.parse({0})", mk("opt", color), tStr)
	add("{0}.copy(x: {1})", mk("Vec"), mk("Vec"), tInt)
	add("{0}.copy(value: {1})", mk("Box", T), mk("Box", T), T)
	add("{0}.copy(n: {1})", mk("Named"), mk("Named"), tInt)
	add("{0}.0", T, mk("tuple", T, U))
	add("{0}.1", U, mk("tuple", T, U))
	add("{0}.2", V, mk("tuple", T, U, V))
	add("{0}!", T, mk("opt", T))
	add("({0} ?? {1})", T, mk("opt", T), T)
	add("({0} as $T)", T, tAny)
	rows[len(rows)-1].tparams = []tparam{{"$T", "tested"}}
	add("({0} is $T)", tBool, tAny)
	rows[len(rows)-1].tparams = []tparam{{"$T", "tested"}}
	add("(await {0})", T, mk("task", T))
	add("int({0})", tInt, tFloat)
	add("int({0})", tInt, tBool)
	add("int({0})", tInt, tDuration)
	add("int({0})", tInt, tStr)
	add("float({0})", tFloat, tInt)
	add("float({0})", tFloat, tStr)
	add("str({0})", tStr, T)
	add("bytes({0})", tBytes, tStr)
	add("type_of({0})", tStr, T)
	add("same({0}, {1})", tBool, mk("list", T), mk("list", T))
	add("buffer()", mk("buffer"))
	add("set<$T>({0})", mk("set", T), mk("list", T))
	bounded("Hashable")
	add("map<$T, $U>()", mk("map", T, U))
	rows[len(rows)-1].tparams = []tparam{{"$T", "Hashable"}, {"$U", ""}}
	add("Color.all()", mk("list", mk("Color")))
	add("Color.of({0})", mk("opt", mk("Color")), tInt)
	add("Color.parse({0})", mk("opt", mk("Color")), tStr)
	add("int({0})", tInt, mk("Color"))
	add("Box<$T>.of({0})", mk("Box", T), T)
	add("[{0}].map(Box<$T>.of)[0]", mk("Box", T), T)
	add("{0}.copy()", mk("Box", T), mk("Box", T))
	add("{0}.copy(value: {1})", mk("Box", T), mk("Box", T), T)
	add("{0}.copy(tag: {1}, value: {2})", mk("Box", T), mk("Box", T), tInt, T)
	own(add)
	add("summed<$T>({0}, {1})", T, T, T)
	bounded("AddOp")
	add("chan<$T>(4)", mk("chan", T))
	rows[len(rows)-1].tparams = []tparam{{"$T", ""}}
	add("mutex<$T>({0})", mk("mutex", T), T)
	return rows
}
