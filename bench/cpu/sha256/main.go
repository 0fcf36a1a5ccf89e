//go:build ignore

// SHA-256 by hand: hashes a block of 64 bytes n times, each with the result of the last.
package main

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"strconv"
)

var k []uint32

func constants() {
	for p := 2; len(k) < 64; p++ {
		prime := true
		for d := 2; d*d <= p; d++ {
			prime = prime && p%d != 0
		}
		if prime {
			root := math.Cbrt(float64(p))
			k = append(k, uint32((root-math.Floor(root))*4294967296))
		}
	}
}

func rotate(x uint32, n int) uint32 { return bits.RotateLeft32(x, -n) }

func compress(h *[8]uint32, w *[64]uint32) {
	for i := 16; i < 64; i++ {
		x, y := w[i-15], w[i-2]
		s0 := rotate(x, 7) ^ rotate(x, 18) ^ x>>3
		s1 := rotate(y, 17) ^ rotate(y, 19) ^ y>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	a, b, c, d, e, f, g, last := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	for i := range 64 {
		s1 := rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
		t1 := last + s1 + (e&f ^ ^e&g) + k[i] + w[i]
		s0 := rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
		t2 := s0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, last = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, x := range [8]uint32{a, b, c, d, e, f, g, last} {
		h[i] += x
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	constants()
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	var w [64]uint32
	for i := range n {
		for j := range 16 {
			w[j] = h[j%8] + uint32(i*j)
		}
		compress(&h, &w)
	}
	fmt.Println(h[0])
}
