package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/stretchr/testify/require"
)

// endings collects what OnComplete hears.
type endings struct {
	mu   sync.Mutex
	errs map[ID][]error
}

func (e *endings) hook(pid ID, _ any, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.errs == nil {
		e.errs = map[ID][]error{}
	}
	e.errs[pid] = append(e.errs[pid], err)
}

func (e *endings) of(pid ID) []error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.errs[pid]
}

// A state machine, a bare process and an alarm on one scheduler, all of which
// wait for one another.
//
// origin: WP-01
func TestAllKindsOfProcessesShareAScheduler(t *testing.T) {
	for _, opts := range []reactor.Options{{Workers: 1}, {Workers: 2}, {Chooser: reactor.Seeded(3)}} {
		s := scheduler(t, opts)
		n := NewNode(s, NodeOptions{})
		got := 0
		machine, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
			if got += len(events); got == 2 {
				out.Done("both")
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		send := func(w *reactor.Worker, what string) { _ = n.deliver(w, machine, Event{Kind: Message, Data: what}) }
		s.Inject(&newFn(func(w *reactor.Worker, f *fn) {
			f.Complete()
			send(w, "bare")
		}).Proc)
		s.At(s.Now()+time.Millisecond, func(w *reactor.Worker) { send(w, "alarm") })
		_, err = n.Call(stepping(func(_ []Event, out *StepOutput) error {
			if n.Len() > 1 {
				out.Next = Yield
				out.Sleep(1, time.Millisecond)
				return nil
			}
			out.Next = Done
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
	}
}

// origin: WP-02
func TestUnknownMethodStartsNothing(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		m := &machine{init: func(_ context.Context, method string, _ any) error {
			if method != "serve" {
				return fmt.Errorf("no method %q", method)
			}
			return nil
		}}
		m.step = func([]Event, *StepOutput) error { return nil }
		pid, err := n.Spawn(m, SpawnOptions{Method: "nope"})
		require.ErrorContains(t, err, `no method "nope"`)
		require.Zero(t, pid)
		require.Zero(t, n.Len())
		require.EqualValues(t, 1, m.closed.Load())
	})
}

// held keeps the replies of commands until the test gives them.
type held struct {
	mu      sync.Mutex
	replies map[uint64]Reply
}

func hold(n *Node) *held {
	h := &held{replies: map[uint64]Reply{}}
	n.Handle("hold", func(_ context.Context, cmd Command, reply Reply) {
		h.mu.Lock()
		h.replies[cmd.Tag] = reply
		h.mu.Unlock()
	})
	return h
}

func (h *held) get(t *testing.T, tag uint64) (r Reply) {
	soon(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		r = h.replies[tag]
		return r != nil
	})
	return r
}

// origin: WP-03
func TestCompletionsComeInTheirOrderWithTheirTags(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	h := hold(n)
	events := make(chan Event, 3)
	begun := false
	_, err := n.Spawn(stepping(func(got []Event, out *StepOutput) error {
		if !begun {
			begun = true
			for _, tag := range []uint64{7, 8, 9} {
				out.Command(tag, "hold", nil)
			}
		}
		for _, e := range got {
			events <- e
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	for _, tag := range []uint64{9, 7, 8} {
		h.get(t, tag)(tag*100, nil)
		require.Equal(t, Event{Kind: Completion, Tag: tag, Data: tag * 100}, <-events)
	}
	n.Close(cancelled())
}

// origin: WP-04
func TestFailedCommandIsAnEvent(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		boom := errors.New("boom")
		n.Handle("fail", func(_ context.Context, _ Command, reply Reply) { reply(nil, boom) })
		result, err := n.Call(once("fail", nil), SpawnOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, result.(Event).Err, boom)
	})
}

// origin: WP-05
func TestEveryCommandOfAStepIsCarriedOutOnce(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		n.Handle("echo", func(_ context.Context, cmd Command, reply Reply) { reply(cmd.Arg, nil) })
		for _, count := range []int{1, 2, 3, 100} {
			seen := map[any]int{}
			begun := false
			_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
				if !begun {
					begun = true
					for i := range count {
						out.Command(uint64(i), "echo", i)
					}
				}
				for _, e := range events {
					seen[e.Data]++
				}
				if out.Next = Yield; len(seen) == count {
					out.Next = Done
				}
				return nil
			}), SpawnOptions{})
			require.NoError(t, err)
			for i := range count {
				require.Equal(t, 1, seen[i])
			}
		}
	})
}

