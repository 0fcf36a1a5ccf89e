package crossgen

import (
	"fmt"
	"strings"
)

// statements emits n statements whose parts are at most d deep.
func (g *gen) statements(n, d int) {
	for range n {
		g.statement(d)
	}
}

func (g *gen) inner(d int) *node { return g.block(func() { g.statements(1+g.n(2), d) }) }

func (g *gen) statement(d int) {
	if d <= 0 || g.budget < 0 {
		d = 0
	}
	kind := g.n(28)
	if d == 0 && kind > 12 { // no further blocks
		kind = g.n(13)
	}
	switch kind {
	case 0, 1, 2, 3, 4:
		g.let(d)
	case 5, 6, 7:
		g.assign(d)
	case 8, 9:
		g.print(d)
	case 10, 11, 12:
		g.anyRow(d)
	case 13:
		g.emit(g.ifStmt(d - 1))
	case 14, 15:
		if d > 0 && g.nested < 2 {
			g.loop(d - 1)
			return
		}
		g.change(d)
	case 16:
		g.emit(g.match(nil, d-1))
	case 17:
		g.emit("try ", g.inner(d-1), g.catches(func() *node { return g.inner(d - 1) }))
	case 18:
		g.leave(d)
	case 19:
		if g.nested == 0 && !g.deferred {
			g.deferStmt(d - 1)
			return
		}
		g.change(d)
	case 20:
		g.change(d)
	case 21:
		g.taskStmt(d - 1)
	case 22:
		g.narrowing(d - 1)
	case 23:
		g.cancelStmt(d - 1)
	case 24:
		g.reactStmt(d - 1)
	case 25:
		g.storeStmt(d - 1)
	case 27:
		g.localFn(d - 1)
	case 26:
		g.emit("try { assert(", g.expr(tBool, d), `, "assertion") } catch e { let _ = e }`)
	}
}

func (g *gen) let(d int) {
	name, t := g.name("v"), g.randType(2)
	switch g.n(10) {
	case 0:
		t := g.tupleType()
		x := g.exact(t, d)
		g.emit("let "+g.apart(t, 2)+" = ", x)
		return
	case 1:
		t = pick(g, tInt, tFloat, tBool, tStr, tBytes, tDuration)
		x := g.constant(t, 2)
		x.fixed = true
		freeze(x)
		g.emit("const "+name+" = ", x)
		g.declare(name, t, false)
		return
	}
	word := pick(g, "let", "let", "var")
	if g.chance(3) {
		g.emit(word+" "+name+" = ", g.exact(t, d))
	} else {
		g.emit(word+" "+name+": "+t.String()+" = ", g.expr(t, d))
	}
	g.declare(name, t, word == "var")
}

func freeze(n *node) {
	n.fixed = true
	for _, p := range n.parts {
		if x, ok := p.(*node); ok {
			freeze(x)
		}
	}
}

func (g *gen) assign(d int) {
	v := g.find(func(v *variable) bool { return v.mut && !v.fixed })
	if v == nil {
		g.let(d)
		return
	}
	if g.chance(4) {
		g.assignSeveral(v, d)
		return
	}
	g.assignTo(g.read(v), v.typ, d)
}

func (g *gen) assignTo(place *node, t *typ, d int) {
	place.fixed = true
	if !g.chance(3) {
		switch t.head {
		case "int":
			switch g.n(3) {
			case 0:
				g.emit(place, pick(g, " <<= ", " >>= ", " /= ", " %= "), "id(", g.expr(tInt, d), ")")
			default:
				g.emit(place, pick(g, " += ", " -= ", " *= ", " &= ", " |= ", " ^= "), g.exact(tInt, d))
			}
			return
		case "float":
			g.emit(place, pick(g, " += ", " -= ", " *= ", " /= ", " %= "), g.exact(t, d))
			return
		case "str", "bytes", "list":
			if g.nested == 0 {
				g.emit(place, " += ", g.exact(t, d))
				return
			}
		case "duration":
			g.emit(place, pick(g, " += ", " -= "), g.exact(t, d))
			return
		case "Vec":
			if g.chance(2) {
				g.emit(place, pick(g, " *= ", " /= "), g.exact(tInt, d))
				return
			}
			g.emit(place, pick(g, " += ", " -= "), g.exact(t, d))
			return
		case "Many":
			if g.nested == 0 {
				g.emit(place, pick(g, " += ", " = "), g.exact(t, d))
				return
			}
		}
	}
	g.emit(place, " = ", g.expr(t, d))
}

