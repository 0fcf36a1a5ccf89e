//go:build ignore

// Floating point in nested loops: the points of an n × n grid inside the Mandelbrot set.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	size := float64(n)
	inside := 0
	for y := range n {
		ci := 2.0*float64(y)/size - 1.0
		for x := range n {
			cr := 2.0*float64(x)/size - 1.5
			zr, zi := 0.0, 0.0
			steps := 0
			for steps < 50 {
				next := zr*zr - zi*zi + cr
				zi = 2.0*zr*zi + ci
				zr = next
				if zr*zr+zi*zi > 4.0 {
					break
				}
				steps++
			}
			if steps == 50 {
				inside++
			}
		}
	}
	fmt.Println(inside)
}
