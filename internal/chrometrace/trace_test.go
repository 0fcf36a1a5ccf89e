package chrometrace

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm"
)

const ms = time.Millisecond

// A program that spawns a task, sends it a value, lets it read a file, and awaits it.
var story = []vm.Event{
	{Kind: vm.TaskSpawned, Task: 1, Name: "main"},
	{Kind: vm.TaskRuns, Task: 1},
	{Kind: vm.TaskSpawned, Task: 2, Other: 1, Name: "load", File: "a.rnl", Line: 3},
	{Kind: vm.TaskRuns, Task: 2, Worker: 1},
	{Kind: vm.TaskStops, At: 1 * ms, Task: 2, Worker: 1, Why: "receive", File: "a.rnl", Line: 9},
	{Kind: vm.ValueSent, At: 2 * ms, Task: 1, Other: 2},
	{Kind: vm.TaskWoken, At: 2 * ms, Task: 2, Other: 1},
	{Kind: vm.TaskStops, At: 3 * ms, Task: 1, Why: "await", File: "a.rnl", Line: 5},
	{Kind: vm.TaskRuns, At: 3 * ms, Task: 2},
	{Kind: vm.TaskStops, At: 4 * ms, Task: 2, Why: "io", File: "a.rnl", Line: 10},
	{Kind: vm.JobBegins, At: 5 * ms, Task: 2, Job: 7, Name: "fs.read \"b\""},
	{Kind: vm.JobEnds, At: 8 * ms, Task: 2, Job: 7},
	{Kind: vm.TaskWoken, At: 9 * ms, Task: 2},
	{Kind: vm.TaskRuns, At: 9 * ms, Task: 2, Worker: 1},
	{Kind: vm.TaskEnded, At: 10 * ms, Task: 2, Worker: 1, Why: "done"},
	{Kind: vm.TaskWoken, At: 10 * ms, Task: 1, Other: 2},
	{Kind: vm.TaskRuns, At: 11 * ms, Task: 1},
	{Kind: vm.TaskAwaited, At: 11 * ms, Task: 1, Other: 2},
	{Kind: vm.TaskEnded, At: 12 * ms, Task: 1, Why: "done"},
}

func write(t *testing.T, events []vm.Event) string {
	t.Helper()
	var b bytes.Buffer
	w := New(&b)
	for _, e := range events {
		w.Event(e)
	}
	require.NoError(t, w.Close())
	return b.String()
}

func TestAStory(t *testing.T) {
	expected, err := os.ReadFile("testdata/story.json")
	require.NoError(t, err)
	assert.Equal(t, string(expected), write(t, story))
	check(t, string(expected))
}

func TestArrows(t *testing.T) {
	var got []string
	for _, r := range check(t, write(t, story)) {
		if r.Cat == "arrow" {
			got = append(got, fmt.Sprintf("%s %s %d on %d/%d", r.Ph, r.Name, *r.ID/uint64(arrowKinds), r.Pid, r.Tid))
		}
	}
	assert.Equal(t, []string{
		"s spawn 2 on 1/1", "f spawn 2 on 1/2",
		"s send 1 on 1/1", "f send 1 on 1/1",
		"s io 7 on 3/1", "f io 7 on 1/2",
		"s await 1 on 1/2", "f await 1 on 1/1",
	}, got)
}

// Jobs that run at the same time have tracks of their own, and leave them to later ones.
func TestJobsAtTheSameTime(t *testing.T) {
	job := func(kind vm.EventKind, id uint64) vm.Event {
		return vm.Event{Kind: kind, Task: 1, Job: id, Name: "fs.read"}
	}
	var got []string
	for _, r := range check(t, write(t, []vm.Event{
		job(vm.JobBegins, 1), job(vm.JobBegins, 2), job(vm.JobEnds, 1), job(vm.JobBegins, 3), job(vm.JobEnds, 2), job(vm.JobEnds, 9),
	})) {
		if r.Ph == "B" || r.Ph == "E" {
			got = append(got, fmt.Sprint(r.Ph, r.Tid))
		}
	}
	assert.Equal(t, []string{"B1", "B2", "E1", "B1", "E2", "E1"}, got, "the last at the end of the trace")
}

