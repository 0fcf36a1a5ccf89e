package main

import (
	"errors"
	"io"
	"math"
	"os"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/stdlib/crypto"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// run runs a script or a compiled program; what follows the file are the
// script's own arguments.
func (c *cli) run(args []string) int {
	if len(args) == 0 {
		return c.usage("run needs a file (`-` for standard input)")
	}
	name, data, err := readFile(args[0])
	if err != nil {
		return c.problem(err)
	}
	return c.runText(name, data, args[1:])
}

var textFlag = flag{"-e", "TEXT", "the script", func(c *cli, v string) error {
	c.code, c.hasCode = v, true
	return nil
}}

// eval runs a script given on the command line.
func (c *cli) eval(args []string) int {
	if !c.hasCode {
		if len(args) == 0 {
			return c.usage("eval needs the text of a script")
		}
		c.code, args = args[0], args[1:]
	}
	return c.runText("<eval>", c.code, args)
}

func (c *cli) runText(name, text string, args []string) int {
	granted, watch := all.Host(args), &watch{c: c}
	granted.Grants = append([]any{c}, granted.Grants...)
	out := granted.Stdout.(*host.Output)
	exit := granted.Exit
	granted.Exit = func(code int) {
		out.Flush()
		code = max(code, watch.races())
		watch.end()
		exit(code)
	}
	var opts []runnel.Option
	lost := &lost{c: c}
	if !c.seeded { // when the collector finds a handle gone depends on no seed
		opts = append(opts, runnel.WithUnhandled(lost.tell))
	}
	if c.trace != "" {
		opts = append(opts, runnel.WithObserver(watch))
	}
	p, code := c.load(name, text, c.runtime(granted, opts...))
	if p == nil {
		return code
	}
	c.warnings(p.Files, p.Warnings)
	lost.prog.Store(p)
	if err := watch.start(p); err != nil {
		return c.problem(err)
	}
	defer c.heedInterrupts()()
	err := c.limited(watch.in, watch.in.Run)
	out.Flush()
	code = max(c.outcome(p, watch.in, err), lost.code())
	closeAfter(watch.in, err)
	out.Flush()
	if err := watch.end(); err != nil {
		code = max(code, c.problem(err))
	}
	return code
}

// lost reports the errors of tasks that nobody can await any more, as they come.
type lost struct {
	c    *cli
	prog atomic.Pointer[runnel.Program]
	mu   sync.Mutex
	told bool
}

func (l *lost) tell(e *vm.Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = true
	l.c.uncaught(l.prog.Load(), e)
}

func (l *lost) code() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told {
		return exitScript
	}
	return exitOK
}

// outcome reports how a script ended: its error, and those of tasks of which
// nobody has heard.
func (c *cli) outcome(p *runnel.Program, in *runnel.Instance, err error) int {
	code := exitOK
	var told []error
	if err != nil {
		code = c.uncaught(p, err)
		told = append(told, err)
	}
	for _, e := range in.Unhandled() {
		if code = max(code, exitScript); c.again(e, told) {
			continue
		}
		code = max(code, c.uncaught(p, e))
		told = append(told, e)
	}
	return max(code, c.races(p, in))
}

// runtime makes a Runtime that grants the script what the process may do.
func (c *cli) runtime(host host.Host, opts ...runnel.Option) *runnel.Runtime {
	if c.limits.Memory == 0 {
		total := machineMemory()
		c.limits.Memory = total / 2
	}
	boundMemory(c.limits.Memory)
	if c.workers == 0 {
		c.workers = goruntime.GOMAXPROCS(0)
	}
	if c.race {
		opts = append(opts, runnel.WithRace())
		if !c.seeded {
			c.seed, c.seeded = 1, true
		}
	}
	if c.seeded {
		host = seededHost(host, c.seed)
		opts = append(opts, withChoices(c.seed))
	}
	if c.native || os.Getenv("RUNNEL_NATIVE") == "1" {
		opts = append(opts, runnel.WithNative())
	}
	if c.stats && c.limits.Tasks == 0 {
		c.limits.Tasks = math.MaxInt64 // tasks alive are counted where they are limited
	}
	return runnel.MustNew(append([]runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithLimits(c.limits),
		runnel.WithSources(runnel.OSSources()), runnel.WithWorkers(c.workers), runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: c.workers})),
		runnel.WithCompileLimits(runnel.CompileLimits{Time: c.timeout})}, opts...)...)
}

// seededHost is a host whose random numbers follow from the seed.
func seededHost(host host.Host, seed uint64) host.Host {
	host.RandSeed = func() uint64 { return seed }
	host.Grants = append([]any{crypto.SeededRandom(seed)}, host.Grants...)
	return host
}

func withChoices(seed uint64) runnel.Option {
	return runnel.WithChooser(func() reactor.Chooser { return chooser(seed) })
}

// pctDepth finds mistakes that take up to three orderings.
const pctDepth = 3

// chooser makes the scheduler's choices from the seed. An even seed chooses at
// random; an odd one gives tasks priorities that change now and then (PCT),
// which holds a task back for long and so finds other mistakes. Within how many
// choices they change is drawn from the seed too, for programs short and long.
func chooser(seed uint64) reactor.Chooser {
	if seed%2 == 0 {
		return reactor.Seeded(seed)
	}
	return reactor.PCT(seed, pctDepth, 16<<(seed/2%10))
}

// load compiles a script, or decodes and verifies a compiled program. Without
// a program it gives the exit code, with the reason reported.
func (c *cli) load(name, text string, rt *runnel.Runtime) (*runnel.Program, int) {
	if data := []byte(text); runnel.IsCompiled(data) {
		p, err := rt.Decode(data)
		if err != nil {
			return nil, c.problem(errors.New(name + ": " + err.Error()))
		}
		return p, exitOK
	}
	p, err := rt.Compile(name, text)
	if err != nil {
		return nil, c.compileError(err)
	}
	return p, exitOK
}

// readFile reads a script; `-` is standard input.
func readFile(path string) (name, text string, err error) {
	if path == "-" {
		data, err := io.ReadAll(os.Stdin)
		return "<stdin>", string(data), err
	}
	data, err := os.ReadFile(path)
	return path, string(data), err
}
