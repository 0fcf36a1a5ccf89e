package compiler

import (
	"fmt"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// newFunc reserves a function's index and queues its body.
func (c *compiler) newFunc(meta bytecode.Func, at diag.Span, build func(far bool) *builder) int {
	index := c.reserve(meta, at)
	c.queue = append(c.queue, work{index, build})
	return index
}

// reserve reserves a function's index.
func (c *compiler) reserve(meta bytecode.Func, at diag.Span) int {
	index := len(c.code)
	c.code = append(c.code, compiled{meta: meta, parent: c.current})
	if index >= maxInstances {
		c.tooLarge(at, "functions after its generic ones are made concrete", maxInstances, "lambdas and `spawn` blocks count, and a generic function as often as it is used with other types: split the program, or use an interface or a list of what is alike")
	}
	return index
}

// instance returns the index of a function with concrete type arguments.
func (c *compiler) instance(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type) int {
	args := append(append([]types.Type(nil), recvArgs...), typeArgs...)
	if c.overgrown(fn, args) {
		return 0
	}
	key := fmt.Sprintf("%p", fn)
	for _, t := range args {
		key += "," + types.Key(t)
	}
	if i, ok := c.funcs[key]; ok {
		return i
	}
	sub := &types.Subst{Params: append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...), Args: args}
	meta := bytecode.Func{Name: funcName(fn, self)}
	if self != nil {
		meta.Params = append(meta.Params, c.typeID(self))
	}
	for _, p := range fn.Params {
		meta.Params = append(meta.Params, c.typeID(sub.Apply(p.Type)))
	}
	result := sub.Apply(fn.Result)
	meta.Result = c.typeID(result)
	i := c.newFunc(meta, fn.At, func(far bool) *builder { return c.buildFunc(fn, sub, self, result, far) })
	c.code[i].fn, c.code[i].args = fn, args
	c.funcs[key] = i
	return i
}

func funcName(fn *types.FuncDecl, self types.Type) string {
	switch {
	case fn.Owner != nil:
		return fn.Owner.Name + "." + fn.Name
	case fn.On != nil:
		return fn.On.Name + "." + fn.Name
	case fn.Ext != nil:
		return extName(fn.Ext.Target) + "." + fn.Name
	}
	return fn.Name
}

func (c *compiler) newBuilder(mod *types.Module, info *types.Info, sub *types.Subst, result types.Type, far bool) *builder {
	return &builder{
		c: c, info: info, subst: sub, file: mod.File.Source, module: mod, far: far, result: result,
		locals: map[*types.Local]slot{}, bound: -1,
	}
}

func (c *compiler) buildFunc(fn *types.FuncDecl, sub *types.Subst, self, result types.Type, far bool) *builder {
	info := c.prog.Body(fn)
	if fn.Derived == types.NotDerived {
		c.markDeferred(info, fn.Syntax.Body)
	}
	b := c.newBuilder(fn.Module, info, sub, result, far)
	b.name = funcName(fn, self)
	n := len(fn.Params)
	if self != nil {
		n++
	}
	first := b.allocN(max(n, 1))
	if self != nil {
		b.defType(first, self)
		b.self = self
		if l := info.Selfs[fn.Syntax]; l != nil {
			b.selfVar = l
			b.locals[l] = slot{reg: first}
		}
		first++
	}
	for i, p := range fn.Params {
		b.defType(first+i, sub.Apply(p.Type))
	}
	if fn.Derived != types.NotDerived {
		b.buildDerived(fn, sub.Apply(fn.On.Self))
		return b
	}
	if builtBody(fn) {
		b.buildBody(fn, sub.Args[0])
		return b
	}
	b.body(fn.Syntax.Body, fn.Syntax.Yields, func() {
		for i, p := range fn.Params {
			if p.Obj != nil {
				b.declare(p.Obj, first+i, sub.Apply(p.Type))
			}
		}
	})
	return b
}

