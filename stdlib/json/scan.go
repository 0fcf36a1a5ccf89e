package json

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// syntaxError is a text that is no JSON: what is wrong, and where.
type syntaxError struct {
	pos  int
	text string
}

func (e *syntaxError) Error() string { return e.text }

func errAt(pos int, format string, args ...any) *syntaxError {
	return &syntaxError{pos, fmt.Sprintf(format, args...)}
}

// skipSpace returns the position of the next byte that is not white space.
func skipSpace(text string, pos int) int {
	for pos < len(text) {
		if c := text[pos]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			break
		}
		pos++
	}
	return pos
}

// found describes what stands at a position, for messages.
func found(text string, pos int) string {
	if pos >= len(text) {
		return "the end of the text"
	}
	switch c := text[pos]; {
	case c == '"':
		return "a string"
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '-' || c >= '0' && c <= '9':
		return "a number"
	case strings.HasPrefix(text[pos:], "true"), strings.HasPrefix(text[pos:], "false"):
		return "a bool"
	case strings.HasPrefix(text[pos:], "null"):
		return "null"
	}
	r, _ := utf8.DecodeRuneInString(text[pos:])
	return strconv.QuoteRune(r)
}

// maxNumber bounds the text of a number, so that none takes long to read.
const maxNumber = 1 << 16

// number returns the end of the number at pos and whether it is a whole one,
// written without fraction and exponent.
func number(text string, pos int) (end int, whole bool, err *syntaxError) {
	if len(text)-pos > maxNumber+1 {
		if end, whole, err = number(text[:pos+maxNumber+1], pos); end-pos > maxNumber || err != nil && err.pos == pos+maxNumber+1 {
			err = errAt(pos, "a number has more than %d digits", maxNumber)
		}
		return end, whole, err
	}
	i := pos
	if i < len(text) && text[i] == '-' {
		i++
	}
	switch {
	case i < len(text) && text[i] == '0':
		i++
		if i < len(text) && isDigit(text[i]) {
			return 0, false, errAt(pos, "a number starts with 0")
		}
	case i < len(text) && isDigit(text[i]):
		for i < len(text) && isDigit(text[i]) {
			i++
		}
	default:
		return 0, false, errAt(i, "expected a digit, found %s", found(text, i))
	}
	whole = true
	if i < len(text) && text[i] == '.' {
		whole = false
		if i, err = someDigits(text, i+1); err != nil {
			return 0, false, err
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		whole = false
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if i, err = someDigits(text, i); err != nil {
			return 0, false, err
		}
	}
	return i, whole, nil
}

func isDigit(c byte) bool { return c-'0' < 10 }

func someDigits(text string, pos int) (int, *syntaxError) {
	i := pos
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i == pos {
		return 0, errAt(i, "expected a digit, found %s", found(text, i))
	}
	return i, nil
}

// plainString returns the end of the string whose opening quote stands before
// pos. It stops at the closing quote or at the first backslash.
func plainString(text string, pos int) (end int, err *syntaxError) {
	for i := pos; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			return i, nil
		case c < ' ':
			return 0, errAt(i, "the control character %s stands in a string", strconv.QuoteRune(rune(c)))
		}
	}
	return 0, errAt(len(text), "a string has no end")
}

// escapedString appends the string whose opening quote stands before pos to
// buf, escapes replaced, and gives the position behind its closing quote. A
// surrogate without its other half becomes U+FFFD.
func escapedString(buf []byte, text string, pos int) ([]byte, int, *syntaxError) {
	for {
		end, err := plainString(text, pos)
		if err != nil {
			return buf, 0, err
		}
		buf = append(buf, text[pos:end]...)
		if text[end] == '"' {
			return buf, end + 1, nil
		}
		if end+1 >= len(text) {
			return buf, 0, errAt(len(text), "a string has no end")
		}
		pos = end + 2
		switch c := text[end+1]; c {
		case '"', '\\', '/':
			buf = append(buf, c)
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case 'n':
			buf = append(buf, '\n')
		case 'r':
			buf = append(buf, '\r')
		case 't':
			buf = append(buf, '\t')
		case 'u':
			r, ok := hex4(text, pos)
			if !ok {
				return buf, 0, errAt(end, "\\u needs four hexadecimal digits")
			}
			pos += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if strings.HasPrefix(text[pos:], `\u`) {
					low, ok = hex4(text, pos+2)
				}
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					pos += 6
				}
			}
			buf = utf8.AppendRune(buf, r)
		default:
			return buf, 0, errAt(end, "unknown escape %q", text[end:end+2])
		}
	}
}

