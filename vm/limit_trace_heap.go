package vm

import (
	"sync"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// heapTracer walks what is reachable from the roots it is given and sums the
// bytes. The tasks that could change these objects must stand still. Every
// pointer word of a value is nil, a scalar's descriptor or an object with a
// header, so roots need no map of what they hold.
//
// What it has seen is noted beside the objects, as others may be reading these. What
// other instances have too (constants, descriptors, one-character strs) is not counted.
type heapTracer struct {
	prog   *Program
	shared *addressSet
	seen   markSet
	from   []span
	work   []span
	bytes  int64
	inside func(*nativeObject) // if not nil, the walk stays within data, and this is called for what is native

	// Of a walk that finds out which tasks can go on: see liveness.
	live      *liveness
	leads     *leads // what does not lead to any is not visited
	visited   int64  // objects
	lastFrame frameRuns
}

// span is a run of pointer words, stride bytes apart.
type span struct {
	at     unsafe.Pointer
	n      int
	stride uintptr
}

// newHeapTracer starts a walk.
func newHeapTracer(prog *Program) *heapTracer {
	return &heapTracer{prog: prog, shared: prog.sharedObjects()}
}

// sharedSet is made when it is first asked for.
type sharedSet struct {
	once sync.Once
	set  addressSet
}

// sharedObjects are those that the instances of a program have in common.
func (p *Program) sharedObjects() *addressSet {
	p.shared.once.Do(func() {
		for _, list := range [][]unsafe.Pointer{p.constList, p.bytesList, p.enumList, p.closures} {
			for _, c := range list {
				if c != nil {
					p.shared.set.add(c)
				}
			}
		}
		for _, s := range asciiStrs {
			p.shared.set.add(unsafe.Pointer(s))
		}
	})
	return &p.shared.set
}

// root adds an object; nil is ignored.
func (h *heapTracer) root(p unsafe.Pointer) {
	if p != nil {
		h.pointers([]unsafe.Pointer{p})
	}
}

// roots adds registers, globals or other values. Of those whose pointer word
// does not count it may hold something of before, which then lives too.
func (h *heapTracer) roots(vs []Value) {
	if len(vs) > 0 {
		h.addRoot(span{unsafe.Pointer(unsafe.SliceData(vs)), len(vs), unsafe.Sizeof(Value{})})
	}
}

// pointers adds pointer words.
func (h *heapTracer) pointers(ps []unsafe.Pointer) {
	if len(ps) > 0 {
		h.addRoot(span{unsafe.Pointer(unsafe.SliceData(ps)), len(ps), unsafe.Sizeof(ps[0])})
	}
}

// deferred adds closures yet to be called.
func (h *heapTracer) deferred(ds []deferred) {
	if len(ds) > 0 {
		h.addRoot(span{unsafe.Pointer(&ds[0].fn), len(ds), unsafe.Sizeof(ds[0])})
	}
}

func (h *heapTracer) addRoot(s span) { h.from = append(h.from, s) }

// word adds one pointer word, which stays where it is.
func (h *heapTracer) word(at unsafe.Pointer) { h.addRoot(span{at, 1, 0}) }

// run returns the bytes of what is reachable.
func (h *heapTracer) run() int64 {
	h.walk()
	return h.bytes
}

// walk visits what is reachable from the roots that have not been walked.
func (h *heapTracer) walk() {
	for _, root := range h.from {
		h.work = append(h.work, root)
		for len(h.work) > 0 {
			h.step()
		}
	}
	h.from = h.from[:0]
}

// step visits the next word of the last span. A span that is used up makes
// room before what it leads to is added, so a long chain needs no deep stack.
func (h *heapTracer) step() {
	s := &h.work[len(h.work)-1]
	p := *(*unsafe.Pointer)(s.at)
	if s.n--; s.n == 0 {
		h.work = h.work[:len(h.work)-1]
	} else {
		s.at = unsafe.Add(s.at, s.stride)
	}
	if p != nil && h.seen.add(p) {
		h.visit(p)
	}
}

func (h *heapTracer) visit(p unsafe.Pointer) {
	if h.leads != nil {
		h.visited++
		if id := (*Header)(p).Type; h.leads.types[id] {
			h.follow(p, &h.prog.Types[id])
		}
	} else if t := h.inner(p); t != nil {
		h.bytes += int64(h.parts(p, t))
	}
}

// inner returns the type of an object that leads to others, nil for what is not an object or
// is shared by instances.
func (h *heapTracer) inner(p unsafe.Pointer) *bytecode.Type {
	hd := (*Header)(p)
	t := &h.prog.Types[hd.Type]
	if t.Rep == bytecode.RepI || t.Kind == bytecode.TEnum && len(variantOf(t, hd.Aux).Fields) == 0 || h.shared.has(p) {
		return nil
	}
	return t
}

// parts adds the pointers of an object to the work and gives its size.
func (h *heapTracer) parts(p unsafe.Pointer, t *bytecode.Type) int {
	if h.inside != nil {
		switch t.Kind {
		case bytecode.TFunc, bytecode.TTask, bytecode.TChan, bytecode.TMutex:
			return 0
		case bytecode.TNative:
			h.inside((*nativeObject)(p))
			return 0
		}
	}
	switch t.Kind {
	case bytecode.TStr, bytecode.TBytes:
		return strSize((*Str)(p).n)
	case bytecode.TBuffer:
		return int(unsafe.Sizeof(List{})) + backingSize(elemB, (*List)(p).b.cap)
	case bytecode.TList:
		return h.list((*List)(p), classOf(&h.prog.Types[t.Elem]))
	case bytecode.TMap, bytecode.TSet:
		m := (*Map)(p).t
		h.add(m.pointers())
		return int(unsafe.Sizeof(Map{})) + m.shape.tableSize(int(m.cap))
	case bytecode.TEnum:
		return h.fields(p, variantOf(t, (*Header)(p).Aux).Layout)
	case bytecode.TFunc:
		return h.fields(p, h.prog.Funcs[(*Header)(p).Aux].Closure)
	case bytecode.TTask:
		f := (*Future)(p)
		h.add(unsafe.Pointer(&f.val.p), 1, unsafe.Sizeof(p))
		if f.fail != nil {
			h.add(unsafe.Pointer(&f.fail.val.p), 1, unsafe.Sizeof(p))
			return int(unsafe.Sizeof(Future{})) + failureSize(len(f.fail.trace))
		}
		return int(unsafe.Sizeof(Future{}))
	case bytecode.TChan:
		size := chanSize
		(*Chan)(p).messages(func(vs []Value) {
			h.values(vs)
			size += len(vs) * int(unsafe.Sizeof(Value{}))
		})
		return size
	case bytecode.TMutex:
		h.add(unsafe.Pointer(&(*Mutex)(p).val.p), 1, unsafe.Sizeof(p))
		return mutexSize
	case bytecode.TNative:
		if v, ok := (*nativeObject)(p).value.(*Value); ok {
			h.add(unsafe.Pointer(&v.p), 1, unsafe.Sizeof(p))
		}
		return int(unsafe.Sizeof(nativeObject{})) + int((*Header)(p).Aux)
	}
	return h.fields(p, t.Layout)
}

func (h *heapTracer) values(vs []Value) {
	h.add(unsafe.Pointer(unsafe.SliceData(vs)), len(vs), unsafe.Sizeof(Value{}))
}

func (h *heapTracer) add(at unsafe.Pointer, n int, stride uintptr) {
	if n > 0 {
		h.work = append(h.work, span{at, n, stride})
	}
}

func (h *heapTracer) list(l *List, c elemClass) int {
	b := l.b
	if c >= elemP {
		h.add(b.data(), b.n, uintptr(c.size()))
	}
	return int(unsafe.Sizeof(List{})) + backingSize(c, b.cap)
}

// fields adds the pointers of an object: they follow its scalars.
func (h *heapTracer) fields(p unsafe.Pointer, l bytecode.Layout) int {
	if l.Refs > 0 { // else that would be an address behind the object
		h.add(unsafe.Add(p, 8+8*int(l.Scalars)), int(l.Refs), unsafe.Sizeof(p))
	}
	return l.Size()
}

// addressSet is a set of object addresses: open addressing, at most half full.
type addressSet struct {
	slots []uintptr
	n     int
}

// add reports whether the address is new.
func (s *addressSet) add(p unsafe.Pointer) bool {
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots = make([]uintptr, max(1024, 2*len(old)))
		for _, a := range old {
			if a != 0 {
				s.slots[s.find(a)] = a
			}
		}
	}
	i := s.find(uintptr(p))
	if s.slots[i] != 0 {
		return false
	}
	s.slots[i] = uintptr(p)
	s.n++
	return true
}

func (s *addressSet) has(p unsafe.Pointer) bool { return s.slots[s.find(uintptr(p))] != 0 }

// find returns the slot of an address, or the empty one where it belongs.
func (s *addressSet) find(a uintptr) int {
	mask := len(s.slots) - 1
	i := int(uint64(a)*0x9E3779B97F4A7C15>>32) & mask
	for s.slots[i] != 0 && s.slots[i] != a {
		i = (i + 1) & mask
	}
	return i
}
