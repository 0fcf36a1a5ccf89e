package vm

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Natives of [T], see prelude/list.rnl.
func init() {
	registerNative("list.len", func(c *Call) { c.SetInt(int64(c.List(0).b.n)) })
	registerNative("list.push", func(c *Call) { listPush(c.w, c.prog(), c.List(0), c.Value(1)) })
	registerNative("list.pop", func(c *Call) { c.setOption(listPop(c.prog(), c.List(0))) })
	registerNative("list.insert", listInsertNative)
	registerNative("list.remove", listRemoveNative)
	registerNative("list.clear", func(c *Call) { listTruncateNative(c, 0) })
	registerNative("list.extend", listExtendNative)
	registerNative("list.truncate", func(c *Call) { listTruncateNative(c, c.count(1, "truncate a list to")) })
	registerNative("list.reserve", listReserveNative)
	registerNative("list.fill", listFillNative)
	registerNative("list.swap", func(c *Call) { listSwap(c.prog(), c.List(0), c.Int(1), c.Int(2)) })
	registerNative("list.first", func(c *Call) { c.setOption(c.element(c.List(0), 0)) })
	registerNative("list.last", func(c *Call) { c.setOption(c.lastElement(c.List(0))) })
	registerNative("list.get", func(c *Call) { c.setOption(c.element(c.List(0), c.Int(1))) })
	registerNative("list.contains", func(c *Call) {
		_, ok := listFind(c)
		c.SetBool(ok)
	})
	registerNative("list.index_of", func(c *Call) {
		i, ok := listFind(c)
		c.setOption(IntValue(int64(i)), ok)
	})
	registerNative("list.copy", func(c *Call) { b := c.List(0).b; c.setSlice(b, 0, b.n) })
	registerNative("list.slice", func(c *Call) {
		l := c.List(0)
		c.Steps(bulk(sliced(l.b.n, c.Int(1), c.Int(2))))
		c.setPtr(ptr(listSlice(c.w, c.prog(), l, c.Int(1), c.Int(2))))
	})
	registerNative("list.take", func(c *Call) {
		b := c.List(0).b
		n := b.n
		c.setSlice(b, 0, min(n, c.count(1, "take")))
	})
	registerNative("list.skip", func(c *Call) {
		b := c.List(0).b
		n := b.n
		c.setSlice(b, min(n, c.count(1, "skip")), n)
	})
	registerNative("list.reverse", listReverseNative)
	registerNative("list.repeat", listRepeatNative)
	registerNative("list.sort", listSortNative)
	registerNative("core.sort_by_keys", listSortByKeysNative)
	registerNative("core.become", listBecomeNative)
	registerNative("core.joined", listJoinedNative)
	registerNative("list.min", func(c *Call) { listExtreme(c, -1) })
	registerNative("list.max", func(c *Call) { listExtreme(c, +1) })
	registerNative("list.sum", func(c *Call) { listAccumulate(c, false) })
	registerNative("list.product", func(c *Call) { listAccumulate(c, true) })
	registerNative("list.join", listJoinNative)
	registerNative("list.to_bytes", listToBytesNative)
	registerNative("list.unique", listUniqueNative)
	registerNative("list.to_set", listToSetNative)
}

func (c *Call) prog() *Program { return c.t.w.prog }

