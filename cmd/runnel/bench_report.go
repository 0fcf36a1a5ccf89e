package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
)

// benchReport shows measurements, each beside that of an earlier run if there is
// one.
type benchReport struct {
	c      *cli
	before []measurement
	taken  []*measurement
	table  *tabwriter.Writer
}

func (c *cli) newBenchReport() (*benchReport, error) {
	r := &benchReport{c: c}
	if c.benches.against == "" {
		return r, nil
	}
	data, err := os.ReadFile(c.benches.against)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &r.before) != nil {
		return nil, fmt.Errorf("%s: %w", c.benches.against, errNoMeasurements)
	}
	for _, m := range r.before {
		if len(m.Ns) == 0 {
			return nil, fmt.Errorf("%s: %w", c.benches.against, errNoMeasurements)
		}
	}
	return r, nil
}

// earlier finds the same benchmark in the earlier run.
func (r *benchReport) earlier(m *measurement) *measurement {
	for i := range r.before {
		if b := &r.before[i]; b.File == m.File && b.Name == m.Name {
			return b
		}
	}
	return nil
}

func (r *benchReport) result(m *measurement) {
	r.taken = append(r.taken, m)
	old := r.earlier(m)
	if r.c.json {
		r.line(m, old)
		return
	}
	if r.table == nil {
		r.table = tabwriter.NewWriter(r.c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprint(r.table, "benchmark\ttime\tallocations\tbytes")
		if r.before != nil {
			fmt.Fprint(r.table, "\tbefore\tchange")
		}
		fmt.Fprintln(r.table)
	}
	fmt.Fprintf(r.table, "%s: %s\t%s\t%.4g\t%.6g", m.File, m.Name, m.time(), m.Allocs, m.Bytes)
	if old != nil {
		fmt.Fprintf(r.table, "\t%s\t%s", old.time(), changeText(old, m))
	}
	fmt.Fprintln(r.table)
}

func (r *benchReport) failed(f *testFile, m *measurement, errs []error) {
	fmt.Fprintf(r.c.stderr, "FAIL  %s: %s\n", m.File, m.Name)
	for _, err := range errs {
		r.c.scriptError(f.prog, err)
	}
}

// line writes a measurement as JSON.
func (r *benchReport) line(m, old *measurement) {
	median, spread := middle(m.Ns)
	line := struct {
		*measurement
		Median float64  `json:"median"`
		Spread float64  `json:"spread"`
		Before *float64 `json:"before,omitempty"`
		Chance *float64 `json:"chance,omitempty"`
	}{measurement: m, Median: median, Spread: spread}
	if old != nil {
		before, _ := middle(old.Ns)
		p := chance(old.Ns, m.Ns)
		line.Before, line.Chance = &before, &p
	}
	if err := json.NewEncoder(r.c.stdout).Encode(line); err != nil {
		r.c.problem(err)
	}
}

// end shows the table and saves the measurements.
func (r *benchReport) end() error {
	if r.table != nil {
		if err := r.table.Flush(); err != nil {
			return err
		}
	}
	if r.c.benches.save == "" {
		return nil
	}
	text, err := json.MarshalIndent(r.taken, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(r.c.benches.save, append(text, '\n'), 0o666)
}

// likely is the chance from which on a difference says nothing.
const likely = 0.05

// changeText says by how much the median has changed, if it has.
func changeText(old, now *measurement) string {
	was, _ := middle(old.Ns)
	is, _ := middle(now.Ns)
	p := chance(old.Ns, now.Ns)
	if p >= likely || was == 0 {
		return fmt.Sprintf("~ (p=%.2f)", p)
	}
	return fmt.Sprintf("%+.1f%% (p=%.3f)", 100*(is/was-1), p)
}

func (m *measurement) time() string {
	median, spread := middle(m.Ns)
	return fmt.Sprintf("%s ±%.0f%%", nanoseconds(median), 100*spread)
}

// nanoseconds writes a time with three digits.
func nanoseconds(ns float64) string {
	for _, unit := range []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= unit.ns {
			return digits(ns/unit.ns) + " " + unit.name
		}
	}
	return digits(ns) + " ns"
}

func digits(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