func (g *gen) print(d int) {
	if g.quiet {
		g.let(d)
		return
	}
	g.loud = true
	n := cat(nil, false, fmt.Sprintf("print(%q", g.name("p")))
	for range 1 + g.n(3) {
		v := g.find(func(v *variable) bool { return printable(v.typ) })
		if v != nil && g.chance(2) {
			n.add(", ", g.read(v))
			continue
		}
		if t := g.randType(2); printable(t) {
			n.add(", ", g.exact(t, d))
		}
	}
	n.add(")")
	g.emit(n)
}

// anyRow uses something of the library, whatever it gives.
func (g *gen) anyRow(d int) {
	for range 8 {
		r := pick(g, g.cat.rows...)
		if r.result.isVar() && !r.member || r.shape && g.chance(2) {
			continue
		}
		if n := g.use(r, nil, max(d, 1)); n != nil {
			g.result1(n, d)
			return
		}
	}
	g.let(d)
}

// result1 does something with a value: prints it, or keeps it.
func (g *gen) result1(n *node, d int) {
	switch {
	case n.typ.head == "unit" || n.typ.head == "never":
		n.typ = nil
		g.emit(n)
	case printable(n.typ) && !g.quiet && g.chance(2):
		g.loud = true
		g.emit(fmt.Sprintf("print(%q, ", g.name("r")), exactly(n), ")")
	case g.chance(2):
		g.emit("let _ = ", exactly(n))
	default:
		name := g.name("v")
		g.emit("let "+name+" = ", exactly(n))
		g.declare(name, n.typ, false)
	}
}

// change alters a collection or an object in place.
func (g *gen) change(d int) {
	v := g.find(func(v *variable) bool {
		return !v.fixed && (v.typ.head == "list" || v.typ.head == "map" || v.typ.head == "Box" || g.decls[v.typ.head] != nil && g.decls[v.typ.head].fields != nil)
	})
	if v == nil {
		g.let(d)
		return
	}
	name, t := v.name, v.typ
	base := g.read(v)
	switch t.head {
	case "list":
		g.assignTo(cat(t.args[0], true, base, "[", g.small(d), "]"), t.args[0], d)
	case "map":
		g.assignTo(cat(t.args[1], true, base, "[", g.expr(t.args[0], d), "]"), t.args[1], d)
	case "Box":
		g.assignTo(cat(t.args[0], true, base, ".value"), t.args[0], d)
	default:
		dc := g.decls[t.head]
		for i, f := range dc.fields {
			if !dc.fixed[i] && g.chance(2) {
				g.assignTo(cat(f.typ, true, base, "."+f.name), f.typ, d)
				return
			}
		}
		g.emit("let _ = same(" + name + ", " + name + ")")
	}
}

func (g *gen) ifStmt(d int) *node {
	n := cat(nil, false, "if ", g.expr(tBool, d), " ", g.inner(d))
	for range g.n(2) {
		if g.chance(2) {
			n.add(" else if ", g.expr(tBool, d), " ", g.inner(d))
			continue
		}
		u := g.randType(1)
		if u.head == "any" {
			continue
		}
		name := g.name("v")
		n.add(" else if let "+name+" = ", g.whole(mk("opt", u), d), " ")
		g.scope(func() {
			g.declare(name, u, false)
			g.conditions(n, d)
			n.add(g.inner(d))
		})
	}
	if g.chance(2) {
		n.add(" else ", g.inner(d))
	}
	return n
}

