package runnel_test

import (
	"bytes"
	"context"
	"embed"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var (
	actorPrograms = flag.Int("actor-programs", 300, "how many random programs of actors are run in each way, a tenth of them with -short")
	actorSeed     = flag.Uint64("actor-seed", 0, "the first of them")
)

//go:embed testdata/actors_*.rnl
var actorsModel embed.FS

// actorsSource gives the model with the shortest time that its actors sleep.
func actorsSource(t *testing.T, tick string) string {
	var src strings.Builder
	for _, part := range []string{"model", "steps", "rules"} {
		text, err := actorsModel.ReadFile("testdata/actors_" + part + ".rnl")
		require.NoError(t, err)
		src.Write(text)
	}
	return strings.Replace(src.String(), "tick = 1ms", "tick = "+tick, 1)
}

// Random programs of actors, which tell, ask, kill, stop, watch, link, start and
// supervise each other at random: what must be true of each is true.
func TestRandomPrograms(t *testing.T) {
	var chooser reactor.Chooser
	exploring := runnel.WithChooser(func() reactor.Chooser { return chooser })
	for name, way := range map[string]struct {
		tick    string
		share   int // of the programs, one of so many
		chooser func(seed uint64) reactor.Chooser
		opts    []runnel.Option
	}{
		"random choices":    {"1ms", 1, reactor.Seeded, []runnel.Option{exploring}},
		"random priorities": {"1ms", 1, func(seed uint64) reactor.Chooser { return reactor.PCT(seed, 4, 200) }, []runnel.Option{exploring}},
		"looking for races": {"1ms", 4, reactor.Seeded, []runnel.Option{exploring, runnel.WithRace()}},
		"one worker":        {"50us", 4, nil, []runnel.Option{runnel.WithWorkers(1)}},
		"four workers":      {"50us", 4, nil, []runnel.Option{runnel.WithWorkers(4)}},
	} {
		t.Run(name, func(t *testing.T) {
			play := actorPlayer(t, actorsSource(t, way.tick), way.opts...)
			programs := *actorPrograms / way.share
			if testing.Short() {
				programs /= 10
			}
			for seed := *actorSeed; seed < *actorSeed+uint64(programs); seed++ {
				if way.chooser != nil {
					chooser = way.chooser(seed)
				}
				play(seed)
			}
		})
	}
}

// actorPlayer gives what runs the program of a seed in an instance of its own.
func actorPlayer(t *testing.T, src string, opts ...runnel.Option) func(seed uint64) {
	var out bytes.Buffer
	host := all.Host(nil)
	host.Stdout = &locked{w: &out}
	opts = append(opts, runnel.WithModules(all.Modules()...), runnel.WithHost(host))
	prog, err := runnel.MustNew(opts...).Compile("actors_model.rnl", src)
	require.NoError(t, err)
	return func(seed uint64) {
		t.Helper()
		out.Reset()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(ctx))
		tasks := in.Usage().Tasks
		report, err := in.Call(ctx, "play", seed)
		require.NoError(t, err, "seed %d\n%s", seed, &out)
		problems, bad, _ := strings.Cut(report.(string), "\n---\n")
		if problems != "" {
			t.Errorf("seed %d: %s\n%s", seed, problems, &out)
		}
		var heard []string
		for _, err := range in.Unhandled() {
			heard = append(heard, err.Message)
		}
		want := strings.FieldsFunc(bad, func(r rune) bool { return r == '\n' })
		slices.Sort(heard)
		slices.Sort(want)
		if !slices.Equal(want, heard) {
			t.Errorf("seed %d: the host has heard of %q, not of %q", seed, heard, want)
		}
		if len(in.Races()) > 0 {
			t.Errorf("seed %d: %v", seed, in.Races()[0])
		}
		if !becomes(func() bool { return in.Usage().Tasks <= tasks }) { // who is joined may still be about to go
			t.Errorf("seed %d: %d tasks are left", seed, in.Usage().Tasks-tasks)
		}
		if len(in.Leaked()) > 0 {
			t.Errorf("seed %d: leaked %v", seed, in.Leaked())
		}
	}
}

// Such programs may meet a limit or the end of their host's call at any moment:
// they end soon, and nothing is left.
func TestRandomProgramsAreCutShort(t *testing.T) {
	goroutines := goroutinesNow()
	src := actorsSource(t, "50us")
	programs := *actorPrograms / 20
	if testing.Short() {
		programs /= 10
	}
	for seed := *actorSeed; seed < *actorSeed+uint64(programs); seed++ {
		for name, limits := range map[string]runnel.Limits{
			"steps":   {Steps: int64(500 + seed*997%40_000)},
			"memory":  {Memory: int64(100_000 + seed*9973%1_000_000)},
			"tasks":   {Tasks: int64(2 + seed%40)},
			"stack":   {Stack: int(300 + seed*7%2000)},
			"nothing": {},
		} {
			cutShort(t, src, seed, name, limits)
		}
	}
	require.Zero(t, settled(goroutines), "goroutines are left")
}

func cutShort(t *testing.T, src string, seed uint64, name string, limits runnel.Limits) {
	t.Helper()
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(all.Host(nil)), runnel.WithWorkers(1+int(seed%4)), runnel.WithLimits(limits))
	defer rt.Close()
	prog, err := rt.Compile("actors_model.rnl", src)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	if in.Run(t.Context()) != nil {
		return // the limit does for the modules alone
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(seed*317%30_000)*time.Microsecond)
	defer cancel()
	if name != "nothing" {
		ctx, cancel = context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
	}
	begun := time.Now()
	_, err = in.Call(ctx, "play", seed)
	in.Close()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("seed %d, %s: it ended after %v: %v", seed, name, took, err)
	}
}
