package progen

import (
	"fmt"
	"strings"
)

// expr returns an expression where a value of type t is expected, at most d deep.
func (g *gen) expr(t *typ, d int) string {
	if d > 0 && g.chance(4) {
		if s := g.branching(t, d-1); s != "" {
			return s
		}
	}
	if d > 0 && !g.chance(3) {
		if s := g.fromScope(t, d-1); s != "" {
			return s
		}
	}
	if v := g.findType(t); d <= 0 && v != nil && !g.chance(3) {
		return v.name
	}
	if d > 0 && g.chance(6) {
		return g.throughGeneric(t, d-1)
	}
	return g.make(t, d)
}

// exact returns an expression that has type t without being told.
func (g *gen) exact(t *typ, d int) string {
	if v := g.findType(t); v != nil && !g.chance(3) {
		return v.name
	}
	if t.inferred() && (t.kind == kInt || t.kind == kBool || t.kind == kStr) {
		return g.expr(t, d)
	}
	return fmt.Sprintf("id<%s>(%s)", t, g.expr(t, d))
}

// value is an expression as the value of a block: a line of its own, so it does
// not begin with what would continue or start something else there.
func (g *gen) value(t *typ, d int) string {
	s := g.expr(t, d)
	if s[0] == '(' || s[0] == '{' {
		return fmt.Sprintf("id<%s>(%s)", t, s)
	}
	return s
}

// constant is an expression without variables.
func (g *gen) constant(t *typ) string {
	vars, self := g.vars, g.self
	g.vars, g.self = nil, nil
	s := g.make(t, 1)
	g.vars, g.self = vars, self
	return s
}

// branching returns an if, match or try of type t, in parentheses.
func (g *gen) branching(t *typ, d int) string {
	switch g.n(8) {
	case 0, 1:
		return fmt.Sprintf("(if %s %s else %s)", g.expr(tBool, d), g.block(t, d), g.block(t, d))
	case 2:
		return "(" + g.text(func() { g.match(t, d) }) + ")"
	case 3:
		return fmt.Sprintf("(try %s catch %s %s)", g.block(t, d), g.name("e"), g.block(t, d))
	case 4:
		return fmt.Sprintf("attempt<%s>(|| %s, %s)", t, g.lambdaBody(t, d), g.expr(t, d))
	case 5:
		if v := g.find(func(v *variable) bool { return v.typ.kind == kOptional && (v.mut || v.field) }); v != nil {
			n := len(g.vars)
			name, from := g.name("v"), v.name
			g.declare(name, v.typ.elem(), false)
			for range g.n(3) { // further conditions
				if w := g.find(func(w *variable) bool { return w.typ.kind == kOptional && (w.mut || w.field) && w.name != v.name }); w != nil && g.chance(2) {
					second := g.name("v")
					from += fmt.Sprintf(" && let %s = %s", second, w.name)
					g.declare(second, w.typ.elem(), false)
					continue
				}
				from += " && " + g.expr(tBool, d)
			}
			then := g.block(t, d)
			g.vars = g.vars[:n]
			return fmt.Sprintf("(if let %s = %s %s else %s)", name, from, then, g.block(t, d))
		}
	case 6:
		if g.result != nil && g.chance(2) && !g.deferred {
			return fmt.Sprintf("(if %s %s else { return %s })", g.expr(tBool, d), g.block(t, d), g.expr(g.result, d))
		}
		return fmt.Sprintf("(if %s { throw %s } else %s)", g.unlikely(d), g.error(d), g.block(t, d))
	case 7:
		if len(g.loops) > 0 {
			return fmt.Sprintf("(if %s %s else { %s })", g.expr(tBool, d), g.block(t, d), g.jump())
		}
	}
	return ""
}

// jump leaves or continues a loop around.
func (g *gen) jump() string {
	word := pick(g, "break", "continue")
	if l := pick(g, g.loops...); l != "" {
		return word + " '" + l
	}
	if g.loops[len(g.loops)-1] == "" {
		return word
	}
	return word + " '" + g.loops[len(g.loops)-1]
}

// unlikely is a condition that seldom holds.
func (g *gen) unlikely(d int) string {
	return fmt.Sprintf("%s & 15 == %d", g.operand(tInt, d), g.n(16))
}

func (g *gen) error(d int) string {
	switch g.n(4) {
	case 0:
		return fmt.Sprintf("error(%s)", g.expr(tStr, d))
	case 1:
		return fmt.Sprintf("Worse([%s], %s)", g.expr(tStr, d), g.expr(tAny, d))
	}
	return fmt.Sprintf("Bad(%s)", g.expr(tInt, d))
}

