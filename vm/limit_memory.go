package vm

import "math"

// What an instance's account says, for hosts that watch their scripts and for
// tests that hold it against Go's heap.

// MemoryInUse returns the bytes reachable from the instance's globals and
// tasks. All its tasks pause meanwhile.
func (in *Instance) MemoryInUse() int64 {
	in.world.stopExternal()
	defer in.world.startExternal()
	h, stacks := in.heapRoots()
	return h.run() + stacks
}

// Usage is how much of its limits an instance uses, as far as is known: running
// tasks report their steps only from time to time.
type Usage struct {
	Steps     int64 // made since it began
	Memory    int64 // bytes alive
	Tasks     int   // alive, in no scope
	Resources int   // open
	Waiting   int   // Blocking functions of the host that wait for others to end: see Limits
}

// Usage returns how much of its limits the instance is using. It may be
// running; its tasks pause while the memory is counted.
func (in *Instance) Usage() Usage {
	most := in.limits.Steps
	if most <= 0 {
		most = math.MaxInt64
	}
	u := Usage{Steps: most - max(in.steps.Load(), 0), Memory: in.MemoryInUse(), Resources: len(in.Open())}
	u.Waiting = in.waitingHosts()
	in.root.lock.Lock()
	u.Tasks = in.root.alive
	in.root.lock.Unlock()
	return u
}

// MemoryInUse returns the instance's memory in use, from within a native.
func (c *Call) MemoryInUse() int64 {
	in := c.w.inst
	c.w.stopWorld()
	defer in.world.start()
	h, stacks := in.heapRoots()
	return h.run() + stacks
}

// memoryCharged is for vmtest.MemoryCharged.
func (c *Call) memoryCharged() int64 {
	charged := c.w.inst.mem.Load()
	for _, w := range c.w.inst.workers {
		charged -= w.credit
	}
	return charged
}

// setFailCharge is for vmtest.FailCharge.
func (in *Instance) setFailCharge(n int64) {
	in.failCharge.Store(n)
	for _, w := range in.workers {
		w.credit = 0
	}
}
