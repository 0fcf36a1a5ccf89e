//go:build amd64 && !race

package vm

import (
	"sync/atomic"
	"unsafe"
)

// releaseStore makes what was written before visible to whoever sees the new
// value. On this architecture a plain move does; atomic.Store is an exchange,
// ten times as dear. The caller's own later loads may come before it.
func releaseStore(a *atomic.Uint32, v uint32) { *(*uint32)(unsafe.Pointer(a)) = v }

// setOwner has heldBy see the owner; the mutex's lock is held.
func (m *Mutex) setOwner(f *Future) { m.owner = f }
