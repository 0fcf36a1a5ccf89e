package spec

import (
	"flag"
	"fmt"
	"testing"

	"github.com/runnel-lang/runnel"
)

var storePlays = flag.Int("stores", 20, "how many random plays with stores and their schedulers are compared with the model, in each way")

const storeModel = "tests/reactive_store/_model"

// storeKinds are the kinds of play: transactions of several tasks, also cancelled ones;
// a scheduler with one change at a time; one with many, also cancelled ones.
var storeKinds = []string{"store", "store cancelled", "calm", "wild", "wild cancelled"}

// TestStoresAgreeWithTheModel plays at random with stores and schedulers, and compares
// what they give with what a naive model says.
func TestStoresAgreeWithTheModel(t *testing.T) {
	for _, kind := range storeKinds {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", kind, workers), func(t *testing.T) {
				t.Parallel()
				eachGraphs(*storePlays, func(_, first, count int) {
					modelPlay{folder: storeModel, kind: kind, first: first, count: count, how: runnel.WithWorkers(workers)}.play(t)
				})
			})
		}
		t.Run(kind+", schedules", func(t *testing.T) {
			t.Parallel()
			eachGraphs(2**storePlays, func(i, first, count int) {
				modelPlay{folder: storeModel, kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true}.play(t)
			})
		})
	}
}

// TestOneStoreUnderManySchedules makes few plays, often.
func TestOneStoreUnderManySchedules(t *testing.T) {
	for _, kind := range storeKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(max(4, *storePlays/5)) {
				modelPlay{folder: storeModel, kind: kind, first: 3, count: 5, how: runnel.WithSeed(seed), virtual: true}.play(t)
			}
		})
	}
}

func TestStoresHaveNoRaces(t *testing.T) {
	for _, kind := range storeKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			eachGraphs(max(10, *storePlays/10), func(i, first, count int) {
				modelPlay{folder: storeModel, kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true, races: true}.play(t)
			})
		})
	}
}
