package compiler

import (
	"crypto/sha256"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// entry queues the function that initializes the imported modules, runs the
// script's statements and calls main (but for tests), and those of the tests.
func (c *compiler) entry() {
	main := c.prog.Main
	c.script(main)
	c.exports(main)
	if !c.opts.Tests {
		return
	}
	for _, t := range main.Tests {
		if t.Bench {
			c.out.Benches = append(c.out.Benches, bytecode.Test{Name: t.Name, Func: c.repeat(main, t, c.testFunc(main, "bench", t))})
		} else {
			c.out.Tests = append(c.out.Tests, bytecode.Test{Name: t.Name, Func: c.testFunc(main, "test", t)})
		}
	}
}

func (c *compiler) testFunc(main *types.Module, kind string, t *syntax.TestDecl) int {
	meta := bytecode.Func{Name: kind + " " + t.Name, Result: bytecode.IDUnit}
	return c.newFunc(meta, t.Span(), func(far bool) *builder {
		b := c.newBuilder(main, main.Info, nil, types.Unit, far)
		b.name = kind
		c.markDeferred(main.Info, t.Body)
		b.alloc()
		b.body(t.Body, false, func() {})
		return b
	})
}

// repeat makes a function that calls another one as often as it is told to.
func (c *compiler) repeat(main *types.Module, t *syntax.TestDecl, callee int) int {
	meta := bytecode.Func{Name: "bench", Result: bytecode.IDUnit, Params: []uint32{bytecode.IDInt}}
	return c.newFunc(meta, t.Span(), func(far bool) *builder {
		b := c.newBuilder(main, main.Info, nil, types.Unit, far)
		b.name = "bench"
		times, i, end, again := b.alloc(), b.alloc(), newLabel(), newLabel()
		b.snapshot()
		b.at(t)
		b.loadInt(i, 0)
		b.jumpIf(bytecode.JLE, ir(times), ir(i), nil, end)
		b.bindLoop(again)
		mark := b.top
		w := b.newWindow(1)
		b.calls = append(b.calls, callFix{b.emitK(bytecode.CALL, pr(w.first), 0), callee})
		b.setTop(mark)
		b.jumpIf(bytecode.FORI, ir(i), ir(times), nil, again)
		b.bind(end)
		b.emitReturn(-1)
		return b
	})
}

// exports compiles the script's public functions, which its host may call, and
// lists them and its public values.
func (c *compiler) exports(m *types.Module) {
	for _, item := range m.File.Items {
		d, ok := item.(*syntax.FnDecl)
		if !ok || !d.Pub || d.Native {
			continue
		}
		if fn, ok := m.Lookup(d.Name.Text).(*types.FuncDecl); ok && len(fn.TypeParams) == 0 {
			c.out.Exports = append(c.out.Exports, bytecode.Export{Name: fn.Name, Index: c.instance(fn, nil, nil, nil)})
		}
	}
	for _, g := range m.Globals {
		if g.Pub {
			c.out.Exports = append(c.out.Exports, bytecode.Export{Name: g.Name, Global: true, Index: c.globalIndex(g)})
		}
	}
	if len(c.out.Exports) > 0 { // what a host gives as any
		c.typeID(types.NewList(types.Any))
		c.typeID(types.NewMap(types.Str, types.Any))
	}
}

// script queues the entry of the program.
func (c *compiler) script(main *types.Module) {
	var inits []int
	for _, m := range c.prog.Modules {
		switch _, known := c.inits[m]; {
		case m.Script || known || !hasInit(m):
		case c.session: // when an entry needs it
			c.inits[m] = c.initFunc(m)
		default:
			inits = append(inits, c.initFunc(m))
		}
	}
	c.out.Entry = c.newFunc(bytecode.Func{Name: "script", Result: bytecode.IDUnit}, diag.NoSpan, func(far bool) *builder {
		return c.buildScript(main, inits, far)
	})
}

func hasInit(m *types.Module) bool {
	for _, s := range m.File.Items {
		switch s := s.(type) {
		case *syntax.LetStmt:
			if !m.Info.IsConst(s) {
				return true
			}
		case *syntax.ExprStmt, *syntax.AssignStmt:
			return true
		}
	}
	return false
}

func (c *compiler) initFunc(m *types.Module) int {
	return c.newFunc(bytecode.Func{Name: "module " + m.Name, Result: bytecode.IDUnit}, diag.NoSpan, func(far bool) *builder {
		b := c.newBuilder(m, m.Info, nil, types.Unit, far)
		b.name = m.Name
		b.alloc()
		b.topLevel(m)
		b.emitReturn(-1)
		return b
	})
}

// topLevel compiles a module's statements.
func (b *builder) topLevel(m *types.Module) {
	b.snapshot()
	for _, s := range m.File.Items {
		b.stmt(s)
	}
}

func (c *compiler) buildScript(m *types.Module, inits []int, far bool) *builder {
	b := c.newBuilder(m, m.Info, nil, types.Unit, far)
	b.name = "script"
	b.alloc()
	b.snapshot()
	for _, i := range inits {
		w := b.newWindow(1)
		b.calls = append(b.calls, callFix{b.emitK(bytecode.CALL, pr(w.first), 0), i})
		b.setTop(1)
	}
	if !c.session { // later entries see its variables
		b.globals = c.registerGlobals(m, b)
	}
	for _, s := range m.File.Items {
		c.markDeferred(m.Info, s)
	}
	block := &syntax.Block{Stmts: m.File.Items}
	if hasDefer(block) {
		b.defers = true
		b.exit = newLabel()
		b.retReg = 0
	}
	from := len(b.code)
	mark := b.top
	for i, s := range m.File.Items {
		if m.Value != nil && i == len(m.File.Items)-1 {
			b.initGlobal(m.Value, b.expr(s.(*syntax.ExprStmt).X, m.Value.Type, -1))
		} else {
			b.stmt(s)
		}
	}
	if fn, ok := m.Lookup("main").(*types.FuncDecl); ok && len(fn.Params) == 0 && len(fn.TypeParams) == 0 && !b.dead && !c.opts.Tests && !c.session {
		b.pos = 0
		over := newLabel()
		asked := b.newWindow(1) // a host that starts an instance calls main itself, or never
		b.emit(bytecode.CALLN, pr(asked.first), uint16(c.nativeRef("core.runs_main", nil, nil, types.Bool)), 0)
		b.jumpWide(bytecode.JF, ir(asked.first), over)
		w := b.newWindow(1)
		b.emitCall(fn, nil, nil, nil, w)
		b.bind(over)
	}
	b.emitReturn(-1)
	if b.defers {
		if n := len(m.File.Items); n > 0 {
			b.at(m.File.Items[n-1])
		}
		b.deferExit(from, max(mark, b.max))
	}
	return b
}

// registerGlobals gives the script's variables that no function sees registers
// of the entry function: they are as fast as a function's locals.
func (c *compiler) registerGlobals(m *types.Module, b *builder) map[*types.Global]int {
	shared := map[*types.Global]bool{}
	use := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			if g, ok := m.Info.Uses[n.ID()].(*types.Global); ok {
				shared[g] = true
			}
		}
		return true
	}
	for _, s := range m.File.Items {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.FnDecl, *syntax.Lambda, *syntax.DeferStmt, *syntax.Spawn, *syntax.TestDecl,
				*syntax.StructDecl, *syntax.EnumDecl, *syntax.InterfaceDecl:
				syntax.Walk(n, use)
				return false
			}
			return true
		})
	}
	regs := map[*types.Global]int{}
	for _, g := range m.Globals {
		if !shared[g] && !g.Pub && !c.opts.Plain && b.top < maxRegs/2 {
			regs[g] = b.alloc()
		}
	}
	return regs
}

