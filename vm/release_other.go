//go:build !amd64 || race

package vm

import "sync/atomic"

// releaseStore makes what was written before visible to whoever sees the new
// value.
func releaseStore(a *atomic.Uint32, v uint32) { a.Store(v) }
