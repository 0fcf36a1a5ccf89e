package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A taskWorkload is a folder of bench/conc. Its programs take the size, and
// an extra argument where there is one; they print "TIME <what> <seconds>" for times they
// measured themselves and "RESULT <checksum>".
type taskWorkload struct {
	name    string
	nominal int
	metric  string // the TIME that counts
	// ops are the operations at a size that a result is the time of one of.
	ops func(n float64) float64
	op  string
}

var taskWorkloads = []taskWorkload{
	{"spawnseq", 1e6, "total", linear, "task"},
	{"spawnfan", 1e6, "total", linear, "task"},
	{"pingpong", 1e6, "total", linear, "round trip"},
	{"ring", 1e6, "total", linear, "hop"},
	{"skynet", 1e6, "total", linear, "leaf"},
	{"select4", 4e6, "total", linear, "item"},
	{"prodcons", 10e6, "total", linear, "item"},
	{"mutex", 1e6, "total", func(n float64) float64 { return 8 * n }, "lock and unlock"},
	{"tell", 4e6, "total", linear, "message"},
	{"ask", 1e6, "total", linear, "question"},
	{"parallel", 35, "total", func(n float64) float64 { return 8 * fibCalls(n) }, "call"},
	{"sleep", 1e6, "over", linear, "task"},
}

// sleepSeconds is how long the tasks of sleep do: longer than starting them
// takes anywhere, so that all are asleep at once.
func sleepSeconds(tasks int) string {
	if tasks <= 100_000 {
		return "1"
	}
	return "8"
}

// extra is the second argument of a workload's programs.
func (w taskWorkload) extra(size int) string {
	if w.name == "sleep" {
		return sleepSeconds(size)
	}
	return ""
}

// size is the one to run at, shrunk when there is little time. The small sizes
// keep what the programs divide by.
func (w taskWorkload) size(shrink int) int {
	if w.name == "parallel" && shrink > 1 {
		return 27
	}
	return w.nominal / shrink
}

// benchTasks measures the workloads named, or all and the memory of parked tasks.
func benchTasks(names, languages []string, rounds int, quick, checkOnly bool) error {
	chosen, memory, err := chooseTaskWorkloads(names)
	if err != nil {
		return err
	}
	return withBuilt(func(root, bin string) error {
		runners, err := buildRunners(root, bin, chosen, languages)
		if err != nil {
			return err
		}
		m := newTaskMeter()
		m.check(chosen, runners)
		if !checkOnly {
			shrink := 1
			if quick {
				shrink = 10
			}
			for _, w := range chosen {
				m.measure(w, runners, w.size(shrink), rounds)
			}
			reportTasks(os.Stdout, m, chosen, runners, shrink)
			if memory {
				m.parked(os.Stdout, runners, parkedTasks/shrink)
			}
		}
		if err := failed(m.failures); err != nil {
			return err
		}
		note("every result is native Go's")
		return nil
	})
}

// chooseTaskWorkloads returns those named, in the table's order, or all; and
// whether the memory of parked tasks is wanted.
func chooseTaskWorkloads(names []string) (chosen []taskWorkload, memory bool, err error) {
	if len(names) == 0 {
		return taskWorkloads, true, nil
	}
	for _, w := range taskWorkloads {
		if slices.Contains(names, w.name) {
			chosen = append(chosen, w)
		}
	}
	memory = slices.Contains(names, parkedName)
	for _, name := range names {
		if name != parkedName && !slices.ContainsFunc(chosen, func(w taskWorkload) bool { return w.name == name }) {
			return nil, false, fmt.Errorf("there is no workload %q of tasks", name)
		}
	}
	return chosen, memory, nil
}

// A taskMeter runs the programs of bench/conc and keeps what they said.
type taskMeter struct {
	expected map[string]string               // native Go's result for "workload size"
	seconds  map[string]map[string][]float64 // by workload and runner, one for each round
	failures []string
	broken   map[string]bool // "workload runner" that failed: not run again
}

func newTaskMeter() *taskMeter {
	return &taskMeter{expected: map[string]string{}, seconds: map[string]map[string][]float64{}, broken: map[string]bool{}}
}

// check runs every program once at a small size, and forgets the times.
func (m *taskMeter) check(chosen []taskWorkload, runners []*runner) {
	for _, w := range chosen {
		m.round(w, runners, w.size(100))
	}
	clear(m.seconds)
}

// measure times one workload in rounds that run everything once, in random order.
func (m *taskMeter) measure(w taskWorkload, runners []*runner, size, rounds int) {
	for range rounds {
		m.round(w, runners, size)
	}
	line := w.name
	for _, r := range runners {
		if s := m.seconds[w.name][r.name]; len(s) > 0 {
			line += fmt.Sprintf("  %s %s", r.name, figures.Number(figures.Median(s)))
		}
	}
	note("%s", line)
}

func (m *taskMeter) round(w taskWorkload, runners []*runner, size int) {
	found := m.seconds[w.name]
	if found == nil {
		found = map[string][]float64{}
		m.seconds[w.name] = found
	}
	order := slices.Clone(runners)
	rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	for _, r := range order {
		if !r.can(w.name) || m.broken[w.name+" "+r.name] {
			continue
		}
		seconds, err := m.timed(w, r, size)
		if err != nil {
			m.fail(w.name, r, size, err)
			delete(found, r.name)
			continue
		}
		found[r.name] = append(found[r.name], seconds)
	}
}

func (m *taskMeter) fail(workload string, r *runner, size int, err error) {
	m.broken[workload+" "+r.name] = true
	m.failures = append(m.failures, fmt.Sprintf("%s %s %d: %v", r.name, workload, size, err))
	note("FAILED %s", m.failures[len(m.failures)-1])
}

// timed runs a program, compares its result with native Go's and gives the time it told.
func (m *taskMeter) timed(w taskWorkload, r *runner, size int) (float64, error) {
	want, err := m.result(w, r.native, size)
	if err != nil {
		return 0, fmt.Errorf("native Go: %w", err)
	}
	out, _, err := run(r.command(w.name, size, w.extra(size)))
	if err != nil {
		return 0, err
	}
	said := parseOutput(out)
	if said.result != want {
		return 0, fmt.Errorf("its result is %q, native Go's %q", said.result, want)
	}
	seconds, ok := said.times[w.metric]
	if !ok || seconds <= 0 {
		return 0, fmt.Errorf("it printed no time %q: %q", w.metric, out)
	}
	return seconds, nil
}

// result is what native Go prints.
func (m *taskMeter) result(w taskWorkload, native *runner, size int) (string, error) {
	key := fmt.Sprint(w.name, " ", size)
	if result, ok := m.expected[key]; ok {
		return result, nil
	}
	out, _, err := run(native.command(w.name, size, w.extra(size)))
	if err == nil {
		m.expected[key] = parseOutput(out).result
	}
	return m.expected[key], err
}

// output is what a program said about itself.
type output struct {
	times  map[string]float64
	result string
}

func parseOutput(text string) output {
	o := output{times: map[string]float64{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 3 && words[0] == "TIME":
			o.times[words[1]], _ = strconv.ParseFloat(words[2], 64)
		case len(words) == 2 && words[0] == "RESULT":
			o.result = words[1]
		}
	}
	return o
}
