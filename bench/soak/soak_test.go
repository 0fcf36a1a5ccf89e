// Package soak has a host do at random, from many goroutines, whatever a host may do
// or do wrong, against a small model of what must come out.
//
//	go test ./bench/soak -soak 30m -v                                        # half an hour
//	go test -race -gcflags=all=-d=checkptr=0 ./bench/soak -soak 30m -v -timeout 40m
package soak

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

var (
	length  = flag.Duration("soak", 3*time.Second, "how long the soak goes on")
	workers = flag.Int("hosts", 8, "`number` of goroutines that act as the host")
	only    = flag.String("only", "", "do only what matches this `regexp`, besides adding")
	seed    = flag.Uint64("seed", 0, "of the choices; 0: another one each time")
)

// stuckAfter is when something is taken to hang: what a close allows defers is over
// by then.
const stuckAfter = 3 * time.Minute

// soak is one run. Its world, a Runtime with instances, ends and begins anew again
// and again.
type soak struct {
	t     *testing.T
	world sync.RWMutex // held for reading by who does something
	now   *world
	over  atomic.Bool
	did   sync.Map // name -> *count
	doing []doing  // of each goroutine

	programs []weak.Pointer[runnel.Program] // of all worlds; guarded as now is
}

// doing is what a goroutine is at, for who watches.
type doing struct {
	mu    sync.Mutex
	what  string
	since time.Time
}

func TestSoak(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d", *seed)
	actions = slices.DeleteFunc(actions, func(a action) bool { return a.name != "add" && !regexp.MustCompile(*only).MatchString(a.name) })
	s := &soak{t: t, doing: make([]doing, *workers)}
	base := measure()
	t.Logf("%8s %s", "begins", base)
	s.now = newWorld(s)
	var hosts sync.WaitGroup
	for i := range *workers {
		hosts.Go(func() { s.host(i) })
	}
	watched := make(chan struct{})
	go s.watch(watched)
	end, step := time.Now().Add(*length), max(*length/20, time.Second)
	var warm sample
	for round := 1; time.Now().Before(end) && !t.Failed(); round++ {
		time.Sleep(min(step, time.Until(end)))
		m := s.renew()
		t.Logf("%8s %s", (*length - time.Until(end)).Round(time.Second), m)
		if m.goroutines > base.goroutines+*workers+3 {
			t.Errorf("%d goroutines are left of a closed Runtime:\n%s", m.goroutines-base.goroutines-*workers, stacks())
		}
		if round <= warmUp {
			warm = m.most(warm)
		} else if grown := m.grown(warm); grown != "" {
			t.Errorf("%s: %s, after %d rounds %s", grown, m, warmUp, warm)
		}
	}
	s.over.Store(true)
	hosts.Wait()
	close(watched)
	s.now.close()
	if m := measure(); m.goroutines > base.goroutines+3 { // the world's own are gone too
		t.Errorf("%d goroutines are left:\n%s", m.goroutines-base.goroutines, stacks())
	}
	t.Log(s.counts())
}

// host does one thing after the other.
func (s *soak) host(i int) {
	r := rand.New(rand.NewPCG(*seed, uint64(i)))
	for !s.over.Load() && !s.t.Failed() {
		s.reopen()
		s.world.RLock()
		a := pick(r)
		d := &s.doing[i]
		d.mu.Lock()
		d.what, d.since = a.name, time.Now()
		d.mu.Unlock()
		h := &hand{Rand: r, soak: s, world: s.now}
		a.do(h)
		d.mu.Lock()
		took := time.Since(d.since)
		d.what = ""
		d.mu.Unlock()
		s.count(a.name).took.Add(int64(took))
		s.world.RUnlock()
	}
}

// count is how often something was done, and how long that took in all.
type count struct{ n, took atomic.Int64 }

func (s *soak) count(name string) *count {
	c, _ := s.did.LoadOrStore(name, &count{})
	c.(*count).n.Add(1)
	return c.(*count)
}

func (s *soak) counts() string {
	var list []string
	s.did.Range(func(name, c any) bool {
		n := c.(*count).n.Load()
		list = append(list, fmt.Sprintf("%s %d (%s)", name, n, (time.Duration(c.(*count).took.Load())/time.Duration(n)).Round(100*time.Microsecond)))
		return true
	})
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// watch ends the process when something hangs, and says what.
func (s *soak) watch(done chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Second):
		}
		for i := range s.doing {
			d := &s.doing[i]
			d.mu.Lock()
			what, since := d.what, d.since
			d.mu.Unlock()
			if what != "" && time.Since(since) > stuckAfter {
				panic(fmt.Sprintf("soak: %q hangs\n%s", what, stacks()))
			}
		}
	}
}

// renew waits until nobody does anything, closes the world, sees what is left of it,
// and makes another.
func (s *soak) renew() sample {
	s.world.Lock()
	defer s.world.Unlock()
	s.now.close()
	s.now.prog = nil
	m := measure()
	s.programs = slices.DeleteFunc(s.programs, func(p weak.Pointer[runnel.Program]) bool { return p.Value() == nil })
	m.programs = len(s.programs)
	s.now = newWorld(s)
	return m
}

// reopen makes another world when somebody has closed this one.
func (s *soak) reopen() {
	s.world.RLock()
	closed := s.now.closed.Load()
	s.world.RUnlock()
	if !closed {
		return
	}
	s.world.Lock()
	defer s.world.Unlock()
	if s.now.closed.Load() {
		s.now.close()
		s.now = newWorld(s)
	}
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// world is a Runtime with its instances, some of which are shared by all goroutines.
type world struct {
	*sources
	rt     *runnel.Runtime
	prog   *runnel.Program
	closed atomic.Bool // from the begin of the close on
	shared []*shared
	kept   keeper
}

// shared is an instance that many use, with what is known of it.
type shared struct {
	mu     sync.RWMutex // held by who replaces it
	inst   *runnel.Instance
	closed atomic.Bool
	sure   atomic.Int64 // what has been added for certain
	maybe  atomic.Int64 // and what may have been, by calls that were cut short
}

var limits = runnel.Limits{Memory: 16 << 20, Tasks: 2000, Time: time.Minute, Blocking: 16}

func newWorld(s *soak) *world {
	w := &world{sources: &sources{}}
	w.rt = runnel.MustNew(runnel.WithModules(w.module(), actor.Module, reactive.Module), runnel.WithLimits(limits), runnel.WithWorkers(2), runnel.WithSources(runnel.FSSources(w.sources)),
		runnel.WithUnhandled(func(*runnel.Error) { s.count("unhandled errors") }))
	prog, err := w.rt.Compile("soak.rnl", script+actorScript)
	if err != nil {
		panic(err)
	}
	w.prog = prog
	s.programs = append(s.programs, weak.Make(prog))
	for range 4 {
		sh := &shared{}
		if sh.inst, err = prog.Start(context.Background()); err != nil {
			panic(err)
		}
		w.shared = append(w.shared, sh)
	}
	return w
}

// close closes all, whether it was closed before or not.
func (w *world) close() {
	w.closed.Store(true)
	w.rt.Close()
	w.kept.release()
}
