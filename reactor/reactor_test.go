package reactor

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
)

// hall is a reactor whose slots a test serves by hand, on a clock of its own.
type hall struct {
	t       *testing.T
	r       *Reactor
	tenants []*Sched
	slots   []*hallSlot
	hog     Class
}

type hallSlot struct {
	calls chan bool
	w     *Worker
	p     *Proc
}

func newHall(t *testing.T, slots int) *hall {
	h := &hall{t: t, r: NewReactor(slots)}
	h.r.free = 0
	h.r.sweeps = true // no sweep ends what rests: it is not a goroutine
	for range slots {
		h.slots = append(h.slots, &hallSlot{calls: make(chan bool, 1)})
	}
	for _, s := range h.slots {
		s.w = h.r.pick(s.calls, true)
	}
	return h
}

// tenant adds one in which so many processes compute all the time.
func (h *hall) tenant(workers, weight, hogs int) *Sched {
	s := New(Options{Workers: workers, Reactor: h.r, Weight: weight})
	s.timers.virtual = &virtualClock{}
	if len(h.tenants) > 0 {
		s.timers.virtual.now.Store(h.tenants[0].timers.virtual.now.Load())
	}
	h.tenants = append(h.tenants, s)
	for range hogs {
		p := &Proc{}
		p.InitProc(&h.hog)
		s.Inject(p)
	}
	return s
}

// step lets every slot have a step, and then checks what always holds.
func (h *hall) step() {
	for _, slot := range h.slots {
		if slot.w != nil && slot.w.Overdue() {
			slot.w.Yield(slot.p)
			if slot.p = nil; slot.w.until == &over {
				require.Nil(h.t, slot.w.Pick())
				h.leave(slot)
			}
		}
		h.take(slot)
	}
	for _, s := range h.tenants {
		s.timers.virtual.now.Add(int64(simulatedStep))
	}
	h.check()
}

func (h *hall) leave(slot *hallSlot) {
	w := slot.w
	w.until = &w.s.closing
	require.True(h.t, h.r.detach(w))
	w.s.release(w, nil)
	w.s.endVisit()
	slot.w = h.r.pick(slot.calls, true)
	slot.p = nil
}

// take begins a visit.
func (h *hall) take(slot *hallSlot) {
	if slot.w == nil {
		select {
		case <-slot.calls:
			slot.w = h.r.pick(slot.calls, true)
		default:
			return
		}
	}
	for slot.w != nil && slot.p == nil {
		if slot.p = slot.w.Pick(); slot.p == nil {
			h.leave(slot)
			continue
		}
		slot.p.MarkRunning()
		slot.w.endSearch(true)
	}
}

// check holds the reactor against what its fields promise.
func (h *hall) check() {
	r := h.r
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Equal(h.t, len(r.ready), int(r.waiting.Load()))
	called, pending := 0, 0
	for _, slot := range h.slots {
		called += len(slot.calls)
	}
	for _, s := range r.ready {
		pending += len(s.tenant.pending)
	}
	if r.free > 0 {
		require.LessOrEqual(h.t, pending, called, "tenants wait although slots are free")
	}
	require.Equal(h.t, r.workers, len(r.slotted)+r.free+called)
	for i, w := range r.slotted {
		require.True(h.t, w.slotted.Load())
		require.Equal(h.t, i, w.place)
	}
	for i, s := range r.ready {
		require.Equal(h.t, i, s.tenant.place)
		require.NotEmpty(h.t, s.tenant.pending)
		if i > 0 {
			require.LessOrEqual(h.t, r.ready[(i-1)/2].tenant.virtual, s.tenant.virtual)
		}
	}
	for _, s := range h.tenants {
		waits := s.global.n+s.lane.n+s.queued() > 0
		require.False(h.t, waits && s.wanted(), "work waits, a token is free and nobody is told")
	}
}

// fairShares is how much of the slots each tenant is to get: what is left is divided by
// weight among those that can use more.
func fairShares(slots float64, caps, weights []float64) []float64 {
	shares := make([]float64, len(caps))
	for left := slots; left > 1e-9; {
		sum := 0.0
		for i := range caps {
			if shares[i] < caps[i] {
				sum += weights[i]
			}
		}
		if sum == 0 {
			break
		}
		portion := left
		for i := range caps {
			if shares[i] < caps[i] {
				portion = min(portion, (caps[i]-shares[i])/weights[i]*sum)
			}
		}
		for i := range caps {
			if shares[i] < caps[i] {
				shares[i] = min(caps[i], shares[i]+portion*weights[i]/sum+1e-12)
			}
		}
		left -= portion
	}
	return shares
}

// Tenants share the slots by weight, and no more than each has workers.
func TestTenantsShareByWeight(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range longtest.Of(12, 500) {
		slots := 1 + rnd.IntN(4)
		h := newHall(t, slots)
		var caps, weights []float64
		for range 1 + rnd.IntN(7) {
			workers, weight := 1+rnd.IntN(4), 1+rnd.IntN(4)
			caps, weights = append(caps, float64(workers)), append(weights, float64(weight))
			h.tenant(workers, weight, workers+rnd.IntN(3))
		}
		for range 1000 {
			h.step()
		}
		had := func() (all []float64) {
			for _, s := range h.tenants {
				_, d := h.r.shareOf(s)
				all = append(all, float64(d))
			}
			return all
		}
		begun := had()
		const steps = 20_000
		for range steps {
			h.step()
		}
		ended := had()
		for i, share := range fairShares(float64(slots), caps, weights) {
			got := (ended[i] - begun[i]) / float64(steps*simulatedStep)
			require.InEpsilon(t, share, got, 0.05, "slots %d, workers %v, weights %v: tenant %d", slots, caps, weights, i)
		}
	}
}

