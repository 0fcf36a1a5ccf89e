package actor

import (
	"maps"
	"slices"
	"sync"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
)

// registry knows the actors of an instance by number. The tracer does not see
// them here, so it keeps none of them from being found unreachable; each is taken
// out when it ends.
type registry struct {
	mu   sync.Mutex
	live map[int64]vm.Value
}

const (
	registrySize = int(unsafe.Sizeof(registry{}))
	entrySize    = 48 // of the map, about
)

func registered(c *vm.Call) *registry { return vm.NativeArg[*registry](c, 0) }

func (r *registry) add(id int64, actor vm.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live == nil {
		r.live = map[int64]vm.Value{}
	}
	r.live[id] = actor
}

func (r *registry) remove(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, id)
}

func find(c *vm.Call) {
	r := registered(c)
	r.mu.Lock()
	actor, ok := r.live[c.Int(1)]
	r.mu.Unlock()
	if !ok {
		c.SetNone()
		return
	}
	c.SetSome(actor)
}

// all lists the actors by number.
func all(c *vm.Call) {
	r := registered(c)
	r.mu.Lock()
	ids := slices.Sorted(maps.Keys(r.live))
	actors := make([]vm.Value, len(ids))
	for i, id := range ids {
		actors[i] = r.live[id]
	}
	r.mu.Unlock()
	c.Steps(len(ids))
	l := c.NewList(c.Ref().Result, len(ids))
	for _, a := range actors {
		l.Push(a)
	}
	c.SetPtr(unsafe.Pointer(l.List()))
}
