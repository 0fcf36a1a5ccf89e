// Package crossgen generates programs in which everything meets everything: an
// expression of a type stands wherever that type is wanted, be it a literal, an
// operator, a control structure, a function of the program or any function of
// the library, which is known by its declarations, in closures, tasks, locks,
// selects, defers, defaults and texts.
//
// A program is made of a seed and prints what it computes, which does not depend
// on how its tasks take turns. It can be written in a second way, in which
// values take detours that change nothing, and in several files.
//
// Package progen makes programs for the comparison of optimised code; they use
// one task and little of the library.
package crossgen
