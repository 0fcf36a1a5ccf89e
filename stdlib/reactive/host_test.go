package reactive_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/reactive"
	"github.com/runnel-lang/runnel/vm/host"
)

// shop has cells that a host writes, what is computed from them, and how often.
const shop = `
import reactive
pub let price = reactive.cell(2.5, name: "price")
pub let count = reactive.cell(4, name: "count")
pub let total = reactive.computed(|| price.get() * float(count.get()), name: "total")
pub struct Line { let price: float, let count: int }
pub let line = reactive.computed(|| Line(price.get(), count.get()))
pub let tags = reactive.cell(["new"])
pub let note: reactive.Cell<str?> = reactive.cell(none)
pub let checked = reactive.computed(|| if count.get() < 0 { throw error("too few") } else { count.get() }, name: "checked")
pub let small: reactive.Cell<int> = reactive.cell(1)
pub let even = reactive.computed(|| count.get() % 2 == 0)
pub let secret = 1

let seen: [float] = []
reactive.effect(|| seen.push(total.get()))
pub fn effects() -> [float] { seen.copy() }

pub struct Desk { let price: reactive.Cell<float>, let total: reactive.Computed<float> }
pub fn desk() -> Desk { Desk(price, total) }
pub fn raise(c: reactive.Cell<float>, by: float) { c.update(|x| x + by) }
pub fn order(p: float, n: int) { reactive.batch(|| { price.set(p); count.set(n) }) }

// count goes up to the limit in one wave, a step at a time.
pub let limit = reactive.cell(0)
pub fn climb() { reactive.effect(|| if count.get() < limit.get() { count.update(|n| n + 1) }) }
pub fn broken() { reactive.effect(|| if count.get() == 13 { throw error("unlucky") }, name: "guard") }
pub fn wait(ch: chan<bool>) { ch.recv() }
pub fn hold(go_on: chan<bool>) { reactive.batch(|| { price.set(50.0); go_on.recv(); price.set(51.0); go_on.recv() }) }
`

// withReactive starts a script; at the end of the test nothing of it may be left.
func withReactive(t *testing.T, src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	leaktest.Check(t)
	return runneltest.Runner{Modules: []*runnel.Module{reactive.Module}, Options: opts}.Start(t, src)
}

func cellOf[T any](t *testing.T, in *runnel.Instance, name string) *reactive.Cell[T] {
	t.Helper()
	c, err := runnel.Get[*reactive.Cell[T]](in, name)
	require.NoError(t, err)
	return c
}

func valueOf[T any](t *testing.T, in *runnel.Instance, name string) *reactive.Value[T] {
	t.Helper()
	v, err := runnel.Get[*reactive.Value[T]](in, name)
	require.NoError(t, err)
	return v
}

func requireValue[T any](t *testing.T, want T, v interface {
	Get(context.Context) (T, error)
}) {
	t.Helper()
	x, err := v.Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, x)
}

func TestCellsAreReadAndWritten(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	price, total := cellOf[float64](t, inst, "price"), valueOf[float64](t, inst, "total")
	require.Equal(t, "price", price.Name())
	requireValue(t, 2.5, price)
	requireValue(t, 10, total)
	require.NoError(t, price.Set(ctx, 3))
	requireValue(t, 12, total)
	require.NoError(t, price.Set(ctx, 3), "no change")
	requireValue(t, 3, valueOf[float64](t, inst, "price"))

	x, err := price.Update(ctx, func(x float64) float64 { return x + 1 })
	require.NoError(t, err)
	require.Equal(t, 4.0, x)
	effects, err := inst.Call(ctx, "effects")
	require.NoError(t, err)
	require.Equal(t, []any{10.0, 12.0, 16.0}, effects, "an effect has run on return, and only after a change")

	tags, note := cellOf[[]string](t, inst, "tags"), cellOf[*string](t, inst, "note")
	require.NoError(t, tags.Set(ctx, []string{"a", "b"}))
	requireValue(t, []string{"a", "b"}, tags)
	requireValue(t, nil, note)
	text := "fragile"
	require.NoError(t, note.Set(ctx, &text))
	requireValue(t, &text, note)
	require.NoError(t, note.Set(ctx, nil))
	requireValue(t, nil, note)

	type Line struct {
		Price float64
		Count int
	}
	requireValue(t, Line{4, 4}, valueOf[Line](t, inst, "line"))
	requireValue(t, any(map[string]any{"price": 4.0, "count": 4}), valueOf[any](t, inst, "line"))
}

