package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/matrix"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// runRaces runs a program in the loop that looks for races.
func runRaces(t *testing.T, name, src string, e expectation, seed uint64) (result, []runnel.Race) {
	t.Helper()
	prog, err := compiled(name, src)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(e)
	in := s.instance(prog, runnel.WithRace(), runnel.WithSeed(seed))
	r := s.run(t, in)
	races := in.Races()
	in.Close()
	s.out.Flush()
	r.stdout = s.stdout.String()
	return r, races
}

// unseeded are programs that no seeded run does justice: some need the clock of the
// world, as a virtual one stands still while tasks compute, and a server never ends.
var unseeded = map[string]bool{
	"tests/time/the_clocks_run.rnl":           true,
	"tests/re/a_long_search_is_cancelled.rnl": true,
	"../examples/queue_server/server.rnl":     true,
}

// TestCasesHaveNoRaces runs the cases in the loop that looks for races: it must
// find none, and do what the fast loop does where there is one task.
func TestCasesHaveNoRaces(t *testing.T) {
	for _, path := range longtest.Sample(caseFiles(t, "tests"), 16) {
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			t.Parallel()
			e, src := raceCase(t, path)
			if !e.checkOnly && !e.fails() && !unseeded[filepath.ToSlash(path)] {
				noRaces(t, path, src, e, 1)
			}
		})
	}
}

// TestConcurrentCasesHaveNoRaces does so under some schedules, with -schedules many,
// with all programs that have tasks.
func TestConcurrentCasesHaveNoRaces(t *testing.T) {
	seeds := []uint64{0, 1, 2}
	for *schedulesFull && len(seeds) < 20 {
		seeds = append(seeds, uint64(len(seeds)))
	}
	fixed, err := filepath.Glob("bugs/*_fixed.rnl")
	if err != nil {
		t.Fatal(err)
	}
	paths := append(caseFiles(t, "tests"), fixed...)
	for _, path := range longtest.Sample(append(paths, caseFiles(t, "../examples")...), 12) {
		if strings.Contains(filepath.ToSlash(path), "examples/e") {
			continue // of embed and extension: their hosts run them
		}
		e, src := raceCase(t, path)
		if e.checkOnly || e.fails() || unseeded[filepath.ToSlash(path)] || !strings.Contains(src, "spawn") {
			continue
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			t.Parallel()
			for _, seed := range longtest.Sample(seeds, 3) {
				noRaces(t, path, src, e, seed)
			}
		})
	}
}

func TestLanguageTextHasNoRaces(t *testing.T) {
	for _, b := range languageBlocks(t) {
		e, err := expectations(b.src)
		if err != nil {
			t.Fatal(err)
		}
		if e.checkOnly || b.check || e.fails() {
			continue
		}
		t.Run(b.section, func(t *testing.T) {
			for seed := range uint64(5) {
				noRaces(t, "language.rnl", b.src, e, seed)
			}
		})
	}
}

func raceCase(t *testing.T, path string) (expectation, string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := expectations(string(src))
	if err != nil {
		t.Fatal(err)
	}
	return e, string(src)
}

func noRaces(t *testing.T, path, src string, e expectation, seed uint64) {
	t.Helper()
	r, races := runRaces(t, path, src, e, seed)
	for _, race := range races {
		t.Errorf("seed %d: %v", seed, race)
	}
	// What tasks print may depend on the schedule.
	if wrong := e.compareRun(r); wrong != "" && !strings.Contains(src, "spawn") {
		t.Errorf("seed %d: %s", seed, wrong)
	}
}

// TestMatrixHasNoRaces runs each operation of concurrency with each kind of
// value in each position; without -matrix a third of them.
func TestMatrixHasNoRaces(t *testing.T) {
	programs := matrix.Programs()
	if !*matrixFull {
		programs = longtest.Sample(longtest.Some(programs, 3), 4)
	}
	for i, p := range programs {
		if p.Clock == matrix.WallClock {
			continue
		}
		t.Run(p.Op+"/"+p.Kind, func(t *testing.T) {
			t.Parallel()
			prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithRace(), runnel.WithSeed(uint64(i))).Compile("matrix.rnl", p.Source)
			if err != nil {
				t.Fatal(err)
			}
			in := prog.NewInstance()
			defer in.Close()
			if err := in.Run(t.Context()); err != nil {
				t.Error(err)
			}
			for _, race := range in.Races() {
				t.Error(race)
			}
		})
	}
}
