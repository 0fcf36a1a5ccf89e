// Package matrix writes the programs that cross every operation of concurrency
// with every kind of value and every place in a program where it may stand.
//
// A program holds one operation and one kind of value, in all positions:
//
//	operation (ops_*.go) --+
//	kind of value (kinds.go) --+-- Program: source and what it prints
//	positions (positions.go) --+
//
// What a program prints follows from how it is made: an operation says which of
// the three values a, b and c appear in its lines, a kind how they are shown,
// and a position how often. An operation is written so that its lines are the
// same under every schedule.
package matrix
