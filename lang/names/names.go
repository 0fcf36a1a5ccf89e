// Package names turns names of one style into those of another.
package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Snake returns a name in the style of functions, fields and variables: "UserID" is
// "user_id".
func Snake(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 && beginsWord(rs, i) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// beginsWord reports whether the capital at i begins a word: one after a small letter or
// a digit, or the last of several before a small letter.
func beginsWord(rs []rune, i int) bool {
	last := rs[i-1]
	return unicode.IsLower(last) || unicode.IsDigit(last) ||
		last != '_' && i+1 < len(rs) && unicode.IsLower(rs[i+1])
}

// Camel returns a name in the style of types: "user_id" is "UserId".
func Camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		r, n := utf8.DecodeRuneInString(word)
		if n > 0 {
			b.WriteRune(unicode.ToUpper(r))
			b.WriteString(word[n:])
		}
	}
	return b.String()
}
