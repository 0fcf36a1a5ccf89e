package runnel_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// soon fails the test when f takes far longer than a time: the machine may be busy with
// other things.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	begun := time.Now()
	f()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("%s took %v", what, took.Round(time.Millisecond))
	}
}

// becomes reports whether something is true soon.
func becomes(so func() bool) bool {
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if so() {
			return true
		}
	}
	return false
}

// slowEnds are functions that do not end soon when they are asked to.
const slowEnds = `
struct Loops { fn message() -> str { loop {} } }
struct Sleeps { fn message() -> str { sleep(1h); "x" } }
pub fn loops_in_message() { throw Loops() }
pub fn sleeps_in_message() { throw Sleeps() }
pub fn sleeps_in_defer() { defer { sleep(1h) }; sleep(1h) }
pub fn loops_in_defer() { defer { loop {} }; loop {} }
pub fn loops_in_defer_after_sleep() { defer { loop {} }; sleep(1h) }
pub fn waits_in_defer() { let c = chan<int>(); defer { c.recv() }; c.recv() }
pub fn catches() { loop { try { sleep(1h) } catch e { } } }
pub fn defers_in_a_scope() { scope { spawn { defer { sleep(1h) }; sleep(1h) }; sleep(1h) } }
pub fn defers_in_many() { scope { for i in 0..100 { spawn { defer { loop {} }; sleep(1h) } } } }
pub fn spawns_in_defer() { defer { scope { spawn { loop {} } } }; sleep(1h) }
pub fn leaves_a_task() { spawn detached { defer { sleep(1h) }; sleep(1h) } }
pub fn fine() -> int { 7 }
`

func TestACallReturnsSoonAfterItsContextHasEnded(t *testing.T) {
	t.Parallel()
	for workers, every := range map[int]int{1: 4, 2: 7} {
		rt := runnel.MustNew(runnel.WithWorkers(workers))
		p, err := rt.Compile("slow.rnl", slowEnds)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range longtest.Sample(p.Functions(), every) {
			in, err := p.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			if f.Name == "fine" || f.Name == "leaves_a_task" {
				ctx = t.Context()
			}
			soon(t, f.Name, func() { _, err = in.Call(ctx, f.Name) })
			cancel()
			var e *runnel.Error
			switch {
			case f.Name == "fine" || f.Name == "leaves_a_task":
				if err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
			case !errors.As(err, &e):
				t.Errorf("%s: %v", f.Name, err)
			case e.Kind == "LimitError" && !errors.Is(err, context.DeadlineExceeded):
				t.Errorf("%s does not tell why: %v", f.Name, err)
			}
			if v, err := in.Call(t.Context(), "fine"); err != nil || v != 7 {
				t.Errorf("after %s the instance gives %v, %v", f.Name, v, err)
			}
		}
		soon(t, "closing all at once", rt.Close)
	}
}

func TestTheTimeLimitOfACallHoldsForItsDefers(t *testing.T) {
	t.Parallel()
	rt := runnel.MustNew(runnel.WithLimits(runnel.Limits{Time: 50 * time.Millisecond}))
	defer rt.Close()
	p, err := rt.Compile("slow.rnl", slowEnds)
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"sleeps_in_defer", "loops_in_defer", "waits_in_defer", "defers_in_a_scope", "loops_in_message", "sleeps_in_message"}
	for _, name := range longtest.Sample(names, 3) {
		soon(t, name, func() { _, err = in.Call(t.Context(), name) })
		if err == nil {
			t.Errorf("%s has succeeded", name)
		}
	}
}

func TestWhatACallLeavesBehindEndsWithinItsGrace(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	begun := make(chan struct{})
	m := runnel.NewModule("note", "")
	runnel.Func(m, "begun", func() { begun <- struct{}{} })
	runnel.Func(m, "done", func() { done.Add(1) })
	rt := runnel.MustNew(runnel.WithModules(m))
	defer rt.Close()
	p, err := rt.Compile("slow.rnl", "import note\npub fn f() { defer { sleep(2s); note.done() }; note.begun(); sleep(1h) }\npub fn g() { defer { note.done() }; note.begun(); sleep(1h) }")
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cut := func(name string) error {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		_, err := in.Call(ctx, name)
		return err
	}
	if err := cut("g"); !errors.Is(err, context.Canceled) || !becomes(func() bool { return done.Load() == 1 }) {
		t.Errorf("a short defer has not run: %v", err)
	}
	if err := cut("f"); !errors.Is(err, context.Canceled) || done.Load() != 1 {
		t.Errorf("the call has waited for a long defer: %v", err)
	}
	if !becomes(func() bool { return done.Load() == 2 && in.Usage().Tasks == 0 }) {
		t.Errorf("%d have run, %d tasks are left", done.Load(), in.Usage().Tasks)
	}
}

