package vm

import (
	"maps"
	"sync"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// promiseHolders knows which types' values can hold a promise.
type promiseHolders struct {
	mu    sync.RWMutex
	types map[uint32]bool // native structs that are promises
	holds []bool          // by type id, nil when types has grown since
}

// forTypes returns what is known for a program with more types.
func (h *promiseHolders) forTypes() *promiseHolders {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return &promiseHolders{types: maps.Clone(h.types)}
}

// add notes a native struct that is a promise.
func (h *promiseHolders) add(id uint32) {
	h.mu.RLock()
	known := h.types[id]
	h.mu.RUnlock()
	if known {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.types == nil {
		h.types = map[uint32]bool{}
	}
	h.types[id], h.holds = true, nil
}

// has reports whether a value of a type may hold a promise: itself, or in its
// data. Channels, tasks, mutexes and functions do not count.
func (h *promiseHolders) has(types []bytecode.Type, id uint32) bool {
	h.mu.RLock()
	holds := h.holds
	h.mu.RUnlock()
	if holds != nil {
		return holds[id]
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds = make([]bool, len(types))
	for grown := true; grown; {
		grown = false
		for i := range types {
			if !h.holds[i] && h.holder(&types[i], uint32(i)) {
				h.holds[i], grown = true, true
			}
		}
	}
	return h.holds[id]
}

// holder looks one step far.
func (h *promiseHolders) holder(t *bytecode.Type, id uint32) bool {
	inFields := func(fs []bytecode.Field) bool {
		for i := range fs {
			if h.holds[fs[i].Type] {
				return true
			}
		}
		return false
	}
	switch t.Kind {
	case bytecode.TNative:
		return h.types[id]
	case bytecode.TAny, bytecode.TInterface:
		return len(h.types) > 0
	case bytecode.TList, bytecode.TSet, bytecode.TOptional:
		return h.holds[t.Elem] || inFields(t.Fields)
	case bytecode.TMap:
		return h.holds[t.Elem] || h.holds[t.Key]
	case bytecode.TFunc, bytecode.TTask, bytecode.TChan, bytecode.TMutex:
		return false
	}
	for i := range t.Variants {
		if inFields(t.Variants[i].Fields) {
			return true
		}
	}
	return inFields(t.Fields)
}

// FailPromises ends each promise in a value, except those behind channels,
// tasks, mutexes and functions, with an error: that of failed, a failed task,
// unless it is nil.
func (c *Call) FailPromises(v Value, err Value, failed Object) {
	in := c.w.inst
	if v.p == nil || !in.Program().promises.has(in.Program().Types, (*Header)(v.p).Type) {
		return
	}
	var found []*Promise
	c.w.stopWorld()
	h := newHeapTracer(in.Program())
	h.inside = func(o *nativeObject) {
		if p, ok := o.value.(*Promise); ok {
			found = append(found, p)
		}
	}
	h.root(v.p)
	h.run()
	in.world.start()
	if len(found) == 0 {
		return
	}
	fail := c.failureFor(err, (*Future)(failed.p))
	for _, p := range found {
		p.settle(c.w.inst, c.w, futureFailed, Value{}, fail)
	}
}

// failureFor is what promises fail with.
func (c *Call) failureFor(err Value, failed *Future) *failure {
	if failed == nil {
		return c.failureOf(err)
	}
	if failed.state.Load() != futureFailed {
		internal("%s is given a task that has not failed", c.ref.Name)
	}
	return &failure{val: failed.fail.val, trace: failed.fail.trace, cause: failed.fail.cause, first: failed.fail.first}
}
