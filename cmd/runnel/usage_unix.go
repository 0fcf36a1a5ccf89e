//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// usage returns the processor time that this process has used, and the most
// memory that it has had, in bytes.
func usage() (cpu time.Duration, memory int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	memory = int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		memory <<= 10 // it counts KiB
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), memory
}