func TestCellsComeFromFunctionsAndGoBack(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	desk, err := runnel.Bind0[struct {
		Price *reactive.Cell[float64]
		Total *reactive.Value[float64]
	}](inst, "desk")
	require.NoError(t, err)
	d, err := desk(ctx)
	require.NoError(t, err)
	raise, err := runnel.Bind2[*reactive.Cell[float64], float64, runnel.None](inst, "raise")
	require.NoError(t, err)
	_, err = raise(ctx, d.Price, 7.5)
	require.NoError(t, err)
	requireValue(t, 40, d.Total)

	loose, err := inst.Call(ctx, "desk")
	require.NoError(t, err)
	cell := loose.(map[string]any)["price"].(*reactive.Cell[any])
	requireValue(t, any(10.0), cell)
	require.NoError(t, cell.Set(ctx, 1.0))
	requireValue(t, 4, d.Total)
	require.ErrorContains(t, cell.Set(ctx, "much"), "string is not a Go type for float")
	_, err = inst.Call(ctx, "raise", cell, 1.0)
	require.NoError(t, err)
	requireValue(t, 8, d.Total)

	_, err = raise(ctx, nil, 1)
	require.ErrorContains(t, err, "a nil *reactive.Cell was given")
	other := withReactive(t, shop)
	_, err = raise(ctx, cellOf[float64](t, other, "price"), 1)
	require.ErrorContains(t, err, "price belongs to another instance")
	err = reactive.Batch(ctx, d.Price.To(1), cellOf[float64](t, other, "price").To(2))
	require.ErrorContains(t, err, "price and price are of different instances")
	requireValue(t, 8, d.Total)
	d.Price.Release()
}

func TestCellsOfTheWrongType(t *testing.T) {
	inst := withReactive(t, shop)
	wrong := func(err error, texts ...string) {
		t.Helper()
		require.Error(t, err)
		for _, text := range texts {
			require.ErrorContains(t, err, text)
		}
	}
	_, err := runnel.Get[*reactive.Cell[string]](inst, "price")
	wrong(err, "cannot read `price`", "*reactive.Cell of a Cell<float>", "string is not a Go type for float")
	_, err = runnel.Get[*reactive.Cell[float64]](inst, "total")
	wrong(err, "a Computed<float> cannot be set: it is a *reactive.Value in Go")
	_, err = runnel.Get[*reactive.Value[int]](inst, "secret")
	wrong(err, "*reactive.Value is not a Go type for int")
	_, err = runnel.Bind0[*reactive.Value[int]](inst, "desk")
	wrong(err, "*reactive.Value is not a Go type for Desk")

	small := cellOf[uint64](t, inst, "small")
	wrong(small.Set(t.Context(), 1<<63), "reactive: cell#", "does not fit an int")
	count, narrow := cellOf[int](t, inst, "count"), cellOf[int8](t, inst, "count")
	require.NoError(t, count.Set(t.Context(), 1000))
	_, err = narrow.Get(t.Context())
	wrong(err, "1000 does not fit Go's int8")
	wrong(reactive.Batch(t.Context(), count.To(1), small.To(1<<63)), "does not fit an int")
	requireValue(t, 1000, count)
}

func TestErrorsOfComputedsReachTheHost(t *testing.T) {
	inst := withReactive(t, shop)
	checked := valueOf[int](t, inst, "checked")
	count := cellOf[int](t, inst, "count")
	requireValue(t, 4, checked)
	require.NoError(t, count.Set(t.Context(), -1))
	_, err := checked.Get(t.Context())
	var e *runnel.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "too few", e.Message)
}

// record keeps what a subscriber is called with.
type record[T any] struct {
	mu   sync.Mutex
	list []T
}

func (r *record[T]) add(x T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, x)
}

func (r *record[T]) all() []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]T{}, r.list...)
}

func TestSubscribersHearOfEachWave(t *testing.T) {
	for name, opt := range map[string]runnel.Option{"free": runnel.WithWorkers(2), "seed": runnel.WithSeed(1), "races": runnel.WithRace()} {
		t.Run(name, func(t *testing.T) {
			inst := withReactive(t, shop, opt)
			defer func() { require.Empty(t, inst.Races()) }()
			ctx := t.Context()
			price, count, total := cellOf[float64](t, inst, "price"), cellOf[int](t, inst, "count"), valueOf[float64](t, inst, "total")
			var heard record[float64]
			stop, err := total.Subscribe(ctx, heard.add)
			require.NoError(t, err)
			idle := func() { t.Helper(); require.NoError(t, reactive.Idle(ctx, inst)) }
			idle()
			require.NoError(t, price.Set(ctx, 5))
			idle()
			require.NoError(t, price.Set(ctx, 5))
			require.NoError(t, reactive.Batch(ctx, price.To(10), count.To(2)), "the same total")
			idle()
			require.NoError(t, reactive.Batch(ctx, price.To(1), count.To(9)))
			idle()
			_, err = inst.Call(ctx, "order", 2.0, 9)
			require.NoError(t, err)
			idle()
			stop()
			stop()
			require.NoError(t, price.Set(ctx, 100))
			idle()
			require.Equal(t, []float64{10, 20, 9, 18}, heard.all())
		})
	}
}

