package runnel

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Session is a program that grows: it runs one entry after another in the same
// instance. An entry is a script that sees what earlier entries have declared.
// It can redeclare a name; code that used the old declaration keeps using it.
// Tasks that an entry spawns keep running after it has ended. An error in one
// entry does not harm the others.
//
// Its methods can be called from any goroutine.
type Session struct {
	mu      sync.Mutex
	rt      *Runtime
	inst    *Instance
	files   *diag.FileSet
	load    *loader // of each entry by itself
	prog    *types.Program
	comp    *compiler.Session
	linked  *vm.Program
	names   map[string]types.Object
	entries []*types.Module // that did not fail
	inited  map[*types.Module]bool
	initing chan struct{} // holds one while modules are initialized
}

// Result is the outcome of an entry.
type Result struct {
	Type string // of the value, "" without one
	Text string // the value as it would be written; what is long in it is shown in part, with how much more there is
	// Warnings of the compiler; their places are in Files.
	Warnings []diag.Diagnostic
	Files    *diag.FileSet
	// Reloaded are files that were imported again and have changed, or import
	// one that has. They start afresh, with new values; whatever was declared
	// or started with the old versions keeps using them.
	Reloaded []string
}

// maxShown bounds the text of a result.
const maxShown = 10_000

// NewSession starts a session. It cannot be combined with WithRace.
func (rt *Runtime) NewSession() (*Session, error) {
	if rt.instances.closed() {
		return nil, ErrClosed
	}
	s := &Session{rt: rt, files: &diag.FileSet{}, load: &loader{rt: rt}, names: map[string]types.Object{},
		inited: map[*types.Module]bool{}, initing: make(chan struct{}, 1)}
	file, _ := syntax.Parse(s.files.Add("session", ""))
	prog, diags := types.Check(s.files, file, types.Options{Loader: s.load, Prelude: stdlib.Prelude()})
	if failed(diags) {
		return nil, &CompileError{Files: s.files, Diags: diags}
	}
	comp, code, diags := compiler.NewSession(prog, compiler.Options{HasNative: rt.modules.HasNative, Signatures: rt.signatures})
	if failed(diags) {
		return nil, &CompileError{Files: s.files, Diags: diags}
	}
	linked, err := vm.LinkSession(code, rt.modules)
	if err != nil {
		return nil, err
	}
	s.prog, s.comp, s.linked = prog, comp, linked
	config := rt.config
	config.UnhandledSoon = true
	s.inst = (&Program{Code: code, Files: s.files, rt: rt, linked: linked, config: config, chooser: rt.chooser}).NewInstance()
	return s, s.inst.vm.Start(context.Background())
}

