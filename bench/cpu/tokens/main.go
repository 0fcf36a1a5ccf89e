//go:build ignore

// Splits a text of about n bytes into words, numbers and signs, and counts the words.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func text(n int) string {
	words := []string{"let", "total", "price", "fn", "x1", "while", "value", "index"}
	signs := []string{"+", "-", "(", ")", "{", "}", "==", ";"}
	var parts []string
	size, seed := 0, 42
	for size < n {
		seed = seed * 16807 % 2147483647
		var part string
		switch seed % 3 {
		case 0:
			part = words[seed/3%8]
		case 1:
			part = signs[seed/3%8]
		default:
			part = strconv.Itoa(seed / 3 % 10_000)
		}
		parts = append(parts, part)
		size += len(part) + 1
	}
	return strings.Join(parts, " ")
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func main() {
	size, _ := strconv.Atoi(os.Args[1])
	source := text(size)
	n := len(source)
	counts := map[string]int{}
	at, numbers, signs := 0, 0, 0
	for at < n {
		c := source[at]
		begin := at
		at++
		switch {
		case isLetter(c):
			for at < n && (isLetter(source[at]) || isDigit(source[at])) {
				at++
			}
			counts[source[begin:at]]++
		case isDigit(c):
			value := int(c - '0')
			for at < n && isDigit(source[at]) {
				value = value*10 + int(source[at]-'0')
				at++
			}
			numbers = (numbers + value) % 1_000_003
		case c != ' ':
			signs++
		}
	}
	fmt.Println(numbers, signs, counts["total"], len(counts))
}
