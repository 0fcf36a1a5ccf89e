package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/vm"
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
	if c.tests.watcher != nil {
		list = append(list, c.tests.watcher)
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

// textReport is for people: failures with all that is known of them, the tests
// that pass where that is asked for, and a summary. All of it goes to stdout.
type textReport struct{ c *cli }

func (t *textReport) result(r *testResult) {
	c := t.c
	t.onStdout(func() {
		switch {
		case r.failed():
			fmt.Fprintf(c.stdout, "%s  %s: %s\n", c.paint(red, "FAIL"), r.file.path, safe(r.name))
			r.show()
		case c.verbose:
			fmt.Fprintf(c.stdout, "%s    %s: %s%s%s\n", c.paint(green, "ok"), r.file.path, safe(r.name), c.schedules(), r.time())
			r.showPrinted()
		case len(r.open) > 0:
			fmt.Fprintf(c.stdout, "%s    %s: %s\n", c.paint(yellow, "ok"), r.file.path, safe(r.name))
		}
		for _, o := range r.open {
			fmt.Fprintf(c.stdout, "note: left open: %s\n", openText(o))
		}
		if r.failed() {
			fmt.Fprintln(c.stdout)
		}
	})
}

// onStdout has what f writes to stderr go to stdout.
func (t *textReport) onStdout(f func()) { t.c.withStderr(t.c.stdout, f) }

// openText says what is open, and who opened it.
func openText(o vm.Opened) string {
	if o.At.Line == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s, opened at %s:%d:%d", o.Name, o.At.File, o.At.Line, o.At.Col)
}

// slow is how long a test takes that is told of its time.
const slow = 100 * time.Millisecond

func (r *testResult) time() string {
	if r.took < slow {
		return ""
	}
	return fmt.Sprintf(" (%s)", r.took.Round(time.Millisecond))
}

func (c *cli) schedules() string {
	if c.tests.explore == 0 {
		return ""
	}
	return " (" + plural(c.tests.explore, "schedule") + ")"
}

func (t *textReport) problem(p *testProblem) { t.c.testProblem(p) }

func (t *textReport) end(total *testTotal) (err error) {
	t.coverage(total.coverage)
	t.onStdout(func() { _, err = fmt.Fprintln(t.c.stdout, t.summary(total)) })
	return err
}

// summary is green when all is well.
func (t *textReport) summary(total *testTotal) string {
	text, style := fmt.Sprintf("%s passed, %d failed", plural(total.passed, "test"), total.failed), green
	if total.failed > 0 {
		style = red
	}
	if total.broken > 0 {
		text, style = text+", "+plural(total.broken, "file")+" with mistakes", red
	}
	if filter := t.c.tests.only; filter != "" && total.passed+total.failed == 0 {
		text += fmt.Sprintf(": no test name contains %q", filter)
	}
	return fmt.Sprintf("%s (%s)", t.c.paint(style, text), total.took.Round(time.Millisecond))
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
	for i, err := range r.errs {
		if !c.again(err, r.errs[:i]) {
			c.scriptError(r.file.prog, err)
		}
	}
	r.showPrinted()
	if again := r.again(); again != "" {
		fmt.Fprintf(c.stderr, "reproduce with seed %d:\n  %s\n", r.seed, again)
	}
}

func (r *testResult) showPrinted() {
	if n := len(r.printed); n > 0 {
		c := r.file.c
		fmt.Fprintln(c.stderr, "it printed:")
		c.stderr.Write(r.printed)
		if r.printed[n-1] != '\n' {
			fmt.Fprintln(c.stderr)
		}
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

// stderrOf returns what f writes to stderr, without colors.
func (c *cli) stderrOf(f func()) string {
	var text bytes.Buffer
	color := c.color
	c.color = "never"
	defer func() { c.color = color }()
	c.withStderr(&text, f)
	return text.String()
}

// withStderr has what f writes to stderr go elsewhere.
func (c *cli) withStderr(w io.Writer, f func()) {
	old := c.stderr
	c.stderr = w
	defer func() { c.stderr = old }()
	f()
}

// quoted is a word as shells take it.
func quoted(s string) string {
	plain := func(r rune) bool { return isWord(byte(min(r, 0x80))) || strings.ContainsRune("./-", r) }
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
