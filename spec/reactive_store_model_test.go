package spec

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

var storePlays = flag.Int("stores", 50, "how many random plays with stores and their schedulers are compared with the model, in each way")

// storePlay is a number of plays in one program.
type storePlay struct {
	kind         string
	first, count int
	how          runnel.Option
	virtual      bool // time
	races        bool // are looked for
}

// run fails where the program has printed what is wrong.
func (p storePlay) run(t *testing.T) {
	t.Helper()
	const name = "tests/reactive_store/_model/main.rnl"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	clock := "real"
	if p.virtual {
		clock = "virtual"
	}
	var stdout capture
	out := vm.NewOutput(&stdout)
	host := all.Host([]string{p.kind, strconv.Itoa(p.first), strconv.Itoa(p.count), clock})
	host.Stdout, host.Stderr = out, out
	options := []runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithHost(host), p.how}
	if p.races {
		options = append(options, runnel.WithRace())
	}
	prog, err := runnel.MustNew(options...).Compile(name, string(src))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	in := prog.NewInstance()
	err = in.Run(ctx)
	races := in.Races()
	in.Close()
	out.Flush()
	if err != nil || stdout.String() != "" {
		t.Errorf("%s, plays %d to %d: %v\n%s", p.kind, p.first, p.first+p.count, err, stdout.String())
	}
	for _, race := range races {
		t.Errorf("%s, plays %d to %d: %v", p.kind, p.first, p.first+p.count, race)
	}
}

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
					storePlay{kind: kind, first: first, count: count, how: runnel.WithWorkers(workers)}.run(t)
				})
			})
		}
		t.Run(kind+", schedules", func(t *testing.T) {
			t.Parallel()
			eachGraphs(2**storePlays, func(i, first, count int) {
				storePlay{kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true}.run(t)
			})
		})
	}
}

// TestOneStoreUnderManySchedules makes few plays, often.
func TestOneStoreUnderManySchedules(t *testing.T) {
	for _, kind := range storeKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(max(10, *storePlays/10)) {
				storePlay{kind: kind, first: 3, count: 5, how: runnel.WithSeed(seed), virtual: true}.run(t)
			}
		})
	}
}

func TestStoresHaveNoRaces(t *testing.T) {
	for _, kind := range storeKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			eachGraphs(max(10, *storePlays/10), func(i, first, count int) {
				storePlay{kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true, races: true}.run(t)
			})
		})
	}
}
