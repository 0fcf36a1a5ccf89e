package compiler

import (
	"math"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// match tests the arms in order. The scrutinee stays in a register that nothing
// writes meanwhile.
func (b *builder) match(e *syntax.Match, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	b.setTopAtLeast(d + 1)
	mark := b.top
	xt := b.typeOf(e.X)
	x := b.steady(e.X)
	if isNever(xt) {
		return d
	}
	// A live destination must keep its value while the arms are evaluated.
	tmp := d
	if dst >= 0 && !isUnit(t) && !isNever(t) {
		tmp = b.alloc()
	}
	end := newLabel()
	if !b.switchMatch(e, xt, x, t, tmp, end) {
		b.arms(e, xt, x, t, tmp, end)
	}
	b.bind(end)
	if tmp != d {
		b.defType(tmp, t)
		b.move(d, tmp, b.c.rep(t))
	}
	b.setTop(mark)
	if !isUnit(t) && !isNever(t) && !b.dead {
		b.defType(d, t)
	}
	return d
}

// arms tries one arm after the other.
func (b *builder) arms(e *syntax.Match, xt types.Type, x int, t types.Type, d int, end *label) {
	tag := b.tag
	b.tagOnce(e, x, xt)
	top := b.top
	for i, arm := range e.Arms {
		b.arm(arm, i == len(e.Arms)-1, x, xt, t, d, end)
		b.setTop(top)
	}
	b.tag = tag
	if !b.dead {
		b.emit(bytecode.TRAP, 0, 0, 0) // the checker has proved that an arm fits
		b.dead = true
	}
}

// arm compiles an arm; last says that only what fits comes as far as here.
func (b *builder) arm(arm *syntax.MatchArm, last bool, x int, xt, t types.Type, d int, end *label) {
	if b.dead {
		return
	}
	next := newLabel()
	b.fits = last && arm.Guard == nil && !b.c.opts.Plain
	b.pattern(arm.Pattern, x, xt, next)
	b.fits = false
	if arm.Guard != nil {
		b.cond(arm.Guard, false, next)
	}
	b.markBranch(arm.Body)
	b.branch(arm.Body, t, d)
	b.jump(end)
	b.bind(next)
}

// tagOnce reads the tag of an enum for all arms, where several look at it.
func (b *builder) tagOnce(e *syntax.Match, x int, xt types.Type) {
	if len(e.Arms) < 3 || b.c.opts.Plain || b.c.rep(xt) != bytecode.RepP {
		return
	}
	if n, ok := types.Prune(xt).(*types.Named); !ok || n.Decl.Kind != types.KEnum {
		return
	}
	tests := 0
	for _, arm := range e.Arms[:len(e.Arms)-1] {
		if _, ok := arm.Pattern.(*syntax.VariantPattern); ok {
			tests++
		}
	}
	if tests > 1 {
		b.tag = tagReg{x, b.alloc()}
		b.emit(bytecode.TAG, ir(b.tag.reg), pr(x), 0)
	}
}

// tagReg is the register that holds the tag of the enum in register of.
type tagReg struct{ of, reg int }

// switchMatch compiles a match on an enum whose arms each test one variant (or
// are a final catch-all), four or more, as a jump table.
func (b *builder) switchMatch(e *syntax.Match, xt types.Type, x int, t types.Type, d int, end *label) bool {
	n, ok := types.Prune(xt).(*types.Named)
	if !ok || n.Decl.Kind != types.KEnum || len(e.Arms) < 4 || b.c.opts.Plain {
		return false
	}
	arms := make([]*syntax.MatchArm, len(n.Decl.Variant)+1)
	for i, arm := range e.Arms {
		tag, ok := b.armTag(arm)
		switch {
		case arm.Guard != nil || !ok:
			return false
		case tag < 0: // catch-all
			if i != len(e.Arms)-1 {
				return false
			}
			for k := range arms {
				if arms[k] == nil {
					arms[k] = arm
				}
			}
		case arms[tag] != nil:
			return false
		default:
			arms[tag] = arm
		}
	}
	b.emitSwitch(e, arms, xt, x, t, d, end)
	return true
}

// armTag returns the variant an arm's pattern needs, -1 for a pattern that always
// fits; not ok when the pattern tests more.
func (b *builder) armTag(arm *syntax.MatchArm) (int, bool) {
	pi := b.info.Pats[arm.Pattern]
	switch p := arm.Pattern.(type) {
	case *syntax.BindPattern:
		return -1, p.Type == nil && (pi == nil || !pi.Unwrap)
	case *syntax.VariantPattern:
		if pi == nil || pi.Variant == nil || pi.Unwrap {
			return 0, false
		}
		for _, f := range p.Fields {
			bind, ok := f.Pat.(*syntax.BindPattern)
			if !ok || bind.Type != nil || b.info.Pats[bind] != nil && b.info.Pats[bind].Unwrap {
				return 0, false
			}
		}
		return pi.Variant.Tag, true
	}
	return 0, false
}

func (b *builder) emitSwitch(e *syntax.Match, arms []*syntax.MatchArm, xt types.Type, x int, t types.Type, d int, end *label) {
	top := b.top
	tag := x
	if b.c.rep(xt) == bytecode.RepP {
		tag = b.alloc()
		b.emit(bytecode.TAG, ir(tag), pr(x), 0)
	}
	table := b.c.newTable(len(arms))
	b.emit(bytecode.SWITCH, ir(tag), uint16(table), 0)
	state := append([]uint32(nil), b.regs[:b.top]...)
	b.dead = true
	var trap *label
	for _, arm := range e.Arms {
		l := &label{pos: -1, known: true, state: append([]uint32(nil), state...)}
		b.bind(l)
		for k := range arms {
			if arms[k] == arm {
				b.tables = append(b.tables, tableRef{table, k, l.pos})
			}
		}
		b.arm(arm, true, x, xt, t, d, end)
		b.dead = true
		b.setTop(top)
	}
	for k := range arms {
		if arms[k] == nil {
			if trap == nil {
				trap = &label{pos: -1, known: true, state: append([]uint32(nil), state...)}
				b.bind(trap)
				b.emit(bytecode.TRAP, 0, 0, 0)
				b.dead = true
			}
			b.tables = append(b.tables, tableRef{table, k, trap.pos})
		}
	}
}

// tableRef is an entry of a jump table: position pos of this function.
type tableRef struct{ table, entry, pos int }

// ---- patterns ----

// pattern tests the value of type t in register r, binds names and jumps to
// fail when it does not fit. Bindings share the scrutinee's register where they
// can: nothing writes it.
func (b *builder) pattern(p syntax.Pattern, r int, t types.Type, fail *label) {
	if b.dead {
		return
	}
	pi := b.info.Pats[p]
	if pi != nil && pi.Unwrap {
		if !b.fits {
			b.jumpWide(bytecode.JNIL, pr(r), fail)
		}
		in := b.inner(r, t, -1)
		b.setTopAtLeast(in + 1)
		r, t = in, optElem(t)
	}
	switch p := p.(type) {
	case *syntax.BindPattern:
		b.bindPattern(p, pi, r, t, fail)
	case *syntax.LitPattern:
		b.litPattern(pi, r, t, fail)
	case *syntax.RangePattern:
		if isText(t) {
			b.charPattern(pi, r, fail)
		} else {
			b.rangePattern(pi, r, fail)
		}
	case *syntax.TuplePattern:
		b.tuplePattern(p, r, t, fail)
	case *syntax.ListPattern:
		b.listPattern(p, r, t, fail)
	case *syntax.VariantPattern:
		b.variantPattern(p, pi, r, t, fail)
	case *syntax.OrPattern:
		b.orPattern(p, r, t, fail)
	}
}

func (b *builder) bindPattern(p *syntax.BindPattern, pi *types.PatInfo, r int, t types.Type, fail *label) {
	if p.Type != nil && pi != nil && pi.Test != nil {
		test := b.subst.Apply(pi.Test)
		if !types.Identical(test, t) {
			d := b.alloc()
			b.typeTest(d, r, t, test)
			b.jumpWide(bytecode.JF, ir(d), fail)
			r = b.convert(r, t, test, -1)
			b.setTopAtLeast(r + 1)
			t = test
		}
	}
	if pi != nil && pi.Bind != nil {
		b.declare(pi.Bind, r, t)
		return
	}
	if g := b.info.GlobalBinds[p]; g != nil {
		b.initGlobal(g, r)
	}
}

func (b *builder) litPattern(pi *types.PatInfo, r int, t types.Type, fail *label) {
	if pi.Lit == nil { // none
		if isAny(t) || isIface(t) {
			b.testNoneInAny(r, false, fail)
			return
		}
		if !b.fits {
			b.jumpWide(bytecode.JNNIL, pr(r), fail)
		}
		return
	}
	if isAny(t) {
		lt := constType(pi.Lit)
		d := b.alloc()
		b.emit(bytecode.ISTYPE, ir(d), pr(r), uint16(b.c.typeID(lt)))
		b.jumpWide(bytecode.JF, ir(d), fail)
		r = b.convert(r, t, lt, -1)
		b.setTopAtLeast(r + 1)
		t = lt
	}
	if k, ok := pi.Lit.(int64); ok && !isFloat(t) && k == int64(int16(k)) && !b.c.opts.Plain {
		b.jumpIf(bytecode.JNEI, ir(r), uint16(k), nil, fail)
		return
	}
	if k, ok := pi.Lit.(bool); ok {
		if b.fits {
			return
		}
		op := bytecode.JF
		if !k {
			op = bytecode.JT
		}
		b.jumpWide(op, ir(r), fail)
		return
	}
	k := b.alloc()
	b.loadConst(k, pi.Lit, t)
	b.compareRegs(syntax.OpEq, t, r, k, false, fail)
}

func constType(k types.Const) types.Type {
	switch k.(type) {
	case int64:
		return types.Int
	case float64:
		return types.Float
	case bool:
		return types.Bool
	}
	return types.Str
}

func (b *builder) rangePattern(pi *types.PatInfo, r int, fail *label) {
	bound := func(v int64, imm, reg bytecode.Op, swap bool) {
		if v == int64(int16(v)) && !b.c.opts.Plain {
			b.jumpIf(imm, ir(r), uint16(v), nil, fail)
			return
		}
		k := b.alloc()
		b.loadInt(k, v)
		if swap {
			b.jumpIf(reg, ir(k), ir(r), nil, fail)
		} else {
			b.jumpIf(reg, ir(r), ir(k), nil, fail)
		}
	}
	if pi.Lo != math.MinInt64 {
		bound(pi.Lo, bytecode.JLTI, bytecode.JLT, false)
	}
	if pi.Hi != math.MaxInt64 {
		bound(pi.Hi, bytecode.JGTI, bytecode.JLT, true)
	}
}

func (b *builder) tuplePattern(p *syntax.TuplePattern, r int, t types.Type, fail *label) {
	if len(p.Elems) == 0 {
		return // (), which fits the unit value
	}
	args := types.Prune(t).(*types.App).Args
	for i, el := range p.Elems {
		k := p.Part(i, len(args))
		b.fieldPattern(el, r, b.structField(t, k), args[k], fail, -1)
	}
}

// listPattern tests the length of a list, and its elements by their places from the front
// or from the end.
func (b *builder) listPattern(p *syntax.ListPattern, r int, t types.Type, fail *label) {
	elem := types.Prune(t).(*types.App).Args[0]
	fits := b.fits
	b.fits = false // an element may fail all the same
	defer func() { b.fits = fits }()
	length := b.alloc()
	b.emit(bytecode.LLEN, ir(length), pr(r), 0)
	least := b.alloc()
	b.loadInt(least, int64(len(p.Elems)))
	if p.Rest > 0 {
		b.jumpIf(bytecode.JLT, ir(length), ir(least), nil, fail)
	} else {
		b.compareRegs(syntax.OpEq, types.Int, length, least, false, fail)
	}
	at := b.alloc()
	for i, e := range p.Elems {
		if isWildcard(e) {
			continue
		}
		b.listIndex(p, i, length, at)
		x := b.alloc()
		b.emit(b.c.listOps(elem).get, operand(x, b.c.rep(elem)), pr(r), ir(at))
		b.defType(x, elem)
		b.pattern(e, x, elem, fail)
	}
	if p.Between == nil || isWildcard(p.Between) {
		return
	}
	from := b.allocN(2)
	b.loadInt(from, int64(p.Before()))
	b.minus(from+1, length, p.After())
	rest := b.alloc()
	b.emit(bytecode.LSLICE, pr(rest), pr(r), pr(from))
	b.defType(rest, t)
	b.pattern(p.Between, rest, t, fail)
}

// listIndex loads the index of the element that the i-th pattern looks at.
func (b *builder) listIndex(p *syntax.ListPattern, i, length, dst int) {
	if i < p.Before() {
		b.loadInt(dst, int64(i))
		return
	}
	b.minus(dst, length, len(p.Elems)-i)
}

// minus loads a register less a number that is as small as patterns are.
func (b *builder) minus(dst, r, n int) {
	b.emit(bytecode.ADDI, ir(dst), ir(r), uint16(-n))
}

func (b *builder) variantPattern(p *syntax.VariantPattern, pi *types.PatInfo, r int, t types.Type, fail *label) {
	if (isAny(t) || isIface(t)) && pi.Test != nil {
		test := b.subst.Apply(pi.Test)
		d := b.alloc()
		b.typeTest(d, r, t, test)
		b.jumpWide(bytecode.JF, ir(d), fail)
		r = b.convert(r, t, test, -1)
		b.setTopAtLeast(r + 1)
		t = test
	}
	named := types.Prune(t).(*types.Named)
	sub := types.Subst{Params: named.Decl.Params, Args: named.Args}
	if pi.Variant == nil {
		for i, f := range p.Fields {
			index := pi.Fields[i]
			b.fieldPattern(f.Pat, r, b.structField(t, index), sub.Apply(named.Decl.Fields[index].Type), fail, -1)
		}
		return
	}
	if len(named.Decl.Variant) > 1 && !b.fits {
		tag := r
		switch {
		case b.tag.reg > 0 && b.tag.of == r:
			tag = b.tag.reg
		case b.c.rep(t) == bytecode.RepP:
			tag = b.alloc()
			b.emit(bytecode.TAG, ir(tag), pr(r), 0)
		}
		b.jumpIf(bytecode.JNEI, ir(tag), uint16(pi.Variant.Tag), nil, fail)
	}
	v := b.c.out.Types[b.c.typeID(t)].Variants
	for i, f := range p.Fields {
		index := pi.Fields[i]
		b.fieldPattern(f.Pat, r, v[pi.Variant.Tag].Fields[index], sub.Apply(pi.Variant.Fields[index].Type), fail, pi.Variant.Tag)
	}
}

// fieldPattern loads a field and matches it; a wildcard loads nothing. tag is
// the variant's for an enum, -1 otherwise.
func (b *builder) fieldPattern(p syntax.Pattern, obj int, f bytecode.Field, t types.Type, fail *label, tag int) {
	if isWildcard(p) {
		return
	}
	r := b.alloc()
	if tag < 0 {
		b.getField(r, obj, f)
	} else {
		if f.Rep != bytecode.RepP {
			b.emitAux(bytecode.GETEI, uint8(tag), ir(r), pr(obj), f.Off)
		}
		if f.Rep != bytecode.RepI {
			b.emitAux(bytecode.GETEP, uint8(tag), pr(r), pr(obj), f.POff)
			b.def(r, f.Type)
		}
	}
	b.pattern(p, r, t, fail)
}

func isWildcard(p syntax.Pattern) bool {
	bind, ok := p.(*syntax.BindPattern)
	return ok && bind.Name.Text == "_" && bind.Type == nil
}

// takeApart binds the names of a pattern that always fits.
func (b *builder) takeApart(p syntax.Pattern, r int, t types.Type) {
	b.pattern(p, r, t, newLabel())
}

// orPattern tries the alternatives; each binds the same names, which get
// registers of their own so that all ways end with the same places.
func (b *builder) orPattern(p *syntax.OrPattern, r int, t types.Type, fail *label) {
	ok := newLabel()
	shared := b.sharedBinds(p.Alts[0])
	fits := b.fits
	for i, alt := range p.Alts {
		next := newLabel()
		b.fits = fits && i == len(p.Alts)-1
		if i == len(p.Alts)-1 {
			next = fail
		}
		mark := b.top
		b.pattern(alt, r, t, next)
		b.moveBinds(alt, shared)
		b.setTop(mark)
		b.jump(ok)
		if i < len(p.Alts)-1 {
			b.bind(next)
		}
	}
	b.bind(ok)
	for name, s := range shared {
		for _, alt := range p.Alts {
			for l := range b.bindsOf(alt) {
				if l.Name == name {
					b.locals[l] = slot{reg: s.reg, cell: s.cell}
				}
			}
		}
		if s.typ != nil {
			b.defType(s.reg, s.typ)
		}
	}
}

type sharedBind struct {
	reg  int
	cell bool
	typ  types.Type
}

// bindsOf lists the locals a pattern binds.
func (b *builder) bindsOf(p syntax.Pattern) map[*types.Local]bool {
	out := map[*types.Local]bool{}
	syntax.Walk(p, func(n syntax.Node) bool {
		if q, ok := n.(syntax.Pattern); ok {
			if pi := b.info.Pats[q]; pi != nil && pi.Bind != nil {
				out[pi.Bind] = true
			}
		}
		return true
	})
	return out
}

func (b *builder) sharedBinds(p syntax.Pattern) map[string]*sharedBind {
	shared := map[string]*sharedBind{}
	for l := range b.bindsOf(p) {
		shared[l.Name] = &sharedBind{reg: b.alloc(), typ: b.subst.Apply(l.Type)}
	}
	return shared
}

func (b *builder) moveBinds(alt syntax.Pattern, shared map[string]*sharedBind) {
	for l := range b.bindsOf(alt) {
		s := shared[l.Name]
		if s == nil {
			continue
		}
		b.local(l, s.reg)
	}
}