func TestSubscribersHearOnlyOfOtherValues(t *testing.T) {
	inst := withReactive(t, shop)
	var heard record[bool]
	_, err := valueOf[bool](t, inst, "even").Subscribe(t.Context(), heard.add)
	require.NoError(t, err)
	count := cellOf[int](t, inst, "count")
	for _, n := range []int{6, 8, 9, 11, 12} {
		require.NoError(t, reactive.Idle(t.Context(), inst))
		require.NoError(t, count.Set(t.Context(), n))
	}
	require.NoError(t, reactive.Idle(t.Context(), inst))
	require.Equal(t, []bool{true, false, true}, heard.all())
}

// What a wave goes through is not heard, only what it leads to.
func TestSubscribersHearOfTheEndOfAWave(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	var heard, both record[int]
	count, limit := cellOf[int](t, inst, "count"), cellOf[int](t, inst, "limit")
	_, err := count.Subscribe(ctx, heard.add)
	require.NoError(t, err)
	_, err = inst.Call(ctx, "climb")
	require.NoError(t, err)
	_, err = count.Subscribe(ctx, both.add)
	require.NoError(t, err)
	require.NoError(t, reactive.Idle(ctx, inst))
	require.NoError(t, limit.Set(ctx, 90))
	require.NoError(t, reactive.Idle(ctx, inst))
	require.Equal(t, []int{4, 90}, heard.all())
	require.Equal(t, []int{4, 90}, both.all())
}

func TestASlowSubscriberGetsTheNewestValue(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	price := cellOf[float64](t, inst, "price")
	var heard record[float64]
	began, goOn := make(chan bool, 10), make(chan bool)
	_, err := price.Subscribe(ctx, func(x float64) {
		heard.add(x)
		began <- true
		<-goOn
	})
	require.NoError(t, err)
	<-began
	for i := range 100 {
		require.NoError(t, price.Set(ctx, float64(i)), "nobody waits for the subscriber")
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, reactive.Idle(short, inst), context.DeadlineExceeded)
	close(goOn)
	require.NoError(t, reactive.Idle(ctx, inst))
	require.Equal(t, []float64{2.5, 99}, heard.all())
}

func TestValuesAreAChannel(t *testing.T) {
	inst := withReactive(t, shop)
	ctx, cancel := context.WithCancel(t.Context())
	price := cellOf[float64](t, inst, "price")
	values, err := price.Values(ctx)
	require.NoError(t, err)
	require.Equal(t, 2.5, <-values)
	require.NoError(t, price.Set(ctx, 3))
	require.Equal(t, 3.0, <-values)
	for i := range 50 {
		require.NoError(t, price.Set(ctx, float64(i)))
	}
	require.NoError(t, reactive.Idle(ctx, inst))
	require.Equal(t, 49.0, <-values, "what was not taken is overtaken")
	cancel()
	_, open := <-values
	require.False(t, open)
	require.NoError(t, price.Set(t.Context(), 5))

	_, err = price.Values(ctx)
	require.ErrorIs(t, err, context.Canceled)
	values, err = price.Values(t.Context())
	require.NoError(t, err)
	inst.Close()
	for range values { // and it ends
	}
	require.ErrorIs(t, price.Set(t.Context(), 1), runnel.ErrClosed)
	_, err = price.Get(t.Context())
	require.ErrorIs(t, err, runnel.ErrClosed)
	_, err = price.Values(t.Context())
	require.ErrorIs(t, err, runnel.ErrClosed)
	require.ErrorIs(t, reactive.Idle(t.Context(), inst), runnel.ErrClosed)
}

