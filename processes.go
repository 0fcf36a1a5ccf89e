package runnel

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

// PID identifies a process of a Runtime: a program that runs independently in
// its own instance. PIDs are never reused.
type PID uint64

// ErrNoProcess is returned for a PID whose process has ended and been waited for.
var ErrNoProcess = errors.New("runnel: there is no such process")

// processes of a Runtime.
type processes struct {
	mu   sync.Mutex
	last PID
	live map[PID]*process
}

type process struct {
	in   *Instance
	task *Task
}

// Spawn starts a program and calls one of its public functions as a process.
// The process ends when the call returns, when ctx ends, or with Kill. Call
// Wait for each process: its outcome is kept until then.
func (rt *Runtime) Spawn(ctx context.Context, p *Program, function string, args ...any) (PID, error) {
	if rt.instances.closed() {
		return 0, ErrClosed
	}
	in, err := p.Start(ctx)
	if err != nil {
		return 0, err
	}
	task, err := in.Spawn(ctx, function, args...)
	if err != nil {
		in.Close()
		return 0, err
	}
	go func() { // so that readers of what it emits come to an end
		<-task.Done()
		if ch, err := in.port(vm.Outputs); err == nil {
			ch.Close()
		}
	}()
	ps := &rt.processes
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.live == nil {
		ps.live = map[PID]*process{}
	}
	ps.last++
	ps.live[ps.last] = &process{in, task}
	return ps.last, nil
}

func (ps *processes) find(pid PID) (*process, error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.live[pid]; p != nil {
		return p, nil
	}
	return nil, ErrNoProcess
}

// Send sends a message to a process, which receives it with `host.receive()`.
func (rt *Runtime) Send(ctx context.Context, pid PID, message any) error {
	p, err := rt.processes.find(pid)
	if err != nil {
		return err
	}
	return p.in.Send(ctx, message)
}

// Outputs yields the messages that a process emits, until it has ended and all
// have been received, or until ctx ends.
func (rt *Runtime) Outputs(ctx context.Context, pid PID) iter.Seq[any] {
	p, err := rt.processes.find(pid)
	if err != nil {
		return func(func(any) bool) {}
	}
	return p.in.Outputs(ctx)
}

// Kill ends a process; its defers run.
func (rt *Runtime) Kill(pid PID) error {
	p, err := rt.processes.find(pid)
	if err == nil {
		p.task.Cancel()
	}
	return err
}

// Wait waits until a process has ended, returns its outcome, and closes its instance.
func (rt *Runtime) Wait(ctx context.Context, pid PID) (any, error) {
	p, err := rt.processes.find(pid)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.task.Done():
	case <-vm.OrBackground(ctx).Done():
		return nil, context.Cause(ctx)
	}
	rt.processes.mu.Lock()
	delete(rt.processes.live, pid)
	rt.processes.mu.Unlock()
	p.in.Close()
	return p.task.Wait(context.Background())
}

// Processes lists the processes that have not been waited for, oldest first.
func (rt *Runtime) Processes() []PID {
	ps := &rt.processes
	ps.mu.Lock()
	defer ps.mu.Unlock()
	pids := make([]PID, 0, len(ps.live))
	for pid := range ps.live {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids
}