// A worker that ends a task wakes the one that awaits it before it tells of the end.
func TestAwaitedBeforeTheEndIsHeard(t *testing.T) {
	var got []string
	for _, r := range check(t, write(t, []vm.Event{
		{Kind: vm.TaskRuns, Task: 1, Worker: 0}, {Kind: vm.TaskRuns, Task: 2, Worker: 1}, {Kind: vm.TaskStops, Task: 1, Why: "await"},
		{Kind: vm.TaskAwaited, Task: 1, Other: 2}, {Kind: vm.TaskRuns, Task: 1}, {Kind: vm.TaskEnded, Task: 2, Worker: 1},
		{Kind: vm.TaskAwaited, Task: 1, Other: 2},
	})) {
		if r.Cat == "arrow" {
			got = append(got, fmt.Sprintf("%s %s %d on %d/%d", r.Ph, r.Name, *r.ID/uint64(arrowKinds), r.Pid, r.Tid))
		}
	}
	assert.Equal(t, []string{"s await 1 on 1/2", "f await 1 on 1/1", "s await 2 on 1/2", "f await 2 on 1/1"}, got)
}

// An actor is idle, or has one message after the other in hand, whatever it waits for meanwhile.
func TestMessagesOfAnActor(t *testing.T) {
	const actor = 2
	text := write(t, []vm.Event{
		{Kind: vm.TaskRuns, Task: 1, Worker: 1},
		{Kind: vm.TaskSpawned, Task: actor, Other: 1, Name: "counter#1", File: "a.rnl", Line: 3}, {Kind: vm.TaskRuns, Task: actor},
		{Kind: vm.TaskStops, At: 1 * ms, Task: actor, Why: "idle"},
		{Kind: vm.ValueSent, At: 2 * ms, Task: 1, Other: actor, Worker: 1}, {Kind: vm.MessageTaken, At: 2 * ms, Task: actor, Name: "Add"},
		{Kind: vm.TaskWoken, At: 2 * ms, Task: actor}, {Kind: vm.TaskRuns, At: 3 * ms, Task: actor},
		{Kind: vm.TaskStops, At: 4 * ms, Task: actor, Why: "sleep"}, {Kind: vm.TaskRuns, At: 5 * ms, Task: actor},
		{Kind: vm.MessageTaken, At: 6 * ms, Task: actor, Name: "Get"}, {Kind: vm.TaskStops, At: 7 * ms, Task: actor, Why: "idle"},
		{Kind: vm.MessageTaken, At: 8 * ms, Task: actor, Name: "Quit"}, {Kind: vm.TaskRuns, At: 8 * ms, Task: actor},
		{Kind: vm.TaskEnded, At: 9 * ms, Task: actor, Why: "done"}, {Kind: vm.MessageTaken, Task: actor, Name: "late"},
	})
	var got []string
	for _, r := range check(t, text) {
		if r.ID2 != nil && r.ID2.Local == "0x2" {
			got = append(got, fmt.Sprintf("%s %s %.0f", r.Ph, r.Name, *r.Ts/1000))
		}
	}
	assert.Equal(t, []string{
		"b counter#1 0", "b ready 0", "e ready 0", "b running 0", "e running 1", "b idle 1",
		"e idle 2", "b Add 2", "b ready 2", "e ready 3", "b running 3", "e running 4", "b sleep 4", "e sleep 5", "b running 5",
		"e running 6", "e Add 6", "b Get 6", "b running 6", "e running 7", "e Get 7", "b idle 7",
		"e idle 8", "b Quit 8", "b ready 8", "e ready 8", "b running 8", "e running 9", "e Quit 9", "e counter#1 9",
	}, got)
}

// The answer of an actor is awaited too, but nothing has ended that an arrow could come from.
func TestAnAwaitOfNoTaskHasNoArrow(t *testing.T) {
	text := write(t, []vm.Event{{Kind: vm.TaskRuns, Task: 1}, {Kind: vm.TaskAwaited, Task: 1}})
	check(t, text)
	assert.NotContains(t, text, `"ph":"f"`)
}

// Blocks that are spawned have the name of the function around them: the line says which it is.
func TestBlocksAreNamedByTheirLine(t *testing.T) {
	text := write(t, []vm.Event{
		{Kind: vm.TaskSpawned, Task: 1, Name: "task in load", File: "a.rnl", Line: 3}, {Kind: vm.TaskRuns, Task: 1},
		{Kind: vm.TaskSpawned, Task: 2, Name: "read", File: "a.rnl", Line: 4},
	})
	check(t, text)
	assert.Contains(t, text, `{"ph":"b","name":"task in load:3",`)
	assert.Contains(t, text, `{"ph":"B","name":"task in load:3",`)
	assert.Contains(t, text, `{"ph":"b","name":"read",`)
}

