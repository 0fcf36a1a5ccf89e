// Package longtest says which form of a test that enumerates is run: some of its cases, as
// is the default, or all of them, as RUNNEL_LONG=1 asks for. RUNNEL_PART chooses which some:
// of a test that takes every nth case, n parts that follow one another have all of them.
package longtest

import (
	"cmp"
	"flag"
	"iter"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
)

// Tests compile many small programs and keep few: in their small heaps the collector would
// take a quarter of the time.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// Asked reports whether the environment asks for the long forms of tests.
func Asked() bool { return os.Getenv("RUNNEL_LONG") != "" }

// Of is many in the long form of a test, few in the other.
func Of(few, many int) int {
	if Asked() {
		return many
	}
	return few
}

// part is the number of the part of the cases that is run.
var part = sync.OnceValue(func() int {
	n, err := strconv.ParseUint(cmp.Or(os.Getenv("RUNNEL_PART"), "0"), 10, 31)
	if err != nil {
		panic("RUNNEL_PART is no number: " + err.Error())
	}
	return int(n)
})

// Some gives every nth of what a test enumerates, all of them in its long form.
func Some[T any](all []T, n int) []T {
	if Asked() {
		return all
	}
	some := make([]T, 0, len(all)/n+1)
	for i := part() % max(1, min(n, len(all))); i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// Sample is Some for tests whose cases are also chosen with -run: then it gives all.
func Sample[T any](all []T, n int) []T {
	if run := flag.Lookup("test.run"); run != nil && run.Value.String() != "" {
		return all
	}
	return Some(all, n)
}

// SampleOf is Sample for the entries of a map, in the order of their names.
func SampleOf[T any](all map[string]T, n int) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range Sample(slices.Sorted(maps.Keys(all)), n) {
			if !yield(name, all[name]) {
				return
			}
		}
	}
}