// conditions adds further conditions to an `if let`, which see what it binds.
func (g *gen) conditions(n *node, d int) {
	for range g.n(3) {
		u := g.randType(1)
		if g.chance(2) || u.head == "any" {
			n.add("&& ", g.expr(tBool, d-1), " ")
			continue
		}
		name := g.name("v")
		n.add("&& let "+name+" = ", g.whole(mk("opt", u), d-1), " ")
		g.declare(name, u, false)
	}
}

// narrowing emits a test after which flow typing knows more of a variable.
func (g *gen) narrowing(d int) {
	name := g.name("v")
	if g.chance(2) {
		u := g.randType(1)
		if u.head == "any" {
			u = tStr
		}
		g.emit("let "+name+": "+mk("opt", u).String()+" = ", g.expr(mk("opt", u), d))
		n := cat(nil, false, "if "+name+" != none ")
		g.scope(func() {
			g.declare(name, u, false)
			n.add(g.inner(d))
		})
		g.emit(n)
		return
	}
	u := g.boundedType("tested")
	g.emit("let "+name+": any = ", g.expr(tAny, d))
	n := cat(nil, false, "if "+name+" is "+u.String()+" ")
	g.scope(func() {
		g.declare(name, u, false)
		n.add(g.inner(d))
	})
	g.emit(n)
}

// loop emits a loop that ends.
func (g *gen) loop(d int) {
	label, head := "", ""
	if g.chance(3) {
		label = g.name("l")
		head = "'" + label + ": "
	}
	x := g.name("x")
	body := func(names []string, ts []*typ, extra ...string) *node {
		g.loops = append(g.loops, label)
		g.nested++
		b := g.block(func() {
			for _, e := range extra {
				g.emit(e)
			}
			for i, name := range names {
				g.vars = append(g.vars, variable{name: name, typ: ts[i], mut: len(extra) > 0 && !strings.HasPrefix(extra[0], "if "), fixed: true})
			}
			g.statements(1+g.n(3), d)
		})
		g.loops = g.loops[:len(g.loops)-1]
		g.nested--
		b.jumps = false
		return b
	}
	over := func(t *typ, elem *typ) {
		g.emit(head+"for "+x+" in ", g.exact(t, d), " ", body([]string{x}, []*typ{elem}))
	}
	switch g.n(15) {
	case 12, 13:
		g.pairLoop(head, x, d, body)
	case 14:
		g.emit(fmt.Sprintf("%sfor %s in %d.. ", head, x, g.n(4)-1), body([]string{x}, []*typ{tInt}, fmt.Sprintf("if %s > %d { break }", x, g.n(4))))
	case 0:
		g.emit(fmt.Sprintf("%sfor %s in %d..%s%d ", head, x, g.n(4)-1, pick(g, "", "="), g.n(5)), body([]string{x}, []*typ{tInt}))
	case 1:
		g.emit(head+"for "+x+" in ("+pick(g, "0..4", "9223372036854775806..=9223372036854775807", "3..=1")+pick(g, ")", ").reverse()", ").step_by(2)")+" ",
			body([]string{x}, []*typ{tInt}))
	case 2:
		g.emit(fmt.Sprintf("var %s = %d", x, 2+g.n(3)))
		g.emit(head+"while "+x+" > 0 ", body([]string{x}, []*typ{tInt}, x+" -= 1"))
	case 3:
		g.emit("var " + x + " = 0")
		g.emit(head+"loop ", body([]string{x}, []*typ{tInt}, x+" += 1", fmt.Sprintf("if %s > %d { break }", x, 1+g.n(4))))
	case 4:
		if g.chance(2) {
			u := g.randType(1)
			over(mk("Steps", u), u)
			return
		}
		over(mk("Countdown"), tInt)
	case 5:
		i := g.name("i")
		g.emit(head+"for "+i+", "+x+" in ", g.exact(tStr, d), " ", body([]string{i, x}, []*typ{tInt, tStr}))
	case 6:
		k, v := g.keyType(), g.randType(1)
		i := g.name("i")
		g.emit(head+"for "+i+", "+x+" in ", g.exact(mk("map", k, v), d), " ", body([]string{i, x}, []*typ{k, v}))
	case 7:
		k := g.keyType()
		over(mk("set", k), k)
	case 8:
		u := g.randType(1)
		c := g.name("c")
		g.emit("let "+c+" = filled<"+u.String()+">(", g.expr(u, d), ")")
		g.emit(c + ".close()")
		g.emit(head+"for "+x+" in "+c+" ", body([]string{x}, []*typ{u}))
	case 9:
		over(tBytes, tInt)
	case 10:
		u := g.randType(1)
		l := g.name("s")
		g.emit("let "+l+": ["+u.String()+"] = ", g.expr(mk("list", u), d))
		g.emit(head+"while let "+x+" = "+l+".pop() ", body([]string{x}, []*typ{u}))
	default:
		u := g.randType(1)
		over(mk("list", u), u)
	}
}

