package runnel

import (
	"runtime"
	"sync"
	"weak"
)

// instances are those of a Runtime that are open. One that its host has
// forgotten is not kept alive by it.
type instances struct {
	mu   sync.Mutex
	open map[weak.Pointer[Instance]]struct{}
	over bool
}

func (is *instances) add(in *Instance) {
	p := weak.Make(in)
	is.mu.Lock()
	over := is.over
	if !over {
		if is.open == nil {
			is.open = map[weak.Pointer[Instance]]struct{}{}
		}
		is.open[p] = struct{}{}
	}
	is.mu.Unlock()
	if over {
		in.vm.Close()
		return
	}
	runtime.AddCleanup(in, is.forget, p)
}

func (is *instances) forget(p weak.Pointer[Instance]) {
	is.mu.Lock()
	delete(is.open, p)
	is.mu.Unlock()
}

func (is *instances) remove(in *Instance) { is.forget(weak.Make(in)) }

func (is *instances) closed() bool {
	is.mu.Lock()
	defer is.mu.Unlock()
	return is.over
}

func (is *instances) close() {
	is.mu.Lock()
	open := is.open
	is.open, is.over = nil, true
	is.mu.Unlock()
	for p := range open {
		if in := p.Value(); in != nil {
			in.vm.Close()
		}
	}
}
