// Package math holds the native functions of module math.
package math

import (
	_ "embed"
	"math"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed math.rnl
var source string

// Module is what the import of math gives.
var Module = vm.NewModule("math", source)

// unary functions by their name in the module.
var unary = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "cbrt": math.Cbrt,
	"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1,
	"log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
	"asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
	"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc,
	"round": math.Round, "round_even": math.RoundToEven,
}

var binary = map[string]func(x, y float64) float64{
	"pow": math.Pow, "atan2": math.Atan2, "hypot": math.Hypot, "fmod": math.Mod, "copysign": math.Copysign,
}

func init() {
	for name, f := range unary {
		Module.Native(name, func(c *vm.Call) { c.SetFloat(f(c.Float(0))) })
	}
	for name, f := range binary {
		Module.Native(name, func(c *vm.Call) { c.SetFloat(f(c.Float(0), c.Float(1))) })
	}
	Module.Native("is_nan", func(c *vm.Call) { c.SetBool(math.IsNaN(c.Float(0))) })
	Module.Native("is_inf", func(c *vm.Call) { c.SetBool(math.IsInf(c.Float(0), 0)) })
	Module.Native("infinity", func(c *vm.Call) { c.SetFloat(math.Inf(1)) })
	Module.Native("not_a_number", func(c *vm.Call) { c.SetFloat(math.NaN()) })
	Module.Native("to_bits", func(c *vm.Call) { c.SetInt(int64(math.Float64bits(c.Float(0)))) })
	Module.Native("from_bits", func(c *vm.Call) { c.SetFloat(math.Float64frombits(uint64(c.Int(0)))) })
}
