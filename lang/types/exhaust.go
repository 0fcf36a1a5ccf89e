package types

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Exhaustiveness after Maranget, "Warnings for pattern matching" (2007): the
// arms are rows of a matrix; a row is useful when some value matches it and no
// row above; a match is exhaustive when a row of wildcards is not useful, and
// the value it would match is the example to show.

// maxMatchSteps bounds how many rows the search looks at: it is exponential at worst.
const maxMatchSteps = 3_000_000

// maxColumns bounds how many columns the search goes into.
const maxColumns = 10_000

// pat is a pattern of the matrix; nil is a wildcard.
type pat struct {
	con  con
	args []*pat
	alts []*pat // an alternative, when not nil
}

type conKind uint8

const (
	conVariant conKind = iota
	conBool
	conNone
	conSome
	conTuple // also structs and (): the only constructor of its type
	conLit
	conRange
	conTest
	conList // of a length, or of at least one
)

// con is the head of a pattern.
type con struct {
	kind   conKind
	name   string // for the example
	tag    int
	total  int // how many heads the type has, 0 when they cannot be listed
	lit    Const
	lo, hi int64
	test   Type
	types  []Type // of its arguments
	// Of a list: how many elements stand before a `..`, and behind it. Without one all do
	// before.
	before, after int
	open          bool
}

// covers reports whether every value with head d matches head k.
func (k *con) covers(d *con) bool {
	switch k.kind {
	case conList:
		return d.kind == conList && k.coversList(d)
	case conRange:
		if d.kind == conRange {
			return k.lo <= d.lo && d.hi <= k.hi
		}
		v, ok := codeOf(d.lit)
		return d.kind == conLit && ok && k.lo <= v && v <= k.hi
	case conLit:
		return d.kind == conLit && k.lit == d.lit
	case conTest:
		return d.kind == conTest && k.tag == d.tag && Identical(k.test, d.test)
	}
	return k.kind == d.kind && k.tag == d.tag
}

type exhaust struct {
	c     *checker
	steps int
}

// exhaustive reports the values a match does not cover, and the arms that are
// never reached.
func (c *checker) exhaustive(e *syntax.Match, t Type) {
	if c.opts.At != 0 {
		return // what may stand at a place does not depend on it, and it may take long
	}
	x := &exhaust{c: c}
	pats := make([]*pat, len(e.Arms))
	var rows [][]*pat
	flat := len(e.Arms) > 0
	for i, arm := range e.Arms {
		pats[i] = x.lower(arm.Pattern, t, 0)
		flat = flat && isFlat(pats[i])
		if arm.Guard == nil {
			rows = append(rows, pats[i:i+1:i+1])
		}
	}
	var missing string
	var found bool
	if flat {
		missing, found = x.flat(e, pats, t)
	} else {
		missing, found = x.nested(e, pats, rows, t)
	}
	if !found {
		return
	}
	head := diag.Span{Start: e.Sp.Start, End: e.X.Span().End}
	if missing == tooHard {
		c.err(diag.NotExhaustive, head, "this `match` has too many combinations to see whether it covers all values").
			help("add an arm for the rest: `_ => ...`")
		return
	}
	d := c.err(diag.NotExhaustive, head, "this `match` does not cover `%s`", missing)
	names := c.missingNames(t, rows)
	if len(names) > 1 {
		d.note("not covered: %s", listed(names))
	}
	if missing == "_" {
		d.Message = "this `match` does not cover every `" + c.shown(t).String() + "`"
		d.help("add an arm for the rest: `_ => ...`")
	} else {
		d.help("add an arm for it, or `_ => ...` for everything else")
	}
	if len(e.Arms) > 0 {
		if last := e.Arms[len(e.Arms)-1]; last.Guard != nil {
			d.note("an arm with a guard does not count, as the guard may fail")
		}
	}
}

// tooHard is what the search gives that comes to no end.
const tooHard = ""

func (x *exhaust) unreachable(arm *syntax.MatchArm) {
	x.c.warn(diag.UnreachableArm, arm.Pattern.Span(), "this arm is never reached").
		note("the arms above it match everything it matches")
}

