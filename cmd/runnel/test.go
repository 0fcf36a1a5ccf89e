package main

import (
	"errors"
	"slices"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// test runs the test blocks of scripts, each on an instance of its own, after
// the script's top-level statements, once or under many schedules. What a test
// prints is shown when it fails.
//
//	arguments ─findTests→ files ─load→ testFile ─run→ testResult → testReport
func (c *cli) test(args []string) int {
	if err := c.testConflict(); err != nil {
		return c.usage(err.Error())
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	defer c.heedInterrupts()()
	if c.tests.watch {
		return c.watchTests(args)
	}
	files, err := c.findTests(args)
	if err != nil {
		return c.problem(err)
	}
	return c.runTests(files)
}

// runTests runs the tests of files, and reports them in the order of
// the files and of the source, whatever runs in parallel.
func (c *cli) runTests(files []string) int {
	start := time.Now()
	c.found = nil // by the tests before, when they are watched
	report := c.testReports()
	total, exit := testTotal{}, exitOK
	var loaded []*testFile
	for _, path := range files {
		f, problem := c.loadTests(path)
		if problem != nil {
			exit = exitUsage
			total.broken++
			report.problem(problem)
			continue
		}
		loaded = append(loaded, f)
	}
	c.eachTest(loaded, func(r *testResult) {
		total.add(r)
		report.result(r)
	})
	for _, f := range loaded {
		total.cover(f)
	}
	total.took = time.Since(start)
	if err := report.end(&total); err != nil {
		exit = c.problem(err)
	}
	switch {
	case c.interrupted():
		return c.signals.stopped()
	case total.failed > 0 && exit == exitOK:
		return exitScript
	}
	return exit
}

// testTotal is what came of all tests.
type testTotal struct {
	passed, failed int
	broken         int // files whose tests could not run
	took           time.Duration
	coverage       []*fileCoverage
}

func (t *testTotal) add(r *testResult) {
	if r.failed() {
		t.failed++
	} else {
		t.passed++
	}
}

// cover adds what the tests of a file have run; files that several of them
// import are counted together.
func (t *testTotal) cover(f *testFile) {
	if f.cover == nil {
		return
	}
	for _, file := range f.cover.files() {
		i := slices.IndexFunc(t.coverage, func(other *fileCoverage) bool { return other.name == file.name })
		if i < 0 {
			t.coverage = append(t.coverage, file)
			continue
		}
		t.coverage[i].add(file)
	}
}

// testResult is what came of a test.
type testResult struct {
	file    *testFile
	name    string
	line    int
	errs    []error
	open    []vm.Opened // what the test left open
	printed []byte
	seed    uint64 // of the last schedule
	took    time.Duration
}

func (r *testResult) failed() bool { return len(r.errs) > 0 }

// testProblem is why the tests of a file cannot run.
type testProblem struct {
	c    *cli
	path string
	err  error
}

// show writes it to stderr.
func (p *testProblem) show() {
	var wrong *runnel.CompileError
	if errors.As(p.err, &wrong) {
		p.c.compileError(p.err)
	} else {
		p.c.problem(p.err)
	}
}
