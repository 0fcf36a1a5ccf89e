package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// heapTracer walks what is reachable from the roots it is given and sums the
// bytes. The tasks that could change these objects must stand still. Every
// pointer word of a value is nil, a scalar's descriptor or an object with a
// header, so roots need no map of what they hold.
type heapTracer struct {
	prog    *Program
	visited addressSet
	work    []unsafe.Pointer
	bytes   int64
}

// newHeapTracer starts a walk. What belongs to the program (constants,
// functions without captures) is not counted.
func newHeapTracer(prog *Program) *heapTracer {
	h := &heapTracer{prog: prog}
	for _, p := range prog.constList {
		h.visited.add(p)
	}
	for _, p := range prog.closures {
		if p != nil {
			h.visited.add(p)
		}
	}
	return h
}

// root adds an object, or nothing for nil.
func (h *heapTracer) root(p unsafe.Pointer) {
	if p != nil {
		h.work = append(h.work, p)
	}
}

// roots adds registers, globals or other values.
func (h *heapTracer) roots(vs []Value) {
	for i := range vs {
		h.root(vs[i].p)
	}
}

// pointers adds pointer words.
func (h *heapTracer) pointers(ps []unsafe.Pointer) {
	for _, p := range ps {
		h.root(p)
	}
}

// traceParts visits the parts of the objects whose layout other files know:
// tasks, channels, mutexes. It gives the object's size.
var traceParts = map[bytecode.TypeKind]func(h *heapTracer, p unsafe.Pointer) int{}

// run walks until nothing new is reachable and gives the bytes that live.
func (h *heapTracer) run() int64 {
	for len(h.work) > 0 {
		p := h.work[len(h.work)-1]
		h.work = h.work[:len(h.work)-1]
		h.visit(p)
	}
	return h.bytes
}

func (h *heapTracer) visit(p unsafe.Pointer) {
	hd := (*Header)(p)
	t := &h.prog.Types[hd.Type]
	if t.Rep == bytecode.RepI || !h.visited.add(p) {
		return // a scalar's descriptor, or seen before
	}
	size := 0
	switch t.Kind {
	case bytecode.TStr, bytecode.TBytes:
		size = strSize((*Str)(p).n)
	case bytecode.TList, bytecode.TBuffer:
		size = h.list((*List)(p))
	case bytecode.TMap, bytecode.TSet:
		m := (*Map)(p).t
		h.pointers(m.ptrs)
		size = int(unsafe.Sizeof(Map{})) + m.shape.tableSize(int(m.cap))
	case bytecode.TEnum:
		v := variantOf(t, hd.Aux)
		if len(v.Fields) == 0 {
			return // shared by all
		}
		size = h.fields(p, v.Layout)
	case bytecode.TFunc:
		size = h.fields(p, h.prog.Funcs[hd.Aux].Closure)
	case bytecode.TNative:
		size = int(unsafe.Sizeof(nativeObject{})) + int(hd.Aux)
	default:
		if parts := traceParts[t.Kind]; parts != nil {
			size = parts(h, p)
		} else {
			size = h.fields(p, t.Layout)
		}
	}
	h.bytes += int64(size)
}

func (h *heapTracer) list(l *List) int {
	c := elemsOf(h.prog, l)
	b := l.b
	switch c {
	case elemP:
		h.pointers(b.ptrs())
	case elemV:
		h.roots(b.values())
	}
	return int(unsafe.Sizeof(List{})) + backingSize(c, b.cap)
}

// fields visits the pointers of an object: they stand behind its scalars.
func (h *heapTracer) fields(p unsafe.Pointer, l bytecode.Layout) int {
	h.pointers(unsafe.Slice((*unsafe.Pointer)(unsafe.Add(p, 8+8*int(l.Scalars))), int(l.Refs)))
	return l.Size()
}

// addressSet is a set of object addresses: open addressing, at most half full.
type addressSet struct {
	slots []uintptr
	n     int
}

// add tells whether the address is new.
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

// find gives the slot of an address, or the empty one where it belongs.
func (s *addressSet) find(a uintptr) int {
	mask := len(s.slots) - 1
	i := int(uint64(a)*0x9E3779B97F4A7C15>>32) & mask
	for s.slots[i] != 0 && s.slots[i] != a {
		i = (i + 1) & mask
	}
	return i
}
