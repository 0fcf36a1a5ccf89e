// Package vm runs bytecode: tasks on workers of a reactor, under limits.
//
//	bytecode.Program ──Link──▶ Program ──NewInstance──▶ Instance ──Run, Invoke──▶ Task, on a Worker
//
// The first word of a file's name says what it is about:
//
//	program, instance  what is linked once, and a running copy of it
//	run                the loop, generated from bytecode/opcodes.txt, and its helpers
//	value              values and objects: texts, lists, maps; equality, hashes, display
//	task               tasks, and what they wait for: futures, channels, mutexes, jobs
//	end                how tasks fail, and how a program ends
//	actor              mailboxes, names, and what package actor needs for hosts
//	look               the search for actors and tasks that nobody can reach any more
//	limit              memory and steps
//	race               the race detector
//	native, natives    functions in Go: their API, and those of the built-in types
//	host               the border to Go: calls in both directions, and their guards
//	observe            what observers and tools are told
//	check              the loop of -tags checkedloop, and what tests look at
//
// Package host defines what a host grants. A Program is immutable and shared;
// any number of goroutines may use an Instance. Hosts can rely on what package
// runnel exports from this package; the rest may change.
package vm
