package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/lang/query"
)

// longProgram has about 5,000 lines.
func longProgram() string {
	var b strings.Builder
	for i := range 250 {
		fmt.Fprintf(&b, `
struct Account%[1]d {
  name: str
  balance: int = 0
  history: [(int, str)] = []
  fn add(amount: int, note: str) -> bool {
    if amount < 0 && self.balance + amount < 0 { return false }
    self.balance += amount
    self.history.push((amount, note))
    true
  }
}
fn handle%[1]d(a: Account%[1]d, amounts: [int]) -> map<str, int> {
  let totals = map<str, int>()
  for i, amount in amounts {
    totals["${amount}"] = (totals.get(a.name) ?? 0) + amount + i
  }
  totals
}
print(handle%[1]d(Account%[1]d("a"), [1, 2]).len())
`, i)
	}
	return b.String()
}

// BenchmarkHover asks about a text that was not seen before.
func BenchmarkHover(b *testing.B) {
	src := longProgram()
	at := strings.Index(src, "totals\n}\nprint(handle200(")
	b.ReportMetric(float64(strings.Count(src, "\n")), "lines")
	for b.Loop() {
		if h, ok := query.Open("main.rnl", src, options(nil)).Hover(at); !ok || h.Code != "let totals: map<str, int>" {
			b.Fatal(h)
		}
	}
}

// benchmarkComplete asks in the middle of the program, in a text not seen before.
func benchmarkComplete(b *testing.B, line, first string) {
	src := longProgram()
	at := strings.Index(src, "  totals\n}\nprint(handle120(")
	src = src[:at] + line + src[at:]
	for b.Loop() {
		list := query.Open("main.rnl", src, options(nil)).Complete(at + strings.Index(line, "\n"))
		if len(list) == 0 || list[0].Label != first {
			b.Fatal(list)
		}
	}
}

func BenchmarkCompleteMember(b *testing.B) { benchmarkComplete(b, "  a.\n", "add") }

func BenchmarkCompleteName(b *testing.B) { benchmarkComplete(b, "  let s: str = handle1\n", "handle1") }

// The body around the offset is the whole program.
func BenchmarkCompleteInLongFunction(b *testing.B) {
	var text strings.Builder
	text.WriteString("fn big(xs: [int]) {\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "  let v%d = xs.len() + [%d].map(|n| n + 1).len()\n", i, i)
	}
	src := text.String() + "  xs.pus\n}\n"
	for b.Loop() {
		list := query.Open("main.rnl", src, options(nil)).Complete(len(src) - 3)
		if len(list) != 1 || list[0].Label != "push" {
			b.Fatal(list)
		}
	}
}

// What stands behind the offset must be left out: two checks.
func BenchmarkCompleteBroken(b *testing.B) { benchmarkComplete(b, "  if a.\n) else {\n", "add") }

func BenchmarkDiagnostics(b *testing.B) {
	src := longProgram()
	for b.Loop() {
		if _, diags := query.Open("main.rnl", src, options(nil)).Diagnostics(); len(diags) > 0 {
			b.Fatal(diags[0].Message)
		}
	}
}
