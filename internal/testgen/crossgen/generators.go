package crossgen

import (
	"fmt"
	"strings"
)

// generator makes a function that yields, and offers lists of its first elements.
func (g *gen) generator() {
	g.budget = 40
	name, elem := g.name("gen"), g.randType(2)
	r := &row{name: name, shape: true, result: mk("list", elem)}
	n := cat(nil, false, "fn "+name+"(")
	var holes []string
	g.vars = nil
	for i := range g.n(4) {
		p := param{g.name("p"), g.randType(2), false}
		if i > 0 {
			n.add(", ")
		}
		n.add(p.name + ": " + p.typ.String())
		r.params = append(r.params, p)
		holes = append(holes, fmt.Sprintf("{%d}", i))
		g.declare(p.name, p.typ, false)
	}
	r.text = fmt.Sprintf("%s(%s).take(%d).to_list()", name, strings.Join(holes, ", "), 1+g.n(6))
	n.add(") -> Iterator<" + elem.String() + "> ")
	loud, quiet, deferred := g.loud, g.quiet, g.deferred
	g.loud, g.quiet, g.deferred = false, g.chance(2), true // it defers nothing, and returns no value
	g.result, g.loops, g.nested = nil, nil, 0
	n.add(g.block(func() {
		for range 1 + g.n(3) {
			g.elements(elem)
		}
	}))
	r.loud = g.loud
	g.loud, g.quiet, g.deferred = loud, quiet, deferred
	g.vars = nil
	g.items = append(g.items, n)
	g.offer(r)
}

// elements emits statements with a yield, in some other one or not.
func (g *gen) elements(elem *typ) {
	g.statements(g.n(3), 2)
	give := func() *node {
		return g.block(func() {
			g.statements(g.n(2), 1)
			g.emit("yield ", g.expr(elem, 2))
			g.statements(g.n(2), 1)
		})
	}
	switch g.n(6) {
	case 0:
		g.emit("if ", g.expr(tBool, 1), " ", give(), " else ", give())
	case 1:
		x := g.name("x")
		g.nested++
		g.emit("for "+x+" in 0..", fmt.Sprint(1+g.n(3)), " ", give())
		g.nested--
	case 2:
		g.emit("try ", give(), g.catches(give))
	case 3:
		x := g.exact(mk("list", elem), 2)
		v := g.name("x")
		g.emit("for "+v+" in ", x, " { yield "+v+" }")
	default:
		g.emit("yield ", g.expr(elem, 3))
	}
}
