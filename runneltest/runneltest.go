// Package runneltest runs programs in Go tests. A Runner says what they can
// use; a Program can be run any number of times, under schedules chosen from
// seeds, and its output or error is compared with the expected one.
//
//	script := runneltest.Runner{Modules: []*runnel.Module{json.Module}, Limits: runnel.Limits{Steps: 1e6}}
//	script.Compile(t, `print(1 + 2)`).Prints(t, "3\n")
package runneltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
)

// A Runner says what programs under test can use. The zero Runner grants nothing.
type Runner struct {
	Name    string           // of the program in messages; script.rnl if empty
	Modules []*runnel.Module // what it can import
	Host    runnel.Host      // what it can reach; Run collects what it prints, and gives a copy to Stdout
	Limits  runnel.Limits
	Options []runnel.Option // any others
	Timeout time.Duration   // of a run; two minutes if zero
}

// Program is a compiled program.
type Program struct {
	*runnel.Program
	runner Runner
}

// Outcome is the outcome of a run.
type Outcome struct {
	Printed   string
	Err       error           // what the program ended with
	Unhandled []*runnel.Error // failures of tasks that nobody awaited
	Races     []runnel.Race   // if it looked for them: runnel.WithRace
}

// String returns what was printed, followed by a line for each failure and each race.
func (o Outcome) String() string {
	var b strings.Builder
	b.WriteString(o.Printed)
	if o.Err != nil {
		fmt.Fprintln(&b, o.Err)
	}
	for _, err := range o.Unhandled {
		fmt.Fprintln(&b, "unhandled:", err)
	}
	for _, race := range o.Races {
		fmt.Fprintln(&b, race)
	}
	return b.String()
}

// Compile compiles a program; the test fails if it does not compile. All of its
// instances are closed at the end of the test.
func (r Runner) Compile(t testing.TB, src string) *Program {
	t.Helper()
	prog, err := r.compile(t, src)
	if err != nil {
		t.Fatal(err)
	}
	return &Program{prog, r}
}

func (r Runner) compile(t testing.TB, src string) (*runnel.Program, error) {
	t.Helper()
	opts := []runnel.Option{runnel.WithModules(r.Modules...), runnel.WithHost(r.Host), runnel.WithLimits(r.Limits)}
	rt, err := runnel.New(append(opts, r.Options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rt.Close)
	name := r.Name
	if name == "" {
		name = "script.rnl"
	}
	return rt.Compile(name, src)
}

// Start compiles a program and starts an instance for the test to call. It is closed at the
// end of the test.
func (r Runner) Start(t testing.TB, src string) *runnel.Instance {
	t.Helper()
	inst, err := r.Compile(t, src).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(inst.Close)
	return inst
}

// Run compiles a program and runs it to its end.
func (r Runner) Run(t testing.TB, src string) Outcome {
	t.Helper()
	return r.Compile(t, src).Run(t)
}

// Refuses expects a program not to compile, with these error codes in this order.
func (r Runner) Refuses(t testing.TB, src string, codes ...diag.Code) {
	t.Helper()
	_, err := r.compile(t, src)
	var failed *runnel.CompileError
	if !errors.As(err, &failed) {
		t.Fatalf("the program compiled, or failed otherwise: %v", err)
	}
	var got []diag.Code
	for _, d := range failed.Diags {
		if d.Severity == diag.Error {
			got = append(got, d.Code)
		}
	}
	if !slices.Equal(got, codes) {
		t.Fatalf("expected %v, got %v:\n%v", codes, got, err)
	}
}

// Run runs the program to its end, in its own instance. Options that change how
// it runs, such as a schedule, limits or a number of workers, apply to this run
// only.
func (p *Program) Run(t testing.TB, opts ...runnel.Option) Outcome {
	t.Helper()
	var out bytes.Buffer
	host := p.runner.Host
	host.Stdout = runnel.Output(alsoTo(host.Stdout, &out))
	host.Stderr = host.Stdout
	within := p.runner.Timeout
	if within == 0 {
		within = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	inst := p.With(append([]runnel.Option{runnel.WithHost(host)}, opts...)...).NewInstance()
	o := Outcome{Err: inst.Run(ctx), Unhandled: inst.Unhandled(), Races: inst.Races()}
	inst.Close()
	o.Printed = out.String()
	return o
}

// alsoTo is an output that the host, if it has one of its own, gets a copy of.
func alsoTo(own, out io.Writer) io.Writer {
	if own == nil {
		return out
	}
	return io.MultiWriter(out, own)
}

// Prints runs the program and expects it to print want, including failures and races: see Outcome.String.
func (p *Program) Prints(t testing.TB, want string, opts ...runnel.Option) {
	t.Helper()
	p.prints(t, "", want, opts...)
}

func (p *Program) prints(t testing.TB, how, want string, opts ...runnel.Option) {
	t.Helper()
	if got := p.Run(t, opts...).String(); got != want {
		t.Fatalf("%sexpected:\n%s\ngot:\n%s", how, want, got)
	}
}

// Fails runs the program and expects an error that contains part.
func (p *Program) Fails(t testing.TB, part string, opts ...runnel.Option) {
	t.Helper()
	if o := p.Run(t, opts...); o.Err == nil || !strings.Contains(o.Err.Error(), part) {
		t.Fatalf("expected an error with %q, got:\n%s", part, o)
	}
}
