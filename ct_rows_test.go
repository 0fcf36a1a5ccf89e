package runnel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The rows of the reactive scheduler of commontools, as the store and the scheduler
// of module reactive have them: each is a case, or several, of
// spec/tests/reactive_store, run with several workers, under many schedules, and
// where races are looked for.

func TestCT01_AnActionHasATransactionWhoseJournalIsItsLog(t *testing.T) { ctCases(t, "CT01_") }
func TestCT02_ScheduleDoesNotRunAtOnce(t *testing.T)                    { ctCases(t, "CT02_") }
func TestCT03_ARunIsSubscribedToWhatItHasRead(t *testing.T)             { ctCases(t, "CT03_") }
func TestCT04_ReadsAreCompacted(t *testing.T)                           { ctCases(t, "CT04_") }
func TestCT05_OnlyWhatOverlapsAndDiffersIsAChange(t *testing.T)         { ctCases(t, "CT05_") }
func TestCT06_AnIgnoredReadIsNoDependency(t *testing.T)                 { ctCases(t, "CT06_") }
func TestCT07_EventsComeFirst(t *testing.T)                             { ctCases(t, "CT07_") }
func TestCT08_WhatLiesDownstreamRunsOnce(t *testing.T)                  { ctCases(t, "CT08_") }
func TestCT09_WritersRunBeforeReaders(t *testing.T)                     { ctCases(t, "CT09_") }
func TestCT10_ACycleIsEnteredWhereTheLeastLeadsIntoIt(t *testing.T)     { ctCases(t, "CT10_") }
func TestCT11_OwnOutputDoesNotRunAnActionAgain(t *testing.T)            { ctCases(t, "CT11_") }
func TestCT12_ALoopThatDoesNotSettleIsAnError(t *testing.T)             { ctCases(t, "CT12_") }
func TestCT13_AnActionThatRunsIsSubscribedToNothing(t *testing.T)       { ctCases(t, "CT13_") }
func TestCT14_IdleWaitsUntilNothingIsLeft(t *testing.T)                 { ctCases(t, "CT14_") }
func TestCT15_TwoRunsNeverOverlap(t *testing.T)                         { ctCases(t, "CT15_") }
func TestCT16_ErrorsAreToldWithWhatIsKnown(t *testing.T)                { ctCases(t, "CT16_") }
func TestCT17_WhatIsPrintedGoesThroughTheConsole(t *testing.T)          { ctCases(t, "CT17_") }
func TestCT18_AnUnsubscribedActionDoesNotRun(t *testing.T)              { ctCases(t, "CT18_") }
func TestCT19_EventsGoToTheHandlersOfTheirPath(t *testing.T)            { ctCases(t, "CT19_") }
func TestCT20_ConflictsAreTriedAnew(t *testing.T)                       { ctCases(t, "CT20_") }
func TestCT21_ComputationsRunWhereSomebodyWantsThem(t *testing.T)       { ctCases(t, "CT21_") }
func TestCT22_AnOutputThatIsTheSameWakesNobody(t *testing.T)            { ctCases(t, "CT22_") }
func TestCT23_EffectsMayBeDelayed(t *testing.T)                         { ctCases(t, "CT23_") }
func TestCT24_AHandlerSeesWhatDependsOnTheEventBefore(t *testing.T)     { ctCases(t, "CT24_") }
func TestCT25_AnEventIsHandledAtMostOnce(t *testing.T)                  { ctCases(t, "CT25_") }
func TestCT26_ASchedulerTellsWhatItDoes(t *testing.T)                   { ctCases(t, "CT26_") }
func TestCT27_ParentsRunBeforeTheirChildren(t *testing.T)               { ctCases(t, "CT27_") }
func TestCT28_DisposeReleasesThoseWhoWait(t *testing.T)                 { ctCases(t, "CT28_") }

// TestCTStoreUnderEverySchedule has the cases of transactions by themselves, and of many writers.
func TestCTStoreUnderEverySchedule(t *testing.T) { ctCases(t, "store_", "scheduler_") }

// TestCT12_23_WithoutAClock has a host that grants nothing: what waits still ends.
func TestCT12_23_WithoutAClock(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("unclocked.rnl", `
import reactive
let st = reactive.store()
let s = reactive.scheduler(st)
let x = reactive.address("home", "of:1").at("x")
s.on_error(|_| {})
pub fn settle() -> int {
  s.schedule(reactive.action("late", |tx| { tx.read(x) }, debounce: 5ms, throttle: 5ms))
  s.schedule(reactive.action("restless", |tx| st.set(x, min(150, tx.get(x, 0) + 1))))
  while st.get(x) != 150 { sleep(1ms) }
  s.idle()
  s.stats()[1].unsettled
}
`)
	require.NoError(t, err)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	settle, err := runnel.Bind0[int](inst, "settle")
	require.NoError(t, err)
	rests, err := settle(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, rests)
}

