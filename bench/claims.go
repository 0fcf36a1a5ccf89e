package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A claim is a figure of README that can be measured quickly: how much more
// than a reference of the same run Runnel takes.
type claim struct {
	section string
	column  string // that the section measures
	row     string // Runnel's
	base    string // the reference's

	cell    string // README's column
	part    int    // of "one processor / two processors"
	readRow string // README's row of Runnel
	divided string // README's row of the reference; "": its figures are ratios already
}

func (c claim) String() string {
	return fmt.Sprintf("%s %s: %s to %s", c.section, c.column, c.row, c.base)
}

// The claims that are checked. Programs on two processors are no references:
// native Go's own times differ too much there.
func allClaims() []claim {
	var all []claim
	for _, w := range []string{"fib", "sieve", "bintrees", "strings", "wordmap", "methods"} {
		all = append(all, claim{"cpu", w, runnelTitle, luaTitle, w, 0, runnelTitle, ""})
	}
	for _, w := range []string{"spawnfan", "pingpong", "select4", "prodcons", "mutex"} {
		all = append(all, claim{"conc", w, "Runnel, 1", nativeTitle + ", 1", w, 0, "Runnel, 1", ""})
	}
	for _, w := range []string{"tell", "ask"} {
		all = append(all, claim{"actors", w + ", 1", runnelTitle, "goroutine and channel", w, 0, runnelTitle, "goroutine and channel"})
	}
	for _, c := range []struct{ column, cell string }{{"call", "call, ns"}, {"back", "back, ns"}, {"fresh", "fresh, µs"}, {"fresh bytes", "fresh, bytes"}} {
		all = append(all, claim{"embed", c.column, runnelTitle, "gopher-lua", c.cell, 0, runnelTitle, "gopher-lua"})
	}
	return all
}

// claimRows are the implementations that each section measures for claims, as it calls them.
var claimRows = map[string][]string{
	"cpu": {"runnel", lua}, "conc": {"runnel"}, "actors": {"runnel", "chan"}, "embed": {runnelTitle, "gopher-lua"},
}

const (
	claimRounds   = 4
	claimAttempts = 3   // measurements of what does not seem to hold
	claimFactor   = 1.5 // what a claim may be off by
	// steady is what the median of a reference may be above its least time on a
	// quiet machine.
	steady = 0.2
)

// claimed is what README says.
func (c claim) claimed(readme string) (float64, error) {
	t, err := readTable(readme, c.section)
	if err != nil {
		return 0, err
	}
	v, err := t.value(c.readRow, c.cell, c.part)
	if err != nil || c.divided == "" {
		return v, err
	}
	base, err := t.value(c.divided, c.cell, c.part)
	return v / base, err
}

// verdict is what measuring says of a claim.
type verdict struct {
	claimed, measured float64
	holds             bool
	unsteady          float64 // how much the median of the reference is above its least, as a part
}

// judge compares the least times: what disturbs only adds.
func judge(claimed float64, ours, base []float64) verdict {
	least := slices.Min(base)
	measured := slices.Min(ours) / least
	return verdict{claimed, measured, measured <= claimed*claimFactor, figures.Median(base)/least - 1}
}

func (v verdict) String() string {
	switch {
	case v.holds:
		return "holds"
	case v.unsteady > steady:
		return fmt.Sprintf("not quiet: not judged (the reference's times are %.0f %% apart)", 100*v.unsteady)
	}
	return "DOES NOT HOLD"
}

func (v verdict) broken() bool { return !v.holds && v.unsteady <= steady }

// checkClaims measures the claims, those that do not seem to hold up to three
// times, and fails if one does not hold on a quiet machine.
func checkClaims(out io.Writer) error {
	root, err := repository()
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return err
	}
	claims := allClaims()
	if !luaTool.here() {
		note("no %s on this machine: its claims are left out", luaTool.title)
		claims = slices.DeleteFunc(claims, func(c claim) bool { return c.base == luaTitle })
	}
	watch := newWatch()
	verdicts, err := measureClaims(claims, string(readme), watch, measureFor)
	if err != nil {
		return err
	}
	return reportClaims(out, claims, verdicts, watch)
}

// reportClaims prints a row for each claim and fails for those that are broken.
func reportClaims(out io.Writer, claims []claim, verdicts map[claim]verdict, watch watch) error {
	fmt.Fprint(out, "| claim | README | here | |\n|---|---|---|---|\n")
	disturbed := watch.disturbed()
	var broken []string
	for _, c := range claims {
		v := verdicts[c]
		says := v.String()
		if v.broken() && disturbed {
			says = "not quiet: not judged"
		} else if v.broken() {
			broken = append(broken, fmt.Sprintf("%s is %s, README says %s", c, figures.Number(v.measured), figures.Number(v.claimed)))
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", c, figures.Number(v.claimed), figures.Number(v.measured), says)
	}
	if text := watch.text(); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	if len(broken) == 0 {
		return nil
	}
	return errors.New("what README says does not hold:\n" + strings.Join(broken, "\n"))
}

// measureClaims measures claims with a function that measures those of a section;
// once if others keep the machine busy.
func measureClaims(claims []claim, readme string, watch watch, measure func(name string, columns []string) (figures.Results, error)) (map[claim]verdict, error) {
	verdicts, all := map[claim]verdict{}, map[string]figures.Results{}
	left := slices.Clone(claims)
	for attempt := 0; attempt < claimAttempts && len(left) > 0; attempt++ {
		for name, columns := range columnsBySection(left) {
			r, err := measure(name, columns)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all[name] = append(all[name], r...)
		}
		for _, c := range left {
			claimed, err := c.claimed(readme)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c, err)
			}
			ours, base := everyValue(all[c.section], c.row, c.column), everyValue(all[c.section], c.base, c.column)
			if len(ours) == 0 || len(base) == 0 {
				return nil, fmt.Errorf("%s: it was not measured", c)
			}
			verdicts[c] = judge(claimed, ours, base)
		}
		left = slices.DeleteFunc(left, func(c claim) bool { return verdicts[c].holds })
		if watch.disturbed() {
			break
		}
	}
	return verdicts, nil
}

func columnsBySection(claims []claim) map[string][]string {
	columns := map[string][]string{}
	for _, c := range claims {
		columns[c.section] = append(columns[c.section], c.column)
	}
	return columns
}

// everyValue is what several measurements found.
func everyValue(r figures.Results, row, column string) (values []float64) {
	for _, s := range r {
		if s.Row == row && s.Column == column {
			values = append(values, s.Values...)
		}
	}
	return values
}

func measureFor(name string, columns []string) (figures.Results, error) {
	s, _ := sectionNamed(name)
	return s.measure(options{rounds: claimRounds, quick: true, rows: claimRows[name], columns: columns})
}
