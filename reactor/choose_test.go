package reactor

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// runOrder runs a few processes that spawn, sleep, yield and ask whether they
// are overdue, and gives the order of what happened.
func runOrder(t *testing.T, c Chooser) string {
	s := withSched(t, Options{Chooser: c})
	var log bytes.Buffer
	gate := NewGate()
	left := 0
	var spawn func(w *Worker, name string, depth int)
	spawn = func(w *Worker, name string, depth int) {
		left++
		step := 0
		s.Ready(w, &newFn(func(w *Worker, f *fn) {
			step++
			fmt.Fprintf(&log, "%s.%d@%v ", name, step, s.Now())
			switch step {
			case 1:
				if depth > 0 {
					for i := range 3 {
						spawn(w, fmt.Sprintf("%s%d", name, i), depth-1)
					}
				}
				w.Yield(&f.Proc)
			case 2:
				s.SleepUntil(&f.Proc, s.Now()+time.Duration(len(name))*time.Millisecond)
			default:
				if step < 6 && w.Overdue() {
					w.Yield(&f.Proc)
					return
				}
				f.Complete()
				if left--; left == 0 {
					gate.Open()
				}
			}
		}).Proc)
	}
	spawn(nil, "p", 2)
	require.True(t, s.RunUntil(gate))
	return log.String()
}

func TestSameSeedGivesTheSameRun(t *testing.T) {
	choosers := map[string]func(seed uint64) Chooser{
		"fifo":   func(uint64) Chooser { return FIFO{} },
		"seeded": Seeded,
		"pct":    func(seed uint64) Chooser { return PCT(seed, 3, 50) },
	}
	for name, make := range choosers {
		t.Run(name, func(t *testing.T) {
			orders := map[string]bool{}
			for seed := range uint64(20) {
				first := Record(make(seed))
				order := runOrder(t, first)
				orders[order] = true
				second := Record(make(seed))
				require.Equal(t, order, runOrder(t, second))
				require.Equal(t, first.Trace(), second.Trace())

				replay := Replay(first.Trace())
				require.Equal(t, order, runOrder(t, replay))
				require.NoError(t, replay.Err())
				require.Empty(t, replay.rest)
			}
			if name == "fifo" {
				require.Len(t, orders, 1)
			} else {
				require.Greater(t, len(orders), 10)
			}
		})
	}
}

func TestReplayTellsWhereARunDiffers(t *testing.T) {
	r := Record(Seeded(1))
	r.Choose(3)
	r.Choose(5)
	p := Replay(r.Trace())
	p.Choose(3)
	p.Choose(4)
	require.ErrorContains(t, p.Err(), "choice 2: 4 alternatives, recorded 5")
	require.Zero(t, p.Choose(9))

	p = Replay(r.Trace()[:2])
	p.Choose(3)
	require.NoError(t, p.Err())
	p.Choose(5)
	require.ErrorContains(t, p.Err(), "ends before choice 2")

	p = Replay([]byte{3, 7})
	require.Zero(t, p.Choose(3))
	require.ErrorContains(t, p.Err(), "damaged")
}

// A lost update that needs one process held back between its read and its
// write is found by some seed.
func TestPCTFindsAnOrdering(t *testing.T) {
	lost := 0
	for seed := range uint64(50) {
		s := withSched(t, Options{Chooser: PCT(seed, 2, 10)})
		gate := NewGate()
		counter, left := 0, 2
		for range 2 {
			read, step := 0, 0
			s.Inject(&newFn(func(w *Worker, f *fn) {
				if step++; step == 1 {
					read = counter
					w.Yield(&f.Proc)
					return
				}
				counter = read + 1
				f.Complete()
				if left--; left == 0 {
					gate.Open()
				}
			}).Proc)
		}
		require.True(t, s.RunUntil(gate))
		if counter != 2 {
			lost++
		}
	}
	require.Positive(t, lost)
	require.Less(t, lost, 50)
}

// One that spins until another has run does not spin for ever.
func TestPCTLetsASpinnerBeOvertaken(t *testing.T) {
	for seed := range uint64(10) {
		s := withSched(t, Options{Chooser: PCT(seed, 1, 1)})
		gate := NewGate()
		set := false
		s.Inject(&newFn(func(w *Worker, f *fn) {
			if !set {
				w.Yield(&f.Proc)
				return
			}
			f.Complete()
			gate.Open()
		}).Proc)
		s.Inject(&newFn(func(w *Worker, f *fn) { set = true; f.Complete() }).Proc)
		require.True(t, s.RunUntil(gate))
	}
}

// Completions come in the order in which they were expected, however long each
// takes, and the clock stands still meanwhile.
func TestCompletionsAreAdmittedInOrder(t *testing.T) {
	s := withSched(t, Options{Chooser: FIFO{}})
	gate := NewGate()
	var order []int
	s.At(time.Millisecond, func(*Worker) {
		order = append(order, -1)
		gate.Open()
	})
	for i := range 5 {
		x := s.Expect()
		go func() {
			time.Sleep(time.Duration(5-i) * 2 * time.Millisecond)
			x.Deliver(func(w *Worker) {
				s.Ready(w, &newFn(func(w *Worker, f *fn) {
					order = append(order, i)
					f.Complete()
				}).Proc)
			})
		}()
	}
	require.True(t, s.RunUntil(gate))
	require.Equal(t, []int{0, 1, 2, 3, 4, -1}, order)
}

// Each choice takes time: one that sleeps a millisecond comes before one that yields ten times.
func TestOnASlowMachineASleepIsOverSoon(t *testing.T) {
	for _, c := range []struct {
		chooser Chooser
		order   string
	}{{Seeded(1), "yielder sleeper "}, {Slow(1, time.Millisecond), "sleeper yielder "}} {
		s := withSched(t, Options{Chooser: c.chooser})
		order, gate, yields, slept := "", NewGate(), 0, false
		end := func(f *fn, name string) {
			if order += name + " "; len(order) == len(c.order) {
				gate.Open()
			}
			f.Complete()
		}
		s.Ready(nil, &newFn(func(w *Worker, f *fn) {
			if slept {
				end(f, "sleeper")
				return
			}
			slept = true
			s.SleepUntil(&f.Proc, s.Now()+time.Millisecond)
		}).Proc)
		s.Ready(nil, &newFn(func(w *Worker, f *fn) {
			if yields++; yields > 20 {
				end(f, "yielder")
				return
			}
			w.Yield(&f.Proc)
		}).Proc)
		require.True(t, s.RunUntil(gate))
		require.Equal(t, c.order, order)
	}
}

// How long a completion takes does not show on the virtual clock, whose choices take time.
func TestACompletionTakesNoTime(t *testing.T) {
	run := func(takes time.Duration) (at time.Duration) {
		s := withSched(t, Options{Chooser: Slow(1, time.Millisecond)})
		gate := NewGate()
		steps := 0
		s.Inject(&newFn(func(w *Worker, f *fn) {
			if steps++; steps > 5 {
				at = s.Now()
				f.Complete()
				gate.Open()
				return
			}
			x, epoch := s.Expect(), f.Suspend()
			deliver := func() {
				x.Deliver(func(w *Worker) {
					require.True(t, f.Claim(epoch))
					s.Ready(w, &f.Proc)
				})
			}
			if takes == 0 {
				deliver()
			} else {
				time.AfterFunc(takes, deliver)
			}
		}).Proc)
		require.True(t, s.RunUntil(gate))
		return at
	}
	require.Equal(t, run(0), run(time.Millisecond))
}