// The handler replies within the dispatch, from there or from a goroutine that
// races with it.
//
// origin: WP-13
func TestWakeDuringDispatch(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		n.Handle("now", func(_ context.Context, _ Command, reply Reply) { reply(nil, nil) })
		n.Handle("racing", func(_ context.Context, _ Command, reply Reply) { go reply(nil, nil) })
		for _, command := range []string{"now", "racing"} {
			left := repetitions()
			_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
				if left--; left == 0 {
					out.Next = Done
					return nil
				}
				out.Command(1, command, nil)
				out.Next = Yield
				return nil
			}), SpawnOptions{})
			require.NoError(t, err)
		}
	})
}

// origin: WP-14
func TestStaleCompletionsReachNobody(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	h := hold(n)
	var got atomic.Int32
	counting := func() *machine {
		begun := false
		return stepping(func(events []Event, out *StepOutput) error {
			if !begun {
				begun = true
				out.Command(1, "hold", nil)
			}
			got.Add(int32(len(events)))
			return nil
		})
	}
	first, err := n.Spawn(counting(), SpawnOptions{})
	require.NoError(t, err)
	reply := h.get(t, 1)
	reply("once", nil)
	reply("twice", nil)
	soon(t, func() bool { return got.Load() == 1 })
	require.NoError(t, n.Terminate(first))
	soon(t, func() bool { return n.Len() == 0 })
	second, err := n.Spawn(counting(), SpawnOptions{})
	require.NoError(t, err)
	require.Equal(t, uint32(first), uint32(second), "the slot is used again")
	reply("after the end", nil)
	soon(t, func() bool {
		info, err := n.Info(second)
		return err == nil && info.Steps == 1 && info.Status == reactor.Suspended
	})
	require.EqualValues(t, 1, got.Load())
	n.Close(cancelled())
}

// origin: WP-15
func TestSendWakesAndTellsWhenItCannot(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	entered, leave := make(chan any), make(chan struct{})
	pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
		for _, e := range events {
			entered <- e.Data
			<-leave
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	soon(t, func() bool { info, _ := n.Info(pid); return info.Status == reactor.Suspended })
	require.NoError(t, n.Send(pid, "hello"))
	require.Equal(t, "hello", <-entered)
	require.ErrorIs(t, n.Send(pid+1, "unknown"), ErrNoProcess)
	require.NoError(t, n.Terminate(pid)) // it is in its step still
	require.ErrorIs(t, n.Send(pid, "late"), ErrEnding)
	close(leave)
	soon(t, func() bool { return errors.Is(n.Send(pid, "gone"), ErrNoProcess) })
}

// origin: WP-16
func TestShutdownWaitsUntilItsDeadline(t *testing.T) {
	var ends endings
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{OnComplete: ends.hook})
	polite := func() *machine {
		return stepping(func(events []Event, out *StepOutput) error {
			for _, e := range events {
				if e.Kind == Cancelled {
					out.Next = Done
				}
			}
			return nil
		})
	}
	var pids []ID
	for _, p := range []Process{polite(), idle(), polite()} {
		pid, err := n.Spawn(p, SpawnOptions{})
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	const grace = 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	start := time.Now()
	n.Close(ctx)
	require.GreaterOrEqual(t, time.Since(start), grace)
	require.Equal(t, []error{nil}, ends.of(pids[0]))
	require.Equal(t, []error{ErrTerminated}, ends.of(pids[1]))
	require.Equal(t, []error{nil}, ends.of(pids[2]))
	_, err := n.Spawn(idle(), SpawnOptions{})
	require.ErrorIs(t, err, ErrClosed)
}

// origin: WP-17
func TestTerminateEndsAProcessWhateverItDoes(t *testing.T) {
	var ends endings
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{OnComplete: ends.hook})
	n.Handle("never", func(context.Context, Command, Reply) {})
	runs := stepping(func(_ []Event, out *StepOutput) error { out.Next = Continue; return nil })
	for _, p := range []*machine{runs, idle(), once("never", nil), once(Sleep, time.Hour)} {
		pid, err := n.Spawn(p, SpawnOptions{})
		require.NoError(t, err)
		soon(t, func() bool { info, _ := n.Info(pid); return info.Steps > 10 || info.Status == reactor.Suspended })
		require.NoError(t, n.Terminate(pid))
		soon(t, func() bool { return len(ends.of(pid)) > 0 })
		_, err = n.Info(pid)
		require.ErrorIs(t, err, ErrNoProcess)
		require.ErrorIs(t, n.Terminate(pid), ErrNoProcess)
		require.ErrorIs(t, n.Send(pid, nil), ErrNoProcess)
		require.EqualValues(t, 1, p.closed.Load())
		require.Equal(t, []error{ErrTerminated}, ends.of(pid))
	}
}

