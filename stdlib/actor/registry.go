package actor

import (
	"maps"
	"slices"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

// registry knows the actors of an instance by number. The tracer does not see
// them here, so it keeps none of them from being found unreachable; each is taken
// out when it ends.
type registry struct {
	mu   sync.Mutex
	live map[int64]entry
}

// entry is an address, and in an any what the actor is in its present life, if there is one.
type entry struct{ address, actor vm.Value }

var registrySize = vm.SizeOf[registry]()

func registered(c *vm.Call) *registry { return vm.NativeArg[*registry](c, 0) }

func (r *registry) add(id int64, e entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live == nil {
		r.live = map[int64]entry{}
	}
	r.live[id] = e
}

// lives notes what an actor is from now on.
func (r *registry) lives(id int64, actor vm.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.live[id]; ok {
		e.actor = actor
		r.live[id] = e
	}
}

func (r *registry) remove(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, id)
}

func find(c *vm.Call) {
	r := registered(c)
	r.mu.Lock()
	e, ok := r.live[c.Int(1)]
	r.mu.Unlock()
	if !ok {
		c.SetNone()
		return
	}
	c.SetSome(e.address)
}

// actorOf gives what an actor is, none between two lives.
func actorOf(c *vm.Call) {
	r := registered(c)
	r.mu.Lock()
	e := r.live[c.Int(1)]
	r.mu.Unlock()
	c.SetValue(e.actor)
}

// doing tells what an actor handles, and what its task does.
func doing(c *vm.Call) {
	info, lives := c.TaskInfo(c.Value(0))
	text := ""
	if lives {
		if text = info.State; info.At.File != "" {
			text += " at " + info.At.String()
		}
	}
	pair := c.NewStruct(c.Ref().Result)
	c.Pin(pair.Object())
	pair.Set(0, vm.StrValue(""))
	pair.Set(1, vm.StrValue(""))
	pair.Set(0, c.NewStr(info.Message).Value())
	pair.Set(1, c.NewStr(text).Value())
	c.SetObject(pair.Object())
}

// all lists the actors by number.
func all(c *vm.Call) {
	r := registered(c)
	r.mu.Lock()
	ids := slices.Sorted(maps.Keys(r.live))
	actors := make([]vm.Value, len(ids))
	for i, id := range ids {
		actors[i] = r.live[id].address
	}
	r.mu.Unlock()
	c.Steps(len(ids))
	l := c.NewList(c.Ref().Result, len(ids))
	for _, a := range actors {
		l.Push(a)
	}
	c.SetObject(l.Object())
}
