package types

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Inference works on regions. A region is one statement: the variables made
// while it is checked are solved, defaulted or reported at its end, so no
// variable outlives its statement, but what a let leaves open: see later. The
// statements of a lambda's body are
// regions inside that of the call; a variable of an outer region may stay open
// in them.
//
// Unification records every link on a trail, so an attempt can be taken back.

// maxTypeDepth bounds every walk over a type, maxTypeSize the nodes of the
// type of an expression: `let b = (a, a)` repeated doubles it each time.
const (
	maxTypeDepth = 200
	maxTypeSize  = 2000
)

// inference is the state of the open regions.
type inference struct {
	vars    []varInfo    // of the open regions, by Var.ID
	trail   []trailEntry // links made, for undo
	pending []*Type      // recorded types that hold variables
	bounds  []boundCheck // bounds of solved-for types that are not yet checked
	diverge []*Var       // results of lambdas that never return: never, if nothing else solves them

	laters    []*later // of the blocks around, innermost last
	undecided []*later
}

type varInfo struct {
	v    *Var
	what string // "the element type of this list"
	fix  string // how to say it
	none bool   // what a `none` is an optional of
}

type trailEntry struct {
	v      *Var
	intLit bool
	bound  *Named
}

// keyOfMap is the boundCheck.what of the keys of maps and sets.
const keyOfMap = "the key of a map or set"

// boundCheck: t must satisfy bound.
type boundCheck struct {
	t     Type
	bound *Named
	at    diag.Span
	what  string // "type parameter `T` of `sort`"
}

func (c *checker) newVar(at diag.Span, what, fix string) *Var {
	v := &Var{ID: len(c.vars), At: at}
	c.vars = append(c.vars, varInfo{v: v, what: what, fix: fix})
	return v
}

func (c *checker) newIntVar(at diag.Span) *Var {
	v := c.newVar(at, "this number", "")
	v.IntLit = true
	return v
}

// freshArgs makes a variable for each type parameter.
func (c *checker) freshArgs(params []*TypeParam, of string, at diag.Span) []Type {
	if len(params) == 0 {
		return nil
	}
	args := make([]Type, len(params))
	for i, p := range params {
		if p.repeated {
			args[i] = Invalid
			continue
		}
		v := c.newVar(at, fmt.Sprintf("type parameter `%s` of `%s`", p.Name, of), "")
		v.Bound = p.Bound
		args[i] = v
	}
	return args
}

// wantBounds notes that args must satisfy the bounds of params.
func (c *checker) wantBounds(params []*TypeParam, args []Type, of string, at diag.Span) {
	for i, p := range params {
		if p.Bound != nil && i < len(args) {
			s := &Subst{params, args}
			bound := s.Apply(p.Bound).(*Named)
			c.bounds = append(c.bounds, boundCheck{args[i], bound, at, fmt.Sprintf("type parameter `%s` of `%s`", p.Name, of)})
		}
	}
}

// solveBounds checks the bounds from mark on whose type is known by now; a
// bound with open arguments is solved by it.
func (c *checker) solveBounds(mark int) {
	for progress := true; progress; {
		progress = false
		kept := c.bounds[:mark:mark]
		for i := mark; i < len(c.bounds); i++ {
			b := c.bounds[i]
			if v, open := Prune(b.t).(*Var); open && !v.IntLit {
				kept = append(kept, b)
				continue
			}
			progress = true
			c.checkBound(b)
		}
		c.bounds = append(c.bounds[:mark], kept[mark:]...)
	}
}

func (c *checker) checkBound(b boundCheck) {
	t := Prune(b.t)
	if v, ok := t.(*Var); ok && v.IntLit {
		if c.core.is(b.bound.Decl, "Number") || c.core.is(b.bound.Decl, "Ordered") || c.core.is(b.bound.Decl, "Hashable") {
			return // int and float satisfy all three
		}
		t = Int
	}
	if why := c.unsatisfied(t, b.bound); why != nil {
		d := c.err(diag.BoundNotMet, b.at, "`%s` does not satisfy `%s`", t, b.bound)
		if b.what == keyOfMap {
			d.Message = fmt.Sprintf("`%s` cannot be the key of a map or set", t)
		} else {
			d.note("%s must satisfy `%s`", b.what, b.bound)
		}
		if !c.orderedByCompare(d, b, t) {
			why.explain(d)
		}
	}
}

