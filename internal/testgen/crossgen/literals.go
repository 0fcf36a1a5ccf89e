package crossgen

import (
	"fmt"
	"strings"
)

var ints = []string{"0", "1", "2", "3", "7", "10", "63", "64", "127", "255", "32767", "32768", "65536", "2147483648", "4294967295", "9223372036854775807",
	"(-1)", "(-2)", "(-128)", "(-32769)", "(-9223372036854775808)", "0xffff_ffff_ffff_ffff", "0b1010", "0o17", "1_000"}

var floats = []string{"0.0", "1.0", "0.5", "(-0.5)", "1.5", "3.25", "(-2.0)", "1e10", "1e308", "5e-324", "0.1", "100.0", "(-0.0)"}

var texts = []string{"", "a", "b", "abc", "hello world", "été", "日本", "x,y,z", "12", "-7", "line\\n", "\\\"q\\\"", "\\u{1F600}", "  pad ", "[1, 2]",
	"{\\\"a\\\": 1}", "a=b", "https://a.b/c?d=e", "2024-01-02T03:04:05Z", "(a|b)*", "\\${x}", "1.5", "true", "ff00", "aGk="}

// leaf is the smallest expression of a type.
func (g *gen) leaf(t *typ) *node {
	text := func(s string, free bool) *node { return cat(t, free, s) }
	switch t.head {
	case "int":
		if g.chance(2) {
			return text(fmt.Sprint(g.n(10)), true)
		}
		return text(pick(g, ints...), true)
	case "float":
		return text(pick(g, floats...), true)
	case "bool":
		return text(pick(g, "true", "false"), true)
	case "str":
		if g.chance(8) {
			return text("`raw ${x}`", true)
		}
		return text(`"`+pick(g, texts...)+`"`, true)
	case "bytes":
		return text(pick(g, `b""`, `b"ab"`, `b"\x00\xff"`, `b"12"`), true)
	case "duration":
		return text(pick(g, "1s", "10ms", "5us", "0ns", "2h", "1.5m", "(-3s)"), true)
	case "any":
		return cat(t, false, g.leaf(pick(g, tInt, tStr, tFloat)))
	case "unit":
		return text("()", true)
	case "range":
		return text(pick(g, "(0..3)", "(2..=5)", "(3..0)"), true)
	case "buffer":
		return text("buffer()", true)
	case "list":
		return text("[]", false)
	case "map":
		return text(t.String()+"()", true)
	case "set":
		return text(t.String()+"()", true)
	case "opt":
		if t.args[0].head != "opt" && g.chance(2) {
			return cat(t, false, g.leaf(t.args[0]))
		}
		return text("none", false)
	case "tuple":
		return g.literal(t, 0)
	case "fn":
		return g.lambda(t, 0, false)
	case "Error":
		return text(`error("leaf")`, false)
	case "Sized":
		return text("Box<int>(1)", false)
	case "task":
		return g.spawned(t, 0)
	case "chan":
		return text(t.String()+"("+pick(g, "", "1", "3")+")", true)
	case "mutex":
		return cat(t, true, t.String()+"(", g.leaf(t.args[0]), ")")
	}
	return g.smallest(t)
}

// smallest uses the row of the lowest rank.
func (g *gen) smallest(t *typ) *node {
	rows := g.cat.byHead[t.head]
	if g.decls[t.head] != nil {
		rows = g.own[t.head]
	}
	var best []*row
	for _, r := range rows {
		if len(best) > 0 && r.rank < best[0].rank {
			best = nil
		}
		if len(best) == 0 || r.rank == best[0].rank {
			best = append(best, r)
		}
	}
	for _, r := range best {
		if n := g.use(r, t, 0); n != nil {
			return n
		}
	}
	// A row that has no loud part is not found in quiet places.
	return cat(t, true, "via_call<"+t.String()+">(|| { throw error(\"none\") })")
}

