package actor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// thermostat is an actor in Go: it warms up a degree with every tick of its clock,
// until it is as warm as it should be.
type thermostat struct {
	is, want float64
	reading  bool
	waiting  []*actor.Reply[float64]
	closed   chan<- float64
}

// The messages of the thermostat.
type (
	Set   struct{ Degrees float64 }
	Read  struct{ Reply *actor.Reply[float64] }
	Reach struct{ Reply *actor.Reply[float64] } // is answered when it is warm
	Heat  struct{ Text string }                 // has command "heat" carried out
	Break struct{ How string }
)

const (
	ticked = iota + 1
	heated
)

func (h *thermostat) Init(context.Context, string, any) error { return nil }

func (h *thermostat) Step(events []process.Event, out *process.StepOutput) error {
	for _, e := range events {
		switch m := e.Data.(type) {
		case Set:
			h.want = m.Degrees
			if !h.reading {
				h.reading = true
				out.Sleep(ticked, time.Minute)
			}
		case Read:
			if err := m.Reply.Send(h.is); err != nil {
				return err
			}
		case Reach:
			h.waiting = append(h.waiting, m.Reply)
		case Heat:
			out.Command(heated, "heat", m.Text)
			if m.Text == "well" || m.Text == "badly" { // the next message waits
				out.Next = process.Yield
			}
		case Break:
			switch m.How {
			case "panic":
				panic("the boiler bursts")
			case "error":
				return errors.New("no fuel")
			case "done":
				out.Done(nil)
			case "upgrade":
				out.Upgrade(&thermostat{is: h.is + 100, closed: h.closed}, "again", nil)
			}
		}
		switch {
		case e.Kind != process.Completion:
		case e.Tag == heated && e.Err != nil:
			return e.Err
		case e.Tag == heated && e.Data == nil:
			out.Done(nil)
		case e.Tag == heated:
			h.is = e.Data.(float64)
		case e.Tag == ticked && h.is < h.want:
			h.is++
			out.Sleep(ticked, time.Minute)
		case e.Tag == ticked:
			h.reading = false
			for _, r := range h.waiting {
				_ = r.Send(h.is) // who asked may have gone
			}
			h.waiting = nil
		}
	}
	return nil
}

func (h *thermostat) Close() { h.closed <- h.is }

// devices is a host's module with an actor.
func devices(closed chan<- float64) *runnel.Module {
	m := runnel.NewModule("devices", "What is in the house.")
	actor.Offer(m, actor.Native{
		Name:     "thermostat",
		New:      func() process.Process { return &thermostat{is: 18, closed: closed} },
		Messages: []any{Set{}, Read{}, Reach{}, Heat{}, Break{}},
		Handlers: map[string]process.Handler{"heat": func(_ context.Context, c process.Command, reply process.Reply) {
			go func() {
				switch c.Arg {
				case "well":
					reply(30.0, nil)
				case "at last":
					time.Sleep(5 * time.Millisecond)
					reply(nil, nil)
				case "badly, later":
					time.Sleep(5 * time.Millisecond)
					fallthrough
				default:
					reply(nil, errors.New("it smokes"))
				}
			}()
		}},
	})
	return m
}

const thermostatScript = `
import actor
import devices
fn how(t: actor.Ref<devices.Thermostat>) -> str {
  match t.join() {
    Completed(_, killed) => if killed { "killed" } else { "completed" }
    Failed(e, phase, _, _, _) => "${e.message()} in ${phase}"
  }
}
fn error_of(f: fn()) -> str { try { f(); "none" } catch e { e.message() } }
`

// A house is a script with a thermostat.
type house struct {
	prog   *runnel.Program
	closed chan float64
}

func newHouse(t *testing.T, src string) house {
	t.Helper()
	h := house{closed: make(chan float64, 100)}
	rt := runnel.MustNew(runnel.WithModules(devices(h.closed)))
	t.Cleanup(rt.Close)
	var err error
	h.prog, err = rt.Compile("house.rnl", thermostatScript+src)
	require.NoError(t, err)
	return h
}

// prints runs the script, which closes its processes at the end.
func (h house) prints(t *testing.T, want string, opts ...runnel.Option) {
	t.Helper()
	var out strings.Builder
	inst := h.prog.With(append(opts, runnel.WithHost(runnel.Host{Stdout: &out}))...).NewInstance()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	require.NoError(t, inst.Run(ctx))
	require.Empty(t, inst.Unhandled())
	inst.Close()
	require.Equal(t, want, out.String())
	require.NotEmpty(t, h.closed, "the process has been closed")
	for len(h.closed) > 0 {
		<-h.closed
	}
}

// printsExplored has the scheduler choose; the clock is virtual.
func (h house) printsExplored(t *testing.T, want string) {
	t.Helper()
	for _, schedule := range runneltest.Schedules(cases.Schedules()) {
		h.prints(t, want, schedule)
	}
}

