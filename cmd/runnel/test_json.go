package main

import (
	"encoding/json"
	"errors"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// jsonReport writes an object a line for each event. What people see on stderr
// is a text of the event.
type jsonReport struct {
	c   *cli
	out *json.Encoder
	err error // the first of writing
}

func newJSONReport(c *cli) *jsonReport {
	j := &jsonReport{c: c, out: json.NewEncoder(c.stdout)}
	j.out.SetEscapeHTML(false)
	return j
}

func (j *jsonReport) write(event any) {
	if err := j.out.Encode(event); j.err == nil {
		j.err = err
	}
}

// testEvent is a test that has ended.
type testEvent struct {
	Event   string      `json:"event"` // test
	File    string      `json:"file"`
	Line    int         `json:"line,omitempty"`
	Name    string      `json:"name"`
	Passed  bool        `json:"passed"`
	Seconds float64     `json:"seconds"`
	Errors  []testError `json:"errors,omitempty"`
	Open    []testOpen  `json:"open,omitempty"`
	Printed string      `json:"printed,omitempty"`
	Seed    *uint64     `json:"seed,omitempty"`
	Again   string      `json:"again,omitempty"`
	Text    string      `json:"text,omitempty"` // all of that for people
}

// testError is an error and where it was thrown.
type testError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// testOpen is what a test left open, and where it was opened.
type testOpen struct {
	Name   string `json:"name"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

func (j *jsonReport) result(r *testResult) {
	e := testEvent{
		Event: "test", File: r.file.path, Line: r.line, Name: r.name, Passed: !r.failed(), Seconds: r.took.Seconds(),
		Printed: string(r.printed),
	}
	for _, o := range r.open {
		e.Open = append(e.Open, testOpen{o.Name, o.At.File, o.At.Line, o.At.Col})
	}
	if j.c.seeded {
		e.Seed = &r.seed
	}
	if r.failed() {
		for _, err := range r.errs {
			e.Errors = append(e.Errors, errorOf(r.file.prog.Code, err))
		}
		e.Again, e.Text = r.again(), j.c.stderrOf(r.show)
	}
	j.write(e)
}

func errorOf(code *bytecode.Program, err error) testError {
	var race *raceError
	if errors.As(err, &race) {
		at := race.After.At
		return testError{"race", err.Error(), at.File, at.Line, at.Col}
	}
	var e *vm.Error
	if !errors.As(err, &e) {
		return testError{Kind: "error", Message: err.Error()}
	}
	t := testError{Kind: e.Kind, Message: e.Message}
	if at := place(code, e.Trace); at != nil {
		t.File, t.Line, t.Column = at.File, at.Line, at.Col
	}
	return t
}

func (j *jsonReport) problem(p *testProblem) {
	j.write(struct {
		Event string `json:"event"`
		File  string `json:"file"`
		Text  string `json:"text"`
	}{"problem", p.path, j.c.stderrOf(p.show)})
}

func (j *jsonReport) end(t *testTotal) error {
	for _, f := range t.coverage {
		j.write(struct {
			Event    string   `json:"event"`
			File     string   `json:"file"`
			Lines    int      `json:"lines"`
			Run      int      `json:"run"`
			Not      []string `json:"not"`
			Branches int      `json:"branches"`
			Taken    int      `json:"taken"`
		}{"coverage", f.name, len(f.lines), f.run(), f.missed(), len(f.branches), f.taken()})
	}
	j.write(struct {
		Event   string  `json:"event"`
		Passed  int     `json:"passed"`
		Failed  int     `json:"failed"`
		Broken  int     `json:"broken"`
		Seconds float64 `json:"seconds"`
	}{"end", t.passed, t.failed, t.broken, t.took.Seconds()})
	return j.err
}