func TestARuntimeClosesInstancesThatTheHostHasForgotten(t *testing.T) {
	t.Parallel()
	var ticks atomic.Int64
	m := runnel.NewModule("note", "")
	runnel.Func(m, "tick", func() { ticks.Add(1) })
	rt := runnel.MustNew(runnel.WithModules(m))
	p, err := rt.Compile("ticks.rnl", "import note\nspawn { loop { sleep(1ms); note.tick() } }\npub fn f() { loop { sleep(1ms); note.tick() } }")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := rt.Spawn(t.Context(), p, "f"); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	before := ticks.Load()
	if !becomes(func() bool { return ticks.Load() > before }) {
		t.Error("nothing runs")
	}
	rt.Close()
	before = ticks.Load()
	time.Sleep(50 * time.Millisecond)
	if n := ticks.Load() - before; n > 0 {
		t.Errorf("%d ticks after Close", n)
	}
}

func TestARuntimeClosesItsInstancesAtOnce(t *testing.T) {
	t.Parallel()
	rt := runnel.MustNew()
	p, err := rt.Compile("slow.rnl", slowEnds)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		in, err := p.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if i%100 == 0 {
			if _, err := in.Call(t.Context(), "leaves_a_task"); err != nil {
				t.Fatal(err)
			}
		}
	}
	soon(t, "Close", rt.Close)
	soon(t, "the second Close", rt.Close)
}

func TestCloseDoesNotWaitForHostCodeForEver(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		inside, stuck, released := make(chan bool, 4), make(chan bool), make(chan bool)
		m := runnel.NewModule("stuck", "")
		runnel.Func(m, "here", func() { inside <- true; <-stuck; released <- true })
		runnel.Blocking(m, "there", func(context.Context) { inside <- true; <-stuck; released <- true })
		rt := runnel.MustNew(runnel.WithModules(m), runnel.WithWorkers(workers))
		p, err := rt.Compile("stuck.rnl", "import stuck\npub fn here() { spawn detached stuck.here(); yield_now(); sleep(1ms) }\npub fn there() { spawn detached stuck.there(); sleep(1ms) }\npub fn wait() { stuck.here() }")
		if err != nil {
			t.Fatal(err)
		}
		in, err := p.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"here", "there", "wait"} {
			if i == 2 { // it keeps the only worker
				<-inside
				<-inside
			}
			go in.Call(t.Context(), name) // nothing cuts the host's own code short
		}
		<-inside
		soon(t, "Close of an instance", in.Close)
		soon(t, "Close of a runtime", rt.Close)
		if _, err := in.Call(t.Context(), "wait"); !errors.Is(err, runnel.ErrClosed) {
			t.Errorf("a call of a closed instance gives %v", err)
		}
		close(stuck)
		for range 3 {
			select {
			case <-released:
			case <-time.After(time.Minute):
				t.Fatal("host code has not gone on")
			}
		}
	}
}

// slowScripts do not end soon when they are asked to, some without deferring anything.
var slowScripts = map[string]string{
	"a loop in a defer":             "defer { loop {} }\nloop {}",
	"a sleep in a defer":            "defer { sleep(1h) }\nsleep(1h)",
	"a computed that sleeps":        "import reactive\nlet c = reactive.computed(|| { sleep(1h); 1 })\nprint(c.get())",
	"an effect that loops":          "import reactive\nreactive.effect(|| { loop {} })",
	"an effect that a task runs":    "import reactive\nlet a = reactive.cell(1)\nlet e = reactive.effect(|| { if a.get() == 2 { loop {} } })\nawait spawn { a.set(2) }",
	"a computed in a scope":         "import reactive\nlet c = reactive.computed(|| { sleep(1h); 1 })\nscope { spawn { c.get() } }",
	"a task that is left":           "spawn detached { defer { sleep(1h) }; sleep(1h) }\nyield_now()",
	"an actor that reads a cell":    "import actor\nimport reactive\nlet c = reactive.computed(|| { sleep(1h); 1 })\nstruct A { fn receive(m: int, ctx: actor.Context<int>) { c.get() } }\nlet a = actor.start(A())\na.tell(1)\nsleep(1h)",
	"defers of many tasks":          "scope { for i in 0..100 { spawn { defer { loop {} }; sleep(1h) } } }",
	"a store that is being changed": "import reactive\nlet s = reactive.store()\nreactive.effect(|| { sleep(1h) })",
}

