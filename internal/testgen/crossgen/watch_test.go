package crossgen_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A program hangs when it used a processor for longer than cpuLimit, or is not
// done after wallLimit, which leaves it its time on a machine that does other
// things first.
const (
	cpuLimit  = 3 * time.Minute
	wallLimit = 20 * time.Minute
)

// cpuTime is what all children used of a processor, in nanoseconds.
var cpuTime atomic.Int64

// watch looks after the program that a child runs.
type watch struct {
	process *os.Process
	since   atomic.Int64 // when the program began
	used    atomic.Int64 // by the child before
	hung    atomic.Bool
	done    chan struct{}
}

// watchOver ends a child that hangs, so that it prints where it is.
func watchOver(p *os.Process) *watch {
	w := &watch{process: p, done: make(chan struct{})}
	w.begin()
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-w.done:
				return
			case <-tick.C:
			}
			wall := time.Duration(time.Now().UnixNano() - w.since.Load())
			cpu := processorTime(p.Pid) - time.Duration(w.used.Load())
			if (wall > wallLimit || cpu > cpuLimit) && !w.hung.Swap(true) {
				_ = p.Signal(syscall.SIGQUIT)
			}
		}
	}()
	return w
}

// begin is called when a program begins.
func (w *watch) begin() {
	w.used.Store(int64(processorTime(w.process.Pid)))
	w.since.Store(time.Now().UnixNano())
}

func (w *watch) end() { close(w.done) }

// processorTime is what a running process used of a processor, 0 where the
// system does not tell.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// Behind the name, which may hold anything, utime and stime are the 12th and
	// 13th field, in hundredths of a second.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	var sum time.Duration
	for _, f := range fields[11:13] {
		n, _ := strconv.Atoi(f)
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum
}