// body compiles a function's body: its parameters, its statements, and, where
// it defers, the exit and the handler that run what was deferred.
func (b *builder) body(body syntax.Expr, yields bool, params func()) {
	b.snapshot()
	if yields {
		params()
		b.generator(body)
		return
	}
	b.defers = hasDefer(body)
	if b.defers {
		b.exit = newLabel()
		b.retReg = b.alloc()
	}
	params()
	b.at(body)
	from := len(b.code)
	mark := b.top
	switch {
	case isUnit(b.result) || isNever(b.result):
		b.discard(body)
		b.endPos(body)
		b.emitReturn(-1)
	case b.defers:
		b.expr(body, b.result, b.retReg)
		b.endPos(body)
		b.emitReturn(b.retReg)
	default:
		r := b.expr(body, b.result, -1)
		b.endPos(body)
		b.emitReturn(r)
	}
	if b.defers {
		b.deferExit(from, mark)
	}
}

// endPos blames the closing brace for what happens at the end.
func (b *builder) endPos(body syntax.Expr) {
	if blk, ok := body.(*syntax.Block); ok && blk.Rbrace.IsValid() {
		b.pos = blk.Rbrace.Start
	}
}

// deferExit writes the common end of a function that defers, and the handler
// that runs deferred closures when an error passes through. An error of a
// deferred closure enters that handler again, for those left.
func (b *builder) deferExit(from, mark int) {
	to := len(b.code)
	b.setTop(mark)
	window := mark + 1
	if b.exit.known {
		b.dead = true
		b.bind(b.exit)
		b.setTop(window + 1)
		run := b.emit(bytecode.RUNDEFER, pr(window), 0, 0)
		b.emitRet(b.retReg)
		b.cleanup(run, run+1, window)
	}
	b.cleanup(from, to, window)
}

// cleanup adds a landing pad that runs what is deferred and throws again.
func (b *builder) cleanup(from, to, window int) {
	errReg := window + 1
	state := make([]uint32, errReg+1)
	state[errReg] = b.c.typeID(b.c.errorType())
	pad := &label{pos: -1, known: true, state: state}
	b.dead = true
	b.setTopAtLeast(errReg + 2)
	// The window must lie above the saved error.
	b.bind(pad)
	run := b.emit(bytecode.RUNDEFER, pr(errReg+2), 0, 0)
	b.setTopAtLeast(errReg + 3)
	b.emit(bytecode.RETHROW, pr(errReg), 0, 0)
	b.dead = true
	h := bytecode.Handler{Cleanup: true, Target: uint32(pad.pos), Reg: uint16(errReg)}
	h.Start, h.End = uint32(from), uint32(to)
	b.handlers = append(b.handlers, h)
	h.Start, h.End = uint32(run), uint32(run+1)
	b.handlers = append(b.handlers, h)
}

// hasDefer reports whether a body defers, nested functions aside.
func hasDefer(body syntax.Node) bool {
	found := false
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.DeferStmt:
			found = true
		case *syntax.Lambda, *syntax.Spawn, *syntax.FnDecl:
			return n == body
		}
		return !found
	})
	return found
}

// markDeferred notes the locals that deferred statements use: a var among them
// lives in a cell, like a closure's.
func (c *compiler) markDeferred(info *types.Info, body syntax.Node) {
	if !hasDefer(body) {
		// Lambdas inside may defer; they use the enclosing function's vars
		// through captures, which the checker has marked.
		inner := false
		syntax.Walk(body, func(n syntax.Node) bool {
			_, ok := n.(*syntax.DeferStmt)
			inner = inner || ok
			return !inner
		})
		if !inner {
			return
		}
	}
	syntax.Walk(body, func(n syntax.Node) bool {
		d, ok := n.(*syntax.DeferStmt)
		if !ok {
			return true
		}
		syntax.Walk(d.Body, func(m syntax.Node) bool {
			if id, ok := m.(*syntax.Ident); ok {
				if l, ok := info.Uses[id.ID()].(*types.Local); ok {
					c.deferred[l] = true
				}
			}
			return true
		})
		return true
	})
}

// ---- function values ----

// funcType is the type of a function as a value.
func funcType(fn *types.FuncDecl, sub *types.Subst) *types.Func {
	ft := &types.Func{Result: sub.Apply(fn.Result)}
	for _, p := range fn.Params {
		ft.Params = append(ft.Params, sub.Apply(p.Type))
	}
	return ft
}

