// Package linear tells whether work grows with its size: for tests, on machines that
// do other things too.
package linear

import (
	"fmt"
	"syscall"
	"time"
)

// tries is how often a run is measured: the least counts.
const tries = 3

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

func least(n int, run func(n int)) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range tries {
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
