//go:build ignore

// Breadth-first search over a grid of n by n with walls below its first row, with a list as the queue.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	walls, far := make([]bool, n*n), make([]int, n*n)
	seed := 42
	for i := range walls {
		seed = seed * 16807 % 2147483647
		walls[i] = i >= n && seed%100 < 30
		far[i] = -1
	}
	far[0] = 0
	queue := []int{0}
	ways := [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	for next := 0; next < len(queue); next++ {
		at := queue[next]
		x, y := at%n, at/n
		for _, way := range ways {
			u, v := x+way[0], y+way[1]
			if u < 0 || v < 0 || u >= n || v >= n {
				continue
			}
			to := v*n + u
			if walls[to] || far[to] >= 0 {
				continue
			}
			far[to] = far[at] + 1
			queue = append(queue, to)
		}
	}
	sum := 0
	for _, d := range far {
		if d > 0 {
			sum += d
		}
	}
	fmt.Println(len(queue), sum)
}
