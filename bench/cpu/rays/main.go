//go:build ignore

// Rays through n by n pixels at three spheres: vectors are structs, and few pixels hit nothing.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

type vector struct{ x, y, z float64 }

func (v *vector) minus(o *vector) *vector { return &vector{v.x - o.x, v.y - o.y, v.z - o.z} }
func (v *vector) times(f float64) *vector { return &vector{v.x * f, v.y * f, v.z * f} }
func (v *vector) dot(o *vector) float64   { return v.x*o.x + v.y*o.y + v.z*o.z }
func (v *vector) unit() *vector           { return v.times(1 / math.Sqrt(v.dot(v))) }

type sphere struct {
	centre *vector
	radius float64
}

func (s *sphere) hit(way *vector) float64 {
	b := s.centre.dot(way)
	d := b*b - s.centre.dot(s.centre) + s.radius*s.radius
	if d < 0 {
		return -1
	}
	return b - math.Sqrt(d)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	spheres := []*sphere{{&vector{0, 0, 3}, 1}, {&vector{1, 0.5, 4}, 1}, {&vector{-1.5, -0.5, 5}, 1.5}}
	light := (&vector{-1, -1, -1}).unit()
	sum := 0.0
	for y := range n {
		for x := range n {
			way := (&vector{float64(x)/float64(n) - 0.5, float64(y)/float64(n) - 0.5, 1}).unit()
			near := 1e9
			var found *sphere
			for _, s := range spheres {
				if far := s.hit(way); far > 0 && far < near {
					near, found = far, s
				}
			}
			if found != nil {
				normal := way.times(near).minus(found.centre).unit()
				sum += max(0, normal.dot(light))
			}
		}
	}
	fmt.Println(int(math.Floor(sum)))
}