// literal makes a value of a type out of parts.
func (g *gen) literal(t *typ, d int) *node {
	switch t.head {
	case "str":
		return g.interpolation(d - 1)
	case "list":
		n := cat(t, false, "[")
		var xs []*node
		free := true
		for range g.n(4) {
			x := g.expr(t.args[0], d-1)
			free = free && x.free
			xs = append(xs, x)
		}
		n.add(xs, "]")
		n.free = free && len(xs) > 0
		return n
	case "map":
		n := cat(t, false, "({")
		for i := range g.n(4) {
			if i > 0 {
				n.add(", ")
			}
			n.add(g.expr(t.args[0], d-1), ": ", g.expr(t.args[1], d-1))
		}
		n.add("})")
		return n
	case "tuple":
		n := cat(t, true, "(")
		var xs []*node
		for _, a := range t.args {
			x := g.expr(a, d-1)
			n.free = n.free && x.free
			xs = append(xs, x)
		}
		n.add(xs, ")")
		return n
	case "fn":
		return g.lambda(t, d-1, g.chance(3))
	case "opt":
		if t.args[0].head != "opt" {
			return cat(t, false, g.expr(t.args[0], d-1))
		}
	}
	if g.decls[t.head] != nil {
		return g.fromRows(g.own[t.head], t, d)
	}
	return nil
}

var specs = map[string][]string{
	"int":   {":>6", ":05", ":x", ":+", ":,", ":b", ":<4", ":#x", ":_"},
	"float": {":.3f", ":e", ":8.2f", ":+", ":g", ":%"},
	"str":   {":<5", ":^7", ":?", ":>3", ":*^9", ":.2"},
}

func (g *gen) interpolation(d int) *node {
	if g.chance(6) {
		return g.textBlock(d)
	}
	n := cat(tStr, true, `"`)
	for range 1 + g.n(3) {
		if g.chance(2) {
			n.add(pick(g, texts...))
		}
		t := g.randType(1)
		spec := ""
		if g.chance(3) {
			t = pick(g, tInt, tFloat, tStr)
			spec = pick(g, specs[t.head]...)
		}
		if !printable(t) {
			t = tInt
		}
		n.add("${")
		x := g.exact(t, d)
		n.add(inline{x}, spec+"}")
		n.jumps, n.bound = n.jumps || x.jumps, n.bound || x.bound
	}
	n.add(`"`)
	return n
}

// textBlock is a text of several lines, or of one where it stands in another text.
func (g *gen) textBlock(d int) *node {
	b := &block{value: g.exact(pick(g, tInt, tFloat, tStr, tBool), d)}
	b.lines = [2]string{pick(g, "a ", "", "\\u{e9} "), pick(g, "  indented", "b \\$", "")}
	n := cat(tStr, true)
	n.jumps, n.bound = b.value.jumps, b.value.bound
	n.parts = append(n.parts, b)
	return n
}

// constant is an expression that the compiler can compute.
func (g *gen) constant(t *typ, d int) *node {
	if d <= 0 {
		return g.constLeaf(t)
	}
	x := func(u *typ) *node { return g.constant(u, d-1) }
	switch t.head {
	case "int":
		switch g.n(5) {
		case 0:
			return cat(t, true, "(", x(t), pick(g, " / ", " % "), pick(g, "3", "(-1)", "64"), ")")
		case 1:
			return cat(t, true, "(", x(t), pick(g, " << ", " >> "), fmt.Sprint(g.n(64)), ")")
		case 2:
			return cat(t, true, "(", pick(g, "-", "~"), x(t), ")")
		}
		return cat(t, true, "(", x(t), pick(g, " + ", " - ", " * ", " & ", " | ", " ^ "), x(t), ")")
	case "float":
		return cat(t, true, "(", x(t), pick(g, " + ", " - ", " * ", " / ", " ** ", " % "), x(t), ")")
	case "str", "bytes":
		return cat(t, true, "(", x(t), " + ", x(t), ")")
	case "duration":
		return cat(t, true, "(", x(t), pick(g, " + ", " - "), x(t), ")")
	case "bool":
		if g.chance(3) {
			return cat(t, true, "(", x(t), pick(g, " && ", " || ", " == "), x(t), ")")
		}
		u := pick(g, tInt, tFloat, tStr, tBytes, tDuration)
		return cat(t, true, "(", x(u), pick(g, " < ", " <= ", " > ", " >= ", " == ", " != "), x(u), ")")
	}
	return g.constLeaf(t)
}

func (g *gen) constLeaf(t *typ) *node {
	n := g.leaf(t)
	if s, ok := n.parts[0].(string); !ok || strings.HasPrefix(s, "`") {
		return cat(t, true, `"c"`)
	}
	return n
}