// Eval compiles and runs an entry; messages refer to it by name. If the entry
// does not compile, the error is a *CompileError and nothing has been run. When
// ctx ends, compiling stops or the entry's own task is cancelled; compiling
// also stops at the limits of WithCompileLimits.
func (s *Session) Eval(ctx context.Context, name, src string) (*Result, error) {
	ctx = vm.OrBackground(ctx)
	m, run, err := s.compile(ctx, name, src)
	if err != nil {
		return nil, err
	}
	if err = s.initialise(ctx, run.inits); err == nil {
		_, err = s.inst.vm.Invoke(ctx, run.entry, nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.declare(m)
	res := &Result{Warnings: run.warnings, Files: s.files.Clone(), Reloaded: run.reloaded}
	if err == nil {
		s.entries = append(s.entries, m)
		if m.Value != nil {
			err = s.show(m.Value, res)
		}
	}
	return res, err
}

// Reload imports again those imported files that have changed, or that import
// one that has. Result.Reloaded lists them.
func (s *Session) Reload(ctx context.Context) (*Result, error) {
	s.mu.Lock()
	imported := map[string]string{}
	for name, o := range s.names {
		if m, ok := o.(*types.ModuleObj); ok && !m.Module.Std {
			imported[name] = m.Module.Path
		}
	}
	all := &Result{Files: s.files}
	s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(imported)) {
		file := imported[name]
		res, err := s.Eval(ctx, path.Join(path.Dir(file), "reload"), fmt.Sprintf("import %q as %s", "./"+path.Base(file), name))
		if err != nil {
			return all, err
		}
		all.Files, all.Warnings = res.Files, append(all.Warnings, res.Warnings...)
		all.Reloaded = append(all.Reloaded, res.Reloaded...)
	}
	slices.Sort(all.Reloaded)
	return all, nil
}

// running is what an entry calls.
type running struct {
	inits    []compiler.Init // of modules that have not been initialized when it was compiled
	entry    vm.Callee
	warnings []diag.Diagnostic
	reloaded []string
}

// compile has the instance continue with a program that has one more entry.
func (s *Session) compile(ctx context.Context, name, src string) (m *types.Module, run running, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, code, warnings, err := s.add(ctx, name, src)
	if err != nil {
		return m, run, err
	}
	linked, err := s.linked.Extend(code)
	if err == nil {
		err = s.inst.vm.Extend(linked)
	}
	if err != nil {
		return m, run, err
	}
	s.linked = linked
	inits := slices.DeleteFunc(s.comp.Inits(m), func(i compiler.Init) bool { return s.inited[i.Module] })
	return m, running{inits, linked.Callee(code.Entry), warnings, s.prog.Replaced()}, nil
}

// initialize initializes modules, each once. One that fails or is cancelled is for
// the next entry that imports it.
func (s *Session) initialise(ctx context.Context, inits []compiler.Init) error {
	if len(inits) == 0 {
		return nil
	}
	select {
	case s.initing <- struct{}{}:
		defer func() { <-s.initing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for _, i := range inits {
		s.mu.Lock()
		done, fn := s.inited[i.Module], s.linked.Callee(i.Func)
		s.mu.Unlock()
		if done {
			continue
		}
		if _, err := s.inst.vm.Invoke(ctx, fn, nil); err != nil {
			return err
		}
		s.mu.Lock()
		s.inited[i.Module] = true
		s.mu.Unlock()
	}
	return nil
}

// add compiles an entry.
func (s *Session) add(ctx context.Context, name, src string) (*types.Module, *bytecode.Program, []diag.Diagnostic, error) {
	ctx, cancel := s.rt.compiling.within(ctx)
	defer cancel()
	m, warnings := s.check(ctx, name, src, true)
	if failed(warnings) {
		return nil, nil, nil, s.failure(ctx, warnings)
	}
	code, diags := s.comp.Add(ctx, m)
	if failed(diags) {
		return nil, nil, nil, s.failure(ctx, diags)
	}
	return m, code, warnings, nil
}

// failure is the error of an entry that is wrong, with the files of now: others are
// added while the caller shows it.
func (s *Session) failure(ctx context.Context, diags []diag.Diagnostic) error {
	return compileError(ctx, s.files.Clone(), diags)
}

// check checks an entry. A last statement that is an if, a match or the like need
// not make sense as a value.
func (s *Session) check(ctx context.Context, name, src string, valued bool) (*types.Module, []diag.Diagnostic) {
	file := s.files.Add(name, src)
	if file == nil || len(src) > s.rt.compiling.source() {
		return nil, []diag.Diagnostic{{Code: diag.ProgramTooLarge, Message: "the entries of this session are too large together"}}
	}
	s.load.left = s.rt.compiling.source() - len(src)
	parsed, diags := syntax.ParseContext(ctx, file)
	m, more := s.prog.Extend(ctx, types.Entry{File: parsed, Outer: s.names, Broken: failed(diags), Valued: valued})
	diags = append(diags, more...)
	if valued && failed(diags) && endsInBlock(parsed) {
		parsed, again := syntax.ParseContext(ctx, file)
		plain, more := s.prog.Extend(ctx, types.Entry{File: parsed, Outer: s.names, Broken: failed(again)})
		if again = append(again, more...); !failed(again) {
			return plain, again
		}
	}
	return m, diags
}

func endsInBlock(f *syntax.File) bool {
	if len(f.Items) == 0 {
		return false
	}
	x, ok := f.Items[len(f.Items)-1].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	switch x.X.(type) {
	case *syntax.If, *syntax.Match, *syntax.Block, *syntax.Try, *syntax.Scope, *syntax.Lock, *syntax.Select:
		return true
	}
	return false
}

// declare makes the names of an entry that has run those of the session, but for
// variables that have got no value: what they hide stays.
func (s *Session) declare(m *types.Module) {
	names := maps.Clone(s.names) // earlier entries keep theirs
	for name, o := range m.Scope() {
		if g, ok := o.(*types.Global); ok && !s.initialised(g) {
			continue
		}
		names[name] = o
	}
	if m.Value != nil && s.initialised(m.Value) {
		names["_"] = m.Value
	}
	s.names = names
}

func (s *Session) initialised(g *types.Global) bool {
	i, ok := s.comp.GlobalIndex(g)
	if !ok {
		return false
	}
	_, ok = s.inst.vm.Global(i)
	return ok
}

// show fills in the value of an entry.
func (s *Session) show(g *types.Global, res *Result) error {
	i, _ := s.comp.GlobalIndex(g)
	v, _ := s.inst.vm.Global(i)
	res.Type = g.Type.String()
	return s.inst.vm.WithCall(context.Background(), func(c *vm.Call) {
		res.Text = c.DisplayFolded(s.linked.Globals[i].Type, v, maxShown)
	})
}

// TypeOf returns the type of an expression without running it.
func (s *Session) TypeOf(src string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := s.rt.compiling.within(context.Background())
	defer cancel()
	m, diags := s.check(ctx, "expression", src, true)
	if failed(diags) {
		return "", s.failure(ctx, diags)
	}
	if m.Value == nil {
		return types.Unit.String(), nil
	}
	return m.Value.Type.String(), nil
}

// Disassemble writes the bytecode of a function or method of the session, or of
// an expression, without running it.
func (s *Session) Disassemble(w io.Writer, src string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	src = strings.TrimSpace(src)
	fn := s.function(src)
	if fn == nil || fn.Owner == nil && len(fn.TypeParams) == 0 { // a function is compiled where it is mentioned
		m, _, _, err := s.add(context.Background(), "expression", src)
		if err != nil {
			return err
		}
		if fn == nil {
			return bytecode.DisassembleFuncs(w, s.comp.Code(), s.comp.InFile(m))
		}
	}
	funcs := s.comp.Instances(fn)
	if len(funcs) == 0 {
		return fmt.Errorf("`%s` is not compiled before something calls it", src)
	}
	return bytecode.DisassembleFuncs(w, s.comp.Code(), funcs)
}

// function finds a function or method that an entry has declared.
func (s *Session) function(name string) *types.FuncDecl {
	first, method, _ := strings.Cut(name, ".")
	switch o := s.names[first].(type) {
	case *types.FuncDecl:
		if method == "" {
			return o
		}
	case *types.TypeDecl:
		return o.Method(method)
	}
	return nil
}

// Complete returns completions at a byte offset of an entry, best first; none
// if that takes longer than compiling may take.
func (s *Session) Complete(src string, at int) []query.Completion {
	return s.CompleteContext(context.Background(), src, at)
}

// CompleteContext is Complete with a context; it returns nothing if ctx ends first.
func (s *Session) CompleteContext(ctx context.Context, src string, at int) (list []query.Completion) {
	s.query(ctx, src, func(f *query.File) { list = f.Complete(at) })
	return list
}

// Signature describes the parameters of the innermost call around a byte offset
// of an entry. ok is false if that takes longer than compiling may take, or if
// ctx ends first.
func (s *Session) Signature(ctx context.Context, src string, at int) (sig query.Signature, ok bool) {
	s.query(ctx, src, func(f *query.File) { sig, ok = f.Signature(at) })
	return sig, ok
}

// query asks something about an entry.
func (s *Session) query(ctx context.Context, src string, ask func(*query.File)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := s.rt.compiling.within(vm.OrBackground(ctx))
	defer cancel()
	ask(query.Open("entry", src, query.Options{Context: ctx, Loader: &loader{rt: s.rt, left: s.rt.compiling.source()}, Prelude: stdlib.Prelude(), Outer: s.names, Files: s.files}))
}

// Program returns what the session is running now, which is needed to show an error.
func (s *Session) Program() *Program {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Program{Code: s.linked.Program, Files: s.files.Clone(), rt: s.rt, linked: s.linked, config: s.rt.config}
}

// Tasks lists the live tasks.
func (s *Session) Tasks() []vm.TaskInfo { return s.inst.vm.Tasks() }

// Usage returns how much of its limits the session is using.
func (s *Session) Usage() Usage { return s.inst.Usage() }

// Unhandled returns the errors of tasks that have failed without anybody's knowing,
// once each.
func (s *Session) Unhandled() []*Error { return s.inst.Unhandled() }

// Close cancels all tasks and waits until their defers have run.
func (s *Session) Close() { s.inst.Close() }
