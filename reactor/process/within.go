package process

import (
	"reflect"
	"runtime"
)

var stepEntry = reflect.ValueOf((*running).step).Pointer()

// withinStep reports whether the calling goroutine is in a step of a process: Go
// has no other way to know.
func withinStep() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			if f := runtime.FuncForPC(pc - 1); f != nil && f.Entry() == stepEntry {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
