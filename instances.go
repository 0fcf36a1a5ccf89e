package runnel

import (
	"runtime"
	"sync"
	"weak"

	"github.com/runnel-lang/runnel/vm"
)

// instances are those of a Runtime that are open. It keeps none alive: one that its
// host has forgotten is closed with the others as long as anything of it still runs.
type instances struct {
	mu   sync.Mutex
	open map[weak.Pointer[vm.Instance]]struct{}
	over bool
}

func (is *instances) add(in *vm.Instance) {
	p := weak.Make(in)
	is.mu.Lock()
	over := is.over
	if !over {
		if is.open == nil {
			is.open = map[weak.Pointer[vm.Instance]]struct{}{}
		}
		is.open[p] = struct{}{}
	}
	is.mu.Unlock()
	if over {
		in.Close()
		return
	}
	runtime.AddCleanup(in, is.forget, p)
}

func (is *instances) forget(p weak.Pointer[vm.Instance]) {
	is.mu.Lock()
	delete(is.open, p)
	is.mu.Unlock()
}

func (is *instances) remove(in *vm.Instance) { is.forget(weak.Make(in)) }

// all are the open ones.
func (is *instances) all() []*vm.Instance {
	is.mu.Lock()
	defer is.mu.Unlock()
	list := make([]*vm.Instance, 0, len(is.open))
	for p := range is.open {
		if in := p.Value(); in != nil {
			list = append(list, in)
		}
	}
	return list
}

func (is *instances) closed() bool {
	is.mu.Lock()
	defer is.mu.Unlock()
	return is.over
}

// close closes all at the same time: the defers of one do not wait for those of
// another.
func (is *instances) close() {
	is.mu.Lock()
	open := is.open
	is.open, is.over = nil, true
	is.mu.Unlock()
	var closing sync.WaitGroup
	for p := range open {
		if in := p.Value(); in != nil {
			closing.Go(in.Close)
		}
	}
	closing.Wait()
}