// block returns { ... } with a value.
func (g *gen) block(t *typ, d int) string {
	if !g.chance(3) || d <= 0 {
		return "{ " + g.value(t, d) + " }"
	}
	return "{\n" + g.text(func() {
		g.scope(func() {
			g.statements(1+g.n(2), d-1)
			g.line("%s", g.value(t, d-1))
		})
		g.out.WriteString(strings.Repeat("  ", g.indent) + "}")
	})
}

// fromScope makes a t out of a variable, a function or a method; "" when that
// is not possible.
func (g *gen) fromScope(t *typ, d int) string {
	for range 4 {
		if s := g.access(t, d); s != "" {
			return s
		}
	}
	return ""
}

func (g *gen) access(t *typ, d int) string {
	holds := func(k kind) *variable {
		return g.find(func(v *variable) bool { return v.typ.kind == k && same(v.typ.result(), t) })
	}
	switch g.n(14) {
	case 0, 1, 2, 3:
		if v := g.findType(t); v != nil {
			return v.name
		}
	case 4:
		if v := holds(kList); v != nil {
			return fmt.Sprintf("%s[%s]", v.name, g.index(d))
		}
	case 5:
		if v := holds(kMap); v != nil {
			k := g.expr(v.typ.elems[0], d)
			if g.chance(2) {
				return fmt.Sprintf("%s[%s]", v.name, k)
			}
			return fmt.Sprintf("(%s.get(%s) ?? %s)", v.name, k, g.exact(t, d))
		}
	case 6:
		if v := holds(kOptional); v != nil {
			switch g.n(4) {
			case 0:
				return v.name + "!"
			case 1:
				return fmt.Sprintf("(%s ?? throw %s)", v.name, g.error(d))
			}
			return fmt.Sprintf("(%s ?? %s)", v.name, g.exact(t, d))
		}
	case 7:
		return g.fieldOf(t)
	case 8, 9:
		return g.callFunc(t, d)
	case 10:
		return g.callMethod(t, d)
	case 11:
		if v := holds(kFunc); v != nil {
			return fmt.Sprintf("%s(%s)", v.name, g.exprs(v.typ.params(), d))
		}
	case 12:
		if v := holds(kBox); v != nil {
			return v.name + pick(g, ".value", ".get()", fmt.Sprintf(".set(%s)", g.expr(t, d)), ".map(|x| x).value")
		}
		if v := holds(kResult); v != nil {
			return fmt.Sprintf("%s.or(%s)", v.name, g.expr(t, d))
		}
	case 13:
		if v := g.findKind(kAny); v != nil && t.tested() && g.chance(2) {
			return fmt.Sprintf("(%s as %s)", v.name, t)
		}
		if v := g.find(func(v *variable) bool { return v.typ.kind == kList && !v.locked && same(v.typ.elem(), t) }); v != nil && !g.deferred {
			return fmt.Sprintf("(%s.pop() ?? %s)", v.name, g.exact(t, d))
		}
	}
	return ""
}