func TestARunReturnsSoonAfterItsEnd(t *testing.T) {
	t.Parallel()
	limited := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithLimits(runnel.Limits{Time: 50 * time.Millisecond}))
	free := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(2))
	check := func(name string, f func(rt *runnel.Runtime, ctx context.Context) error) {
		t.Helper()
		var err error
		soon(t, name+" within a limit", func() { err = f(limited, t.Context()) })
		var e *runnel.Error
		if !errors.As(err, &e) || e.Message != "the time limit of 50ms is reached" {
			t.Errorf("%s within a limit: %v", name, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		soon(t, name+" within a context", func() { err = f(free, ctx) })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s within a context: %v", name, err)
		}
	}
	for name, src := range longtest.SampleOf(slowScripts, 6) {
		check("Run of "+name, func(rt *runnel.Runtime, ctx context.Context) error {
			p, err := rt.Compile("slow.rnl", src)
			if err != nil {
				t.Fatal(name, err)
			}
			return p.NewInstance().Run(ctx)
		})
		check("Eval of "+name, func(rt *runnel.Runtime, ctx context.Context) error {
			s, err := rt.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Eval(ctx, "entry", src+"\nsleep(1h)")
			return err
		})
	}
	soon(t, "closing", func() {
		var closing sync.WaitGroup
		closing.Go(limited.Close)
		closing.Go(free.Close)
		closing.Wait()
	})
}

func TestNothingRunsInAContextThatIsOver(t *testing.T) {
	over, cancel := context.WithCancelCause(t.Context())
	why := errors.New("changed my mind")
	cancel(why)
	var ran atomic.Int64
	m := runnel.NewModule("note", "")
	runnel.Func(m, "ran", func() { ran.Add(1) })
	rt := runnel.MustNew(runnel.WithModules(m), runnel.WithTests())
	defer rt.Close()
	p, err := rt.Compile("a.rnl", "import note\npub fn f() -> int { note.ran(); 1 }\nif false { note.ran() }\ntest \"t\" { note.ran() }\nbench \"b\" { note.ran() }\nnote.ran()")
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := runnel.Bind0[int](in, "f")
	if err != nil {
		t.Fatal(err)
	}
	s, err := rt.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	ran.Store(0)
	for name, run := range map[string]func() error{
		"Run":      func() error { return p.NewInstance().Run(over) },
		"Start":    func() error { _, err := p.Start(over); return err },
		"RunTest":  func() error { return in.RunTest(over, 0) },
		"RunBench": func() error { return in.RunBench(over, 0, 1) },
		"Call":     func() error { _, err := in.Call(over, "f"); return err },
		"Bind0":    func() error { _, err := f(over); return err },
		"Eval":     func() error { _, err := s.Eval(over, "entry", "import note\nnote.ran()"); return err },
	} {
		if err := run(); !errors.Is(err, why) || ran.Load() != 0 {
			t.Errorf("%s gives %v, and ran %d", name, err, ran.Swap(0))
		}
	}
	if v, err := in.Call(t.Context(), "f"); err != nil || v != 1 {
		t.Errorf("the instance gives %v, %v then", v, err)
	}
}

func TestAnAbortWaitsForLastWordsOnly(t *testing.T) {
	t.Parallel()
	var said atomic.Int64
	begun := make(chan struct{})
	m := runnel.NewModule("note", "")
	runnel.Func(m, "begun", func() { begun <- struct{}{} })
	runnel.Func(m, "said", func() { said.Add(1) })
	rt := runnel.MustNew(runnel.WithModules(append(all.Modules(), m)...), runnel.WithWorkers(2))
	defer rt.Close()
	const words = `
import actor
struct A { let lives: chan<int>
  fn receive(m: int, ctx: actor.Context<int>) { self.lives.send(m) }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { sleep(700ms); note.said() } }
let lives = chan<int>(1)
let a = actor.start(A(lives))
a.tell(1)
lives.recv()
`
	for src, want := range map[string]int64{"": 0, words: 1} {
		p, err := rt.Compile("a.rnl", "import note\n"+src+"defer { sleep(1h) }\nnote.begun()\nsleep(1h)")
		if err != nil {
			t.Fatal(err)
		}
		in := p.NewInstance()
		said.Store(0)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		soon(t, "the run", func() {
			if err := in.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			in.Abort()
		})
		cancel()
		if said.Load() != want {
			t.Errorf("%d have said their last words, not %d", said.Load(), want)
		}
	}
}
