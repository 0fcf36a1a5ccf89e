//go:build !amd64 || race

package vm

import (
	"sync/atomic"
	"unsafe"
)

// releaseStore makes what was written before visible to whoever sees the new
// value.
func releaseStore(a *atomic.Uint32, v uint32) { a.Store(v) }

// setOwner has heldBy see the owner; the mutex's lock is held.
func (m *Mutex) setOwner(f *Future) {
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&m.owner)), unsafe.Pointer(f))
}
