package spec

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/matrix"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

var (
	matrixFull = flag.Bool("matrix", false, "run every cell of the matrix under all numbers of workers and all seeds")
	matrixOp   = flag.String("matrix.op", "", "only this operation")
	matrixKind = flag.String("matrix.kind", "", "only this kind of value")
)

// schedule is a way to run a program.
type schedule struct {
	name  string
	seed  bool
	apply runnel.Option
}

// schedules of the matrix: real workers, and seeds with their virtual clock.
func schedules(full bool) []schedule {
	workers, seeds := []int{1, 2}, uint64(3)
	if full {
		workers, seeds = []int{1, 2, 8}, 50
	}
	var all []schedule
	for _, n := range workers {
		all = append(all, schedule{fmt.Sprint(n, " workers"), false, runnel.WithWorkers(n)})
	}
	for seed := range seeds {
		all = append(all, schedule{fmt.Sprint("seed ", seed), true, runnel.WithSeed(seed)})
	}
	return all
}

// suits reports whether a program can run under the schedule.
func (s schedule) suits(p matrix.Program) bool {
	switch p.Clock {
	case matrix.WallClock:
		return !s.seed
	case matrix.VirtualClock:
		return s.seed
	}
	return true
}

// TestMatrix runs each operation of concurrency with each kind of value in each
// position under real workers and seeds: a few of them, all with -matrix.
func TestMatrix(t *testing.T) {
	ways := schedules(*matrixFull)
	programs := matrix.Programs()
	if *matrixOp == "" && *matrixKind == "" {
		programs = longtest.Sample(programs, 12)
	}
	for _, p := range programs {
		if *matrixOp != "" && p.Op != *matrixOp || *matrixKind != "" && p.Kind != *matrixKind {
			continue
		}
		t.Run(p.Op+"/"+p.Kind, func(t *testing.T) {
			t.Parallel()
			prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("matrix.rnl", p.Source)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range ways {
				if !s.suits(p) {
					continue
				}
				if wrong := runCell(t, prog.Code, p.Want, s); wrong != "" {
					t.Fatalf("%s: %s", s.name, wrong)
				}
			}
		})
	}
}

// runCell returns what is wrong with a run, "" when nothing.
func runCell(t *testing.T, code *bytecode.Program, want string, s schedule) string {
	var stdout bytes.Buffer
	out := host.NewOutput(&stdout)
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: out}), runnel.WithLimits(runnel.Limits{Memory: maxMemory}), s.apply)
	prog, err := rt.Load(code)
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(t.Context(), maxRun)
	defer cancel()
	in := prog.NewInstance()
	defer in.Close()
	err = in.Run(ctx)
	out.Flush()
	if err != nil {
		return fmt.Sprintf("%v\nafter:\n%s", err, lastLines(stdout.String()))
	}
	if stdout.String() != want {
		return firstDifference(stdout.String(), want)
	}
	for _, e := range in.Unhandled() {
		return "a failure that nobody knows of: " + e.Error()
	}
	if n := len(in.Leaked()); n > 0 {
		return fmt.Sprint(n, " tasks still live")
	}
	return ""
}

// firstDifference shows where an output leaves the expected one.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	title := ""
	for i := range w {
		if strings.HasPrefix(w[i], "# ") {
			title = w[i]
		}
		if i >= len(g) || g[i] != w[i] {
			return fmt.Sprintf("%s\nprinted:\n%s\nexpected:\n%s", title, lastLines(strings.Join(g[:min(i+1, len(g))], "\n")), w[i])
		}
	}
	return "printed more than expected: " + strings.Join(g[len(w):], "\n")
}

func lastLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], "\n")
}
