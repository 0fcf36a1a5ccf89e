// Package types finds out the type of every expression of a program, and
// whether the program keeps the rules of the language.
//
//	syntax.File ──► declare ──► resolve ──► check ──► Program, Info
//	   (+ what it imports)   signatures   bodies
//	                             ▲
//	           prelude, library ─┘ bodies only when Program.Body asks
//
// Inference is local to a statement: variables stand for what is not known
// yet, expected types flow inward, unification solves the variables, and what
// is still open at the statement's end is an error (infer.go). A type that is
// already wrong is Invalid, fits everywhere, and so is reported once.
//
// What the compiler reads is Info: slices by the ids of the syntax tree. The
// callee of a call that calls no function value has the type (); Info tells
// what it is by Uses and Calls. Where a `let` is narrowed, its Ident has the
// narrower type. A Program is used by one goroutine at a time.
package types