// nested finds the arms never reached, and an example of what no arm matches,
// by the matrix: rows holds the patterns of the arms without a guard.
func (x *exhaust) nested(e *syntax.Match, pats []*pat, rows [][]*pat, t Type) (missing string, found bool) {
	above := 0
	for i, arm := range e.Arms {
		if !x.useful(rows[:above], pats[i:i+1:i+1]) {
			x.unreachable(arm)
		}
		if arm.Guard == nil {
			above++
		}
	}
	x.steps = 0
	w, found := x.missing(rows, []Type{t}, 0)
	switch {
	case x.tired():
		return tooHard, true
	case !found:
		return "", false
	}
	return w[0], true
}

// missingNames lists the variants of an enum that no arm covers wholly.
func (c *checker) missingNames(t Type, rows [][]*pat) []string {
	n, ok := t.(*Named)
	if !ok || n.Decl.Kind != KEnum {
		return nil
	}
	x := &exhaust{c: c}
	var out []string
	for _, k := range x.constructors(t) {
		k := k
		spec := x.specialize(rows, &k)
		if _, miss := x.missing(spec, k.types, 0); miss {
			out = append(out, k.name)
		}
	}
	return out
}

// lower makes a pattern of the matrix.
func (x *exhaust) lower(p syntax.Pattern, t Type, depth int) *pat {
	info := x.c.info.Pats[p]
	if info == nil || depth > syntax.MaxDepth || Prune(t) == Type(Invalid) {
		return nil
	}
	inner := Prune(t)
	if info.Unwrap {
		if o, ok := optionalOf(inner); ok {
			inner = o
		}
	}
	var out *pat
	switch p := p.(type) {
	case *syntax.BindPattern:
		if info.Test != nil {
			out = &pat{con: con{kind: conTest, name: p.Name.Text + ": " + info.Test.String(), test: info.Test}}
		}
	case *syntax.LitPattern:
		switch lit := info.Lit.(type) {
		case nil:
			if _, ok := p.X.(*syntax.NoneLit); !ok {
				return nil
			}
			if Prune(t) == Type(Any) {
				return &pat{con: con{kind: conTest, test: Never}}
			}
			return &pat{con: noneCon()}
		case bool:
			out = &pat{con: boolCon(lit)}
		default:
			out = &pat{con: con{kind: conLit, lit: lit}}
		}
	case *syntax.RangePattern:
		out = &pat{con: con{kind: conRange, lo: info.Lo, hi: info.Hi}}
	case *syntax.TuplePattern:
		out = &pat{con: con{kind: conTuple, total: 1}}
		a, ok := appOf(inner, CTuple)
		if !ok || !p.Fits(len(a.Args)) {
			return nil
		}
		out.con.types = a.Args
		out.args = make([]*pat, len(a.Args))
		for i, e := range p.Elems {
			k := p.Part(i, len(a.Args))
			out.args[k] = x.lower(e, a.Args[k], depth+1)
		}
	case *syntax.ListPattern:
		out = x.lowerList(p, inner, depth)
		if out == nil {
			return nil
		}
	case *syntax.VariantPattern:
		out = x.lowerVariant(p, info, inner, depth)
	case *syntax.OrPattern:
		out = &pat{alts: []*pat{}}
		for _, a := range p.Alts {
			out.alts = append(out.alts, x.lower(a, t, depth+1))
		}
		return out
	}
	if info.Unwrap {
		return &pat{con: someCon(inner), args: []*pat{out}}
	}
	return out
}

func boolCon(b bool) con {
	if b {
		return con{kind: conBool, name: "true", tag: 1, total: 2}
	}
	return con{kind: conBool, name: "false", total: 2}
}

