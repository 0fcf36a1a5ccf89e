package vm

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Str is a str or a bytes: one immutable object without pointers, the text
// right behind the length. Header.Aux caches the hash (0: not yet computed;
// racing writers store the same value).
type Str struct {
	Header
	n int
}

const strData = unsafe.Sizeof(Str{})

// String views the text as a Go string, without copying; the view keeps the
// object alive.
func (s *Str) String() string {
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(s), strData)), s.n)
}

// Len returns the length in bytes.
func (s *Str) Len() int { return s.n }

// viewOf views bytes as a string, without copying. They may change meanwhile.
func viewOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// strSize is what a text of n bytes is charged.
func strSize(n int) int { return int(strData) + (n+7)&^7 }

// allocStr makes a Str of n zero bytes and gives its bytes to be filled before
// the Str is published. The caller has charged strSize(n).
func allocStr(id uint32, n int) (*Str, []byte) {
	// The object is a run of words without pointers; at least one word follows
	// the header so that the data's address always lies inside it.
	words := make([]uint64, 2+max(1, (n+7)/8))
	s := (*Str)(unsafe.Pointer(unsafe.SliceData(words)))
	s.Type = id
	s.n = n
	return s, unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s), strData)), n)
}

// newStrOf copies text into a Str without charging: for constants and for
// errors made after a limit was hit.
func newStrOf(id uint32, text string) *Str {
	s, b := allocStr(id, len(text))
	copy(b, text)
	return s
}

// hash of the text, cached in the header.
func (s *Str) hash() uint32 {
	if h := atomic.LoadUint32(&s.Aux); h != 0 {
		return h
	}
	h := hashString(s.String())
	atomic.StoreUint32(&s.Aux, h) // tasks may do so at the same time
	return h
}

// knownHash is the hash of a text, or 0 when it has not been worked out.
func knownHash(p unsafe.Pointer) uint32 { return atomic.LoadUint32(&(*Str)(p).Aux) }

// textOf returns the text of a str or bytes value; it throws RaceError for the
// nil that only a data race can leave.
func textOf(v Value) *Str { return (*Str)(notNil(v.p)) }

// notNil checks a reference whose type is not optional.
func notNil(p unsafe.Pointer) unsafe.Pointer {
	if p == nil {
		throw(ErrRace, "a value was changed by another task while it was read")
	}
	return p
}

// maxObject bounds one object in bytes, also where the host sets no memory
// limit: beyond it the Go runtime may end the process instead of failing.
const maxObject = 1 << 32

// chargeObject pays for one object whose size was computed from script values.
func (w *Worker) chargeObject(size int) {
	w.checkSize(size)
	w.charge(size)
}

func (w *Worker) checkSize(size int) {
	if size < 0 || size > maxObject {
		throw(ErrMemory, "the memory limit is reached: one object of more than %s", sizeText(maxObject))
	}
}

// newText allocates a charged Str of n bytes to be filled before it is seen.
func newText(w *Worker, id uint32, n int) (*Str, []byte) {
	if uint(n) > maxObject {
		n = maxObject + 1
	}
	w.chargeObject(strSize(n))
	return allocStr(id, n)
}

// newTextOf copies text into a charged Str.
func newTextOf(w *Worker, id uint32, text string) *Str {
	s, b := newText(w, id, len(text))
	copy(b, text)
	return s
}

// newTextOfBytes copies bytes into a charged Str.
func newTextOfBytes(w *Worker, id uint32, b []byte) *Str {
	return newTextOf(w, id, viewOf(b))
}

// concat joins two texts of one type.
func concat(w *Worker, a, b *Str) *Str {
	switch {
	case a.n == 0:
		return b
	case b.n == 0:
		return a
	}
	s, d := newText(w, a.Type, a.n+b.n)
	copy(d, a.String())
	copy(d[a.n:], b.String())
	return s
}

// concatN joins texts of one type.
func concatN(w *Worker, parts []Value) *Str {
	n, id := 0, textOf(parts[0]).Type
	for _, p := range parts {
		n += textOf(p).n
	}
	s, d := newText(w, id, n)
	for _, p := range parts {
		d = d[copy(d, (*Str)(p.p).String()):]
	}
	return s
}

// strSlice returns the bytes of a str or bytes from from up to to. A str must
// not be cut inside a character.
func strSlice(w *Worker, s *Str, from, to int64) *Str {
	n := int64(s.n)
	if from < 0 || to > n || from > to {
		throw(ErrIndex, "slice [%d..%d] is out of range: the %s has %d bytes", from, to, textKind(s), n)
	}
	if from == 0 && to == n {
		return s
	}
	text := s.String()
	if s.Type == bytecode.IDStr {
		for _, i := range [2]int64{from, to} {
			if i < n && !utf8.RuneStart(text[i]) {
				throw(ErrIndex, "slice [%d..%d] cuts a character: byte %d is inside one", from, to, i)
			}
		}
	}
	return newTextOf(w, s.Type, text[from:to])
}

// largeText is the size of texts from which work on them counts as steps also
// where it is one instruction.
const largeText = 4 << 10

// textSteps charges the steps of going once through n bytes.
func (t *Task) textSteps(n int) {
	if n >= largeText {
		t.steps(int64(bulk(n)))
	}
}

func textKind(s *Str) string {
	if s.Type == bytecode.IDBytes {
		return "bytes"
	}
	return "str"
}

func strCompare(a, b *Str) int { return strings.Compare(a.String(), b.String()) }

func strEqual(a, b *Str) bool { return a == b || a.String() == b.String() }

// asciiStrs are the strs of one ASCII character, shared by all programs.
var asciiStrs = func() (a [utf8.RuneSelf]*Str) {
	for i := range a {
		a[i] = newStrOf(bytecode.IDStr, string(rune(i)))
		a[i].hash()
	}
	return a
}()

// charStr is the str of one character.
func charStr(w *Worker, char string) *Str {
	if len(char) == 1 && char[0] < utf8.RuneSelf {
		return asciiStrs[char[0]]
	}
	return newTextOf(w, bytecode.IDStr, char)
}
