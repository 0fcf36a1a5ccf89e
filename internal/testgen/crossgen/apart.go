package crossgen

import (
	"fmt"
	"strings"
)

// This file holds what takes values apart and assigns several, and the functions of blocks.

func (g *gen) tupleType() *typ {
	t := mk("tuple", g.randType(1), g.randType(1))
	if g.chance(3) {
		t.args = append(t.args, g.randType(1))
	}
	if g.chance(3) {
		t.args[0] = mk("tuple", g.randType(0), g.randType(0))
	}
	return t
}

// apart makes a pattern that fits every value of type t, and declares what it binds.
func (g *gen) apart(t *typ, d int) string {
	if t.head == "tuple" && d > 0 {
		return "(" + g.someParts(t.args, func(u *typ) string { return g.apart(u, d-1) }) + ")"
	}
	if g.chance(5) {
		return "_"
	}
	name := g.name("p")
	g.declare(name, t, false)
	return name
}

// someParts makes patterns for the parts of a tuple, with `..` for some that follow each other.
func (g *gen) someParts(ts []*typ, pattern func(*typ) string) string {
	var ps []string
	from, to := len(ts), len(ts)
	if g.chance(4) {
		from = g.n(len(ts) + 1)
		to = from + g.n(len(ts)-from+1)
		if from == 0 && to == 0 && len(ts) == 1 {
			to = 1
		}
	}
	for i, t := range ts {
		if i == from && from < len(ts) {
			ps = append(ps, "..")
		}
		if i < from || i >= to {
			ps = append(ps, pattern(t))
		}
	}
	return strings.Join(ps, ", ")
}

// pairLoop emits a loop over a list of tuples that takes each apart.
func (g *gen) pairLoop(head, x string, d int, body func([]string, []*typ, ...string) *node) {
	t := g.tupleType()
	list := g.exact(mk("list", t), d)
	g.scope(func() {
		before := len(g.vars)
		p := g.apart(t, 2)
		for i := before; i < len(g.vars); i++ {
			g.vars[i].fixed = true
		}
		if g.chance(2) {
			g.emit(head+"for "+x+", "+p+" in ", list, " ", body([]string{x}, []*typ{tInt}))
		} else {
			g.emit(head+"for "+p+" in ", list, " ", body(nil, nil))
		}
	})
}

// assignSeveral emits an assignment to v and others at once.
func (g *gen) assignSeveral(v *variable, d int) {
	w := g.find(func(w *variable) bool { return w.mut && !w.fixed })
	target, other := g.read(v), g.read(w)
	target.fixed, other.fixed = true, true
	t := mk("tuple", v.typ, w.typ, tInt)
	switch g.n(3) {
	case 0:
		g.emit(cat(nil, false, "(", target, ", ", other, ") = "), "(", g.expr(v.typ, d), ", ", g.expr(w.typ, d), ")")
	case 1:
		g.emit(cat(nil, false, "(", target, ", ", other, ", _) = "), g.exact(t, d))
	default:
		g.emit(cat(nil, false, "((", target, ", _), ", other, ") = "), "((", g.expr(v.typ, d), ", ", g.expr(tInt, d), "), ", g.expr(w.typ, d), ")")
	}
}

// localFn emits a function of the block, which may call itself a few times.
func (g *gen) localFn(d int) {
	name, count := g.name("f"), g.name("n")
	param, result := g.randType(1), g.randType(1)
	n := cat(nil, false, fmt.Sprintf("fn %s(%s: int, ", name, count))
	g.with(func(v *variable) bool { return !v.bound }, result, func() {
		x := g.name("a")
		n.add(x + ": " + param.String() + ") -> " + result.String() + " ")
		g.declare(x, param, false)
		g.declare(count, tInt, false)
		n.add(g.block(func() {
			g.emit(fmt.Sprintf("if %s > 0 { return %s(%s - 1, %s) }", count, name, count, x))
			g.body(result, d)
		}))
	})
	n.jumps, n.bound, n.fixed = false, false, true
	g.emit(n)
	result1 := g.name("v")
	g.emit(fmt.Sprintf("let %s = %s(%d, ", result1, name, g.n(3)), g.expr(param, d), ")")
	g.declare(result1, result, false)
}
