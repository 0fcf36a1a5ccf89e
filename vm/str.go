package vm

import (
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

// Len in bytes.
func (s *Str) Len() int { return s.n }

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

// NewStaticStr makes a str that belongs to the program, not to an instance's budget.
func NewStaticStr(text string) *Str { return newStrOf(bytecode.IDStr, text) }

// hash of the text, cached in the header.
func (s *Str) hash() uint32 {
	if h := s.Aux; h != 0 {
		return h
	}
	h := hashString(s.String())
	s.Aux = h
	return h
}
