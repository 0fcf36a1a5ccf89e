package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// stmt compiles a statement; a local it declares stays until the block's end.
func (b *builder) stmt(s syntax.Stmt) {
	if b.dead {
		return
	}
	b.at(s)
	switch s := s.(type) {
	case *syntax.LetStmt:
		b.let(s)
	case *syntax.AssignStmt:
		mark := b.top
		b.assign(s)
		b.setTop(mark)
	case *syntax.ExprStmt:
		b.discard(s.X)
	case *syntax.DeferStmt:
		b.deferStmt(s)
	case *syntax.FnDecl:
		b.localFns(b.info.LocalFns[s])
	}
}

func (b *builder) let(s *syntax.LetStmt) {
	if b.info.IsConst(s) {
		return
	}
	bind, ok := s.Pattern.(*syntax.BindPattern)
	if !ok {
		t := b.typeOf(s.Value)
		if s.Type != nil {
			t = b.subst.Apply(b.info.TypeOfExpr(s.Type))
		}
		r := b.temp(s.Value, t)
		b.setTopAtLeast(r + 1)
		b.takeApart(s.Pattern, r, t)
		return
	}
	if g := b.info.GlobalBinds[bind]; g != nil {
		b.letGlobal(g, s.Value)
		return
	}
	pi := b.info.Pats[bind]
	if pi == nil || pi.Bind == nil { // let _ = ...
		b.discard(s.Value)
		return
	}
	t := b.subst.Apply(pi.Bind.Type)
	r := b.temp(s.Value, t)
	b.setTopAtLeast(r + 1)
	b.declare(pi.Bind, r, t)
}

// letGlobal initializes a top-level variable.
func (b *builder) letGlobal(g *types.Global, value syntax.Expr) {
	t := b.subst.Apply(g.Type)
	if reg, ok := b.globals[g]; ok {
		b.expr(value, t, reg)
		b.defType(reg, t)
		return
	}
	mark := b.top
	b.initGlobal(g, b.expr(value, t, -1))
	b.setTop(mark)
}

// initGlobal gives a global its first value.
func (b *builder) initGlobal(g *types.Global, r int) {
	b.setGlobal(g, r)
	if _, ok := b.globals[g]; ok {
		return
	}
	b.emitK(bytecode.GINIT, 0, int32(b.c.globalIndex(g)))
	if b.inited == nil {
		b.inited = map[*types.Global]bool{}
	}
	b.inited[g] = true
}

// declare makes register r, a temporary, the home of a local; a var that a
// closure shares moves to a cell.
func (b *builder) declare(l *types.Local, r int, t types.Type) {
	if !b.inCell(l) {
		b.locals[l] = slot{reg: r}
		b.defType(r, t)
		return
	}
	id := b.c.cellType(t)
	cell := b.alloc()
	b.emit(bytecode.NEW, pr(cell), uint16(id), pr(r))
	b.def(cell, id)
	b.locals[l] = slot{reg: cell, cell: true}
}

// inCell: a local that is assigned and that a closure or deferred statement uses.
func (b *builder) inCell(l *types.Local) bool {
	return (l.Var || l.LockOf) && (l.Captured || b.c.deferred[l])
}

// ---- assignment ----

func (b *builder) assign(s *syntax.AssignStmt) {
	switch target := unparen(s.Target).(type) {
	case *syntax.Ident:
		b.assignName(s, b.info.Uses[target.ID()])
	case *syntax.Member:
		mi := b.info.Members[target]
		if mi == nil || mi.Kind != types.MemField {
			b.assignName(s, b.info.Uses[target.ID()])
			return
		}
		b.assignField(s, target, mi)
	case *syntax.Index:
		b.assignIndex(s, target)
	case *syntax.TupleLit:
		b.assignSeveral(target, s.Value)
	}
}

func (b *builder) assignName(s *syntax.AssignStmt, obj types.Object) {
	switch o := obj.(type) {
	case *types.Local:
		t := b.subst.Apply(o.Type)
		sl := b.locals[o]
		if !sl.cell && !sl.up && b.inPlace(s) {
			b.newValue(s, t, sl.reg)
			return
		}
		if k, ok := b.num(s.Value, false); ok && sl.cell && sl.up && s.Op == syntax.OpAdd && isIntLike(t) && int64(k) == int64(int16(k)) {
			b.emit(bytecode.UCADDI, ir(b.alloc()), sl.f.POff, uint16(k))
			return
		}
		b.setLocal(o, b.newValue(s, t, -1))
	case *types.Global:
		t := b.subst.Apply(o.Type)
		if reg, ok := b.globals[o]; ok && b.inPlace(s) {
			b.newValue(s, t, reg)
			return
		}
		b.setGlobal(o, b.newValue(s, t, -1))
	}
}

