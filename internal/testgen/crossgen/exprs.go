package crossgen

import (
	"fmt"
	"slices"
	"strings"
)

// expr makes an expression for a place where a value of type t is expected, at
// most d deep.
func (g *gen) expr(t *typ, d int) *node {
	if g.budget--; g.budget < 0 {
		d = min(d, 0)
	}
	for range 3 {
		if n := g.attempt(t, d); n != nil {
			return n
		}
	}
	return g.leaf(t)
}

// exact makes an expression that is of type t without being told.
func (g *gen) exact(t *typ, d int) *node { return exactly(g.expr(t, d)) }

func exactly(n *node) *node {
	if n.free {
		return n
	}
	return cat(n.typ, true, "id<"+n.typ.String()+">(", n, ")")
}

func (g *gen) attempt(t *typ, d int) *node {
	if d <= 0 {
		if g.chance(3) {
			return nil
		}
		return g.findType(t)
	}
	switch g.n(20) {
	case 0, 1, 2, 3:
		return g.findType(t)
	case 4, 5:
		return g.branching(t, d-1)
	case 6:
		return g.concurrent(t, d-1)
	case 7, 8:
		return g.coerced(t, d-1)
	case 9, 10:
		return g.fromRows(g.own[t.head], t, d)
	case 11, 12, 13:
		return g.fromRows(g.cat.generic, t, d)
	case 14, 15:
		return g.literal(t, d)
	}
	return g.fromRows(g.cat.byHead[t.head], t, d)
}

// fromRows uses one of the rows for a value of type t.
func (g *gen) fromRows(rows []*row, t *typ, d int) *node {
	for range min(4, len(rows)) {
		if n := g.use(pick(g, rows...), t, d-1); n != nil {
			return n
		}
	}
	return nil
}

// use makes an expression of a row; t may be nil for any type.
func (g *gen) use(r *row, t *typ, d int) *node {
	b := binding{}
	if t != nil && !b.bind(r.result, t) || g.quiet && r.loud {
		return nil
	}
	for _, p := range r.tparams {
		if b[p.name] == nil {
			b[p.name] = g.boundedType(p.bound)
		}
		if !g.satisfies(b[p.name], p.bound) {
			return nil
		}
	}
	for _, p := range r.params {
		if !g.wellFormed(b.of(p.typ)) {
			return nil
		}
	}
	if res := b.of(r.result); !g.wellFormed(res) && res.head != "unit" {
		return nil
	}
	g.loud = g.loud || r.loud
	if r.shape {
		return g.useShape(r, b, d)
	}
	return g.useCall(r, b, d)
}

func (g *gen) useShape(r *row, b binding, d int) *node {
	n := cat(b.of(r.result), true)
	text := r.text
	for _, p := range r.tparams {
		text = strings.ReplaceAll(text, p.name+"?", mk("opt", b[p.name]).String())
		text = strings.ReplaceAll(text, p.name, b[p.name].String())
	}
	for i, p := range r.params {
		before, after, _ := strings.Cut(text, fmt.Sprintf("{%d}", i))
		n.add(before)
		switch t := b.of(p.typ); {
		case i > 0 && t.head == "int" && strings.Contains(r.text, "["):
			n.add(g.small(d))
		default:
			n.add(g.exact(t, d))
		}
		text = after
	}
	n.add(text)
	return n
}

func (g *gen) useCall(r *row, b binding, d int) *node {
	t := b.of(r.result)
	free := true
	n := cat(t, true)
	params := r.params
	if r.member {
		n.add(g.receiver(b.of(params[0].typ), d))
		params = params[1:]
	}
	n.add(r.text)
	infer := g.chance(3) && inferable(r, params, b)
	if len(r.tparams) > 0 && !r.member && len(r.written) == 0 { // a variant of a generic enum
		free = false
	}
	if len(r.written) > 0 && !infer {
		var args []*typ
		for _, name := range r.written {
			args = append(args, b["$"+name])
		}
		n.add("<" + join(args) + ">")
	}
	if r.value {
		n.free = free
		return g.shortened(r, n)
	}
	n.add("(", g.arguments(r, params, b, d, infer), ")")
	n.free = free
	return g.shortened(r, n)
}

// shortened keeps iterators short, of which some have no end.
func (g *gen) shortened(r *row, n *node) *node {
	if r.library && n.typ.head == "Iterator" && g.chance(2) {
		return cat(n.typ, n.free, n, fmt.Sprintf(".take(%d)", g.n(6)))
	}
	return n
}

