package progen

import (
	"fmt"
	"strings"
)

// statements writes n statements whose parts are at most d deep.
func (g *gen) statements(n, d int) {
	for range n {
		g.statement(d)
	}
}

// braces returns { ... } around statements.
func (g *gen) braces(f func()) string {
	return "{\n" + g.text(func() {
		g.scope(f)
		g.out.WriteString(strings.Repeat("  ", g.indent) + "}")
	})
}

func (g *gen) statement(d int) {
	if d < 0 {
		d = 0
	}
	switch g.n(24) {
	case 0, 1, 2, 3, 4:
		g.let(d)
	case 5, 6, 7:
		g.assign(d)
	case 8, 9:
		g.print(d)
	case 10, 11:
		g.change(d)
	case 12:
		if d > 0 {
			g.ifStmt(d - 1)
			return
		}
		g.print(d)
	case 13, 14:
		if d > 0 && g.nested < 2 {
			g.loop(d - 1)
			return
		}
		g.change(d)
	case 15:
		if d > 0 {
			g.line("%s", g.text(func() { g.match(nil, d-1) }))
			return
		}
		g.assign(d)
	case 16, 17:
		if d > 0 {
			g.try(d - 1)
			return
		}
		g.assign(d)
	case 18:
		g.throwOrLeave(d)
	case 19:
		if g.nested == 0 && d > 0 && !g.deferred && g.yields == nil {
			g.deferStmt(d - 1)
			return
		}
		g.print(d)
	case 20:
		g.callStmt(d)
	case 21:
		g.assert(d)
	case 22, 23:
		g.yieldOrRun(d)
	}
}

func (g *gen) let(d int) {
	name, t := g.name("v"), g.randType(2)
	if g.chance(10) {
		a, b := g.randType(1), g.randType(1)
		n := g.name("v")
		g.line("let (%s, %s) = %s", name, n, g.exact(of(kTuple, a, b), d))
		g.declare(name, a, false)
		g.declare(n, b, false)
		return
	}
	if g.chance(8) {
		t = of(kFunc, tInt, tInt)
		g.line("let %s = counter(%s)", name, g.expr(tInt, d))
		g.declare(name, t, false)
		return
	}
	word := pick(g, "let", "var")
	if g.chance(3) && t.inferred() {
		g.line("%s %s = %s", word, name, g.exact(t, d))
	} else {
		g.line("%s %s: %s = %s", word, name, t, g.expr(t, d))
	}
	g.declare(name, t, word == "var")
}

var intOps = []string{"+", "-", "*", "&", "|", "^"}

// assign changes a variable or a field.
func (g *gen) assign(d int) {
	v := g.find(func(v *variable) bool { return v.mut && !v.locked })
	if v == nil {
		g.let(d)
		return
	}
	g.assignTo(v.name, v.typ, d)
}

func (g *gen) assignTo(place string, t *typ, d int) {
	if !g.chance(3) {
		switch t.kind {
		case kInt:
			switch g.n(4) {
			case 0:
				g.line("%s %s= %s", place, pick(g, intOps...), g.intLit())
			case 1:
				g.line("%s %s= %d", place, pick(g, "<<", ">>", "+", "-"), g.n(64))
			case 2:
				g.line("%s %s= %s", place, pick(g, "/", "%"), g.expr(tInt, d))
			case 3:
				g.line("%s %s= %s", place, pick(g, intOps...), g.expr(tInt, d))
			}
			return
		case kFloat:
			g.line("%s %s= %s", place, pick(g, "+", "-", "*", "/", "%"), g.expr(t, d))
			return
		case kStr:
			if !g.chance(3) && g.nested < 2 {
				g.line("%s += %s", place, g.expr(t, d))
				return
			}
		}
	}
	g.line("%s = %s", place, g.expr(t, d))
}

func (g *gen) print(d int) {
	var args []string
	for range 1 + g.n(3) {
		if len(g.vars) > 0 && g.chance(2) {
			args = append(args, pick(g, g.vars...).name)
		} else {
			args = append(args, g.exact(g.randType(2), d))
		}
	}
	g.line("print(%q, %s)", g.name("p"), strings.Join(args, ", "))
}

