package vm

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Natives of str, see prelude/str.rnl.
func init() {
	registerNative("str.len", func(c *Call) { c.SetInt(int64(c.StrObj(0).n)) })
	registerNative("str.char_count", func(c *Call) {
		c.SetInt(int64(c.runeCount(c.scan(0))))
	})
	registerNative("str.chars", strChars)
	registerNative("str.codes", strCodes)
	registerNative("str.code", func(c *Call) {
		s := c.Str(0)
		if s == "" {
			c.Throw(ErrValue, "the empty str has no first character")
		}
		r, _ := utf8.DecodeRuneInString(s)
		c.SetInt(int64(r))
	})
	registerNative("str.bytes", func(c *Call) { c.setPtr(ptr(newTextOf(c.w, bytecode.IDBytes, c.scan(0)))) })
	registerNative("str.byte_at", func(c *Call) {
		s, i := c.Str(0), c.Int(1)
		if uint64(i) >= uint64(len(s)) {
			c.Throw(ErrIndex, "index %d is out of range: the str has %d bytes", i, len(s))
		}
		c.SetInt(int64(s[i]))
	})
	registerNative("str.lines", strLines)
	registerNative("str.fields", strFields)
	registerNative("str.split", func(c *Call) { textSplit(c, bytecode.IDStr) })
	registerNative("str.trim", func(c *Call) { c.setPart(c.trimEnd(c.trimStart(c.scan(0)))) })
	registerNative("str.trim_start", func(c *Call) { c.setPart(c.trimStart(c.scan(0))) })
	registerNative("str.trim_end", func(c *Call) { c.setPart(c.trimEnd(c.scan(0))) })
	registerNative("str.trim_prefix", func(c *Call) { c.setPart(strings.TrimPrefix(c.scan(0), c.Str(1))) })
	registerNative("str.trim_suffix", func(c *Call) { c.setPart(strings.TrimSuffix(c.scan(0), c.Str(1))) })
	registerNative("str.lower", func(c *Call) { c.setMapped(strings.ToLower) })
	registerNative("str.upper", func(c *Call) { c.setMapped(strings.ToUpper) })
	for _, of := range []string{"str", "bytes"} {
		registerNative(of+".starts_with", func(c *Call) { c.SetBool(strings.HasPrefix(c.edge(0, 1), c.Str(1))) })
		registerNative(of+".ends_with", func(c *Call) { c.SetBool(strings.HasSuffix(c.edge(0, 1), c.Str(1))) })
		registerNative(of+".contains", func(c *Call) { c.SetBool(c.find() >= 0) })
		registerNative(of+".find", func(c *Call) { c.setIndex(c.find()) })
		registerNative(of+".repeat", textRepeat)
		registerNative(of+".slice", func(c *Call) {
			c.Steps(bulk(sliced(c.StrObj(0).n, c.Int(1), c.Int(2))))
			c.setPtr(ptr(strSlice(c.w, c.StrObj(0), c.Int(1), c.Int(2))))
		})
	}
	registerNative("str.rfind", func(c *Call) { c.setIndex(c.findLast()) })
	registerNative("str.count", func(c *Call) { c.SetInt(int64(c.countOf(c.scan(0), c.part(1, "count")))) })
	registerNative("str.replace", strReplace)
	registerNative("str.pad_left", func(c *Call) { strPad(c, true) })
	registerNative("str.pad_right", func(c *Call) { strPad(c, false) })
	registerNative("str.reverse", strReverse)
	registerNative("str.parse", strParse)
	registerNative("str.parse_int", func(c *Call) {
		v, err := ParseInt(c.scan(0), c.baseArg(1))
		c.setOption(IntValue(v), err == nil)
	})
	registerNative("str.parse_float", func(c *Call) {
		v, err := ParseFloat(c.scan(0))
		c.setOption(FloatValue(v), err == nil)
	})
	registerNative("str.parse_duration", func(c *Call) {
		v, ok := ParseDuration(c.scan(0))
		c.setOption(IntValue(v), ok)
	})
	registerNative("str.compare", func(c *Call) { c.SetInt(int64(strings.Compare(c.edge(0, 1), c.Str(1)))) })
	registerNative("str.quote", func(c *Call) {
		p := newPrinter(c.t, true)
		p.paid = cap(p.buf)
		p.strValue(c.scan(0))
		p.pay()
		c.setPtr(ptr(newTextOfBytes(c.w, bytecode.IDStr, p.buf)))
		p.free()
	})
	registerNative("str.is_digit", func(c *Call) { c.setEvery(unicode.IsDigit) })
	registerNative("str.is_alpha", func(c *Call) { c.setEvery(unicode.IsLetter) })
	registerNative("str.is_space", func(c *Call) { c.setEvery(unicode.IsSpace) })
	registerNative("str.is_lower", func(c *Call) { c.setCase(unicode.IsLower, unicode.IsUpper) })
	registerNative("str.is_upper", func(c *Call) { c.setCase(unicode.IsUpper, unicode.IsLower) })
}

