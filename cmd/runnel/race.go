package main

import (
	"fmt"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm"
)

var raceFlag = flag{"--race", "", "report data races, in a deterministic run (with --seed 1 unless given)", func(c *cli, _ string) error {
	c.race = true
	return nil
}}

// races reports the data races of a run that has ended, and gives the exit code.
func (c *cli) races(p *runnel.Program, in *runnel.Instance) int {
	found := in.Races()
	if len(found) == 0 {
		return exitOK
	}
	for _, r := range found {
		c.raceReport(p, r)
	}
	fmt.Fprintf(c.stderr, "%s; reproduce with --seed %d\n", plural(len(found), "data race"), c.seed)
	return exitScript
}

// raceReport shows a race as diagnostics are shown: both places in the source,
// and who was there.
func (c *cli) raceReport(p *runnel.Program, r runnel.Race) {
	files := &diag.FileSet{}
	d := diag.Diagnostic{
		Message: "data race on " + r.What,
		Text:    sideText(r.After),
		Span:    span(files, p.Code, &r.After.At),
	}
	if !d.Span.IsValid() {
		d.Message += fmt.Sprintf(": %s at %s", sideText(r.After), r.After.At)
	}
	before := "previous " + sideText(r.Before)
	if at := span(files, p.Code, &r.Before.At); at.IsValid() && at != d.Span {
		d.Labels = []diag.Label{{Span: at, Text: before}}
	}
	d.Notes = []string{fmt.Sprintf("%s at %s", before, r.Before.At)}
	for _, t := range r.Tasks() {
		d.Notes = append(d.Notes, fmt.Sprintf("%s was spawned at %s", t, t.Spawned))
	}
	c.diagnostics(files, []diag.Diagnostic{d})
}

func sideText(a vm.RaceAccess) string { return a.Verb() + " in " + a.Task.String() }

// raceError is a race as an error of a test.
type raceError struct{ runnel.Race }

func (e *raceError) Error() string { return e.String() }