// change alters a collection or an object in place.
func (g *gen) change(d int) {
	v := g.find(func(v *variable) bool {
		switch v.typ.kind {
		case kList, kMap, kSet, kStruct, kBox:
			return !v.locked
		}
		return false
	})
	if v == nil {
		g.let(d)
		return
	}
	switch v.typ.kind {
	case kList:
		e := v.typ.elem()
		switch g.n(7) {
		case 0, 1:
			g.line("%s.push(%s)", v.name, g.expr(e, d))
		case 2:
			g.line("%s.insert(0, %s)", v.name, g.expr(e, d))
		case 3:
			g.line("let _ = %s.%s", v.name, pick(g, "pop()", "remove(0)"))
		case 4:
			g.line("%s.%s", v.name, pick(g, "clear()", "swap(0, 1)", "truncate(2)", fmt.Sprintf("fill(%s)", g.expr(e, d)), fmt.Sprintf("extend(%s)", g.expr(v.typ, d))))
		default:
			g.assignTo(fmt.Sprintf("%s[%s]", v.name, g.index(d)), e, d)
		}
	case kMap:
		k := g.expr(v.typ.elems[0], d)
		switch g.n(4) {
		case 0:
			g.line("let _ = %s.remove(%s)", v.name, k)
		case 1:
			g.line("%s[%s] = %s", v.name, k, g.expr(v.typ.elems[1], d))
		case 2:
			g.line("%s.update(%s)", v.name, g.expr(v.typ, d))
		case 3:
			g.assignTo(fmt.Sprintf("%s[%s]", v.name, k), v.typ.elems[1], d)
		}
	case kSet:
		g.line("let _ = %s.%s(%s)", v.name, pick(g, "add", "remove", "add"), g.expr(v.typ.elem(), d))
	case kBox:
		g.assignTo(v.name+".value", v.typ.elem(), d)
	case kStruct:
		for _, f := range v.typ.decl.fields {
			if !f.fixed && g.chance(2) {
				g.assignTo(v.name+"."+f.name, f.typ, d)
				return
			}
		}
		g.print(d)
	}
}

func (g *gen) ifStmt(d int) {
	if g.chance(4) {
		if s := g.narrowing(d); s != "" {
			g.line("%s", s)
			return
		}
	}
	s := "if " + g.condition(d)
	for range g.n(3) {
		s += " else if " + g.condition(d)
	}
	if g.chance(2) {
		s += " else " + g.braces(func() { g.statements(1+g.n(2), d) })
	}
	g.line("%s", s)
}

// condition returns a condition and the block it governs.
func (g *gen) condition(d int) string {
	if g.chance(5) {
		if v := g.find(func(v *variable) bool { return v.typ.kind == kOptional && (v.mut || v.field) }); v != nil {
			name, t, from := g.name("v"), v.typ.elem(), v.name
			return "let " + name + " = " + from + " " + g.braces(func() {
				g.declare(name, t, false)
				g.statements(1+g.n(2), d)
			})
		}
	}
	return g.expr(tBool, d) + " " + g.braces(func() { g.statements(1+g.n(2), d) })
}

// narrowing writes an if in whose block flow typing gives a variable another
// type; "" if there is no variable for it.
func (g *gen) narrowing(d int) string {
	v := g.find(func(v *variable) bool {
		return (v.typ.kind == kOptional || v.typ.kind == kAny) && !v.mut && !v.field
	})
	if v == nil {
		return ""
	}
	name, test := v.name, "!= none"
	var narrow *typ
	if v.typ.kind == kAny {
		narrow = g.testedType()
		test = "is " + narrow.String()
	} else {
		narrow = v.typ.elem()
	}
	var body string
	g.retype(name, narrow, func() {
		body = g.braces(func() { g.statements(1+g.n(2), d) })
	})
	return "if " + name + " " + test + " " + body
}

// retype runs f with another type for the variables of a name.
func (g *gen) retype(name string, t *typ, f func()) {
	was := map[int]*typ{}
	for i := range g.vars {
		if v := &g.vars[i]; v.name == name {
			was[i] = v.typ
			v.typ = t
		}
	}
	f()
	for i, t := range was {
		g.vars[i].typ = t
	}
}

