package vm

import (
	"math/bits"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Map is a map<K, V> or a set<T>: a pointer to a table. Header.Aux is the
// version, which every insertion of a new key and every removal changes.
type Map struct {
	Header
	t *table
}

// table keeps its entries in order of insertion and finds them by open
// addressing:
//
//	index:  slot ─> entry + 1, with some bits of the hash above
//	words:  per entry the number words: key (or hash), value
//	ptrs:   per entry the pointer words: key, value
//
// Where an entry has one word of each kind they stand beside each other, as a
// Value: one cache line, not two.
//
// The arrays and everything above n never change, and the table is published
// with one pointer store. So races can lose or mix entries, but every index is
// checked against the arrays it belongs to, cap or mask, and every probe is
// bounded. The accesses below do without Go's bounds checks for that reason.
type table struct {
	index   unsafe.Pointer // mask + 1 slots of 32 bits
	words   unsafe.Pointer // of the first entry
	ptrs    unsafe.Pointer // of the first entry
	mask    uint32
	idxMask uint32 // the bits of a slot that are entry + 1; the rest is of the hash
	cap     uint32
	shape

	n    uint32   // entries used, removed ones included
	live uint32   // entries not removed
	dead []uint64 // bit set: the entry was removed
}

// shape says how a map stores its entries.
type shape struct {
	keyID     uint32 // type of the keys
	key       keyKind
	valWord   bool  // the value has a number word
	valPtr    bool  // the value has a pointer word
	wordShift uint8 // from one entry's words to the next one's are 1<<wordShift bytes
	ptrShift  uint8
	valWordAt uint8 // where the value's words stand behind the entry's first ones
	valPtrAt  uint8
}

type keyKind uint8

const (
	keyInt   keyKind = iota // a number word
	keyFloat                // a number word, -0 as 0, no NaN
	keyText                 // str or bytes, which cache their hash
	keyOther                // a tuple or enum: its hash, and a reference
)

// minTable is the least number of entries of a table that has any.
const minTable = 8

// keyShape is the shape of a set of keys of a type.
func keyShape(prog *Program, keyID uint32) shape {
	s := shape{keyID: keyID}
	switch k := &prog.Types[keyID]; {
	case k.Kind == bytecode.TFloat:
		s.key = keyFloat
	case k.Kind == bytecode.TStr || k.Kind == bytecode.TBytes:
		s.key = keyText
	case k.Rep != bytecode.RepI:
		s.key = keyOther
	}
	return s.laidOut()
}

// shapeOf is the shape of a map or set type.
func shapeOf(prog *Program, id uint32) shape {
	t := &prog.Types[id]
	s := keyShape(prog, t.Key)
	if t.Kind == bytecode.TMap {
		e := prog.Types[t.Elem].Rep
		s.valWord, s.valPtr = e != bytecode.RepP, e != bytecode.RepI
	}
	return s.laidOut()
}

// hasWord and hasPtr tell which words the key takes.
func (s *shape) hasWord() bool { return s.key != keyText }
func (s *shape) hasPtr() bool  { return s.key >= keyText }

// counts are how many words of each kind an entry has.
func (s *shape) counts() (words, ptrs int) {
	for _, has := range [...]bool{s.hasWord(), s.valWord} {
		if has {
			words++
		}
	}
	for _, has := range [...]bool{s.hasPtr(), s.valPtr} {
		if has {
			ptrs++
		}
	}
	return words, ptrs
}

// laidOut places the words of an entry.
func (s shape) laidOut() shape {
	words, ptrs := s.counts()
	s.wordShift, s.ptrShift, s.valWordAt, s.valPtrAt = 3, 3, 0, 0
	switch {
	case words == 1 && ptrs == 1:
		s.wordShift, s.ptrShift = 4, 4
	case words == 2:
		s.wordShift, s.valWordAt = 4, 8
	}
	if ptrs == 2 {
		s.ptrShift, s.valPtrAt = 4, 8
	}
	return s
}

// tableSize is what a table of a capacity is charged.
func (s *shape) tableSize(capacity int) int {
	words, ptrs := s.counts()
	return int(unsafe.Sizeof(table{})) + 2*4*capacity + (capacity+63)/64*8 + 8*capacity*(words+ptrs)
}

// noSlot is the index of every table without entries: nothing is ever stored in it.
var noSlot uint32

func emptyTable(s shape) *table { return &table{shape: s, index: unsafe.Pointer(&noSlot)} }

// newTable makes a table for capacity entries, a power of two. The caller has
// charged for it. All arrays without pointers are one allocation.
func newTable(s shape, capacity int) *table {
	t := &table{shape: s, cap: uint32(capacity)}
	t.mask = 2*t.cap - 1
	t.idxMask = 1<<bits.Len32(t.cap) - 1
	words, ptrs := s.counts()
	if words == 1 && ptrs == 1 {
		values := make([]Value, capacity)
		t.words, t.ptrs = unsafe.Pointer(&values[0].n), unsafe.Pointer(&values[0].p)
		words, ptrs = 0, 0
	}
	ndead := (capacity + 63) / 64
	scalars := make([]uint64, words*capacity+ndead+capacity)
	if words > 0 {
		t.words = unsafe.Pointer(&scalars[0])
	}
	t.dead = scalars[words*capacity:][:ndead:ndead]
	t.index = unsafe.Pointer(&scalars[words*capacity+ndead])
	if ptrs > 0 {
		t.ptrs = unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, ptrs*capacity)))
	}
	return t
}