// fieldOf reads a field or a tuple's part.
func (g *gen) fieldOf(t *typ) string {
	var found []string
	for i := range g.vars {
		v := &g.vars[i]
		switch v.typ.kind {
		case kStruct:
			for _, f := range v.typ.decl.fields {
				if same(f.typ, t) {
					found = append(found, v.name+"."+f.name)
				}
			}
		case kTuple:
			for i, e := range v.typ.elems {
				if same(e, t) {
					found = append(found, fmt.Sprintf("%s.%d", v.name, i))
				}
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return pick(g, found...)
}

func (g *gen) callFunc(t *typ, d int) string {
	if g.self != nil && g.calls > 0 && same(g.self.result, t) && g.chance(2) {
		g.calls--
		return fmt.Sprintf("%s(n - %d%s)", g.self.name, 1+g.n(2), g.rest(g.self.params[1:], d))
	}
	var found []*function
	for _, f := range g.funcs {
		if f.result != nil && same(f.result, t) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return g.call(pick(g, found...), d)
}

// call calls a function or method by its name.
func (g *gen) call(f *function, d int) string {
	if f.recursive {
		return fmt.Sprintf("%s(%d%s)", f.name, g.n(4), g.rest(f.params[1:], d))
	}
	return fmt.Sprintf("%s(%s)", f.name, g.arguments(f.params, d))
}

// rest are arguments behind the first.
func (g *gen) rest(ps []field, d int) string {
	if s := g.arguments(ps, d); s != "" {
		return ", " + s
	}
	return ""
}

// arguments fills parameters or fields: some by name, defaults left out.
func (g *gen) arguments(ps []field, d int) string {
	var args []string
	named := false
	for _, p := range ps {
		if p.optional && g.chance(2) {
			named = true
			continue
		}
		a := g.expr(p.typ, d)
		named = named || g.chance(8)
		if named {
			a = p.name + ": " + a
		}
		args = append(args, a)
	}
	if named && len(args) > 1 && strings.HasPrefix(args[len(args)-2], ps[len(ps)-2].name+": ") && g.chance(2) {
		n := len(args)
		args[n-1], args[n-2] = args[n-2], args[n-1]
	}
	return strings.Join(args, ", ")
}

func (g *gen) callMethod(t *typ, d int) string {
	type method struct {
		on string
		fn *function
	}
	var found []method
	for i := range g.vars {
		v := &g.vars[i]
		if v.typ.kind != kStruct {
			continue
		}
		for _, m := range v.typ.decl.methods {
			if m.result != nil && same(m.result, t) {
				found = append(found, method{v.name, m})
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	m := pick(g, found...)
	if g.chance(6) {
		return fmt.Sprintf("apply(|f| f(%s), %s.%s)", g.all(m.fn.params, d), m.on, m.fn.name)
	}
	return fmt.Sprintf("%s.%s", m.on, g.call(m.fn, d))
}

// all fills every parameter in order.
func (g *gen) all(ps []field, d int) string {
	var ts []*typ
	for _, p := range ps {
		ts = append(ts, p.typ)
	}
	return g.exprs(ts, d)
}

func (g *gen) exprs(ts []*typ, d int) string {
	var out []string
	for _, t := range ts {
		out = append(out, g.expr(t, d))
	}
	return strings.Join(out, ", ")
}

// throughGeneric sends a value through a generic function.
func (g *gen) throughGeneric(t *typ, d int) string {
	switch g.n(5) {
	case 0:
		return fmt.Sprintf("pick<%s>(%s, %s, %s)", t, g.expr(tBool, d), g.expr(t, d), g.expr(t, d))
	case 1:
		from := g.randType(1)
		return fmt.Sprintf("apply(%s, %s)", g.lambda(of(kFunc, from, t), d, true), g.exact(from, d))
	case 2:
		other := g.randType(1)
		return fmt.Sprintf("swap<%s, %s>((%s, %s)).1", t, other, g.expr(t, d), g.expr(other, d))
	case 3:
		if t.ordered() {
			return fmt.Sprintf("(largest<%s>([%s]) ?? %s)", t, g.exprs([]*typ{t, t, t}[:g.n(4)], d), g.exact(t, d))
		}
	case 4:
		if t.kind == kInt || t.kind == kFloat {
			return fmt.Sprintf("total<%s>(%s, %s)", t, g.exact(t, d), g.exact(t, d))
		}
	}
	return fmt.Sprintf("id<%s>(%s)", t, g.expr(t, d))
}

// index is an index that fits a short list more often than not.
func (g *gen) index(d int) string {
	switch g.n(8) {
	case 0:
		return "id(" + g.expr(tInt, d) + ")" // one that is known to be negative does not compile
	case 1, 2:
		return g.operand(tInt, d) + " & 1"
	}
	return fmt.Sprint(g.n(3))
}

// operand is an expression that any operator may stand beside.
func (g *gen) operand(t *typ, d int) string {
	s := g.exact(t, d)
	if s[0] == '-' {
		return "(" + s + ")"
	}
	return s
}

// lambda makes a function literal; typed ones have their types written out.
func (g *gen) lambda(t *typ, d int, typed bool) string {
	n := len(g.vars)
	var ps []string
	for _, p := range t.params() {
		name := g.name("a")
		if typed {
			ps = append(ps, fmt.Sprintf("%s: %s", name, p))
		} else {
			ps = append(ps, name)
		}
		g.declare(name, p, false)
	}
	head := "|" + strings.Join(ps, ", ") + "| "
	if typed {
		head += "-> " + t.result().String() + " "
	}
	s := head + g.lambdaBody(t.result(), d)
	if typed && !strings.HasSuffix(s, "}") {
		s = head + "{ " + s[len(head):] + " }"
	}
	g.vars = g.vars[:n]
	return s
}

func (g *gen) lambdaBody(t *typ, d int) (s string) {
	self := g.self
	g.self = nil
	g.function(t, func() {
		if g.chance(2) {
			s = g.block(t, d)
		} else if s = g.expr(t, d); s[0] == '{' {
			s = "(" + s + ")"
		}
	})
	g.self = self
	return s
}
