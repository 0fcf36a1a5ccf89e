//go:build ignore

// Method calls that change a field.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type account struct{ balance int }

// Inlined, the whole loop would fold into a multiplication.
//
//go:noinline
func (a *account) deposit(amount int) { a.balance += amount }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	a := &account{}
	for range n {
		a.deposit(3)
	}
	fmt.Println(a.balance)
}
