package vm

import "unsafe"

// TextView returns bytes as a string without a copy. Nobody may change them while the
// string is in use.
func TextView(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// BytesView returns a string as bytes without a copy. Nobody may change them.
func BytesView(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// SizeOf returns the size of a T, without what it refers to, for charging memory.
func SizeOf[T any]() int {
	var x T
	return int(unsafe.Sizeof(x))
}
