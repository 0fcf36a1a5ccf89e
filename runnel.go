// Package runnel runs Runnel programs inside a Go program.
//
// A Runtime defines what its scripts can use, a Program is checked and compiled
// code, and an Instance is a running program with its own globals, budget and
// tasks. Nothing is granted by default: without options a script can compute
// and nothing else. The Host says what it can reach, the modules it is offered
// what it can import, and the Limits how much it can use. No script can crash
// its host: whatever goes wrong in it is an error.
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

// Host is what a script can reach outside itself: Stdout, Stdin, Env, Now, FS,
// Grants and more; `go doc github.com/runnel-lang/runnel/vm/host.Host` shows
// the fields.
type Host = host.Host

// Limits bound what an instance can use: Memory, Steps, CallSteps, Time, Tasks,
// Stack and more; `go doc github.com/runnel-lang/runnel/vm.Limits` shows the
// fields.
type Limits = vm.Limits

// Error is an uncaught script error: its Kind, Message, Trace and Cause;
// `go doc github.com/runnel-lang/runnel/vm.Error` shows the fields.
type Error = vm.Error

// Race is two unordered accesses to the same thing.
type Race = vm.Race

// Runtime is what the programs it compiles share. It is safe for concurrent use.
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
	native    func(*vm.Program) // has a program compiled to machine code
}

// Option configures a Runtime.
type Option func(*Runtime)

// New makes a Runtime. Without options scripts can compute and nothing else.
// Options that contradict each other are an error.
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
	if rt.config.Reactor == nil {
		rt.config.Reactor = reactor.Shared()
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

// MustNew is like New but panics instead of returning an error.
func MustNew(opts ...Option) *Runtime {
	rt, err := New(opts...)
	if err != nil {
		panic(err)
	}
	return rt
}

// Close closes all instances. Later operations on the Runtime or its instances return ErrClosed.
func (rt *Runtime) Close() { rt.instances.close() }

// Module is what `import name` refers to; NewModule makes one for a host.
type Module = vm.Module

// WithModules offers modules to scripts: those of the standard library
// (json.Module of package stdlib/json, or all.Modules of package stdlib/all)
// and the host's own. What a module can reach is up to the Host.
func WithModules(modules ...*Module) Option {
	return func(rt *Runtime) {
		if err := rt.modules.Add(modules...); err != nil && rt.invalid == nil {
			rt.invalid = err
		}
	}
}

// WithHost grants capabilities.
func WithHost(h Host) Option { return func(rt *Runtime) { rt.config.Host = &h } }

// WithLimits bounds every instance.
func WithLimits(l Limits) Option { return func(rt *Runtime) { rt.config.Limits = l } }

// WithWorkers lets n tasks of an instance run in parallel, if its reactor has as many
// workers (see WithReactor). Without it they take turns.
func WithWorkers(n int) Option { return func(rt *Runtime) { rt.config.Workers = n } }

// WithSeed makes every run deterministic: there is one worker, sleeping takes
// no time on a virtual clock, and the scheduler's choices depend only on the
// seed.
func WithSeed(seed uint64) Option {
	return WithChooser(func() reactor.Chooser { return reactor.Seeded(seed) })
}

// WithChooser makes every run deterministic: the chooser that the function
// returns for it makes the scheduler's choices.
func WithChooser(chooser func() reactor.Chooser) Option {
	return func(rt *Runtime) { rt.chooser, rt.config.Explore = chooser, true }
}

// WithObserver sends the events of tasks to an observer.
func WithObserver(o Observer) Option { return func(rt *Runtime) { rt.config.Observer = o } }

// WithRace detects data races, which Instance.Races returns. Every run is then
// deterministic, as with WithSeed, and much slower.
func WithRace() Option { return func(rt *Runtime) { rt.config.Race = true } }

// WithUnhandled reports failures of tasks that nobody can await any more,
// because they are in no scope and their handle is gone. f is called at once,
// on its own goroutine; Unhandled returns such failures only at the end.
func WithUnhandled(f func(*Error)) Option { return func(rt *Runtime) { rt.config.Unhandled = f } }

// WithSources lets scripts import files.
func WithSources(s Sources) Option { return func(rt *Runtime) { rt.sources = s } }

// WithTests also compiles tests and benchmarks.
func WithTests() Option { return func(rt *Runtime) { rt.tests = true } }

// WithBranches marks the start of each branch with its own word of code, at its
// place in the source, so that CountWords shows which branches were taken.
func WithBranches() Option { return func(rt *Runtime) { rt.branches = true } }

// CompileError contains the diagnostics of a program that did not compile.
type CompileError struct {
	Files *diag.FileSet
	Diags []diag.Diagnostic
	cause error
}

// Unwrap returns the cause of the context that stopped the compilation, or nil.
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

// Program returns the declarations and their types, for tools.
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

// Program is compiled code. It is immutable; any number of instances can run it at the same time.
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

// CompileContext is Compile with a context: it stops when ctx ends, or at the
// limits of WithCompileLimits. The error is a *CompileError then, too, and
// wraps the context's cause.
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
	if rt.native != nil {
		rt.native(linked)
	}
	return &Program{Code: code, Files: &diag.FileSet{}, rt: rt, linked: linked, config: rt.config, chooser: rt.chooser}, nil
}

