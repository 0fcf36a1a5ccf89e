package soak

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"
)

// sample is what the process takes when nothing is under way.
type sample struct {
	goroutines int
	heap       uint64 // bytes of objects
	mapped     uint64 // bytes that Go has from the system and has not given back
	resident   uint64 // bytes of the process in memory
	programs   int    // that are alive although their Runtime is closed
}

func (m sample) String() string {
	return fmt.Sprintf("%3d goroutines, %d old programs, MiB: %3d of objects %4d of Go %4d resident", m.goroutines, m.programs, m.heap>>20, m.mapped>>20, m.resident>>20)
}

// warmUp is how many rounds it takes until all that is kept for later is there: pools,
// tables that have grown, stacks.
const warmUp = 4

// slack is how much may be added to each after that. Under the race detector the
// resident memory says nothing: its shadow of the heap, which is several times as large
// as that, comes and goes as the detector likes, and what it notes of stacks and locks
// stays (measured: 63 to 233 MiB, and 10 MiB more every 40 s, while Go's own memory
// stood still).
const (
	heapSlack     = 8 << 20
	mappedSlack   = 32 << 20
	residentSlack = 32 << 20
)

// grown tells what has become more than it was when the process was warm.
func (m sample) grown(warm sample) string {
	switch {
	case m.heap > warm.heap+heapSlack:
		return "objects are not given back"
	case m.mapped > warm.mapped+mappedSlack:
		return "memory of Go is not given back"
	case !underRace && m.resident > warm.resident+residentSlack:
		return "memory of the process is not given back"
	}
	return ""
}

// most is the larger of both in everything.
func (m sample) most(o sample) sample {
	return sample{max(m.goroutines, o.goroutines), max(m.heap, o.heap), max(m.mapped, o.mapped), max(m.resident, o.resident), max(m.programs, o.programs)}
}

// measure looks at the process; what is closed may take a moment to be gone.
func measure() (m sample) {
	m.goroutines = settled()
	debug.FreeOSMemory()
	list := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(list)
	m.heap = list[0].Value.Uint64()
	m.mapped = list[1].Value.Uint64() - list[2].Value.Uint64()
	m.resident = resident()
	return m
}

// settled returns the number of goroutines when it has not changed for longer than
// those of reactors and pools rest before they end.
func settled() int {
	const rest, most = 15, 200
	n := runtime.NumGoroutine()
	for same, i := 0, 0; same < rest && i < most; i++ {
		if i%rest == 0 {
			runtime.GC()
		}
		time.Sleep(20 * time.Millisecond)
		now := runtime.NumGoroutine()
		if same++; now != n {
			n, same = now, 0
		}
	}
	return n
}

// resident is 0 where the system does not tell.
func resident() uint64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if text, ok := strings.CutPrefix(in.Text(), "VmRSS:"); ok {
			var kib uint64
			fmt.Sscan(text, &kib)
			return kib << 10
		}
	}
	return 0
}