func (x *exhaust) lowerVariant(p *syntax.VariantPattern, info *PatInfo, t Type, depth int) *pat {
	n, ok := t.(*Named)
	if test, isTest := info.Test.(*Named); isTest {
		n, ok = test, true
	}
	if !ok {
		return nil
	}
	var fields []*Field
	out := &pat{}
	switch {
	case info.Variant != nil:
		fields = info.Variant.Fields
		out.con = variantCon(n, info.Variant)
	case info.Struct != nil:
		fields = info.Struct.Fields
		out.con = structCon(n)
	default:
		return nil
	}
	out.args = make([]*pat, len(fields))
	for i, f := range p.Fields {
		if i < len(info.Fields) {
			if k := info.Fields[i]; k >= 0 && k < len(fields) && k < len(out.con.types) {
				out.args[k] = x.lower(f.Pat, out.con.types[k], depth+1)
			}
		}
	}
	if info.Test != nil {
		for _, a := range out.args {
			if a != nil { // it may fail after the test, and covers nothing else
				return &pat{con: con{kind: conTest, test: &Var{}}}
			}
		}
		k := con{kind: conTest, test: info.Test}
		if info.Variant != nil {
			k.tag = info.Variant.Tag + 1
		}
		return &pat{con: k}
	}
	return out
}

func noneCon() con { return con{kind: conNone, name: "none", total: 2} }

func someCon(inner Type) con {
	return con{kind: conSome, tag: 1, total: 2, types: []Type{inner}}
}

func variantCon(n *Named, v *VariantDecl) con {
	return con{kind: conVariant, name: v.Name, tag: v.Tag, total: len(n.Decl.Variant), types: fieldTypes(n, v.Fields)}
}

func structCon(n *Named) con {
	return con{kind: conTuple, name: n.Decl.Name, total: 1, types: fieldTypes(n, n.Decl.Fields)}
}

func fieldTypes(n *Named, fields []*Field) []Type {
	s := &Subst{n.Decl.Params, n.Args}
	out := make([]Type, len(fields))
	for i, f := range fields {
		out[i] = Invalid
		if f.Type != nil {
			out[i] = s.Apply(f.Type)
		}
	}
	return out
}

// constructors lists all heads of a type, nil when they cannot be listed.
func (x *exhaust) constructors(t Type) []con {
	switch t := Prune(t).(type) {
	case *Basic:
		switch t {
		case Bool:
			return []con{boolCon(true), boolCon(false)}
		case Unit:
			return []con{{kind: conTuple, total: 1}}
		}
	case *App:
		switch t.Ctor {
		case COptional:
			return []con{noneCon(), someCon(t.Args[0])}
		case CTuple:
			return []con{{kind: conTuple, total: 1, types: t.Args}}
		}
	case *Named:
		switch t.Decl.Kind {
		case KEnum:
			out := make([]con, len(t.Decl.Variant))
			for i, v := range t.Decl.Variant {
				out[i] = variantCon(t, v)
			}
			return out
		case KStruct:
			return []con{structCon(t)}
		}
	}
	return nil
}

// tick counts the rows that are looked at, and reports whether there may be more.
func (x *exhaust) tick(rows [][]*pat) bool {
	for range 1 + len(rows)/256 {
		x.c.tick()
	}
	x.steps += 1 + len(rows)
	return !x.tired()
}

func (x *exhaust) tired() bool { return x.steps >= maxMatchSteps }

// coversAll reports whether one of the rows matches whatever there is.
func coversAll(rows [][]*pat) bool {
	return slices.ContainsFunc(rows, func(row []*pat) bool {
		return !slices.ContainsFunc(row, func(p *pat) bool { return p != nil })
	})
}

// useful reports whether some value matches q and none of the rows.
func (x *exhaust) useful(rows [][]*pat, q []*pat) bool {
	switch {
	case len(rows) == 0, !x.tick(rows):
		return true
	case coversAll(rows):
		return false
	}
	head := q[0]
	switch {
	case head == nil:
		// A wildcard is useful when it is under one of the heads above, or
		// beside them when they are not all heads of the type.
		heads := heads(rows)
		if len(heads) > 0 && heads[0].kind == conList {
			return x.usefulList(rows, q)
		}
		if len(heads) == 0 || !complete(heads) {
			return x.useful(defaults(rows), q[1:])
		}
		for _, k := range heads {
			k := k
			if x.useful(x.specialize(rows, &k), append(make([]*pat, len(k.types)), q[1:]...)) {
				return true
			}
		}
		return false
	case head.alts != nil:
		for _, a := range head.alts {
			if x.useful(rows, append([]*pat{a}, q[1:]...)) {
				return true
			}
		}
		return false
	case head.con.kind == conList:
		return x.usefulList(rows, q)
	}
	return x.useful(x.specialize(rows, &head.con), append(append([]*pat(nil), head.args...), q[1:]...))
}