// funcValue returns the function to be loaded where a named function is a value
// of type t; type arguments that are not written are solved from t.
func (c *compiler) funcValue(fn *types.FuncDecl, args []types.Type, t types.Type) int {
	if len(args) < len(fn.OwnerParams())+len(fn.TypeParams) {
		args = solve(fn, types.Prune(t).(*types.Func))
	}
	index := 0
	if fn.Native {
		index = c.nativeFunc(fn, nil, args, nil)
	} else {
		index = c.instance(fn, nil, args, nil)
	}
	c.code[index].meta.Type = c.typeID(t)
	return index
}

// solve finds the type arguments that make fn's type the given one.
func solve(fn *types.FuncDecl, ft *types.Func) []types.Type {
	params := append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...)
	args := make([]types.Type, len(params))
	var match func(p, t types.Type)
	match = func(p, t types.Type) {
		p, t = types.Prune(p), types.Prune(t)
		switch p := p.(type) {
		case *types.TypeParam:
			for i, q := range params {
				if q == p {
					args[i] = t
				}
			}
		case *types.App:
			if t, ok := t.(*types.App); ok && len(t.Args) == len(p.Args) {
				for i := range p.Args {
					match(p.Args[i], t.Args[i])
				}
			}
		case *types.Named:
			if t, ok := t.(*types.Named); ok && len(t.Args) == len(p.Args) {
				for i := range p.Args {
					match(p.Args[i], t.Args[i])
				}
			}
		case *types.Func:
			if t, ok := t.(*types.Func); ok && len(t.Params) == len(p.Params) {
				for i := range p.Params {
					match(p.Params[i], t.Params[i])
				}
				match(p.Result, t.Result)
			}
		}
	}
	match(funcType(fn, nil), ft)
	for i := range args {
		if args[i] == nil {
			args[i] = types.Unit
		}
	}
	return args
}

// nativeFunc wraps a native in a function, for use as a value or through an
// interface.
func (c *compiler) nativeFunc(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type) int {
	nr := c.nativeUse(fn, recvArgs, typeArgs, self)
	key := fmt.Sprint("native ", nr)
	if i, ok := c.funcs[key]; ok {
		return i
	}
	sub := &types.Subst{
		Params: append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...),
		Args:   append(append([]types.Type(nil), recvArgs...), typeArgs...),
	}
	result := sub.Apply(fn.Result)
	meta := bytecode.Func{Name: funcName(fn, self), Params: nr.Params, Result: nr.Result}
	i := c.newFunc(meta, fn.At, func(far bool) *builder {
		b := c.newBuilder(fn.Module, fn.Module.Info, sub, result, far)
		b.params(nr.Params)
		if !b.taskOp(nr.Name, 0, self) {
			b.emit(bytecode.CALLN, 0, uint16(c.nativeIndex(nr)), 0)
		}
		b.defType(0, result)
		b.emitRet(0)
		return b
	})
	c.funcs[key] = i
	return i
}

// variantFunc is the function that makes a variant with fields.
func (c *compiler) variantFunc(v *types.VariantRef, ft *types.Func) int {
	key := "variant " + types.Key(ft) + v.Variant.Name
	if i, ok := c.funcs[key]; ok {
		return i
	}
	meta := c.funcMeta(v.Enum.Name+"."+v.Variant.Name, ft)
	i := c.newFunc(meta, v.Variant.At, func(far bool) *builder {
		b := c.newBuilder(v.Enum.Module, v.Enum.Module.Info, nil, ft.Result, far)
		b.paramRegs(ft)
		b.snapshot()
		d := b.alloc()
		b.emitAux(bytecode.NEWENUM, uint8(v.Variant.Tag), pr(d), uint16(c.typeID(ft.Result)), pr(0))
		b.defType(d, ft.Result)
		b.emitRet(d)
		return b
	})
	c.funcs[key] = i
	return i
}

func (c *compiler) funcMeta(name string, ft *types.Func) bytecode.Func {
	meta := bytecode.Func{Name: name, Type: c.typeID(ft), Result: c.typeID(ft.Result)}
	for _, p := range ft.Params {
		meta.Params = append(meta.Params, c.typeID(p))
	}
	return meta
}

