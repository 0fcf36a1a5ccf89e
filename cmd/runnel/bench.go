package main

import (
	"context"
	"io"
	"math"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// benchOptions are what the flags of bench ask for.
type benchOptions struct {
	count         int           // samples of each benchmark
	sample        time.Duration // how long one takes
	save, compare string        // files
}

var defaultBench = benchOptions{count: 10, sample: 100 * time.Millisecond}

func benchFlags() []flag {
	return []flag{
		onlyFlag,
		{"--count", "N", "take N samples of each (default 10)", func(c *cli, v string) (err error) {
			c.benches.count, err = parseCount(v, maxSamples)
			return err
		}},
		{"--sample", "DUR", "how long a sample takes; at least one run (default 100ms)", func(c *cli, v string) (err error) {
			c.benches.sample, err = parseDuration(v)
			return err
		}},
		{"--save", "FILE", "save the results to FILE, in the format of --json", func(c *cli, v string) error {
			c.benches.save = v
			return nil
		}},
		{"--compare", "FILE", "compare with the results in FILE and report significant changes", func(c *cli, v string) error {
			c.benches.compare = v
			return nil
		}},
		{"--json", "", "write JSON to stdout, one line per benchmark", func(c *cli, _ string) error {
			c.json = true
			return nil
		}},
	}
}

const maxSamples = 10_000

// bench measures the bench blocks of scripts, each on an instance of its own,
// after the script's top-level statements. What they print is dropped.
func (c *cli) bench(args []string) int {
	if c.race {
		return c.usage("bench cannot be combined with --race, whose slower interpreter loop would be measured")
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	report, err := c.newBenchReport()
	if err != nil {
		return c.problem(err)
	}
	files, err := findScripts(args, func(tree *syntax.File, _ string) bool {
		return slices.ContainsFunc(tree.Items, func(item syntax.Stmt) bool {
			t, ok := item.(*syntax.TestDecl)
			return ok && t.Bench
		})
	})
	if err != nil {
		return c.problem(err)
	}
	defer c.heedInterrupts()()
	exit := exitOK
	for _, path := range files {
		f, problem := c.loadTests(path)
		if problem != nil {
			exit = exitUsage
			c.testProblem(problem)
			continue
		}
		exit = max(exit, f.bench(report))
	}
	if err := report.end(); err != nil {
		exit = c.problem(err)
	}
	if c.interrupted() {
		return c.signals.stopped()
	}
	return exit
}

// bench measures the benchmarks of a file and gives the exit code.
func (f *testFile) bench(report *benchReport) int {
	exit := exitOK
	for i, b := range f.prog.Code.Benches {
		if !strings.Contains(b.Name, f.c.tests.only) || f.c.interrupted() {
			continue
		}
		m := &measurement{File: f.path, Name: b.Name}
		report.begin(m)
		errs := f.measure(i, m)
		report.done()
		if len(errs) > 0 {
			exit = exitScript
			report.failed(f, m, errs)
			continue
		}
		report.result(m)
	}
	return exit
}

// measurement of a benchmark.
type measurement struct {
	File   string    `json:"file"`
	Name   string    `json:"name"`
	Runs   int       `json:"runs"`   // in each sample
	Ns     []float64 `json:"ns"`     // of a run, for each sample
	Allocs float64   `json:"allocs"` // of a run
	Bytes  float64   `json:"bytes"`
}

// measure takes the samples of a benchmark, and tells of its errors and of the
// tasks that it leaves behind.
func (f *testFile) measure(i int, m *measurement) (errs []error) {
	in := f.instance(io.Discard, f.c.seed)
	var err error
	defer func() { closeAfter(in, err) }()
	err = f.c.limited(in, func(ctx context.Context) error {
		if err := in.Run(ctx); err != nil {
			return err
		}
		return f.samples(ctx, in, i, m)
	})
	if err != nil {
		errs = append(errs, err)
	} else {
		errs = leaks(in.Leaked())
	}
	for _, e := range in.Unhandled() {
		errs = append(errs, e)
	}
	return errs
}

// samples runs a benchmark more and more often, until it takes as long as a sample
// is to take, and then for each sample.
func (f *testFile) samples(ctx context.Context, in *runnel.Instance, i int, m *measurement) error {
	o := &f.c.benches
	for m.Runs = 1; ; {
		start := time.Now()
		if err := in.RunBench(ctx, i, m.Runs); err != nil {
			return err
		}
		took := time.Since(start)
		if took >= o.sample*9/10 || m.Runs == maxRuns {
			break
		}
		m.Runs = moreRuns(m.Runs, took, o.sample)
	}
	var allocs, bytes []float64
	runs := float64(m.Runs)
	for range o.count {
		s, err := takeSample(func(times int) error { return in.RunBench(ctx, i, times) }, m.Runs)
		if err != nil {
			return err
		}
		m.Ns = append(m.Ns, float64(s.took.Nanoseconds())/runs)
		allocs, bytes = append(allocs, s.allocs/runs), append(bytes, s.bytes/runs)
	}
	m.Allocs, m.Bytes = hundredths(allocs), math.Round(hundredths(bytes))
	return nil
}

// sample is what a number of runs took.
type sample struct {
	took          time.Duration
	allocs, bytes float64
}

// takeSample measures runs. What the call of the instance allocates, even without
// a run, is left out.
func takeSample(run func(times int) error, times int) (s sample, err error) {
	var start, empty, end goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&start)
	if err = run(0); err != nil {
		return s, err
	}
	goruntime.ReadMemStats(&empty)
	began := time.Now()
	if err = run(times); err != nil {
		return s, err
	}
	s.took = time.Since(began)
	goruntime.ReadMemStats(&end)
	growth := func(from, over, to uint64) float64 { return max(0, float64(to-over)-float64(over-from)) }
	s.allocs = growth(start.Mallocs, empty.Mallocs, end.Mallocs)
	s.bytes = growth(start.TotalAlloc, empty.TotalAlloc, end.TotalAlloc)
	return s, nil
}

// hundredths returns the median, without what other parts of the process allocate
// now and then.
func hundredths(values []float64) float64 {
	median, _ := middle(values)
	return math.Round(median*100) / 100
}

// maxRuns is more than there is time for.
const maxRuns = 1_000_000_000

// moreRuns guesses how many runs take as long as a sample is to take, carefully:
// the first are slower.
func moreRuns(runs int, took, sample time.Duration) int {
	guess := float64(runs) * float64(sample) / float64(max(took, 1))
	return int(min(max(guess, float64(runs+1)), float64(runs)*100, maxRuns))
}
