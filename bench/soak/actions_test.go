package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// hand is a goroutine that does something in the world.
type hand struct {
	*rand.Rand
	*soak
	world *world
}

// action is something that a host does.
type action struct {
	name   string
	weight int
	do     func(*hand)
}

var actions = []action{
	{"add", 20, (*hand).add},
	{"echo", 20, (*hand).echo},
	{"typed calls", 20, (*hand).typed},
	{"errors", 10, (*hand).errors},
	{"panics", 10, (*hand).panics},
	{"callbacks", 10, (*hand).callbacks},
	{"cancelled calls", 10, (*hand).cancelled},
	{"graphs", 5, (*hand).graphs},
	{"channels", 8, (*hand).channels},
	{"messages", 8, (*hand).messages},
	{"kept functions", 8, (*hand).keptFunctions},
	{"limits", 3, (*hand).limits},
	{"own instances", 8, (*hand).ownInstance},
	{"forgotten instances", 3, (*hand).forget},
	{"closed while used", 3, (*hand).closeShared},
	{"sessions", 2, (*hand).session},
	{"sources", 3, (*hand).replaceSources},
	{"processes", 5, (*hand).process},
	{"closed runtimes", 1, (*hand).closeRuntime},
}

func pick(r *rand.Rand) action {
	all := 0
	for _, a := range actions {
		all += a.weight
	}
	n := r.IntN(all)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			return a
		}
	}
	panic("unreachable")
}

// fail tells of what must not be.
func (h *hand) fail(format string, args ...any) {
	if !h.t.Failed() {
		h.t.Errorf(format, args...)
	}
}

// cutShort reports errors that have a good reason: the instance or all is being
// closed, the context has ended, or what all calls of an instance share was used up by
// another one.
func (h *hand) cutShort(sh *shared, err error) bool {
	if errors.Is(err, runnel.ErrClosed) {
		return h.world.closed.Load() || sh != nil && sh.closed.Load()
	}
	var e *runnel.Error
	for errors.As(err, &e) { // that of a call in a native in a call
		if e.Limit == vm.ErrMemory || e.Limit == vm.ErrTasks {
			return true
		}
		err = e.Unwrap()
	}
	return false
}

// use has f use one of the shared instances.
func (h *hand) use(f func(sh *shared)) {
	sh := h.world.shared[h.IntN(len(h.world.shared))]
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	f(sh)
}

// expect calls a function that must give a value.
func (h *hand) expect(sh *shared, want any, name string, args ...any) {
	got, err := sh.inst.Call(context.Background(), name, args...)
	switch {
	case h.cutShort(sh, err):
	case err != nil:
		h.fail("%s: %v", name, err)
	case !reflect.DeepEqual(got, want):
		h.fail("%s gives %#v, not %#v", name, got, want)
	}
}

// soon is a context that ends in a moment.
func (h *hand) soon() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Duration(h.IntN(3000))*time.Microsecond, cancel)
	return ctx, cancel
}

func (h *hand) add() {
	h.use(func(sh *shared) {
		n := h.IntN(100)
		ctx, cancel := context.Background(), func() {}
		if h.IntN(4) == 0 {
			ctx, cancel = h.soon()
		}
		defer cancel()
		sh.maybe.Add(int64(n))
		got, err := sh.inst.Call(ctx, "add", n)
		if err == nil {
			sh.sure.Add(int64(n))
			if got != n {
				h.fail("add(%d) gives %v", n, got)
			}
		} else if !h.cutShort(sh, err) && !errors.Is(err, context.Canceled) {
			h.fail("add: %v", err)
		}
		least := sh.sure.Load()
		got, err = sh.inst.Call(context.Background(), "added")
		most := sh.maybe.Load()
		if err == nil && (int64(got.(int)) < least || int64(got.(int)) > most) {
			h.fail("%d were added, not %d to %d", got, least, most)
		} else if err != nil && !h.cutShort(sh, err) {
			h.fail("added: %v", err)
		}
	})
}

// value makes a value that comes back as it is.
func (h *hand) value(deep int) any {
	switch n := h.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return h.IntN(1000)
	case n == 2:
		return h.Float64()
	case n == 3:
		return strings.Repeat("häß", h.IntN(2000))
	case n == 4:
		return time.Duration(h.IntN(1000))
	case n == 5:
		return []byte{byte(h.IntN(256))}
	case n == 6 || deep == 0:
		return h.IntN(2) == 0
	case n == 7:
		xs := make([]any, h.IntN(10))
		for i := range xs {
			xs[i] = h.value(deep - 1)
		}
		return xs
	}
	m := map[string]any{}
	for i := range h.IntN(6) {
		m[fmt.Sprint(i)] = h.value(deep - 1)
	}
	return m
}

