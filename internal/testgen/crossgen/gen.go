package crossgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is a generated program.
type Program struct {
	seed  uint64
	items []*node
}

// New makes the program of a seed. A size of 1 gives some 150 lines behind the
// preamble, 10 ten times as many.
func New(c *Catalogue, seed uint64, size int) *Program {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x63726f7373)), cat: c, decls: map[string]*decl{}, own: map[string][]*row{}}
	g.declarations(size)
	g.script(size)
	return &Program{seed, g.items}
}

// Text is the program as it was generated.
func (p *Program) Text() string { return p.text(&writer{}) }

// Wrapped is a program that does the same, in which expressions take other
// ways: through functions, closures, tasks, actors, channels and objects.
func (p *Program) Wrapped() string {
	return p.text(&writer{r: rand.New(rand.NewPCG(p.seed, 0x77726170)), rate: 6})
}

func (p *Program) text(w *writer) string { return prepared(p.body(w)) }

func (p *Program) body(w *writer) string {
	for _, n := range p.items {
		w.write(n)
		w.out.WriteByte('\n')
	}
	return w.out.String()
}

// gen is the state of one program's generation.
type gen struct {
	r      *rand.Rand
	cat    *Catalogue
	items  []*node
	stmts  []*node // of the block around
	count  int     // of names handed out
	budget int     // expressions that the statement may still have

	decls map[string]*decl // by name
	types []*decl
	own   map[string][]*row
	all   []*row // of the program's own declarations
	vars  []variable

	result   *typ     // of the function around, nil where nothing is returned
	loops    []string // labels of the loops around, "" for none
	nested   int      // loops around, function boundaries aside
	deferred bool     // in a deferred statement
	quiet    bool     // in a task beside others: nothing is done that others see
	loud     bool     // something was written that others see
	reacts   bool     // in a graph of cells, or a store
}

// variable is what can be read by its name.
type variable struct {
	name  string
	typ   *typ
	mut   bool // a var
	fixed bool // a var that is not to be assigned
	bound bool // of a lock: no closure may capture it
}

// decl is a struct or enum of the program.
type decl struct {
	name     string
	fields   []param // of a struct
	fixed    []bool
	variants []*row
	sized    bool
}

func (g *gen) n(n int) int { return g.r.IntN(n) }

// chance is true once in n times.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *gen) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

func pick[T any](g *gen, list ...T) T { return list[g.n(len(list))] }

func (g *gen) emit(parts ...any) { g.stmts = append(g.stmts, cat(nil, false, parts...)) }

// scope runs f; what it declares goes out of scope.
func (g *gen) scope(f func()) {
	n := len(g.vars)
	f()
	g.vars = g.vars[:n]
}

// block makes { ... } of the statements that f emits.
func (g *gen) block(f func()) *node {
	saved := g.stmts
	g.stmts = nil
	g.scope(f)
	n := cat(nil, false, "{")
	for i, s := range g.stmts {
		l := next
		if i == 0 {
			l = open
		}
		n.add(l, s)
	}
	g.stmts = saved
	if len(n.parts) == 1 {
		n.add(" }")
	} else {
		n.add(shut, "}")
	}
	return n
}

func (g *gen) declare(name string, t *typ, mut bool) {
	g.vars = append(g.vars, variable{name: name, typ: t, mut: mut})
}

// with runs f with those of the variables that pass, as the body of another
// function.
func (g *gen) with(passes func(v *variable) bool, result *typ, f func()) {
	vars, loops, nested, r := g.vars, g.loops, g.nested, g.result
	g.vars = nil
	for i := range vars {
		if passes(&vars[i]) {
			g.vars = append(g.vars, vars[i])
		}
	}
	g.loops, g.result = nil, result
	f()
	g.vars, g.loops, g.nested, g.result = vars, loops, nested, r
}

// find returns a random variable that fits, nil if there is none.
func (g *gen) find(fits func(v *variable) bool) *variable {
	var found []*variable
	for i := range g.vars {
		if fits(&g.vars[i]) {
			found = append(found, &g.vars[i])
		}
	}
	if len(found) == 0 {
		return nil
	}
	if len(found) > 4 && g.n(2) == 0 { // later ones are used more
		found = found[len(found)-4:]
	}
	return pick(g, found...)
}

func (g *gen) read(v *variable) *node {
	n := cat(v.typ, true, v.name)
	n.bound = v.bound
	return n
}

func (g *gen) findType(t *typ) *node {
	if v := g.find(func(v *variable) bool { return same(v.typ, t) }); v != nil {
		return g.read(v)
	}
	return nil
}

// ---- types ----

