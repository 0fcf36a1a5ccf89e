package crossgen

import "fmt"

// reactStmt emits a graph of cells, computeds and effects that is changed and
// taken down again. Effects print what they see.
func (g *gen) reactStmt(d int) {
	if g.quiet || g.reacts || g.deferred {
		g.change(d)
		return
	}
	g.loud, g.reacts = true, true
	g.emit("try ", g.block(func() {
		cells := g.cells(d)
		comps := g.computeds(cells, d)
		var ends []string
		for range 1 + g.n(2) {
			ends = append(ends, g.effect(cells, comps))
		}
		for range 1 + g.n(4) {
			g.changeCell(cells, d)
			if len(ends) > 0 && g.chance(4) {
				g.emit(ends[0] + ".dispose()")
				ends = ends[1:]
			}
		}
		if len(comps) > 0 && g.chance(2) {
			c := pick(g, comps...)
			g.emit(c.name + ".dispose()")
			g.emit(fmt.Sprintf("print(%q, %s.peek())", c.name, c.name))
		}
		for _, e := range ends {
			g.emit(e + ".dispose()")
		}
		g.changeCell(cells, d)
	}), " catch e { print(\"graph\", e.message()) }")
	g.reacts = false
}

// source is a cell or computed by its name.
type source struct {
	name string
	typ  *typ
}

// held is a type whose values a cell may be asked about.
func (g *gen) held() *typ {
	for range 5 {
		if t := g.randType(1); g.constantValue(t) && t.head != "range" {
			return t
		}
	}
	return tInt
}

func (g *gen) cells(d int) []source {
	var all []source
	for range 1 + g.n(3) {
		c := source{g.name("cell"), g.held()}
		g.emit(fmt.Sprintf("let %s = reactive.cell<%s>(", c.name, c.typ), g.expr(c.typ, d), pick(g, "", `, name: "c"`)+")")
		all = append(all, c)
	}
	return all
}

// computeds emits functions of cells and of each other.
func (g *gen) computeds(cells []source, d int) []source {
	var all []source
	for range g.n(4) {
		c := source{g.name("comp"), g.held()}
		n := cat(nil, false, fmt.Sprintf("let %s = reactive.computed<%s>(|| ", c.name, c.typ))
		g.isolated(true, c.typ, func() {
			n.add(g.block(func() {
				for _, s := range append(append([]source{}, cells...), all...) {
					if g.chance(2) {
						continue
					}
					v := g.name("v")
					g.emit(fmt.Sprintf("let %s = %s.%s()", v, s.name, pick(g, "get", "get", "get", "peek")))
					g.declare(v, s.typ, false)
				}
				g.emit(g.expr(c.typ, d))
			}))
		})
		n.add(")")
		n.jumps, n.bound = false, false
		g.emit(n)
		all = append(all, c)
	}
	return all
}

// effect emits an effect that shows some sources, and gives its name.
func (g *gen) effect(cells, comps []source) string {
	name := g.name("eff")
	g.emit(fmt.Sprintf("let %s = reactive.effect(|| ", name), g.block(func() {
		g.emit("try ", g.block(func() {
			for range 1 + g.n(2) {
				s := pick(g, append(append([]source{}, cells...), comps...)...)
				g.emit(fmt.Sprintf("print(%q, %s.get())", name, s.name))
			}
		}), fmt.Sprintf(" catch e { print(%q, e.message()) }", name))
		if g.chance(2) {
			g.emit(fmt.Sprintf("reactive.on_cleanup(|| print(%q))", "cleanup of "+name))
		}
	}), ")")
	return name
}

// changeCell emits a change of a cell, or several at once.
func (g *gen) changeCell(cells []source, d int) {
	c := pick(g, cells...)
	switch g.n(4) {
	case 0:
		g.emit(fmt.Sprintf("%s.update(", c.name), g.lambda(mk("fn", c.typ, c.typ), d, false), ")")
	case 1:
		other := pick(g, cells...)
		g.emit("reactive.batch<int>(|| ", g.block(func() {
			g.emit(c.name+".set(", g.expr(c.typ, 0), ")")
			g.emit(other.name+".set(", g.expr(other.typ, 0), ")")
			g.emit("0")
		}), ")")
	default:
		g.emit(c.name+".set(", g.expr(c.typ, d), ")")
	}
}

// storeStmt emits transactions of a store, and an action that follows them.
func (g *gen) storeStmt(d int) {
	if g.quiet || g.reacts || g.deferred {
		g.change(d)
		return
	}
	g.loud, g.reacts = true, true
	s, off := g.name("store"), g.name("off")
	g.emit("try ", g.block(func() {
		g.emit("let " + s + " = reactive.store()")
		g.emit(`let doc = reactive.address("a", "b")`)
		acts := g.chance(2)
		tell := fmt.Sprintf("print(%q, all.len())", s)
		if acts { // which run beside the one that is told
			g.emit("let heard = mutex([0])")
			tell = "lock heard as h { h.push(all.len()) }"
		}
		g.emit(fmt.Sprintf("let %s = %s.on_change(|all| %s)", off, s, tell))
		if acts {
			g.action(s)
		}
		for range 1 + g.n(3) {
			g.transaction(s, d)
			if acts {
				g.emit("sched.idle()")
			}
			if g.chance(4) {
				g.emit(off + "()")
			}
		}
		g.emit(fmt.Sprintf("print(%q, %s.get(doc))", s, s))
		if acts {
			g.emit(fmt.Sprintf("print(%q, lock heard as h { h.sort() })", s))
			g.emit("sched.dispose()")
		}
	}), " catch e { print(\"store\", e.message()) }")
	g.reacts = false
}

// action emits a scheduler with an action that reads one key and writes another.
func (g *gen) action(store string) {
	from, to := pick(g, "x", "y"), pick(g, "z", "w")
	g.emit("let sched = reactive.scheduler(" + store + ")")
	g.emit("sched.schedule(reactive.action(\"follow\", |tx| ", g.block(func() {
		g.emit(fmt.Sprintf("let seen = tx.read(doc.at(%q))", from))
		g.emit(`print("follow", seen)`)
		g.emit(fmt.Sprintf(`tx.write(doc.at(%q), "${seen}")`, to))
	}), "))")
	g.emit("sched.idle()")
}

// transaction emits a change of several keys, all or none of which come.
func (g *gen) transaction(store string, d int) {
	value := func() *typ {
		return pick(g, tInt, tStr, tFloat, tBool, mk("list", tAny), mk("list", tInt), mk("map", tStr, tInt), mk("map", tStr, tAny))
	}
	key := func() string { return fmt.Sprintf("doc.at(%q)", pick(g, "x", "y", "z", "x.y")) }
	switch g.n(4) {
	case 0:
		g.emit(store + ".remove(" + key() + ")")
	case 1:
		t := value()
		g.emit(store+".set("+key()+", ", g.exact(t, d), ")")
	default:
		n := cat(nil, false, "try { "+store+".transact<int>(|tx| ")
		g.isolated(true, tInt, func() {
			n.add(g.block(func() {
				for range 1 + g.n(3) {
					t := value()
					g.emit("tx.write("+key()+", ", g.exact(t, d), ")")
				}
				if g.chance(3) {
					g.emit("tx.remove(" + key() + ")")
				}
				g.leave(d)
				g.emit(g.expr(tInt, d))
			}))
		})
		n.add(fmt.Sprintf(") } catch e { print(%q, e.message()) }", store))
		n.jumps, n.bound = false, false
		g.emit(n)
	}
}
