//go:build ignore

// Clusters: ten rounds of k-means with 16 centres over n points in the plane.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type point struct{ x, y float64 }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var points []*point
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		x := float64(seed%100_000) / 100
		seed = seed * 16807 % 2147483647
		points = append(points, &point{x, float64(seed%100_000) / 100})
	}
	var centres [16]point
	for i := range centres {
		centres[i] = *points[i]
	}
	for range 10 {
		var sums [16]point
		var counts [16]int
		for _, p := range points {
			best, least := 0, 1e18
			for i, c := range centres {
				dx, dy := p.x-c.x, p.y-c.y
				if d := dx*dx + dy*dy; d < least {
					least, best = d, i
				}
			}
			sums[best].x += p.x
			sums[best].y += p.y
			counts[best]++
		}
		for i, n := range counts {
			if n > 0 {
				centres[i] = point{sums[i].x / float64(n), sums[i].y / float64(n)}
			}
		}
	}
	sum := 0.0
	for _, c := range centres {
		sum += c.x + 2*c.y
	}
	fmt.Println(int(sum))
}