// scan returns a text argument that the native goes through once, charged.
func (c *Call) scan(i int) string {
	s := c.Str(i)
	c.Steps(bulk(len(s)))
	return s
}

// edge returns a text argument of which the native looks at no more than another one is
// long, charged.
func (c *Call) edge(i, other int) string {
	s := c.Str(i)
	c.Steps(bulk(min(len(s), len(c.Str(other)))))
	return s
}

// firstPiece is how much of a text is searched at first; each piece is twice as long as the
// one before, so that what is charged is in proportion to the place of what is found.
const firstPiece = largeText

// find looks for the second text in the first, charged.
func (c *Call) find() int {
	s, part := c.Str(0), c.Str(1)
	for at, size := 0, firstPiece; ; at, size = at+size, min(2*size, searchPiece) {
		end := min(len(s), at+size+len(part))
		c.Steps(bulk(end - at))
		if i := strings.Index(s[at:end], part); i >= 0 {
			return at + i
		}
		if end == len(s) {
			return -1
		}
	}
}

// findLast is find from the end.
func (c *Call) findLast() int {
	s, part := c.Str(0), c.Str(1)
	for end, size := len(s), firstPiece; ; end, size = end-size, min(2*size, searchPiece) {
		at := max(0, end-size-len(part))
		c.Steps(bulk(end - at))
		if i := strings.LastIndex(s[at:end], part); i >= 0 {
			return at + i
		}
		if at == 0 {
			return -1
		}
	}
}

// sliced is how many of n bytes or elements are copied for a slice; one that is out of
// range is refused before.
func sliced(n int, from, to int64) int { return int(max(0, min(int64(n), to-from))) }

// searchPiece is how much of a text is searched without a look at what is asked
// of the task.
const searchPiece = 1 << 20

// index finds the first place of a text in another one.
func (c *Call) index(s, part string) int {
	for at := 0; ; at += searchPiece {
		end := min(len(s), at+searchPiece+len(part))
		if i := strings.Index(s[at:end], part); i >= 0 {
			return at + i
		}
		if end == len(s) {
			return -1
		}
		c.Heed()
	}
}

// countOf counts the places of a text in another one that do not overlap.
func (c *Call) countOf(s, part string) int {
	if len(s) <= searchPiece {
		return strings.Count(s, part)
	}
	n := 0
	for ; ; n++ {
		if n%heedEvery == 0 {
			c.Heed()
		}
		i := c.index(s, part)
		if i < 0 {
			return n
		}
		s = s[i+len(part):]
	}
}

// part returns a text argument that must not be empty.
func (c *Call) part(i int, verb string) string {
	s := c.Str(i)
	if s == "" {
		c.Throw(ErrValue, "cannot %s an empty text", verb)
	}
	return s
}

// base gives the base of a number's digits.
func (c *Call) baseArg(i int) int {
	base := c.Int(i)
	if base < 2 || base > 36 {
		c.Throw(ErrValue, "a base is from 2 to 36, not %d", base)
	}
	return int(base)
}

