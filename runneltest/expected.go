package runneltest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Expectation is what the comments in a program say should happen.
type Expectation struct {
	Printed   string      // the lines after `// expect: `
	Errors    []string    // parts of the error it ends with: `// expect error: `
	Unhandled []string    // parts of the failures that nobody awaited: `// unhandled: `
	Codes     []diag.Code // of the compiler's errors: `// expect diagnostic E0203`
}

var (
	expectLine  = regexp.MustCompile(`(?m)// expect: ?(.*)$`)
	expectError = regexp.MustCompile(`(?m)// expect error: (.+)$`)
	expectCode  = regexp.MustCompile(`(?m)// expect diagnostic (E\d+)`)
	unhandled   = regexp.MustCompile(`(?m)// unhandled: (.+)$`)
)

// Expected reads the comments in a program.
func Expected(src string) Expectation {
	e := Expectation{Errors: all(expectError, src), Unhandled: all(unhandled, src)}
	for _, line := range all(expectLine, src) {
		e.Printed += line + "\n"
	}
	for _, code := range all(expectCode, src) {
		e.Codes = append(e.Codes, diag.Code(code))
	}
	return e
}

// all returns what the first group of a pattern matches.
func all(pattern *regexp.Regexp, src string) (texts []string) {
	for _, m := range pattern.FindAllStringSubmatch(src, -1) {
		texts = append(texts, m[1])
	}
	return texts
}

// Check compares the outcome of a run with what was expected; how names the run in messages.
func (e Expectation) Check(t testing.TB, how string, o Outcome) {
	t.Helper()
	failed := ""
	if o.Err != nil {
		failed = o.Err.Error()
	}
	fine := o.Printed == e.Printed && (o.Err != nil) == (e.Errors != nil) && len(o.Unhandled) == len(e.Unhandled) && len(o.Races) == 0
	for _, part := range e.Errors {
		fine = fine && strings.Contains(failed, part)
	}
	for _, part := range e.Unhandled {
		fine = fine && strings.Contains(o.String(), part)
	}
	if !fine {
		t.Fatalf("%s: expected %+v, got:\n%s", how, e, o)
	}
}

// Meets runs a program once, and once under each of n schedules, and expects what its comments say.
func (r Runner) Meets(t testing.TB, src string, n int) {
	t.Helper()
	e := Expected(src)
	if e.Codes != nil {
		r.Refuses(t, src, e.Codes...)
		return
	}
	p := r.Compile(t, src)
	e.Check(t, "as it is", p.Run(t))
	for name, schedule := range Schedules(n) {
		e.Check(t, name, p.Run(t, schedule))
	}
}