// inferable reports whether arguments that are no functions tell all type parameters.
func inferable(r *row, params []param, b binding) bool {
	for _, name := range r.written {
		// An integer literal may be a float yet.
		if b["$"+name].contains(func(h string) bool { return h == "int" }) || !slices.ContainsFunc(params, func(p param) bool {
			return !p.optional && p.typ.head != "fn" && p.typ.contains(func(h string) bool { return h == "$"+name })
		}) {
			return false
		}
	}
	return true
}

func (g *gen) receiver(t *typ, d int) *node { return g.exact(t, d) }

// arguments fills parameters: some by name, defaults left out.
func (g *gen) arguments(r *row, params []param, b binding, d int, infer bool) []*node {
	var args []*node
	named := false
	for _, p := range params {
		if p.optional && g.chance(2) {
			named = true
			continue
		}
		if named && p.name == "" {
			break
		}
		t := b.of(p.typ)
		var x *node
		switch {
		case t.head == "int" && p.typ.head == "int" && r.library && !unbounded(r.name):
			x = g.small(d)
		case infer && p.typ.contains(func(h string) bool { return h[0] == '$' }):
			x = g.exact(t, d)
		default:
			x = g.expr(t, d)
		}
		named = named || p.name != "" && g.chance(12)
		if named {
			x = cat(nil, false, p.name+": ", x)
		}
		args = append(args, x)
	}
	return args
}

// unbounded reports whether a function does no more work for a large number.
func unbounded(name string) bool {
	return begins(name, []string{"math", "int", "time", "sync", "range", "rand"})
}

// small is an int that is small in nearly all cases: a count, an index.
func (g *gen) small(d int) *node {
	switch {
	case d <= 0 || g.chance(2):
		return cat(tInt, true, fmt.Sprint(g.n(6)))
	case g.chance(40):
		return cat(tInt, true, "id(", g.exact(tInt, d), ")") // a known index below 0 is an error
	}
	return cat(tInt, true, "(", g.exact(tInt, d), " & 3)")
}

// coerced makes an expression of another type that is taken for t.
func (g *gen) coerced(t *typ, d int) *node {
	switch t.head {
	case "float":
		return &node{typ: t, parts: []any{pick(g, "1", "0", "7", "(-3)")}}
	case "opt":
		if t.args[0].head != "opt" {
			return cat(t, false, g.expr(t.args[0], d))
		}
	case "any":
		u := g.randType(2)
		if u.head == "any" || u.head == "opt" {
			u = tStr
		}
		return cat(t, false, g.exact(u, d))
	case "Sized":
		u := mk("Box", g.leafType())
		for _, dc := range g.types {
			if dc.sized && g.chance(2) {
				u = mk(dc.name)
			}
		}
		return cat(t, false, g.exact(u, d))
	case "Error":
		return cat(t, false, g.thrown(d))
	case "Iterator":
		if g.chance(2) {
			return cat(t, false, g.exact(mk("Steps", t.args[0]), d))
		}
		if t.args[0].head == "int" {
			return cat(t, false, g.exact(mk("Countdown"), d))
		}
	}
	return nil
}

// thrown is an error.
func (g *gen) thrown(d int) *node {
	switch g.n(4) {
	case 0:
		return cat(nil, true, "error(", g.expr(tStr, d), ")")
	case 1:
		return cat(nil, true, "Worse([", g.expr(tStr, d), "], ", g.expr(tAny, d), ")")
	case 2:
		return cat(nil, true, pick(g, "ValueError", "IndexError", "KeyError", "Closed", "Timeout", "IoError"), "(", g.expr(tStr, d), ")")
	}
	return cat(nil, true, "Bad(", g.expr(tInt, d), ")")
}

// unlikely is a condition that seldom holds.
func (g *gen) unlikely(d int) *node {
	return cat(tBool, true, g.exact(tInt, d), fmt.Sprintf(" & 15 == %d", g.n(16)))
}

// arm is a block with a value.
func (g *gen) arm(t *typ, d int) *node {
	return g.block(func() { g.body(t, d) })
}

// body emits statements and the value behind them.
func (g *gen) body(t *typ, d int) {
	if d > 0 && g.chance(3) {
		g.statements(1+g.n(2), d-1)
	}
	if t.head == "unit" {
		g.statement(d - 1)
		return
	}
	g.emit(g.expr(t, d))
}