func hex4(text string, pos int) (r rune, ok bool) {
	if pos+4 > len(text) {
		return 0, false
	}
	for _, c := range []byte(text[pos : pos+4]) {
		switch {
		case isDigit(c):
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// skipString returns the position behind the string that starts at pos.
func skipString(text string, pos int) (int, *syntaxError) {
	end, err := plainString(text, pos+1)
	if err == nil && text[end] == '\\' {
		_, end, err = escapedString(nil, text, end)
		return end, err
	}
	return end + 1, err
}

// skipValue checks the value at pos (no white space) and gives the position
// behind it. depth counts the arrays and objects around it; look, if it is not
// nil, is told where the scan has come to.
func skipValue(text string, pos, depth int, look func(pos int)) (int, *syntaxError) {
	if pos >= len(text) {
		return 0, errAt(pos, "expected a value, found %s", found(text, pos))
	}
	switch c := text[pos]; c {
	case '"':
		return skipString(text, pos)
	case '[':
		return skipContainer(text, pos, depth, ']', look)
	case '{':
		return skipContainer(text, pos, depth, '}', look)
	case 't', 'f', 'n':
		for _, word := range [...]string{"true", "false", "null"} {
			if strings.HasPrefix(text[pos:], word) {
				return pos + len(word), nil
			}
		}
	default:
		if c == '-' || isDigit(c) {
			end, _, err := number(text, pos)
			return end, err
		}
	}
	return 0, errAt(pos, "expected a value, found %s", found(text, pos))
}

func skipContainer(text string, pos, depth int, closing byte, look func(pos int)) (int, *syntaxError) {
	if depth >= maxDepth {
		return 0, errAt(pos, "nested deeper than %d levels", maxDepth)
	}
	pos = skipSpace(text, pos+1)
	if pos < len(text) && text[pos] == closing {
		return pos + 1, nil
	}
	for {
		var err *syntaxError
		if closing == '}' {
			if pos, err = skipKey(text, pos); err != nil {
				return 0, err
			}
		}
		if look != nil {
			look(pos)
		}
		if pos, err = skipValue(text, pos, depth+1, look); err != nil {
			return 0, err
		}
		more := false
		if pos, more, err = afterElement(text, pos, closing); err != nil {
			return 0, err
		}
		if !more {
			return pos, nil
		}
	}
}

// skipKey skips an object's key, the colon, and the white space around it.
func skipKey(text string, pos int) (int, *syntaxError) {
	if pos >= len(text) || text[pos] != '"' {
		return 0, errAt(pos, "expected a key in quotes, found %s", found(text, pos))
	}
	pos, err := skipString(text, pos)
	if err != nil {
		return 0, err
	}
	return afterKey(text, pos)
}

// afterKey skips the colon behind a key and the white space around it.
func afterKey(text string, pos int) (int, *syntaxError) {
	pos = skipSpace(text, pos)
	if pos >= len(text) || text[pos] != ':' {
		return 0, errAt(pos, "expected ':', found %s", found(text, pos))
	}
	return skipSpace(text, pos+1), nil
}

// afterElement skips the comma or the closing bracket behind an element; more
// tells that another element follows.
func afterElement(text string, pos int, closing byte) (next int, more bool, err *syntaxError) {
	pos = skipSpace(text, pos)
	if pos < len(text) {
		switch text[pos] {
		case closing:
			return pos + 1, false, nil
		case ',':
			return skipSpace(text, pos+1), true, nil
		}
	}
	return 0, false, errAt(pos, "expected ',' or '%c', found %s", closing, found(text, pos))
}

// valid reports whether a text is one JSON value.
func valid(text string, look func(pos int)) bool {
	pos, err := skipValue(text, skipSpace(text, 0), 0, look)
	return err == nil && skipSpace(text, pos) == len(text)
}
