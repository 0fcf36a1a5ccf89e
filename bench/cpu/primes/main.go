//go:build ignore

// Primes up to n and the least factor of every number, by Euler's sieve.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	least := make([]int, n+1)
	var primes []int
	for i := 2; i <= n; i++ {
		if least[i] == 0 {
			least[i] = i
			primes = append(primes, i)
		}
		for _, p := range primes {
			if p > least[i] || i*p > n {
				break
			}
			least[i*p] = p
		}
	}
	sum := 0
	for _, x := range least {
		sum += x
	}
	fmt.Println(len(primes), sum)
}
