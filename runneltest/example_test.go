package runneltest_test

import (
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/sync"
)

// Scripts under test can import sync, compute for a million steps, and reach nothing.
var script = runneltest.Runner{Modules: []*runnel.Module{sync.Module}, Limits: runnel.Limits{Steps: 1_000_000}}

const sum = `
import sync
let total = sync.atomic(0)
scope { for i in 1..=4 { spawn { yield_now(); total.add(i) } } }
print(total.load())
`

// A host tests its scripts in functions such as these.
func Example() {
	// The sum is the same in whichever order the tasks take turns, and nothing races.
	_ = func(t *testing.T) { script.Compile(t, sum).Explore(t, 50, "10\n") }

	// A program that goes on for ever meets its limit.
	_ = func(t *testing.T) { script.Compile(t, "loop {}").Fails(t, "steps") }

	// Mistakes are found before anything runs.
	_ = func(t *testing.T) { script.Refuses(t, "print(totl)", "E0201") }

	// The test calls a script's functions.
	_ = func(t *testing.T) {
		inst := script.Start(t, "pub fn twice(n: int) -> int { n * 2 }")
		if n, err := inst.Call(t.Context(), "twice", 21); n != 42 || err != nil {
			t.Fatal(n, err)
		}
	}

	// What is expected may stand in the program.
	_ = func(t *testing.T) {
		script.Meets(t, `
print("now")                      // expect: now
spawn { throw error("lost") }     // unhandled: lost
yield_now()
throw error("at the end")         // expect error: at the end
`, 10)
	}
}
