package spec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The programs of bugs/ have a mistake of concurrency each. Their first
// comments say which tool finds it and which lines it must name:
//
//	// found by: race | deadlock | explore
//	// report: 10 12
//
// For a race a line of report is one pair of accesses, of which there may be
// several; else it is what the report names among other lines. <name>_fixed.rnl
// is the same program without the mistake.

const (
	bugsFound   = 20
	findSeeds   = 200 // schedules within which a mistake must be found
	replays     = 20
	mendedSeeds = 50 // schedules under which a mended program does what it should
)

type bug struct {
	name, file string
	tool       string
	reports    [][]int
}

var (
	foundBy   = regexp.MustCompile(`(?m)^// found by: (race|deadlock|explore)$`)
	bugReport = regexp.MustCompile(`(?m)^// report: ([\d ]+)$`)
)

func bugs(t *testing.T) []bug {
	t.Helper()
	files, err := filepath.Glob("bugs/*.rnl")
	if err != nil {
		t.Fatal(err)
	}
	var found []bug
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".rnl")
		if strings.HasSuffix(name, "_fixed") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tool := foundBy.FindSubmatch(src)
		if tool == nil {
			t.Fatalf("%s does not say what finds it", path)
		}
		b := bug{name: name, file: name + ".rnl", tool: string(tool[1])}
		for _, m := range bugReport.FindAllSubmatch(src, -1) {
			var lines []int
			for _, field := range strings.Fields(string(m[1])) {
				n, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, n)
			}
			b.reports = append(b.reports, lines)
		}
		if len(b.reports) == 0 {
			t.Fatalf("%s does not say what is reported", path)
		}
		if _, err := os.Stat(filepath.Join("bugs", name+"_fixed.rnl")); err != nil {
			t.Fatal(err)
		}
		found = append(found, b)
	}
	if len(found) != bugsFound {
		t.Fatalf("%d programs found", len(found))
	}
	return found
}

// TestBugsAreFound has the command find each mistake, and show it again from
// the seed that it gives.
func TestBugsAreFound(t *testing.T) {
	all := bugs(t)
	command := filepath.Join(commandFolder(t), "runnel")
	for _, b := range longtest.Sample(all, 3) {
		t.Run(b.name, func(t *testing.T) {
			c := bugCommand{t, command}
			seed, out := c.find(b)
			b.compare(t, out)
			for range replays {
				if again := c.replay(b, seed); again != out {
					t.Fatalf("seed %d does not give the same again:\n%s\nfirst:\n%s", seed, again, out)
				}
			}
		})
	}
}

// bugCommand runs the command on programs of bugs/.
type bugCommand struct {
	t    *testing.T
	path string
}

// fails runs the command and reports whether it ends with a failure, with all
// that it shows. How long it took is left out.
func (c bugCommand) fails(args ...string) (bool, string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir = "bugs"
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		c.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return err != nil, tookTime.ReplaceAllString(string(out), "failed\n")
}

var (
	tookTime  = regexp.MustCompile(`failed \([^)]*\)\n`)
	againSeed = regexp.MustCompile(`--seed (\d+) `)
)

// find looks for a seed that shows the mistake.
func (c bugCommand) find(b bug) (seed int, out string) {
	c.t.Helper()
	if b.tool == "explore" {
		failed, out := c.fails("test", "--explore", strconv.Itoa(findSeeds), b.file)
		m := againSeed.FindStringSubmatch(out)
		if !failed || m == nil {
			c.t.Fatalf("not found:\n%s", out)
		}
		seed, err := strconv.Atoi(m[1])
		if err != nil {
			c.t.Fatal(err)
		}
		return seed, out
	}
	for seed := 1; seed <= findSeeds; seed++ {
		if out := c.replay(b, seed); b.found(out) {
			return seed, out
		}
	}
	c.t.Fatal("not found")
	return 0, ""
}

// replay returns what the tool shows under one schedule.
func (c bugCommand) replay(b bug, seed int) string {
	c.t.Helper()
	args := []string{"run", "--seed", strconv.Itoa(seed), b.file}
	switch b.tool {
	case "explore":
		args[0] = "test"
	case "race":
		args = slices.Insert(args, 1, "--race")
	}
	_, out := c.fails(args...)
	return out
}

func (b bug) found(out string) bool {
	return strings.Contains(out, map[string]string{"deadlock": "error: Deadlock:", "race": "error: data race on"}[b.tool])
}

// racePlaces are the two places of a race that the command reports.
var racePlaces = regexp.MustCompile(`(?s)error: data race on .*? --> (\S+?):(\d+):.*?= note: previous [^\n]* at (\S+?):(\d+):`)

