package vm

// What an instance's account says, for hosts that watch their scripts and for
// tests that hold it against Go's heap.

// MemoryInUse gives the bytes of what the instance's globals and tasks reach.
// All its tasks stand still meanwhile.
func (in *Instance) MemoryInUse() int64 {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	h, stacks := in.heapRoots()
	return h.run() + stacks
}

// MemoryInUse is that of the instance, asked from within a native.
func (c *Call) MemoryInUse() int64 {
	in := c.w.inst
	in.world.stop()
	defer in.world.start()
	h, stacks := in.heapRoots()
	return h.run() + stacks
}

// MemoryCharged gives the bytes paid for so far, or since the last time that
// the limit was close and what is alive was counted. It is meant for an
// instance with a limit and one worker.
func (c *Call) MemoryCharged() int64 {
	charged := c.w.inst.mem.Load()
	for _, w := range c.w.inst.workers {
		charged -= w.credit
	}
	return charged
}
