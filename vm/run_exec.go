package vm

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// The helpers of the slow opcodes. Each is called with the task's state saved:
// t.pc stands behind the instruction's word, operands are read from it. They
// raise errors with throw.

func opTrap(t *Task) { panic("vm: trap: code that cannot be reached was executed") }

func opEnter(t *Task) {
	t.reserve(uintptr(t.delta), uintptr(bytecode.KOf(t.word()))*16)
}

// opGrow makes room for a call and runs its instruction again; an error points
// at the call.
func opGrow(t *Task) {
	t.pc += 8
	t.grow()
	t.pc -= 8
}

func opPow(t *Task) {
	x, y := t.rb().Int(), t.rc().Int()
	if y < 0 {
		throw(ErrValue, "negative exponent %d: an int power needs an exponent of 0 or more (use float(x) ** y)", y)
	}
	t.ra().n = uint64(intPow(x, y))
}

func intPow(x, y int64) int64 {
	r := int64(1)
	for ; y > 0; y >>= 1 {
		if y&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

func opFmod(t *Task) { t.ra().n = math.Float64bits(math.Mod(t.rb().Float(), t.rc().Float())) }
func opFpow(t *Task) { t.ra().n = math.Float64bits(math.Pow(t.rb().Float(), t.rc().Float())) }

// ---- objects ----

func opLoadFunc(t *Task) { t.ra().p = t.w.prog.closures[t.opB()] }

func opNew(t *Task) {
	id := uint32(t.opB())
	typ := &t.w.prog.Types[id]
	t.w.charge(typ.Layout.Size())
	obj := newObject(id, typ.Layout)
	fill(obj, typ.Fields, t.rc())
	t.ra().p = obj
}

func opNewEnum(t *Task) {
	id := uint32(t.opB())
	tag := bytecode.AuxOf(t.word())
	v := &t.w.prog.Types[id].Variants[tag]
	t.w.charge(v.Layout.Size())
	obj := newObject(id, v.Layout)
	(*Header)(obj).Aux = uint32(tag)
	fill(obj, v.Fields, t.rc())
	t.ra().p = obj
}

func opClosure(t *Task) {
	index := uint32(t.opB())
	f := &t.w.prog.Funcs[index]
	t.w.charge(f.Closure.Size())
	c := newClosure(f, index, t.w.prog.entries[index])
	fill(c, f.Captures, t.rc())
	t.ra().p = c
}

// fill stores consecutive registers into an object's fields.
func fill(obj unsafe.Pointer, fields []bytecode.Field, first *Value) {
	for i := range fields {
		f := &fields[i]
		v := (*Value)(unsafe.Add(unsafe.Pointer(first), i*16))
		if f.Rep != bytecode.RepP {
			*(*uint64)(unsafe.Add(obj, f.Off)) = v.n
		}
		if f.Rep != bytecode.RepI {
			*(*unsafe.Pointer)(unsafe.Add(obj, f.POff)) = v.p
		}
	}
}

// ---- lists and text ----

func opNewList(t *Task) {
	t.ra().p = unsafe.Pointer(newList(t.w, uint32(t.opB()), int(t.opC())))
}

func opMakeList(t *Task) {
	a, first, id := t.opA(), t.opC(), uint32(t.opB())
	n := int(t.imm())
	l := newList(t.w, id, n)
	b := l.b
	vals := unsafe.Slice(t.reg(first), n)
	switch classOf(&t.w.prog.Types[t.w.prog.Types[id].Elem]) {
	case elemB:
		d := unsafe.Slice((*byte)(b.data()), n)
		for i := range d {
			d[i] = byte(vals[i].n) & 1
		}
	case elemI:
		d := unsafe.Slice((*uint64)(b.data()), n)
		for i := range d {
			d[i] = vals[i].n
		}
	case elemP:
		d := unsafe.Slice((*unsafe.Pointer)(b.data()), n)
		for i := range d {
			d[i] = vals[i].p
		}
	case elemV:
		copy(unsafe.Slice((*Value)(b.data()), n), vals)
	}
	if n > 0 {
		b.n = n
	}
	t.reg(a).p = unsafe.Pointer(l)
}

// opPush serves LPUSH and the growing case of LPUSHI.
func opPush(t *Task) {
	a, b := t.ra(), t.rb()
	listPush(t.w, t.w.prog, (*List)(a.p), *b)
}

// The next four serve what the loop does not do itself: all but lists of scalars.

func opListFind(t *Task, a *Value, list *unsafe.Pointer, i *uint64) {
	l, v := (*List)(*list), Value{}
	b, e := l.b, &t.w.prog.elems[l.Type]
	if i := *i; i < uint64(b.n) {
		v = e.option(b.load(e.class, int(i)))
	}
	*a = v
}

func opListLast(t *Task, a *Value, list *unsafe.Pointer) {
	l, v := (*List)(*list), Value{}
	b, e := l.b, &t.w.prog.elems[l.Type]
	if n := b.n; n > 0 {
		v = e.option(b.load(e.class, n-1))
	}
	*a = v
}

func opListPop(t *Task, a *Value, list *unsafe.Pointer) {
	l := (*List)(*list)
	v, ok := listPop(t.w.prog, l)
	if ok {
		v = t.w.prog.elems[l.Type].option(v)
	}
	*a = v
}

func opListSwap(t *Task, list *unsafe.Pointer, i, j *uint64) {
	listSwap(t.w.prog, (*List)(*list), int64(*i), int64(*j))
}

func opListSlice(t *Task) {
	l := (*List)(t.rb().p)
	from := t.rc()
	to := (*Value)(unsafe.Add(unsafe.Pointer(from), 16))
	if n := sliced(l.b.n, from.Int(), to.Int()); n >= largeText/8 {
		t.steps(int64(bulk(n)))
	}
	t.ra().p = unsafe.Pointer(listSlice(t.w, t.w.prog, l, from.Int(), to.Int()))
}

func opStrSlice(t *Task) {
	s := (*Str)(t.rb().p)
	from := t.rc()
	to := (*Value)(unsafe.Add(unsafe.Pointer(from), 16))
	t.textSteps(sliced(s.n, from.Int(), to.Int()))
	t.ra().p = unsafe.Pointer(strSlice(t.w, s, from.Int(), to.Int()))
}

func opConcat(t *Task) {
	a, b := (*Str)(t.rb().p), (*Str)(t.rc().p)
	t.textSteps(a.n + b.n)
	t.ra().p = unsafe.Pointer(concat(t.w, a, b))
}

func opConcatN(t *Task) {
	parts := unsafe.Slice(t.reg(t.opB()), int(t.opC()))
	s := concatN(t.w, parts)
	t.ra().p = unsafe.Pointer(s)
	t.textSteps(s.n)
}

// opStrNext steps to the next character. A byte that is not valid UTF-8 cannot
// occur in a str.
func opStrNext(t *Task) *Task {
	a, s := t.ra(), (*Str)(t.rb().p)
	off := (*Value)(unsafe.Add(unsafe.Pointer(a), 16))
	text := s.String()
	i := off.Int()
	if i < 0 || i >= int64(len(text)) {
		return t
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	off.n = uint64(i) + uint64(size)
	a.p = unsafe.Pointer(charStr(t.w, text[i:i+int64(size)]))
	t.jump(int64(int16(bytecode.COf(t.word()))))
	return t.loops()
}

func opToStr(t *Task) *Task {
	t.w.helper()
	t.ra().p = unsafe.Pointer(toStr(t.w, t, uint32(t.opC()), *t.rb()))
	return t.back()
}

// opInterp writes all parts into the worker's scratch buffer, so that only the
// result is allocated.
func opInterp(t *Task) *Task {
	t.w.helper()
	dst := t.opA()
	vals := t.opB()
	buf := t.w.scratch[:0]
	for _, part := range t.w.prog.Interps[t.imm()] {
		switch part.Type {
		case 0:
			buf = append(buf, part.Text...)
			continue
		case bytecode.IDStr:
			s := textOf(*t.reg(vals)).String()
			if len(s) >= largeText {
				t.w.charge(len(s)) // for buf
				t.textSteps(len(s))
			}
			buf = append(buf, s...)
		case bytecode.IDInt:
			buf = strconv.AppendInt(buf, t.reg(vals).Int(), 10)
		default:
			p := printer{prog: t.w.prog, task: t, buf: buf}
			p.print(part.Type, *t.reg(vals))
			buf = p.buf
		}
		vals += 16
	}
	if cap(buf) <= maxScratch {
		t.w.scratch = buf
	}
	s, d := newText(t.w, bytecode.IDStr, len(buf))
	copy(d, buf)
	t.reg(dst).p = unsafe.Pointer(s)
	return t.back()
}

// maxScratch bounds the buffer a worker keeps.
const maxScratch = 64 << 10

func opFormat(t *Task) *Task {
	t.w.helper()
	id, v, dst := uint32(t.opC()), *t.rb(), t.opA()
	hole := t.rb()
	spec, err := specOf(t.w.prog.Strings[t.imm()]).FillHoles(func() int64 {
		hole = (*Value)(unsafe.Add(unsafe.Pointer(hole), 16)) // the verifier has checked the registers behind the value
		return hole.Int()
	})
	if err != nil {
		throw(ErrValue, "%s", err.Error())
	}
	t.reg(dst).p = unsafe.Pointer(formatValue(t.w, t, id, v, spec))
	return t.back()
}

func opTextEqual(t *Task) {
	v, a, b := uint64(0), (*Str)(t.rb().p), (*Str)(t.rc().p)
	if a.n == b.n {
		t.textSteps(a.n)
	}
	if a.String() == b.String() {
		v = 1
	}
	t.ra().n = v
}

func opTextCompare(t *Task) {
	a, b := (*Str)(t.rb().p), (*Str)(t.rc().p)
	t.textSteps(min(a.n, b.n))
	t.ra().n = uint64(int64(strCompare(a, b)))
}

func opCompare(t *Task) *Task {
	t.w.helper()
	x, y, dst := *t.rb(), *t.rc(), t.opA()&^15
	r := compare(t, uint32(t.imm()), x, y)
	t.reg(dst).n = uint64(int64(r))
	return t.back()
}

func opEqual(t *Task) *Task {
	t.w.helper()
	x, y, dst := *t.rb(), *t.rc(), t.opA()&^15
	v := uint64(0)
	if equal(t, uint32(t.imm()), x, y) {
		v = 1
	}
	t.reg(dst).n = v
	return t.back()
}

// ---- maps and sets ----

func opNewMap(t *Task) { t.ra().p = unsafe.Pointer(newMap(t.w, uint32(t.opB()))) }

func opMapLen(_ *Task, a *uint64, m *unsafe.Pointer) { *a = uint64(mapLen((*Map)(*m))) }

// opMapGet, opMapFind and opMapSet do what is most frequent first, in a way that
// Go compiles without a frame: a value without a pointer word whose key is in
// the first slot. They call one function for the rest.

func opMapGet(t *Task, a *Value, b *unsafe.Pointer, key *Value) {
	tab := (*Map)(*b).t
	e := notFound
	switch tab.key {
	case keyInt:
		e = tab.firstWord(key.n, hashWord(key.n))
	case keyText:
		if key.p != nil {
			e = tab.firstText(key.p, knownHash(key.p))
		}
	}
	if e == notFound || tab.valPtr {
		mapGetFar(t, a, (*Map)(*b), key)
		return
	}
	t.w.found = placeIn(tab, e)
	*a = Value{n: *tab.word(e)}
}

func mapGetFar(t *Task, a *Value, m *Map, key *Value) {
	tab := m.t
	e := tab.find(t.w, *key)
	if e == notFound {
		throw(ErrKey, "the map has no key %s", t.display(t.w.prog.Types[m.Type].Key, *key))
	}
	t.w.found = placeIn(tab, e)
	v := tab.value(e)
	if tab.valPtr {
		v = t.checkElem(m, v)
	}
	*a = v
}

// checkElem guards against the nil that only a race leaves where a reference
// must be.
func (t *Task) checkElem(m *Map, v Value) Value {
	e := &t.w.prog.Types[t.w.prog.Types[m.Type].Elem]
	if v.p == nil && e.Rep != bytecode.RepI && e.Kind != bytecode.TOptional {
		throw(ErrRace, "a map was changed by another task while it was read")
	}
	return v
}

// opMapFind gives an optional; the compiler uses it for element types that are
// not themselves optional.
func opMapFind(t *Task, a *Value, b *unsafe.Pointer, key *Value) {
	tab := (*Map)(*b).t
	e := notFound
	switch tab.key {
	case keyInt:
		e = tab.firstWord(key.n, hashWord(key.n))
	case keyText:
		if key.p != nil {
			e = tab.firstText(key.p, knownHash(key.p))
		}
	}
	if e == notFound || tab.valPtr {
		mapFindFar(t, a, (*Map)(*b), key)
		return
	}
	t.w.found = placeIn(tab, e)
	*a = Value{p: t.w.prog.elems[(*Map)(*b).Type].some, n: *tab.word(e)}
}

func mapFindFar(t *Task, a *Value, m *Map, key *Value) {
	tab, v := m.t, Value{}
	if e := tab.find(t.w, *key); e != notFound {
		t.w.found = placeIn(tab, e)
		v = t.w.prog.elems[m.Type].option(tab.value(e))
	}
	*a = v
}

func opMapSet(t *Task, a *unsafe.Pointer, key, val *Value) {
	tab := (*Map)(*a).t
	e, guess := notFound, &t.w.found
	switch tab.key {
	case keyInt:
		if e = guess.entry; !guess.in(tab) || *tab.keyWord(e) != key.n || tab.removed(e) {
			e = tab.firstWord(key.n, hashWord(key.n))
		}
	case keyText:
		if key.p == nil {
			break
		}
		if e = guess.entry; !guess.in(tab) || *tab.keyPtr(e) != key.p {
			e = tab.firstText(key.p, knownHash(key.p))
		}
	}
	if e == notFound || tab.valPtr {
		mapSet(t.w, (*Map)(*a), *key, *val)
		return
	}
	*tab.word(e) = val.n
}

func opMapHas(t *Task, a *uint64, m *unsafe.Pointer, key *Value) {
	v := uint64(0)
	if (*Map)(*m).t.find(t.w, *key) != notFound {
		v = 1
	}
	*a = v
}

func opSetAdd(t *Task, m *unsafe.Pointer, key *Value) {
	mapSet(t.w, (*Map)(*m), *key, Value{})
}

func opMapIter(t *Task) {
	a := t.ra()
	a.n = 0
	(*Value)(unsafe.Add(unsafe.Pointer(a), 16)).n = uint64(mapVersion((*Map)(t.rb().p)))
}

func opMapNext(t *Task) *Task {
	a, m, rel := t.ra(), (*Map)(t.rb().p), int64(int16(bytecode.COf(t.word())))
	regs := t.imm()
	version := (*Value)(unsafe.Add(unsafe.Pointer(a), 16)).n
	if uint64(mapVersion(m)) != version {
		t.pc -= 8
		throw(ErrModified, "the collection was changed inside its own loop (loop over a copy, or collect the changes and make them afterwards)")
	}
	next, key, val, ok := mapNext(m, int(a.n))
	if !ok {
		return t
	}
	a.n = uint64(next)
	*t.reg(uintptr(uint32(regs))) = key
	if v := uint32(regs >> 32); v != math.MaxUint32 {
		*t.reg(uintptr(v)) = t.checkElem(m, val)
	}
	t.jump(rel)
	return t.loops()
}

// ---- any ----

func (t *Task) satisfies(v Value, iface uintptr) bool {
	sat := t.w.prog.Ifaces[iface].Sat
	id := v.TypeID()
	return v.p != nil && int(id) < len(sat) && sat[id]
}

func opIsIface(t *Task) {
	v := uint64(0)
	if t.satisfies(*t.rb(), t.opC()) {
		v = 1
	}
	t.ra().n = v
}

func opCastIface(t *Task) {
	v := *t.rb()
	if !t.satisfies(v, t.opC()) {
		throw(ErrCast, "%s does not satisfy %s", t.w.prog.Types[v.TypeID()].Name, t.w.prog.Types[t.w.prog.Ifaces[t.opC()].Type].Name)
	}
	*t.ra() = v
}

func opTypeOf(t *Task) {
	id, v := uint32(t.opC()), *t.rb()
	switch t.w.prog.Types[id].Kind {
	case bytecode.TAny, bytecode.TInterface:
		id = v.TypeID()
	}
	name := t.w.prog.Types[id].Name
	t.w.charge(strSize(len(name)))
	t.ra().p = unsafe.Pointer(newStrOf(bytecode.IDStr, name))
}

// ---- calls ----

func opNative(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	index := t.opB()
	w := t.w
	c := &w.call
	c.t, c.w = t, w
	c.base = unsafe.Pointer(t.ra())
	c.ref = &t.w.prog.Natives[index]
	w.helper()
	t.w.prog.natives[index](c)
	if len(w.pins) > 0 {
		w.unpin()
	}
	if next := c.next; next != nil { // it waits for something
		c.next, w.detachable, w.nativeBytes = nil, false, 0
		return next
	}
	return t.back()
}

// unpin releases what a native that has ended was building.
func (w *Worker) unpin() {
	clear(w.pins)
	w.pins = w.pins[:0]
	w.nativeBytes = 0
	w.call.Depth = 0
}

// deferredSize is what a closure yet to be called takes beside itself.
const deferredSize = int(unsafe.Sizeof(deferred{}))

func opDefer(t *Task) {
	more := t.extra()
	if n := len(more.defers); n == cap(more.defers) {
		extra := max(n, 4)
		t.w.charge((n + extra) * deferredSize)
		more.defers = slices.Grow(more.defers, extra)
	}
	more.defers = append(more.defers, deferred{t.ra().p, t.delta})
}

// opRunDefer calls the last closure deferred by the function that runs, with
// this very instruction as the place to return to, until none is left. No
// cancel reaches the task meanwhile.
func opRunDefer(t *Task) {
	more := t.more
	if more == nil {
		return
	}
	n := len(more.defers)
	if n == 0 || more.defers[n-1].delta != t.delta {
		t.unshieldAt(t.delta)
		return
	}
	fn := more.defers[n-1].fn
	more.defers[n-1] = deferred{}
	more.defers = more.defers[:n-1]
	if more.excesses == maxExcesses {
		t.pc -= 8 // the next one
		return
	}
	t.shield()
	if sh := &more.shields[len(more.shields)-1]; sh.fail == nil {
		sh.fail = more.fail
	}
	a := t.opA()
	entry := *(*uint64)(unsafe.Add(fn, 8))
	window := uintptr(t.delta) + a
	t.reserve(window, uintptr(entry>>32))
	link := (*Value)(unsafe.Add(t.stack, window-16))
	link.p = fn
	link.n = uint64(t.pc-8)<<32 | uint64(a)
	t.delta = uint32(window)
	t.pc = uint32(entry)
}
