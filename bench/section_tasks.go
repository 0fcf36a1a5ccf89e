package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// tableTasks are the workloads of README's table; actors have one of their own.
func tableTasks() []taskWorkload {
	return slices.DeleteFunc(slices.Clone(taskWorkloads), func(w taskWorkload) bool { return w.name == "tell" || w.name == "ask" })
}

var taskTitles = []string{"Runnel, 1", "Runnel, 2", "Erlang, 1", "Erlang, 2", "Node, 1"}

// waysParked are those to wait whose memory is told.
var waysParked = []string{"chan", "await", "sleep"}

// shrink is what sizes are divided by.
func (o options) shrink() int {
	switch {
	case o.columns != nil: // claims are nearer to what README has
		return 2
	case o.quick:
		return 10
	}
	return 1
}

// measureTasks returns the seconds that the programs took by themselves, and the
// bytes of a task that waits.
func measureTasks(o options) (figures.Results, error) {
	chosen, languages := tableTasks(), o.rows
	if o.columns != nil {
		chosen = slices.DeleteFunc(chosen, func(w taskWorkload) bool { return !slices.Contains(o.columns, w.name) })
	}
	if len(languages) == 0 {
		languages = []string{"runnel", "erlang", "node"}
	}
	var r figures.Results
	err := withBuilt(func(root, bin string) error {
		runners, err := buildRunners(root, bin, chosen, languages)
		if err != nil {
			return err
		}
		// The second process of Node is for one workload alone; claims are of one worker.
		runners = slices.DeleteFunc(runners, func(r *runner) bool { return r.workers == 2 && (r.language == "node" || o.columns != nil) })
		m := newTaskMeter()
		m.check(chosen, runners)
		for _, w := range chosen {
			m.measure(w, runners, w.size(o.shrink()), o.rounds)
		}
		if r = m.figures(chosen, runners); o.columns == nil {
			parked, err := m.parkedFigures(runners, o)
			if err != nil {
				return err
			}
			r = append(r, parked...)
		}
		return failed(m.failures)
	})
	return r, err
}

// plainTitle is that of a runner without what makes it bold.
func plainTitle(r *runner) string { return strings.ReplaceAll(r.title, "**", "") }

// figures are what the meter has measured, as data.
func (m *taskMeter) figures(chosen []taskWorkload, runners []*runner) figures.Results {
	var all figures.Results
	for _, r := range runners {
		for _, w := range chosen {
			all = append(all, figures.Sample{Row: plainTitle(r), Column: w.name, Values: m.seconds[w.name][r.name]})
		}
	}
	return all
}

// parkedFigures are the resident bytes of a task that waits, and of a goroutine,
// with two processors; none where the system does not tell.
func (m *taskMeter) parkedFigures(runners []*runner, o options) (figures.Results, error) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		return nil, nil
	}
	var all figures.Results
	for _, r := range runners {
		ways := waysParked
		switch r.name {
		case "runnel-2":
		case native + "-2":
			ways = waysParked[:1]
		default:
			continue
		}
		for _, way := range ways {
			var values []float64
			for range o.rounds {
				bytes, err := m.parkedBytes(r, way, parkedTasks/o.shrink())
				if err != nil {
					return nil, err
				}
				values = append(values, bytes.now)
			}
			all = append(all, figures.Sample{Row: plainTitle(r), Column: parkedName + " " + way, Values: values})
		}
	}
	return all, nil
}

func writeTasks(p *page, r figures.Results) {
	columns := namesOfTasks(tableTasks())
	p.head(columns...)
	p.rows(r, taskTitles, func(title string) []string {
		var cells []string
		_, workers, _ := strings.Cut(title, ",")
		for _, w := range columns {
			ratios := figures.Ratios(r.Values(title, w), r.Values(nativeTitle+","+workers, w))
			cells = append(cells, p.ratio(w+" of "+title, ratios))
		}
		return cells
	})
	faster := figures.Ratios(r.Values("Runnel, 1", "parallel"), r.Values("Runnel, 2", "parallel"))
	p.printf("\n`parallel` is eight times fib(35): two workers do it %s times as fast as one.\n", p.said("parallel", faster, figures.Number))
	if parked := func(row, way string) []float64 { return r.Values(row, parkedName+" "+way) }; len(parked("Runnel, 2", "chan")) > 0 {
		bytes := func(way string) string { return p.said("parked on "+way, parked("Runnel, 2", way), grouped) }
		p.printf("\n%s parked tasks take %s bytes each on a channel, %s on `await` and %s asleep, resident; goroutines on a channel %s.\n",
			grouped(float64(parkedTasks/p.options.shrink())), bytes("chan"), bytes("await"), bytes("sleep"),
			p.said("goroutines", parked(fmt.Sprint(nativeTitle, ", 2"), "chan"), grouped))
	}
}

func measureLatency(o options) (figures.Results, error) {
	times := 1000
	if o.quick {
		times = 50
	}
	return runJSON(append([]string{"go", "run", "./bench/latency"}, flags("k", o.rounds, "n", times)...)...)
}

func writeLatency(p *page, r figures.Results) {
	var columns []string
	for _, kind := range []string{"sleep", "read", "wake"} {
		for _, busy := range []string{"0", "8"} {
			columns = append(columns, kind+", "+busy)
		}
	}
	p.head(columns...)
	p.rows(r, []string{runnelTitle, "Go", "Erlang"}, func(title string) []string {
		var cells []string
		for _, c := range columns {
			part := func(which string) string {
				return p.figure(c+", "+which+" of "+title, r.Values(title, c+", "+which), brief)
			}
			cells = append(cells, part("p50")+" / "+part("p99"))
		}
		return cells
	})
}