// pointers tells the tracer where the pointer words stand.
func (t *table) pointers() (first unsafe.Pointer, n int, step uintptr) {
	n, step = int(t.cap), 1<<t.ptrShift
	switch _, ptrs := t.counts(); ptrs {
	case 0:
		n = 0
	case 2:
		n, step = 2*n, unsafe.Sizeof(first)
	}
	return t.ptrs, n, step
}

// Where the words of entry e < cap stand, and the slot that a hash leads to.
func (t *table) keyWord(e uint32) *uint64 {
	return (*uint64)(unsafe.Add(t.words, uintptr(e)<<(t.wordShift&63)))
}
func (t *table) keyPtr(e uint32) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(t.ptrs, uintptr(e)<<(t.ptrShift&63)))
}
func (t *table) word(e uint32) *uint64 {
	return (*uint64)(unsafe.Add(t.words, uintptr(e)<<(t.wordShift&63)+uintptr(t.valWordAt)))
}
func (t *table) ptr(e uint32) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(t.ptrs, uintptr(e)<<(t.ptrShift&63)+uintptr(t.valPtrAt)))
}
func (t *table) slot(h uint32) *uint32 {
	return (*uint32)(unsafe.Add(t.index, uintptr(h&t.mask)*4))
}

// newMap makes an empty map or set, charged.
func newMap(w *Worker, id uint32) *Map {
	s := shapeOf(w.prog, id)
	w.charge(int(unsafe.Sizeof(Map{})) + int(unsafe.Sizeof(table{})))
	m := &Map{t: emptyTable(s)}
	m.Type = id
	return m
}

func chargedTable(w *Worker, s shape, capacity int) *table {
	if capacity > maxObject/8 {
		w.chargeObject(-1)
	}
	w.chargeObject(s.tableSize(capacity))
	return newTable(s, capacity)
}

// mapLen is the number of entries.
func mapLen(m *Map) int {
	t := m.t
	return int(min(t.live, t.cap)) // a race may have let live drift
}

func mapVersion(m *Map) uint32 { return m.Aux }

// ---- finding ----

const notFound = ^uint32(0)

// Each find walks the slots from the hash's on to the first empty one. What it
// returns is below cap.

func (t *table) findWord(key uint64, h uint32) uint32 {
	mask, idxMask := t.mask, t.idxMask
	tag := h &^ idxMask
	for end := h + mask; ; h++ {
		slot := *(*uint32)(unsafe.Add(t.index, uintptr(h&mask)*4))
		if slot == 0 {
			return notFound
		}
		if slot&^idxMask == tag {
			if e := slot&idxMask - 1; e < t.cap && *t.keyWord(e) == key {
				return e
			}
		}
		if h == end {
			return notFound
		}
	}
}

func (t *table) findText(key *Str, h uint32) uint32 {
	mask, idxMask := t.mask, t.idxMask
	tag := h &^ idxMask
	for end := h + mask; ; h++ {
		slot := *(*uint32)(unsafe.Add(t.index, uintptr(h&mask)*4))
		if slot == 0 {
			return notFound
		}
		if slot&^idxMask == tag {
			if e := slot&idxMask - 1; e < t.cap {
				k := (*Str)(*t.keyPtr(e))
				if k == key || k != nil && k.n == key.n && k.String() == key.String() {
					return e
				}
			}
		}
		if h == end {
			return notFound
		}
	}
}