// setIndex sets an `int?` result: none for a negative index.
func (c *Call) setIndex(i int) { c.setOption(IntValue(int64(i)), i >= 0) }

// setPart sets the result to a part of argument 0, or argument 0 itself when
// that is the whole of it.
func (c *Call) setPart(part string) {
	s := c.StrObj(0)
	if len(part) != s.n {
		s = newTextOf(c.w, s.Type, part)
	}
	c.setPtr(ptr(s))
}

// setMapped sets the result to what a function of Go's library makes of
// argument 0; its own copy is charged too.
func (c *Call) setMapped(f func(string) string) {
	s := c.scan(0)
	if len(s) <= pieceSize {
		c.Charge(len(s))
		c.SetStr(f(s))
		return
	}
	c.ChargeObject(2 * len(s))
	out := make([]byte, 0, len(s))
	for piece := range c.Pieces(s) {
		if mapped := f(piece); len(mapped) > cap(out)-len(out) { // some characters grow
			c.ChargeObject(3 * len(s))
			out = append(slices.Grow(out, len(s)), mapped...)
		} else {
			out = append(out, mapped...)
		}
	}
	c.setPtr(ptr(newTextOfBytes(c.w, bytecode.IDStr, out)))
}

func (c *Call) runeCount(s string) int {
	n := 0
	for piece := range c.Pieces(s) {
		n += utf8.RuneCountInString(piece)
	}
	return n
}

// trimStart and trimEnd leave out the white space at an end.
func (c *Call) trimStart(s string) string {
	for {
		n := len(s)
		if n > pieceSize {
			n = wholeChars(s, pieceSize)
		}
		rest := strings.TrimLeftFunc(s[:n], unicode.IsSpace)
		s = s[n-len(rest):]
		if rest != "" || s == "" {
			return s
		}
		c.Heed()
	}
}

func (c *Call) trimEnd(s string) string {
	for {
		from := 0
		if len(s) > pieceSize {
			from = wholeChars(s, len(s)-pieceSize)
		}
		n := len(strings.TrimRightFunc(s[from:], unicode.IsSpace))
		if s = s[:from+n]; n > 0 || s == "" {
			return s
		}
		c.Heed()
	}
}

func (c *Call) setEvery(is func(rune) bool) {
	s := c.scan(0)
	for piece := range c.Pieces(s) {
		if strings.ContainsFunc(piece, func(r rune) bool { return !is(r) }) {
			c.SetBool(false)
			return
		}
	}
	c.SetBool(s != "")
}

// setCase reports whether one character is in a case and none in the other.
func (c *Call) setCase(in, other func(rune) bool) {
	found := false
	for piece := range c.Pieces(c.scan(0)) {
		for _, r := range piece {
			if other(r) {
				c.SetBool(false)
				return
			}
			found = found || in(r)
		}
	}
	c.SetBool(found)
}

// startList makes the result list of a native that fills it, kept alive.
func (c *Call) startList(capacity int) *List {
	l := newList(c.w, c.ref.Result, capacity)
	c.pin(ptr(l))
	return l
}

// addText appends a copied text to a list of str or bytes.
func (c *Call) addText(l *List, id uint32, text string) {
	pushElem(c.w, elemP, l, Value{p: ptr(newTextOf(c.w, id, text))})
}

func strChars(c *Call) {
	s := c.Str(0)
	l := c.startList(c.runeCount(s))
	for i, r := range s {
		c.Steps(1)
		size := max(1, utf8.RuneLen(r))
		pushElem(c.w, elemP, l, Value{p: ptr(charStr(c.w, s[i:min(len(s), i+size)]))})
	}
	c.setPtr(ptr(l))
}

func strCodes(c *Call) {
	s := c.Str(0)
	l := c.startList(c.runeCount(s))
	for _, r := range s {
		c.Steps(1)
		pushElem(c.w, elemI, l, IntValue(int64(r)))
	}
	c.setPtr(ptr(l))
}

func strLines(c *Call) {
	s := c.scan(0)
	l := c.startList(0)
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		c.Steps(1)
		c.addText(l, bytecode.IDStr, strings.TrimSuffix(line, "\r"))
		s = rest
	}
	c.setPtr(ptr(l))
}

