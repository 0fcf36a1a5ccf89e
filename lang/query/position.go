package query

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is what a column counts.
type Encoding uint8

const (
	UTF8  Encoding = iota // bytes
	UTF16                 // code units, as most editors do
	Runes                 // characters
)

// width is how many columns a character takes.
func (e Encoding) width(r rune, size int) int {
	switch e {
	case UTF16:
		return max(1, utf16.RuneLen(r))
	case Runes:
		return 1
	}
	return size
}

// Offset returns the byte at a line and column, both counted from 0. One beyond
// the text, or within a character, is moved back to where something is.
func Offset(text string, line, column int, e Encoding) int {
	at := 0
	for ; line > 0; line-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	for at < len(text) && text[at] != '\n' {
		r, size := utf8.DecodeRuneInString(text[at:])
		if column -= e.width(r, size); column < 0 {
			break
		}
		at += size
	}
	return at
}

// Position returns the line and column of a byte, both counted from 0.
func Position(text string, at int, e Encoding) (line, column int) {
	at = max(0, min(at, len(text)))
	start := strings.LastIndexByte(text[:at], '\n') + 1
	for i := start; i < at; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if i+size > at && e != UTF8 {
			break // within a character
		}
		size = min(size, at-i)
		column += e.width(r, size)
		i += size
	}
	return strings.Count(text[:start], "\n"), column
}
