// Package linear tells whether work grows with its size: for tests, on machines that
// do other things too.
package linear

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// tries is how often a run is measured: the least counts.
const tries = 3

// room is how much memory the process may have until the collector comes after all.
const room = 2 << 30

// Grows runs work of a size and of twice the size, and gives what is wrong when that
// takes more than three times as long, "" otherwise. What seems so is tried again
// with the double, up to most: a moment's delay or a small table's growth goes by.
func Grows(from, most int, run func(n int)) string {
	for n := from; ; n *= 2 {
		once, twice := least(n, run), least(2*n, run)
		switch {
		case twice < 3*once+time.Millisecond:
			return ""
		case 2*n > most:
			return fmt.Sprintf("%d take %v, %d take %v", n, once, 2*n, twice)
		}
	}
}

// least is the work without that of the collector: how often it comes, and what it looks
// through then, depends on what else the process holds.
func least(n int, run func(n int)) time.Duration {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(room))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	best := time.Duration(1<<63 - 1)
	for range tries {
		runtime.GC()
		before := Used()
		run(n)
		best = min(best, Used()-before)
	}
	return best
}

// Used is the time that processors have given to this process.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		panic("the system tells no usage")
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
