package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const tabWidth = 4

// joiner makes one sign of two (a zero width joiner).
const joiner = '\u200d'

// column is one character of a source line as it is displayed.
type column struct {
	off   int    // its byte offset in the line
	text  string // what is printed for it
	width int
}

// columns lays out a source line from a byte on: tabs are expanded, and
// characters that would disturb the terminal or reorder the text are made
// visible.
func columns(line string, first int) []column {
	cols := make([]column, 0, len(line)-first)
	at, prev := 0, rune(0)
	for off, r := range line[first:] {
		c := column{first + off, string(r), RuneWidth(r)}
		switch {
		case r == '\t':
			c.width = tabWidth - at%tabWidth
			c.text = strings.Repeat(" ", c.width)
		case disturbs(r):
			c.text, c.width = "\ufffd", 1
		case prev == joiner, '\U0001f3fb' <= r && r <= '\U0001f3ff' && RuneWidth(prev) == 2:
			c.width = 0 // a part of the emoji before it
		}
		prev = r
		at += c.width
		cols = append(cols, c)
	}
	return cols
}

// disturbs tells of characters that are seen otherwise than they are: those that
// command the terminal or reorder the text, and those that nobody sees. Those
// that join the parts of letters and emoji are what they seem.
func disturbs(r rune) bool {
	switch {
	case r == '\u200c', r == joiner, 0xe0020 <= r && r <= 0xe007f:
		return false
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// wide lists the ranges of characters that take two cells of a terminal.
var wide = [][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x25fd, 0x25fe}, {0x2614, 0x2615},
	{0x2648, 0x2653}, {0x26a1, 0x26a1}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea},
	{0x26f2, 0x26f5}, {0x26fa, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274e},
	{0x2753, 0x2757}, {0x2795, 0x2797}, {0x27b0, 0x27b0}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b55}, {0x2e80, 0x303e},
	{0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff},
	{0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f64f},
	{0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
}

// RuneWidth is how many cells a terminal gives to r.
func RuneWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me), r == '\u200c', r == joiner, 0xe0020 <= r && r <= 0xe007f:
		return 0
	}
	for _, w := range wide {
		if r <= w[1] {
			if r >= w[0] {
				return 2
			}
			break
		}
	}
	return 1
}
