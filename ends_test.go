package runnel_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
)

// soon fails the test when f takes longer than a time.
func soon(t *testing.T, most time.Duration, what string, f func()) {
	t.Helper()
	begun := time.Now()
	f()
	if took := time.Since(begun); took > most {
		t.Errorf("%s took %v, not %v at most", what, took.Round(time.Millisecond), most)
	}
}

// becomes reports whether something is true soon.
func becomes(so func() bool) bool {
	for begun := time.Now(); time.Since(begun) < 5*time.Second; time.Sleep(5 * time.Millisecond) {
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
	for _, workers := range []int{1, 2} {
		rt := runnel.MustNew(runnel.WithWorkers(workers))
		p, err := rt.Compile("slow.rnl", slowEnds)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Functions() {
			in, err := p.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			soon(t, 2*time.Second, f.Name, func() { _, err = in.Call(ctx, f.Name) })
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
		soon(t, 8*time.Second, "closing all at once", rt.Close)
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
	for _, name := range []string{"sleeps_in_defer", "loops_in_defer", "waits_in_defer", "defers_in_a_scope", "loops_in_message", "sleeps_in_message"} {
		soon(t, 2*time.Second, name, func() { _, err = in.Call(t.Context(), name) })
		if err == nil {
			t.Errorf("%s has succeeded", name)
		}
	}
}

func TestWhatACallLeavesBehindEndsWithinItsGrace(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	m := runnel.NewModule("note", "")
	runnel.Func(m, "done", func() { done.Add(1) })
	rt := runnel.MustNew(runnel.WithModules(m))
	defer rt.Close()
	p, err := rt.Compile("slow.rnl", "import note\npub fn f() { defer { sleep(600ms); note.done() }; sleep(1h) }\npub fn g() { defer { note.done() }; sleep(1h) }")
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := in.Call(ctx, "g"); !errors.Is(err, context.DeadlineExceeded) || !becomes(func() bool { return done.Load() == 1 }) {
		t.Errorf("a short defer has not run: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := in.Call(ctx, "f"); !errors.Is(err, context.DeadlineExceeded) || done.Load() != 1 {
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
	soon(t, 8*time.Second, "Close", rt.Close)
	soon(t, time.Second, "the second Close", rt.Close)
}

func TestCloseDoesNotWaitForHostCodeForEver(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		stuck, released := make(chan bool), make(chan bool)
		m := runnel.NewModule("stuck", "")
		runnel.Func(m, "here", func() { <-stuck; released <- true })
		runnel.Blocking(m, "there", func(context.Context) { <-stuck; released <- true })
		rt := runnel.MustNew(runnel.WithModules(m), runnel.WithWorkers(workers))
		p, err := rt.Compile("stuck.rnl", "import stuck\npub fn here() { spawn detached stuck.here(); yield_now(); sleep(1ms) }\npub fn there() { spawn detached stuck.there(); sleep(1ms) }\npub fn wait() { stuck.here() }")
		if err != nil {
			t.Fatal(err)
		}
		in, err := p.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"here", "there", "wait"} {
			go in.Call(t.Context(), name) // nothing cuts the host's own code short
		}
		time.Sleep(50 * time.Millisecond)
		soon(t, 9*time.Second, "Close of an instance", in.Close)
		soon(t, 9*time.Second, "Close of a runtime", rt.Close)
		if _, err := in.Call(t.Context(), "wait"); !errors.Is(err, runnel.ErrClosed) {
			t.Errorf("a call of a closed instance gives %v", err)
		}
		close(stuck)
		for range 3 {
			select {
			case <-released:
			case <-time.After(5 * time.Second):
				t.Fatal("host code has not gone on")
			}
		}
	}
}
