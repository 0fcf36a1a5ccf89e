// Package runnel runs Runnel programs inside a Go program.
//
// A Runtime says what its scripts may use, a Program is checked and compiled
// code, an Instance is a program that runs, with globals, a budget and tasks of
// its own. Nothing is granted by default: without options a script can compute
// and nothing else. What it may reach is in the Host, what it can import are the
// modules it is offered, what it may use up are the Limits. No script crashes
// its host: what goes wrong in it is an error.
package runnel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"weak"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

// Host is what a script may reach outside of itself: Stdout, Stdin, Env, Now, FS, Grants
// and more; `go doc github.com/runnel-lang/runnel/host.Host` shows the fields.
type Host = host.Host

// Limits bound what an instance may use: Memory, Steps, CallSteps, Time, Tasks, Stack and
// more; `go doc github.com/runnel-lang/runnel/vm.Limits` shows the fields.
type Limits = vm.Limits

// Error is an uncaught script error: its Kind, Message, Trace and Cause;
// `go doc github.com/runnel-lang/runnel/vm.Error` shows the fields.
type Error = vm.Error

// Race is two accesses that nothing orders.
type Race = vm.Race

// Runtime holds what the programs it compiles share. It is safe for concurrent
// use.
type Runtime struct {
	instances instances
	processes processes
	config    vm.Config
	modules   vm.Modules
	sources   Sources
	invalid   error
	tests     bool
	branches  bool
	chooser   func() reactor.Chooser
	compiling CompileLimits
}

// Option configures a Runtime.
type Option func(*Runtime)

// New makes a Runtime. Without options scripts can compute and nothing else.
// Options that do not fit together are an error.
func New(opts ...Option) (*Runtime, error) {
	rt := &Runtime{modules: vm.Modules{}}
	WithModules(hostModule)(rt)
	for _, o := range opts {
		o(rt)
	}
	if rt.invalid == nil {
		rt.invalid = inRange(rt.config, rt.compiling)
	}
	if rt.invalid != nil {
		return nil, fmt.Errorf("runnel: %w", rt.invalid)
	}
	for _, name := range rt.modules.Names() {
		if rt.modules[name].Extension == nil {
			continue
		}
		if c := rt.Check("import.rnl", "import "+name+"\n"); c.Failed() {
			return nil, fmt.Errorf("runnel: module %s cannot be imported:\n%w", name, &CompileError{Files: c.Files, Diags: c.Diags})
		}
	}
	return rt, nil
}

// MustNew is New that panics where New gives an error.
func MustNew(opts ...Option) *Runtime {
	rt, err := New(opts...)
	if err != nil {
		panic(err)
	}
	return rt
}

// Close closes all instances. What is asked of the Runtime or them afterwards is
// ErrClosed.
func (rt *Runtime) Close() { rt.instances.close() }

// Module is what `import name` means: see NewModule for those of a host.
type Module = vm.Module

// WithModules offers modules to scripts: those of the standard library
// (json.Module of package stdlib/json, or all.Modules of package stdlib/all)
// and a host's own. What a module reaches is up to the Host.
func WithModules(modules ...*Module) Option {
	return func(rt *Runtime) {
		if err := rt.modules.Add(modules...); err != nil && rt.invalid == nil {
			rt.invalid = err
		}
	}
}

// WithHost grants capabilities.
func WithHost(h Host) Option { return func(rt *Runtime) { rt.config.Host = h } }

// WithLimits bounds every instance.
func WithLimits(l Limits) Option { return func(rt *Runtime) { rt.config.Limits = l } }

// WithWorkers lets tasks of an instance run in parallel, n at a time. Without it
// they take turns.
func WithWorkers(n int) Option { return func(rt *Runtime) { rt.config.Workers = n } }

// WithSeed makes every run deterministic: one worker, a virtual clock in which
// sleeping takes no time, and choices of the scheduler that depend on the seed
// alone.
func WithSeed(seed uint64) Option {
	return WithChooser(func() reactor.Chooser { return reactor.Seeded(seed) })
}

