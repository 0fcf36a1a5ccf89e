package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// window is a call's argument area: the link's register, then the arguments.
type window struct{ link, first int }

// newWindow takes the registers of a call with n arguments (at least one, for
// the result).
func (b *builder) newWindow(n int) window {
	link := b.alloc()
	b.allocN(max(n, 1))
	return window{link, link + 1}
}

// finish puts a call's result, which the window's first register holds, where
// it is wanted and frees the window.
func (b *builder) finish(w window, t types.Type, mark, dst int) int {
	for r := w.link; r < len(b.regs); r++ {
		b.regs[r] = 0
	}
	b.defType(w.first, t)
	if isNever(t) {
		b.emit(bytecode.TRAP, 0, 0, 0) // the verifier does not know that the call never returns
		b.dead = true
	}
	if dst < 0 {
		return b.settle(w.first, mark)
	}
	if !isUnit(t) {
		b.move(dst, w.first, b.c.rep(t))
	}
	b.setTop(mark)
	return dst
}

func (b *builder) call(e *syntax.Call, t types.Type, dst int) int {
	ci := b.info.Calls[e]
	if ci == nil {
		b.c.internal(e, "the call is not resolved")
		return b.dst(dst)
	}
	if m, ok := e.Fn.(*syntax.Member); ok && m.Safe {
		return b.safe(m.X, t, dst, func(recv int, rt types.Type, d int) types.Type {
			if ci.Kind == types.CallCopy {
				b.copyStruct(e, ci, recv, d)
				return rt
			}
			got := b.callType(ci)
			mark := b.top
			b.resolved(e, ci, recv, rt, got, d, mark)
			return got
		})
	}
	switch ci.Kind {
	case types.CallMethod, types.CallIface, types.CallBound:
		return b.resolved(e, ci, -1, nil, t, dst, b.top)
	case types.CallFunc:
		return b.callFunc(callSite{e: e, ci: ci, recv: -1, t: t, dst: dst, mark: b.top}, ci.Fn, b.args(ci.TypeArgs), b.args(ci.RecvArgs))
	case types.CallValue:
		return b.callValue(e, ci, t, dst)
	case types.CallStruct:
		return b.construct(e, ci, t, dst)
	case types.CallVariant:
		return b.variant(e, ci, t, dst)
	case types.CallCopy:
		return b.copyStruct(e, ci, -1, dst)
	case types.CallNewBuiltin:
		return b.newBuiltin(e, ci, t, dst)
	}
	return b.builtin(e, ci, t, dst)
}

// callType is the result type of the resolved callee of an `?.` call.
func (b *builder) callType(ci *types.CallInfo) types.Type {
	sub := types.Subst{
		Params: append(append([]*types.TypeParam(nil), ci.Fn.OwnerParams()...), ci.Fn.TypeParams...),
		Args:   append(append([]types.Type(nil), ci.RecvArgs...), ci.TypeArgs...),
	}
	return b.subst.Apply(sub.Apply(ci.Fn.Result))
}

func (b *builder) args(ts []types.Type) []types.Type {
	out := make([]types.Type, len(ts))
	for i, t := range ts {
		out[i] = b.subst.Apply(t)
	}
	return out
}

// resolved compiles a method call. recv, when not negative, is the register of
// the receiver, of type rt.
func (b *builder) resolved(e *syntax.Call, ci *types.CallInfo, recv int, rt types.Type, t types.Type, dst, mark int) int {
	if rt == nil {
		rt = b.typeOf(e.Fn.(*syntax.Member).X)
	}
	fn, recvArgs, kind := ci.Fn, b.args(ci.RecvArgs), ci.Kind
	if kind == types.CallBound {
		m, args := b.methodBehind(rt, fn, recvArgs)
		switch {
		case isIface(rt):
			kind = types.CallIface
		case m == nil:
			b.c.internal(e, "no method "+fn.Name+" on "+rt.String())
			return b.dst(dst)
		default:
			fn, recvArgs, kind = m, args, types.CallMethod
		}
	}
	if kind == types.CallIface && len(fn.TypeParams) == 0 {
		return b.callIface(callSite{e, ci, recv, rt, t, dst, mark}, fn)
	}
	return b.callFunc(callSite{e, ci, recv, rt, t, dst, mark}, fn, b.args(ci.TypeArgs), recvArgs)
}

