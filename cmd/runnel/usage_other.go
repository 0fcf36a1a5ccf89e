//go:build !unix

package main

import (
	"runtime"
	"time"
)

// usage returns the memory that this process has from the system; the processor
// time is not known.
func usage() (cpu time.Duration, memory int64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return 0, int64(m.Sys)
}