func ptr[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// bulk is what moving or scanning n elements at full speed costs in steps.
func bulk(n int) int { return n/8 + 1 }

// count reads a count that a script gives; a negative one throws.
func (c *Call) count(i int, what string) int {
	n := c.Int(i)
	if n < 0 {
		c.Throw(ErrValue, "cannot %s %d elements", what, n)
	}
	return int(min(n, math.MaxInt32*4))
}

// setOption sets an optional result: v when ok, else none. It guards against
// the nil that only a race leaves where a reference must be.
func (c *Call) setOption(v Value, ok bool) {
	if !ok {
		c.SetNone()
		return
	}
	c.SetSome(c.checked(c.Type(c.ref.Result).Elem, v))
}

// checked returns v, an element of a type, unless it is a nil that must not be.
func (c *Call) checked(id uint32, v Value) Value {
	if v.p == nil {
		if t := c.Type(id); t.Rep != bytecode.RepI && t.Kind != bytecode.TOptional {
			notNil(nil)
		}
	}
	return v
}

// element reads a list at any index.
func (c *Call) element(l *List, i int64) (Value, bool) {
	b := l.b
	if uint64(i) >= uint64(b.n) {
		return Value{}, false
	}
	return b.load(elemsOf(c.prog(), l), int(i)), true
}

func (c *Call) lastElement(l *List) (Value, bool) {
	b := l.b
	n := b.n
	if n == 0 {
		return Value{}, false
	}
	return b.load(elemsOf(c.prog(), l), n-1), true
}

// setSlice sets the result to a new list of elements from up to to.
func (c *Call) setSlice(b *backing, from, to int) {
	c.Steps(bulk(to - from))
	c.setPtr(ptr(listOf(c.w, c.prog(), c.ref.Result, b, from, to)))
}

func listInsertNative(c *Call) {
	l, i := c.List(0), c.Int(1)
	b := l.b
	n := b.n
	if uint64(i) > uint64(n) {
		c.Throw(ErrIndex, "cannot insert at %d: the list has %d elements", i, n)
	}
	c.Steps(bulk(n - int(i)))
	listInsert(c.w, c.prog(), l, b, int(i), n, c.Value(2))
}

func listRemoveNative(c *Call) {
	l, i := c.List(0), c.Int(1)
	b := l.b
	n := b.n
	if uint64(i) >= uint64(n) {
		c.Throw(ErrIndex, "cannot remove at %d: the list has %d elements", i, n)
	}
	c.Steps(bulk(n - int(i)))
	c.SetValue(c.checked(c.ref.Result, listRemove(c.prog(), l, b, int(i), n)))
}

func listTruncateNative(c *Call, n int) {
	l := c.List(0)
	c.Steps(bulk(max(0, l.b.n-n)))
	listTruncate(c.prog(), l, n)
}

func listExtendNative(c *Call) {
	l, src := c.List(0), c.List(1).b
	n := src.n
	c.Steps(bulk(n))
	listExtend(c.w, elemsOf(c.prog(), l), l, src, 0, n)
}

func listReserveNative(c *Call) {
	l, n := c.List(0), c.count(1, "reserve room for")
	b := l.b
	if want := b.n + n; want > b.cap {
		c.Steps(bulk(b.n))
		listGrow(c.w, elemsOf(c.prog(), l), l, b, want)
	}
}

func listFillNative(c *Call) {
	l, v := c.List(0), c.Value(1)
	b := l.b
	n, class := b.n, elemsOf(c.prog(), l)
	c.Steps(n)
	for i := range n {
		b.store(class, i, v)
	}
}

func listSwap(prog *Program, l *List, i, j int64) {
	b := l.b
	n, class := b.n, elemsOf(prog, l)
	for _, k := range [2]int64{i, j} {
		if uint64(k) >= uint64(n) {
			throw(ErrIndex, "index %d is out of range: the list has %d elements", k, n)
		}
	}
	x, y := b.load(class, int(i)), b.load(class, int(j))
	b.store(class, int(i), y)
	b.store(class, int(j), x)
}

// listFind finds the first element that equals argument 1.
func listFind(c *Call) (int, bool) {
	l, x := c.List(0), c.Value(1)
	b := l.b
	n, class, elem := b.n, elemsOf(c.prog(), l), c.Type(l.Type).Elem
	if class == elemI && c.Type(elem).Kind != bytecode.TFloat {
		c.Steps(bulk(n))
		i := slices.Index(b.capWords()[:n], x.n)
		return i, i >= 0
	}
	for i := range n {
		c.Steps(1)
		if equal(c.t, elem, c.checked(elem, b.load(class, i)), x) {
			return i, true
		}
	}
	return 0, false
}

func listReverseNative(c *Call) {
	l := c.List(0)
	b := l.b
	n := b.n
	c.Steps(bulk(n))
	switch elemsOf(c.prog(), l) {
	case elemB:
		slices.Reverse(b.capBytes()[:n])
	case elemI:
		slices.Reverse(b.capWords()[:n])
	case elemP:
		slices.Reverse(b.capPtrs()[:n])
	default:
		slices.Reverse(b.capValues()[:n])
	}
}

func listRepeatNative(c *Call) {
	l, times := c.List(0), c.count(1, "repeat a list for")
	b := l.b
	n := b.n
	if n > 0 && times > maxObject/n {
		c.w.chargeObject(-1)
	}
	class := elemsOf(c.prog(), l)
	out := newList(c.w, c.ref.Result, n*times)
	c.pin(ptr(out))
	c.Steps(bulk(n * times))
	if total := n * times; total > 0 {
		to := out.b
		to.move(class, 0, b, 0, n)
		for have := n; have < total; { // each time what is there already, so that one element is as fast as many
			more := min(have, total-have)
			to.move(class, have, to, 0, more)
			have += more
		}
		to.n = total
	}
	c.setPtr(ptr(out))
}

// listJoinedNative makes a list of the elements of two.
func listJoinedNative(c *Call) {
	x, y := c.List(0).b, c.List(1).b
	nx, ny := x.n, y.n
	c.Steps(bulk(nx + ny))
	out := newList(c.w, c.ref.Result, nx+ny)
	c.pin(ptr(out))
	class := elemsOf(c.prog(), out)
	listExtend(c.w, class, out, x, 0, nx)
	listExtend(c.w, class, out, y, 0, ny)
	c.setPtr(ptr(out))
}

// heedEvery is after how many of many short pieces of work a native looks whether
// its task is to end.
const heedEvery = 4096

// ---- sorting ----

// sortSteps is what sorting n elements costs in steps.
func sortSteps(n int) int { return n * bits.Len(uint(n)) }

// listSortNative sorts a copy and stores it back, so that an error in between
// leaves the list as it was.
func listSortNative(c *Call) {
	l := c.List(0)
	b := l.b
	n, class, elem := b.n, elemsOf(c.prog(), l), c.Type(l.Type).Elem
	t := c.Type(elem)
	c.Steps(sortSteps(n))
	c.Charge(n * class.size())
	switch {
	case class == elemB:
		sorted := slices.Clone(b.capBytes()[:n])
		slices.Sort(sorted)
		copy(b.capBytes(), sorted)
	case class == elemI && t.Kind == bytecode.TFloat:
		floats := slices.Clone(unsafe.Slice((*float64)(b.data()), n))
		sortNumbers(c, floats)
		copy(unsafe.Slice((*float64)(b.data()), n), floats)
	case class == elemI:
		ints := slices.Clone(unsafe.Slice((*int64)(b.data()), n))
		sortNumbers(c, ints)
		copy(unsafe.Slice((*int64)(b.data()), n), ints)
	case class == elemP:
		sorted := slices.Clone(b.capPtrs()[:n])
		if t.Kind == bytecode.TStr || t.Kind == bytecode.TBytes {
			slices.SortFunc(sorted, heeding(c, func(x, y unsafe.Pointer) int {
				a, b := textOf(Value{p: x}), textOf(Value{p: y})
				c.t.textSteps(min(a.n, b.n))
				return strCompare(a, b)
			}))
		} else {
			slices.SortFunc(sorted, heeding(c, func(x, y unsafe.Pointer) int {
				return compare(c.t, elem, Value{p: x}, Value{p: y})
			}))
		}
		copy(b.capPtrs(), sorted)
	default:
		sorted := slices.Clone(b.capValues()[:n])
		slices.SortFunc(sorted, heeding(c, func(x, y Value) int { return compare(c.t, elem, x, y) }))
		copy(b.capValues(), sorted)
	}
}

// keyed is an element's key and place; the place makes the sort stable.
type keyed struct {
	key Value
	i   int
}

// listSortByKeysNative sorts argument 0 by the keys in argument 1, one for each
// element.
func listSortByKeysNative(c *Call) {
	l, keys := c.List(0), c.List(1)
	b, kb := l.b, keys.b
	n := b.n
	if kb.n != n {
		c.Throw(ErrModified, "the list was changed while it was sorted")
	}
	c.Steps(sortSteps(n))
	c.Charge(n * (int(unsafe.Sizeof(keyed{})) + int(unsafe.Sizeof(Value{}))))
	class, keyClass, keyID := elemsOf(c.prog(), l), elemsOf(c.prog(), keys), c.Type(keys.Type).Elem
	items := make([]keyed, n)
	for i := range items {
		items[i] = keyed{kb.load(keyClass, i), i}
	}
	kt := c.Type(keyID)
	slices.SortFunc(items, heeding(c, func(x, y keyed) int {
		var d int
		if kt.Rep == bytecode.RepI {
			d = compareLeaf(kt, x.key, y.key)
		} else {
			d = compare(c.t, keyID, x.key, y.key)
		}
		if d == 0 {
			d = cmp.Compare(x.i, y.i)
		}
		return d
	}))
	for i := range items {
		items[i].key = b.load(class, items[i].i)
	}
	for i := range items {
		b.store(class, i, items[i].key)
	}
}

// listBecomeNative gives a list the elements of another one, as many, if it still has
// those that it had before.
func listBecomeNative(c *Call) {
	l, before, after := c.List(0), c.List(1), c.List(2)
	b, n, class := l.b, l.b.n, elemsOf(c.prog(), l)
	c.Steps(n)
	same := before.b.n == n && after.b.n == n
	for i := 0; same && i < n; i++ {
		same = b.load(class, i) == before.b.load(class, i)
	}
	if !same {
		c.Throw(ErrModified, "the list was changed by the function that its method calls")
	}
	for i := range n {
		b.store(class, i, after.b.load(class, i))
	}
}

// listExtreme sets the result to the first least (sign -1) or greatest element.
func listExtreme(c *Call, sign int) {
	l := c.List(0)
	b := l.b
	n, class, elem := b.n, elemsOf(c.prog(), l), c.Type(l.Type).Elem
	if n == 0 {
		c.SetNone()
		return
	}
	best := b.load(class, 0)
	for i := 1; i < n; i++ {
		c.Steps(1)
		if v := b.load(class, i); compare(c.t, elem, v, best)*sign > 0 {
			best = v
		}
	}
	c.setOption(best, true)
}

// listAccumulate sets the result to the sum or product.
func listAccumulate(c *Call, product bool) {
	l := c.List(0)
	b := l.b
	n := b.n
	c.Steps(bulk(n))
	if c.Type(c.Type(l.Type).Elem).Kind == bytecode.TFloat {
		floats := unsafe.Slice((*float64)(b.data()), n)
		total := 0.0
		if product {
			total = 1
		}
		for _, f := range floats {
			if product {
				total *= f
			} else {
				total += f
			}
		}
		c.SetFloat(total)
		return
	}
	total := uint64(0)
	if product {
		total = 1
	}
	for _, x := range b.capWords()[:n] {
		if product {
			total *= x
		} else {
			total += x
		}
	}
	c.SetInt(int64(total))
}

// ---- conversions ----

func listJoinNative(c *Call) {
	b, sep := c.List(0).b, c.Str(1)
	parts := b.ptrs()
	size := len(sep) * max(0, len(parts)-1)
	for piece := range slices.Chunk(parts, heedEvery) {
		c.Steps(len(piece))
		for _, p := range piece {
			size += textOf(Value{p: p}).n
		}
	}
	c.Steps(bulk(size))
	out, d := newText(c.w, bytecode.IDStr, size)
	if last := len(parts) - 1; last >= 0 {
		for piece := range slices.Chunk(parts[:last], heedEvery) {
			c.Heed()
			d = fillJoined(d, piece, sep)
		}
		d = fillJoined(d, parts[last:], "")
	}
	if len(d) > 0 {
		throw(ErrRace, "a list was changed by another task while it was joined")
	}
	c.setPtr(ptr(out))
}

// fillJoined writes texts with a separator behind each, and gives what room is left.
// Each is taken as a whole, so that the text is UTF-8.
func fillJoined(d []byte, parts []unsafe.Pointer, sep string) []byte {
	for _, p := range parts {
		part := textOf(Value{p: p}).String()
		if len(part)+len(sep) > len(d) {
			throw(ErrRace, "a list was changed by another task while it was joined")
		}
		d = d[copy(d, part):]
		d = d[copy(d, sep):]
	}
	return d
}

func listToBytesNative(c *Call) {
	words := c.List(0).b.words()
	c.Steps(bulk(len(words)))
	out, d := newText(c.w, bytecode.IDBytes, len(words))
	for i, x := range words {
		if x > math.MaxUint8 {
			c.Throw(ErrValue, "element %d is %d: a byte is from 0 to 255", i, int64(x))
		}
		d[i] = byte(x)
	}
	c.setPtr(ptr(out))
}

// listSetOf makes a set of the given type of a list's elements.
func listSetOf(c *Call, id uint32, l *List, add func(v Value)) *Map {
	b := l.b
	n, class, elem := b.n, elemsOf(c.prog(), l), c.Type(l.Type).Elem
	set := newMap(c.w, id)
	c.pin(ptr(set))
	for i := range n {
		c.Steps(1)
		if v := c.checked(elem, b.load(class, i)); mapSet(c.w, set, v, Value{}) && add != nil {
			add(v)
		}
	}
	return set
}

func listToSetNative(c *Call) { c.setPtr(ptr(listSetOf(c, c.ref.Result, c.List(0), nil))) }

// listUniqueNative keeps the first of equal elements. The table that finds
// them is not seen by the script, so it needs no set type.
func listUniqueNative(c *Call) {
	l := c.List(0)
	b := l.b
	n, class, elem := b.n, elemsOf(c.prog(), l), c.Type(l.Type).Elem
	out := newList(c.w, c.ref.Result, 0)
	c.pin(ptr(out))
	seen := &Map{t: emptyTable(keyShape(c.prog(), elem))}
	for i := range n {
		c.Steps(1)
		v := c.checked(elem, b.load(class, i))
		if mapSet(c.w, seen, v, Value{}) {
			pushElem(c.w, class, out, v)
		}
	}
	c.setPtr(ptr(out))
}
