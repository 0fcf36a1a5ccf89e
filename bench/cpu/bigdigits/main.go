//go:build ignore

// Large numbers by hand: the sum of the digits of 2 to the power of n, in base 10,000.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	digits := []int{1}
	for range n {
		carry := 0
		for i := range digits {
			x := digits[i]*2 + carry
			digits[i] = x % 10000
			carry = x / 10000
		}
		if carry > 0 {
			digits = append(digits, carry)
		}
	}
	sum := 0
	for _, rest := range digits {
		for rest > 0 {
			sum += rest % 10
			rest /= 10
		}
	}
	fmt.Println(sum)
}
