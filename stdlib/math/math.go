// Package math holds the native functions of module math.
package math

import (
	_ "embed"
	"math"
	"math/bits"

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
	"gamma": math.Gamma, "erf": math.Erf, "erfc": math.Erfc,
}

var binary = map[string]func(x, y float64) float64{
	"pow": math.Pow, "atan2": math.Atan2, "hypot": math.Hypot, "fmod": math.Mod, "copysign": math.Copysign,
	"remainder": math.Remainder, "next_after": math.Nextafter,
}

func init() {
	for name, f := range unary {
		Module.Native(name, func(c *vm.Call) { c.SetFloat(f(c.Float(0))) })
	}
	for name, f := range binary {
		Module.Native(name, func(c *vm.Call) { c.SetFloat(f(c.Float(0), c.Float(1))) })
	}
	Module.Native("log_gamma", func(c *vm.Call) {
		size, _ := math.Lgamma(c.Float(0))
		c.SetFloat(size)
	})
	Module.Native("fma", func(c *vm.Call) { c.SetFloat(math.FMA(c.Float(0), c.Float(1), c.Float(2))) })
	Module.Native("ldexp", func(c *vm.Call) {
		c.SetFloat(math.Ldexp(c.Float(0), int(min(max(c.Int(1), -5000), 5000))))
	})
	Module.Native("frexp", func(c *vm.Call) {
		fraction, exponent := math.Frexp(c.Float(0))
		pair := c.NewStruct(c.Ref().Result)
		pair.Set(0, vm.FloatValue(fraction))
		pair.Set(1, vm.IntValue(int64(exponent)))
		c.SetValue(pair.Value())
	})
	Module.Native("pow_mod", func(c *vm.Call) {
		if c.Int(1) < 0 || c.Int(2) < 1 {
			c.Throw(vm.ErrValue, "math.pow_mod: the exponent %d or the modulus %d is too small", c.Int(1), c.Int(2))
		}
		c.SetInt(int64(powMod(c.Int(0), uint64(c.Int(1)), uint64(c.Int(2)))))
	})
	Module.Native("is_nan", func(c *vm.Call) { c.SetBool(math.IsNaN(c.Float(0))) })
	Module.Native("is_inf", func(c *vm.Call) { c.SetBool(math.IsInf(c.Float(0), 0)) })
	Module.Native("infinity", func(c *vm.Call) { c.SetFloat(math.Inf(1)) })
	Module.Native("not_a_number", func(c *vm.Call) { c.SetFloat(math.NaN()) })
	Module.Native("to_bits", func(c *vm.Call) { c.SetInt(int64(math.Float64bits(c.Float(0)))) })
	Module.Native("from_bits", func(c *vm.Call) { c.SetFloat(math.Float64frombits(uint64(c.Int(0)))) })
}

// powMod returns base to the power exponent modulo m, from 0 to m - 1.
func powMod(base int64, exponent, m uint64) uint64 {
	product := func(a, b uint64) uint64 {
		hi, lo := bits.Mul64(a, b)
		_, rest := bits.Div64(hi, lo, m)
		return rest
	}
	square := uint64(base)
	if base < 0 { // -base as an unsigned number is right for the least int too
		square = (m - uint64(-base)%m) % m
	}
	result := 1 % m
	for square %= m; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result = product(result, square)
		}
		square = product(square, square)
	}
	return result
}
