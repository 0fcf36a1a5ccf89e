package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
)

// tenantSource does something of everything for a while, and then says so.
const tenantSource = `
import place

pub fn compute(n: int) -> int { var x = 0; for i in 0..n { x += i }; x }
pub fn spawns(n: int) -> int { await_all((0..n).map(|i| spawn { sleep(1ms * (i % 3)); i })).sum() }
pub fn waits(n: int) -> int { place.slow(n) }
pub fn garbage(n: int) -> int { (0..n).map(|i| [i, i + 1]).map(|l| l[1]).sum() }
pub fn chat(n: int) -> int {
  let there = chan<int>()
  let back = chan<int>()
  let echo = spawn { for x in there { back.send(x + 1) } }
  var sum = 0
  for i in 0..n { there.send(i); sum += back.recv()! }
  there.close()
  await echo
  sum
}
let background = spawn { loop { sleep(5ms); spawns(3) } }
`

// TestSoakOfTenants has instances come and go that share one reactor, with limits, kills and
// natives that take their time, while one of them ticks: nothing leaks, no wake is lost, and
// the ticker goes on.
//
//	go test ./bench/soak -run Tenants -soak 30m -v -timeout 40m
func TestSoakOfTenants(t *testing.T) {
	const tenants = 200
	r := runnel.NewReactor(runnel.ReactorOptions{})
	m := runnel.NewModule("place", "What takes its time.")
	runnel.Func(m, "slow", func(n int) int { time.Sleep(time.Duration(n) * 100 * time.Microsecond); return n })
	var programs []*runnel.Program
	for i := range 12 {
		limits := runnel.Limits{Memory: 1 << (20 + i%5), CallSteps: 1_000_000, Tasks: 2000}
		rt := runnel.MustNew(runnel.WithModules(m), runnel.WithReactor(r), runnel.WithWeight(1+i%4), runnel.WithWorkers(1+i%3), runnel.WithLimits(limits))
		defer rt.Close()
		p, err := rt.Compile("tenant.rnl", tenantSource)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	base := measure()
	t.Logf("%8s %s", "begins", base)
	ends := time.Now().Add(*length)
	var calls, killed, limited, made atomic.Int64
	var all sync.WaitGroup
	for i := range tenants {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(i), *seed))
			for time.Now().Before(ends) && !t.Failed() {
				in, err := programs[rnd.IntN(len(programs))].Start(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				made.Add(1)
				for n := rnd.IntN(40); n > 0 && time.Now().Before(ends); n-- {
					tenantCall(t, in, rnd, &killed, &limited)
					calls.Add(1)
					time.Sleep(min(time.Duration(rnd.IntN(2000))*time.Millisecond, time.Until(ends)))
				}
				if rnd.IntN(4) == 0 {
					in.Stop()
				}
				in.Close()
			}
		})
	}
	late := tick(t, r, ends)
	all.Wait()
	slices.Sort(late)
	t.Logf("%d instances, %d calls, %d of them killed, %d limited; a ticker of 1 ms was late by %v (p50), %v (p99), %v at most, %d ticks",
		made.Load(), calls.Load(), killed.Load(), limited.Load(), late[len(late)/2], late[len(late)*99/100], late[len(late)-1], len(late))
	time.Sleep(time.Second)
	last := measure()
	t.Logf("%8s %s", "ends", last)
	if n := last.goroutines - base.goroutines; n > 5 {
		t.Errorf("%d goroutines are left:\n%s", n, stacks())
	}
}

// tenantCall calls one of the functions, and now and then cuts it short.
func tenantCall(t *testing.T, in *runnel.Instance, rnd *rand.Rand, killed, limited *atomic.Int64) {
	ctx, cancel := context.WithTimeout(context.Background(), stuckAfter)
	defer cancel()
	kill := rnd.IntN(10) == 0
	if kill {
		short, end := context.WithTimeout(ctx, time.Duration(rnd.IntN(3000))*time.Microsecond)
		defer end()
		ctx = short
	}
	name := []string{"compute", "spawns", "waits", "garbage", "chat"}[rnd.IntN(5)]
	n := 1 + rnd.IntN(100)
	if name == "compute" || name == "garbage" {
		n *= 1000
	}
	f, err := runnel.Bind1[int, int](in, name)
	if err != nil {
		t.Error(err)
		return
	}
	_, err = f(ctx, n)
	switch limit := (*runnel.Error)(nil); {
	case err == nil:
	case kill && ctx.Err() != nil:
		killed.Add(1)
	case errors.As(err, &limit) && strings.Contains(err.Error(), "limit"):
		limited.Add(1)
	case errors.Is(err, runnel.ErrClosed) || strings.Contains(err.Error(), "stopped"):
		limited.Add(1)
	default:
		t.Errorf("%s(%d): %v", name, n, err)
	}
}

// tick measures how late an instance is that sleeps.
func tick(t *testing.T, r *runnel.Reactor, ends time.Time) (late []time.Duration) {
	rt := runnel.MustNew(runnel.WithReactor(r), runnel.WithWeight(100)) // it needs more than the two-hundredth part
	defer rt.Close()
	p, err := rt.Compile("ticker.rnl", "pub fn tick(n: int) -> int { sleep(1ms); n }")
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f, err := runnel.Bind1[int, int](in, "tick")
	if err != nil {
		t.Fatal(err)
	}
	for time.Now().Before(ends) && !t.Failed() {
		begun := time.Now()
		if _, err := f(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		late = append(late, time.Since(begun)-time.Millisecond)
	}
	return late
}
