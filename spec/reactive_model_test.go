package spec

import (
	"flag"
	"fmt"
	"testing"

	"github.com/runnel-lang/runnel"
)

var graphs = flag.Int("graphs", 50, "how many random graphs of cells are compared with the model, in each way")

const graphModel = "tests/reactive/_model"

// graphKinds are the kinds of play: in one task, in several, where some of these are
// cancelled, and the same with effects that run later.
var graphKinds = []string{"alone", "beside", "cancelled", "later", "later cancelled"}

// TestGraphsAgreeWithTheModel plays at random on graphs of cells, computeds and
// effects, and compares all that is read with what a naive model computes.
func TestGraphsAgreeWithTheModel(t *testing.T) {
	for _, kind := range graphKinds {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", kind, workers), func(t *testing.T) {
				t.Parallel()
				eachGraphs(*graphs, func(_, first, count int) {
					modelPlay{folder: graphModel, kind: kind, first: first, count: count, how: runnel.WithWorkers(workers)}.play(t)
				})
			})
		}
		t.Run(kind+", schedules", func(t *testing.T) {
			t.Parallel()
			eachGraphs(*graphs, func(i, first, count int) {
				modelPlay{folder: graphModel, kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true}.play(t)
			})
		})
	}
}

// TestOneGraphUnderManySchedules plays with few graphs, often.
func TestOneGraphUnderManySchedules(t *testing.T) {
	for _, kind := range graphKinds[1:] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(max(6, *graphs/10)) {
				modelPlay{folder: graphModel, kind: kind, first: 3, count: 5, how: runnel.WithSeed(seed), virtual: true}.play(t)
			}
		})
	}
}

func TestGraphsHaveNoRaces(t *testing.T) {
	for _, kind := range graphKinds[1:] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			eachGraphs(max(20, *graphs/20), func(i, first, count int) {
				modelPlay{folder: graphModel, kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true, races: true}.play(t)
			})
		})
	}
}

// eachGraphs deals with n graphs, at most a hundred of them in one program.
func eachGraphs(n int, f func(i, first, count int)) {
	for i := 0; i*100 < n; i++ {
		f(i, i*100, min(100, n-i*100))
	}
}
