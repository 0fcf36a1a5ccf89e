package compiler

import (
	"context"
	"maps"
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Session compiles a program that grows by one entry after the other. Each
// program that it gives extends the one before: its tables begin with those of
// that one, which stays as it is.
type Session struct{ c *compiler }

// NewSession begins with a checked program. Its code begins with the room for an
// instance's stubs that vm.LinkSession needs.
func NewSession(prog *types.Program, opts Options) (*Session, *bytecode.Program, []diag.Diagnostic) {
	s := &Session{newCompiler(prog, opts)}
	s.c.session, s.c.anyShows = true, true
	s.c.out.Code = slices.Repeat([]uint64{trap}, bytecode.StubWords)
	s.c.inits = map[*types.Module]int{}
	out, diags := s.grow(prog.Main, func(c *compiler) { c.errors() })
	return s, out, diags
}

// Add compiles a module that the program has been extended by; its Entry runs it
// once what it imports is initialized: see Inits.
// When it does not compile, or ctx ends before it has, the session is as it was.
func (s *Session) Add(ctx context.Context, m *types.Module) (*bytecode.Program, []diag.Diagnostic) {
	return s.grow(m, func(c *compiler) { c.opts.Context = ctx })
}

// Init is a module and the function that initializes it.
type Init struct {
	Module *types.Module
	Func   int
}

// Inits are the modules to be initialized, in this order, before m runs, those of
// earlier entries included: it imports them, or the library may.
func (s *Session) Inits(m *types.Module) (inits []Init) {
	imported := map[*types.Module]bool{}
	var mark func(m *types.Module)
	mark = func(m *types.Module) {
		if !imported[m] {
			imported[m] = true
			for _, i := range m.Imports {
				mark(i)
			}
		}
	}
	mark(m)
	for _, m := range s.c.prog.Modules {
		if fn, ok := s.c.inits[m]; ok && (m.Std || imported[m]) {
			inits = append(inits, Init{m, fn})
		}
	}
	return inits
}

// Code is the program so far.
func (s *Session) Code() *bytecode.Program { return s.c.out }

// GlobalIndex is the place of a variable that has been compiled.
func (s *Session) GlobalIndex(g *types.Global) (index int, ok bool) {
	index, ok = s.c.globals[g]
	return index, ok
}

// Instances are the functions that fn has been compiled to, each followed by those
// that are written in it.
func (s *Session) Instances(fn *types.FuncDecl) (funcs []int) {
	within := map[int]bool{}
	for i := range s.c.code {
		f := &s.c.code[i]
		if f.fn == fn || f.fn == nil && f.builder != nil && within[f.parent] && f.builder.module == fn.Module {
			within[i] = true
			funcs = append(funcs, i)
		}
	}
	return funcs
}

// InFile are the functions of a module, its entry included.
func (s *Session) InFile(m *types.Module) (funcs []int) {
	for i := range s.c.code {
		if b := s.c.code[i].builder; b != nil && b.module == m {
			funcs = append(funcs, i)
		}
	}
	return funcs
}

func (s *Session) grow(m *types.Module, first func(*compiler)) (*bytecode.Program, []diag.Diagnostic) {
	c := s.c.fork()
	if diags := c.compile(s.c.out, func() { first(c); c.script(m) }); len(diags) > 0 {
		return nil, diags
	}
	for i := len(s.c.code); i < len(c.code); i++ { // they would keep c, and what it was forked from
		c.code[i].builder = &builder{module: c.code[i].module}
	}
	c.opts.Context = nil
	s.c = c
	return c.out, nil
}

// fork returns a compiler that continues from c, and leaves c and its program as they
// are. What is only appended to can be shared.
func (c *compiler) fork() *compiler {
	n := *c
	n.current, n.failed, n.queue, n.making = -1, nil, nil, nil
	n.idByPtr, n.idByKey = maps.Clone(c.idByPtr), maps.Clone(c.idByKey)
	n.strs, n.byteStrs, n.enums = maps.Clone(c.strs), maps.Clone(c.byteStrs), maps.Clone(c.enums)
	n.natives, n.funcs = maps.Clone(c.natives), maps.Clone(c.funcs)
	n.globals, n.deferred, n.files, n.infos = maps.Clone(c.globals), maps.Clone(c.deferred), maps.Clone(c.files), maps.Clone(c.infos)
	n.selectors, n.ifaces, n.boxedKeys, n.inits = maps.Clone(c.selectors), maps.Clone(c.ifaces), maps.Clone(c.boxedKeys), maps.Clone(c.inits)
	n.holds = maps.Clone(c.holds)
	n.code = slices.Clone(c.code)
	n.selFn = slices.Clone(c.selFn)
	for i := range n.selFn {
		n.selFn[i].done = maps.Clone(n.selFn[i].done)
	}
	out := *c.out
	out.Funcs, out.Ifaces, out.Selectors = slices.Clone(out.Funcs), slices.Clone(out.Ifaces), slices.Clone(out.Selectors)
	for i := range out.Selectors {
		out.Selectors[i].Table = slices.Clone(out.Selectors[i].Table)
	}
	n.out = &out
	return &n
}
