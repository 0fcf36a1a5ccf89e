package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// test runs the test blocks of scripts, each on an instance of its own, after
// the script's top-level statements, once or under many schedules. What a test
// prints is shown when it fails.
func (c *cli) test(files []string) int {
	if len(files) == 0 {
		return c.usage("test needs a file")
	}
	if c.explore > 0 && !c.seeded {
		c.seed, c.seeded = 1, true
	}
	defer c.heedInterrupts()()
	start := time.Now()
	passed, failed, exit := 0, 0, exitOK
	for _, path := range files {
		f, code := c.testFile(path)
		if f == nil {
			exit = code
			continue
		}
		for i, t := range f.prog.Code.Tests {
			switch {
			case !strings.Contains(t.Name, c.only) || c.interrupted():
			case f.run(i):
				passed++
			default:
				failed++
			}
		}
	}
	fmt.Fprintf(c.stdout, "%s passed, %d failed (%s)\n", plural(passed, "test"), failed, time.Since(start).Round(time.Millisecond))
	switch {
	case c.interrupted():
		exit = exitInterrupted
	case failed > 0 && exit == exitOK:
		exit = exitScript
	}
	return exit
}

// testFile is a script whose tests are run.
type testFile struct {
	c    *cli
	path string
	prog *runnel.Program
	out  *bytes.Buffer // what the running test has printed
}

// testFile loads a script; without one it gives the exit code.
func (c *cli) testFile(path string) (*testFile, int) {
	name, text, err := readFile(path)
	if err != nil {
		return nil, c.problem(err)
	}
	f := &testFile{c: c, path: name, out: &bytes.Buffer{}}
	host := all.Host(nil)
	host.Grants = append([]any{c}, host.Grants...)
	host.Stdout = vm.NewUnbufferedOutput(f.out)
	p, code := c.load(name, text, c.runtime(host, runnel.WithTests()))
	if p == nil {
		return nil, code
	}
	if c.warn {
		c.diagnostics(p.Files, p.Warnings)
	}
	f.prog = p
	return f, exitOK
}

// run runs a test, under as many schedules as are to be explored; whether it
// passes.
func (f *testFile) run(i int) bool {
	name, first := f.prog.Code.Tests[i].Name, f.c.seed
	defer func() { f.c.seed = first }()
	for range max(1, f.c.explore) {
		if errs := f.once(i); len(errs) > 0 {
			f.failed(name, errs)
			return false
		}
		f.c.seed++
	}
	if f.c.verbose {
		fmt.Fprintf(f.c.stdout, "ok    %s: %s%s\n", f.path, name, f.schedules())
	}
	return true
}

func (f *testFile) schedules() string {
	if f.c.explore == 0 {
		return ""
	}
	return " (" + plural(f.c.explore, "schedule") + ")"
}

// once runs a test on an instance of its own and gives what went wrong: its
// error, those of its tasks that nobody heard of, or the tasks that it leaves
// behind.
func (f *testFile) once(i int) (errs []error) {
	in := f.prog.NewInstance()
	defer in.Close()
	err := f.c.limited(func(ctx context.Context) error {
		if err := in.Run(ctx); err != nil {
			return err
		}
		f.out.Reset()
		return in.RunTest(ctx, i)
	})
	var left []vm.Frame
	if err != nil {
		errs = append(errs, err)
	} else {
		left = in.Leaked() // which lets tasks that are about to end do so
	}
	for _, e := range in.Unhandled() {
		errs = append(errs, e)
	}
	for _, r := range in.Races() {
		errs = append(errs, &raceError{r})
	}
	return append(errs, leaks(left)...)
}

// leaks makes an error for each place at which tasks were spawned that are
// alive at the end of a test.
func leaks(places []vm.Frame) (errs []error) {
	slices.SortFunc(places, func(a, b vm.Frame) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	for len(places) > 0 {
		at := places[0]
		n := 1
		for n < len(places) && samePlace(places[n], at) {
			n++
		}
		text := "a task that was spawned here is"
		if n > 1 {
			text = fmt.Sprintf("%d tasks that were spawned here are", n)
		}
		errs = append(errs, &vm.Error{
			Kind: bytecode.ErrNames[vm.ErrPlain], Message: text + " still alive at the end of the test", Trace: []vm.Frame{at},
		})
		places = places[n:]
	}
	return errs
}

func samePlace(a, b vm.Frame) bool { return a.File == b.File && a.Line == b.Line && a.Col == b.Col }

// failed reports a test that did not pass, and how to see that again.
func (f *testFile) failed(name string, errs []error) {
	c := f.c
	fmt.Fprintf(c.stdout, "FAIL  %s: %s\n", f.path, name)
	for _, err := range errs {
		c.scriptError(f.prog, err)
	}
	if f.out.Len() > 0 {
		fmt.Fprintln(c.stderr, "it printed:")
		c.stderr.Write(f.out.Bytes())
	}
	if c.seeded {
		race := ""
		if c.race {
			race = "--race "
		}
		fmt.Fprintf(c.stderr, "seed %d gives this again:\n  runnel test %s--seed %d --only %s %s\n", c.seed, race, c.seed, quoted(name), quoted(f.path))
	}
}

// quoted is a word as shells take it.
func quoted(s string) string {
	plain := func(r rune) bool { return isWord(byte(min(r, 0x80))) || strings.ContainsRune("./-", r) }
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
