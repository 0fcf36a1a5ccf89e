package json

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
)

// stream reads a text that comes in chunks. It holds what has come and has not
// been used.
type stream struct {
	busy   sync.Mutex
	text   []byte
	pos    int // of what comes next
	ended  bool
	levels []level // arrays and objects around pos
	want   want
	end    search
	// The place of the first byte of text, from 0.
	line, column int
}

// want is what the grammar allows next.
type want uint8

const (
	wantTop   want = iota // a value, or the end of the text
	wantValue             // a value
	wantFirst             // a value or key, or the closing bracket
	wantKey               // a key
	wantMore              // a comma or the closing bracket
)

// kind is what comes next in a stream. The numbers stand in json.rnl too.
type kind int64

const (
	needsMore kind = iota
	atEnd
	atObject
	atObjectEnd
	atArray
	atArrayEnd
	atKey
	atScalar
)

// search looks for the end of a value, and continues where more has come.
type search struct {
	at               int // how far it has come; 0: not begun
	depth            int
	inString, escape bool
	done             bool // at is the end
}

const (
	streamSize = 300
	shownKey   = 64 // bytes of a key that are kept for messages
)

func init() {
	Module.Native("stream", func(c *vm.Call) { c.SetObject(c.NewNative(c.Ref().Result, &stream{}, streamSize)) })
	for name, fn := range map[string]func(c *vm.Call, s *stream){
		"Stream.feed":   func(c *vm.Call, s *stream) { s.feed(c, c.Str(1)) },
		"Stream.finish": func(_ *vm.Call, s *stream) { s.ended = true },
		"Stream.peek":   func(c *vm.Call, s *stream) { c.SetInt(int64(s.peek(c))) },
		"Stream.whole":  func(c *vm.Call, s *stream) { c.SetBool(s.whole(c)) },
		"Stream.open":   func(c *vm.Call, s *stream) { s.open(c) },
		"Stream.close":  func(c *vm.Call, s *stream) { s.close(c) },
		"Stream.key":    func(c *vm.Call, s *stream) { c.SetObject(s.key(c).Object()) },
		"stream_value":  func(c *vm.Call, s *stream) { c.SetResult(s.value(c)) },
	} {
		Module.Native(name, func(c *vm.Call) {
			s := vm.NativeArg[*stream](c, 0)
			if !s.busy.TryLock() { // to wait would keep the other from tracing memory
				c.Throw(vm.ErrRace, "a json.Reader is used by two tasks at a time")
			}
			defer s.busy.Unlock()
			fn(c, s)
		})
	}
}

// feed adds a chunk.
func (s *stream) feed(c *vm.Call, chunk string) {
	c.Steps(1 + len(chunk)/bytesPerStep)
	if s.pos > len(s.text)/2 {
		s.forget()
	}
	if need := len(s.text) + len(chunk); need > cap(s.text) {
		c.ChargeObject(2 * need)
		grown := make([]byte, len(s.text), 2*need)
		copy(grown, s.text)
		s.text = grown
		s.resize(c)
	}
	s.text = append(s.text, chunk...)
}

// resize tells what the stream, which is the first argument, occupies now.
func (s *stream) resize(c *vm.Call) {
	c.ResizeNative(0, streamSize+cap(s.text)+cap(s.levels)*(shownKey+vm.SizeOf[level]()))
}

// forget drops what has been used.
func (s *stream) forget() {
	used := s.text[:s.pos]
	if n := bytes.Count(used, []byte{'\n'}); n > 0 {
		s.line += n
		s.column = 0
		used = used[bytes.LastIndexByte(used, '\n')+1:]
	}
	s.column += utf8.RuneCount(used)
	s.text = s.text[:copy(s.text, s.text[s.pos:])]
	s.end.at = max(0, s.end.at-s.pos)
	s.pos = 0
}

// view is the text as a string, until the next chunk.
func (s *stream) view() string { return vm.TextView(s.text) }

// place describes a position behind s.pos of the text.
func (s *stream) place(text string, pos int) string {
	line, column := lineColumn(text, pos)
	if line == 1 {
		column += s.column
	}
	levels := append(s.levels[:len(s.levels):len(s.levels)], levelsAt(text[s.pos:], pos-s.pos)...)
	return lineColumnPath(s.line+line, column, join(levels))
}

func (s *stream) fail(c *vm.Call, pos int, format string, args ...any) {
	err := errAt(pos, format, args...)
	c.Throw(vm.ErrValue, "json: %s at %s", err.text, s.place(s.view(), pos))
}

func (s *stream) expected(c *vm.Call, what string) {
	s.fail(c, s.pos, "expected %s, found %s", what, found(s.view(), s.pos))
}

func (s *stream) top() *level { return &s.levels[len(s.levels)-1] }

// peek tells what comes next and steps over the white space and the comma before it.
func (s *stream) peek(c *vm.Call) kind {
	text := s.view()
	for {
		s.pos = skipSpace(text, s.pos)
		switch {
		case s.pos < len(text):
		case !s.ended:
			return needsMore
		case s.want == wantTop:
			return atEnd
		}
		switch s.want {
		case wantMore:
			if closing := s.closing(text); closing != needsMore {
				return closing
			}
			if s.pos >= len(text) || text[s.pos] != ',' {
				s.expected(c, map[bool]string{true: "',' or ']'", false: "',' or '}'"}[s.top().array])
			}
			s.pos++
			s.top().index++
			s.want = s.inner()
			s.top().keyNext = true
		case wantFirst:
			if closing := s.closing(text); closing != needsMore {
				return closing
			}
			s.want = s.inner()
		case wantKey:
			return s.peekKey(c, text)
		default:
			return s.peekValue(c, text)
		}
	}
}