// With returns the program with other options for its instances, such as the
// Host and Limits of a tenant. What the program was compiled with (modules,
// sources and tests) stays as it is.
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

// Functions returns the public functions, in source order.
func (p *Program) Functions() []Function {
	var list []Function
	for _, e := range p.Code.Exports {
		if !e.Global {
			list = append(list, Function{e.Name, p.signature(e.Name, &p.Code.Funcs[e.Index])})
		}
	}
	return list
}

// Instance is a running copy of a program. Its methods can be called from any goroutine.
type Instance struct {
	vm   *vm.Instance
	prog *Program
}

// NewInstance makes an instance in which nothing has run yet. If the Runtime is closed, so is the instance.
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

// Start makes an instance and runs the initializers of its modules and the
// script's statements, but not its main function. The host can then call any
// public function; tasks that the script has spawned keep running until the
// instance is closed.
func (p *Program) Start(ctx context.Context) (*Instance, error) {
	in := p.NewInstance()
	if err := in.vm.Start(ctx); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close cancels the instance's tasks, waits until their defers have run, closes
// its open resources, and ends the goroutines that run it.
func (in *Instance) Close() {
	in.vm.Close()
	in.prog.rt.instances.remove(in.vm)
}

// Unhandled returns the errors of tasks that have failed without anybody's
// knowing, once each. It is asked after Run.
func (in *Instance) Unhandled() []*Error { return in.vm.Unhandled() }

// Races returns the data races found, one for each pair of places. Call it after Run.
func (in *Instance) Races() []Race { return in.vm.Races() }

// Leaked returns, for each live task, its function and where it was spawned.
// Tasks that are about to end get a moment to do so.
func (in *Instance) Leaked() []vm.Frame {
	in.vm.Settle(50 * time.Millisecond)
	return in.vm.Leaked()
}

// Stats returns counts of what the instance's tasks have done. Call it while none is running.
func (in *Instance) Stats() Stats { return in.vm.Stats() }

// Usage returns how much of its limits the instance is using.
func (in *Instance) Usage() Usage { return in.vm.Usage() }

// CountWords makes the instance count how often it executes each word of
// Program.Code.Code, in a slower loop, and returns the counts. Read them after
// closing the instance. Call it before Run, on an instance with one worker.
func (in *Instance) CountWords() []uint64 { return in.vm.CountWords()[:len(in.prog.Code.Code)] }

// Opened is an open resource of an instance, and where it was opened.
type Opened = vm.Opened

// Open lists the instance's open resources, such as files and connections.
func (in *Instance) Open() []Opened { return in.vm.Open() }

// NoteOrigins makes the instance remember where the script, not the library,
// spawned tasks and opened resources, for Leaked and Open. Call it before Run.
func (in *Instance) NoteOrigins() { in.vm.NoteOrigins() }

// Run initializes the imported modules, runs the script's statements and its
// main function, and ends its tasks. When ctx ends, or the Time limit is
// reached, everything is stopped with an error; Run waits a fifth of a second
// for deferred code, which can continue in the background for about five
// seconds in all.
func (in *Instance) Run(ctx context.Context) error {
	return in.guard(ctx, in.vm.Run)
}

// Stop tells all tasks to end, and returns at once. Run, Close and pending
// calls return when deferred code has run, after about five seconds at most.
// Nothing can run in the instance afterwards.
func (in *Instance) Stop() { in.vm.Stop() }

// Abort is a faster Close: deferred code has a fifth of a second, and the
// on_stop of actors has its usual five seconds.
func (in *Instance) Abort() {
	in.vm.Abort()
	in.prog.rt.instances.remove(in.vm)
}

// RunTest runs the i-th test (of Program.Code.Tests), after the modules and the script's statements have run.
func (in *Instance) RunTest(ctx context.Context, i int) error {
	if i < 0 || i >= len(in.prog.Code.Tests) {
		return fmt.Errorf("no test number %d", i)
	}
	return in.guard(ctx, func(ctx context.Context) error {
		return in.callEntry(ctx, in.prog.Code.Tests[i].Func)
	})
}

// RunBench runs the i-th benchmark (of Program.Code.Benches) the given number
// of times, after the modules and the script's statements have run.
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
