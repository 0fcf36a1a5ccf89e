// Package racestress writes scripts whose tasks race, without any lock, for one
// kind of object each, in every way the language and its prelude offer. Such a
// script may see old values and errors that tell of a race; the process that
// runs it must live, and what it reads must be a value that somebody wrote.
//
// A script is given its running time in milliseconds as its argument. It prints
// "turns N" at the end, and before that a line "unexpected: ..." for each error
// or value that a race does not explain.
package racestress

import (
	"fmt"
	"strings"
)

// Subject is a kind of object and all that tasks do with it.
type Subject struct {
	Name   string
	Decls  string   // types, functions and globals
	Fields string   // fields of the struct Shared, which all tasks hold as s, each with a default
	Ops    []string // statements that use s and an int n from 0 to 39
	After  string   // run after each operation, keeps sizes small
	Errors []string // errors that are to be expected beside those of races
}

// Subjects are all kinds of objects.
func Subjects() []Subject {
	var all []Subject
	for _, group := range [][]Subject{listSubjects(), mapSubjects(), setSubjects(), dataSubjects(), taskSubjects()} {
		all = append(all, group...)
	}
	return all
}

// raceErrors are thrown by operations that find something changed under them.
var raceErrors = []string{"RaceError", "IndexError", "ModifiedError", "KeyError", "NoneError"}

// Source is the script.
func (s Subject) Source() string {
	var b strings.Builder
	fmt.Fprintf(&b, `import json
import sys
%s
struct Shared {
%s
  stop: bool = false
  focus: int = 0
  let problems: chan<str> = chan<str>(20)
}
fn demand(ok: bool, what: str, s: Shared) {
  if !ok { let _ = s.problems.try_send(what) }
}
`, s.Decls, s.Fields)
	for i, op := range s.Ops {
		fmt.Fprintf(&b, "fn op_%d(s: Shared, n: int) {\n%s\n}\n", i, strings.TrimSpace(op))
	}
	fmt.Fprintf(&b, "fn turn(s: Shared, op: int, n: int) {\nmatch op {\n")
	for i := range s.Ops {
		fmt.Fprintf(&b, "%d => op_%d(s, n)\n", i, i)
	}
	fmt.Fprintf(&b, "_ => {}\n}\n%s\n}\n", s.After)
	b.WriteString("fn attempt(s: Shared, op: int, n: int) {\ntry { turn(s, op, n) }\n")
	for _, e := range append(append([]string(nil), raceErrors...), s.Errors...) {
		fmt.Fprintf(&b, "catch _e: %s {}\n", e)
	}
	fmt.Fprintf(&b, "catch e { let _ = s.problems.try_send(\"operation ${op}: ${type_of(e)}: ${e.message()}\") }\n}\n")
	fmt.Fprintf(&b, loops, len(s.Ops))
	return b.String()
}

// loops of the tasks: half of them do what everybody does at the moment, the
// others anything, in bursts, so that each operation meets each other one.
const loops = `fn mix(x: int) -> int { x * 6364136223846793005 + 1442695040888963407 }
fn pick(x: int, n: int) -> int { (x >> 33 & 0xffff_ffff) %% n }
fn worker(s: Shared, id: int) -> int {
  let ops = %d
  var x = mix(id + 1)
  var turns = 0
  while !s.stop {
    x = mix(x)
    let op = if id %% 2 == 0 { s.focus %% ops } else { pick(x, ops) }
    let n = pick(mix(x), 40)
    for i in 0..(n %% 8 + 1) { attempt(s, op, (n + i) %% 40) }
    turns += 1
    if turns %% 16 == id { yield_now() }
  }
  turns
}
let s = Shared()
let workers: [task<int>] = []
for id in 0..8 { workers.push(spawn worker(s, id)) }
var left = int(sys.args[0])
var seed = left
while left > 0 {
  sleep(2ms)
  left -= 2
  seed = mix(seed)
  s.focus = pick(seed, 1000)
}
s.stop = true
print("turns", await_all(workers).sum())
while let p = s.problems.try_recv() { print("unexpected:", p) }
`
