package crossgen

import "fmt"

// cancelStmt emits a task that is cancelled. Either it waits for ever behind
// its statements, and says so before, or it is cancelled wherever it is; then
// it does nothing that is seen.
func (g *gen) cancelStmt(d int) {
	if g.chance(3) {
		g.cancelAnywhere(d)
		return
	}
	ready, t, e := g.name("c"), g.name("t"), g.name("e")
	n := cat(nil, false, "scope {", open, "let "+ready+" = chan<int>(1)", next, "let "+t+" = spawn ")
	g.isolated(false, nil, func() {
		n.add(g.block(func() {
			g.emit("defer " + ready + ".close()")
			g.emit("try ", g.block(func() {
				g.statements(1+g.n(2), d)
				g.withDefers(d)
				wait := g.forever(d)
				g.emit(ready + ".send(1)")
				g.emit(wait)
			}), fmt.Sprintf(" catch %s { %s }", e, g.say(e)))
		}))
	})
	n.add(next, ready+".recv()", next, t+".cancel()", next)
	n.add("try { await "+t+" } catch "+e+" { "+g.say(e)+" }", shut, "}")
	n.jumps, n.bound = false, false
	g.emit(n)
}

// withDefers puts what follows into a function that has deferred statements.
func (g *gen) withDefers(d int) {
	for range g.n(3) {
		g.deferStmt(d)
	}
}

// say shows an error where that may be seen.
func (g *gen) say(e string) string {
	if g.quiet {
		return "let _ = " + e
	}
	g.loud = true
	return fmt.Sprintf("print(%q, %s.message())", e, e)
}

// cancelAnywhere emits tasks that are cancelled at some point.
func (g *gen) cancelAnywhere(d int) {
	t, e := g.name("t"), g.name("e")
	n := cat(nil, false, "try { scope {", open, "let "+t+" = [")
	for i := range 1 + g.n(3) {
		if i > 0 {
			n.add(", ")
		}
		n.add("spawn ")
		g.isolated(true, tUnit, func() {
			n.add(g.block(func() {
				g.withDefers(d)
				g.statements(1+g.n(2), d)
				if g.chance(2) {
					g.emit(g.forever(d))
				} else {
					g.emit(pick(g, "yield_now()", "sleep(1us)", "()"))
				}
			}))
		})
	}
	n.add("]", next)
	if g.chance(2) {
		n.add(pick(g, "yield_now()", "sleep(10us)"), next)
	}
	n.add("for x in "+t+" { x.cancel() }", shut, "} } catch "+e+" { let _ = "+e+" }")
	n.jumps, n.bound = false, false
	g.emit(n)
}

// forever is a statement that only a cancel ends. What could fail in it is
// emitted before.
func (g *gen) forever(d int) *node {
	u := g.randType(1)
	v := g.name("v")
	switch g.n(11) {
	case 0:
		return cat(nil, false, "sleep(1h)")
	case 1:
		g.emit("let "+v+": "+u.String()+" = ", g.expr(u, d))
		return cat(nil, false, fmt.Sprintf("chan<%s>().send(%s)", u, v))
	case 2:
		return cat(nil, false, fmt.Sprintf("let _ = select { let %s = chan<%s>(2).recv() => { let _ = %s }, after 1h => {} }", v, u, v))
	case 3:
		return cat(nil, false, fmt.Sprintf("let _ = scope { spawn sleep(1h); await spawn chan<%s>().recv() }", u))
	case 4:
		return cat(nil, false, fmt.Sprintf("let _ = timeout<int>(1h, || { chan<%s>().recv(); 0 })", u))
	case 5:
		return cat(nil, false, fmt.Sprintf("let _ = race<int>([|| { sleep(1h); 0 }, || { chan<%s>().recv(); 1 }])", u))
	case 6:
		m := g.name("m")
		g.emit("let "+m+": "+mk("mutex", u).String()+" = ", g.expr(mk("mutex", u), d))
		return cat(nil, false, "lock "+m+" as "+v+" { let _ = "+v+"; sleep(1h) }")
	case 7:
		return cat(nil, false, "loop { sleep(50us) }")
	case 8:
		return cat(nil, false, fmt.Sprintf("for %s in chan<%s>() { let _ = %s }", v, u, v))
	case 9:
		return cat(nil, false, fmt.Sprintf("via_call<()>(|| { defer yield_now(); chan<%s>().recv() })", u))
	}
	return cat(nil, false, fmt.Sprintf("let _ = chan<%s>().recv()", u))
}

// inTime gives a value of a function that has its time, or of the clause for
// one that is late.
func (g *gen) inTime(t *typ, d int) *node {
	v := g.name("e")
	if g.chance(2) {
		return cat(t, true, "timeout<"+t.String()+">(1h, ", g.lambda(mk("fn", t), d, false), ")")
	}
	n := cat(t, false, "(try { timeout<"+t.String()+">("+pick(g, "0ns", "1us", "20us")+", || ")
	g.isolated(true, t, func() {
		n.add(g.block(func() {
			g.withDefers(d)
			g.emit(g.forever(0))
			g.emit(g.expr(t, 0))
		}))
	})
	n.jumps, n.bound = false, false
	n.add(" ) } catch "+v+": Timeout ", g.arm(t, d), ")")
	return n
}
