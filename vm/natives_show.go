package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A value that shows itself does so by code of the script, which may wait, fail and recurse. So none
// is called while a value is printed: the prelude's shown_text has all that are in it collected,
// asks each, and has the whole printed with their texts. What has come into it meanwhile shows as data.

func init() {
	registerNative("core.showing", findShown)
	registerNative("core.text_with", textWith)
}

// linkShows finds the types that have a method to_str by which they are shown.
func (p *Program) linkShows() {
	for i := range p.Selectors {
		s := &p.Selectors[i]
		if s.Name != "to_str" || len(s.Params) > 0 || s.Result != bytecode.IDStr {
			continue
		}
		for id, fn := range s.Table {
			if fn == 0 || id >= len(p.Types) || p.Types[id].Kind != bytecode.TStruct && p.Types[id].Kind != bytecode.TEnum {
				continue
			}
			if p.shows == nil {
				p.shows = make([]bool, len(p.Types))
			}
			p.shows[id] = true
		}
	}
}

// showing is what a printer knows of the values that show themselves: it collects them, or has their texts.
type showing struct {
	found []Value
	seen  map[shownKey]struct{}
	texts map[shownKey]string
}

// shownKey tells values that show themselves apart: objects, or variants of a plain enum.
type shownKey struct {
	id  uint32
	tag uint64
	obj unsafe.Pointer
}

// askSize is about what one of them takes in a showing.
const askSize = 128

func keyOf(prog *Program, v Value) shownKey {
	if t := &prog.Types[v.TypeID()]; t.Kind == bytecode.TEnum && t.Plain() {
		return shownKey{id: v.TypeID(), tag: v.n}
	}
	return shownKey{id: v.TypeID(), obj: v.p}
}

// asked deals with a value that shows itself.
func (p *printer) asked(id uint32, v Value) bool {
	t := &p.prog.Types[id]
	for t.Kind == bytecode.TOptional && v.p != nil && p.prog.Types[t.Elem].Kind != bytecode.TOptional {
		id = t.Elem
		t = &p.prog.Types[id]
	}
	if t.Kind == bytecode.TAny || t.Kind == bytecode.TInterface {
		id = v.TypeID()
		t = &p.prog.Types[id]
	}
	if t.Kind != bytecode.TStruct && t.Kind != bytecode.TEnum || !p.prog.shows[id] {
		return false
	}
	if t.Kind == bytecode.TEnum && t.Plain() {
		v = Value{p.prog.descList[id], v.n}
	} else {
		notNil(v.p)
	}
	key := keyOf(p.prog, v)
	if p.asks.texts != nil {
		text, ok := p.asks.texts[key]
		if ok {
			p.pieces(text, 1, func(b []byte, s string) []byte { return append(b, s...) })
		}
		return ok
	}
	if _, ok := p.asks.seen[key]; !ok {
		p.charge(askSize)
		p.asks.seen[key] = struct{}{}
		p.asks.found = append(p.asks.found, v)
	}
	return true
}

func findShown(c *Call) {
	if c.w.prog.shows == nil {
		c.SetNone()
		return
	}
	p := newPrinter(c.t, false)
	p.asks = &showing{seen: map[shownKey]struct{}{}}
	p.print(bytecode.IDAny, c.Value(0))
	found := p.asks.found
	if len(found) == 0 {
		p.free()
		c.SetNone()
		return
	}
	l := newList(c.w, c.Type(c.ref.Result).Elem, len(found))
	c.pin(ptr(l))
	for _, v := range found {
		pushElem(c.w, elemV, l, v)
	}
	p.free()
	c.setPtr(ptr(l))
}

func textWith(c *Call) {
	found, texts := c.List(1).b, c.List(2).b
	p := newPrinter(c.t, false)
	p.asks = &showing{texts: map[shownKey]string{}}
	n := min(found.n, texts.n)
	p.charge(n * askSize)
	for i := range n {
		c.Steps(1)
		p.asks.texts[keyOf(c.w.prog, found.load(elemV, i))] = textOf(texts.load(elemP, i)).String()
	}
	p.print(bytecode.IDAny, c.Value(0))
	s := newTextOfBytes(c.w, bytecode.IDStr, p.buf)
	p.free()
	c.setPtr(ptr(s))
}
