package compiler

import (
	"fmt"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// ---- spawn and await ----

// spawn starts a task with a call or a block; arguments are evaluated here.
func (b *builder) spawn(e *syntax.Spawn, t types.Type, dst int) int {
	return b.spawnAs(e, t, 0, dst)
}

// spawnAs is spawn with further bits in the immediate word.
func (b *builder) spawnAs(e *syntax.Spawn, t types.Type, bits uint64, dst int) int {
	mark := b.top
	imm := uint64(b.c.typeID(t)) | bits
	if e.Detached {
		imm |= bytecode.SpawnDetached
	}
	var task int
	switch x := e.X.(type) {
	case *syntax.Block:
		task = b.spawnBlock(e, x, types.Prune(t).(*types.App).Args[0], imm)
	case *syntax.Call:
		task = b.spawnCall(e, x, imm)
	}
	b.defType(task, t)
	if dst < 0 {
		return b.settle(task, mark)
	}
	b.move(dst, task, bytecode.RepP)
	b.setTop(mark)
	return dst
}

// spawnBlock starts a task with a block. What the block uses of the locals
// around it are the parameters of its function: a closure would be one object
// more for every task.
func (b *builder) spawnBlock(e *syntax.Spawn, x *syntax.Block, result types.Type, imm uint64) int {
	captured := b.freeLocals(x)
	first := b.allocN(max(len(captured), 1))
	caps := b.captured(captured, first)
	b.emitSpawn(e, first, len(captured), b.c.taskFunc(b, x, result, caps), imm)
	return first
}

// taskFunc is the function of a spawned block.
func (c *compiler) taskFunc(outer *builder, body *syntax.Block, result types.Type, caps []capture) int {
	meta := bytecode.Func{Name: "task in " + outer.name, Result: c.typeID(result)}
	for _, cp := range caps {
		if cp.cell {
			meta.Params = append(meta.Params, c.cellType(cp.typ))
		} else {
			meta.Params = append(meta.Params, c.typeID(cp.typ))
		}
	}
	around := *outer // the function is built later, when outer is elsewhere
	return c.newFunc(meta, body.Span(), func(far bool) *builder {
		b := c.newBuilder(around.module, around.info, around.subst, result, far)
		b.name = around.name
		b.selfVar, b.self, b.statics = around.selfVar, around.self, around.statics
		b.params(meta.Params)
		b.body(body, false, func() {
			for i, cp := range caps {
				b.locals[cp.local] = slot{reg: i, cell: cp.cell}
			}
		})
		return b
	})
}

// spawnCall starts a task with what a call calls; the register it gives will
// hold the task.
func (b *builder) spawnCall(e *syntax.Spawn, x *syntax.Call, imm uint64) int {
	ci := b.info.Calls[x]
	if ci == nil { // of what never returns
		return b.expr(x, nil, -1)
	}
	switch ci.Kind {
	case types.CallFunc, types.CallMethod, types.CallIface, types.CallBound:
		return b.spawnFunc(e, x, ci, imm)
	case types.CallBuiltin: // print or eprint
		first := b.alloc()
		b.printed(x, first)
		ref := b.c.nativeRef("core."+ci.Builtin, nil, []types.Type{types.Str}, types.Unit)
		b.emitSpawn(e, first, 1, b.c.wrapNative(ref, ci.Builtin), imm)
		return first
	}
	ft := types.Prune(b.typeOf(x.Fn)).(*types.Func)
	fn := b.temp(x.Fn, ft)
	b.setTopAtLeast(fn + 1)
	first := b.allocN(max(len(ft.Params), 1))
	b.valueArgs(x, ci, ft, first)
	b.at(e)
	b.emitImm(bytecode.SPAWNC, pr(first), pr(fn), 0, imm|uint64(len(ft.Params))<<32)
	return first
}

// spawnFunc starts a task with a declared function or a method.
func (b *builder) spawnFunc(e *syntax.Spawn, x *syntax.Call, ci *types.CallInfo, imm uint64) int {
	fn, recvArgs, typeArgs, kind := ci.Fn, b.args(ci.RecvArgs), b.args(ci.TypeArgs), ci.Kind
	var rt, self types.Type
	if kind != types.CallFunc {
		rt = b.typeOf(x.Fn.(*syntax.Member).X)
	}
	if kind == types.CallBound {
		kind = types.CallIface
		if m, args := b.methodBehind(rt, fn, recvArgs); !isIface(rt) && m != nil {
			fn, recvArgs, kind = m, args, types.CallMethod
		}
	}
	iface := kind == types.CallIface && len(fn.TypeParams) == 0
	n := len(fn.Params)
	if rt != nil {
		n++
		self = rt
		if !iface {
			self = b.selfType(fn, recvArgs, rt)
		}
	}
	first := b.allocN(max(n, 1))
	at := first
	if rt != nil {
		b.recvInto(x, -1, rt, self, at)
		at++
	}
	sub := types.Subst{
		Params: append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...),
		Args:   append(append([]types.Type(nil), recvArgs...), typeArgs...),
	}
	if iface {
		sub = types.Subst{Params: fn.OwnerParams(), Args: types.Prune(rt).(*types.Named).Args}
	}
	b.arguments(x, ci, fn, at, sub)
	index := 0
	switch {
	case iface:
		index = b.c.ifaceFunc(fn, rt, sub)
	case fn.Native:
		b.c.available(x, fn, self)
		index = b.c.nativeFunc(fn, recvArgs, typeArgs, self)
	default:
		index = b.c.instance(fn, recvArgs, typeArgs, self)
	}
	b.emitSpawn(e, first, n, index, imm)
	return first
}

