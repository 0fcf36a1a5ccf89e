//go:build linux

package docs_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

var (
	faultsFor = flag.Duration("faults", 4*time.Second, "how long examples run under faults")
	faultSeed = flag.Uint64("faultseed", 0, "of the choice of faults; 0: another one each time")
)

// campaign runs examples of the library, which use all of it, under faults: the world
// fails, or a limit is reached, at any point.
//
//	go test ./internal/docs -run TestFaults -faults 1h -v -timeout 70m
type campaign struct {
	*rand.Rand
	*stage
	t       *testing.T
	small   string // the directory of a small file system, "" without
	results map[string]*result
}

// result is what came of the runs under a fault.
type result struct {
	runs  int
	ends  map[string]int
	worst time.Duration
}

// fault is one kind of them. Its inject changes what an example gets, and gives what
// ends it.
type fault struct {
	name   string
	inject func(c *campaign, set *setting) (undo func())
	waits  bool           // for the end of the time is no failure
	of     *regexp.Regexp // the examples that it is for; nil: all
}

func TestFaults(t *testing.T) {
	if *faultSeed == 0 {
		*faultSeed = rand.Uint64()
	}
	if os.Getenv("FAULTS_ALONE") == "" {
		faultsElsewhere(t)
		return
	}
	t.Logf("-faultseed %d", *faultSeed)
	c := &campaign{Rand: rand.New(rand.NewPCG(*faultSeed, 1)), t: t, results: map[string]*result{}}
	list := libraryExamples(t)
	c.stage = newStage(t)
	c.small = smallDisk(t)
	here := t.TempDir()
	require.NoError(t, os.CopyFS(here, os.DirFS(c.dir)))
	t.Chdir(here)
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for end := time.Now().Add(*faultsFor); time.Now().Before(end) && !t.Failed(); {
		f := faults[c.IntN(len(faults))]
		e := list[c.IntN(len(list))]
		for f.of != nil && !f.of.MatchString(e.src) {
			e = list[c.IntN(len(list))]
		}
		c.try(e, f, here)
	}
	t.Log(c)
	settles(t, "goroutines", goroutines+4, runtime.NumGoroutine) // a server's of the stage
	settles(t, "open files", files+4, func() int { return openFiles(t) })
}

// faultsElsewhere has the faults in a process of their own: limits of a process would
// also be those of the log that `go test` has it write.
func faultsElsewhere(t *testing.T) {
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]), func(arg string) bool {
		return strings.HasPrefix(arg, "-test.testlogfile") || strings.HasPrefix(arg, "-test.run") || strings.HasPrefix(arg, "-test.coverprofile")
	})
	args = append(args, "-test.run=^TestFaults$", "-test.v", "-faultseed", strconv.FormatUint(*faultSeed, 10))
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "FAULTS_ALONE=1")
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err)
}

// try runs an example under a fault.
func (c *campaign) try(e example, f fault, here string) {
	dir, err := os.MkdirTemp(here, "run-*")
	require.NoError(c.t, err)
	undo := func() {}
	limit := 10 * time.Second
	if e.waits {
		limit = 200 * time.Millisecond
	}
	begun := time.Now()
	_, err = c.playWith(c.t, e.src, limit, dir, func(set *setting) {
		undo = f.inject(c, set)
		begun = time.Now()
	})
	undo()
	took := time.Since(begun)
	require.NoError(c.t, os.RemoveAll(dir))
	end := outcome(err)
	c.note(f.name, end, took)
	waits := e.waits || f.waits
	switch {
	case strings.HasPrefix(end, "InternalError"), strings.HasPrefix(end, "RaceError"), strings.HasPrefix(end, "?"),
		end == stillRuns && !waits, took > limit+8*time.Second:
		c.t.Errorf("%s, under %s, ends after %v with %s: %v\n%s", e.name, f.name, took, end, err, e.src)
	}
}

const stillRuns = "still runs"

// outcome is the kind of an error.
func outcome(err error) string {
	var e *runnel.Error
	switch {
	case err == nil:
		return "ends well"
	case errors.Is(err, errWaits):
		return stillRuns
	case errors.As(err, &e) && e.Limit != 0:
		return "limit"
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, runnel.ErrClosed):
		return "closed"
	}
	return "? " + err.Error()
}

func (c *campaign) note(fault, end string, took time.Duration) {
	r := c.results[fault]
	if r == nil {
		r = &result{ends: map[string]int{}}
		c.results[fault] = r
	}
	r.runs++
	r.ends[end]++
	r.worst = max(r.worst, took)
}

// String is a table of the faults and what came of them.
func (c *campaign) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfault\truns\tlongest\tends")
	for _, name := range slices.Sorted(maps.Keys(c.results)) {
		r := c.results[name]
		var ends []string
		for _, end := range slices.SortedFunc(maps.Keys(r.ends), func(a, b string) int { return r.ends[b] - r.ends[a] }) {
			ends = append(ends, fmt.Sprintf("%s %d", end, r.ends[end]))
		}
		fmt.Fprintf(w, "%s\t%d\t%v\t%s\n", name, r.runs, r.worst.Round(time.Millisecond), strings.Join(ends, ", "))
	}
	w.Flush()
	return text.String()
}

// some returns a number up to 2^bits, small ones as often as large ones.
func (c *campaign) some(bits float64) int64 { return int64(math.Exp2(c.Float64() * bits)) }

// settles waits until a number is small enough.
func settles(t *testing.T, what string, most int, count func() int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); count() > most; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d %s, at most %d before\n%s", count(), what, most, buf[:runtime.Stack(buf, true)])
		}
		runtime.GC()
	}
}

func openFiles(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}
