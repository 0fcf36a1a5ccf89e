//go:build ignore

// Lists of booleans: counts the primes up to n by the sieve of Eratosthenes.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	composite := make([]bool, n+1)
	primes := 0
	for i := 2; i <= n; i++ {
		if !composite[i] {
			primes++
			for multiple := i + i; multiple <= n; multiple += i {
				composite[multiple] = true
			}
		}
	}
	fmt.Println(primes)
}
