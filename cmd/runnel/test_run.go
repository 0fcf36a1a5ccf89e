package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

// testFile is a script whose tests are run.
type testFile struct {
	c     *cli
	path  string
	prog  *runnel.Program
	names []string // of the tests
	lines []int    // where they begin
	docs  docTests
	cover *coverage // nil when nothing is counted
}

// loadTests compiles a script with its tests.
func (c *cli) loadTests(path string) (*testFile, *testProblem) {
	name, text, err := readFile(path)
	if err != nil {
		return nil, &testProblem{c, path, err}
	}
	f := &testFile{c: c, path: name}
	f.list(name, text)
	opts := []runnel.Option{runnel.WithTests(), runnel.WithSources(c.tests.watcher.sources(path))}
	if c.tests.cover {
		opts = append(opts, runnel.WithBranches())
	}
	rt := c.runtime(host.Host{}, opts...)
	f.prog, err = rt.Compile(name, f.docs.program())
	if err != nil {
		return nil, &testProblem{c, name, f.docs.placed(err)}
	}
	c.warnings(f.prog.Files, f.docs.spans(f.prog.Files, f.prog.Warnings))
	if c.tests.cover {
		f.cover = newCoverage(f.prog.Code)
	}
	return f, nil
}

// list notes the tests of a script.
func (f *testFile) list(name, text string) {
	file := (&diag.FileSet{}).Add(name, text)
	tree, _ := syntax.Parse(file)
	for _, item := range tree.Items {
		if t, ok := item.(*syntax.TestDecl); ok && !t.Bench {
			line, _ := file.Pos(t.Sp.Start)
			f.names, f.lines = append(f.names, t.Name), append(f.lines, line)
		}
	}
	f.docs = docTests{script: text}
	if f.c.tests.doc {
		f.docs = findDocTests(name, text)
	}
	for _, t := range f.docs.tests {
		f.names, f.lines = append(f.names, t.equation), append(f.lines, t.line)
	}
}

// wanted reports whether a test's name is asked for.
func (o *testOptions) wanted(name string) bool {
	return strings.Contains(name, o.only) && (o.skip == "" || !strings.Contains(name, o.skip))
}

// eachTest runs the tests of files that are asked for, as many at the same time as
// is asked for, and tells the results in the order of the tests. After an
// interrupt no further one begins.
func (c *cli) eachTest(files []*testFile, tell func(*testResult)) {
	var starts []func()
	var results []chan *testResult
	for _, f := range files {
		for i, name := range f.names {
			if !c.tests.wanted(name) {
				continue
			}
			result := make(chan *testResult, 1)
			results = append(results, result)
			starts = append(starts, func() {
				defer close(result)
				if !c.interrupted() {
					result <- f.run(i)
				}
			})
		}
	}
	turns := make(chan struct{}, c.tests.parallel)
	go func() {
		for _, start := range starts {
			turns <- struct{}{}
			go func() {
				defer func() { <-turns }()
				start()
			}()
		}
	}()
	for _, result := range results {
		if r, ok := <-result; ok {
			tell(r)
		}
	}
}

// run runs a test, under as many schedules as are to be explored and until one
// fails.
func (f *testFile) run(i int) *testResult {
	r := &testResult{file: f, name: f.names[i], line: f.lines[i]}
	start := time.Now()
	for n := range max(1, f.c.tests.explore) {
		r.seed = f.c.seed + uint64(n)
		if f.once(i, r); r.failed() {
			break
		}
	}
	r.took = time.Since(start)
	return r
}

// once runs a test on an instance of its own and notes what went wrong: its
// error, those of its tasks that nobody heard of, or the tasks that it leaves
// behind.
func (f *testFile) once(i int, r *testResult) {
	out := &testOutput{}
	in := f.instance(out, r.seed)
	var err error
	defer func() { closeAfter(in, err) }()
	in.NoteOrigins()
	if f.cover != nil {
		counts := in.CountWords()
		defer func() {
			closeAfter(in, err) // until then something may run
			f.cover.add(counts)
		}()
	}
	var before []vm.Opened
	err = f.c.limited(in, func(ctx context.Context) error {
		if err := in.Run(ctx); err != nil {
			return err
		}
		before = in.Open()
		out.reset()
		return in.RunTest(ctx, i)
	})
	var left []vm.Frame
	if err != nil {
		r.errs = append(r.errs, err)
	} else {
		left = in.Leaked() // which lets tasks that are about to end do so
		r.open = openAfter(before, in.Open())
	}
	for _, e := range in.Unhandled() {
		r.errs = append(r.errs, e)
	}
	for _, race := range in.Races() {
		r.errs = append(r.errs, &raceError{race})
	}
	r.errs = append(r.errs, leaks(left)...)
	for _, err := range r.errs {
		f.docs.place(err)
	}
	r.printed = out.text()
}

// instance makes one that prints to out, and whose scheduler chooses by the seed
// if there is one.
func (f *testFile) instance(out io.Writer, seed uint64) *runnel.Instance {
	host := all.Host(nil)
	host.Grants = append([]any{f.c}, host.Grants...)
	host.Stdout = runnel.Output(out)
	var opts []runnel.Option
	if f.c.seeded {
		host = seededHost(host, seed)
		opts = append(opts, withChoices(seed))
	}
	return f.prog.With(append(opts, runnel.WithHost(host))...).NewInstance()
}

// testOutput keeps what tasks print.
type testOutput struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *testOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// reset forgets what the script printed before its test.
func (o *testOutput) reset() {
	o.mu.Lock()
	o.buf.Reset()
	o.mu.Unlock()
}

func (o *testOutput) text() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.buf.Bytes())
}

// leaks makes an error for each place at which tasks were spawned that are
// alive at the end of a test.
func leaks(places []vm.Frame) (errs []error) {
	slices.SortStableFunc(places, comparePlaces)
	for len(places) > 0 {
		at := places[0]
		n := 1
		for n < len(places) && comparePlaces(places[n], at) == 0 {
			n++
		}
		text := "a task that was spawned here is"
		if n > 1 {
			text = fmt.Sprintf("%d tasks that were spawned here are", n)
		}
		text += " still alive at the end of the test"
		for _, p := range places[:min(n, 20)] {
			if strings.Contains(p.Func, "#") { // an actor
				text += "\n" + p.Func
			}
		}
		errs = append(errs, &vm.Error{Kind: bytecode.ErrNames[vm.ErrPlain], Message: text, Trace: []vm.Frame{at}})
		places = places[n:]
	}
	return errs
}

func comparePlaces(a, b vm.Frame) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// openAfter lists what is open more than before, in the order of the places.
func openAfter(before, after []vm.Opened) (more []vm.Opened) {
	left := map[vm.Opened]int{}
	for _, o := range before {
		left[o]++
	}
	for _, o := range after {
		if left[o]--; left[o] < 0 {
			more = append(more, o)
		}
	}
	slices.SortFunc(more, func(a, b vm.Opened) int {
		return cmp.Or(comparePlaces(a.At, b.At), strings.Compare(a.Name, b.Name))
	})
	return more
}
