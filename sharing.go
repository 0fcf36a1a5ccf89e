package runnel

import "github.com/runnel-lang/runnel/reactor"

// Reactor runs the tasks of all instances that share it: at most so many at the same time
// as it has workers, and each instance for its share of the time.
type Reactor = reactor.Reactor

// ReactorOptions configures a Reactor.
type ReactorOptions struct {
	Workers int // tasks that run at the same time; 0: as many as there are processors
}

// NewReactor makes a Reactor. It has no goroutine while nothing runs, and needs no closing.
func NewReactor(o ReactorOptions) *Reactor {
	return reactor.NewReactor(min(max(0, o.Workers), maxReactorWorkers))
}

// WithReactor has the reactor run the tasks of all instances. Without it they share one
// with all instances of the process that have none of their own, with as many workers as
// there are processors. Deterministic instances (see WithSeed) run by themselves.
func WithReactor(r *Reactor) Option { return func(rt *Runtime) { rt.config.Reactor = r } }

// WithWeight gives each instance n shares of its reactor's time, where an instance without
// it has one. It matters only while more instances have something to do than there are
// workers.
func WithWeight(n int) Option { return func(rt *Runtime) { rt.config.Weight = n } }

const (
	maxReactorWorkers = 1 << 12
	maxWeight         = 1000
)
