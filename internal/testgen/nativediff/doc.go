// Package nativediff has only tests: programs do the same as machine code as in the
// interpreter, with the same errors and traces, in the same number of steps.
package nativediff