func TestScriptsAddressActorsInGo(t *testing.T) {
	for _, row := range []struct{ name, src, out string }{
		{"told, asked and stopped", `
let t = devices.thermostat(name: "hall")
t.tell(Set(20.0))
print(t.name(), t.ask(devices.Thermostat.Read), actor.find<devices.Thermostat>("hall")!.id() == t.id())
t.stop()
print(how(t), error_of(|| t.tell(Set(1.0))))`, "hall#1 18.0 true\ncompleted hall#1 has ended\n"},
		{"a command, and a handler's goroutine", `
let t = devices.thermostat()
t.tell(Heat("well"))
print(t.ask(devices.Thermostat.Read))
t.tell(Heat("badly"))
print(error_of(|| { t.ask(devices.Thermostat.Read); () }), how(t))`, "30.0\nit smokes it smokes in Receive\n"},
		{"an error", `
let t = devices.thermostat()
actor.watch(t, |exit| print(exit.name, exit.error!.message()))
t.tell(Break("error"))
print(how(t))`, " no fuel\nno fuel in Receive\n"},
		{"a panic", `
let t = devices.thermostat()
t.tell(Break("panic"))
print(how(t))`, "panic: the boiler bursts in Receive\n"},
		{"done", `
let t = devices.thermostat()
t.tell(Break("done"))
print(how(t), t.is_alive())`, "completed false\n"},
		{"an upgrade", `
let t = devices.thermostat()
t.tell(Break("upgrade"))
print(t.ask(devices.Thermostat.Read))
t.tell(Break("error"))
print(how(t))`, "118.0\nno fuel in Receive\n"},
		{"questions that it has not answered", `
let (t, u) = (devices.thermostat(), devices.thermostat())
let (a, b) = (t.ask_task(devices.Thermostat.Reach), u.ask_task(devices.Thermostat.Reach))
u.ask(devices.Thermostat.Read)
t.tell(Break("error"))
u.stop()
print(how(t), how(u), error_of(|| { await a; () }), error_of(|| { await b; () }))`, "no fuel in Receive completed no fuel the awaited task was cancelled\n"},
		{"killed while it waits for a command", `
let t = devices.thermostat()
let answer = t.ask_task(devices.Thermostat.Reach)
t.ask(devices.Thermostat.Read)
t.kill()
print(how(t), error_of(|| { await answer; () }))`, "killed the awaited task was cancelled\n"},
		{"ended by itself while nothing waits", `
let t = devices.thermostat()
t.tell(Heat("badly, later"))
print(how(t))
let u = devices.thermostat()
u.tell(Heat("at last"))
print(how(u))`, "it smokes in OnStop\ncompleted\n"},
		{"supervised", `
let hall = actor.spec(|| devices.thermostat_actor(), name: "hall")
let s = actor.supervise([hall])
let t = hall.ref()
t.tell(Break("upgrade"))
print(t.ask(devices.Thermostat.Read))
t.tell(Break("error"))
t.tell(Break("nothing"))
print(t.ask(devices.Thermostat.Read))
t.tell(Break("upgrade"))
t.tell(Heat("badly, later"))
var degrees = 118.0
while degrees == 118.0 {
  sleep(1ms)
  degrees = try { t.ask(devices.Thermostat.Read) } catch e { degrees }
}
print(degrees)
s.stop()
s.join()`, "118.0\n18.0\n18.0\n"},
		{"linked with an actor of the script", `
struct Partner { let other: actor.AnyRef
  fn on_start(ctx: actor.Context<int>) { ctx.link(self.other) }
  fn receive(n: int, ctx: actor.Context<int>) {}
}
let t = devices.thermostat()
let p = actor.start(Partner(t), name: "partner")
while p.queued() > 0 { sleep(1ms) }
sleep(1ms)
t.tell(Break("error"))
print(how(t))
match p.join() { Completed(_, killed) => print(killed), Failed(_, _, _, _, _) => print("failed") }`, "no fuel in Receive\ntrue\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t, row.src)
			h.prints(t, row.out)
			h.printsExplored(t, row.out)
		})
	}
}

func TestMessagesToActorsInGoAreChecked(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(devices(nil)))
	defer rt.Close()
	for _, row := range []struct{ src, text string }{
		{`devices.thermostat().tell(5)`, "E0301"},
		{`devices.thermostat().tell(Set("warm"))`, "E0301"},
		{`let s: str = devices.thermostat().ask(devices.Thermostat.Read)`, "E0301"},
		{`devices.thermostat().tell(Melt)`, "Melt"},
	} {
		_, err := rt.Compile("wrong.rnl", thermostatScript+row.src+"\n")
		require.ErrorContains(t, err, row.text)
	}
	bad := runnel.NewModule("bad", "")
	actor.Offer(bad, actor.Native{Name: "x", New: func() process.Process { return nil }, Messages: []any{5}})
	_, err := runnel.New(runnel.WithModules(bad))
	require.ErrorContains(t, err, "a message is a value of a struct with a name, not of int")
}