// leave throws, returns or leaves a loop when a condition holds.
func (g *gen) leave(d int) {
	n := cat(nil, false)
	switch {
	case len(g.loops) > 0 && !g.chance(3):
		n.add("if ", g.expr(tBool, d), " { "+g.jump()+" }")
		n.jumps = true
	case g.result != nil && g.chance(2) && !g.deferred:
		if g.result.head == "unit" {
			n.add("if ", g.unlikely(d), " { return }")
		} else {
			n.add("if ", g.unlikely(d), " { return ", g.expr(g.result, d), " }")
		}
		n.jumps = true
	default:
		n.add("if ", g.unlikely(d), " { throw ", g.thrown(d), " }")
	}
	g.emit(n)
}

func (g *gen) deferStmt(d int) {
	loops, nested, deferred, result := g.loops, g.nested, g.deferred, g.result
	g.loops, g.nested, g.deferred, g.result = nil, 1, true, nil
	vars := g.vars
	g.vars = nil
	for _, v := range vars {
		if !v.bound {
			g.vars = append(g.vars, v)
		}
	}
	// In the defer of a task whose scope is cancelled, what is spawned is cancelled
	// too, but for what belongs to a scope in the defer.
	n := cat(nil, false, "defer scope ", g.inner(d))
	n.jumps = true // in a closure it would run when that ends
	g.vars = vars
	g.loops, g.nested, g.deferred, g.result = loops, nested, deferred, result
	g.emit(n)
}

// taskStmt emits tasks that run at the same time and do nothing that is seen.
func (g *gen) taskStmt(d int) {
	n := cat(nil, false, "try { scope {", open)
	for i := range 1 + g.n(3) {
		if i > 0 {
			n.add(next)
		}
		n.add("spawn ")
		g.isolated(true, tUnit, func() { n.add(g.inner(d)) })
	}
	n.add(shut, "}; yield_now() } catch e { let _ = e }")
	n.jumps, n.bound = false, false
	g.emit(n)
}

// script emits the top-level statements. Most stand in a try, so that what
// fails does not end the program.
func (g *gen) script(size int) {
	for range size * 8 {
		g.budget = 60
		g.stmts = nil
		for range 2 {
			name, t := g.name("g"), g.randType(2)
			word := pick(g, "let", "var")
			g.emit(word+" "+name+": "+t.String()+" = attempt<"+t.String()+">(", g.lambda(mk("fn", t), 2, false), ", ", g.leaf(t), ")")
			g.declare(name, t, word == "var")
		}
		g.items = append(g.items, g.stmts...)
		g.stmts = nil
		g.budget = 60
		b := g.block(func() { g.statements(3, 3) })
		e := g.name("e")
		g.items = append(g.items, cat(nil, false, "try ", b, fmt.Sprintf(" catch %s { print(%q, %s.message()) }", e, e, e)))
	}
	var shown []string
	for _, v := range g.vars {
		if printable(v.typ) {
			shown = append(shown, fmt.Sprintf("print(%q, %s)", v.name, v.name))
		}
	}
	g.items = append(g.items, cat(nil, false, strings.Join(shown, "\n")))
}