// keyGiven is what follows the name of a method that is given a key: `(|p| p.born)`.
var keyGiven = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\(\|(\w+)\| (\w+)((?:\.\w+(?:\(\))?)+)\)`)
})

// orderedByCompare helps one who sorts by a key whose order is a method of its own.
func (c *checker) orderedByCompare(d report, b boundCheck, t Type) bool {
	name := c.source(b.at)
	after := map[string]string{"sort_by": "", "min_by": ".first()", "max_by": ".last()"}
	end, known := after[name]
	if !known || c.ownMethod(t, "Comparable") == nil {
		return false
	}
	m := keyGiven().FindStringSubmatch(c.lineFrom(b.at.End))
	if m == nil || m[1] != m[2] {
		return false
	}
	call := "sort_with(|a, b| a" + m[3] + " < b" + m[3] + ")" + end
	if end != "" {
		call = "copy()." + call
	}
	d.fix("its order is a method of its own, by which `<` compares", diag.Edit{Span: diag.Span{Start: b.at.Start, End: b.at.End + uint32(len(m[0]))}, New: call})
	return true
}

type region struct {
	vars, pending, bounds, diverge int
	faults                         faults
}

func (c *checker) openRegion() region {
	return region{len(c.vars), len(c.pending), len(c.bounds), len(c.diverge), c.faults()}
}

// closeRegion solves what is left of the region's variables.
func (c *checker) closeRegion(r region) {
	if len(c.vars) == r.vars && len(c.pending) == r.pending && len(c.bounds) == r.bounds {
		return
	}
	c.solveBounds(r.bounds)
	for _, v := range c.diverge[r.diverge:] {
		if u, open := Prune(v).(*Var); open && !u.IntLit {
			c.link(u, Never)
		}
	}
	c.diverge = c.diverge[:r.diverge]
	c.decide()
	for _, info := range c.vars[r.vars:] {
		v := info.v
		switch {
		case v.Link != nil || v.later != nil:
		case v.IntLit:
			v.Link = Int
		default:
			c.cannotInfer(info, r.faults)
		}
	}
	c.solveBounds(r.bounds)
	kept := c.pending[:r.pending]
	for _, p := range c.pending[r.pending:] {
		t, open := zonk(*p, 0)
		*p = t
		if open {
			kept = append(kept, p)
		}
	}
	c.pending = kept
	if r.vars == 0 && len(c.undecided) == 0 {
		c.vars, c.trail = c.vars[:0], c.trail[:0]
	}
}

// cannotInfer gives a variable up, and reports it unless something was wrong that it
// most likely follows from.
func (c *checker) cannotInfer(info varInfo, before faults) {
	info.v.Link = Invalid
	if c.faults() != before {
		return
	}
	d := c.err(diag.CannotInfer, info.v.At, "cannot tell %s", info.what)
	switch {
	case info.fix != "" && info.v.later != nil:
		d.help("nothing in this block decides it; %s", typedLet.ReplaceAllString(info.fix, "let "+info.v.later.name+":"))
	case info.fix != "":
		d.help("%s", info.fix)
	default:
		d.help("write the type where the value is declared, or give type arguments")
	}
}

// settle keeps *p up to date until its variables are solved.
func (c *checker) settle(p *Type) {
	if *p == nil {
		return
	}
	switch t := (*p).(type) {
	case *Basic, *TypeParam:
		return
	case *Named:
		if len(t.Args) == 0 {
			return
		}
	}
	if open, _ := openAndSize(*p, 0, 0); open {
		c.pending = append(c.pending, p)
	}
}

// setType notes the type of a node that is not an expression of its own.
func (c *checker) setType(id syntax.ID, t Type) {
	c.info.Types[id] = t
	c.settle(&c.info.Types[id])
}

func (c *checker) settleAll(ts []Type) {
	for i := range ts {
		c.settle(&ts[i])
	}
}

// openAndSize reports whether t holds a variable (solved or not), and counts
// its nodes up to a little over maxTypeSize.
func openAndSize(t Type, size, depth int) (open bool, n int) {
	size++
	if size > maxTypeSize || depth > maxTypeDepth {
		return false, maxTypeSize + 1
	}
	switch t := t.(type) {
	case *Var:
		if t.Link != nil {
			_, n := openAndSize(t.Link, size-1, depth)
			return true, n
		}
		return true, size
	case *App:
		for _, a := range t.Args {
			var o bool
			o, size = openAndSize(a, size, depth+1)
			open = open || o
		}
	case *Named:
		for _, a := range t.Args {
			var o bool
			o, size = openAndSize(a, size, depth+1)
			open = open || o
		}
	case *Func:
		for _, a := range t.Params {
			var o bool
			o, size = openAndSize(a, size, depth+1)
			open = open || o
		}
		var o bool
		o, size = openAndSize(t.Result, size, depth+1)
		open = open || o
	}
	return open, size
}

// zonk replaces solved variables; open reports that an unsolved one is left.
func zonk(t Type, depth int) (_ Type, open bool) {
	if depth > maxTypeDepth {
		return Invalid, false
	}
	switch t := Prune(t).(type) {
	case *Var:
		return t, true
	case *App:
		args, o := zonkAll(t.Args, depth)
		return &App{t.Ctor, args}, o
	case *Named:
		if len(t.Args) == 0 {
			return t, false
		}
		args, o := zonkAll(t.Args, depth)
		return &Named{t.Decl, args}, o
	case *Func:
		params, o1 := zonkAll(t.Params, depth)
		res, o2 := zonk(t.Result, depth+1)
		return &Func{params, res}, o1 || o2
	default:
		return t, false
	}
}

func zonkAll(ts []Type, depth int) ([]Type, bool) {
	out, open := make([]Type, len(ts)), false
	for i, t := range ts {
		n, o := zonk(t, depth+1)
		out[i], open = n, open || o
	}
	return out, open
}

// ---- unification ----

func (c *checker) link(v *Var, t Type) {
	c.trail = append(c.trail, trailEntry{v, v.IntLit, v.Bound})
	v.Link = t
	if v.later != nil {
		v.later.by = c.current
	}
}

// undo takes back every link since mark = len(c.trail).
func (c *checker) undo(mark int) {
	for i := len(c.trail) - 1; i >= mark; i-- {
		e := c.trail[i]
		e.v.Link, e.v.IntLit, e.v.Bound = nil, e.intLit, e.bound
	}
	c.trail = c.trail[:mark]
}

// tryUnify makes two types the same, or changes nothing.
func (c *checker) tryUnify(a, b Type) bool {
	mark := len(c.trail)
	if c.unify(a, b, 0) {
		return true
	}
	c.undo(mark)
	return false
}

func (c *checker) unify(a, b Type, depth int) bool {
	c.tick()
	a, b = Prune(a), Prune(b)
	if a == b || a == Type(Invalid) || b == Type(Invalid) {
		return true
	}
	if depth > maxTypeDepth {
		return false
	}
	va, aOpen := a.(*Var)
	vb, bOpen := b.(*Var)
	switch {
	case aOpen && bOpen:
		if va.ID > vb.ID { // the older one stays: it may belong to an outer region
			va, vb = vb, va
		}
		intLit, bound := va.IntLit || vb.IntLit, va.Bound
		if bound == nil {
			bound = vb.Bound
		}
		c.link(vb, va)
		c.trail = append(c.trail, trailEntry{va, va.IntLit, va.Bound})
		va.IntLit, va.Bound = intLit, bound
		return true
	case aOpen:
		return c.solve(va, b)
	case bOpen:
		return c.solve(vb, a)
	}
	switch a := a.(type) {
	case *App:
		b, ok := b.(*App)
		return ok && a.Ctor == b.Ctor && c.unifyAll(a.Args, b.Args, depth)
	case *Named:
		b, ok := b.(*Named)
		return ok && a.Decl == b.Decl && c.unifyAll(a.Args, b.Args, depth)
	case *Func:
		b, ok := b.(*Func)
		return ok && c.unifyAll(a.Params, b.Params, depth) && c.unify(a.Result, b.Result, depth+1)
	}
	return false
}

func (c *checker) unifyAll(as, bs []Type, depth int) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !c.unify(as[i], bs[i], depth+1) {
			return false
		}
	}
	return true
}

// solve links an open variable to a type that is not one.
func (c *checker) solve(v *Var, t Type) bool {
	if v.IntLit && t != Type(Int) && t != Type(Float) && !c.isNumberParam(t) {
		return false
	}
	if occurs(v, t, 0) {
		return false
	}
	c.link(v, t)
	return true
}

func occurs(v *Var, t Type, depth int) bool {
	if depth > maxTypeDepth {
		return true
	}
	switch t := Prune(t).(type) {
	case *Var:
		return t == v
	case *App:
		return occursAny(v, t.Args, depth)
	case *Named:
		return occursAny(v, t.Args, depth)
	case *Func:
		return occursAny(v, t.Params, depth) || occurs(v, t.Result, depth+1)
	}
	return false
}

func occursAny(v *Var, ts []Type, depth int) bool {
	for _, t := range ts {
		if occurs(v, t, depth+1) {
			return true
		}
	}
	return false
}

// giveUp makes the open variables of a type invalid, so that they are not
// reported.
func (c *checker) giveUp(t Type, depth int) {
	if depth > maxTypeDepth {
		return
	}
	switch t := Prune(t).(type) {
	case *Var:
		c.link(t, Invalid)
	case *App:
		for _, a := range t.Args {
			c.giveUp(a, depth+1)
		}
	case *Named:
		for _, a := range t.Args {
			c.giveUp(a, depth+1)
		}
	case *Func:
		for _, a := range t.Params {
			c.giveUp(a, depth+1)
		}
		c.giveUp(t.Result, depth+1)
	}
}

// anyNone settles the `none`s in a type that becomes any: nothing else will
// say what they are optionals of, and it does not matter.
func (c *checker) anyNone(t Type, depth int) {
	if depth > maxTypeDepth {
		return
	}
	switch t := Prune(t).(type) {
	case *Var:
		if c.vars[t.ID].none && !t.IntLit && t.later == nil {
			c.link(t, Any)
		}
	case *App:
		for _, a := range t.Args {
			c.anyNone(a, depth+1)
		}
	}
}

// isOpen reports whether t is an unsolved variable.
func isOpen(t Type) bool {
	_, ok := Prune(t).(*Var)
	return ok
}

// hasOpen reports whether an unsolved variable occurs in t.
func hasOpen(t Type, depth int) bool {
	switch t := Prune(t).(type) {
	case *Var:
		return true
	case *App:
		return hasOpenAny(t.Args, depth)
	case *Named:
		return hasOpenAny(t.Args, depth)
	case *Func:
		return hasOpenAny(t.Params, depth) || hasOpen(t.Result, depth+1)
	}
	return false
}

func hasOpenAny(ts []Type, depth int) bool {
	if depth > maxTypeDepth {
		return false
	}
	for _, t := range ts {
		if hasOpen(t, depth+1) {
			return true
		}
	}
	return false
}

// optionalOf returns T for T?.
func optionalOf(t Type) (Type, bool) {
	if a, ok := Prune(t).(*App); ok && a.Ctor == COptional {
		return Prune(a.Args[0]), true
	}
	return nil, false
}

// appOf returns the type as an application of ctor.
func appOf(t Type, ctor Ctor) (*App, bool) {
	a, ok := Prune(t).(*App)
	if !ok || a.Ctor != ctor {
		return nil, false
	}
	return a, true
}

// withoutOptional is the type an expected type asks of a literal: T for T?.
func withoutOptional(t Type) Type {
	if t == nil {
		return nil
	}
	t = Prune(t)
	if inner, ok := optionalOf(t); ok {
		return inner
	}
	return t
}

// hint is t unless it is an open variable, which says nothing.
func hint(t Type) Type {
	if t == nil || isOpen(t) {
		return nil
	}
	return Prune(t)
}
