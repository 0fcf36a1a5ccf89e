package rand

import "math/bits"

// xoshiro is the generator xoshiro256** of Blackman and Vigna: the same
// numbers on every machine and in every version.
type xoshiro [4]uint64

// seeded fills the state from one number with SplitMix64, as its authors advise.
func seeded(seed uint64) (x xoshiro) {
	for i := range x {
		x[i] = splitMix(&seed)
	}
	return x
}

func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (x *xoshiro) next() uint64 {
	out := bits.RotateLeft64(x[1]*5, 7) * 9
	t := x[1] << 17
	x[2] ^= x[0]
	x[3] ^= x[1]
	x[1] ^= x[2]
	x[0] ^= x[3]
	x[2] ^= t
	x[3] = bits.RotateLeft64(x[3], 45)
	return out
}

// below returns a number in [0, n), each equally likely, by Lemire's method; with
// n 0 it gives any number.
func (x *xoshiro) below(n uint64) uint64 {
	if n == 0 {
		return x.next()
	}
	hi, lo := bits.Mul64(x.next(), n)
	if lo < n {
		// The first 2^64 mod n products of each bucket are one too many.
		for limit := -n % n; lo < limit; {
			hi, lo = bits.Mul64(x.next(), n)
		}
	}
	return hi
}

// float returns a multiple of 2^-53 in [0, 1).
func (x *xoshiro) float() float64 { return float64(x.next()>>11) * 0x1p-53 }