func (g *gen) allArgs(t *typ, holds func(*typ) bool) bool {
	for _, a := range t.args {
		if !holds(a) {
			return false
		}
	}
	return true
}

func (g *gen) hashable(t *typ) bool { return g.plain(t, true) }
func (g *gen) ordered(t *typ) bool  { return g.plain(t, false) }

// plain reports whether a type is a number, text, or a tuple, enum or, if they may
// be, a struct that does not change, of these.
func (g *gen) plain(t *typ, structs bool) bool {
	switch t.head {
	case "int", "float", "bool", "str", "bytes", "duration":
		return true
	case "tuple":
		return g.allArgs(t, func(a *typ) bool { return g.plain(a, structs) })
	case "Color":
		return true
	case "Vec":
		return structs
	}
	d := g.decls[t.head]
	if d == nil || d.variants == nil && !structs {
		return false
	}
	for i, f := range d.fields {
		if !d.fixed[i] || !g.plain(f.typ, structs) {
			return false
		}
	}
	for _, v := range d.variants {
		for _, p := range v.params {
			if !g.plain(p.typ, structs) {
				return false
			}
		}
	}
	return true
}

func (g *gen) satisfies(t *typ, bound string) bool {
	switch bound {
	case "":
		return t.head != "unit" && t.head != "never"
	case "Ordered":
		return g.ordered(t)
	case "Hashable":
		return g.hashable(t)
	case "AddOp":
		return t.head == "Vec" || t.head == "Many"
	case "Number":
		return t.head == "int" || t.head == "float"
	case "Data":
		return t.head == "str" || t.head == "bytes"
	case "tested":
		return t.head != "any" && t.head != "opt" && t.head != "unit" && t.head != "never"
	}
	return false
}

// wellFormed reports whether the checker accepts a type.
func (g *gen) wellFormed(t *typ) bool {
	if t.head == "map" && !g.hashable(t.args[0]) || t.head == "set" && !g.hashable(t.args[0]) {
		return false
	}
	return t.valid() && g.allArgs(t, g.wellFormed)
}

// randType makes a random type at most d levels deep.
func (g *gen) randType(d int) *typ {
	if d <= 0 {
		return g.leafType()
	}
	switch g.n(20) {
	case 0, 1, 2:
		return mk("list", g.randType(d-1))
	case 3:
		return mk("map", g.keyType(), g.randType(d-1))
	case 4:
		return mk("set", g.keyType())
	case 5, 6:
		if t := g.randType(d - 1); t.head != "any" {
			return mk("opt", t)
		}
	case 7:
		t := mk("tuple")
		for range 2 + g.n(2) {
			t.args = append(t.args, g.randType(d-1))
		}
		return t
	case 8:
		t := mk("fn")
		for range g.n(3) {
			t.args = append(t.args, g.randType(d-1))
		}
		t.args = append(t.args, g.randType(d-1))
		return t
	case 9:
		return mk(pick(g, "Box", "Result", "Many", "Steps"), g.randType(d-1))
	case 10:
		return mk("Tree", g.leafType())
	case 11:
		return mk(pick(g, "task", "chan", "mutex", "Iterator", "Box"), g.randType(d-1))
	}
	return g.leafType()
}

func (g *gen) leafType() *typ {
	if len(g.types) > 0 && g.n(4) == 0 {
		return mk(pick(g, g.types...).name)
	}
	switch g.n(20) {
	case 0, 1, 2, 3:
		return tInt
	case 4, 5, 6:
		return tFloat
	case 7, 8:
		return tBool
	case 9, 10, 11:
		return tStr
	case 12:
		return tBytes
	case 13:
		return tDuration
	case 14:
		return tAny
	case 15:
		return tRange
	case 16:
		return mk("buffer")
	case 17:
		return mk(pick(g, "Sized", "Color", "Countdown", "Vec", "Vec"))
	case 18:
		return tError
	}
	return tInt
}

func (g *gen) keyType() *typ {
	for range 3 {
		if t := g.randType(1); g.hashable(t) {
			return t
		}
	}
	return pick(g, tStr, tInt)
}

func (g *gen) boundedType(bound string) *typ {
	for range 20 {
		if t := g.randType(1); g.satisfies(t, bound) {
			return t
		}
	}
	if g.satisfies(tStr, bound) {
		return tStr
	}
	return tInt
}

var unprinted = []string{"fn", "task", "chan", "mutex"}

// printable reports whether two runs show a value of the type in the same way.
func printable(t *typ) bool {
	return !t.contains(func(h string) bool {
		for _, u := range unprinted {
			if h == u {
				return true
			}
		}
		return strings.Contains(h, "$")
	})
}