// loop writes a loop that ends.
func (g *gen) loop(d int) {
	label, head := "", ""
	if g.chance(3) {
		label = g.name("l")
		head = "'" + label + ": "
	}
	body := func(name string, t *typ, extra ...string) string {
		g.loops = append(g.loops, label)
		g.nested++
		s := g.braces(func() {
			for _, x := range extra {
				g.line("%s", x)
			}
			if t != nil {
				g.declare(name, t, false)
			}
			g.statements(1+g.n(3), d)
		})
		g.loops = g.loops[:len(g.loops)-1]
		g.nested--
		return s
	}
	x := g.name("x")
	switch g.n(10) {
	case 0, 1:
		g.line("%sfor %s in %s %s", head, x, g.bounds(), body(x, tInt))
	case 2:
		g.line("%sfor %s in id(%s)%s %s", head, x, g.bounds(), pick(g, "", ".reverse()", ".step_by(2)"), body(x, tInt))
	case 3:
		g.line("var %s = %d", x, 2+g.n(3))
		g.line("%swhile %s > 0 %s", head, x, body(x, tInt, x+" -= 1"))
	case 4:
		g.line("var %s = 0", x)
		g.line("%sloop %s", head, body(x, tInt, x+" += 1", fmt.Sprintf("if %s > %d { break }", x, 1+g.n(4))))
	case 5:
		g.line("%sfor %s in Countdown(%d) %s", head, x, g.n(4), body(x, tInt))
	case 6:
		g.line("%sfor %s, %s in %s %s", head, g.name("i"), x, g.operand(tStr, d), body(x, tStr))
	case 7:
		if v := g.findKind(kMap); v != nil {
			k := g.name("k")
			was := v.locked
			i := g.lock(v, true)
			g.line("%sfor %s, %s in %s %s", head, k, x, v.name, body(x, v.typ.elems[1], "print("+k+")"))
			g.vars[i].locked = was
			return
		}
		g.line("%sfor %s in set<int>(%s) %s", head, x, g.elems(tInt, d), body(x, tInt))
	case 8:
		if v := g.findKind(kList); v != nil {
			was := v.locked
			i := g.lock(v, true)
			g.line("%sfor %s in %s %s", head, pick(g, x, g.name("i")+", "+x), v.name, body(x, v.typ.elem()))
			g.vars[i].locked = was
			return
		}
		fallthrough
	case 9:
		t := g.randType(1)
		g.line("%sfor %s in %s %s", head, x, g.list(t, d), body(x, t))
	}
}

// lock marks a variable in place and gives its index.
func (g *gen) lock(v *variable, locked bool) int {
	for i := range g.vars {
		if &g.vars[i] == v {
			g.vars[i].locked = locked
			return i
		}
	}
	return 0
}

func (g *gen) try(d int) {
	s := "try " + g.braces(func() { g.statements(1+g.n(4), d) })
	if g.chance(3) {
		e := g.name("e")
		s += fmt.Sprintf(" catch %s: %s ", e, pick(g, "Bad", "IndexError", "DivisionError", "NoneError", "KeyError", "CastError"))
		s += g.braces(func() {
			g.line("print(\"typed\", %s.message())", e)
			g.statements(g.n(2), d)
		})
	}
	e := g.name("e")
	s += " catch " + e + " " + g.braces(func() {
		g.line("print(\"caught\", %s.message())", e)
		g.statements(g.n(2), d)
		if g.chance(8) {
			g.line("throw %s", e)
		}
	})
	g.line("%s", s)
}

// throwOrLeave throws, returns or leaves a loop when a condition holds.
func (g *gen) throwOrLeave(d int) {
	switch {
	case len(g.loops) > 0 && !g.chance(3):
		g.line("if %s { %s }", g.expr(tBool, d), g.jump())
	case g.result != nil && g.chance(2) && !g.deferred:
		g.line("if %s { return %s }", g.unlikely(d), g.expr(g.result, d))
	case g.yields != nil && g.chance(3):
		g.line("if %s { return }", g.unlikely(d))
	default:
		g.line("if %s { throw %s }", g.unlikely(d), g.error(d))
	}
}

func (g *gen) deferStmt(d int) {
	loops, nested := g.loops, g.nested
	g.loops, g.nested, g.deferred = nil, 1, true
	g.line("defer %s", g.braces(func() { g.statements(1+g.n(2), d) }))
	g.loops, g.nested, g.deferred = loops, nested, false
}

// callStmt calls a function for what it does.
func (g *gen) callStmt(d int) {
	if len(g.funcs) == 0 {
		g.print(d)
		return
	}
	f := pick(g, g.funcs...)
	call := g.call(f, d)
	if f.result == nil {
		g.line("%s", call)
	} else {
		g.line("print(%q, %s)", f.name, call)
	}
}

func (g *gen) assert(d int) {
	t := pick(g, tInt, tStr, tFloat)
	g.line("try { assert(%s %s %s) } catch e { print(e.message()) }", g.operand(t, d), g.comparison(), g.operand(t, d))
}
