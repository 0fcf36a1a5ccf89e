package big

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/runnel-lang/runnel/vm"
)

// leafDigits is how many digits are read or written at once.
const leafDigits = 1024

// digits reads and writes numbers in a base by halves.
type digits struct {
	work
	base   int
	powers []*big.Int // base to the power of leafDigits, of twice that, and so on
}

func digitsOf(c *vm.Call, base int64) *digits {
	if base < 2 || base > 36 {
		c.Throw(vm.ErrValue, "big: a base is 2 to 36, not %d", base)
	}
	return &digits{work: work{c}, base: int(base)}
}

// power returns base to the power of leafDigits << i.
func (d *digits) power(i int) *big.Int {
	for len(d.powers) <= i {
		if n := len(d.powers); n == 0 {
			d.powers = append(d.powers, new(big.Int).Exp(big.NewInt(int64(d.base)), big.NewInt(leafDigits), nil))
		} else {
			d.powers = append(d.powers, d.mul(d.powers[n-1], d.powers[n-1]))
		}
	}
	return d.powers[i]
}

// read is the native that reads a number.
func read(c *vm.Call) {
	text, d := c.Str(0), digitsOf(c, c.Int(1))
	c.Steps(1 + len(text)/16)
	number := strings.TrimPrefix(text, "-")
	if len(number) == len(text) {
		number = strings.TrimPrefix(text, "+")
	}
	zeros := strings.TrimLeft(number, "0")
	bits := new(big.Int).Exp(big.NewInt(int64(d.base)), big.NewInt(64), nil).BitLen() - 1 // of 64 digits, at least
	fits(c, len(zeros)/64*bits)
	c.Charge(16*len(number) + 64)
	if number == "" || strings.IndexFunc(number, func(r rune) bool { return !d.isDigit(r) }) >= 0 {
		c.Throw(vm.ErrValue, "big: %s is not an integer in base %d", vm.Quote(text), d.base)
	}
	x := d.parse(zeros)
	if text[0] == '-' {
		x.Neg(x)
	}
	set(c, x)
}

func (d *digits) isDigit(r rune) bool {
	switch {
	case r >= '0' && r <= '9':
		return int(r-'0') < d.base
	case r >= 'a' && r <= 'z':
		return int(r-'a')+10 < d.base
	case r >= 'A' && r <= 'Z':
		return int(r-'A')+10 < d.base
	}
	return false
}

func (d *digits) parse(text string) *big.Int {
	if len(text) <= leafDigits {
		d.pay(leafDigits, 16)
		x, ok := new(big.Int).SetString("0"+text, d.base)
		if !ok {
			panic("big: digits that are none")
		}
		return x
	}
	i := 0
	for leafDigits<<(i+1) < len(text) {
		i++
	}
	at := len(text) - leafDigits<<i
	high := d.mul(d.parse(text[:at]), d.power(i))
	return new(big.Int).Add(high, d.parse(text[at:]))
}

// write is the native that writes a number.
func write(c *vm.Call) {
	x, d := arg(c, 0), digitsOf(c, c.Int(1))
	c.Charge(2 * (x.BitLen() + 64))
	var out strings.Builder
	if x.Sign() < 0 {
		out.WriteByte('-')
	}
	d.format(&out, new(big.Int).Abs(x), 0)
	c.SetStr(out.String())
}

// Show writes a number wherever it is shown. One in a message, which nobody pays for, is written in
// short where it is long.
func Show(f vm.Fields) (string, bool) {
	in := f.Bytes(0)
	if len(in) == 0 {
		return "0", true
	}
	x, c, bits := new(big.Int), f.Call(), 8*(len(in)-1)
	switch {
	case bits > maxBits+8:
		return "", false
	case c != nil:
		c.Steps(1 + len(in)/16)
		c.Charge(32*len(in) + 256)
	case bits > freeBits:
		return fmt.Sprintf("<an integer of about %d bits>", bits), true
	}
	x.SetBytes([]byte(in[1:]))
	if in[0] == 1 {
		x.Neg(x)
	}
	if c == nil || bits < leafDigits {
		return x.String(), true
	}
	var out strings.Builder
	if x.Sign() < 0 {
		out.WriteByte('-')
	}
	d := &digits{work: work{c}, base: 10}
	d.format(&out, new(big.Int).Abs(x), 0)
	return out.String(), true
}

// freeBits is how long a number is that is written in less than a millisecond.
const freeBits = 1 << 15

// format writes a number, in front of it as many zeros as make it least digits long.
func (d *digits) format(out *strings.Builder, x *big.Int, least int) {
	if x.Cmp(d.power(0)) < 0 {
		d.pay(words(x), 64)
		text := x.Text(d.base)
		for n := least - len(text); n > 0; n -= leafDigits {
			out.WriteString(zeros[:min(n, leafDigits)])
		}
		out.WriteString(text)
		return
	}
	i := 0
	for 2*d.power(i+1).BitLen() < x.BitLen()+wordBits {
		i++
	}
	q, r := d.quoRem(x, d.power(i))
	d.format(out, q, least-leafDigits<<i)
	d.format(out, r, leafDigits<<i)
}

var zeros = strings.Repeat("0", leafDigits)
