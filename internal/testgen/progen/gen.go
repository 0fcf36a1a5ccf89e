package progen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program makes the program of a seed.
func Program(seed uint64) string {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x52756e6e656c))}
	g.out.WriteString(preamble)
	g.declarations()
	g.script()
	return g.out.String()
}

// gen is the state of one program's generation. Statements are written to out
// as they are made, expressions are returned as text.
type gen struct {
	r      *rand.Rand
	out    strings.Builder
	indent int
	count  int // of names handed out

	decls []*decl
	funcs []*function
	gens  []*function // generators: the result is of their elements
	vars  []variable  // in scope

	result   *typ      // of the function around, nil at top level
	yields   *typ      // elements of the generator around, nil in other functions
	self     *function // the recursive function around
	calls    int       // recursive calls it may still make
	loops    []string  // labels of the loops around, "" for none
	nested   int       // loops around, function boundaries aside
	deferred bool      // in a deferred statement
}

// variable is something that can be read by its name: a variable, or a field
// of self.
type variable struct {
	name   string
	typ    *typ
	mut    bool // may be assigned
	field  bool // no variable: flow typing does not see it
	locked bool // being iterated: not to be changed
}

func (g *gen) n(n int) int { return g.r.IntN(n) }

// chance is true once in n times.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *gen) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

func pick[T any](g *gen, list ...T) T { return list[g.n(len(list))] }

// line writes one line.
func (g *gen) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

// text is what f writes, as part of an expression.
func (g *gen) text(f func()) string {
	saved := g.out
	g.out = strings.Builder{}
	f()
	s := g.out.String()
	g.out = saved
	return s
}

// scope runs f; what it declares goes out of scope.
func (g *gen) scope(f func()) {
	n := len(g.vars)
	g.indent++
	f()
	g.indent--
	g.vars = g.vars[:n]
}

func (g *gen) declare(name string, t *typ, mut bool) {
	g.vars = append(g.vars, variable{name: name, typ: t, mut: mut})
}

// function runs f as the body of a function with the given result.
func (g *gen) function(result *typ, f func()) {
	loops, r, y, nested := g.loops, g.result, g.yields, g.nested
	g.loops, g.result, g.yields = nil, result, nil
	f()
	g.loops, g.result, g.yields, g.nested = loops, r, y, nested
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
	// Later ones are used more.
	if len(found) > 4 && g.n(2) == 0 {
		found = found[len(found)-4:]
	}
	return pick(g, found...)
}

func (g *gen) findType(t *typ) *variable {
	return g.find(func(v *variable) bool { return same(v.typ, t) })
}

func (g *gen) findKind(k kind) *variable {
	return g.find(func(v *variable) bool { return v.typ.kind == k })
}