// methodBehind returns the method of type t that a method of a bound stands for: t's own, or the
// default one of the bound where t satisfies that without saying so.
func (b *builder) methodBehind(t types.Type, fn *types.FuncDecl, recvArgs []types.Type) (*types.FuncDecl, []types.Type) {
	m, args := b.c.prog.MethodOf(t, fn.Name)
	if m == nil && fn.IsDefault() {
		return fn, recvArgs
	}
	return m, args
}

// recvInto puts the receiver, as the type the method expects, into register to.
func (b *builder) recvInto(e *syntax.Call, recv int, rt, want types.Type, to int) {
	if recv >= 0 {
		b.convert(recv, rt, want, to)
		return
	}
	b.expr(e.Fn.(*syntax.Member).X, want, to)
}

// selfType is what self is in a method: the owner's type with its arguments.
func (b *builder) selfType(fn *types.FuncDecl, recvArgs []types.Type, rt types.Type) types.Type {
	switch {
	case fn.Owner != nil:
		return &types.Named{Decl: fn.Owner, Args: recvArgs}
	case fn.Ext != nil:
		sub := &types.Subst{Params: fn.Ext.Params, Args: recvArgs}
		return sub.Apply(fn.Ext.Target)
	}
	return rt
}

// callSite is a call of a declared function or method.
type callSite struct {
	e    *syntax.Call
	ci   *types.CallInfo
	recv int        // register of the receiver, -1 where it is still to be evaluated
	rt   types.Type // of the receiver, nil where that is what the checker says
	t    types.Type // of the result
	dst  int        // register that the result is wanted in, or -1
	mark int        // top of the registers when the call is over
}

func (b *builder) callIface(s callSite, fn *types.FuncDecl) int {
	w := b.newWindow(1 + len(fn.Params))
	b.recvInto(s.e, s.recv, s.rt, s.rt, w.first)
	b.arguments(s.e, s.ci, fn, w.first+1, types.Subst{Params: fn.OwnerParams(), Args: types.Prune(s.rt).(*types.Named).Args})
	b.emit(bytecode.CALLI, pr(w.first), uint16(b.c.selector(s.rt, fn)), 0)
	return b.finish(w, s.t, s.mark, s.dst)
}

// callFunc compiles a call of a declared function or method.
func (b *builder) callFunc(s callSite, fn *types.FuncDecl, typeArgs, recvArgs []types.Type) int {
	method := fn.Owner != nil || fn.Ext != nil
	var self types.Type
	if method {
		if s.rt == nil {
			s.rt = b.typeOf(s.e.Fn.(*syntax.Member).X)
		}
		self = b.selfType(fn, recvArgs, s.rt)
	}
	if fn.Native {
		if r, ok := b.intrinsic(s, fn, self); ok {
			return r
		}
		b.c.available(s.e, fn, self)
	}
	n := len(fn.Params)
	if method {
		n++
	}
	w := b.newWindow(n)
	first := w.first
	if method {
		b.recvInto(s.e, s.recv, s.rt, self, first)
		first++
	}
	sub := types.Subst{
		Params: append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...),
		Args:   append(append([]types.Type(nil), recvArgs...), typeArgs...),
	}
	b.arguments(s.e, s.ci, fn, first, sub)
	b.emitCall(fn, recvArgs, typeArgs, self, w)
	return b.finish(w, s.t, s.mark, s.dst)
}

// emitCall emits the call of a function instance with its window filled.
func (b *builder) emitCall(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type, w window) {
	if fn.Native {
		if b.taskOp(nativeName(fn, self), w.first, self) {
			return
		}
		b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.native(fn, recvArgs, typeArgs, self)), 0)
		return
	}
	index := b.c.instance(fn, recvArgs, typeArgs, self)
	at := b.emitK(bytecode.CALL, pr(w.first), 0)
	if at >= 0 {
		b.calls = append(b.calls, callFix{at, index})
	}
}

// foldArguments evaluates the arguments of a function that takes more than its two
// parameters, min or max, and calls it for all but the last: min(a, b, c) is min(min(a, b), c).
func (b *builder) foldArguments(e *syntax.Call, fn *types.FuncDecl, t types.Type, sub types.Subst, first int) {
	b.expr(e.Args[0].Value, t, first)
	for i, a := range e.Args[1:] {
		b.expr(a.Value, t, first+1)
		if i == len(e.Args)-2 || b.dead {
			return
		}
		mark := b.top
		w := b.newWindow(2)
		b.move(w.first, first, b.c.rep(t))
		b.move(w.first+1, first+1, b.c.rep(t))
		b.emitCall(fn, nil, sub.Args, nil, w)
		b.finish(w, t, mark, first)
	}
}