// paramRegs takes the registers of a function's parameters.
func (b *builder) paramRegs(ft *types.Func) {
	b.allocN(max(len(ft.Params), 1))
	for i, p := range ft.Params {
		b.defType(i, p)
	}
}

// methodValue is the function behind x.method as a value: it calls the method
// on the captured receiver.
func (c *compiler) methodValue(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type, ft *types.Func, iface bool) int {
	key := fmt.Sprintf("bound %p %s %s", fn, types.Key(self), types.Key(ft))
	if i, ok := c.funcs[key]; ok {
		return i
	}
	meta := c.funcMeta(funcName(fn, self), ft)
	meta.Captures, meta.Closure = c.captureFields([]capture{{local: &types.Local{Name: "self"}, typ: self}})
	i := c.newFunc(meta, fn.At, func(far bool) *builder {
		b := c.newBuilder(fn.Module, fn.Module.Info, nil, ft.Result, far)
		b.paramRegs(ft)
		b.snapshot()
		w := b.newWindow(1 + len(ft.Params))
		f := meta.Captures[0]
		if f.Rep != bytecode.RepP {
			b.emit(bytecode.UPI, ir(w.first), f.Off, 0)
		}
		if f.Rep != bytecode.RepI {
			b.emit(bytecode.UPP, pr(w.first), f.POff, 0)
		}
		b.defType(w.first, self)
		for i, p := range ft.Params {
			b.move(w.first+1+i, i, c.rep(p))
		}
		if iface {
			b.emit(bytecode.CALLI, pr(w.first), uint16(c.selector(self, fn)), 0)
		} else {
			b.emitCall(fn, recvArgs, typeArgs, self, w)
		}
		b.defType(w.first, ft.Result)
		b.emitRet(w.first)
		return b
	})
	c.funcs[key] = i
	return i
}

// closureFunc queues the function of a lambda or deferred statement.
func (c *compiler) closureFunc(outer *builder, n, body syntax.Node, params []*syntax.Param, ft *types.Func, caps []capture) int {
	name := "fn"
	if _, ok := n.(*syntax.DeferStmt); ok {
		name = "defer"
	}
	if _, ok := n.(*syntax.Spawn); ok {
		name = "task"
	}
	key := ""
	if outer.frozen > 0 { // a default is compiled wherever it is used, its functions once
		key = fmt.Sprintf("default %p %s", n, types.Key(ft))
		for _, t := range outer.subst.Args {
			key += "," + types.Key(t)
		}
		for _, cp := range caps {
			key += fmt.Sprintf(" %s %t", types.Key(cp.typ), cp.cell)
		}
		if i, ok := c.funcs[key]; ok {
			return i
		}
	}
	name += " in " + outer.name
	d, isLocal := n.(*syntax.FnDecl)
	if isLocal {
		name = d.Name.Text
	}
	meta := c.funcMeta(name, ft)
	meta.Captures, meta.Closure = c.captureFields(caps)
	// The function is built later, when outer is elsewhere.
	around := *outer
	index := c.newFunc(meta, n.Span(), func(far bool) *builder {
		b := c.newBuilder(around.module, around.info, around.subst, ft.Result, far)
		b.name = around.name
		if isLocal {
			b.name = name
		}
		b.selfVar, b.self, b.statics = around.selfVar, around.self, around.statics
		b.paramRegs(ft)
		for i, cp := range caps {
			b.locals[cp.local] = slot{up: true, cell: cp.cell, f: meta.Captures[i]}
		}
		declare := func() {
			for i, p := range params {
				if l := b.info.Params[p]; l != nil {
					b.declare(l, i, b.subst.Apply(l.Type))
				}
			}
			for i, p := range params { // when all have their place, as the parts take registers
				if p.Pattern != nil {
					b.takeApart(p.Pattern, i, ft.Params[i])
				}
			}
		}
		if s, ok := body.(syntax.Stmt); ok {
			b.snapshot()
			declare()
			b.stmt(s)
			b.emitReturn(-1)
			return b
		}
		b.body(body.(syntax.Expr), yields(n), declare)
		return b
	})
	if key != "" {
		c.funcs[key] = index
	}
	return index
}
