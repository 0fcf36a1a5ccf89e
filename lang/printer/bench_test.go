package printer

import (
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/progen"
)

// Programs of 5,000 lines together.
func BenchmarkFormat(b *testing.B) {
	var text strings.Builder
	for n, seed := 0, uint64(0); n < 5000; seed++ {
		src := progen.Program(seed)
		text.WriteString(src)
		n += strings.Count(src, "\n")
	}
	f := source(text.String())
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := Format(f); diags != nil {
			b.Fatal(diags)
		}
	}
}