// TestCTAnIdleSchedulerHasNoTask looks for tasks and memory that a store and its
// scheduler leave behind.
func TestCTAnIdleSchedulerHasNoTask(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(all.Host(nil))).Compile("idle.rnl", `
import reactive
let st = reactive.store()
let s = reactive.scheduler(st)
pub fn settle(times: int) -> int {
  for n in 0..times {
    let doc = reactive.address("home", "of:${n}")
    let at = doc.at("x")
    let late = reactive.action("late", |tx| { tx.read(at) }, debounce: 1h)
    s.schedule(late)
    s.idle()
    st.set(at, n)                  // now it waits for its time
    let end = s.add_handler(at, |tx, e| tx.remove(doc))
    s.queue_event(at, none)
    s.unsubscribe(late)
    s.idle()
    end()
  }
  s.stats().len()
}
`)
	require.NoError(t, err)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	settle, err := runnel.Bind1[int, int](inst, "settle")
	require.NoError(t, err)
	after := func(times int) int64 {
		left, err := settle(t.Context(), times)
		require.NoError(t, err)
		require.Zero(t, left)
		require.Eventually(t, func() bool { return inst.Usage().Tasks == 0 }, time.Minute, time.Millisecond, "tasks are left")
		return inst.Usage().Memory
	}
	few, more := after(200), after(2_000)
	require.Less(t, more, 2*few, "%d bytes after 200 actions, %d after 2,000 more", few, more)
}

// subscribed makes actions that have each read a field of one of 1,000 entities; write
// changes a field so often and gives how often actions have run since they were made.
const subscribed = `
import reactive
import sync
let st = reactive.store()
let s = reactive.scheduler(st)
let runs = sync.atomic(0)
fn field(n: int) -> reactive.Address { reactive.address("many", "of:${n % 1000}").at("f${n}") }
pub fn make(actions: int) -> int {
  for n in 0..actions {
    let at = field(n)
    st.set(at, -1)
    s.subscribe(reactive.action("a${n}", |tx| { tx.read(at); runs.add(1) }), reactive.Log(reads: [at]))
  }
  0
}
pub fn write(times: int) -> int {
  for n in 0..times {
    st.set(field(42), n)
    s.idle()
  }
  runs.load()
}
`

func TestCTFlaw2_AWriteRunsItsReadersAndCostsNothingForTheOthers(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(1)).Compile("many.rnl", subscribed)
	require.NoError(t, err)
	steps := func(actions int) int64 {
		inst, err := prog.Start(t.Context())
		require.NoError(t, err)
		defer inst.Close()
		makeThem, err := runnel.Bind1[int, int](inst, "make")
		require.NoError(t, err)
		write, err := runnel.Bind1[int, int](inst, "write")
		require.NoError(t, err)
		_, err = makeThem(t.Context(), actions)
		require.NoError(t, err)
		before := inst.Usage().Steps
		runs, err := write(t.Context(), 100)
		require.NoError(t, err)
		require.Equal(t, 100, runs, "%d actions", actions)
		return inst.Usage().Steps - before
	}
	few, more := steps(1_000), steps(10_000)
	require.Less(t, more, few*5/4, "a hundred writes beside 10,000 actions took %d steps, beside 1,000 %d", more, few)
}

// ctCases runs the cases of the store whose names begin so.
func ctCases(t *testing.T, prefixes ...string) {
	eachCase(t, "reactive_store", prefixes, func(t *testing.T, c rkCase, src string) {
		c.explore(t, src)
		ctRaces(t, src)
	})
}

// ctRaces looks for races under some schedules.
func ctRaces(t *testing.T, src string) {
	t.Helper()
	var chooser reactor.Chooser
	explored := runnel.WithChooser(func() reactor.Chooser { return chooser })
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), explored, runnel.WithRace()).Compile("case.rnl", src)
	require.NoError(t, err)
	for seed := range uint64(5) {
		chooser = reactor.Seeded(seed)
		in := prog.NewInstance()
		_ = in.Run(t.Context()) // how it ends is looked at elsewhere
		require.Empty(t, in.Races(), "seed %d", seed)
		in.Close()
	}
}
