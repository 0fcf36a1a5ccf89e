package types_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// longProgram is about 5,000 lines of ordinary code.
func longProgram() string {
	var b strings.Builder
	for i := range 200 {
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
  fn largest() -> int? {
    let amounts = self.history.map(|h| h.0).filter(|n| n > 0)
    amounts.sort().last()
  }
}
enum Event%[1]d { Paid(amount: int, to: str), Failed(why: str), Idle }
fn handle%[1]d(a: Account%[1]d, events: [Event%[1]d]) -> map<str, int> {
  let totals = map<str, int>()
  for i, e in events {
    match e {
      Paid(amount, to) if amount > 0 => { totals[to] = (totals.get(to) ?? 0) + amount + i }
      Paid(amount, _) => { a.add(amount, "${amount:>6}") }
      Failed(why) => print("failed: ${why} of ${a.name}")
      Idle => {}
    }
  }
  totals
}
print(handle%[1]d(Account%[1]d("a"), [Paid(1, "b"), Idle]).len())
`, i)
	}
	return b.String()
}

func BenchmarkCheckLongProgram(b *testing.B) {
	src := longProgram()
	b.ReportMetric(float64(strings.Count(src, "\n")), "lines")
	for b.Loop() {
		b.StopTimer()
		fs := &diag.FileSet{}
		f, diags := syntax.Parse(fs.Add("main.rnl", src))
		require.Empty(b, diags)
		b.StartTimer()
		_, diags = types.Check(fs, f, types.Options{Prelude: prelude()})
		if len(diags) > 0 {
			b.Fatal(diags[0].Message)
		}
	}
}

func BenchmarkCheckEmptyProgram(b *testing.B) {
	for b.Loop() {
		fs := &diag.FileSet{}
		f, _ := syntax.Parse(fs.Add("main.rnl", "print(1)"))
		types.Check(fs, f, types.Options{Prelude: prelude()})
	}
}
