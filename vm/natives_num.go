package vm

import (
	"math"
	"math/bits"
	"strconv"
	"time"
	"unicode/utf8"
)

// Natives of int, float, duration and any, see the files of the prelude.
func init() {
	registerNative("int.checked_add", func(c *Call) {
		x, y := c.Int(0), c.Int(1)
		sum := x + y
		c.setOption(IntValue(sum), (sum < x) == (y < 0))
	})
	registerNative("int.checked_sub", func(c *Call) {
		x, y := c.Int(0), c.Int(1)
		diff := x - y
		c.setOption(IntValue(diff), (diff > x) == (y < 0))
	})
	registerNative("int.checked_mul", func(c *Call) {
		x, y := c.Int(0), c.Int(1)
		hi, lo := bits.Mul64(uint64(x), uint64(y))
		high := int64(hi)
		if x < 0 {
			high -= y
		}
		if y < 0 {
			high -= x
		}
		c.setOption(IntValue(int64(lo)), high == int64(lo)>>63)
	})
	registerNative("int.mod", func(c *Call) {
		x, y := c.Int(0), c.Int(1)
		if y == 0 {
			c.Throw(ErrDivision, "division by zero")
		}
		m := x % y
		if m != 0 && (m < 0) != (y < 0) {
			m += y
		}
		c.SetInt(m)
	})
	registerNative("int.bit_count", func(c *Call) { c.SetInt(int64(bits.OnesCount64(uint64(c.Int(0))))) })
	registerNative("int.leading_zeros", func(c *Call) { c.SetInt(int64(bits.LeadingZeros64(uint64(c.Int(0))))) })
	registerNative("int.trailing_zeros", func(c *Call) { c.SetInt(int64(bits.TrailingZeros64(uint64(c.Int(0))))) })
	registerNative("int.to_base", func(c *Call) { c.SetStr(strconv.FormatInt(c.Int(0), c.baseArg(1))) })
	registerNative("int.char", func(c *Call) {
		r := c.Int(0)
		if r < 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			c.Throw(ErrValue, "%d is not the code point of a character", r)
		}
		c.SetStr(string(rune(r)))
	})
	registerNative("int.to_float_bits", func(c *Call) { c.SetInt(c.Int(0)) })

	registerNative("float.abs", func(c *Call) { c.SetFloat(math.Abs(c.Float(0))) })
	registerNative("float.floor", func(c *Call) { c.SetFloat(math.Floor(c.Float(0))) })
	registerNative("float.ceil", func(c *Call) { c.SetFloat(math.Ceil(c.Float(0))) })
	registerNative("float.trunc", func(c *Call) { c.SetFloat(math.Trunc(c.Float(0))) })
	registerNative("float.round", func(c *Call) { c.SetFloat(roundTo(c.Float(0), c.Int(1))) })
	registerNative("float.bits", func(c *Call) { c.SetInt(c.Int(0)) })

	registerNative("duration.nanos", func(c *Call) { c.SetInt(c.Int(0)) })
	registerNative("duration.micros", func(c *Call) { c.SetInt(c.Int(0) / 1e3) })
	registerNative("duration.millis", func(c *Call) { c.SetInt(c.Int(0) / 1e6) })
	registerNative("duration.secs", func(c *Call) { c.SetFloat(time.Duration(c.Int(0)).Seconds()) })
	registerNative("duration.mins", func(c *Call) { c.SetFloat(time.Duration(c.Int(0)).Minutes()) })
	registerNative("duration.hours", func(c *Call) { c.SetFloat(time.Duration(c.Int(0)).Hours()) })
	registerNative("duration.round", func(c *Call) {
		c.SetInt(int64(time.Duration(c.Int(0)).Round(c.unit(1))))
	})
	registerNative("duration.truncate", func(c *Call) {
		c.SetInt(int64(time.Duration(c.Int(0)).Truncate(c.unit(1))))
	})

	registerNative("any.type_name", func(c *Call) { c.SetStr(c.Type(c.Value(0).TypeID()).Name) })
}

// unit returns a duration argument that must be positive.
func (c *Call) unit(i int) time.Duration {
	d := c.Int(i)
	if d <= 0 {
		c.Throw(ErrValue, "the unit of a rounding must be positive")
	}
	return time.Duration(d)
}

// roundTo rounds to decimals: halves away from zero, as the decimal digits of
// the shortest form say. A negative number of decimals rounds to tens.
func roundTo(f float64, decimals int64) float64 {
	switch {
	case decimals == 0:
		return math.Round(f)
	case math.IsInf(f, 0) || f != f || decimals > 300:
		return f
	case decimals < -308:
		return math.Copysign(0, f)
	case decimals < 0:
		unit := math.Pow10(int(-decimals))
		return math.Round(f/unit) * unit
	}
	scale := math.Pow10(int(decimals))
	scaled := f * scale
	if math.Abs(scaled) >= 1<<52 {
		return f // more decimals than it has
	}
	// 1.005 is a little less than it looks: what counts is how it is written.
	rounded := math.Round(scaled)
	if near, err := strconv.ParseFloat(strconv.FormatFloat(scaled, 'g', 15, 64), 64); err == nil {
		rounded = math.Round(near)
	}
	return rounded / scale
}
