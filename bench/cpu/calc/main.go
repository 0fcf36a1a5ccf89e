//go:build ignore

// Parses an expression by recursive descent into a tree, and evaluates it for n values of x.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type expr interface{ eval(x int) int }

type (
	number     struct{ value int }
	variable   struct{}
	sum        struct{ left, right expr }
	difference struct{ left, right expr }
	product    struct{ left, right expr }
)

func (e *number) eval(int) int       { return e.value }
func (e *variable) eval(x int) int   { return x }
func (e *sum) eval(x int) int        { return e.left.eval(x) + e.right.eval(x) }
func (e *difference) eval(x int) int { return e.left.eval(x) - e.right.eval(x) }
func (e *product) eval(x int) int    { return e.left.eval(x) * e.right.eval(x) % 1_000_003 }

type parser struct {
	text string
	at   int
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) sum() expr {
	left := p.product()
	for {
		switch p.peek() {
		case '+':
			p.at++
			left = &sum{left, p.product()}
		case '-':
			p.at++
			left = &difference{left, p.product()}
		default:
			return left
		}
	}
}

func (p *parser) product() expr {
	left := p.atom()
	for p.peek() == '*' {
		p.at++
		left = &product{left, p.atom()}
	}
	return left
}

func (p *parser) atom() expr {
	c := p.peek()
	p.at++
	if c == '(' {
		inner := p.sum()
		p.at++
		return inner
	}
	if c == 'x' {
		return &variable{}
	}
	value := int(c - '0')
	for p.peek() >= '0' && p.peek() <= '9' {
		value = value*10 + int(p.peek()-'0')
		p.at++
	}
	return &number{value}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	e := (&parser{text: "(x+12)*(x*x-3*(7+x))+(5-x)*(x+1)*(x+2)-17*x"}).sum()
	hash := 0
	for x := range n {
		hash = (hash*31 + e.eval(x) + 10_000_000) % 1_000_000_007
	}
	fmt.Println(hash)
}
