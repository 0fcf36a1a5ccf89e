package spec

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

var schedulesFull = flag.Bool("schedules", false, "run every case of concurrency under 1, 2 and 8 workers and 20 seeds, and look for races under as many")

// concurrencyDirs hold the cases whose output must not depend on the schedule.
var concurrencyDirs = []string{
	"tasks", "channels", "select", "mutexes", "scopes", "sync", "cancellation", "task_locals", "deadlocks", "process_model",
	"reactive", "reactive_inspect", "reactive_streams",
}

// caseSchedule is a way to run a case.
type caseSchedule struct {
	name    string
	apply   runnel.Option
	workers int // 0 if seeded
}

// caseSchedules are the ways in which a case of concurrency is run, beside the
// single worker of TestCases.
func caseSchedules(full bool) []caseSchedule {
	workers, seeds := []int{2, 8}, uint64(2)
	if full {
		workers, seeds = []int{1, 2, 8}, 20
	}
	var all []caseSchedule
	for _, n := range workers {
		all = append(all, caseSchedule{fmt.Sprint(n, " workers"), runnel.WithWorkers(n), n})
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		all = append(all, caseSchedule{fmt.Sprint("seed ", seed), runnel.WithSeed(seed), 0})
	}
	return all
}

// TestConcurrencyUnderSchedules runs the cases of concurrency with several
// numbers of workers and under seeds: the outcome must be the same each time.
func TestConcurrencyUnderSchedules(t *testing.T) {
	all := caseSchedules(*schedulesFull)
	for _, dir := range concurrencyDirs {
		for _, path := range longtest.Sample(caseFiles(t, filepath.Join("tests", dir)), 6) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			e, err := expectations(string(src))
			require.NoError(t, err)
			if e.checkOnly || e.fails() {
				continue
			}
			t.Run(dir+"/"+strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) {
				t.Parallel()
				for _, s := range all {
					if e.clock == "virtual" && s.workers > 0 {
						continue
					}
					if wrong := runScheduled(t, filepath.ToSlash(path), string(src), e, s); wrong != "" {
						t.Fatalf("%s: %s", s.name, wrong)
					}
				}
			})
		}
	}
}

// runScheduled returns what is wrong with a run under a schedule, "" when nothing.
func runScheduled(t *testing.T, name, src string, e expectation, s caseSchedule) string {
	prog, err := compiled(name, src)
	if err != nil {
		return err.Error()
	}
	e.limits.Memory, e.limits.Steps = 0, 0
	stage := newStage(e)
	inst := stage.instance(prog, s.apply)
	r := stage.run(t, inst)
	if wrong := e.compareRun(r); wrong != "" {
		return wrong
	}
	return compareUnhandled(unhandled(src), inst.Unhandled())
}

var unhandledLine = regexp.MustCompile(`(?m)^// unhandled: (.+)$`)

// unhandled returns the messages of the failures that the host of a case is told
// of because nobody awaited them.
func unhandled(src string) []string {
	var want []string
	for _, m := range unhandledLine.FindAllStringSubmatch(src, -1) {
		want = append(want, m[1])
	}
	return want
}

func compareUnhandled(want []string, got []*runnel.Error) string {
	text := ""
	for _, err := range got {
		text += err.Error() + "\n"
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d unhandled failures, expected %d:\n%s", len(got), len(want), text)
	}
	for _, part := range want {
		if !strings.Contains(text, part) {
			return fmt.Sprintf("unhandled failures:\n%slack: %s", text, part)
		}
	}
	return ""
}

// TestLimitOfTasks: one spawn too many is an error that nobody catches, and
// tasks that have ended do not count.
//
// origin: RY-22
func TestLimitOfTasks(t *testing.T) {
	run := func(src string) (string, error) {
		var stdout capture
		out := host.NewOutput(&stdout)
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: out}), runnel.WithLimits(runnel.Limits{Tasks: 10}))
		prog, err := rt.Compile("limit.rnl", src)
		require.NoError(t, err)
		err = prog.NewInstance().Run(t.Context())
		out.Flush()
		return stdout.String(), err
	}
	_, err := run(`for i in 0..11 { spawn { sleep(1h) } }`)
	var failed *runnel.Error
	require.True(t, errors.As(err, &failed), "%v", err)
	require.Contains(t, failed.Error(), "10 tasks")

	_, err = run(`try { for i in 0..11 { spawn { sleep(1h) } } } catch e { print("caught") }`)
	require.ErrorContains(t, err, "10 tasks")

	out, err := run(`for i in 0..10 { spawn { sleep(1h) } }; print("ten")`)
	require.NoError(t, err)
	require.Equal(t, "ten\n", out)

	out, err = run(`for i in 0..100 { await spawn { i } }; print("one after the other")`)
	require.NoError(t, err)
	require.Equal(t, "one after the other\n", out)
}

// TestTraceHoldsTheSpawnSite: the trace of an error that came from a task leads
// on to where that was spawned.
func TestTraceHoldsTheSpawnSite(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("spawns.rnl", strings.Join([]string{
		`fn inner() { throw error("deep") }`,
		`fn outer() { inner() }`,
		`fn start() -> task<()> { spawn outer() }`,
		`await start()`,
	}, "\n"))
	require.NoError(t, err)
	var failed *runnel.Error
	require.True(t, errors.As(prog.NewInstance().Run(t.Context()), &failed))
	var lines []int
	for _, f := range failed.Trace {
		lines = append(lines, f.Line)
	}
	require.Equal(t, []int{1, 2, 3}, lines)
}

// recorder keeps the events of one task, by the function it runs.
type recorder struct {
	mu    sync.Mutex
	name  string
	task  uint64
	chain []string
}

func (r *recorder) Event(e vm.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Kind == vm.TaskSpawned && e.Name == r.name {
		r.task = e.Task
	}
	if e.Task != r.task || r.task == 0 {
		return
	}
	switch e.Kind {
	case vm.TaskSpawned:
		r.chain = append(r.chain, "ready")
	case vm.TaskWoken:
		r.chain = append(r.chain, "resumed")
	case vm.TaskRuns:
		r.chain = append(r.chain, "runs")
	case vm.TaskStops:
		r.chain = append(r.chain, "waits: "+e.Why)
	case vm.TaskEnded:
		r.chain = append(r.chain, e.Why)
	}
}

// TestStatesOfATaskThatSleeps: a task with one sleep goes through exactly
// these states.
//
// origin: RY-11
func TestStatesOfATaskThatSleeps(t *testing.T) {
	r := &recorder{name: "nap"}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithObserver(r)).Compile("nap.rnl", "fn nap() { sleep(5ms) }\nawait spawn nap()")
	require.NoError(t, err)
	require.NoError(t, prog.NewInstance().Run(t.Context()))
	require.Equal(t, []string{"ready", "runs", "waits: sleep", "resumed", "runs", "done"}, r.chain)
}