func (h *hand) echo() {
	h.use(func(sh *shared) {
		v := h.value(4)
		h.expect(sh, v, "echo", v)
		s := runnel.Variant{Name: "Named", Values: []any{"x", []any{h.IntN(5), 2}}}
		h.expect(sh, s, "shape", s)
	})
}

type node struct {
	N    int
	Next *node
}

func (h *hand) typed() {
	h.use(func(sh *shared) {
		sum, err := runnel.Bind1[[]int, int](sh.inst, "sum")
		if err != nil {
			h.fail("sum: %v", err)
			return
		}
		xs, want := make([]int, h.IntN(3000)), 0
		for i := range xs {
			xs[i] = h.IntN(1000)
			want += xs[i]
		}
		if got, err := sum(context.Background(), xs); !h.cutShort(sh, err) && (err != nil || got != want) {
			h.fail("sum gives %d, %v, not %d", got, err, want)
		}
		nodes, err := runnel.Bind1[int, node](sh.inst, "nodes")
		if err != nil {
			h.fail("nodes: %v", err)
			return
		}
		n := 1 + h.IntN(300)
		list, err := nodes(context.Background(), n)
		if h.cutShort(sh, err) {
			return
		}
		got := 0
		for at := &list; at != nil && err == nil; at = at.Next {
			got++
		}
		if err != nil || got != n {
			h.fail("nodes(%d) gives %d, %v", n, got, err)
		}
	})
}

func (h *hand) errors() {
	h.use(func(sh *shared) {
		name, n := []string{"fails", "fails_deep"}[h.IntN(2)], h.IntN(100)
		_, err := sh.inst.Call(context.Background(), name, n)
		if !h.cutShort(sh, err) && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("failed %d", n))) {
			h.fail("%s: %v", name, err)
		}
		var e *runnel.Error
		if _, err = sh.inst.Call(context.Background(), "recurses", 1); !h.cutShort(sh, err) && (!errors.As(err, &e) || e.Limit != vm.ErrStack) {
			h.fail("recurses: %v", err)
		}
	})
}

func (h *hand) panics() {
	h.use(func(sh *shared) {
		how := h.IntN(4)
		got, err := sh.inst.Call(context.Background(), "caught", how)
		if sh.closed.Load() || h.world.closed.Load() {
			return // the end of what a native has called is told to that native
		}
		text, _ := got.(string)
		short := h.cutShort(sh, err) || strings.Contains(text, "the memory limit of") // that of a call in the native
		if !short && (err != nil || !strings.Contains(text, "panic: ")) {
			h.fail("a panic (%d) is %v, %v", how, got, err)
		}
		_, err = sh.inst.Call(context.Background(), "panics", how)
		var p *host.Panic
		if !h.cutShort(sh, err) && !errors.As(err, &p) {
			h.fail("a panic (%d) that nobody catches is %v", how, err)
		}
	})
}

func (h *hand) callbacks() {
	h.use(func(sh *shared) {
		n := h.IntN(1000)
		h.expect(sh, 4*n, "twice", n)
		h.expect(sh, n, "napped", n)
	})
}

func (h *hand) cancelled() {
	h.use(func(sh *shared) {
		name, args := "loops", []any{}
		switch h.IntN(3) {
		case 0:
			name = "waits"
		case 1:
			name, args = "slow", []any{1000}
		}
		ctx, cancel := h.soon()
		defer cancel()
		_, err := sh.inst.Call(ctx, name, args...)
		var e *runnel.Error
		if !h.cutShort(sh, err) && !errors.Is(err, context.Canceled) && !(name == "waits" && errors.As(err, &e) && e.Kind == "Deadlock") {
			h.fail("%s, cancelled: %v", name, err)
		}
	})
}

func (h *hand) graphs() {
	h.use(func(sh *shared) {
		name := []string{"bomb", "pairs", "ring"}[h.IntN(3)]
		ctx, cancel := context.Background(), func() {}
		if h.IntN(2) == 0 {
			ctx, cancel = h.soon()
		}
		defer cancel()
		_, err := sh.inst.Call(ctx, name)
		if !h.cutShort(sh, err) && !errors.Is(err, context.Canceled) && (name != "ring" || err == nil || !strings.Contains(err.Error(), "contains itself")) {
			h.fail("%s: %v", name, err)
		}
		got, err := sh.inst.Call(context.Background(), "takes_ring")
		if text, _ := got.(string); !h.cutShort(sh, err) && !strings.Contains(text, "contains itself") {
			h.fail("takes_ring: %v, %v", got, err)
		}
		if _, err := sh.inst.Call(context.Background(), "takes_bomb"); err == nil {
			h.fail("a native has got a value that does not fit")
		}
		loop := []any{nil}
		loop[0] = map[string]any{"loop": loop}
		if _, err := sh.inst.Call(context.Background(), "echo", loop); !h.cutShort(sh, err) && (err == nil || !strings.Contains(err.Error(), "contains itself")) {
			h.fail("echo of a ring: %v", err)
		}
	})
}