// WithChooser makes every run deterministic with the choices of what the
// function gives for it.
func WithChooser(chooser func() reactor.Chooser) Option {
	return func(rt *Runtime) { rt.chooser, rt.config.Explore = chooser, true }
}

// WithObserver has the events of tasks told.
func WithObserver(o Observer) Option { return func(rt *Runtime) { rt.config.Observer = o } }

// WithRace looks for data races, which Instance.Races gives. Every run is then
// deterministic, as with WithSeed, and much slower.
func WithRace() Option { return func(rt *Runtime) { rt.config.Race = true } }

// WithUnhandled has failures told of tasks in no scope whose handle is gone, so
// that nobody can await them any more: at once, on a goroutine of their own.
// Those of Unhandled come at the end.
func WithUnhandled(f func(*Error)) Option { return func(rt *Runtime) { rt.config.Unhandled = f } }

// WithSources lets scripts import files.
func WithSources(s Sources) Option { return func(rt *Runtime) { rt.sources = s } }

// WithTests compiles tests and benchmarks too.
func WithTests() Option { return func(rt *Runtime) { rt.tests = true } }

// WithBranches marks where branches begin, so that CountWords tells which were
// taken: a branch has a word of its own, at its place in the source.
func WithBranches() Option { return func(rt *Runtime) { rt.branches = true } }

// CompileError holds the diagnostics of a program that did not compile.
type CompileError struct {
	Files *diag.FileSet
	Diags []diag.Diagnostic
	cause error
}

// Unwrap gives why the context has ended that compiling was stopped by, or nil.
func (e *CompileError) Unwrap() error { return e.cause }

// compileError is the error of what was compiled under a context.
func compileError(ctx context.Context, files *diag.FileSet, diags []diag.Diagnostic) *CompileError {
	e := &CompileError{Files: files, Diags: diags}
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.CompileStopped }) {
		e.cause = context.Cause(ctx)
	}
	return e
}

// Error renders the diagnostics as a terminal shows them.
func (e *CompileError) Error() string {
	var b strings.Builder
	if err := diag.Render(&b, e.Files, e.Diags, diag.Options{}); err != nil {
		return err.Error()
	}
	return strings.TrimRight(b.String(), "\n")
}

// Checked is the outcome of Check.
type Checked struct {
	Files   *diag.FileSet
	Diags   []diag.Diagnostic // errors and warnings in source order
	program *types.Program
}

// Program gives what is declared and what the types are, for tools.
func (c *Checked) Program() *types.Program { return c.program }

// Failed reports whether a diagnostic is an error.
func (c *Checked) Failed() bool { return failed(c.Diags) }

