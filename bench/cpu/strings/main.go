//go:build ignore

// Strings: formats n short ones and joins them.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var parts []string
	for i := range n {
		parts = append(parts, "item"+strconv.Itoa(i%1000))
	}
	fmt.Println(len(strings.Join(parts, ",")))
}
