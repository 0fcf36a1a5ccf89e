//go:build !amd64 || race

package reactor

import "sync/atomic"

// On other architectures, and under the race detector, atomic stores.

func releaseStore32(a *atomic.Uint32, v uint32) { a.Store(v) }

func releaseStore64(a *atomic.Uint64, v uint64) { a.Store(v) }

func releaseStoreProc(a *atomic.Pointer[Proc], p *Proc) { a.Store(p) }