func failed(diags []diag.Diagnostic) bool {
	for _, d := range diags {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// Check parses and checks a program without compiling it.
func (rt *Runtime) Check(name, src string) *Checked {
	ctx, cancel := rt.compiling.within(context.Background())
	defer cancel()
	return rt.check(ctx, name, src)
}

func (rt *Runtime) check(ctx context.Context, name, src string) *Checked {
	c := &Checked{Files: &diag.FileSet{}}
	left := rt.compiling.source()
	file := c.Files.Add(name, src)
	if file == nil || len(src) > left {
		c.Diags = []diag.Diagnostic{{Code: diag.ProgramTooLarge, Message: "the source is too large"}}
		return c
	}
	parsed, diags := syntax.ParseContext(ctx, file)
	prog, more := types.Check(c.Files, parsed, types.Options{
		Loader: &loader{rt: rt, left: left - len(src)}, Prelude: stdlib.Prelude(), Tests: rt.tests, Broken: failed(diags), Context: ctx,
	})
	c.program = prog
	c.Diags = append(diags, more...)
	return c
}

// Program is compiled code. It is immutable: any number of instances may run it
// at the same time.
type Program struct {
	Code     *bytecode.Program
	Files    *diag.FileSet
	Warnings []diag.Diagnostic
	rt       *Runtime
	linked   *vm.Program
	config   vm.Config
	chooser  func() reactor.Chooser
}

// Compile checks and compiles a program. The error is a *CompileError.
func (rt *Runtime) Compile(name, src string) (*Program, error) {
	return rt.CompileContext(context.Background(), name, src)
}

// CompileContext is Compile that stops when ctx ends; so it does at the limits of
// WithCompileLimits. Then, too, the error is a *CompileError, which wraps the
// context's cause.
func (rt *Runtime) CompileContext(ctx context.Context, name, src string) (*Program, error) {
	if rt.instances.closed() {
		return nil, ErrClosed
	}
	ctx, cancel := rt.compiling.within(ctx)
	defer cancel()
	c := rt.check(ctx, name, src)
	if c.Failed() {
		return nil, compileError(ctx, c.Files, c.Diags)
	}
	code, diags := compiler.Compile(c.program, compiler.Options{
		Tests: rt.tests, Branches: rt.branches, HasNative: rt.modules.HasNative, Signatures: rt.signatures, Context: ctx,
	})
	if failed(diags) {
		return nil, compileError(ctx, c.Files, diags)
	}
	p, err := rt.Load(code)
	if err != nil {
		return nil, err
	}
	p.Files, p.Warnings = c.Files, c.Diags
	return p, nil
}

// Load prepares compiled code for running.
func (rt *Runtime) Load(code *bytecode.Program) (*Program, error) {
	linked, err := vm.Link(code, rt.modules)
	if err != nil {
		return nil, err
	}
	return &Program{Code: code, Files: &diag.FileSet{}, rt: rt, linked: linked, config: rt.config, chooser: rt.chooser}, nil
}

// With gives the program for instances with a Host, Limits and the like of their
// own: a tenant's. What a program is compiled with, its modules, sources and
// tests, stays as it is.
func (p *Program) With(opts ...Option) *Program {
	own := &Runtime{config: p.config, chooser: p.chooser, modules: vm.Modules{}}
	for _, o := range opts {
		o(own)
	}
	q := *p
	q.config, q.chooser = own.config, own.chooser
	return &q
}

// Function is a public function of a script.
type Function struct {
	Name      string
	Signature string // as the script declares it: "fn price(Order) -> float"
}

// Functions are the public functions, in the order of the source.
func (p *Program) Functions() []Function {
	var list []Function
	for _, e := range p.Code.Exports {
		if !e.Global {
			list = append(list, Function{e.Name, p.signature(e.Name, &p.Code.Funcs[e.Index])})
		}
	}
	return list
}

// Instance is one running copy of a program. Its methods may be called from any
// goroutine.
type Instance struct {
	vm   *vm.Instance
	prog *Program
}

// NewInstance makes an instance; nothing has run yet. When the Runtime is closed
// it is a closed one.
func (p *Program) NewInstance() *Instance {
	c := p.config
	if p.chooser != nil {
		c.Chooser = p.chooser()
	}
	in := &Instance{vm.NewInstance(p.linked, c), p}
	in.vm.Owner = weak.Make(in)
	p.rt.instances.add(in.vm)
	return in
}

// Start makes an instance and runs the initialisers of its modules and the
// script's statements, but not its main function. Then the host calls what it
// wants; tasks that the script has spawned go on until the instance is closed.
func (p *Program) Start(ctx context.Context) (*Instance, error) {
	in := p.NewInstance()
	if err := in.vm.Start(ctx); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close cancels the instance's tasks, waits until their defers have run, closes
// what it has open, and ends the goroutines that run it.
func (in *Instance) Close() {
	in.vm.Close()
	in.prog.rt.instances.remove(in.vm)
}

// Unhandled gives the errors of tasks that have failed without anybody's
// knowing, once each. It is asked after Run.
func (in *Instance) Unhandled() []*Error { return in.vm.Unhandled() }

// Races gives the data races found, one for each pair of places. It is asked
// after Run.
func (in *Instance) Races() []Race { return in.vm.Races() }

// Leaked gives, for each task that still lives, its function and where it was
// spawned. Those about to end get a moment for it.
func (in *Instance) Leaked() []vm.Frame {
	in.vm.Settle(50 * time.Millisecond)
	return in.vm.Leaked()
}

// Stats of what the instance's tasks have done, asked when none runs.
func (in *Instance) Stats() Stats { return in.vm.Stats() }

// Usage is what the instance uses of its limits now.
func (in *Instance) Usage() Usage { return in.vm.Usage() }

// CountWords makes the instance count how often it executes each word of
// Program.Code.Code, in a slower loop, and gives the counts, to be read when it
// is closed. It is called before Run, of an instance with one worker.
func (in *Instance) CountWords() []uint64 { return in.vm.CountWords()[:len(in.prog.Code.Code)] }

// Opened is something that an instance has open, and where it was opened.
type Opened = vm.Opened

// Open lists what the instance has open: files, connections.
func (in *Instance) Open() []Opened { return in.vm.Open() }

// NoteOrigins makes the instance remember the places in the script, outside of the
// library, that spawned tasks and opened resources: for Leaked and Open. It is
// called before Run.
func (in *Instance) NoteOrigins() { in.vm.NoteOrigins() }

// Run initialises the imported modules, runs the script's statements and its
// main function, and ends its tasks. When ctx ends, or the limit of Time is reached,
// all of it is stopped with an error; Run waits a fifth of a second for what is deferred,
// which goes on beside it for some five seconds in all.
func (in *Instance) Run(ctx context.Context) error {
	return in.guard(ctx, in.vm.Run)
}

// Stop has all tasks end, and returns at once. Run, Close and calls return when what
// is deferred has run, after some five seconds at most. Nothing runs in the instance
// any more.
func (in *Instance) Stop() { in.vm.Stop() }

// Abort is Close for who is in a hurry: what is deferred has a fifth of a second, and the
// on_stop of actors the five seconds that it always has.
func (in *Instance) Abort() {
	in.vm.Abort()
	in.prog.rt.instances.remove(in.vm)
}

// RunTest runs the i-th test declaration (of Program.Code.Tests) after the
// modules and the script's statements have run.
func (in *Instance) RunTest(ctx context.Context, i int) error {
	if i < 0 || i >= len(in.prog.Code.Tests) {
		return fmt.Errorf("no test number %d", i)
	}
	return in.guard(ctx, func(ctx context.Context) error {
		return in.callEntry(ctx, in.prog.Code.Tests[i].Func)
	})
}

// RunBench runs the i-th benchmark (of Program.Code.Benches) a number of times
// after the modules and the script's statements have run.
func (in *Instance) RunBench(ctx context.Context, i, times int) error {
	if i < 0 || i >= len(in.prog.Code.Benches) {
		return fmt.Errorf("no benchmark number %d", i)
	}
	return in.guard(ctx, func(ctx context.Context) error {
		return in.callEntry(ctx, in.prog.Code.Benches[i].Func, vm.IntValue(int64(times)))
	})
}

func (in *Instance) callEntry(ctx context.Context, fn int, args ...vm.Value) error {
	_, err := in.vm.Invoke(ctx, in.vm.Program().Callee(fn), args)
	return err
}

// guard stops the instance when ctx ends while f runs.
func (in *Instance) guard(ctx context.Context, f func(context.Context) error) error {
	ctx = vm.OrBackground(ctx)
	if ctx.Done() != nil && ctx.Err() == nil {
		defer context.AfterFunc(ctx, in.vm.Stop)()
	}
	err := f(ctx)
	var e *Error
	if errors.As(err, &e) && e.Cause == nil && e.Limit == vm.ErrDeadline {
		e.Cause = context.Cause(ctx)
	}
	return err
}
