package progen

import (
	"fmt"
	"math"
	"strings"
)

// match writes a match of type t, or one whose arms are statements when t is nil.
func (g *gen) match(t *typ, d int) {
	on := g.randType(2)
	if v := g.find(func(v *variable) bool { return v.typ.kind >= kOptional && v.typ != hidden || v.typ.kind == kAny }); v != nil && g.chance(2) {
		on = v.typ
	}
	x := g.exact(on, d)
	g.out.WriteString("match " + x + " {\n")
	immutable := func(v *variable) bool { return v.name == x && !v.mut && !v.field }
	if g.find(immutable) != nil { // flow typing narrows it, in ways of its own
		g.retype(x, hidden, func() { g.arms(on, t, d) })
	} else {
		g.arms(on, t, d)
	}
	g.out.WriteString(strings.Repeat("  ", g.indent) + "}")
}

func (g *gen) arms(on, t *typ, d int) {
	g.indent++
	switch {
	case on.kind == kBool && g.chance(2):
		g.arm(t, d, "true", nil, false)
		g.arm(t, d, "false", nil, false)
	case on.kind == kEnum && g.chance(2):
		for _, v := range on.decl.variants {
			n := len(g.vars)
			g.arm(t, d, v.name+g.fieldPatterns(v.fields, 0), nil, false)
			g.vars = g.vars[:n]
		}
	case on.kind == kOptional && g.chance(2):
		name := g.name("m")
		pattern := name
		if on.elem().kind != kOptional && g.chance(2) {
			pattern += ": " + on.elem().String()
		}
		g.arm(t, d, "none", nil, false)
		g.arm(t, d, pattern, func() { g.declare(name, on.elem(), false) }, false)
	case on.kind == kTree && g.chance(2):
		l, v, r := g.name("m"), g.name("m"), g.name("m")
		g.arm(t, d, fmt.Sprintf("Node(%s, %s, %s)", l, v, r), func() {
			g.declare(l, on, false)
			g.declare(v, on.elem(), false)
			g.declare(r, on, false)
		}, false)
		g.arm(t, d, "Leaf", nil, false)
	default:
		for range 1 + g.n(4) {
			n := len(g.vars)
			p := g.pattern(on, 2)
			if p == "_" || isName(p) { // would hide the arms below
				g.vars = g.vars[:n]
				continue
			}
			g.arm(t, d, p, nil, g.chance(3))
			g.vars = g.vars[:n]
		}
		if name := g.name("m"); g.chance(2) && on.kind != kOptional {
			g.arm(t, d, name, func() { g.declare(name, on, false) }, false)
		} else {
			g.arm(t, d, "_", nil, false)
		}
	}
	g.indent--
}

func isName(p string) bool {
	return p[0] == 'm' && !strings.ContainsAny(p, " (.:|")
}

// arm writes an arm; bind declares what its pattern binds, if that is not in
// scope already.
func (g *gen) arm(t *typ, d int, pattern string, bind func(), guarded bool) {
	g.indent--
	g.scope(func() {
		if bind != nil {
			bind()
		}
		guard := ""
		if guarded {
			guard = " if " + g.expr(tBool, d)
		}
		body := ""
		if t != nil {
			body = g.block(t, d)
			if g.chance(2) {
				if s := g.expr(t, d); s[0] != '{' {
					body = s
				}
			}
		} else {
			body = g.braces(func() { g.statements(1+g.n(2), d) })
		}
		g.line("%s%s => %s", pattern, guard, body)
	})
	g.indent++
}

