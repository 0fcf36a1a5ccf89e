package vm

// A native, a comparison or a conversion to text may take long on large data,
// and nothing of it can be put aside. So that others need not wait for it, it
// gives its worker away and goes on beside it; when it has ended, its task
// queues for a worker again.

// longWork is how many steps at once are expected to take longer than it costs
// to give the worker away.
const longWork = 100_000

// helper begins what may take long.
func (w *Worker) helper() { w.detachable, w.long = true, 0 }

// detach gives the worker's place in the scheduler to another one or, where that cannot be,
// at least its slot in the reactor to other instances.
func (w *Worker) detach() {
	in := w.inst
	w.lend()
	if !w.detachable || w.handBack != nil || in.sched.Chooser() != nil {
		return
	}
	if more := w.current.more; more != nil && more.host != nil {
		in.arm(w.current)
	}
	in.spareWorker().take(w)
	w.handBack = w.rw.Detach()
}

// spareWorker takes one that has been retired, or makes one.
func (in *Instance) spareWorker() *Worker {
	in.mu.Lock()
	defer in.mu.Unlock()
	if n := len(in.retired) - 1; n >= 0 {
		w := in.retired[n]
		in.retired = in.retired[:n]
		return w
	}
	return in.makeWorker()
}

// back ends what may take long. It gives the task that runs next.
func (t *Task) back() *Task {
	w := t.w
	w.detachable = false
	w.nativeBytes = 0
	if w.handBack == nil {
		return t
	}
	return &idleTask // run returns, and runFrom retires the worker
}

// retire makes the task of a detached worker ready. It runs elsewhere from then
// on, where an error it may have ended with is dealt with too.
func (w *Worker) retire() {
	t, done := w.current, w.handBack
	w.detachable, w.current = false, &idleTask
	w.shareMachine()
	if t == &idleTask { // it has been suspended
		done(nil)
	} else {
		done(&t.Proc)
	}
	w.handBack = nil
	in := w.inst
	in.mu.Lock()
	in.retired = append(in.retired, w)
	in.mu.Unlock()
}