// channels has the script double numbers that come and go by channels; now and then
// the host leaves in the middle.
func (h *hand) channels() {
	h.use(func(sh *shared) {
		from, err := runnel.NewChan[int](sh.inst, h.IntN(4))
		to, err2 := runnel.NewChan[int](sh.inst, h.IntN(4))
		if err != nil || err2 != nil {
			h.fail("NewChan: %v, %v", err, err2)
			return
		}
		defer from.Release()
		defer to.Release()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		leaves := h.IntN(3) == 0
		if leaves {
			time.AfterFunc(time.Duration(h.IntN(2000))*time.Microsecond, cancel)
		}
		doubles, err := runnel.Bind2[*runnel.Chan[int], *runnel.Chan[int], int](sh.inst, "doubles")
		if err != nil {
			h.fail("doubles: %v", err)
			return
		}
		count := h.IntN(50)
		var rest sync.WaitGroup
		var doubled int
		var failed, unsent error
		rest.Go(func() {
			if doubled, failed = doubles(ctx, from, to); failed != nil {
				cancel() // nobody takes or gives any more
			}
		})
		rest.Go(func() {
			for i := 0; i < count && unsent == nil; i++ {
				unsent = from.Send(ctx, i)
			}
			_ = from.Close()
		})
		got := 0
		for x := range to.All(ctx) {
			if x != 2*got {
				h.fail("%d is the double of %d", x, got)
			}
			got++
		}
		rest.Wait()
		switch {
		case leaves, h.cutShort(sh, failed), failed == nil && h.cutShort(sh, unsent):
		case failed != nil || unsent != nil || doubled != count:
			h.fail("doubles gives %d, %v, not %d; its numbers: %v", doubled, failed, count, unsent)
		case !sh.closed.Load() && !h.world.closed.Load() && got != count:
			h.fail("%d of %d came out of a channel", got, count)
		}
	})
}

func (h *hand) messages() {
	sh := h.fresh()
	if sh == nil {
		return
	}
	defer sh.inst.Close()
	n := h.IntN(20)
	if _, err := sh.inst.Call(context.Background(), "emits", n); err != nil {
		if !h.cutShort(sh, err) {
			h.fail("emits: %v", err)
		}
		return
	}
	got := sh.inst.Drain()
	if len(got) != n+1 {
		h.fail("%d messages of %d", len(got), n+1)
		return
	}
	if err, ok := got[n].(error); !ok || !strings.Contains(err.Error(), "contains itself") {
		h.fail("a message that contains itself is %v", got[n])
	}
	want := 0
	for i := range n {
		if err := sh.inst.Send(context.Background(), i); err != nil {
			if !h.cutShort(sh, err) {
				h.fail("send: %v", err)
			}
			return
		}
		want += i
	}
	h.expect(sh, want, "receives", n)
}

// keptFunctions calls functions of scripts whose instance may be gone.
func (h *hand) keptFunctions() {
	h.use(func(sh *shared) {
		counter, err := runnel.Bind0[func(context.Context, int) (int, error)](sh.inst, "counter")
		if err != nil {
			h.fail("counter: %v", err)
			return
		}
		f, err := counter(context.Background())
		if h.cutShort(sh, err) {
			return
		}
		if err != nil {
			h.fail("counter: %v", err)
			return
		}
		if got, err := f(context.Background(), 3); !h.cutShort(sh, err) && (err != nil || got != 3) {
			h.fail("a counter gives %d, %v", got, err)
		}
		h.world.kept.keep(f)
	})
	if f := h.world.kept.any(h.IntN(1000)); f != nil {
		_, _ = f(context.Background(), 1)
	}
}

func (h *hand) limits() {
	sh := h.fresh()
	if sh == nil {
		return
	}
	defer sh.inst.Close()
	var e *runnel.Error
	if _, err := sh.inst.Call(context.Background(), "fills", 10_000); !errors.Is(err, runnel.ErrClosed) && (!errors.As(err, &e) || e.Limit != vm.ErrMemory) {
		h.fail("fills: %v", err)
	}
	h.expect(sh, 5, "echo", 5)
}

// fresh returns an instance of one's own; nil when the Runtime is closed.
func (h *hand) fresh() *shared {
	inst, err := h.world.prog.Start(context.Background())
	if err != nil {
		if !h.world.closed.Load() || !errors.Is(err, runnel.ErrClosed) {
			h.fail("start: %v", err)
		}
		return nil
	}
	return &shared{inst: inst}
}