// pattern makes a pattern for values of type t; what it binds is declared.
func (g *gen) pattern(t *typ, d int) string {
	if d <= 0 || g.chance(5) {
		if g.chance(2) || t.kind == kOptional { // a name's type would depend on the other patterns
			return "_"
		}
		name := g.name("m")
		g.declare(name, t, false)
		return name
	}
	switch t.kind {
	case kInt:
		a := g.n(20) - 5
		switch g.n(5) {
		case 0:
			return fmt.Sprintf("%d..%d", a, a+1+g.n(9))
		case 1:
			return fmt.Sprintf("%d..=%d", a, a+g.n(9))
		case 2:
			return fmt.Sprintf("%d | %d", a, a+1+g.n(5))
		case 3:
			return pick(g, "9223372036854775807", "-9223372036854775808", "32768", "-32769", "1..=9223372036854775807", "-9223372036854775808..0")
		}
		return fmt.Sprint(a)
	case kFloat:
		return pick(g, "0.0", "1.5", "-2.0")
	case kBool:
		return pick(g, "true", "false")
	case kStr:
		if g.chance(4) {
			return `"a" | "b"`
		}
		return g.strLit()
	case kBytes:
		return `b"ab"`
	case kDuration:
		return pick(g, "1s", "0ns", "1s..1m")
	case kOptional:
		if g.chance(3) {
			return "none"
		}
		e := t.elem()
		if (e.kind == kInt || e.kind == kStr || e.kind == kBool || e.kind == kTuple || e.kind == kEnum || e.kind == kStruct) && g.chance(2) {
			n := len(g.vars)
			if p := g.pattern(e, d-1); p != "_" && !isName(p) {
				return p
			}
			g.vars = g.vars[:n]
		}
		name := g.name("m")
		g.declare(name, e, false)
		return name + ": " + e.String()
	case kTuple:
		var ps []string
		for _, e := range t.elems {
			ps = append(ps, g.pattern(e, d-1))
		}
		return "(" + strings.Join(ps, ", ") + ")"
	case kEnum:
		v := pick(g, t.decl.variants...)
		if len(v.fields) > 1 && g.chance(3) {
			f := pick(g, v.fields...)
			return fmt.Sprintf("%s(%s: %s)", v.name, f.name, g.pattern(f.typ, d-1))
		}
		return v.name + g.fieldPatterns(v.fields, d-1)
	case kStruct:
		if g.chance(2) {
			f := pick(g, t.decl.fields...)
			return fmt.Sprintf("%s(%s: %s)", t.decl.name, f.name, g.pattern(f.typ, d-1))
		}
		return t.decl.name + g.fieldPatterns(t.decl.fields, d-1)
	case kResult:
		switch g.n(4) {
		case 0:
			return "Fine(value: " + g.pattern(t.elem(), d-1) + ")"
		case 1:
			return "Wrong(" + g.pattern(tStr, d-1) + ")"
		case 2:
			if t.elem().kind != kOptional {
				return "Odd" + g.fieldPatterns([]field{{name: "a", typ: tInt}, {name: "b", typ: of(kOptional, t.elem())}}, d-1)
			}
		}
		return "Nothing"
	case kTree:
		return "Node" + g.fieldPatterns([]field{{name: "left", typ: t}, {name: "value", typ: t.elem()}, {name: "right", typ: t}}, d-1)
	case kAny:
		u := g.testedType()
		name := g.name("m")
		g.declare(name, u, false)
		return name + ": " + u.String()
	case kSized:
		for _, dc := range g.decls {
			if dc.sized && g.chance(2) {
				name := g.name("m")
				g.declare(name, dc.typ, false)
				return name + ": " + dc.name
			}
		}
	}
	return "_"
}

func (g *gen) fieldPatterns(fs []field, d int) string {
	if len(fs) == 0 {
		return ""
	}
	var ps []string
	named := false // needed where one tests a type, which has a colon too
	for _, f := range fs {
		p := g.pattern(f.typ, d)
		named = named || p[0] == 'm' && strings.Contains(p, ": ")
		ps = append(ps, p)
	}
	for i, f := range fs {
		if named {
			ps[i] = f.name + ": " + ps[i]
		}
	}
	return "(" + strings.Join(ps, ", ") + ")"
}

// bounds of a loop that ends soon, near the ends of int now and then.
func (g *gen) bounds() string {
	if g.chance(12) {
		return pick(g, fmt.Sprintf("%d..=%d", int64(math.MaxInt64-2), int64(math.MaxInt64)), "(-9223372036854775807)..(-9223372036854775806)",
			"5..0", "0..=(-1)", "(-9223372036854775808)..=(-9223372036854775807)", "9223372036854775807..(-9223372036854775808)", "32766..32769", "3..=3")
	}
	return fmt.Sprintf("%d..%s%d", g.n(4)-1, pick(g, "", "="), g.n(5))
}
