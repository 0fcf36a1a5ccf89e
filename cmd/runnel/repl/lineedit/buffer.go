package lineedit

import (
	"slices"
	"unicode"
)

// buffer is the text that is edited, with a cursor before text[at]. The cursor
// stands between characters as a reader sees them.
type buffer struct {
	text   []rune
	at     int
	killed []rune // for yank
	past   []past // for undo
}

// past is what the buffer was before a change.
type past struct {
	text []rune
	at   int
}

const maxUndo = 100

func (b *buffer) String() string { return string(b.text) }

// set replaces the text, with the cursor at its end.
func (b *buffer) set(text string) {
	b.save()
	b.text = []rune(text)
	b.at = len(b.text)
}

func (b *buffer) reset() { *b = buffer{killed: b.killed} }

func (b *buffer) save() {
	if len(b.past) == maxUndo {
		b.past = slices.Delete(b.past, 0, 1)
	}
	b.past = append(b.past, past{slices.Clone(b.text), b.at})
}

func (b *buffer) undo() {
	if n := len(b.past); n > 0 {
		b.text, b.at = b.past[n-1].text, b.past[n-1].at
		b.past = b.past[:n-1]
	}
}

// replace puts a text in place of text[from:to], with the cursor behind it.
func (b *buffer) replace(from, to int, text []rune) {
	if from == to && len(text) == 0 {
		return
	}
	b.save()
	b.text = slices.Replace(b.text, from, to, text...)
	b.at = from + len(text)
}

func (b *buffer) insert(text string) { b.replace(b.at, b.at, []rune(text)) }

// kill takes text[from:to] out, for yank.
func (b *buffer) kill(from, to int) {
	if from < to {
		b.killed = slices.Clone(b.text[from:to])
		b.replace(from, to, nil)
	}
}

func (b *buffer) deleteTo(to int) { b.replace(min(b.at, to), max(b.at, to), nil) }

// joins reports whether a character is shown as one with those before it.
func joins(text []rune, i int) bool {
	if i == 0 || i == len(text) {
		return false
	}
	const joiner = '\u200d'
	r, before := text[i], text[i-1]
	switch {
	case before == '\n':
		return false
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r == joiner, before == joiner, 0x1f3fb <= r && r <= 0x1f3ff:
		return true
	case !flag(r):
		return false
	}
	flags := 0 // letters of flags come in pairs
	for i > 0 && flag(text[i-1]) {
		i--
		flags++
	}
	return flags%2 == 1
}

// flag tells the letters of which flags are made.
func flag(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// settle moves the cursor behind a character that a change has made of others.
func (b *buffer) settle() {
	for joins(b.text, b.at) {
		b.at++
	}
}

func (b *buffer) left() int {
	i := max(b.at-1, 0)
	for joins(b.text, i) {
		i--
	}
	return i
}

func (b *buffer) right() int {
	i := min(b.at+1, len(b.text))
	for joins(b.text, i) {
		i++
	}
	return i
}

func isWord(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.N, unicode.M) }

func (b *buffer) wordLeft() int {
	i := b.at
	for i > 0 && !isWord(b.text[i-1]) {
		i--
	}
	for i > 0 && isWord(b.text[i-1]) {
		i--
	}
	return i
}

func (b *buffer) wordRight() int {
	i := b.at
	for i < len(b.text) && !isWord(b.text[i]) {
		i++
	}
	for i < len(b.text) && isWord(b.text[i]) {
		i++
	}
	return i
}

// spaceLeft is where the word before the cursor begins that spaces delimit.
func (b *buffer) spaceLeft() int {
	i := b.at
	for i > 0 && unicode.IsSpace(b.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(b.text[i-1]) {
		i--
	}
	return i
}

func (b *buffer) lineStart() int { return startOfLine(b.text, b.at) }

func (b *buffer) lineEnd() int { return endOfLine(b.text, b.at) }

func startOfLine(text []rune, i int) int {
	for i > 0 && text[i-1] != '\n' {
		i--
	}
	return i
}

func endOfLine(text []rune, i int) int {
	for i < len(text) && text[i] != '\n' {
		i++
	}
	return i
}

// up moves the cursor to the line above; it fails in the first one.
func (b *buffer) up() bool {
	start := b.lineStart()
	if start == 0 {
		return false
	}
	b.at = b.column(startOfLine(b.text, start-1), start-1, b.at-start)
	return true
}

// down moves the cursor to the line below; it fails in the last one.
func (b *buffer) down() bool {
	end := b.lineEnd()
	if end == len(b.text) {
		return false
	}
	b.at = b.column(end+1, endOfLine(b.text, end+1), b.at-b.lineStart())
	return true
}

// column is the place n characters behind the start of a line, or its end.
func (b *buffer) column(start, end, n int) int {
	i := min(start+n, end)
	for joins(b.text, i) {
		i--
	}
	return i
}

// indentedOnly reports whether nothing but spaces stands before the cursor in its
// line.
func (b *buffer) indentedOnly() bool {
	for _, r := range b.text[b.lineStart():b.at] {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// transpose swaps the characters around the cursor.
func (b *buffer) transpose() {
	i := b.at
	if i == b.lineEnd() {
		i--
	}
	if i > b.lineStart() {
		b.replace(i-1, i+1, []rune{b.text[i], b.text[i-1]})
	}
}