func TestSubscribersMayUseTheScript(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	price, count, total := cellOf[float64](t, inst, "price"), cellOf[int](t, inst, "count"), valueOf[float64](t, inst, "total")
	var stop func()
	ready := make(chan bool)
	stop, err := count.Subscribe(ctx, func(n int) {
		<-ready
		if n < 10 {
			assert.NoError(t, count.Set(ctx, n+1))
		} else {
			stop()
		}
	})
	require.NoError(t, err)
	close(ready)
	require.NoError(t, reactive.Idle(ctx, inst))
	requireValue(t, 10, count)
	require.NoError(t, price.Set(ctx, 1))
	require.NoError(t, count.Set(ctx, 3))
	require.NoError(t, reactive.Idle(ctx, inst))
	requireValue(t, 3, total)
}

func TestErrorsOfEffectsAndSubscribersAreTold(t *testing.T) {
	inst := withReactive(t, shop)
	ctx := t.Context()
	count, checked := cellOf[int](t, inst, "count"), valueOf[int](t, inst, "checked")
	_, err := inst.Call(ctx, "broken")
	require.NoError(t, err)
	var told record[reactive.Failure]
	stop, err := reactive.OnError(inst, told.add)
	require.NoError(t, err)
	last := func() reactive.Failure {
		t.Helper()
		require.NoError(t, reactive.Idle(ctx, inst))
		all := told.all()
		require.NotEmpty(t, all)
		return all[len(all)-1]
	}
	require.NoError(t, count.Set(ctx, 13))
	require.Equal(t, "guard", last().Name)
	var e *runnel.Error
	require.ErrorAs(t, last().Err, &e)
	require.Equal(t, "unlucky", e.Message)
	require.Contains(t, fmt.Sprint(e.Trace), "script.rnl")

	var heard record[int]
	_, err = checked.Subscribe(ctx, heard.add)
	require.NoError(t, err)
	require.NoError(t, count.Set(ctx, -1))
	require.Equal(t, "subscription of checked", last().Name)
	require.ErrorContains(t, last().Err, "too few")
	require.NoError(t, count.Set(ctx, 7))
	require.NoError(t, reactive.Idle(ctx, inst))
	require.Equal(t, []int{13, 7}, heard.all(), "it goes on")

	var calls atomic.Int64
	_, err = count.Subscribe(ctx, func(n int) {
		if calls.Add(1); n == 8 {
			panic(errors.New("no eights"))
		}
	})
	require.NoError(t, err)
	require.NoError(t, reactive.Idle(ctx, inst))
	require.NoError(t, count.Set(ctx, 8))
	require.Equal(t, "a subscriber of count", last().Name)
	var p *host.Panic
	require.ErrorAs(t, last().Err, &p)
	require.Contains(t, string(p.Stack), "TestErrorsOfEffectsAndSubscribersAreTold")
	require.NoError(t, count.Set(ctx, 9))
	require.NoError(t, reactive.Idle(ctx, inst))
	require.EqualValues(t, 3, calls.Load(), "it goes on")
	require.Len(t, told.all(), 3)

	require.Empty(t, inst.Unhandled())
	endBad, err := reactive.OnError(inst, func(reactive.Failure) { panic("worse") })
	require.NoError(t, err)
	require.NoError(t, count.Set(ctx, 13))
	require.Equal(t, "guard", last().Name)
	require.Len(t, told.all(), 4, "a listener's panic is not told to listeners")
	all := inst.Unhandled()
	require.Len(t, all, 1)
	require.ErrorContains(t, all[0], "worse")
	endBad()
	stop()
	require.NoError(t, count.Set(ctx, 1))
	require.NoError(t, count.Set(ctx, 13))
	require.NoError(t, reactive.Idle(ctx, inst))
	require.Len(t, told.all(), 4)
	all = inst.Unhandled()
	require.Len(t, all, 1)
	require.ErrorContains(t, all[0], "unlucky")
}

