package soak

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/runnel-lang/runnel"
)

// script has a function for each thing that a host may ask for.
const script = `
import actor
import h
import host
import reactive

struct Node { n: int, next: Node? }
struct Pair { left: Pair?, right: Pair? }
enum Shape { Dot, Circle(r: float), Named(str, [int]) }

let total = mutex(0)
pub fn add(n: int) -> int { total.update(|x| x + n)
  n }
pub fn added() -> int { total.get() }
pub fn echo(x: any) -> any { x }
pub fn shape(s: Shape) -> Shape { s }
pub fn nodes(n: int) -> Node { var list: Node? = none
  for i in 0..n { list = Node(n - i, list) }
  list! }
pub fn sum(xs: [int]) -> int { xs.sum() }
pub fn slow(ms: int) -> int { sleep(ms * 1ms)
  ms }
pub fn fails(n: int) -> int { throw error("failed ${n}") }
pub fn fails_deep(n: int) -> int { defer sleep(1ms)
  scope { spawn { sleep(1ms)
      fails(n) }
    sleep(1h) }
  n }
pub fn loops() { loop {} }
pub fn waits() { chan<int>().recv() }
pub fn recurses(n: int) -> int { recurses(n + 1) + 1 }
pub fn caught(how: int) -> str { try { panics(how)
    "nothing" } catch e { e.message() } }
pub fn panics(how: int) -> int {
  match how {
    0 => h.func(1),
    1 => h.blocking(1),
    2 => h.twice(|n: int| h.func(n), 1),
    _ => h.twice(|n: int| h.blocking(n), 1),
  }
}
pub fn twice(n: int) -> int { h.twice(|x: int| x * 2, n) }
pub fn napped(n: int) -> int { h.nap(n) }
pub fn bomb() -> any { var x: any = 1
  for i in 0..60 { let y: [any] = [x, x]
    x = y }
  x }
pub fn pairs() -> Pair { var x = Pair(none, none)
  for i in 0..60 { x = Pair(x, x) }
  x }
pub fn takes_bomb() { h.take(bomb()) }
pub fn ring() -> any { let x: [any] = []
  x.push(x)
  x }
pub fn takes_ring() -> str { try { h.take(ring())
    "taken" } catch e { e.message() } }
pub fn leaves(n: int) { for i in 0..n { spawn { sleep(1h) }
    spawn { defer h.func(1)
      sleep(1h) }
    spawn { h.forever() } } }
pub fn doubles(from: chan<int>, to: chan<int>) -> int { var n = 0
  for x in from { to.send(2 * x)
    n += 1 }
  to.close()
  n }
pub fn emits(n: int) { for i in 0..n { host.emit(i) }
  host.emit(ring()) }
pub fn receives(n: int) -> int { var all = 0
  for i in 0..n { all += host.receive()! as int }
  all }
pub fn counter() -> fn(int) -> int { var n = 0
  |by| { n += by
    n } }
pub fn fills(n: int) -> int { let all: [[int]] = []
  for i in 0..n { all.push([i].repeat(1000)) }
  all.len() }
`

// module is what the host offers, much of which goes wrong.
func (w *world) module() *runnel.Module {
	h := runnel.NewModule("h", "What the host has.")
	ring := map[string]any{}
	ring["ring"] = ring
	panics := []any{"text", 1, errors.New("an error"), ring, struct{}{}}
	var n atomic.Int64
	boom := func(int) (int, error) { panic(panics[int(n.Add(1))%len(panics)]) }
	runnel.Func(h, "func", boom)
	runnel.Blocking(h, "blocking", boom)
	exit := func(int) int { runtime.Goexit(); return 0 }
	runnel.Func(h, "exit", exit)
	runnel.Blocking(h, "exit_later", exit)
	runnel.Func(h, "twice", func(ctx context.Context, f func(context.Context, int) (int, error), n int) (int, error) {
		x, err := f(ctx, n)
		if err != nil {
			return 0, err
		}
		return f(ctx, x)
	})
	runnel.Func(h, "take", func(any) {})
	runnel.Blocking(h, "nap", func(ctx context.Context, n int) (int, error) {
		select {
		case <-time.After(time.Millisecond):
			return n, nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	})
	runnel.Blocking(h, "forever", func(ctx context.Context) { <-ctx.Done() })
	return h
}

// sources are files of which one is written anew all the time.
type sources struct{ version atomic.Int64 }

// Open returns a module that knows its version.
func (s *sources) Open(name string) (fs.File, error) {
	text := "pub fn version() -> int { " + strconv.FormatInt(s.version.Load(), 10) + " }\n"
	return fstest.MapFS{"lib.rnl": {Data: []byte(text)}}.Open(name)
}

// keeper keeps functions of scripts, as hosts do, and forgets them late.
type keeper struct {
	mu sync.Mutex
	fs []func(context.Context, int) (int, error)
}

func (k *keeper) keep(f func(context.Context, int) (int, error)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.fs) < 100 {
		k.fs = append(k.fs, f)
	} else {
		k.fs[0] = f
	}
}

func (k *keeper) any(n int) func(context.Context, int) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.fs) == 0 {
		return nil
	}
	return k.fs[n%len(k.fs)]
}

func (k *keeper) release() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fs = nil
}
