package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/runnel-lang/runnel/internal/whole"
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
	if c.benches.compare == "" {
		return r, nil
	}
	data, err := os.ReadFile(c.benches.compare)
	if err != nil {
		return nil, err
	}
	if r.before, err = readMeasurements(data); err != nil {
		return nil, fmt.Errorf("%s: %w", c.benches.compare, err)
	}
	return r, nil
}

var errNoMeasurements = errors.New("not a results file written by `runnel bench --save`")

// readMeasurements reads what an earlier run has saved: an object a line.
func readMeasurements(data []byte) ([]measurement, error) {
	list := []measurement{}
	lines := json.NewDecoder(bytes.NewReader(data))
	for {
		var m measurement
		err := lines.Decode(&m)
		if err == io.EOF {
			return list, nil
		}
		negative := func(ns float64) bool { return ns < 0 }
		if err != nil || len(m.Ns) == 0 || slices.ContainsFunc(m.Ns, negative) {
			return nil, errNoMeasurements
		}
		list = append(list, m)
	}
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
	if r.c.json {
		if err := json.NewEncoder(r.c.stdout).Encode(r.event(m)); err != nil {
			r.c.problem(err)
		}
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
	if old := r.earlier(m); old != nil {
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

// benchEvent is a measurement as JSON, with what follows from it.
type benchEvent struct {
	*measurement
	Median float64  `json:"median"`
	Spread float64  `json:"spread"`
	Before *float64 `json:"before,omitempty"`
	Chance *float64 `json:"chance,omitempty"`
}

func (r *benchReport) event(m *measurement) benchEvent {
	e := benchEvent{measurement: m}
	e.Median, e.Spread = middle(m.Ns)
	if old := r.earlier(m); old != nil {
		before, _ := middle(old.Ns)
		p := chance(old.Ns, m.Ns)
		e.Before, e.Chance = &before, &p
	}
	return e
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
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, m := range r.taken {
		if err := lines.Encode(r.event(m)); err != nil {
			return err
		}
	}
	return whole.Write(r.c.benches.save, text.Bytes())
}

// begin says on a terminal what is measured now.
func (r *benchReport) begin(m *measurement) {
	if isTerminal(r.c.stderr) {
		fmt.Fprintf(r.c.stderr, "\r\x1b[Kmeasuring %s: %s", m.File, safe(m.Name))
	}
}

func (r *benchReport) done() {
	if isTerminal(r.c.stderr) {
		fmt.Fprint(r.c.stderr, "\r\x1b[K")
	}
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
