package diag

import (
	"strings"
	"testing"
	"unicode"
)

// FuzzRender shows findings at any places of any text: nothing crashes, and
// nothing that could command a terminal comes out.
func FuzzRender(f *testing.F) {
	f.Add("let a = 1\nlet b = a\n", "b\n\x1b", uint16(4), uint16(14), uint16(0), uint16(9), 40)
	f.Add("\tx\r\n\u202e日本👩‍👧\u0301", "", uint16(1), uint16(30), uint16(2), uint16(2), 0)
	f.Add(strings.Repeat("日", 200), "text", uint16(301), uint16(303), uint16(0), uint16(600), 50)
	f.Fuzz(func(t *testing.T, src, text string, start, end, from, to uint16, width int) {
		var fs FileSet
		file := fs.Add(text, src)
		other := fs.Add("other", text)
		place := func(a, b uint16) Span {
			n := len(src) + 1
			return file.Span(min(int(a)%n, int(b)%n), max(int(a)%n, int(b)%n))
		}
		d := Diagnostic{Code: "E0301", Message: text, Span: place(start, end), Text: text, Notes: []string{text}, Help: []string{text},
			Labels: []Label{{place(from, to), text}, {place(from, end), ""}, {other.Span(0, len(text)), text}},
			Fixes:  []Fix{{text, []Edit{{place(from, to), text}}}, {text, []Edit{{place(start, end), ""}, {place(from, to), "x"}}}},
		}
		var b strings.Builder
		if err := Render(&b, &fs, []Diagnostic{d}, Options{Width: width % 300}); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q came out", r)
			}
		}
	})
}