func (t *table) findOther(w *Worker, key Value, h uint32) uint32 {
	for i := range t.mask + 1 {
		slot := *t.slot(h + i)
		if slot == 0 {
			break
		}
		e := slot&t.idxMask - 1
		if slot&^t.idxMask != h&^t.idxMask || e >= t.cap || *t.keyWord(e) != uint64(h) {
			continue
		}
		if k := *t.keyPtr(e); k != nil && (k == key.p || equalKeys(w, t.keyID, Value{p: k}, key)) {
			return e
		}
	}
	return notFound
}

// firstWord and firstText look at the first slot alone, where most keys are. They
// may overlook one that is there.

func (t *table) firstWord(key uint64, h uint32) uint32 {
	slot := *t.slot(h)
	if e := slot&t.idxMask - 1; (slot^h)&^t.idxMask == 0 && e < t.cap && *t.keyWord(e) == key {
		return e
	}
	return notFound
}

func (t *table) firstText(key unsafe.Pointer, h uint32) uint32 {
	slot := *t.slot(h)
	if e := slot&t.idxMask - 1; (slot^h)&^t.idxMask == 0 && e < t.cap && *t.keyPtr(e) == key {
		return e
	}
	return notFound
}

// find returns the entry of a key. Of key only the word that its type uses counts.
func (t *table) find(w *Worker, key Value) uint32 {
	e, _, _ := t.probe(w, key)
	return e
}

// probe finds the entry of a key, and gives the key's word and hash.
func (t *table) probe(w *Worker, key Value) (e uint32, word uint64, h uint32) {
	switch t.key {
	case keyFloat:
		key.n = floatKey(key.n)
		fallthrough
	case keyInt:
		h = hashWord(key.n)
		return t.findWord(key.n, h), key.n, h
	case keyText:
		s := textOf(key)
		h = s.hash()
		return t.findText(s, h), 0, h
	}
	h = hashValue(w.prog, t.keyID, key)
	return t.findOther(w, key, h), uint64(h), h
}

// value of entry e < cap.
func (t *table) value(e uint32) (v Value) {
	if t.valWord {
		v.n = *t.word(e)
	}
	if t.valPtr {
		v.p = *t.ptr(e)
	}
	return v
}

func (t *table) setValue(e uint32, v Value) {
	if t.valWord {
		*t.word(e) = v.n
	}
	if t.valPtr {
		*t.ptr(e) = v.p
	}
}

// entryKey is the key of entry e < cap. A reference may be nil under a race.
func (t *table) entryKey(e uint32) (v Value) {
	if t.hasPtr() {
		v.p = *t.keyPtr(e)
	} else {
		v.n = *t.keyWord(e)
	}
	return v
}

// mapGet returns the value of a key.
func mapGet(w *Worker, m *Map, key Value) (Value, bool) {
	t := m.t
	e := t.find(w, key)
	if e == notFound {
		return Value{}, false
	}
	return t.value(e), true
}

// place is where a key was found last. It is a guess for the next code that sets that key,
// as `m[k] += 1` does: its user checks that the key is there, so nothing
// has to keep it right.
type place struct {
	table uintptr // what stands there now may be another one
	entry uint32
}

func placeIn(t *table, e uint32) place { return place{uintptr(unsafe.Pointer(t)), e} }

// in reports whether it is an entry of the table.
func (p *place) in(t *table) bool { return p.table == uintptr(unsafe.Pointer(t)) && p.entry < t.n }

// removed tells it of entry e < n.
func (t *table) removed(e uint32) bool { return t.dead[e/64]>>(e%64)&1 != 0 }

// ---- changing ----

// mapSet sets the value of a key; inserted reports whether the key is new. For a
// set the value is ignored.
func mapSet(w *Worker, m *Map, key, val Value) (inserted bool) {
	t := m.t
	e, word, h := t.probe(w, key)
	if e != notFound {
		t.setValue(e, val)
		return false
	}
	t.insert(w, m, word, key.p, h, val)
	return true
}

// insert adds an entry for a key that is not there.
func (t *table) insert(w *Worker, m *Map, word uint64, key unsafe.Pointer, h uint32, val Value) {
	n := t.n
	if n >= t.cap {
		t = t.grown(w)
		n = t.n
		m.t = t
	}
	if t.put(n, word, key, h) {
		t.setValue(n, val)
		t.n = n + 1
		t.live++
	}
	m.Aux++
}

