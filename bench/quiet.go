package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A watch tells how many processors others have kept busy since it began. The
// load average would tell of ourselves, and of what was before.
type watch struct {
	began     time.Time
	busy, own float64 // seconds of processors
}

// ticksPerSecond is what the kernel counts in, on Linux everywhere.
const ticksPerSecond = 100

func newWatch() watch { return watch{time.Now(), busySeconds(), ownSeconds()} }

// others is the number of processors that others kept busy, if the system tells.
func (w watch) others() (busy float64, known bool) {
	if w.busy == 0 {
		return 0, false
	}
	busy = (busySeconds() - w.busy) - (ownSeconds() - w.own)
	return max(busy, 0) / time.Since(w.began).Seconds(), true
}

// text says it for README.
func (w watch) text() string {
	busy, known := w.others()
	if !known {
		return ""
	}
	return fmt.Sprintf("other processes took %.2f processors", busy)
}

// tolerated is the part of the processors that others may keep busy on a quiet machine.
const tolerated = 0.15

// disturbed says that others kept so much of the machine busy that times mean little.
func (w watch) disturbed() bool {
	busy, known := w.others()
	return known && busy > tolerated*float64(runtime.NumCPU())
}

// busySeconds is what all processors have worked since the machine began, with
// what was stolen from a virtual one; 0 where the system does not tell.
func busySeconds() float64 {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line) // cpu user nice system idle iowait irq softirq steal
	if len(fields) < 9 {
		return 0
	}
	return ticks(fields[1], fields[2], fields[3], fields[6], fields[7], fields[8])
}

// ownSeconds is what this process and those that it has started and awaited have worked.
func ownSeconds() float64 {
	text, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return 0
	}
	return ticks(fields[11:15]...) // user, system, and the children's
}

func ticks(fields ...string) float64 {
	sum := 0.0
	for _, f := range fields {
		v, _ := strconv.ParseFloat(f, 64)
		sum += v
	}
	return sum / ticksPerSecond
}
