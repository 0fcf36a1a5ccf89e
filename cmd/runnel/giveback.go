package main

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// The collector runs when a program allocates. One that has answered a thousand
// requests and then waits for the next would keep their garbage, and the memory that
// it was in, until that comes.

const (
	lookEvery = time.Second
	// restless is how much a program that is at rest may allocate between two looks.
	restless = 1 << 20
	// stirred is what it allocates at least when it has done anything.
	stirred = 4 << 10
	// small is how much memory is not worth the time to give back.
	small = 48 << 20
	// share is the part of the time that giving back may take.
	share = 50
)

// boundMemory tells the collector what scripts may keep alive: it works harder when
// garbage is about to exceed that, and what a program at rest does not use is given
// back to the system.
func boundMemory(limit int64) {
	debug.SetMemoryLimit(limit + limit/10 + 24<<20)
	startGivingBack()
}

var startGivingBack = sync.OnceFunc(func() { go giveBack() })

// giveBack returns memory to the system whenever the program has come to rest.
func giveBack() {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	var seen, since uint64 // bytes allocated: until the last look, since the last return
	var next time.Time
	for now := range time.Tick(lookEvery) {
		metrics.Read(sample)
		made := sample[0].Value.Uint64() - seen
		seen += made
		since += made
		held := sample[1].Value.Uint64() - sample[2].Value.Uint64()
		if made > restless || since < stirred || held < small || now.Before(next) {
			continue
		}
		begun := time.Now()
		debug.FreeOSMemory()
		since, next = 0, time.Now().Add(share*time.Since(begun))
	}
}