// Where the scheduler chooses the minutes of the thermostat take no time, and the
// scripts always give the same.
func TestActorsInGoUnderManySchedules(t *testing.T) {
	for _, row := range []struct{ name, src, out string }{
		{"asked and stopped", `
let t = devices.thermostat()
t.tell(Set(21.0))
let answers = (0..3).map(|_| spawn t.ask(devices.Thermostat.Reach))
print(await_all(answers))
t.stop()
print(how(t))`, "[21.0, 21.0, 21.0]\ncompleted\n"},
		{"killed while it works", `
let t = devices.thermostat()
t.tell(Set(30.0))
let a = spawn error_of(|| { t.ask(devices.Thermostat.Reach); () })
sleep(3m)
t.kill()
print(how(t), await a, t.is_alive())`, "killed actor#1 did not answer: the question was dropped false\n"},
		{"failed, and started again", `
let hall = actor.spec(|| devices.thermostat_actor(), name: "hall")
let s = actor.supervise([hall])
let t = hall.ref()
for how in ["error", "panic"] {
  t.tell(Break(how))
  print(t.ask(devices.Thermostat.Read))
}
s.stop()
s.join()`, "18.0\n18.0\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			newHouse(t, row.src).printsExplored(t, row.out)
		})
	}
}

// mock is a process that is told what to answer.
type mock struct {
	to   func(text string)
	told []string
}

func (m *mock) Init(context.Context, string, any) error { return nil }
func (m *mock) Close()                                  {}

func (m *mock) Step(events []process.Event, out *process.StepOutput) error {
	for _, e := range events {
		if e.Kind == process.Message {
			m.told = append(m.told, e.Data.(string))
			m.to("mock has " + e.Data.(string))
		}
		if len(m.told) == 2 {
			out.Done(m.told)
		}
	}
	return nil
}

// WP-01: a state machine in Go, an actor of a script and a mock run on one
// scheduler, whose workers are all there is to run them, and talk to each other.
//
// origin: WP-01
func TestGoAndScriptAndMockShareAScheduler(t *testing.T) {
	for _, opt := range []runnel.Option{runnel.WithWorkers(1), runnel.WithWorkers(2), runnel.WithSeed(5)} {
		inst := withActors(t, `
import actor
import devices
import host
struct Relay: actor.Actor<str> { let hall: actor.Ref<devices.Thermostat>
  fn receive(text: str, ctx: actor.Context<str>) {
    host.emit("${text} at ${self.hall.ask(devices.Thermostat.Read)}")
  }
}
pub fn relay() -> actor.Ref<str> { actor.start(Relay(devices.thermostat())) }
`, opt, runnel.WithModules(devices(make(chan float64, 1))))
		relay, err := runnel.Bind0[*actor.Ref](inst, "relay")
		require.NoError(t, err)
		ref, err := relay(t.Context())
		require.NoError(t, err)
		node := process.NewNode(inst.VM().Sched(), process.NodeOptions{})
		m := &mock{to: func(text string) {
			if sent, err := ref.TryTell(text); !sent || err != nil {
				t.Errorf("not told: %v", err)
			}
		}}
		pid, err := node.Spawn(m, process.SpawnOptions{})
		require.NoError(t, err)
		require.NoError(t, node.Send(pid, "one"))
		require.NoError(t, node.Send(pid, "two"))
		var got []any
		for x := range inst.Outputs(t.Context()) {
			if got = append(got, x); len(got) == 2 {
				break
			}
		}
		require.Equal(t, []any{"mock has one at 18.0", "mock has two at 18.0"}, got)
		node.Close(t.Context())
		require.Equal(t, []string{"one", "two"}, m.told)
		inst.Close()
	}
}

// At the end of the program on_stop has five seconds, as otherwise: who takes
// longer has failed, whatever comes first at that moment.
func TestAnOnStopThatTakesTooLongIsAlwaysToldOf(t *testing.T) {
	const src = `import actor
struct Slow {
  fn receive(n: int, ctx: actor.Context<int>) { sleep(1h) }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { sleep(1h) }
}
let slow = actor.start(Slow())
slow.tell(1)
while slow.queued() > 0 { yield_now() }
`
	for seed := range uint64(20) {
		rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithSeed(seed))
		prog, err := rt.Compile("slow.rnl", src)
		require.NoError(t, err)
		inst := prog.NewInstance()
		require.NoError(t, inst.Run(t.Context()))
		require.Len(t, inst.Unhandled(), 1, "seed %d", seed)
		inst.Close()
	}
}
