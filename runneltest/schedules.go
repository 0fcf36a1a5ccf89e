package runneltest

import (
	"fmt"
	"iter"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
)

// Schedules yields n ways to schedule tasks, each with its name: alternately
// random choices and random priorities, with seeds that count up from 0. Each
// is deterministic and has a virtual clock.
func Schedules(n int) iter.Seq2[string, runnel.Option] {
	return func(yield func(string, runnel.Option) bool) {
		for i := range n {
			seed := uint64(i / 2)
			name, choose := "random choices", func() reactor.Chooser { return reactor.Seeded(seed) }
			if i%2 == 1 {
				name, choose = "random priorities", func() reactor.Chooser { return reactor.PCT(seed, 4, 50) }
			}
			if !yield(fmt.Sprintf("%s, seed %d", name, seed), runnel.WithChooser(choose)) {
				return
			}
		}
	}
}

// Explore expects the program to print want under n schedules, and looks for races under a few of them.
func (p *Program) Explore(t testing.TB, n int, want string) {
	t.Helper()
	for name, schedule := range Schedules(n) {
		p.prints(t, name+": ", want, schedule)
	}
	for seed := range uint64(max(2, n/6)) {
		p.prints(t, fmt.Sprintf("looking for races, seed %d: ", seed), want, runnel.WithSeed(seed), runnel.WithRace())
	}
}
