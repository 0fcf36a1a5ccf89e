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

var graphs = flag.Int("graphs", 200, "how many random graphs of cells are compared with the model, in each way")

// graphRun is a number of graphs that one program plays with.
type graphRun struct {
	kind         string
	first, count int
	how          runnel.Option
	virtual      bool // time
	races        bool // are looked for
}

// play gives what the program has printed: what is wrong.
func (r graphRun) play(t *testing.T) {
	t.Helper()
	const name = "tests/reactive/_model/main.rnl"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	clock := "real"
	if r.virtual {
		clock = "virtual"
	}
	var stdout capture
	out := vm.NewOutput(&stdout)
	host := all.Host([]string{r.kind, strconv.Itoa(r.first), strconv.Itoa(r.count), clock})
	host.Stdout, host.Stderr = out, out
	options := []runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithHost(host), r.how}
	if r.races {
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
		t.Errorf("%s, graphs %d to %d: %v\n%s", r.kind, r.first, r.first+r.count, err, stdout.String())
	}
	for _, race := range races {
		t.Errorf("%s, graphs %d to %d: %v", r.kind, r.first, r.first+r.count, race)
	}
}

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
					graphRun{kind: kind, first: first, count: count, how: runnel.WithWorkers(workers)}.play(t)
				})
			})
		}
		t.Run(kind+", schedules", func(t *testing.T) {
			t.Parallel()
			eachGraphs(*graphs, func(i, first, count int) {
				graphRun{kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true}.play(t)
			})
		})
	}
}

// TestOneGraphUnderManySchedules plays with few graphs, often.
func TestOneGraphUnderManySchedules(t *testing.T) {
	for _, kind := range graphKinds[1:] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(max(20, *graphs/50)) {
				graphRun{kind: kind, first: 3, count: 5, how: runnel.WithSeed(seed), virtual: true}.play(t)
			}
		})
	}
}

func TestGraphsHaveNoRaces(t *testing.T) {
	for _, kind := range graphKinds[1:] {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			eachGraphs(max(20, *graphs/20), func(i, first, count int) {
				graphRun{kind: kind, first: first, count: count, how: runnel.WithSeed(uint64(i)), virtual: true, races: true}.play(t)
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