func TestManyGoroutinesUseCells(t *testing.T) {
	for name, opt := range map[string]runnel.Option{
		"one worker": runnel.WithWorkers(1), "four workers": runnel.WithWorkers(4), "looking for races": runnel.WithRace(),
	} {
		t.Run(name, func(t *testing.T) {
			inst := withReactive(t, shop, opt)
			defer func() { require.Empty(t, inst.Races()) }()
			rounds := 50
			if name == "looking for races" {
				rounds = 10 // each call is a task more to tell apart
			}
			ctx := t.Context()
			price, count := cellOf[float64](t, inst, "price"), cellOf[int](t, inst, "count")
			line := valueOf[struct {
				Price float64
				Count int
			}](t, inst, "line")
			require.NoError(t, reactive.Batch(ctx, price.To(0), count.To(0)))
			whole := func(l struct {
				Price float64
				Count int
			}) {
				assert.Equal(t, float64(l.Count), l.Price, "never half of a batch")
			}
			var running atomic.Int64
			var newest atomic.Int64
			stop, err := line.Subscribe(ctx, func(l struct {
				Price float64
				Count int
			}) {
				assert.EqualValues(t, 1, running.Add(1), "never two at a time")
				whole(l)
				newest.Store(int64(l.Count))
				running.Add(-1)
			})
			require.NoError(t, err)
			waiting, cancel := context.WithCancel(ctx)
			defer cancel()
			ch, err := runnel.NewChan[bool](inst, 0)
			require.NoError(t, err)
			task, err := inst.Spawn(waiting, "wait", ch)
			require.NoError(t, err)
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					for j := range rounds {
						n := 100*i + j
						assert.NoError(t, reactive.Batch(ctx, price.To(float64(n)), count.To(n)))
						l, err := line.Get(ctx)
						assert.NoError(t, err)
						whole(l)
					}
				})
			}
			all.Wait()
			require.NoError(t, reactive.Idle(ctx, inst))
			l, err := line.Get(ctx)
			require.NoError(t, err)
			require.EqualValues(t, l.Count, newest.Load())
			stop()

			require.NoError(t, count.Set(ctx, 0))
			for range 8 {
				all.Go(func() {
					for range rounds {
						_, err := count.Update(ctx, func(n int) int { return n + 1 })
						assert.NoError(t, err)
					}
				})
			}
			all.Wait()
			requireValue(t, 8*rounds, count)
			cancel()
			_, err = task.Wait(ctx)
			require.Error(t, err)
		})
	}
}

func TestASubscriberMayEndItsGoroutine(t *testing.T) {
	inst := withReactive(t, shop)
	count := cellOf[int](t, inst, "count")
	var heard record[int]
	_, err := count.Subscribe(t.Context(), func(n int) {
		heard.add(n)
		runtime.Goexit()
	})
	require.NoError(t, err)
	short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	require.NoError(t, reactive.Idle(short, inst))
	require.NoError(t, count.Set(t.Context(), 5))
	require.NoError(t, reactive.Idle(short, inst))
	require.Equal(t, []int{4, 5}, heard.all())
}

func TestWaitingForABatchEndsWithTheContext(t *testing.T) {
	inst := withReactive(t, shop)
	price := cellOf[float64](t, inst, "price")
	var heard record[float64]
	_, err := price.Subscribe(t.Context(), heard.add)
	require.NoError(t, err)
	require.NoError(t, reactive.Idle(t.Context(), inst))
	ch, err := runnel.NewChan[bool](inst, 0)
	require.NoError(t, err)
	task, err := inst.Spawn(t.Context(), "hold", ch)
	require.NoError(t, err)
	require.NoError(t, ch.Send(t.Context(), true)) // it is in the middle of its batch now

	short, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	_, err = price.Get(short)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, price.Set(short, 1), context.DeadlineExceeded)
	_, err = price.Values(short)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, reactive.Idle(short, inst), context.DeadlineExceeded)
	require.Equal(t, []float64{2.5}, heard.all())

	require.NoError(t, ch.Send(t.Context(), true))
	_, err = task.Wait(t.Context())
	require.NoError(t, err)
	requireValue(t, 51, price)
	require.NoError(t, reactive.Idle(t.Context(), inst))
	require.Equal(t, []float64{2.5, 51}, heard.all())
}

func TestCloseEndsSubscriptions(t *testing.T) {
	inst := withReactive(t, shop)
	price := cellOf[float64](t, inst, "price")
	busy, goOn := make(chan bool), make(chan bool)
	var after atomic.Bool
	_, err := price.Subscribe(t.Context(), func(float64) {
		if !after.Load() {
			busy <- true
			<-goOn
			return
		}
		t.Error("called after Close")
	})
	require.NoError(t, err)
	<-busy
	require.NoError(t, price.Set(t.Context(), 7))
	inst.Close()
	after.Store(true)
	close(goOn)
	_, err = price.Subscribe(t.Context(), func(float64) {})
	require.ErrorIs(t, err, runnel.ErrClosed)
	_, err = reactive.OnError(inst, func(reactive.Failure) {})
	require.ErrorIs(t, err, runnel.ErrClosed)
}

func TestScriptsWithoutReactive(t *testing.T) {
	inst := withReactive(t, "print(1)")
	_, err := reactive.OnError(inst, func(reactive.Failure) {})
	require.ErrorContains(t, err, "does not import module reactive")
	require.ErrorContains(t, reactive.Idle(t.Context(), inst), "does not import module reactive")
}
