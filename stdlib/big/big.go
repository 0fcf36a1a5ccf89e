// Package big holds the native functions of module big.
package big

import (
	_ "embed"
	"math/big"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed big.rnl
var source string

// Module is what the import of big gives.
var Module = vm.NewModule("big", source)

// maxBits bounds an integer, 1,262,611 decimal digits: what the dearest operation on
// one takes is seconds.
const maxBits = 1 << 22

func init() {
	Module.Text("Int", []string{"bytes"}, Show)
	Module.Native("of_int", func(c *vm.Call) { set(c, big.NewInt(c.Int(0))) })
	Module.Native("read", read)
	Module.Native("write", write)
	Module.Native("sum", func(c *vm.Call) { set(c, new(big.Int).Add(arg(c, 0), arg(c, 1))) })
	Module.Native("difference", func(c *vm.Call) { set(c, new(big.Int).Sub(arg(c, 0), arg(c, 1))) })
	Module.Native("product", func(c *vm.Call) {
		x, y := arg(c, 0), arg(c, 1)
		fits(c, x.BitLen()+y.BitLen()-1)
		set(c, work{c}.mul(x, y))
	})
	Module.Native("quotient", func(c *vm.Call) {
		q, _ := quotient(c)
		set(c, q)
	})
	Module.Native("remainder", func(c *vm.Call) {
		_, r := quotient(c)
		set(c, r)
	})
	Module.Native("power", func(c *vm.Call) { set(c, power(c, arg(c, 0), c.Int(1))) })
	Module.Native("power_mod", func(c *vm.Call) { set(c, powerMod(c, arg(c, 0), arg(c, 1), arg(c, 2))) })
	Module.Native("divisor", func(c *vm.Call) { set(c, work{c}.gcd(arg(c, 0), arg(c, 1))) })
	Module.Native("root", func(c *vm.Call) {
		x := arg(c, 0)
		if x.Sign() < 0 {
			c.Throw(vm.ErrValue, "big: a negative number has no square root")
		}
		set(c, work{c}.sqrt(x))
	})
	Module.Native("order", func(c *vm.Call) { c.SetInt(int64(arg(c, 0).Cmp(arg(c, 1)))) })
	Module.Native("sign_of", func(c *vm.Call) { c.SetInt(int64(arg(c, 0).Sign())) })
	Module.Native("bits", func(c *vm.Call) { c.SetInt(int64(arg(c, 0).BitLen())) })
	Module.Native("as_int", func(c *vm.Call) {
		if x := arg(c, 0); x.IsInt64() {
			c.SetSome(vm.IntValue(x.Int64()))
		} else {
			c.SetNone()
		}
	})
	Module.Native("as_float", func(c *vm.Call) {
		f, _ := new(big.Float).SetInt(arg(c, 0)).Float64()
		c.SetFloat(f)
	})
}

// arg reads an integer: a byte that is 1 for a negative one, then its magnitude,
// the highest byte first and never 0. A script may make others: they stand for a
// number too. What a call takes beside its result is charged with its arguments.
func arg(c *vm.Call, i int) *big.Int {
	in := data.Arg(c, i)
	if len(in) == 0 {
		return new(big.Int)
	}
	fits(c, 8*(len(in)-1))
	c.Charge(16*len(in) + 64)
	x := new(big.Int).SetBytes(in[1:])
	if in[0] == 1 {
		x.Neg(x)
	}
	return x
}

// set gives an integer as arg reads it, in its only form.
func set(c *vm.Call, x *big.Int) {
	fits(c, x.BitLen())
	out, raw := data.AllocBytes(c, 1+(x.BitLen()+7)/8)
	x.FillBytes(raw[1:])
	if raw[0] = 0; x.Sign() < 0 {
		raw[0] = 1
	}
	c.SetObject(out.Object())
}

// fits throws where an integer would have too many bits.
func fits(c *vm.Call, bits int) {
	if bits > maxBits+8 {
		c.Throw(vm.ErrValue, "big: a number of more than %d bits, which is the most", maxBits)
	}
}

func quotient(c *vm.Call) (q, r *big.Int) {
	x, y := arg(c, 0), arg(c, 1)
	if y.Sign() == 0 {
		c.Throw(vm.ErrDivision, "division by zero")
	}
	return work{c}.quoRem(x, y)
}

func power(c *vm.Call, x *big.Int, n int64) *big.Int {
	if n < 0 {
		c.Throw(vm.ErrValue, "big: a power needs an exponent of 0 or more, not %d", n)
	}
	if bits := x.BitLen() - 1; bits > 0 && n > int64(maxBits/bits) {
		fits(c, 2*maxBits)
	}
	if x.BitLen() <= 1 { // -1, 0 and 1, whose exponent may be any
		n = min(n, 2+n&1)
	}
	w, out := work{c}, big.NewInt(1)
	for bit := int64(1) << 62; bit > 0; bit >>= 1 {
		if fits(c, 2*out.BitLen()-1); out.BitLen() > 1 || out.Sign() < 0 {
			c.Charge(out.BitLen() / 4)
			out = w.mul(out, out)
		}
		if n&bit != 0 {
			fits(c, out.BitLen()+x.BitLen()-1)
			out = w.mul(out, x)
		}
	}
	return out
}

func powerMod(c *vm.Call, x, n, m *big.Int) *big.Int {
	switch {
	case m.Sign() == 0:
		c.Throw(vm.ErrDivision, "division by zero")
	case n.Sign() < 0:
		c.Throw(vm.ErrValue, "big: a power needs an exponent of 0 or more")
	}
	w, m := work{c}, new(big.Int).Abs(m)
	_, x = w.quoRem(x, m)
	if x.Sign() < 0 {
		x = new(big.Int).Add(x, m)
	}
	_, out := w.quoRem(big.NewInt(1), m)
	for i := n.BitLen() - 1; i >= 0; i-- {
		_, out = w.quoRem(w.mul(out, out), m)
		if n.Bit(i) == 1 {
			_, out = w.quoRem(w.mul(out, x), m)
		}
	}
	return out
}