// origin: WP-19
func TestHookMayRefuseAStart(t *testing.T) {
	refused := errors.New("refused")
	var ends endings
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{
		OnStart:    func(ID) error { return refused },
		OnComplete: ends.hook,
	})
	_, err := n.Spawn(idle(), SpawnOptions{})
	require.ErrorIs(t, err, refused)
	require.Zero(t, n.Len())
	require.Empty(t, ends.errs)
	n.opts.OnStart = func(ID) error { panic("hook") }
	_, err = n.Spawn(idle(), SpawnOptions{})
	var panicked *PanicError
	require.ErrorAs(t, err, &panicked)
	n.opts.OnStart = nil
	_, err = n.Spawn(idle(), SpawnOptions{})
	require.NoError(t, err)
	n.Close(cancelled())
}

// version counts messages; told to, it upgrades to the next version.
type version struct {
	number, count int
	closed        *int
}

func (v *version) Init(_ context.Context, method string, input any) error {
	if method == "broken" {
		return errors.New("does not start")
	}
	v.count, _ = input.(int)
	return nil
}

func (v *version) Step(events []Event, out *StepOutput) error {
	for _, e := range events {
		switch e.Data {
		case "upgrade", "broken":
			out.Send(out.Self(), "sent during the upgrade")
			out.Upgrade(&version{number: v.number + 1, closed: v.closed}, e.Data.(string), v.count)
		case "end":
			out.Done([]int{v.number, v.count})
		default:
			v.count++
		}
	}
	return nil
}

func (v *version) Close() { *v.closed++ }

// origin: WP-20
func TestUpgradeKeepsPIDAndMailbox(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	closed := 0
	watch := func(last string) any {
		pid, err := n.Spawn(&version{number: 1, closed: &closed}, SpawnOptions{})
		require.NoError(t, err)
		watched := make(chan Event, 1)
		by, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
			for _, e := range events {
				watched <- e
				out.Next = Done
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		require.NoError(t, n.Monitor(by, pid))
		for range 3 {
			require.NoError(t, n.Send(pid, 1))
		}
		soon(t, func() bool { info, _ := n.Info(pid); return info.Mailbox == 0 && info.Status == reactor.Suspended })
		require.NoError(t, n.Send(pid, last))
		soon(t, func() bool {
			info, _ := n.Info(pid)
			return info.Mailbox == 0 && info.Status == reactor.Suspended || info.ID == 0
		})
		if last == "upgrade" {
			require.NoError(t, n.Send(pid, "end"))
		}
		e := <-watched
		require.Equal(t, pid, e.From)
		if e.Err != nil {
			return e.Err
		}
		return e.Data
	}
	require.Equal(t, []int{2, 4}, watch("upgrade"))
	require.Equal(t, 2, closed)
	require.ErrorContains(t, watch("broken").(error), "does not start")
	require.Equal(t, 4, closed)
}

// A message goes to a process whose last worker is in a long step: it ends only
// when the message has arrived.
//
// origin: WP-21
func TestNobodyWaitsForABusyWorker(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	for range 50 {
		arrived := make(chan struct{})
		receiver, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
			if len(events) > 0 {
				close(arrived)
				out.Next = Done
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		_, err = n.Call(stepping(func(_ []Event, out *StepOutput) error {
			out.Send(receiver, nil)
			<-arrived
			out.Next = Done
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
	}
}

// origin: WP-22
func TestUnknownCommandIsAnErrorEvent(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		result, err := n.Call(once("nope", nil), SpawnOptions{})
		require.NoError(t, err)
		var unknown *UnknownCommandError
		require.ErrorAs(t, result.(Event).Err, &unknown)
		require.Equal(t, "nope", unknown.Name)
	})
}

// origin: WP-24
func TestAPidIsReadBack(t *testing.T) {
	for _, pid := range []ID{0, 1, 1 << 32, 77<<32 | 12, ^ID(0)} {
		got, err := ParseID(pid.String())
		require.NoError(t, err)
		require.Equal(t, pid, got)
		text, err := json.Marshal(pid)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &got))
		require.Equal(t, pid, got)
	}
	for _, text := range []string{"", "1", "1.", ".1", "a.1", "1.1.1", "-1.2", "+1.2", "01.2", "4294967296.0"} {
		_, err := ParseID(text)
		require.Error(t, err, text)
	}
}

// tied runs a parent that spawns one child with the options and gives the
// events it gets of it, or its error.
func tied(n *Node, child Process, opts SpawnOptions, trap bool) ([]Event, error) {
	var got []Event
	begun := false
	_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
		if !begun {
			begun = true
			if _, err := out.Spawn(child, opts); err != nil {
				return err
			}
			out.Sleep(1, 5*time.Millisecond)
		}
		for _, e := range events {
			if e.Kind == Completion { // what was to come has come
				out.Next = Done
				continue
			}
			got = append(got, e)
		}
		return nil
	}), SpawnOptions{TrapExit: trap})
	return got, err
}

