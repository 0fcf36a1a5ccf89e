// Package native compiles bytecode to machine code, for programs that compute much.
//
// The bytecode is the intermediate form. Its registers are split into webs, each of
// them the definitions and uses of a value that belong together; the most used get
// registers of the processor, and are written back where the interpreter may look.
// Pointers are always in memory, where Go's collector sees them. See package vm,
// machine.go, for how machine code is entered and what it asks of Go.
package native
