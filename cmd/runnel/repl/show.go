package repl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/query"
)

// maxShown is how much of a value is shown.
const maxShown = 16 << 10

// show prints a value and its type; what does not fit in a line is broken behind
// commas, and when the value takes several lines the type has one of its own.
func (s *shell) show(r Result) {
	text := printable(r.Text)
	more := ""
	if len(text) > maxShown {
		cut := maxShown
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		more = s.colors.paint(dim, fmt.Sprintf("… %d more bytes", len(text)-cut))
		text = text[:cut]
	}
	width, _ := s.out.Size()
	if !strings.Contains(text, "\n") {
		text = folded(text, width)
	}
	gap := "  "
	if strings.Contains(text, "\n") || more != "" || cells("= "+text+"  : "+r.Type) > width {
		gap = "\n"
	}
	fmt.Fprintln(s.out, s.colors.paint(dim, "= ")+s.colors.code(text)+more+gap+s.colors.paint(dim, ": ")+s.colors.paint(query.Type, r.Type))
}

// printable makes characters visible that would disturb the terminal.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, value)
}