// origin: WP-27
func TestMonitorHearsTheResultOnce(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		boom := errors.New("boom")
		got, err := tied(n, stepping(func(_ []Event, out *StepOutput) error { out.Done(7); return nil }), SpawnOptions{Monitor: true}, false)
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.Equal(t, Down, got[0].Kind)
		require.Equal(t, 7, got[0].Data)
		require.NoError(t, got[0].Err)
		got, err = tied(n, stepping(func([]Event, *StepOutput) error { return boom }), SpawnOptions{Monitor: true}, false)
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.ErrorIs(t, got[0].Err, boom)
	})
}

// origin: WP-28
func TestLinkCarriesFailuresOnly(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		boom := errors.New("boom")
		fails := func() Process { return stepping(func([]Event, *StepOutput) error { return boom }) }
		ends := func() Process {
			return stepping(func(_ []Event, out *StepOutput) error { out.Next = Done; return nil })
		}
		got, err := tied(n, ends(), SpawnOptions{Link: true}, false)
		require.NoError(t, err)
		require.Empty(t, got, "a normal end is silent")
		_, err = tied(n, fails(), SpawnOptions{Link: true}, false)
		require.ErrorIs(t, err, boom)
		got, err = tied(n, fails(), SpawnOptions{Link: true}, true)
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.Equal(t, Exit, got[0].Kind)
		require.ErrorIs(t, got[0].Err, boom)
	})
}

// A chain of linked processes falls when its last one is terminated.
//
// origin: WP-29
func TestTerminationCascadesAlongLinks(t *testing.T) {
	var ends endings
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{OnComplete: ends.hook})
	var pids []ID
	for i := range 20 {
		pid, err := n.Spawn(idle(), SpawnOptions{})
		require.NoError(t, err)
		if i > 0 {
			require.NoError(t, n.Link(pids[i-1], pid))
		}
		pids = append(pids, pid)
	}
	require.NoError(t, n.Terminate(pids[19]))
	soon(t, func() bool { return n.Len() == 0 })
	soon(t, func() bool { return len(ends.of(pids[0])) == 1 })
	require.ErrorIs(t, ends.of(pids[0])[0], ErrTerminated)
	require.ErrorIs(t, n.Send(pids[0], nil), ErrNoProcess)
}

// origin: WP-37
func TestStoppedAlarmDoesNotFire(t *testing.T) {
	s := scheduler(t, reactor.Options{Chooser: reactor.FIFO{}})
	gate := reactor.NewGate()
	ticks := 0
	var tick func(w *reactor.Worker)
	tick = func(*reactor.Worker) {
		if ticks++; ticks < 5 {
			s.At(s.Now()+10*time.Millisecond, tick)
		}
	}
	s.At(10*time.Millisecond, tick)
	stopped := s.At(15*time.Millisecond, func(*reactor.Worker) { t.Error("was stopped") })
	require.True(t, stopped.Stop())
	s.At(time.Second, func(*reactor.Worker) { gate.Open() })
	require.True(t, s.RunUntil(gate))
	require.Equal(t, 5, ticks)
}

// origin: WP-38
func TestListTellsTheStateOfEachProcess(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	entered, leave := make(chan struct{}), make(chan struct{})
	running, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
		entered <- struct{}{}
		<-leave
		out.Next = Done
		return nil
	}), SpawnOptions{Method: "run", Parent: 5})
	require.NoError(t, err)
	<-entered
	waiting, err := n.Spawn(idle(), SpawnOptions{Method: "wait"})
	require.NoError(t, err)
	sleeping, err := n.Spawn(once(Sleep, time.Hour), SpawnOptions{Method: "sleep"})
	require.NoError(t, err)
	state := func(pid ID) (Info, bool) {
		for _, info := range n.List() {
			if info.ID == pid {
				return info, true
			}
		}
		return Info{}, false
	}
	soon(t, func() bool { info, _ := state(sleeping); return info.Status == reactor.Suspended && info.Commands == 1 })
	soon(t, func() bool { info, _ := state(waiting); return info.Status == reactor.Suspended })
	info, ok := state(running)
	require.True(t, ok)
	require.Equal(t, Info{ID: running, Parent: 5, Method: "run", Status: reactor.Running, Steps: 1}, info)
	info, _ = state(waiting)
	require.Equal(t, Info{ID: waiting, Method: "wait", Status: reactor.Suspended, Steps: 1}, info)
	info, _ = state(sleeping)
	require.Equal(t, Info{ID: sleeping, Method: "sleep", Status: reactor.Suspended, Wants: Yield, Steps: 1, Commands: 1}, info)
	close(leave)
	n.Close(cancelled())
}
