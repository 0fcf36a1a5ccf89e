package spec

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// compiler compiles the programs of all tests; these give it hosts and limits of their own by
// Program.With.
var compiler = sync.OnceValue(func() *runnel.Runtime {
	return runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()))
})

type compilation struct {
	prog *runnel.Program
	err  error
}

// compilations are kept: many tests run the same programs, each in its own way.
var compilations sync.Map // name and text -> func() compilation

// compiled returns the program of a text, compiled once.
func compiled(name, src string) (*runnel.Program, error) {
	once, _ := compilations.LoadOrStore(name+"\n"+src, sync.OnceValue(func() compilation {
		prog, err := compiler().Compile(name, src)
		return compilation{prog, err}
	}))
	c := once.(func() compilation)()
	return c.prog, c.err
}

// stage is where a case runs: its arguments, input and limits, and what it prints.
type stage struct {
	stdout capture
	out    *host.Output
	opts   []runnel.Option
}

func newStage(e expectation) *stage {
	s := &stage{}
	s.out = host.NewOutput(&s.stdout)
	h := all.Host(e.args)
	h.Stdout, h.Stderr, h.Stdin, h.Exit = s.out, s.out, strings.NewReader(e.stdin), nil
	limits := runnel.Limits{Memory: e.limits.Memory, Steps: e.limits.Steps, Stack: int(e.limits.Stack)}
	if limits.Memory == 0 {
		limits.Memory = maxMemory
	}
	s.opts = []runnel.Option{runnel.WithHost(h), runnel.WithLimits(limits)}
	if e.clock == "virtual" {
		s.opts = append(s.opts, runnel.WithSeed(1))
	}
	return s
}

// instance of a program on the stage.
func (s *stage) instance(prog *runnel.Program, opts ...runnel.Option) *runnel.Instance {
	return prog.With(append(s.opts, opts...)...).NewInstance()
}

// run runs an instance to its end.
func (s *stage) run(t *testing.T, in *runnel.Instance) result {
	ctx, cancel := context.WithTimeout(t.Context(), maxRun)
	defer cancel()
	var r result
	if err := in.Run(ctx); err != nil {
		r.exit, r.errText = 1, err.Error()
	}
	s.out.Flush()
	r.stdout = s.stdout.String()
	return r
}
