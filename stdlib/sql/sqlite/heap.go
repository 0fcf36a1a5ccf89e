package sqlite

import (
	"sync"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// SQLite bounds the memory of a process only if it counts it, which is said before
// its first use. It fails where the process has used SQLite already: then there is
// no such bound.
func init() {
	withLibc(func(tls *libc.TLS) {
		args := libc.NewVaList(int32(1))
		defer libc.Xfree(tls, args)
		lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, args)
	})
}

func withLibc(f func(tls *libc.TLS)) {
	tls := libc.NewTLS()
	defer tls.Close()
	f(tls)
}

var heap struct {
	sync.Mutex
	granted int64
}

// baseHeap is what SQLite takes beside databases.
const baseHeap = 32 << 20

// grantHeap adds to the memory that SQLite may take, until the function that it
// gives is called.
func grantHeap(n int64) (takeBack func()) {
	addHeap(n)
	return sync.OnceFunc(func() { addHeap(-n) })
}

func addHeap(n int64) {
	heap.Lock()
	defer heap.Unlock()
	heap.granted += n
	withLibc(func(tls *libc.TLS) { lib.Xsqlite3_hard_heap_limit64(tls, baseHeap+heap.granted) })
}
