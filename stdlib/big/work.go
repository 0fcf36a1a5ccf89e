package big

import (
	"math/big"

	"github.com/runnel-lang/runnel/vm"
)

// work does what takes time that grows faster than its numbers, in pieces of less
// than about a millisecond, each of which is paid for and followed by a look at what
// is asked of the task. Its numbers are never changed.
type work struct{ c *vm.Call }

// pieceWords is how many words of a number one piece works on.
const pieceWords = 1024

func words(x *big.Int) int { return len(x.Bits()) }

// pay pays for the work on n times m words.
func (w work) pay(n, m int) {
	w.c.Steps(1 + n*m/256)
	if n*m > 1<<16 {
		w.c.Heed()
	}
}

// mul multiplies as Karatsuba does, and leaves the last pieces to the library.
func (w work) mul(x, y *big.Int) *big.Int {
	if words(x) < words(y) {
		x, y = y, x
	}
	n, m := words(x), words(y)
	if n <= pieceWords || m <= 16 {
		w.pay(n, m)
		return new(big.Int).Mul(x, y)
	}
	k := n / 2
	x0, x1 := split(x, k)
	if m <= k { // the shorter one is not split
		low, high := w.mul(x0, y), w.mul(x1, y)
		return low.Add(low, shifted(high, k)).Mul(low, sign(x, y, true))
	}
	y0, y1 := split(y, k)
	low, high := w.mul(x0, y0), w.mul(x1, y1)
	mid := w.mul(new(big.Int).Add(x0, x1), new(big.Int).Add(y0, y1))
	mid.Sub(mid, low).Sub(mid, high)
	out := shifted(high, k)
	out = shifted(out.Add(out, mid), k)
	out.Add(out, low)
	return out.Mul(out, sign(x, y, false))
}

// sign is the sign of a product of magnitudes; where y was multiplied with its sign,
// only that of x.
func sign(x, y *big.Int, signed bool) *big.Int {
	if signed {
		return big.NewInt(int64(x.Sign()))
	}
	return big.NewInt(int64(x.Sign() * y.Sign()))
}

// split returns the lower k words of a magnitude, and the others.
func split(x *big.Int, k int) (low, high *big.Int) {
	bits := x.Bits()
	return new(big.Int).SetBits(bits[:k:k]), new(big.Int).SetBits(bits[k:len(bits):len(bits)])
}

func shifted(x *big.Int, words int) *big.Int { return new(big.Int).Lsh(x, uint(words)*wordBits) }

const wordBits = 32 << (^big.Word(0) >> 63)

// quoRem divides, towards zero, in pieces of the dividend.
func (w work) quoRem(x, y *big.Int) (q, r *big.Int) {
	n, m := words(x), words(y)
	if n < m || n <= pieceWords || m <= 16 {
		w.pay(n, m)
		return new(big.Int).QuoRem(x, y, new(big.Int))
	}
	bits, by := x.Bits(), new(big.Int).Abs(y)
	out := make([]big.Word, n)
	r = new(big.Int)
	for end := n; end > 0; {
		start := max(0, end-pieceWords/4)
		r = shifted(r, end-start)
		r.Add(r, new(big.Int).SetBits(bits[start:end:end]))
		piece := new(big.Int)
		if r.CmpAbs(by) >= 0 {
			piece, r = piece.QuoRem(r, by, new(big.Int))
		}
		copy(out[start:end], piece.Bits())
		w.pay(m, end-start)
		end = start
	}
	q = new(big.Int).SetBits(out)
	return q.Mul(q, sign(x, y, false)), r.Mul(r, big.NewInt(int64(x.Sign())))
}

// gcd is the greatest common divisor; large numbers come down by Euclid's steps.
func (w work) gcd(x, y *big.Int) *big.Int {
	for words(y) > 128 || words(x) > 128 && y.Sign() != 0 {
		_, r := w.quoRem(x, y)
		x, y = y, r
	}
	w.pay(words(x), words(y))
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
}

// sqrt is the root that is rounded down: Newton's steps come down to it from the
// root of the upper half, which is too large by less than its last place.
func (w work) sqrt(x *big.Int) *big.Int {
	if words(x) <= 64 {
		w.pay(words(x), words(x))
		return new(big.Int).Sqrt(x)
	}
	k := uint(x.BitLen() / 4)
	root := w.sqrt(new(big.Int).Rsh(x, 2*k))
	root = root.Add(root, big.NewInt(1))
	root.Lsh(root, k)
	for {
		next, _ := w.quoRem(x, root)
		next = new(big.Int).Add(next, root)
		if next.Rsh(next, 1); next.Cmp(root) >= 0 {
			return root
		}
		root = next
	}
}
