package progen

import (
	"fmt"
	"strings"
)

// generator writes a function that yields.
func (g *gen) generator() {
	f := &function{name: g.name("gen"), result: g.randType(2)}
	var ps []string
	n := len(g.vars)
	for range g.n(4) {
		p := field{name: g.name("p"), typ: g.randType(2)}
		f.params = append(f.params, p)
		ps = append(ps, fmt.Sprintf("%s: %s", p.name, p.typ))
		g.declare(p.name, p.typ, false)
	}
	g.line("fn %s(%s) -> Iterator<%s> {", f.name, strings.Join(ps, ", "), f.result)
	g.function(nil, func() {
		g.yields = f.result
		g.scope(func() {
			for range 1 + g.n(3) {
				g.statements(1+g.n(3), 3)
				g.line("yield %s", g.expr(f.result, 2))
			}
		})
	})
	g.line("}")
	g.vars = g.vars[:n]
	g.gens = append(g.gens, f)
}

// yieldOrRun gives an element in a generator, and runs over one elsewhere.
func (g *gen) yieldOrRun(d int) {
	switch {
	case g.yields != nil && !g.deferred:
		g.line("yield %s", g.expr(g.yields, d))
	case len(g.gens) == 0 || g.nested > 1:
		g.assert(d)
	case g.chance(2):
		f := pick(g, g.gens...)
		g.line("print(%q, %s.take(%d).to_list())", f.name, g.call(f, d), 1+g.n(5))
	default:
		f, x := pick(g, g.gens...), g.name("x")
		head := fmt.Sprintf("for %s in %s ", x, g.call(f, d))
		if g.chance(3) {
			it := g.name("it")
			g.line("let %s = %s", it, g.call(f, d))
			head = fmt.Sprintf("while let %s = %s.next() ", x, it)
			if f.result.kind == kOptional {
				head = fmt.Sprintf("for %s in %s.take(3) ", x, it)
			}
		}
		g.loops = append(g.loops, "")
		g.nested++
		body := g.braces(func() {
			g.declare(x, f.result, false)
			g.statements(1+g.n(2), max(d-1, 0))
		})
		g.loops = g.loops[:len(g.loops)-1]
		g.nested--
		g.line("%s%s", head, body)
	}
}