// inPlace reports whether the new value can be computed right into the variable.
func (b *builder) inPlace(s *syntax.AssignStmt) bool {
	return !b.c.opts.Plain && (s.Op != syntax.OpNone || direct(s.Value))
}

// newValue compiles what an assignment to a name stores.
func (b *builder) newValue(s *syntax.AssignStmt, t types.Type, dst int) int {
	if s.Op == syntax.OpNone {
		return b.expr(s.Value, t, dst)
	}
	return b.compound(s, t, s.Target, dst)
}

// compound compiles target op value for a target that is a name.
func (b *builder) compound(s *syntax.AssignStmt, t types.Type, target syntax.Expr, dst int) int {
	mark := b.top
	switch {
	case b.info.Operators[s] != nil:
		return b.ownOperator(s, target, s.Value, t, dst)
	case isText(t):
		return b.concat2(target, s.Value, t, dst)
	case isList(t):
		return b.joinLists(target, s.Value, t, dst)
	}
	d := b.arith(s.Op, t, target, s.Value, dst, mark)
	return b.settle(d, mark)
}

// direct: compiling the expression writes its destination last, so it may be
// the variable itself although the expression reads it.
func direct(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Paren:
		return direct(e.X)
	case *syntax.Binary:
		switch e.Op {
		case syntax.OpAndAnd, syntax.OpOrOr, syntax.OpCoalesce, syntax.OpEq, syntax.OpNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
			return false
		}
		return true
	case *syntax.Member:
		return !e.Safe
	case *syntax.Call:
		m, ok := e.Fn.(*syntax.Member)
		return !ok || !m.Safe
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.StrLit, *syntax.DurationLit, *syntax.NoneLit, *syntax.Ident, *syntax.Index:
		return true
	}
	return false
}

func (b *builder) assignField(s *syntax.AssignStmt, target *syntax.Member, mi *types.MemberInfo) {
	obj := b.operandReg(target.X, s.Value, nil)
	xt := b.typeOf(target.X)
	f := b.structField(xt, mi.Field.Index)
	t := b.subst.Apply(b.memberType(mi, xt))
	if s.Op == syntax.OpNone {
		b.setField(obj, b.expr(s.Value, t, -1), f)
		return
	}
	if b.addToField(s, obj, f, t) {
		return
	}
	r := b.alloc()
	b.getField(r, obj, f)
	b.setField(obj, b.apply(s, t, r), f)
}

// memberType is the type of a field as the object's type has it.
func (b *builder) memberType(mi *types.MemberInfo, xt types.Type) types.Type {
	n := types.Prune(xt).(*types.Named)
	sub := types.Subst{Params: n.Decl.Params, Args: n.Args}
	return sub.Apply(mi.Field.Type)
}

// addToField compiles += and -= on a number field as one instruction.
func (b *builder) addToField(s *syntax.AssignStmt, obj int, f bytecode.Field, t types.Type) bool {
	switch {
	case b.c.opts.Plain || !b.quiet(s.Value): // the field is to be read before the value
		return false
	case isFloat(t) && s.Op == syntax.OpAdd:
		b.emit(bytecode.FADDM, pr(obj), f.Off, ir(b.expr(s.Value, t, -1)))
	case isFloat(t) && s.Op == syntax.OpSub:
		b.emit(bytecode.FSUBM, pr(obj), f.Off, ir(b.expr(s.Value, t, -1)))
	case isIntLike(t) && (s.Op == syntax.OpAdd || s.Op == syntax.OpSub):
		if k, ok := b.num(s.Value, false); ok {
			if s.Op == syntax.OpSub {
				k = -k
			}
			if int64(k) == int64(int16(k)) {
				b.emit(bytecode.ADDMI, pr(obj), f.Off, uint16(k))
				return true
			}
		}
		if s.Op == syntax.OpSub {
			return false
		}
		b.emit(bytecode.ADDM, pr(obj), f.Off, ir(b.expr(s.Value, nil, -1)))
	default:
		return false
	}
	return true
}

