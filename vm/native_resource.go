package vm

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/runnel-lang/runnel/vm/host"
)

// Resource is the Go value of a native struct that must be closed: a file, a
// connection. It is closed once: by the script, when nothing refers to it any
// more, or when its instance ends.
type Resource struct {
	io.Closer
	Name   string // for messages: `connection to "example.com:80"`
	place  uint32 // position of the code that made it, where origins are noted
	inst   weak.Pointer[Instance]
	closed atomic.Bool
	// lost closes it when nothing refers to it any more. Until it is closed that keeps
	// alive what the Closer refers to, which may be the instance.
	lost runtime.Cleanup
}

// Close closes the resource if it is open. Others see it as closed as soon as Close starts.
func (r *Resource) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	r.lost.Stop()
	if in := r.inst.Value(); in != nil {
		in.resources.remove(r)
	}
	defer reclaim.closed()
	return host.Guarded(r.Closer.Close)
}

// Closed reports whether the resource has been closed.
func (r *Resource) Closed() bool { return r.closed.Load() }

// NewResource is NewNative for a value that must be closed. ResourceArg reads it from an argument.
func (c *Call) NewResource(id uint32, name string, value io.Closer, size int) Object {
	r := &Resource{Closer: value, Name: name, inst: weak.Make(c.w.inst)}
	if c.w.inst.origins {
		r.place = c.t.origin(c.t.pc)
	}
	p := c.NewNative(id, r, size+int(unsafe.Sizeof(Resource{})))
	r.lost = runtime.AddCleanup((*nativeObject)(p.p), func(r *Resource) { go r.Close() }, r)
	if !c.w.inst.resources.add(r) {
		r.lost.Stop()
		host.Guarded(value.Close)
		c.Throw(ErrCancelled, "the instance is closed")
	}
	reclaim.opened()
	return p
}

// ResourceArg returns the Go value of an argument that was made with NewResource;
// it throws an IoError of kind Closed when that has been closed.
func ResourceArg[T any](c *Call, i int) T {
	r := ResourceOf(c, i)
	if r.Closed() {
		c.ThrowIOKind(IOClosed, "the %s is closed", r.Name)
	}
	return CloserArg[T](c, i)
}

// CloserArg is ResourceArg for a resource that may be closed.
func CloserArg[T any](c *Call, i int) T {
	v, ok := ResourceOf(c, i).Closer.(T)
	if !ok {
		c.wrongType(i)
	}
	return v
}

// ResourceOf returns the resource of an argument, closed or not.
func ResourceOf(c *Call, i int) *Resource { return NativeArg[*Resource](c, i) }

// resources are those of an instance that are open.
type resources struct {
	mu   sync.Mutex
	open map[*Resource]struct{}
	over bool
}

// add reports false when the instance has ended.
func (rs *resources) add(r *Resource) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.over {
		return false
	}
	if rs.open == nil {
		rs.open = map[*Resource]struct{}{}
	}
	rs.open[r] = struct{}{}
	return true
}

func (rs *resources) remove(r *Resource) {
	rs.mu.Lock()
	delete(rs.open, r)
	rs.mu.Unlock()
}

// Spent may be implemented by the value of a Resource, to report that it no
// longer holds anything open although it has not been closed.
type Spent interface{ Spent() bool }

// Opened is an open resource.
type Opened struct {
	Name string
	At   Frame // where it was made, if the instance notes origins
}

// Open lists what the instance has open, in no order.
func (in *Instance) Open() []Opened {
	rs := &in.resources
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var list []Opened
	for r := range rs.open {
		if s, ok := r.Closer.(Spent); !ok || !s.Spent() {
			list = append(list, Opened{r.Name, in.Program().frameAt(r.place)})
		}
	}
	return list
}

// closeResources closes what is open still, and refuses what would be opened.
func (in *Instance) closeResources() {
	rs := &in.resources
	rs.mu.Lock()
	rs.over = true
	open := rs.open
	rs.open = nil
	rs.mu.Unlock()
	var closing sync.WaitGroup
	for r := range open {
		closing.Go(func() { r.Close() }) // code of the host may end the goroutine
		closing.Wait()
	}
}
