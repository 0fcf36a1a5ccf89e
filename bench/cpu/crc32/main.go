//go:build ignore

// CRC-32 by hand: a table of 256 entries, over a megabyte, n times.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var table [256]uint32
	for i := range table {
		c := uint32(i)
		for range 8 {
			if c&1 == 1 {
				c = 0xedb88320 ^ c>>1
			} else {
				c >>= 1
			}
		}
		table[i] = c
	}
	data := make([]byte, 1<<20)
	seed := 42
	for i := range data {
		seed = seed * 16807 % 2147483647
		data[i] = byte(seed)
	}
	crc := uint32(0xffffffff)
	for range n {
		for _, b := range data {
			crc = table[byte(crc)^b] ^ crc>>8
		}
	}
	fmt.Println(crc ^ 0xffffffff)
}
