package sync_test

import (
	"context"
	"embed"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
)

//go:embed testdata/*.rnl
var programs embed.FS

// Each primitive is run under this many schedules that differ from each other,
// which takes some more seeds.
const schedules, maxSeeds = 1000, 2000

// TestSchedules runs a program for each primitive under many schedules: it
// throws when a promise is broken, and ends with a report when tasks hang.
//
// An atomic operation is one step in such a run whatever its code does; what
// parallel workers do to it is for TestInParallel.
func TestSchedules(t *testing.T) {
	eachProgram(t, func(t *testing.T, name, src string) {
		var c *schedule
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithChooser(func() reactor.Chooser { return c }))
		prog, err := rt.Compile(name, src)
		require.NoError(t, err)
		seen, wanted := map[uint64]bool{}, schedules
		if testing.Short() {
			wanted /= 20
		}
		for seed := uint64(0); len(seen) < wanted; seed++ {
			require.Less(t, seed, uint64(maxSeeds), "only %d schedules differ", len(seen))
			c = newSchedule(reactor.Seeded(seed))
			require.NoError(t, run(prog), "random choices, seed %d", seed)
			seen[c.sum.Sum64()] = true
			c = newSchedule(reactor.PCT(seed, 4, 40))
			require.NoError(t, run(prog), "random priorities, seed %d", seed)
			seen[c.sum.Sum64()] = true
		}
	})
}

// TestNoRaces looks for data races in the same programs: what a primitive
// orders is in order for the detector too.
func TestNoRaces(t *testing.T) {
	eachProgram(t, func(t *testing.T, name, src string) {
		seed := uint64(0)
		prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithRace(), runnel.WithChooser(func() reactor.Chooser { return reactor.Seeded(seed) })).Compile(name, src)
		require.NoError(t, err)
		for ; seed < 50; seed++ {
			in := prog.NewInstance()
			require.NoError(t, in.Run(context.Background()))
			require.Empty(t, in.Races(), "seed %d", seed)
			in.Close()
		}
	})
}

// TestInParallel runs the same programs on several workers.
func TestInParallel(t *testing.T) {
	eachProgram(t, func(t *testing.T, name, src string) {
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(4), runnel.WithHost(all.Host(nil)))
		prog, err := rt.Compile(name, src)
		require.NoError(t, err)
		for range 200 {
			require.NoError(t, run(prog))
		}
	})
}

// TestAtomicsInParallel has workers change the same numbers all the time: what
// is not one step gets lost between them.
func TestAtomicsInParallel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector")
	}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(4)).Compile("atomics.rnl", `
import sync

const tasks = 4
const turns = 300_000

/// Runs work in all tasks, and gives the sum of their results.
fn at_once(work: fn() -> int) -> int {
  await_all((0..tasks).map(|_| spawn work())).sum()
}

let sum = sync.atomic(0)
at_once(|| { for _ in 0..turns { sum.add(1) }; 0 })
assert(sum.load() == tasks * turns)

let raised = sync.atomic(0)
at_once(|| { for _ in 0..turns { raised.update(|n| n + 1) }; 0 })
assert(raised.load() == tasks * turns)

// What is swapped out, and what is left, is what was put in.
let number = sync.atomic(0)
let out = at_once(|| {
  var out = 0
  for i in 0..turns { out += number.swap(i) }
  out
})
assert(out + number.load() == tasks * (turns * (turns - 1) / 2))

let truth = sync.atomic_bool(false)
let trues = at_once(|| {
  var trues = 0
  for i in 0..turns { if truth.swap(i % 2 == 0) { trues += 1 } }
  trues
})
assert(trues + (if truth.load() { 1 } else { 0 }) == tasks * turns / 2)

// The flag changes sides only: on as often as off, or once more.
let flag = sync.atomic_bool(false)
let more = at_once(|| {
  var more = 0
  for _ in 0..turns {
    if flag.compare_and_swap(false, true) { more += 1 }
    if flag.compare_and_swap(true, false) { more -= 1 }
  }
  more
})
assert(more == (if flag.load() { 1 } else { 0 }))
`)
	require.NoError(t, err)
	require.NoError(t, run(prog))
}

func eachProgram(t *testing.T, f func(t *testing.T, name, src string)) {
	files, err := programs.ReadDir("testdata")
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, file := range files {
		t.Run(strings.TrimSuffix(file.Name(), ".rnl"), func(t *testing.T) {
			src, err := programs.ReadFile("testdata/" + file.Name())
			require.NoError(t, err)
			f(t, file.Name(), string(src))
		})
	}
}

// run returns the error of a program, or of a task of it that nobody awaited.
func run(prog *runnel.Program) error {
	in := prog.NewInstance()
	defer in.Close()
	if err := in.Run(context.Background()); err != nil {
		return err
	}
	for _, err := range in.Unhandled() {
		return err
	}
	return nil
}

// schedule makes another's choices and sums them up: runs of one program whose
// sums differ went another way.
type schedule struct {
	reactor.Chooser
	sum maphash.Hash
}

var sumSeed = maphash.MakeSeed()

func newSchedule(c reactor.Chooser) *schedule {
	s := &schedule{Chooser: c}
	s.sum.SetSeed(sumSeed)
	return s
}

func (s *schedule) Choose(n int) int { return s.note(s.Chooser.Choose(n), n) }

func (s *schedule) ChooseProc(ready []*reactor.Proc) int {
	if c, ok := s.Chooser.(reactor.ProcChooser); ok {
		return s.note(c.ChooseProc(ready), len(ready))
	}
	return s.Choose(len(ready))
}

func (s *schedule) note(choice, of int) int {
	maphash.WriteComparable(&s.sum, [2]int{choice, of})
	return choice
}
