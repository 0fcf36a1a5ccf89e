package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

const (
	runnelTitle = "Runnel"
	luaTitle    = "Lua 5.4"
	startColumn = "start" // milliseconds
	checkColumn = "check"
)

// measureCPU returns the seconds of whole processes and what starting takes.
// Those that run long run a smaller size.
func measureCPU(o options) (figures.Results, error) {
	chosen, err := chooseWorkloads(o.columns, workloads)
	if err != nil {
		return nil, err
	}
	target, peers := time.Second, o.rows
	if o.quick {
		target = 300 * time.Millisecond
	}
	if len(peers) == 0 {
		peers = allImplementations
	}
	var r figures.Results
	err = withBuilt(func(root, bin string) error {
		impls, err := build(root, bin, chosen, peers)
		if err != nil {
			return err
		}
		m := newMeter(bin, target)
		m.clock = "" // memory is not told in README
		m.check(chosen, impls)
		m.startUp(impls, 2*o.rounds+1)
		for _, w := range chosen {
			m.measure(w, impls, o.rounds)
		}
		if r = m.figures(chosen, impls); o.rows == nil {
			checked, err := checkLong(bin, o.rounds)
			if err != nil {
				return err
			}
			r = append(r, figures.Sample{Row: runnelTitle, Column: checkColumn, Values: checked})
		}
		return failed(m.failures)
	})
	return r, err
}

// figures are what the meter has measured, as data.
func (m *meter) figures(chosen []workload, impls []*implementation) figures.Results {
	var r figures.Results
	for _, i := range impls {
		for _, w := range chosen {
			if s := m.results[w.name][i.name]; s != nil {
				r = append(r, figures.Sample{Row: i.title, Column: w.name, Values: s.seconds})
			}
		}
		r = append(r, figures.Sample{Row: i.title, Column: startColumn, Values: m.startMillis[i.name]})
	}
	return r
}

func writeCPU(p *page, r figures.Results) {
	columns := namesOf(workloads)
	p.head(append(columns, "geometric mean")...)
	p.rows(r, []string{runnelTitle, nativeTitle, luaTitle, "Tengo", "gopher-lua", "goja"}, func(title string) []string {
		var cells []string
		var ratios []float64
		for _, w := range columns[:len(workloads)] {
			values := figures.Ratios(r.Values(title, w), r.Values(luaTitle, w))
			cells = append(cells, p.ratio(w+" of "+title, values))
			if len(values) > 0 {
				ratios = append(ratios, figures.Median(values))
			}
		}
		mean := figures.Number(figures.GeometricMean(ratios))
		if len(ratios) < len(workloads) {
			mean += fmt.Sprintf(" (%d)", len(ratios))
		}
		return append(cells, mean)
	})
	if len(r.Values(luaTitle, "json")) == 0 {
		p.leftOut = append(p.leftOut, "lua-cjson, which the column json is relative to")
	}
	start := func(title string) string {
		return p.said("the start of "+title, r.Values(title, startColumn), brief)
	}
	p.printf("\nAn empty script takes %s ms, an empty Go program %s; `runnel check` of 5,000 lines takes %s ms.\n",
		start(runnelTitle), start(nativeTitle), p.said("checking", r.Values(runnelTitle, checkColumn), brief))
}

// checkLong returns the milliseconds of checking a long script, with start-up.
func checkLong(bin string, rounds int) ([]float64, error) {
	script := filepath.Join(bin, "long.rnl")
	if err := os.WriteFile(script, []byte(longScript(5000)), 0o644); err != nil {
		return nil, err
	}
	var millis []float64
	for range rounds + 1 {
		_, took, err := run([]string{filepath.Join(bin, "runnel"), "check", script})
		if err != nil {
			return nil, err
		}
		millis = append(millis, took.Seconds()*1e3)
	}
	return millis[1:], nil // one warms up
}

// longScript has about so many lines of ordinary code.
func longScript(lines int) string {
	const block = `
struct Account%[1]d {
  name: str
  balance: int = 0
  history: [(int, str)] = []

  fn add(amount: int, note: str) -> bool {
    if amount < 0 && self.balance + amount < 0 { return false }
    self.balance += amount
    self.history.push((amount, note))
    true
  }

  fn largest() -> int? { self.history.map(|h| h.0).filter(|n| n > 0).sort().last() }
}

enum Event%[1]d { Paid(amount: int, to: str), Failed(why: str), Idle }

fn handle%[1]d(a: Account%[1]d, events: [Event%[1]d]) -> map<str, int> {
  let totals = map<str, int>()
  for i, e in events {
    match e {
      Paid(amount, to) if amount > 0 => { totals[to] = (totals.get(to) ?? 0) + amount + i }
      Paid(amount, _) => { a.add(amount, "${amount:>6}") }
      Failed(why) => print("failed: ${why} of ${a.name}")
      Idle => {}
    }
  }
  totals
}
print(handle%[1]d(Account%[1]d("a"), [Paid(1, "b"), Idle]).len())
`
	var script strings.Builder
	for i := range lines / strings.Count(block, "\n") {
		fmt.Fprintf(&script, block, i)
	}
	return script.String()
}
