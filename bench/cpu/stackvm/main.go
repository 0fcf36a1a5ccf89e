//go:build ignore

// A stack machine in a loop: a program of ten instructions counts down from n.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const (
	push = iota
	load
	store
	add
	multiply
	modulo
	jumpIfZero
	jump
	halt
)

type op struct{ kind, arg int }

func run(code []op, n int) int {
	var stack []int
	pop := func() int {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return x
	}
	slots := []int{n, 1}
	pc := 0
	for {
		o := code[pc]
		pc++
		switch o.kind {
		case push:
			stack = append(stack, o.arg)
		case load:
			stack = append(stack, slots[o.arg])
		case store:
			slots[o.arg] = pop()
		case add:
			b, a := pop(), pop()
			stack = append(stack, a+b)
		case multiply:
			b, a := pop(), pop()
			stack = append(stack, a*b)
		case modulo:
			b, a := pop(), pop()
			stack = append(stack, a%b)
		case jumpIfZero:
			if pop() == 0 {
				pc = o.arg
			}
		case jump:
			pc = o.arg
		case halt:
			return slots[1]
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	code := []op{
		{load, 0}, {jumpIfZero, 13},
		{load, 1}, {push, 31}, {multiply, 0}, {load, 0}, {add, 0}, {push, 1_000_003}, {modulo, 0}, {store, 1},
		{load, 0}, {push, -1}, {jump, 14},
		{halt, 0},
		{add, 0}, {store, 0}, {jump, 0},
	}
	fmt.Println(run(code, n))
}
