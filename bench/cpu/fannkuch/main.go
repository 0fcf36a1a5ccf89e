//go:build ignore

// List indexing: the most flips any permutation of 0..n needs, over all permutations in order.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// fannkuch returns the checksum over the permutations and the largest number of flips.
func fannkuch(n int) (checksum, most int) {
	first, flipped, count := make([]int, n), make([]int, n), make([]int, n)
	for i := range first {
		first[i] = i
	}
	r := n
	for index := 0; ; index++ {
		for r != 1 {
			count[r-1] = r
			r--
		}

		for i := range n {
			flipped[i] = first[i]
		}
		flips := 0
		for k := flipped[0]; k != 0; k = flipped[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				flipped[i], flipped[j] = flipped[j], flipped[i]
			}
			flips++
		}
		most = max(most, flips)
		if index%2 == 0 {
			checksum += flips
		} else {
			checksum -= flips
		}

		// The next permutation: rotate longer and longer prefixes until one has turns left.
		for {
			if r == n {
				return checksum, most
			}
			head := first[0]
			for i := range r {
				first[i] = first[i+1]
			}
			first[r] = head
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	checksum, most := fannkuch(n)
	fmt.Println(checksum*1000 + most)
}