var trap = bytecode.Instr(bytecode.TRAP, 0, 0, 0, 0)

// layout joins the functions' code and resolves calls and jump tables.
func (c *compiler) layout() {
	from := c.laidOut
	c.laidOut = len(c.code)
	for i := from; i < len(c.code); i++ {
		f := &c.code[i]
		f.meta.Start = uint32(len(c.out.Code))
		if len(f.meta.Captures) == 0 {
			f.meta.Closure = bytecode.Layout{Scalars: 1} // the entry word
		}
		shift := 0
		if f.meta.Frame > maxSmallFrame {
			c.out.Code = append(c.out.Code, bytecode.WithK(bytecode.Instr(bytecode.ENTER, 0, 0, 0, 0), int32(f.meta.Frame)))
			shift = 1
		}
		start := f.meta.Start + uint32(shift)
		c.out.Code = append(c.out.Code, f.code...)
		f.meta.End = uint32(len(c.out.Code))
		for k := range f.meta.Lines {
			f.meta.Lines[k].PC += start
		}
		for k := range f.meta.Maps {
			f.meta.Maps[k].PC += start
		}
		if shift == 1 {
			entry := bytecode.TypeMap{PC: f.meta.Start, Regs: f.meta.Maps[0].Regs}
			f.meta.Maps = append([]bytecode.TypeMap{entry}, f.meta.Maps...)
		}
		for k := range f.meta.Handlers {
			h := &f.meta.Handlers[k]
			h.Start, h.End, h.Target = h.Start+start, h.End+start, h.Target+start
		}
		for _, t := range f.tables {
			c.out.Jumps[t.table][t.entry] = start + uint32(t.pos)
		}
		for k := range f.calls {
			f.calls[k].at += int(start)
		}
	}
	c.out.Code = append(c.out.Code, trap)
	for i := range from { // may have become values since
		c.out.Funcs[i].Type = c.code[i].meta.Type
	}
	for i := from; i < len(c.code); i++ {
		for _, fix := range c.code[i].calls {
			callee := &c.code[fix.fn].meta
			aux := uint8(0)
			if callee.Frame <= maxSmallFrame {
				aux = uint8((callee.Frame + 3) / 4)
			}
			w := c.out.Code[fix.at]
			if bytecode.OpOf(w) == bytecode.SPAWN {
				c.out.Code[fix.at] = bytecode.WithK(w, int32(callee.Start))
				c.out.Code[fix.at+1] |= uint64(callee.Frame) << 48
				continue
			}
			c.out.Code[fix.at] = bytecode.WithK(bytecode.Instr(bytecode.OpOf(w), aux, bytecode.AOf(w), 0, 0), int32(callee.Start))
		}
		c.out.Funcs = append(c.out.Funcs, c.code[i].meta)
	}
}

// maxSmallFrame is the largest frame a CALL can ask room for by itself; larger
// functions begin with ENTER.
const maxSmallFrame = 4 * 255

// finishFunc takes over a built function.
func (c *compiler) finishFunc(index int, b *builder) {
	if c.failed != nil {
		return
	}
	if len(b.code) == 0 {
		b.code = append(b.code, bytecode.Instr(bytecode.TRAP, 0, 0, 0, 0))
	}
	b.thread()
	f := &c.code[index]
	f.builder = b
	f.meta.Frame = uint16(b.max + 1)
	f.meta.Handlers, f.meta.Lines, f.meta.Maps = b.handlers, b.lines, b.maps
	f.meta.HasDefers = b.defers
	f.meta.File = c.fileIndex(b.file, b.module.Std)
}

func (c *compiler) fileIndex(f *diag.File, std bool) uint32 {
	if i, ok := c.files[f]; ok {
		return i
	}
	i := uint32(len(c.out.Files))
	c.files[f] = i
	c.out.Files = append(c.out.Files, bytecode.SourceFile{Name: f.Name, Text: f.Src, Hash: sha256.Sum256([]byte(f.Src)), Std: std})
	return i
}
