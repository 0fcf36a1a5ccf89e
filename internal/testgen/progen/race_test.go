package progen_test

import (
	"context"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// The loop that looks for races does what the fast one does, and finds none
// where there is one task.
func TestRandomProgramsWithoutRaces(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+*numSeeds/3; seed++ {
		src := progen.Program(seed)
		prog, err := compile(src, false)
		if err != nil {
			t.Fatal(err)
		}
		fast, races := run(prog, false), &outcome{}
		in := vm.NewInstance(prog, vm.Config{
			Host: &host.Host{Stdout: races}, Limits: vm.Limits{Steps: maxSteps, Memory: maxMemory, Stack: 1 << 16}, Race: true,
		})
		if err := in.Run(context.Background()); (err == nil) != (fast.err == "") && !fast.limited {
			t.Errorf("seed %d: error %v, else %s", seed, err, fast.err)
		}
		for _, r := range in.Races() {
			t.Errorf("seed %d: %v", seed, r)
		}
		x, y := fast.out.String(), races.out.String()
		if fast.limited {
			x, y = x[:min(len(x), len(y))], y[:min(len(x), len(y))]
		}
		if x != y {
			t.Errorf("seed %d: %s", seed, difference(x, y))
		}
	}
}
