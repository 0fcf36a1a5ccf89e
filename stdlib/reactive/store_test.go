package reactive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The cases of the store and the scheduler of module reactive are run with several
// workers, under many schedules, and where races are looked for.

func TestReactiveStoresUnderManySchedules(t *testing.T) {
	cases.Each(t, "../../spec/tests/reactive_store")
}

// TestDelayedActionsWithoutAClock has a host that grants nothing: what waits still ends.
func TestDelayedActionsWithoutAClock(t *testing.T) {
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

// TestAnIdleSchedulerHasNoTask looks for tasks and memory that a store and its
// scheduler leave behind.
func TestAnIdleSchedulerHasNoTask(t *testing.T) {
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

// origin: CT flaw 2
func TestAWriteRunsItsReadersAndCostsNothingForTheOthers(t *testing.T) {
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