func (b *builder) emitSpawn(e *syntax.Spawn, first, n, index int, imm uint64) {
	b.at(e)
	if pc := b.emitImm(bytecode.SPAWN, pr(first), 0, 0, imm|uint64(n)<<32); pc >= 0 {
		b.calls = append(b.calls, callFix{pc, index})
	}
}

// ifaceFunc is a function that calls a method of an interface value.
func (c *compiler) ifaceFunc(fn *types.FuncDecl, rt types.Type, sub types.Subst) int {
	key := "iface " + types.Key(rt) + "." + fn.Name
	if i, ok := c.funcs[key]; ok {
		return i
	}
	result := sub.Apply(fn.Result)
	meta := bytecode.Func{Name: funcName(fn, rt), Params: []uint32{c.typeID(rt)}, Result: c.typeID(result)}
	for _, p := range fn.Params {
		meta.Params = append(meta.Params, c.typeID(sub.Apply(p.Type)))
	}
	i := c.newFunc(meta, fn.At, func(far bool) *builder {
		b := c.newBuilder(fn.Module, fn.Module.Info, nil, result, far)
		b.params(meta.Params)
		w := b.newWindow(len(meta.Params))
		for r, id := range meta.Params {
			b.move(w.first+r, r, c.out.Types[id].Rep)
		}
		b.emit(bytecode.CALLI, pr(w.first), uint16(c.selector(rt, fn)), 0)
		b.defType(w.first, result)
		b.emitRet(w.first)
		return b
	})
	c.funcs[key] = i
	return i
}

// wrapNative is a function that calls a native of the runtime.
func (c *compiler) wrapNative(ref int, name string) int {
	key := fmt.Sprint("native ", ref)
	if i, ok := c.funcs[key]; ok {
		return i
	}
	nr := c.out.Natives[ref]
	i := c.newFunc(bytecode.Func{Name: name, Params: nr.Params, Result: nr.Result}, diag.NoSpan, func(far bool) *builder {
		b := c.newBuilder(c.prog.Main, c.prog.Main.Info, nil, types.Unit, far)
		b.params(nr.Params)
		b.emit(bytecode.CALLN, 0, uint16(ref), 0)
		b.emitRet(-1)
		return b
	})
	c.funcs[key] = i
	return i
}