func strFields(c *Call) {
	s := c.scan(0)
	l := c.startList(0)
	for {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			break
		}
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		c.Steps(1)
		c.addText(l, bytecode.IDStr, s[:end])
		s = s[end:]
	}
	c.setPtr(ptr(l))
}

// textSplit serves str and bytes.
func textSplit(c *Call, id uint32) {
	s, sep := c.scan(0), c.Str(1)
	if sep == "" {
		c.Throw(ErrValue, "cannot split by an empty separator (chars() gives the characters)")
	}
	l := c.startList(0)
	for {
		part, rest, more := strings.Cut(s, sep)
		c.Steps(1)
		c.addText(l, id, part)
		if !more {
			break
		}
		s = rest
	}
	c.setPtr(ptr(l))
}

// textRepeat serves str and bytes.
func textRepeat(c *Call) {
	s, times := c.StrObj(0), c.Int(1)
	if times < 0 {
		c.Throw(ErrValue, "cannot repeat a text %d times", times)
	}
	if s.n > 0 && times > int64(maxObject/s.n) {
		c.w.chargeObject(-1)
	}
	size := s.n * int(times)
	if s.n == 0 {
		size = 0
	}
	out, d := newText(c.w, s.Type, size)
	c.Steps(bulk(size))
	for n := copy(d, s.String()); n < len(d); n *= 2 {
		copy(d[n:], d[:n])
	}
	c.setPtr(ptr(out))
}

func strReplace(c *Call) {
	s, old, with, limit := c.scan(0), c.part(1, "replace"), c.Str(2), c.Int(3)
	count := c.countOf(s, old)
	if limit >= 0 {
		count = int(min(limit, int64(count)))
	}
	if count == 0 {
		c.setPtr(ptr(c.StrObj(0)))
		return
	}
	if grow := len(with) - len(old); grow > 0 && count > maxObject/grow {
		c.w.chargeObject(-1)
	}
	size := len(s) + count*(len(with)-len(old))
	out, d := newText(c.w, bytecode.IDStr, size)
	c.Steps(count + bulk(size))
	for i := range count {
		if i%heedEvery == 0 {
			c.Heed()
		}
		before, rest, _ := strings.Cut(s, old)
		d = d[copy(d, before):]
		d = d[copy(d, with):]
		s = rest
	}
	copy(d, s)
	c.setPtr(ptr(out))
}

func strPad(c *Call, left bool) {
	s, width, fill := c.StrObj(0), c.Int(1), c.Str(2)
	if utf8.RuneCountInString(fill) != 1 {
		c.Throw(ErrValue, "the fill of a padding is one character, not %s", Quote(fill))
	}
	missing := width - int64(utf8.RuneCountInString(s.String()))
	if missing <= 0 {
		c.setPtr(ptr(s))
		return
	}
	if missing > maxObject {
		c.w.chargeObject(-1)
	}
	size := s.n + int(missing)*len(fill)
	out, d := newText(c.w, bytecode.IDStr, size)
	c.Steps(bulk(size))
	if !left {
		d = d[copy(d, s.String()):]
	}
	d = fillWith(d, fill, int(missing))
	if left {
		copy(d, s.String())
	}
	c.setPtr(ptr(out))
}

func strReverse(c *Call) {
	s := c.Str(0)
	out, d := c.AllocStr(len(s))
	for end := len(d); s != ""; {
		c.Steps(1)
		_, size := utf8.DecodeRuneInString(s)
		end -= size
		copy(d[end:], s[:size])
		s = s[size:]
	}
	c.setPtr(ptr(out))
}

// strParse gives the number of the type that the call asks for.
func strParse(c *Call) {
	s := c.scan(0)
	if c.Type(c.Type(c.ref.Result).Elem).Kind == bytecode.TFloat {
		v, err := ParseFloat(s)
		c.setOption(FloatValue(v), err == nil)
		return
	}
	v, err := ParseInt(s, 10)
	c.setOption(IntValue(v), err == nil)
}
