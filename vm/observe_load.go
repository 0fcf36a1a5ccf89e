package vm

import (
	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
)

// Load is how busy an instance is at a moment, without a look at its objects.
type Load struct {
	Tasks   int // alive, in no scope
	Sched   reactor.Load
	IO      iopool.Stats
	Waiting int // Blocking functions of the host that wait for others to end
}

// Load returns how busy the instance is. Its tasks go on meanwhile.
func (in *Instance) Load() Load {
	l := Load{Sched: in.sched.Load(), Waiting: in.waitingHosts()}
	in.root.lock.Lock()
	l.Tasks = in.root.alive
	in.root.lock.Unlock()
	in.mu.Lock()
	pool := in.pool
	in.mu.Unlock()
	if pool != nil {
		l.IO = pool.Stats()
	}
	return l
}

// waitingHosts is how many of its host's functions wait for others to end.
func (in *Instance) waitingHosts() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.blocking == nil {
		return 0
	}
	return in.blocking.Waiting()
}