// A tenant that begins to wait is served soon, however busy the others are.
func TestALateComerIsServedSoon(t *testing.T) {
	for _, busy := range []int{1, 3, 40} {
		h := newHall(t, 2)
		for range busy {
			h.tenant(4, 1, 8)
		}
		for range 500 {
			h.step()
		}
		late := h.tenant(1, 1, 1)
		steps := 0
		for served := false; !served; steps++ {
			h.step()
			for _, slot := range h.slots {
				served = served || slot.w != nil && slot.w.s == late
			}
		}
		require.LessOrEqual(t, time.Duration(steps)*simulatedStep, minVisit+3*simulatedStep, "beside %d", busy)
	}
}

// However many tenants there are, and whatever they do, no more goroutines serve them than
// there are slots, no more of a tenant's workers run than it has, everything that is made
// ready runs, and in the end no goroutine is left.
func TestSlotsBoundWhatRuns(t *testing.T) {
	leaktest.Check(t)
	const slots, tenants, each = 3, 64, 40
	r := NewReactor(slots)
	var all sync.WaitGroup
	for i := range tenants {
		workers := 1 + i%3
		s := New(Options{Workers: workers, Reactor: r})
		gate := NewGate()
		var left, inside atomic.Int32
		left.Store(each)
		for j := range each {
			rest := 20
			s.Inject(&newFn(func(w *Worker, f *fn) {
				if n := inside.Add(1); int(n) > workers {
					t.Errorf("%d of %d workers run", n, workers)
				}
				counted := true
				defer func() {
					if counted {
						inside.Add(-1)
					}
				}()
				r.mu.Lock()
				if len(r.slotted)+r.free > slots {
					t.Errorf("%d slots are held", len(r.slotted))
				}
				r.mu.Unlock()
				if rest--; rest == 0 {
					f.Complete()
					if left.Add(-1) == 0 {
						gate.Open()
					}
					return
				}
				switch (i + j + rest) % 5 {
				case 0:
					s.SleepUntil(&f.Proc, s.Now()+time.Duration(rest)*10*time.Microsecond)
				case 1:
					x, epoch := s.Expect(), f.Suspend()
					go x.Deliver(func(w *Worker) {
						if f.Claim(epoch) {
							s.Ready(w, &f.Proc)
						}
					})
				case 2:
					for end := time.Now().Add(100 * time.Microsecond); time.Now().Before(end); {
					}
					w.Overdue()
					w.Yield(&f.Proc)
				case 3:
					counted = false // before another takes its place
					inside.Add(-1)
					done := w.Detach()
					time.Sleep(50 * time.Microsecond)
					done(&f.Proc)
				default:
					w.WakeLast(&f.Proc)
				}
			}).Proc)
		}
		all.Go(func() {
			require.True(t, s.RunUntil(gate))
			s.Close()
		})
	}
	all.Wait()
	hasSettled(t, r)
	r.close()
}

// A worker that stays in foreign code loses its slot to a tenant that waits.
func TestForeignCodeLosesItsSlot(t *testing.T) {
	leaktest.Check(t)
	r := NewReactor(1)
	defer r.close()
	a, b := New(Options{Workers: 1, Reactor: r}), New(Options{Workers: 1, Reactor: r})
	defer a.Close()
	defer b.Close()
	begun, end := make(chan bool), make(chan bool)
	ended := NewGate()
	a.Inject(&newFn(func(w *Worker, f *fn) {
		w.BeginForeign()
		begun <- true
		<-end
		w.EndForeign()
		f.Complete()
		ended.Open()
	}).Proc)
	<-begun
	gate := NewGate()
	at := time.Now()
	b.Inject(&newFn(func(w *Worker, f *fn) {
		f.Complete()
		gate.Open()
	}).Proc)
	<-gate.Opening()
	t.Logf("after %v", time.Since(at))
	end <- true
	<-ended.Opening()
	hasSettled(t, r)
}

// hasSettled waits until no goroutine is about to give its slot back.
func hasSettled(t *testing.T, r *Reactor) {
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.free == r.workers && len(r.slotted)+len(r.ready) == 0
	}, 10*time.Second, time.Millisecond)
}

// Tenants may be closed while they wait, run or sleep: others notice nothing.
func TestTenantsComeAndGo(t *testing.T) {
	leaktest.Check(t)
	r := NewReactor(2)
	defer r.close()
	ends := time.Now().Add(time.Duration(longtest.Of(300, 10_000)) * time.Millisecond)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(i), 1))
			for time.Now().Before(ends) {
				s := New(Options{Workers: 1 + rnd.IntN(3), Reactor: r, Weight: 1 + rnd.IntN(4)})
				for range rnd.IntN(20) {
					loops := rnd.IntN(3) == 0
					s.Inject(&newFn(func(w *Worker, f *fn) {
						for loops && !w.Overdue() {
							runtime.Gosched()
						}
						s.SleepUntil(&f.Proc, s.Now()+time.Duration(rand.Int64N(int64(time.Millisecond))))
					}).Proc)
				}
				gate := NewGate()
				s.At(s.Now()+time.Duration(rnd.Int64N(int64(3*time.Millisecond))), func(*Worker) { gate.Open() })
				s.RunUntil(gate)
				s.Close()
			}
		})
	}
	all.Wait()
	hasSettled(t, r)
	require.EqualValues(t, math.MaxInt64, r.clock.next.Load())
}
