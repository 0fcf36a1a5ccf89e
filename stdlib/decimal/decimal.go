// Package decimal holds module decimal, which is written in Runnel.
package decimal

import (
	_ "embed"
	"strings"

	"github.com/runnel-lang/runnel/stdlib/big"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed decimal.rnl
var source string

// Module is what the import of decimal gives.
var Module = vm.NewModule("decimal", source, big.Module)

func init() { Module.Text("Decimal", []string{"big.Int", "int"}, show) }

// most is how many places behind the point a number has that the module makes, and mostFree one in
// a message, for which nobody pays.
const (
	most     = 1_000_000
	mostFree = 10_000
)

// show writes a number wherever it is shown, as its to_str does.
func show(f vm.Fields) (string, bool) {
	places, c := f.Int(1), f.Call()
	if places < 0 || places > most || c == nil && places > mostFree {
		return "", false
	}
	if c != nil {
		c.Steps(int(places) / 16)
		c.Charge(2 * int(places))
	}
	digits, ok := big.Show(f.Struct(0))
	if !ok || places == 0 || strings.HasPrefix(digits, "<") {
		return digits, ok && places == 0
	}
	bare, negative := strings.CutPrefix(digits, "-")
	if missing := int(places) + 1 - len(bare); missing > 0 {
		bare = strings.Repeat("0", missing) + bare
	}
	point := len(bare) - int(places)
	sign := ""
	if negative {
		sign = "-"
	}
	return sign + bare[:point] + "." + bare[point:], true
}
