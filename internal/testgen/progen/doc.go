// Package progen generates random Runnel programs, for tests that compare two
// ways to compile or run the same source.
//
// A program has structs, enums, functions and statements of random types that
// refer to each other. It is well typed, prints what it computes, ends by itself
// after a bounded number of turns of its loops in nearly all cases (lists that
// share their elements may grow while they are walked), and fails on purpose
// now and then, mostly within a try. The same seed gives the same program.
package progen
