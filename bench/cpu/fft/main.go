//go:build ignore

// The fast Fourier transform of 16,384 points in place, n times.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const size = 16384

func transform(re, im []float64) {
	j := 0
	for i := 1; i < size; i++ {
		bit := size / 2
		for j&bit != 0 {
			j ^= bit
			bit /= 2
		}
		j |= bit
		if i < j {
			re[i], re[j] = re[j], re[i]
			im[i], im[j] = im[j], im[i]
		}
	}
	for length := 2; length <= size; length *= 2 {
		angle := -2 * math.Pi / float64(length)
		wr, wi := math.Cos(angle), math.Sin(angle)
		half := length / 2
		for i := 0; i < size; i += length {
			cr, ci := 1.0, 0.0
			for k := i; k < i+half; k++ {
				m := k + half
				xr := re[m]*cr - im[m]*ci
				xi := re[m]*ci + im[m]*cr
				re[m], im[m] = re[k]-xr, im[k]-xi
				re[k] += xr
				im[k] += xi
				cr, ci = cr*wr-ci*wi, cr*wi+ci*wr
			}
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	re, im := make([]float64, size), make([]float64, size)
	for i := range re {
		re[i] = float64(i % 100)
	}
	for range n {
		transform(re, im)
		for i := range size {
			re[i] /= 128
			im[i] /= 128
		}
	}
	sum := 0.0
	for i := range size {
		sum += re[i]*re[i] + im[i]*im[i]
	}
	fmt.Println(int(math.Round(sum)))
}
