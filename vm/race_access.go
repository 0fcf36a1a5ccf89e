package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What the loop runRace tells of accesses. A location is a word of an object or
// an element of a list. Location 0 is the object as a whole: each access of a
// list's element reads it, and what changes the length, or many elements, writes
// it. A map has no other. References to nothing are told too, before they fault.

func (t *Task) raceAt(obj unsafe.Pointer, index int, write bool) {
	switch {
	case obj == nil:
	case write:
		t.thread().Write(obj, index, t.racePlace())
	default:
		t.thread().Read(obj, index, t.racePlace())
	}
}

func (t *Task) raceField(obj unsafe.Pointer, offset uintptr, write bool) {
	t.raceAt(obj, int(offset/8), write)
}

func (t *Task) raceGlobal(offset int64, write bool) {
	t.raceAt(t.w.race.globals, int(offset/8), write)
}

func (t *Task) raceInit(number int64, write bool) {
	t.raceAt(t.w.race.ginit, int(number), write)
}

func (t *Task) raceWhole(obj unsafe.Pointer, write bool) { t.raceAt(obj, 0, write) }

// raceElem tells of element i of a list, if it has one.
func (t *Task) raceElem(list unsafe.Pointer, i uint64, write bool) {
	t.raceAt(list, 0, false)
	if list != nil && i < uint64((*List)(list).b.n) {
		t.raceAt(list, int(i)+1, write)
	}
}

// raceElems tells that elements of a list are read.
func (t *Task) raceElems(list unsafe.Pointer, from, to int64) {
	t.raceAt(list, 0, false)
	if list == nil {
		return
	}
	to = min(to, int64((*List)(list).b.n))
	if 0 <= from && from < to {
		t.thread().ReadRange(list, int(from)+1, int(to)+1, t.racePlace())
	}
}

func raceSlice(t *Task) {
	from := t.rc()
	to := (*Value)(unsafe.Add(unsafe.Pointer(from), 16))
	t.raceElems(t.rb().p, from.Int(), to.Int())
}

func raceLast(t *Task) {
	l := t.rb().p
	t.raceElem(l, uint64((*List)(l).b.n-1), false)
}

func raceSwap(t *Task) {
	l := t.ra().p
	t.raceElem(l, t.rb().n, true)
	t.raceElem(l, t.rc().n, true)
}

func raceShown(t *Task) { t.raceDeep(uint32(t.opC()), *t.rb()) }

func raceCompared(t *Task) {
	id := uint32(*(*uint64)(unsafe.Add(t.w.prog.code, t.pc)))
	t.raceDeep(id, *t.rb())
	t.raceDeep(id, *t.rc())
}

func raceInterp(t *Task) {
	vals := t.opB()
	for _, part := range t.w.prog.Interps[*(*uint64)(unsafe.Add(t.w.prog.code, t.pc))] {
		if part.Type != 0 {
			t.raceDeep(part.Type, *t.reg(vals))
			vals += 16
		}
	}
}

// raceDeep tells that a value is read with all its parts, as `==` and print do.
func (t *Task) raceDeep(id uint32, v Value) {
	if v.p == nil || t.w.prog.Types[id].Rep == bytecode.RepI {
		return
	}
	w := deepReader{t: t}
	for w.add(v.p); len(w.work) > 0; {
		p := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.read(p, &t.w.prog.Types[(*Header)(p).Type])
	}
}

// deepReader visits objects and what they refer to. Every pointer word is nil,
// a scalar's descriptor or an object with a header.
type deepReader struct {
	t    *Task
	work []unsafe.Pointer
	seen map[unsafe.Pointer]struct{}
}

func (w *deepReader) add(p unsafe.Pointer) {
	if p == nil {
		return
	}
	switch t := &w.t.w.prog.Types[(*Header)(p).Type]; t.Kind {
	case bytecode.TBuffer, bytecode.TList, bytecode.TMap, bytecode.TSet, bytecode.TTuple, bytecode.TStruct, bytecode.TEnum, bytecode.TBox:
		if t.Rep == bytecode.RepI {
			return
		}
	default:
		return
	}
	if _, ok := w.seen[p]; ok {
		return
	}
	if w.seen == nil {
		w.seen = map[unsafe.Pointer]struct{}{}
	}
	w.seen[p] = struct{}{}
	w.work = append(w.work, p)
}

func (w *deepReader) read(p unsafe.Pointer, t *bytecode.Type) {
	switch t.Kind {
	case bytecode.TBuffer:
		w.t.raceElems(p, 0, int64((*List)(p).b.n))
	case bytecode.TList:
		b := (*List)(p).b
		w.t.raceElems(p, 0, int64(b.n))
		if c := classOf(&w.t.w.prog.Types[t.Elem]); c >= elemP {
			for i := range b.n {
				w.add(b.load(c, i).p)
			}
		}
	case bytecode.TMap, bytecode.TSet:
		w.t.raceWhole(p, false)
		m := (*Map)(p)
		for pos, key, val, ok := mapNext(m, 0); ok; pos, key, val, ok = mapNext(m, pos) {
			w.part(t.Key, key)
			if t.Kind == bytecode.TMap {
				w.part(t.Elem, val)
			}
		}
	case bytecode.TEnum:
		w.fields(p, variantOf(t, (*Header)(p).Aux).Fields, false)
	default:
		w.fields(p, t.Fields, true)
	}
}

// part visits a value of a static type, whose pointer word need not count.
func (w *deepReader) part(id uint32, v Value) {
	if w.t.w.prog.Types[id].Rep != bytecode.RepI {
		w.add(v.p)
	}
}

func (w *deepReader) fields(p unsafe.Pointer, fields []bytecode.Field, change bool) {
	for i := range fields {
		f := &fields[i]
		if change && f.Rep != bytecode.RepP {
			w.t.raceField(p, uintptr(f.Off), false)
		}
		if f.Rep != bytecode.RepI {
			if change {
				w.t.raceField(p, uintptr(f.POff), false)
			}
			w.add(loadField(p, f).p)
		}
	}
}
