// Package testgen holds what our tests are made with, a package each.
//
//	progen      random programs that must run alike in all ways of running them
//	crossgen    programs in which features meet, with what they must print
//	cases       programs with tasks, in all ways in which they must do the same
//	matrix      each way of waiting in each position, with each way of ending
//	racestress  scripts that race on every object, on purpose
//	mutate      damaged compiled programs
//	reduce      makes a failing program small
//	linear      whether time grows no faster than the input
//	longtest    short and long forms of tests that enumerate
//	leaktest    goroutines that a test has left behind
//	texttest    what parsers of text formats have in common
//	tmux        a terminal to type at
package testgen