// compare checks that the lines are named: those of a race as one of the pairs,
// others as the place of the error or of a wait.
func (b bug) compare(t *testing.T, out string) {
	t.Helper()
	if b.tool == "race" {
		reports := racePlaces.FindAllStringSubmatch(out, -1)
		if len(reports) == 0 || len(reports) != strings.Count(out, "error: data race on") {
			t.Fatalf("not understood:\n%s", out)
		}
		for _, m := range reports {
			if m[1] != b.file || m[3] != b.file || !b.pairs(m[2], m[4]) {
				t.Errorf("another race than those of %v:\n%s", b.reports, out)
			}
		}
		return
	}
	for _, n := range slices.Concat(b.reports...) {
		place := fmt.Sprintf("%s:%d:", b.file, n)
		if !strings.Contains(out, " --> "+place) && !strings.Contains(out, " at "+place) {
			t.Errorf("line %d is not named:\n%s", n, out)
		}
	}
}

// pairs reports whether two lines are a pair of accesses that race.
func (b bug) pairs(x, y string) bool {
	return slices.ContainsFunc(b.reports, func(lines []int) bool {
		first, second := strconv.Itoa(lines[0]), strconv.Itoa(lines[1])
		return x == first && y == second || x == second && y == first
	})
}

// TestRacesAreFoundUnderEverySchedule needs no luck: no lock and no channel
// orders the accesses, in whichever order they come.
func TestRacesAreFoundUnderEverySchedule(t *testing.T) {
	for _, b := range bugs(t) {
		if b.tool != "race" {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			eachSchedule(t, b.file, func(seed uint64, prog *runnel.Program) {
				in := prog.NewInstance()
				defer in.Close()
				if err := in.Run(t.Context()); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				found := in.Races()
				if len(found) == 0 {
					t.Fatalf("seed %d: not found", seed)
				}
				for _, r := range found {
					if !b.pairs(strconv.Itoa(r.Before.At.Line), strconv.Itoa(r.After.At.Line)) {
						t.Errorf("seed %d: another race than those of %v: %v", seed, b.reports, r)
					}
				}
			}, runnel.WithRace())
		})
	}
}

// TestMendedBugs runs the programs without the mistakes, and their tests, under
// many schedules: no tool has anything to say.
func TestMendedBugs(t *testing.T) {
	for _, b := range bugs(t) {
		t.Run(b.name, func(t *testing.T) {
			for _, opts := range [][]runnel.Option{nil, {runnel.WithRace()}} {
				eachSchedule(t, b.name+"_fixed.rnl", func(seed uint64, prog *runnel.Program) {
					for test := range len(prog.Code.Tests) + 1 {
						if err := runMended(t.Context(), prog, test-1); err != nil {
							t.Fatalf("seed %d: %v", seed, err)
						}
					}
				}, opts...)
			}
		})
	}
}

// eachSchedule calls f with a program of bugs/ for each of the seeds that
// mended programs are run with; what f starts makes its choices from that seed.
func eachSchedule(t *testing.T, file string, f func(seed uint64, prog *runnel.Program), opts ...runnel.Option) {
	t.Helper()
	name := filepath.Join("bugs", file)
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(0)
	host := all.Host(nil)
	host.Stdout = &capture{}
	opts = append(opts, runnel.WithTests(), runnel.WithHost(host), runnel.WithChooser(func() reactor.Chooser {
		if seed%2 == 0 {
			return reactor.Seeded(seed)
		}
		return reactor.PCT(seed, 3, 16<<(seed/2%6))
	}))
	prog, err := runnel.MustNew(append(opts, runnel.WithModules(all.Modules()...))...).Compile(name, string(src))
	if err != nil {
		t.Fatal(err)
	}
	for ; seed < mendedSeeds; seed++ {
		f(seed, prog)
	}
}

// runMended runs a program and one of its tests, none where test is -1.
func runMended(ctx context.Context, prog *runnel.Program, test int) error {
	in := prog.NewInstance()
	defer in.Close()
	err := in.Run(ctx)
	if err == nil && test >= 0 {
		err = in.RunTest(ctx, test)
	}
	for _, e := range in.Unhandled() {
		err = errors.Join(err, e)
	}
	for _, r := range in.Races() {
		err = errors.Join(err, errors.New(r.String()))
	}
	for _, task := range in.Leaked() {
		err = errors.Join(err, fmt.Errorf("%s:%d: the task is left behind", task.File, task.Line))
	}
	return err
}
