package crossgen

import (
	"fmt"
	"strings"
)

// match makes a match of type t, or one whose arms are statements when t is nil.
func (g *gen) match(t *typ, d int) *node {
	on := g.matchedType()
	n := cat(t, false, "match ", exactly(g.whole(on, d)), " {", open)
	n.fixed = true
	first := true
	arm := func(pattern string, guarded bool) {
		if !first {
			n.add(nextArm)
		}
		first = false
		n.add(pattern)
		if guarded {
			n.add(" if ", g.expr(tBool, d))
		}
		n.add(" => ", g.armBody(t, d))
	}
	switch rows := g.variantsOf(on); {
	case rows != nil && g.chance(2): // every variant
		for _, r := range rows {
			g.scope(func() { arm(g.variantPattern(r, on, 0), false) })
		}
	case on.head == "opt" && g.chance(2):
		arm("none", false)
		g.scope(func() {
			name := g.name("m")
			g.declare(name, on.args[0], false)
			arm(name, false)
		})
	case on.head == "bool" && g.chance(2):
		arm("true", false)
		arm("false", false)
	default:
		for range 1 + g.n(3) {
			g.scope(func() {
				if p := g.pattern(on, 2); p != "_" && !isName(p) {
					arm(p, g.chance(3))
				}
			})
		}
		g.scope(func() {
			name := "_"
			if g.chance(2) && on.head != "opt" {
				name = g.name("m")
				g.declare(name, on, false)
			}
			arm(name, false)
		})
	}
	n.add(shut, "}")
	return n
}

func (g *gen) armBody(t *typ, d int) *node {
	if t == nil {
		return g.inner(d)
	}
	return g.arm(t, d)
}

// whole is an expression that flow typing does not see as a variable.
func (g *gen) whole(t *typ, d int) *node {
	n := g.exact(t, d)
	return cat(t, true, "id<"+t.String()+">(", n, ")")
}

func (g *gen) matchedType() *typ {
	for range 4 {
		t := g.randType(2)
		switch t.head {
		case "fn", "task", "chan", "mutex", "buffer", "range", "list", "map", "set":
			continue
		}
		return t
	}
	return tInt
}

func isName(p string) bool { return p[0] == 'm' && !strings.ContainsAny(p, " (.:|") }

// variantsOf are the rows of an enum's variants, nil for other types.
func (g *gen) variantsOf(t *typ) []*row {
	if d := g.decls[t.head]; d != nil {
		return d.variants
	}
	switch t.head {
	case "Tree", "Result", "Color":
	default:
		return nil
	}
	var out []*row
	for _, r := range g.cat.byHead[t.head] {
		if name, ok := strings.CutPrefix(r.name, t.head+"."); ok && !r.member && name[0] <= 'Z' { // no function of the type
			out = append(out, r)
		}
	}
	return out
}

func (g *gen) variantPattern(r *row, on *typ, d int) string {
	_, name, _ := strings.Cut(r.name, ".")
	b := binding{}
	b.bind(r.result, on)
	var fs []param
	for _, p := range r.params {
		fs = append(fs, param{p.name, b.of(p.typ), false})
	}
	if len(fs) > 1 && g.chance(3) && fs[0].name != "" {
		f := pick(g, fs...)
		return fmt.Sprintf("%s(%s: %s)", name, f.name, g.pattern(f.typ, d))
	}
	return name + g.fieldPatterns(fs, d)
}

func (g *gen) fieldPatterns(fs []param, d int) string {
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
		if named && f.name != "" {
			ps[i] = f.name + ": " + ps[i]
		}
	}
	return "(" + strings.Join(ps, ", ") + ")"
}

// pattern makes a pattern for values of type t; what it binds is declared.
func (g *gen) pattern(t *typ, d int) string {
	if d <= 0 || g.chance(5) {
		if g.chance(2) || t.head == "opt" { // a name's type would depend on the other patterns
			return "_"
		}
		name := g.name("m")
		g.declare(name, t, false)
		return name
	}
	bindTyped := func(u *typ) string {
		name := g.name("m")
		g.declare(name, u, false)
		return name + ": " + u.String()
	}
	switch t.head {
	case "int":
		a := g.n(20) - 5
		return pick(g, fmt.Sprint(a), fmt.Sprintf("%d..%d", a, a+1+g.n(9)), fmt.Sprintf("%d..=%d", a, a+g.n(9)), fmt.Sprintf("%d | %d", a, a+1+g.n(5)),
			"9223372036854775807", "-9223372036854775808", "32768", "1..=9223372036854775807", "-9223372036854775808..0", fmt.Sprintf("%d..", a))
	case "float":
		return pick(g, "0.0", "1.5", "-2.0")
	case "bool":
		return pick(g, "true", "false")
	case "str":
		return pick(g, `"a"`, `"a" | "b"`, `"été"`, `""`, `"a"..="f"`, `"0".."a" | "q"`, `"A"..="é"`, `"b"..`)
	case "bytes":
		return pick(g, `b"ab"`, `b""`)
	case "duration":
		return pick(g, "1s", "0ns", "1s..1m")
	case "opt":
		if g.chance(3) {
			return "none"
		}
		return bindTyped(t.args[0])
	case "tuple":
		return "(" + g.someParts(t.args, func(u *typ) string { return g.pattern(u, d-1) }) + ")"
	case "any":
		return bindTyped(g.boundedType("tested"))
	case "Vec":
		return "Vec(" + g.pattern(tInt, d-1) + ", ..)"
	case "Box":
		return "Box(value: " + g.pattern(t.args[0], d-1) + ")"
	case "Error":
		return bindTyped(mk(pick(g, "Bad", "Worse", "PlainError", "IndexError", "ValueError")))
	case "Sized":
		return bindTyped(mk("Box", tInt))
	}
	if rows := g.variantsOf(t); rows != nil {
		return g.variantPattern(pick(g, rows...), t, d-1)
	}
	if dc := g.decls[t.head]; dc != nil && len(dc.fields) > 0 {
		if g.chance(2) {
			f := pick(g, dc.fields...)
			return fmt.Sprintf("%s(%s: %s)", dc.name, f.name, g.pattern(f.typ, d-1))
		}
		return dc.name + g.fieldPatterns(dc.fields, d-1)
	}
	return "_"
}