// ownInstance closes an instance with tasks under way, from two sides.
func (h *hand) ownInstance() {
	sh := h.fresh()
	if sh == nil {
		return
	}
	if _, err := sh.inst.Call(context.Background(), "leaves", h.IntN(10)); err != nil && !h.cutShort(sh, err) {
		h.fail("leaves: %v", err)
	}
	h.expect(sh, 4, "twice", 1)
	sh.closed.Store(true)
	var done sync.WaitGroup
	for range 2 {
		done.Go(sh.inst.Close)
	}
	h.expect(sh, 1, "napped", 1)
	done.Wait()
	if _, err := sh.inst.Call(context.Background(), "added"); !errors.Is(err, runnel.ErrClosed) {
		h.fail("a closed instance says %v", err)
	}
}

// forget leaves an instance behind, with tasks.
func (h *hand) forget() {
	if sh := h.fresh(); sh != nil {
		if _, err := sh.inst.Call(context.Background(), "leaves", 1+h.IntN(3)); err != nil && !h.cutShort(sh, err) {
			h.fail("leaves: %v", err)
		}
	}
}

// closeShared closes an instance that others use, and puts another in its place.
func (h *hand) closeShared() {
	sh := h.world.shared[h.IntN(len(h.world.shared))]
	sh.mu.RLock()
	inst := sh.inst
	sh.closed.Store(true)
	sh.mu.RUnlock()
	inst.Close()
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if !sh.closed.Load() {
		return // another one was faster
	}
	if next := h.fresh(); next != nil {
		sh.inst = next.inst
		sh.sure.Store(0)
		sh.maybe.Store(0)
		sh.closed.Store(false)
	}
}

func (h *hand) session() {
	s, err := h.world.rt.NewSession()
	if errors.Is(err, runnel.ErrClosed) && h.world.closed.Load() {
		return
	}
	if err != nil {
		h.fail("session: %v", err)
		return
	}
	defer s.Close()
	for _, e := range [][2]string{{"let x = [1, 2]", ""}, {"x.len() + 1", "3"}, {"fn f(n: int) -> int { n + x.len() }", ""}, {"f(5)", "7"}, {"nothing", "!"}, {"spawn { sleep(1h) }", "<task>"}, {"throw error(\"e\")", "!"}, {"let x = \"s\"", ""}, {"x", `"s"`}} {
		res, err := s.Eval(context.Background(), "entry", e[0])
		switch {
		case errors.Is(err, runnel.ErrClosed) && h.world.closed.Load():
			return
		case e[1] == "!" && err != nil:
		case err != nil || res.Text != e[1]:
			h.fail("%s gives %v, %v", e[0], res, err)
		}
	}
}

func (h *hand) replaceSources() {
	least := h.world.version.Add(1)
	p, err := h.world.rt.Compile("uses.rnl", "import \"lib\"\npub fn version() -> int { lib.version() }\n")
	most := h.world.version.Load()
	if err != nil {
		if !h.cutShort(nil, err) {
			h.fail("compile: %v", err)
		}
		return
	}
	inst, err := p.Start(context.Background())
	if err != nil {
		if !h.world.closed.Load() || !errors.Is(err, runnel.ErrClosed) {
			h.fail("start: %v", err)
		}
		return
	}
	defer inst.Close()
	got, err := inst.Call(context.Background(), "version")
	if n, ok := got.(int); err == nil && (!ok || int64(n) < least || int64(n) > most) {
		h.fail("version %v, not %d to %d", got, least, most)
	} else if err != nil && !h.cutShort(nil, err) {
		h.fail("version: %v", err)
	}
}

func (h *hand) process() {
	w := h.world
	pid, err := w.rt.Spawn(context.Background(), w.prog, []string{"slow", "echo"}[h.IntN(2)], h.IntN(5))
	if err != nil {
		if !w.closed.Load() || !errors.Is(err, runnel.ErrClosed) {
			h.fail("spawn: %v", err)
		}
		return
	}
	if h.IntN(2) == 0 {
		_ = w.rt.Kill(pid)
	}
	if _, err = w.rt.Wait(context.Background(), pid); err != nil && !h.cutShort(nil, err) && !errors.Is(err, context.Canceled) {
		h.fail("process: %v", err)
	}
	if err = w.rt.Send(context.Background(), pid, 1); !errors.Is(err, runnel.ErrNoProcess) {
		h.fail("a process that has ended says %v", err)
	}
}

// closeRuntime closes everything under the hands of the others.
func (h *hand) closeRuntime() {
	h.world.closed.Store(true)
	h.world.rt.Close()
}
