package actor_test

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
	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/reactor"
)

var (
	actorPrograms = flag.Int("actor-programs", 300, "how many random programs of actors are run in each way, a tenth of them with -short")
	actorSeed     = flag.Uint64("actor-seed", 0, "the first of them")
)

//go:embed testdata/*.rnl
var actorsModel embed.FS

// actorsSource returns the model with the shortest time that its actors sleep.
func actorsSource(t *testing.T, tick string) string {
	var src strings.Builder
	for _, part := range []string{"model", "steps", "rules"} {
		text, err := actorsModel.ReadFile("testdata/" + part + ".rnl")
		require.NoError(t, err)
		src.Write(text)
	}
	return strings.Replace(src.String(), "tick = 1ms", "tick = "+tick, 1)
}

// Random programs of actors, which tell, ask, kill, stop, watch, link, start and
// supervise each other at random: what must be true of each is true.
func TestRandomPrograms(t *testing.T) {
	for name, way := range map[string]struct {
		tick    string
		share   int // of the programs, one of so many
		chooser func(seed uint64) reactor.Chooser
		opts    []runnel.Option
	}{
		"random choices":    {"1ms", 1, reactor.Seeded, nil},
		"random priorities": {"1ms", 1, func(seed uint64) reactor.Chooser { return reactor.PCT(seed, 4, 200) }, nil},
		"looking for races": {"1ms", 4, reactor.Seeded, []runnel.Option{runnel.WithRace()}},
		"one worker":        {"50us", 4, nil, []runnel.Option{runnel.WithWorkers(1)}},
		"four workers":      {"50us", 4, nil, []runnel.Option{runnel.WithWorkers(4)}},
	} {
		t.Run(name, func(t *testing.T) {
			play := actorPlayer(t, actorsSource(t, way.tick))
			programs := *actorPrograms / way.share
			if testing.Short() {
				programs /= 10
			}
			for seed := *actorSeed; seed < *actorSeed+uint64(programs); seed++ {
				opts := way.opts
				if way.chooser != nil {
					opts = append(opts, runnel.WithChooser(func() reactor.Chooser { return way.chooser(seed) }))
				}
				play(seed, opts...)
			}
		})
	}
}

// actorPlayer returns what runs the program of a seed in an instance of its own.
func actorPlayer(t *testing.T, src string) func(seed uint64, opts ...runnel.Option) {
	script := cases.Script()
	prog := script.Compile(t, src)
	return func(seed uint64, opts ...runnel.Option) {
		t.Helper()
		var out bytes.Buffer
		host := script.Host
		host.Stdout = runnel.Output(&out)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		in := prog.With(append(opts, runnel.WithHost(host))...).NewInstance()
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
		for end := time.Now().Add(time.Minute); in.Usage().Tasks > tasks; time.Sleep(5 * time.Millisecond) { // who is joined may still be about to go
			if time.Now().After(end) {
				t.Fatalf("seed %d: %d tasks are left", seed, in.Usage().Tasks-tasks)
			}
		}
		if len(in.Leaked()) > 0 {
			t.Errorf("seed %d: leaked %v", seed, in.Leaked())
		}
	}
}

// Such programs may meet a limit or the end of their host's call at any moment:
// they end soon, and nothing is left.
func TestRandomProgramsAreCutShort(t *testing.T) {
	leaktest.Check(t)
	prog := cases.Script().Compile(t, actorsSource(t, "50us"))
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
			cutShort(t, prog.With(runnel.WithWorkers(1+int(seed%4)), runnel.WithLimits(limits)), seed, name)
		}
	}
}

func cutShort(t *testing.T, prog *runnel.Program, seed uint64, name string) {
	t.Helper()
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
	_, err := in.Call(ctx, "play", seed)
	in.Close()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("seed %d, %s: it ended after %v: %v", seed, name, took, err)
	}
}