// arguments evaluates a call's arguments, in the order they are written, into
// consecutive registers in the order of the parameters; then the defaults.
func (b *builder) arguments(e *syntax.Call, ci *types.CallInfo, fn *types.FuncDecl, first int, sub types.Subst) {
	types_ := make([]types.Type, len(fn.Params))
	for i, p := range fn.Params {
		types_[i] = b.subst.Apply(sub.Apply(p.Type))
	}
	if len(ci.Args) > len(fn.Params) {
		b.foldArguments(e, fn, types_[0], sub, first)
		return
	}
	b.place(e, ci, types_, first)
	var missing []int
	for i := range fn.Params {
		if i >= len(ci.Args) || ci.Args[i] < 0 {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return
	}
	b.defaults(funcName(fn, nil), fn.Module, b.c.prog.Body(fn), &sub, func() {
		for i, p := range fn.Params { // a default may use the parameters before it
			if p.Obj != nil {
				b.locals[p.Obj] = slot{reg: first + i}
			}
		}
		for _, i := range missing {
			b.expr(fn.Params[i].Default, types_[i], first+i)
		}
	})
}

// place evaluates the written arguments into the registers of their parameters.
func (b *builder) place(e *syntax.Call, ci *types.CallInfo, params []types.Type, first int) {
	param := make([]int, len(e.Args))
	for p, a := range ci.Args {
		if a >= 0 {
			param[a] = p
		}
	}
	for i := range e.Args {
		b.expr(e.Args[i].Value, params[param[i]], first+param[i])
	}
}

func (b *builder) callValue(e *syntax.Call, ci *types.CallInfo, t types.Type, dst int) int {
	mark := b.top
	ft := types.Prune(b.typeOf(e.Fn)).(*types.Func)
	if index, ok := b.static(e.Fn); ok {
		w := b.newWindow(len(ft.Params))
		b.valueArgs(e, ci, ft, w.first)
		if at := b.emitK(bytecode.CALL, pr(w.first), 0); at >= 0 {
			b.calls = append(b.calls, callFix{at, index})
		}
		return b.finish(w, t, mark, dst)
	}
	f := b.expr(e.Fn, ft, -1)
	for _, a := range e.Args {
		if f < mark && !b.simple(a.Value) {
			f = b.copyTemp(f, bytecode.RepP)
		}
	}
	w := b.newWindow(len(ft.Params))
	b.valueArgs(e, ci, ft, w.first)
	b.emit(bytecode.CALLC, pr(w.first), pr(f), 0)
	return b.finish(w, t, mark, dst)
}

// valueArgs evaluates the arguments of a call of a function value into consecutive registers.
func (b *builder) valueArgs(e *syntax.Call, ci *types.CallInfo, ft *types.Func, first int) {
	if ci.Fn != nil {
		b.arguments(e, ci, ci.Fn, first, b.around())
		return
	}
	for i := range e.Args {
		b.expr(e.Args[i].Value, ft.Params[i], first+i)
	}
}

// construct compiles Point(x: 1, y: 2).
func (b *builder) construct(e *syntax.Call, ci *types.CallInfo, t types.Type, dst int) int {
	named := types.Prune(b.subst.Apply(ci.Type)).(*types.Named)
	sub := types.Subst{Params: named.Decl.Params, Args: named.Args}
	mark := b.top
	n := len(named.Decl.Fields)
	first := b.allocN(n)
	params := make([]types.Type, n)
	for i, f := range named.Decl.Fields {
		params[i] = sub.Apply(f.Type)
	}
	b.place(e, ci, params, first)
	for i, f := range named.Decl.Fields {
		if i < len(ci.Args) && ci.Args[i] >= 0 {
			continue
		}
		if f.Default == nil {
			b.none(params[i], first+i)
			continue
		}
		b.defaults(named.Decl.Name, named.Decl.Module, b.c.prog.FieldInfo(named.Decl), &sub, func() {
			b.expr(f.Default, params[i], first+i)
		})
	}
	return b.newObject(named, first, mark, dst)
}

// copyStruct compiles x.copy(y: 2). The fields that are not given are read when the others
// have been evaluated. recv, when not negative, is the register of x.
func (b *builder) copyStruct(e *syntax.Call, ci *types.CallInfo, recv, dst int) int {
	named := types.Prune(b.subst.Apply(ci.Type)).(*types.Named)
	sub := types.Subst{Params: named.Decl.Params, Args: named.Args}
	mark := b.top
	if recv < 0 {
		recv = b.expr(e.Fn.(*syntax.Member).X, nil, -1)
		for i := range e.Args {
			if recv < mark && !b.simple(e.Args[i].Value) { // it may be assigned again
				recv = b.copyTemp(recv, bytecode.RepP)
			}
		}
	}
	b.setTopAtLeast(recv + 1)
	n := len(named.Decl.Fields)
	first := b.allocN(n)
	params := make([]types.Type, n)
	for i, f := range named.Decl.Fields {
		params[i] = sub.Apply(f.Type)
	}
	b.place(e, ci, params, first)
	for i := range named.Decl.Fields {
		if ci.Args[i] < 0 {
			b.getField(first+i, recv, b.structField(named, i))
		}
	}
	return b.newObject(named, first, mark, dst)
}

// variant compiles Circle(2.0).
func (b *builder) variant(e *syntax.Call, ci *types.CallInfo, t types.Type, dst int) int {
	named := types.Prune(b.subst.Apply(ci.Type)).(*types.Named)
	sub := types.Subst{Params: named.Decl.Params, Args: named.Args}
	mark := b.top
	v := ci.Variant
	params := make([]types.Type, len(v.Fields))
	for i, f := range v.Fields {
		params[i] = sub.Apply(f.Type)
	}
	if k, ok := b.enumConst(e, ci, named, params); ok {
		d := b.dst(dst)
		b.loadEnum(d, k)
		return d
	}
	first := b.allocN(len(v.Fields))
	b.place(e, ci, params, first)
	for i, f := range v.Fields {
		if i < len(ci.Args) && ci.Args[i] >= 0 {
			continue
		}
		b.defaults(named.Decl.Name+"."+v.Name, named.Decl.Module, b.c.prog.FieldInfo(named.Decl), &sub, func() {
			b.expr(f.Default, params[i], first+i)
		})
	}
	b.setTop(mark)
	d := b.dst(dst)
	if len(v.Fields) == 0 {
		b.loadVariant(d, named, v)
		return d
	}
	b.emitAux(bytecode.NEWENUM, uint8(v.Tag), pr(d), uint16(b.c.typeID(named)), pr(first))
	b.defType(d, named)
	return d
}

// newBuiltin compiles map<K, V>(), set<T>(), set(list), buffer().
func (b *builder) newBuiltin(e *syntax.Call, ci *types.CallInfo, t types.Type, dst int) int {
	app, ok := types.Prune(t).(*types.App)
	if !ok { // buffer()
		mark := b.top
		w := b.newWindow(1)
		b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.nativeRef("buffer.new", nil, nil, t)), 0)
		return b.finish(w, t, mark, dst)
	}
	switch app.Ctor {
	case types.CMap, types.CSet:
		mark := b.top
		m := b.alloc()
		b.emit(bytecode.NEWMAP, pr(m), uint16(b.c.typeID(t)), 0)
		b.defType(m, t)
		if len(e.Args) > 0 {
			b.addAll(m, app.Args[0], e.Args[0].Value)
		}
		if dst < 0 {
			return b.settle(m, mark)
		}
		b.move(dst, m, bytecode.RepP)
		b.setTop(mark)
		return dst
	case types.CChan, types.CMutex:
		return b.newSync(e, app, dst)
	case types.CList:
		d := b.dst(dst)
		b.emit(bytecode.NEWLIST, pr(d), uint16(b.c.typeID(t)), 0)
		b.defType(d, t)
		return d
	}
	b.c.internal(e, "nothing makes "+app.String())
	return b.dst(dst)
}

// addAll adds the elements of a list to the set in m.
func (b *builder) addAll(m int, elem types.Type, list syntax.Expr) {
	mark := b.top
	l := b.temp(list, nil)
	x := b.allocN(2)
	b.listLoop(l, x, elem, func() { b.emit(bytecode.MADD, pr(m), pr(x), 0) })
	b.setTop(mark)
}
