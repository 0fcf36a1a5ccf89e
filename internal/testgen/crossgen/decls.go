package crossgen

import "fmt"

func (g *gen) declarations(size int) {
	for range 1 + g.n(2) + size {
		g.structDecl()
		if g.chance(2) {
			g.enumDecl()
		}
	}
	for range 2 + g.n(3) + size*2 {
		g.funcDecl(nil)
	}
	for range 1 + g.n(2) + size {
		g.generator()
	}
}

// offer makes a row known.
func (g *gen) offer(r *row) {
	r.rank = 1
	g.own[r.result.head] = append(g.own[r.result.head], r)
	g.all = append(g.all, r)
}

func (g *gen) structDecl() {
	d := &decl{name: g.name("S"), sized: g.chance(2)}
	key := g.chance(4) // it may be a key
	self := mk(d.name)
	n := cat(nil, false, "struct "+d.name+" {", open)
	make := &row{name: d.name, text: d.name, result: self, makes: true}
	for i := range 1 + g.n(4) {
		g.budget = 20
		f := param{g.name("f"), g.randType(2), g.chance(4) || i > 0 && d.fields[i-1].optional}
		fixed := key || g.chance(5)
		if key {
			f.typ = g.keyType()
		}
		if fixed {
			n.add("let ")
		}
		n.add(f.name + ": " + f.typ.String())
		if f.optional {
			x := g.expr(f.typ, 1)
			freeze(x)
			n.add(" = ", x)
		}
		n.add(next)
		d.fields = append(d.fields, f)
		d.fixed = append(d.fixed, fixed)
		make.params = append(make.params, f)
	}
	g.types = append(g.types, d)
	g.decls[d.name] = d
	g.offer(make)
	for _, f := range d.fields {
		g.offer(&row{name: d.name + "." + f.name, text: "." + f.name, member: true, value: true, params: []param{{"", self, false}}, result: f.typ})
	}
	if d.sized {
		n.add("fn size() -> int ", g.method(self, tInt), next)
	}
	for range g.n(3) {
		g.funcDecl(n)
	}
	n.add(shut, "}")
	g.items = append(g.items, n)
}

// method is a body in which there is a self.
func (g *gen) method(self, result *typ) *node {
	var n *node
	g.with(func(*variable) bool { return true }, result, func() {
		g.declare("self", self, false)
		n = g.block(func() { g.body(result, 2) })
	})
	g.vars = nil
	return n
}

func (g *gen) enumDecl() {
	d := &decl{name: g.name("E")}
	self := mk(d.name)
	n := cat(nil, false, "enum "+d.name+" {", open)
	simple := g.chance(3)
	for i := range 2 + g.n(4) {
		r := &row{name: d.name + "." + g.name("V"), value: true, result: self, makes: true}
		r.text = r.name
		n.add(r.name[len(d.name)+1:])
		if i > 0 && !simple && !g.chance(3) {
			r.value = false
			n.add("(")
			for j := range 1 + g.n(3) {
				p := param{g.name("f"), g.randType(1), false}
				if j > 0 {
					n.add(", ")
				}
				n.add(p.name + ": " + p.typ.String())
				r.params = append(r.params, p)
			}
			n.add(")")
		}
		n.add(next)
		d.variants = append(d.variants, r)
	}
	n.add(shut, "}")
	g.items = append(g.items, n)
	g.types = append(g.types, d)
	g.decls[d.name] = d
	for _, r := range d.variants {
		g.offer(r)
		r.rank = len(r.params) + 1
	}
}

// funcDecl writes a function, or a method into the struct in.
func (g *gen) funcDecl(in *node) {
	g.budget = 40
	r := &row{name: g.name("fun"), result: tUnit}
	r.text = r.name
	g.vars = nil
	if in != nil {
		d := g.types[len(g.types)-1]
		g.declare("self", mk(d.name), false)
		r.name, r.text, r.member = d.name+"."+r.name, "."+r.name, true
		r.params = append(r.params, param{"", mk(d.name), false})
	}
	n := cat(nil, false, "fn ", fmt.Sprintf("%s(", r.text[len(r.text)-len(lastName(r.text)):]))
	own := 0
	for range g.n(4) {
		p := param{g.name("p"), g.randType(2), own > 0 && (g.chance(4) || r.params[len(r.params)-1].optional)}
		if own > 0 {
			n.add(", ")
		}
		own++
		n.add(p.name + ": " + p.typ.String())
		if p.optional {
			vars := g.vars
			g.vars = nil
			x := g.expr(p.typ, 1)
			freeze(x)
			n.add(" = ", x)
			g.vars = vars
		}
		r.params = append(r.params, p)
	}
	for _, p := range r.params {
		if p.name != "" {
			g.declare(p.name, p.typ, false)
		}
	}
	n.add(")")
	if !g.chance(6) {
		r.result = g.randType(2)
		n.add(" -> " + r.result.String())
	}
	loud, quiet := g.loud, g.quiet
	g.loud, g.quiet = false, g.chance(2)
	g.result, g.loops, g.nested = r.result, nil, 0
	n.add(" ", g.block(func() {
		g.statements(1+g.n(4), 2)
		g.body(r.result, 3)
	}))
	r.loud = g.loud
	g.loud, g.quiet = loud, quiet
	g.result, g.vars = nil, nil
	if in != nil {
		in.add(n, next)
	} else {
		g.items = append(g.items, n)
	}
	g.offer(r)
}

func lastName(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}