// inner is what an array or object consists of.
func (s *stream) inner() want {
	if s.top().array {
		return wantValue
	}
	return wantKey
}

// closing tells of a bracket that closes the innermost array or object.
func (s *stream) closing(text string) kind {
	switch {
	case s.pos >= len(text):
	case s.top().array && text[s.pos] == ']':
		return atArrayEnd
	case !s.top().array && text[s.pos] == '}':
		return atObjectEnd
	}
	return needsMore
}

// peekKey waits for the key and its colon.
func (s *stream) peekKey(c *vm.Call, text string) kind {
	if s.pos >= len(text) || text[s.pos] != '"' {
		s.expected(c, "a key in quotes")
	}
	if !s.whole(c) || !s.ended && skipSpace(text, s.end.at) == len(text) {
		return needsMore
	}
	return atKey
}

func (s *stream) peekValue(c *vm.Call, text string) kind {
	if s.pos >= len(text) {
		s.expected(c, "a value")
	}
	switch text[s.pos] {
	case '{':
		return atObject
	case '[':
		return atArray
	}
	if !s.whole(c) {
		return needsMore
	}
	return atScalar
}

// whole reports whether the value that comes next has come to its end, which is
// then s.end.at. What is malformed ends where that can be seen.
func (s *stream) whole(c *vm.Call) bool {
	e := &s.end
	if e.at == 0 {
		*e = search{at: s.pos}
	}
	from := e.at
	for ; e.at < len(s.text) && !e.done; e.at++ {
		if e.step(s.text[e.at], e.at == s.pos) {
			e.done = true
			break
		}
		e.done = len(s.levels)+e.depth > maxDepth
	}
	c.Steps(1 + (e.at-from)/bytesPerStep)
	return e.done || s.ended
}

// step looks at a byte and reports whether the value has ended before it, or with
// it where it closes something.
func (e *search) step(b byte, first bool) bool {
	switch {
	case e.escape:
		e.escape = false
	case e.inString:
		e.escape = b == '\\'
		e.inString = b != '"'
		if !e.inString && e.depth == 0 {
			e.at++
			return true
		}
	case b == '"' && (first || e.depth > 0):
		e.inString = true
	case (b == '[' || b == '{') && (first || e.depth > 0):
		e.depth++
	case (b == ']' || b == '}') && e.depth > 0:
		if e.depth--; e.depth == 0 {
			e.at++
			return true
		}
	case e.depth == 0 && !first:
		switch b {
		case ' ', '\t', '\n', '\r', ',', ':', ']', '}', '[', '{', '"':
			return true
		}
	}
	return false
}

// sure throws where what is asked for is not what peek has told, as another
// task has read on in between.
func (s *stream) sure(c *vm.Call, ok bool) {
	if !ok {
		c.Throw(vm.ErrRace, "a json.Reader is used by two tasks at a time")
	}
}

// open steps into the array or object that comes next.
func (s *stream) open(c *vm.Call) {
	s.sure(c, s.valueAllowed() && s.pos < len(s.text) && (s.text[s.pos] == '[' || s.text[s.pos] == '{'))
	if len(s.levels) >= maxDepth {
		s.fail(c, s.pos, "nested deeper than %d levels", maxDepth)
	}
	s.levels = append(s.levels, level{array: s.text[s.pos] == '[', keyNext: true})
	s.resize(c)
	s.pos++
	s.want, s.end = wantFirst, search{}
}

func (s *stream) valueAllowed() bool { return s.want == wantTop || s.want == wantValue }

// close steps out of the innermost array or object.
func (s *stream) close(c *vm.Call) {
	s.sure(c, (s.want == wantFirst || s.want == wantMore) && s.closing(s.view()) != needsMore)
	s.levels = s.levels[:len(s.levels)-1]
	s.pos++
	s.after()
}

// after notes that a value has been read.
func (s *stream) after() {
	s.end = search{}
	s.want = wantMore
	if len(s.levels) == 0 {
		s.want = wantTop
	}
}

// key reads the key that comes next, and the colon.
func (s *stream) key(c *vm.Call) *vm.Str {
	s.sure(c, s.want == wantKey && (s.end.done || s.ended))
	text := s.view()
	d := decoder{c: c, text: text, pos: s.pos, from: &origin{format: "json", place: s.place}}
	key := d.key()
	top := s.top()
	top.key, top.keyNext = strings.Clone(key[:min(len(key), shownKey)]), false
	s.pos, s.want, s.end = d.pos, wantValue, search{}
	return c.NewStr(key)
}

// value decodes the whole value that comes next, as the type that the native wants.
func (s *stream) value(c *vm.Call) vm.Value {
	s.sure(c, s.valueAllowed() && (s.end.done || s.ended) && s.end.at >= s.pos)
	text := s.view()[:s.end.at]
	d := newDecoder(c, text, &origin{format: "json", place: s.place})
	d.pos, d.depth = s.pos, len(s.levels)
	d.missing = c.FieldDefaultsArg(1)
	v := d.missing.Result(c, d.document(c.Ref().TypeArgs[0], vm.Object{}))
	if !d.missing.Holes() {
		s.pos = s.end.at
		s.after()
	}
	return v
}
