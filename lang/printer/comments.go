package printer

import (
	"strings"
	"unicode/utf8"
)

// join writes rows. Comments at the ends of lines that the author aligned are
// aligned; the one behind the longest line stands as far from it as in the
// source.
func join(rows []row) string {
	var b strings.Builder
	var columns []int
	for i, r := range rows {
		if r.blank && i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.code())
		if r.comment != "" {
			if len(columns) == 0 {
				columns = align(rows[i:])
			}
			b.WriteString(strings.Repeat(" ", columns[0]-lastWidth(r.code())) + r.comment)
			columns = columns[1:]
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// align returns the columns of the comment of the first row and of those that
// stand below it in the source, up to an empty line.
func align(rows []row) []int {
	longest, gap, n := 0, rows[0].gap, 0
	for i, r := range rows {
		if i > 0 && r.blank || r.comment != "" && r.column != rows[0].column {
			break
		}
		if r.comment != "" {
			longest, gap, n = max(longest, lastWidth(r.code())), min(gap, r.gap), n+1
		}
	}
	columns := make([]int, n)
	for i := range columns {
		columns[i] = longest + gap
	}
	return columns
}

func (r row) code() string { return strings.Repeat(" ", r.indent) + r.text }

// lastWidth is how many characters the last line of a text has.
func lastWidth(text string) int {
	return utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
}
