package spec_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// channelOp is an operation on a channel as its task saw it: when it began and
// ended by a counter that all tasks share, and what came of it.
type channelOp struct {
	kind       string
	value      int // sent or received; -1: nothing
	begun, end int
}

// channelRoom is the room of the channel in the histories.
const channelRoom = 2

// history is a program whose tasks record what they do. BODY stands for what each
// task does with the channel.
const history = `
import sync
let clock = sync.atomic(0)
let ch = chan<int>(2)
let log = mutex([""])
fn record(kind: str, value: int, begun: int) {
  let end = clock.add(1)
  lock log as lines { lines.push("${kind} ${value} ${begun} ${end}") }
}
fn send(v: int) { let t = clock.add(1)
  ch.send(v)
  record("send", v, t) }
fn recv() { let t = clock.add(1)
  let v = ch.recv()!
  record("recv", v, t) }
fn try_send(v: int) { let t = clock.add(1)
  record(if ch.try_send(v) { "send" } else { "full" }, v, t) }
fn try_recv() { let t = clock.add(1)
  if let v = ch.try_recv() { record("recv", v, t) } else { record("empty", -1, t) } }
BODY
lock log as lines { for l in lines { if l != "" { print(l) } } }
`

// histories of tasks that wait, where as much is sent as received, and of
// tasks that only try.
var histories = map[string]string{
	"waiting": `let ts = [spawn { for i in 0..3 { send(10 + i) } }, spawn { for i in 0..3 { send(20 + i) } },
  spawn { for _ in 0..3 { recv() } }, spawn { for _ in 0..3 { recv() } }]
await_all(ts)`,
	"trying": `let ts = [spawn { for i in 0..3 { try_send(10 + i) } }, spawn { for i in 0..3 { try_send(20 + i) } },
  spawn { for _ in 0..4 { try_recv() } }, spawn { for i in 0..3 { try_recv(); try_send(30 + i) } }]
await_all(ts)`,
	"handing on": `let ts = [spawn { for i in 0..4 { send(10 + i) } }, spawn { for _ in 0..2 { recv(); send(50) } },
  spawn { for _ in 0..2 { recv() } }]
await_all(ts)`,
}

// TestChannelsAreLinearizable: each history is that of a bounded queue on which
// every operation happens at one moment between its beginning and its end.
func TestChannelsAreLinearizable(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for name, body := range histories {
		src := strings.Replace(history, "BODY", body, 1)
		t.Run(name, func(t *testing.T) {
			for i := range rounds {
				how := runnel.WithWorkers(2)
				if i%2 == 0 {
					how = runnel.WithSeed(uint64(i))
				}
				var out bytes.Buffer
				prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host.Host{Stdout: host.NewUnbufferedOutput(&out)}), how).Compile("history.rnl", src)
				require.NoError(t, err)
				in := prog.NewInstance()
				require.NoError(t, in.Run(t.Context()), "round %d", i)
				in.Close()
				ops := readHistory(t, out.String())
				require.NotEmpty(t, ops)
				require.True(t, linearizable(ops), "round %d:\n%s", i, out.String())
			}
		})
	}
}

// The checker itself: a value that comes out before one that was in before.
func TestALostOrderIsNoticed(t *testing.T) {
	require.True(t, linearizable([]channelOp{{"send", 1, 0, 1}, {"send", 2, 2, 3}, {"recv", 1, 4, 5}}))
	require.False(t, linearizable([]channelOp{{"send", 1, 0, 1}, {"send", 2, 2, 3}, {"recv", 2, 4, 5}}))
	require.False(t, linearizable([]channelOp{{"send", 1, 0, 1}, {"empty", -1, 2, 3}}))
	require.False(t, linearizable([]channelOp{{"recv", 1, 0, 1}, {"send", 1, 2, 3}}))
	require.False(t, linearizable([]channelOp{{"send", 1, 0, 1}, {"full", 2, 2, 3}}))
}

func readHistory(t *testing.T, text string) (ops []channelOp) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		require.Len(t, f, 4)
		n := make([]int, 3)
		for i := range n {
			var err error
			n[i], err = strconv.Atoi(f[i+1])
			require.NoError(t, err)
		}
		ops = append(ops, channelOp{f[0], n[0], n[1], n[2]})
	}
	return ops
}

// linearizable looks for an order of the operations that the queue allows and
// in which none comes before one that had ended when it began (Wing and Gong).
func linearizable(ops []channelOp) bool {
	tried := map[string]bool{}
	var search func(done uint64, queue []int) bool
	search = func(done uint64, queue []int) bool {
		if done == 1<<len(ops)-1 {
			return true
		}
		key := fmt.Sprint(done, queue)
		if tried[key] {
			return false
		}
		tried[key] = true
		first := earliestEnd(ops, done)
		for i, op := range ops {
			if done>>i&1 != 0 || op.begun > first {
				continue
			}
			if next, ok := op.happens(queue); ok && search(done|1<<i, next) {
				return true
			}
		}
		return false
	}
	return search(0, nil)
}

// earliestEnd is when the first of the operations not yet done has ended.
func earliestEnd(ops []channelOp, done uint64) int {
	first := -1
	for i, op := range ops {
		if done>>i&1 == 0 && (first < 0 || op.end < first) {
			first = op.end
		}
	}
	return first
}

// happens performs an operation on the model.
func (op channelOp) happens(queue []int) ([]int, bool) {
	switch op.kind {
	case "send":
		return append(slices.Clip(queue), op.value), len(queue) < channelRoom
	case "recv":
		if len(queue) > 0 && queue[0] == op.value {
			return queue[1:], true
		}
		return nil, false
	case "empty":
		return queue, len(queue) == 0
	}
	return queue, len(queue) == channelRoom // full
}