// branching returns a control structure of type t, in parentheses.
func (g *gen) branching(t *typ, d int) *node {
	paren := func(parts ...any) *node {
		n := cat(t, false, "(")
		n.add(parts...)
		n.add(")")
		return n
	}
	leave := func() *node {
		switch {
		case len(g.loops) > 0 && g.chance(2):
			n := cat(nil, false, "{ "+g.jump()+" }")
			n.jumps = true
			return n
		case g.result != nil && g.result.head != "unit" && g.chance(2) && !g.deferred:
			n := cat(nil, false, "{ return ", g.expr(g.result, d), " }")
			n.jumps = true
			return n
		}
		return cat(nil, false, "{ throw ", g.thrown(d), " }")
	}
	switch g.n(9) {
	case 0, 1:
		return paren("if ", g.expr(tBool, d), " ", g.arm(t, d), " else ", g.arm(t, d))
	case 2:
		return paren("if ", g.unlikely(d), " ", leave(), " else ", g.arm(t, d))
	case 3:
		return paren("try ", g.arm(t, d), g.catches(func() *node { return g.arm(t, d) }))
	case 4, 5:
		return paren(g.match(t, d))
	case 6:
		u := g.randType(1)
		name := g.name("v")
		n := cat(nil, false, "if let "+name+" = ", g.whole(mk("opt", u), d), " ")
		if u.head == "any" {
			return nil
		}
		g.scope(func() {
			g.declare(name, u, false)
			g.conditions(n, d)
			n.add(g.arm(t, d))
		})
		n.add(" else ", g.arm(t, d))
		return paren(n)
	case 7:
		n := g.lambda(mk("fn", t), d, true)
		return cat(t, true, "(", n, ")()")
	}
	return cat(t, true, "attempt<"+t.String()+">(", g.lambda(mk("fn", t), d, false), ", ", g.expr(t, d), ")")
}

// catches writes one or two clauses; the last one takes every error.
func (g *gen) catches(body func() *node) *node {
	n := cat(nil, false)
	if g.chance(3) {
		e := g.name("e")
		name := pick(g, g.cat.thrown...)
		g.scope(func() {
			g.declare(e, mk(name), false)
			n.add(" catch "+e+": "+name+" ", body())
		})
	}
	e := g.name("e")
	g.scope(func() {
		g.declare(e, tError, false)
		n.add(" catch "+e+" ", body())
	})
	return n
}

// jump leaves or continues a loop around.
func (g *gen) jump() string {
	word := pick(g, "break", "continue")
	if l := pick(g, g.loops...); l != "" {
		return word + " '" + l
	}
	if last := g.loops[len(g.loops)-1]; last != "" {
		return word + " '" + last
	}
	return word
}

// lambda makes a function: a literal, whose types are written when it is to be
// free, or one that has a name.
func (g *gen) lambda(t *typ, d int, typed bool) *node {
	if !typed && g.chance(4) {
		if n := g.functionValue(t, d); n != nil {
			return n
		}
	}
	n := cat(t, typed, "|")
	g.with(func(v *variable) bool { return !v.bound }, t.result(), func() {
		for i, p := range t.params() {
			if i > 0 {
				n.add(", ")
			}
			if p.head == "tuple" && g.chance(2) {
				n.add(g.apart(p, 2))
			} else {
				name := g.name("a")
				g.declare(name, p, false)
				n.add(name)
			}
			if typed {
				n.add(": " + p.String())
			}
		}
		n.add("| ")
		unit := t.result().head == "unit"
		if typed && !unit {
			n.add("-> " + t.result().String() + " ")
		}
		if typed || unit || g.chance(3) {
			n.add(g.arm(t.result(), d))
		} else {
			n.add(g.expr(t.result(), d))
		}
	})
	n.jumps, n.bound = false, false
	return n
}

// functionValue is a function or method of that type by its name.
func (g *gen) functionValue(t *typ, d int) *node {
	rows := slices.Concat(g.cat.byType[t.String()], g.all)
	for range min(12, len(rows)) {
		r := pick(g, rows...)
		if len(r.tparams) > 0 || r.shape || r.value || r.name == r.result.head || g.quiet && r.loud || functionType(r) != t.String() {
			continue
		}
		g.loud = g.loud || r.loud
		if r.member {
			return cat(t, true, g.exact(r.params[0].typ, d-1), r.text)
		}
		return cat(t, true, r.text)
	}
	return nil
}

// functionType is the type of a row as a value, as text.
func functionType(r *row) string {
	t := mk("fn")
	for i, p := range r.params {
		if i > 0 || !r.member {
			t.args = append(t.args, p.typ)
		}
	}
	t.args = append(t.args, r.result)
	return t.String()
}
