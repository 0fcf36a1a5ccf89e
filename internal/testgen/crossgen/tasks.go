package crossgen

import "fmt"

// isolated runs f as the body of a task: it may not touch a var from outside.
// Of a task that runs beside others, only values that never change are seen.
func (g *gen) isolated(beside bool, result *typ, f func()) {
	quiet := g.quiet
	g.quiet = g.quiet || beside
	g.with(func(v *variable) bool {
		if v.mut || v.bound {
			return false
		}
		return !beside || g.constantValue(v.typ)
	}, result, f)
	g.quiet = quiet
}

// constantValue reports whether nothing changes what a value of the type holds.
func (g *gen) constantValue(t *typ) bool {
	return t.head == "range" || g.plain(t, true)
}

// spawned makes a task that is alone until it is awaited. It belongs to no
// scope, which would fail with it: a detour may put one around.
func (g *gen) spawned(t *typ, d int) *node {
	n := cat(t, false, "(spawn detached ")
	g.isolated(true, t.args[0], func() { n.add(g.arm(t.args[0], d)) })
	n.add(")")
	n.jumps, n.bound = false, false
	return n
}

// concurrent makes a value with tasks, channels, locks and selects.
func (g *gen) concurrent(t *typ, d int) *node {
	switch g.n(10) {
	case 0:
		var n *node
		g.isolated(false, t, func() { n = g.awaited(t, false, g.arm(t, d)) })
		n.jumps, n.bound = false, false
		return n
	case 1:
		if n := g.spawnCall(t, d); n != nil {
			return n
		}
	case 2:
		return cat(t, false, "(scope ", g.arm(t, d), ")")
	case 3:
		return g.locked(t, d)
	case 4, 5:
		return g.selected(t, d)
	case 6:
		if t.head == "list" {
			n := cat(t, true, "await_all<"+t.args[0].String()+">([")
			var xs []*node
			for range 1 + g.n(3) {
				xs = append(xs, g.spawned(mk("task", t.args[0]), d))
			}
			n.add(xs, "])")
			return n
		}
		if t.head == "int" {
			return g.counted(d)
		}
	case 8:
		return g.inTime(t, d)
	case 7:
		if t.head == "list" {
			n := cat(t, true, "gathered<"+t.args[0].String()+">(", g.quietLambda(mk("fn", tInt, t.args[0]), d), ", ", g.small(0), ")")
			return n
		}
	}
	return g.literal(t, d)
}

// quietLambda is a function that a task may call beside others.
func (g *gen) quietLambda(t *typ, d int) *node {
	var n *node
	g.isolated(true, t.result(), func() { n = g.lambda(t, d, false) })
	n.jumps, n.bound = false, false
	return n
}

// spawnCall awaits a call that a task of its own makes.
func (g *gen) spawnCall(t *typ, d int) *node {
	var n *node
	rows := append(append([]*row{}, g.cat.byHead[t.head]...), g.own[t.head]...)
	for range min(6, len(rows)) {
		r := pick(g, rows...)
		if r.value || r.shape || r.makes {
			continue
		}
		g.isolated(false, nil, func() { n = g.use(r, t, d) })
		if n != nil && !n.jumps {
			return g.awaited(t, n.free, n)
		}
	}
	return nil
}

// awaited spawns n and awaits it: in no scope, or in one of its own.
func (g *gen) awaited(t *typ, free bool, n *node) *node {
	if g.chance(2) {
		return cat(t, free, "(scope { await spawn ", n, " })")
	}
	return cat(t, free, "(await spawn detached { ", n, " })")
}

// locked reads and writes what a mutex holds.
func (g *gen) locked(t *typ, d int) *node {
	u := g.randType(1)
	n := cat(t, false, "(lock ", g.exact(mk("mutex", u), 0), " as ")
	name := g.name("k")
	g.scope(func() {
		g.vars = append(g.vars, variable{name: name, typ: u, mut: true, bound: true})
		b := g.arm(t, d)
		n.add(name+" ", b)
	})
	n.bound = false
	n.add(")")
	// Variables of outer locks count still.
	for i := range g.vars {
		n.bound = n.bound || g.vars[i].bound
	}
	return n
}

// selected is a select of which one arm can go.
func (g *gen) selected(t *typ, d int) *node {
	u := g.randType(1)
	n := cat(t, false, "(select {", open)
	name := g.name("v")
	dead := func() {
		if g.chance(2) {
			n.add(fmt.Sprintf("chan<%s>().send(", u), g.expr(u, 0), ") => ", g.arm(t, 0), nextArm)
			return
		}
		v := g.name("v")
		g.scope(func() {
			g.declare(v, mk("opt", u), false)
			n.add(fmt.Sprintf("let %s = chan<%s>(1).recv() => ", v, u), g.arm(t, 0), nextArm)
		})
	}
	for range g.n(3) {
		dead()
	}
	switch g.n(4) {
	case 0:
		n.add(fmt.Sprintf("chan<%s>(2).send(", u), g.expr(u, d), ") => ", g.arm(t, d), nextArm, "after 1h => ", g.arm(t, 0))
	case 1:
		x := g.expr(u, d)
		g.scope(func() {
			g.declare(name, mk("opt", u), false)
			n.add(fmt.Sprintf("let %s = filled<%s>(", name, u), x, ").recv() => ", g.arm(t, d), nextArm)
		})
		n.add("_ => ", g.arm(t, 0))
	case 2:
		n.add("after "+pick(g, "0ns", "1us")+" => ", g.arm(t, d))
	case 3:
		n.add("_ => ", g.arm(t, d))
	}
	n.add(shut, "})")
	return n
}

// counted adds up in tasks that run at the same time.
func (g *gen) counted(d int) *node {
	n := cat(tInt, true, "(scope {", open)
	m, i := g.name("m"), g.name("i")
	op := pick(g, "+", "^", "|", "&")
	n.add("let "+m+" = mutex<int>(", g.expr(tInt, d), ")", next)
	n.add(fmt.Sprintf("scope { for %s in 0..%d { spawn ", i, 1+g.n(5)))
	g.isolated(true, tUnit, func() {
		g.declare(i, tInt, false)
		n.add(g.block(func() {
			v := g.name("x")
			// Which of the tasks fails first is left open, so all fail alike.
			g.emit("let "+v+" = (try ", g.arm(tInt, d), ` catch _ { throw error("uncounted") })`)
			if g.chance(2) {
				g.emit("yield_now()")
			}
			g.emit(fmt.Sprintf("lock %s as k { k %s= %s }", m, op, v))
		}))
	})
	n.add(" } }", next, m+".get()", shut, "})")
	n.jumps, n.bound = false, false
	return n
}