// put writes the key of entry n < cap and the slot that leads to it. It fails
// only when races have filled all slots.
func (t *table) put(n uint32, word uint64, key unsafe.Pointer, h uint32) bool {
	if t.hasWord() {
		*t.keyWord(n) = word
	}
	if t.hasPtr() {
		*t.keyPtr(n) = key
	}
	for i := range t.mask + 1 {
		if slot := t.slot(h + i); *slot == 0 {
			*slot = h&^t.idxMask | (n + 1)
			return true
		}
	}
	return false
}

// grown makes a table with room for one more entry: of twice the capacity, or
// of the same when a good part of the entries are removed ones.
func (t *table) grown(w *Worker) *table {
	capacity := int(t.cap)
	if live := int(t.live); live > capacity-capacity/4 || capacity < minTable {
		capacity = max(minTable, 2*capacity)
	}
	return t.rebuilt(w, capacity)
}

// rebuilt copies the entries into a new table of a capacity.
func (t *table) rebuilt(w *Worker, capacity int) *table {
	out := chargedTable(w, t.shape, capacity)
	n := uint32(0)
	for e := t.next(0); e < min(t.n, t.cap) && n < out.cap-1; e = t.next(e + 1) {
		var word uint64
		var key unsafe.Pointer
		var h uint32
		if t.hasWord() {
			word = *t.keyWord(e)
		}
		if t.hasPtr() {
			key = *t.keyPtr(e)
		}
		switch t.key {
		case keyText:
			if key == nil {
				continue
			}
			h = (*Str)(key).hash()
		case keyOther:
			h = uint32(word)
		default:
			h = hashWord(word)
		}
		out.put(n, word, key, h)
		out.setValue(n, t.value(e))
		n++
	}
	out.n, out.live = n, n
	return out
}

// next is the first entry from e on that is not removed.
func (t *table) next(e uint32) uint32 {
	if t.live == t.n {
		return e
	}
	for e < t.cap {
		if rest := ^t.dead[e/64] >> (e % 64); rest != 0 {
			return e + uint32(bits.TrailingZeros64(rest))
		}
		e = (e/64 + 1) * 64
	}
	return e
}

// mapRemove takes a key out and gives its value.
func mapRemove(w *Worker, m *Map, key Value) (Value, bool) {
	t := m.t
	e, _, h := t.probe(w, key)
	if e == notFound {
		return Value{}, false
	}
	v := t.value(e)
	for i := range t.mask + 1 {
		slot := t.slot(h + i)
		if *slot == 0 {
			break
		}
		if *slot&t.idxMask == e+1 {
			*slot = t.idxMask + 1 // no entry, but not empty: probes go on behind it
			break
		}
	}
	t.dead[e/64] |= 1 << (e % 64)
	if t.hasPtr() {
		*t.keyPtr(e) = nil
	}
	if t.valPtr {
		*t.ptr(e) = nil
	}
	t.live--
	m.Aux++
	return v, true
}

// mapClear takes all entries out.
func mapClear(w *Worker, m *Map) {
	old := m.t
	if old.n == 0 {
		return
	}
	w.charge(int(unsafe.Sizeof(table{})))
	m.t = emptyTable(old.shape)
	m.Aux++
}

// mapNext returns the first entry from position pos on, in order of insertion,
// and the position behind it.
func mapNext(m *Map, pos int) (next int, key, val Value, ok bool) { return m.t.entry(pos) }

func (t *table) entry(pos int) (next int, key, val Value, ok bool) {
	n := min(t.n, t.cap)
	if pos < 0 || pos >= int(n) {
		return pos, key, val, false
	}
	for e := t.next(uint32(pos)); e < n; e = t.next(e + 1) {
		key = t.entryKey(e)
		if t.hasPtr() && key.p == nil {
			continue // another task is just writing or removing it
		}
		return int(e) + 1, key, t.value(e), true
	}
	return int(n), key, val, false
}

// mapCopy copies a map into a new one of a type with the same shape.
func mapCopy(w *Worker, id uint32, m *Map) *Map {
	t := m.t
	out := newMap(w, id)
	if live := mapLen(m); live > 0 {
		out.t = t.rebuilt(w, max(minTable, 1<<bits.Len(uint(live))))
	}
	return out
}
