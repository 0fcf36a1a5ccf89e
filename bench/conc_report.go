package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// reportTasks writes the tables of the task workloads, as Markdown.
func reportTasks(out io.Writer, m *taskMeter, chosen []taskWorkload, runners []*runner, shrink int) {
	if len(chosen) == 0 {
		return
	}
	fmt.Fprint(out, "### Nanoseconds an operation\n\nThe number after a name is that of its workers, processors or schedulers.\n\n")
	taskTable(out, chosen, runners, func(w taskWorkload, r *runner) (string, float64) {
		s := m.seconds[w.name][r.name]
		if len(s) == 0 {
			return "–", 0
		}
		return figures.Number(figures.Median(s) / w.ops(float64(w.size(shrink))) * 1e9), 0
	})
	for _, base := range []struct{ language, title string }{{native, "native Go"}, {"erlang", "Erlang"}} {
		if !slices.ContainsFunc(runners, func(r *runner) bool { return r.language == base.language }) {
			continue
		}
		fmt.Fprintf(out, "\n### Times %s on as many processors (below 1 is faster)\n\n", base.title)
		taskTable(out, chosen, runners, func(w taskWorkload, r *runner) (string, float64) {
			return ratioCell(m, w, r.name, fmt.Sprint(base.language, "-", r.workers))
		})
	}
	fmt.Fprint(out, "\n### Times native Go on two processors, which is its default here\n\n")
	taskTable(out, chosen, runners, func(w taskWorkload, r *runner) (string, float64) {
		return ratioCell(m, w, r.name, native+"-2")
	})
	fmt.Fprint(out, "\n### How much faster on two processors than on one\n\n")
	var pairs []*runner
	for _, r := range runners {
		if r.workers == 2 {
			pairs = append(pairs, r)
		}
	}
	taskTable(out, chosen, pairs, func(w taskWorkload, r *runner) (string, float64) {
		text, _ := ratioCell(m, w, r.language+"-1", r.name)
		return text, 0
	})
	fmt.Fprint(out, "\n| workload | an operation is one |\n|---|---|\n")
	for _, w := range chosen {
		fmt.Fprintf(out, "| %s | %s of %d |\n", w.name, w.op, int(w.ops(float64(w.size(shrink)))))
	}
}

func taskTable(out io.Writer, chosen []taskWorkload, runners []*runner, cell func(taskWorkload, *runner) (string, float64)) {
	table(out, titlesOfRunners(runners), namesOfTasks(chosen), func(row, column int) (string, float64) {
		return cell(chosen[column], runners[row])
	})
}

// ratioCell is the time of one runner over that of another.
func ratioCell(m *taskMeter, w taskWorkload, name, base string) (string, float64) {
	s, b := m.seconds[w.name][name], m.seconds[w.name][base]
	if len(s) == 0 || len(b) == 0 {
		return "–", 0
	}
	ratio := figures.Ratio(s, b)
	return figures.Number(ratio), ratio
}