// heads lists the different heads of the first column.
func heads(rows [][]*pat) []con {
	var out []con
	seen := map[headKey]bool{}
	var add func(p *pat)
	add = func(p *pat) {
		if p == nil {
			return
		}
		if p.alts != nil {
			for _, a := range p.alts {
				add(a)
			}
			return
		}
		if p.con.kind == conTest {
			for i := range out {
				if out[i].covers(&p.con) {
					return
				}
			}
		} else if seen[p.con.key()] {
			return
		}
		seen[p.con.key()] = true
		out = append(out, p.con)
	}
	for _, r := range rows {
		add(r[0])
	}
	return out
}

// anyHead reports whether a row has a head in the first column.
func anyHead(rows [][]*pat) bool {
	return slices.ContainsFunc(rows, func(row []*pat) bool { return row[0] != nil })
}

// complete reports whether heads are all heads of their type.
func complete(heads []con) bool { return len(heads) == heads[0].total }

// specialize keeps the rows that match values with head k, and takes the head
// apart.
func (x *exhaust) specialize(rows [][]*pat, k *con) [][]*pat {
	var out [][]*pat
	var add func(p *pat, rest []*pat)
	add = func(p *pat, rest []*pat) {
		switch {
		case p == nil:
			row := make([]*pat, len(k.types), len(k.types)+len(rest))
			out = append(out, append(row, rest...))
		case p.alts != nil:
			for _, a := range p.alts {
				add(a, rest)
			}
		case p.con.covers(k):
			row := make([]*pat, len(k.types), len(k.types)+len(rest))
			p.spreadArgs(row)
			out = append(out, append(row, rest...))
		}
	}
	for _, r := range rows {
		add(r[0], r[1:])
	}
	return out
}

// defaults keeps the rows whose first column is a wildcard.
func defaults(rows [][]*pat) [][]*pat {
	var out [][]*pat
	var add func(p *pat, rest []*pat)
	add = func(p *pat, rest []*pat) {
		switch {
		case p == nil:
			out = append(out, rest)
		case p.alts != nil:
			for _, a := range p.alts {
				add(a, rest)
			}
		}
	}
	for _, r := range rows {
		add(r[0], r[1:])
	}
	return out
}

// missing finds an example of what no row matches.
func (x *exhaust) missing(rows [][]*pat, types []Type, depth int) ([]string, bool) {
	switch {
	case coversAll(rows):
		return nil, false
	case len(types) == 0:
		return nil, true
	case !x.tick(rows):
		return nil, false
	case depth > maxColumns:
		x.steps = maxMatchSteps
		return nil, false
	}
	if anyHead(rows) {
		if all := x.headsOf(types[0], rows); all != nil {
			for i := range all {
				k := &all[i]
				sub := append(append([]Type(nil), k.types...), types[1:]...)
				if w, ok := x.missing(x.specialize(rows, k), sub, depth+1); ok {
					n := len(k.types)
					return append([]string{example(k, w[:n])}, w[n:]...), true
				}
			}
			return nil, false
		}
	}
	w, ok := x.missing(defaults(rows), types[1:], depth+1)
	if !ok {
		return nil, false
	}
	return append([]string{"_"}, w...), true
}

// example prints a head with its arguments.
func example(k *con, args []string) string {
	switch {
	case k.kind == conList:
		return exampleList(k, args)
	case k.kind == conSome:
		if args[0] == "_" {
			return "x"
		}
		return args[0]
	case len(args) == 0 && k.kind == conTuple:
		return k.name + "()"
	case len(args) == 0:
		return k.name
	}
	return k.name + "(" + strings.Join(args, ", ") + ")"
}
