//go:build ignore

// Floating point in small functions: the spectral norm of an infinite matrix, cut at n.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

func entry(row, column int) float64 {
	return 1.0 / float64((row+column)*(row+column+1)/2+row+1)
}

func multiply(v, out []float64) {
	for i := range v {
		sum := 0.0
		for j := range v {
			sum += entry(i, j) * v[j]
		}
		out[i] = sum
	}
}

func multiplyTransposed(v, out []float64) {
	for i := range v {
		sum := 0.0
		for j := range v {
			sum += entry(j, i) * v[j]
		}
		out[i] = sum
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	u, v, t := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = 1.0
	}
	for range 10 {
		multiply(u, t)
		multiplyTransposed(t, v)
		multiply(v, t)
		multiplyTransposed(t, u)
	}
	uv, vv := 0.0, 0.0
	for i := range u {
		uv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	fmt.Println(int(math.Floor(math.Sqrt(uv/vv) * 1e9)))
}