// quiet expressions run no code that could change a field.
func (b *builder) quiet(e syntax.Expr) bool {
	ok := true
	syntax.Walk(e, func(n syntax.Node) bool {
		ok = ok && b.info.Operators[n] == nil
		switch n.(type) {
		case *syntax.Lambda:
			return false
		case *syntax.Call, *syntax.Block, *syntax.Await, *syntax.Spawn:
			ok = false
		}
		return ok
	})
	return ok
}

// apply computes r op value for a compound assignment to a place just read.
func (b *builder) apply(s *syntax.AssignStmt, t types.Type, r int) int {
	mark := b.top
	if b.info.Operators[s] != nil {
		b.setTopAtLeast(r + 1)
		return b.callOperator(s, t, func(want types.Type, to int) { b.convert(r, t, want, to) }, s.Value, t, mark, -1)
	}
	if isText(t) {
		y := b.expr(s.Value, t, -1)
		d := b.alloc()
		b.emit(bytecode.CONCAT, pr(d), pr(r), pr(y))
		b.defType(d, t)
		return d
	}
	if isList(t) {
		return b.joined(r, b.expr(s.Value, t, -1), t, mark, -1)
	}
	b.numbers(t, s.Target)
	if k, ok := b.num(s.Value, isFloat(t)); ok {
		d := b.alloc()
		if b.arithConst(s.Op, isFloat(t), d, r, k) {
			return d
		}
		b.setTop(mark)
	}
	y := b.expr(s.Value, b.operandType(t, s.Value), -1)
	d := b.alloc()
	b.emitArith(s.Op, isFloat(t), d, r, y, mark)
	return d
}

// constBool returns the value of a bool literal or constant.
func (b *builder) constBool(e syntax.Expr) (value, ok bool) {
	if lit, ok := unparen(e).(*syntax.BoolLit); ok {
		return lit.Value, true
	}
	value, ok = b.info.Consts[e.ID()].(bool)
	return value, ok
}

// operandReg evaluates x into a register that evaluating other does not change.
func (b *builder) operandReg(x, other syntax.Expr, want types.Type) int {
	mark := b.top
	r := b.expr(x, want, -1)
	if r < mark && !b.simple(other) {
		if want == nil {
			want = b.typeOf(x)
		}
		return b.copyTemp(r, b.c.rep(want))
	}
	b.setTopAtLeast(r + 1)
	return r
}

func (b *builder) assignIndex(s *syntax.AssignStmt, target *syntax.Index) {
	xt := types.Prune(b.typeOf(target.X)).(*types.App)
	both := &syntax.TupleLit{Elems: []syntax.Expr{target.I, s.Value}}
	x := b.operandReg(target.X, both, nil)
	if xt.Ctor == types.CMap {
		k := b.operandReg(target.I, s.Value, xt.Args[0])
		v := 0
		if s.Op == syntax.OpNone {
			v = b.expr(s.Value, xt.Args[1], -1)
		} else {
			r := b.alloc()
			b.emit(bytecode.MGET, pr(r), pr(x), pr(k))
			b.defType(r, xt.Args[1])
			v = b.apply(s, xt.Args[1], r)
		}
		b.emit(bytecode.MSET, pr(x), pr(k), pr(v))
		return
	}
	elem := xt.Args[0]
	rep := b.c.rep(elem)
	ops := b.c.listOps(elem)
	i := b.operandReg(target.I, s.Value, types.Int)
	if k, ok := b.constBool(s.Value); ok && s.Op == syntax.OpNone && isBasic(elem, types.KBool) {
		bit := uint16(0)
		if k {
			bit = 1
		}
		b.emit(bytecode.LSETBK, pr(x), ir(i), bit)
		return
	}
	v := 0
	if s.Op == syntax.OpNone {
		v = b.expr(s.Value, elem, -1)
	} else {
		r := b.alloc()
		b.emit(ops.get, operand(r, rep), pr(x), ir(i))
		b.defType(r, elem)
		v = b.apply(s, elem, r)
	}
	b.at(target)
	b.emit(ops.set, pr(x), ir(i), operand(v, rep))
}
