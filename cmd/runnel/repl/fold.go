package repl

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

// folded breaks a value into lines that fit the terminal behind "= ": each behind
// the last comma of those that are in the fewest brackets.
func folded(text string, width int) string {
	const indent = 3 // where the elements of a list begin
	var b strings.Builder
	start, room := 0, width-len("= ")
	for rest := commas(text); len(rest) > 0 && cells(text[start:]) > room; room = width - indent {
		last := 0
		for i, c := range rest {
			if i > 0 && cells(text[start:c.end]) > room {
				break
			}
			if c.depth <= rest[last].depth {
				last = i
			}
		}
		b.WriteString(text[start:rest[last].end] + "\n" + strings.Repeat(" ", indent))
		start = rest[last].end
		start += len(text[start:]) - len(strings.TrimLeft(text[start:], " "))
		rest = rest[last+1:]
	}
	return b.String() + text[start:]
}

// comma is one of a value, not of a text in it.
type comma struct{ end, depth int }

func commas(text string) (list []comma) {
	depth := 0
	for _, t := range query.Highlight(text) {
		if t.Kind != query.Punctuation {
			continue
		}
		switch text[t.Start:t.End] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if t.End < len(text) && text[t.End] != ' ' { // within a count: 9,990 more
				continue
			}
			list = append(list, comma{t.End, depth})
		}
	}
	return list
}

// cells is how many a text takes.
func cells(text string) (n int) {
	for _, r := range text {
		n += diag.RuneWidth(r)
	}
	return n
}
