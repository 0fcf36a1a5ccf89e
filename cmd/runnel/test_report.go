package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// testReport hears of what tests do, in the order of the source.
type testReport interface {
	result(*testResult)
	problem(*testProblem)
	end(*testTotal) error
}

// testReports are those that are asked for: one to the terminal or as JSON, and
// those to files.
func (c *cli) testReports() testReport {
	var list testReportList
	if c.json {
		list = append(list, newJSONReport(c))
	} else {
		list = append(list, &textReport{c})
	}
	if c.tests.junit != "" {
		list = append(list, &junitReport{c: c})
	}
	if c.tests.coverHTML != "" {
		list = append(list, coverHTMLReport{c})
	}
	return list
}

type testReportList []testReport

func (l testReportList) result(r *testResult) {
	for _, report := range l {
		report.result(r)
	}
}

func (l testReportList) problem(p *testProblem) {
	for _, report := range l {
		report.problem(p)
	}
}

func (l testReportList) end(t *testTotal) (err error) {
	for _, report := range l {
		if e := report.end(t); err == nil {
			err = e
		}
	}
	return err
}

// textReport is for people: failures, the tests that pass where that is asked
// for, and a summary.
type textReport struct{ c *cli }

func (t *textReport) result(r *testResult) {
	c := t.c
	switch {
	case r.failed():
		fmt.Fprintf(c.stdout, "FAIL  %s: %s\n", r.file.path, r.name)
		r.show()
	case c.verbose:
		fmt.Fprintf(c.stdout, "ok    %s: %s%s\n", r.file.path, r.name, c.schedules())
	}
	if len(r.open) > 0 {
		fmt.Fprintf(c.stderr, "note: %s: %s leaves open: %s\n", r.file.path, r.name, strings.Join(r.open, ", "))
	}
}

func (c *cli) schedules() string {
	if c.tests.explore == 0 {
		return ""
	}
	return " (" + plural(c.tests.explore, "schedule") + ")"
}

func (t *textReport) problem(p *testProblem) { p.show() }

func (t *textReport) end(total *testTotal) error {
	t.coverage(total.coverage)
	_, err := fmt.Fprintf(t.c.stdout, "%s passed, %d failed (%s)\n", plural(total.passed, "test"), total.failed, total.took.Round(time.Millisecond))
	return err
}

func (t *textReport) coverage(files []*fileCoverage) {
	if t.c.tests.coverText {
		for _, f := range files {
			coverSource(t.c.stdout, f, t.c.colored(t.c.stdout))
		}
		fmt.Fprintln(t.c.stdout)
	}
	if t.c.tests.cover {
		coverTable(t.c.stdout, files)
	}
}

// show writes the errors of a test that failed and what it printed to stderr,
// and how to see that again.
func (r *testResult) show() {
	c := r.file.c
	for _, err := range r.errs {
		c.scriptError(r.file.prog, err)
	}
	if len(r.printed) > 0 {
		fmt.Fprintln(c.stderr, "it printed:")
		c.stderr.Write(r.printed)
	}
	if again := r.again(); again != "" {
		fmt.Fprintf(c.stderr, "seed %d gives this again:\n  %s\n", r.seed, again)
	}
}

// again is the command that runs a test with the seed it failed with.
func (r *testResult) again() string {
	c := r.file.c
	if !c.seeded {
		return ""
	}
	flags := ""
	if c.race {
		flags += "--race "
	}
	if c.tests.doc {
		flags += "--doc "
	}
	return fmt.Sprintf("runnel test %s--seed %d --only %s %s", flags, r.seed, quoted(r.name), quoted(r.file.path))
}

// stderrOf gives what f writes to stderr.
func (c *cli) stderrOf(f func()) string {
	var text bytes.Buffer
	old := c.stderr
	c.stderr = &text
	defer func() { c.stderr = old }()
	f()
	return text.String()
}

// quoted is a word as shells take it.
func quoted(s string) string {
	plain := func(r rune) bool { return isWord(byte(min(r, 0x80))) || strings.ContainsRune("./-", r) }
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
