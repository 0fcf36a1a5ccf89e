package json

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
)

// place describes a position of a text: line, column, and the path of the value
// there, as "3:14 (items[3].price)". The path is found by reading the text once
// more up to the position, so that decoding without errors pays nothing for it.
func place(text string, pos int) string {
	line, column := lineColumn(text, pos)
	return lineColumnPath(line, column, pathAt(text, pos))
}

// lineColumn counts from 1.
func lineColumn(text string, pos int) (line, column int) {
	before := text[:min(pos, len(text))]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

func lineColumnPath(line, column int, path string) string {
	at := strconv.Itoa(line) + ":" + strconv.Itoa(column)
	if path != "" {
		at += " (" + path + ")"
	}
	return at
}

// level is an array or object around a position.
type level struct {
	array   bool
	index   int
	key     string
	keyNext bool
}

// pathAt returns the path of the value at a position, whatever follows it.
func pathAt(text string, pos int) string { return join(levelsAt(text, pos)) }

// levelsAt returns the arrays and objects around a position.
func levelsAt(text string, pos int) []level {
	var levels []level
	for i := 0; i < pos && i < len(text); {
		var top *level
		if len(levels) > 0 {
			top = &levels[len(levels)-1]
		}
		switch text[i] {
		case '[':
			levels = append(levels, level{array: true})
		case '{':
			levels = append(levels, level{keyNext: true})
		case ']', '}':
			levels = levels[:max(0, len(levels)-1)]
		case ',':
			if top != nil {
				top.index++
				top.keyNext = true
			}
		case '"':
			key, end, err := escapedString(nil, text, i+1)
			if err != nil || end > pos {
				return levels
			}
			if top != nil && top.keyNext {
				top.key, top.keyNext = string(key), false
			}
			i = end
			continue
		}
		i++
	}
	return levels
}

// shownLevels is how many levels of a path are shown; of longer ones the start
// and the end are.
const shownLevels = 16

func join(levels []level) string {
	if n := len(levels); n > shownLevels {
		return join(levels[:shownLevels/2]) + "…" + join(levels[n-shownLevels/2:])
	}
	var b strings.Builder
	for _, l := range levels {
		switch {
		case l.array:
			b.WriteString("[" + strconv.Itoa(l.index) + "]")
		case l.keyNext: // between two keys
		case isName(l.key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(l.key)
		default:
			b.WriteString("[" + vm.Quote(l.key) + "]")
		}
	}
	return b.String()
}

func isName(key string) bool {
	for i, r := range key {
		letter := r == '_' || r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != ""
}