// params takes the registers of parameters of runtime types.
func (b *builder) params(ids []uint32) {
	b.allocN(max(len(ids), 1))
	for r, id := range ids {
		if b.c.out.Types[id].Rep != bytecode.RepI {
			b.def(r, id)
		}
	}
	b.snapshot()
}

func (b *builder) await(e *syntax.Await, t types.Type, dst int) int {
	mark := b.top
	var r int
	if s, ok := unparen(e.X).(*syntax.Spawn); ok { // nobody else ever sees the handle
		r = b.spawnAs(s, b.typeOf(s), bytecode.SpawnPrivate, -1)
	} else {
		r = b.expr(e.X, nil, -1)
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.at(e)
	b.keep(b.emit(bytecode.AWAIT, pr(d), pr(r), 0), mark)
	b.defType(d, t)
	if isNever(t) {
		b.emit(bytecode.TRAP, 0, 0, 0)
		b.dead = true
	}
	return d
}

// taskOp emits the opcode of a native that is one, with its arguments from
// register first on and its result there; false for other natives.
func (b *builder) taskOp(name string, first int, self types.Type) bool {
	switch name {
	case "chan.send":
		b.keep(b.emit(bytecode.SEND, pr(first), pr(first+1), 0), first+2)
	case "chan.recv":
		elem := types.Prune(self).(*types.App).Args[0]
		b.setTopAtLeast(first + 1)
		mark := b.top
		x := b.alloc()
		closed, end := newLabel(), newLabel()
		b.recv(x, first, elem, closed)
		b.convert(x, elem, types.NewOptional(elem), first)
		b.jump(end)
		b.bind(closed)
		b.emit(bytecode.LDNIL, pr(first), 0, 0)
		b.defType(first, types.NewOptional(elem))
		b.bind(end)
		b.setTop(mark)
	case "core.sleep":
		b.keep(b.emit(bytecode.SLEEP, ir(first), 0, 0), first)
	case "core.yield_now":
		b.loadInt(first, 0)
		b.keep(b.emit(bytecode.SLEEP, ir(first), 0, 0), first)
	default:
		return false
	}
	return true
}

var taskOps = map[string]bool{"chan.send": true, "chan.recv": true, "core.sleep": true, "core.yield_now": true}

// recv receives into x, or jumps when nothing comes any more.
func (b *builder) recv(x, ch int, elem types.Type, closed *label) {
	at, top := len(b.code), b.top
	if x == top-1 {
		top = x // nothing is there yet
	}
	b.jumpIf(bytecode.RECV, pr(x), pr(ch), nil, closed)
	b.keep(at, max(top, ch+1))
	b.defType(x, elem)
	if b.far && !b.dead { // behind the jump over the long one, what came is there too
		b.snapshot()
	}
}

// newSync makes a channel or a mutex.
func (b *builder) newSync(e *syntax.Call, app *types.App, dst int) int {
	mark := b.top
	r := b.alloc()
	switch {
	case app.Ctor == types.CMutex:
		b.expr(e.Args[0].Value, app.Args[0], r)
	case len(e.Args) > 0:
		b.expr(e.Args[0].Value, types.Int, r)
	default:
		b.loadInt(r, 0)
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.at(e)
	b.emit(bytecode.NEWSYNC, pr(d), pr(r), uint16(b.c.typeID(app)))
	b.defType(d, app)
	return d
}

// forChan receives until the channel is closed.
func (b *builder) forChan(e *syntax.For, fi *types.ForInfo, l *loop) {
	ch := b.temp(e.X, nil)
	b.setTopAtLeast(ch + 1)
	x := b.alloc()
	elem := types.Prune(b.typeOf(e.X)).(*types.App).Args[0]
	b.bindLoop(l.cont)
	b.recv(x, ch, elem, l.brk)
	b.loopVar(e, 0, x)
	b.discard(e.Body)
	b.jump(l.cont)
}
