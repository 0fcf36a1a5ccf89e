// Command embed measures what a Go program pays that embeds an interpreter, in
// one process, in rounds over all of them:
//
//	call   the host calls the script's function f(a, b) = a + b*2
//	back   the script calls the host's function h(x) = x + 1 in a loop, whose own cost is in it
//	fresh  a new state of a script that is compiled already, ready to call f
//	live   what such a state holds while it lives
//
// Printed are the medians of nanoseconds and of bytes allocated (of live: held)
// an operation, and the time relative to Runnel's in the same round.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 5, "`number` of rounds")
	cycles := flag.Int("soak", 0, "instead, compile and run a program so many `times`, call it as often, and watch the heap")
	only := flag.String("only", "", "only these `peers`, separated by commas")
	asJSON := flag.Bool("json", false, "print what was measured as data")
	flag.Parse()
	var err error
	if *cycles > 0 {
		err = soak(*cycles)
	} else {
		err = compare(strings.FieldsFunc(*only, func(r rune) bool { return r == ',' }), max(*rounds, 1), *asJSON)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compare(only []string, rounds int, asJSON bool) error {
	ops := slices.Concat(runnelOps(), nativeOps(), gopherLuaOps(), goluaOps(), gojaOps(), tengoOps(), starlarkOps(),
		risorOps(), yaegiOps(), ankoOps(), exprOps())
	if len(only) > 0 {
		ops = slices.DeleteFunc(ops, func(op *operation) bool { return !slices.Contains(only, op.peer) })
	}
	// Those that are compared stand side by side: the machine is the same then.
	slices.SortStableFunc(ops, func(a, b *operation) int { return slices.Index(compared, a.name) - slices.Index(compared, b.name) })
	if err := measureAll(ops, rounds); err != nil {
		return err
	}
	if asJSON {
		return results(ops).Write(os.Stdout)
	}
	printComparison(ops)
	printWays(ops)
	return nil
}