// A receiver takes the value of a sender that waits.
func TestSendersThatWait(t *testing.T) {
	var got []string
	for _, r := range check(t, write(t, []vm.Event{
		{Kind: vm.TaskRuns, Task: 1, Worker: 1}, {Kind: vm.TaskStops, At: 5 * ms, Task: 1, Worker: 1, Why: "send"},
		{Kind: vm.TaskRuns, At: 6 * ms, Task: 2}, {Kind: vm.ValueSent, At: 7 * ms, Task: 1, Other: 2},
	})) {
		if r.Cat == "arrow" {
			got = append(got, fmt.Sprintf("%s on %d/%d at %.3f", r.Ph, r.Pid, r.Tid, *r.Ts))
		}
	}
	assert.Equal(t, []string{"s on 1/2 at 4999.999", "f on 1/1 at 7000.000"}, got)
}

// Wherever a program stops, what is open is closed, and the same events give
// the same file.
func TestRunsThatStopEarly(t *testing.T) {
	for n := range len(story) + 1 {
		text := write(t, story[:n])
		check(t, text)
		assert.Equal(t, text, write(t, story[:n]))
	}
}

// Workers tell of their tasks at the same time: a wake may be heard before the
// stop it ends, a stop after the task's next start, an await before its task
// runs. Whatever the order, slices are balanced.
func TestEventsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var some []vm.Event
		for range 40 {
			some = append(some, vm.Event{
				Kind: vm.EventKind(r.IntN(int(vm.JobEnds) + 1)), At: time.Duration(r.IntN(100)), Worker: r.IntN(3),
				Task: uint64(r.IntN(5)), Other: uint64(r.IntN(5)), Job: uint64(r.IntN(3)), Name: "f",
				Why: []string{"", "sleep", "yield", "io"}[r.IntN(4)],
			})
		}
		check(t, write(t, some))
	}
}

func TestNamesAreEscaped(t *testing.T) {
	text := write(t, []vm.Event{{Kind: vm.TaskSpawned, Task: 1, Name: "naïve \"x\"\n\\", File: "größe\x01.rnl", Line: 2}})
	records := check(t, text)
	for _, r := range records {
		if r.Ph == "b" && r.Name != "ready" {
			assert.Equal(t, "naïve \"x\"\n\\", r.Name)
			assert.Equal(t, "größe\x01.rnl:2", r.Args["at"])
			return
		}
	}
	t.Fatal("no task")
}

// A process that is killed leaves lines that can be read one by one.
func TestEveryLineIsARecord(t *testing.T) {
	lines := strings.Split(write(t, story), "\n")
	assert.Equal(t, "[", lines[0])
	for _, l := range lines[1 : len(lines)-1] {
		assert.True(t, strings.HasPrefix(l, `{"ph":"`) && strings.HasSuffix(strings.TrimSuffix(l, ","), "}"), l)
	}
	assert.Equal(t, "]", lines[len(lines)-1])
}

// A script may exit while other tasks still run.
func TestWhatComesAfterTheEndIsNotWritten(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.Event(story[0])
	require.NoError(t, w.Close())
	n := b.Len()
	for range 10_000 {
		w.Event(story[1])
	}
	require.NoError(t, w.Close())
	assert.Equal(t, n, b.Len())
}

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestAFullDisk(t *testing.T) {
	w := New(&full{1 << 20})
	lives(w, 10_000)
	assert.EqualError(t, w.Close(), "disk full")
}

// lives tells of n tasks, each of which is gone when the next one comes.
func lives(w *Writer, n int) {
	w.Event(vm.Event{Kind: vm.TaskRuns, Task: 1, Name: "main"})
	for i := range n {
		at, id := time.Duration(i)*time.Microsecond, uint64(i+2)
		w.Event(vm.Event{Kind: vm.TaskSpawned, At: at, Task: id, Other: 1, Name: "child", File: "a.rnl", Line: 3})
		w.Event(vm.Event{Kind: vm.TaskRuns, At: at, Worker: 1, Task: id})
		w.Event(vm.Event{Kind: vm.TaskEnded, At: at, Worker: 1, Task: id, Why: "done"})
		w.Event(vm.Event{Kind: vm.TaskAwaited, At: at, Task: 1, Other: id})
	}
}

func TestMemoryDoesNotGrowWithTheRun(t *testing.T) {
	w := New(&full{1 << 40})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	lives(w, 2*maxEnds)
	before := heap()
	lives(w, 100_000)
	assert.Less(t, int64(heap()-before), int64(64<<10))
	require.NoError(t, w.Close())
}

func BenchmarkTask(b *testing.B) {
	w := New(&full{1 << 60})
	lives(w, b.N)
}
