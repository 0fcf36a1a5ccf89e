package runnel_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

// Each number that a host gives is one that can be meant, or New says so.
func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	options := map[string]func(n int) runnel.Option{
		"Limits.Memory":    func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Memory: int64(n)}) },
		"Limits.Steps":     func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Steps: int64(n)}) },
		"Limits.CallSteps": func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{CallSteps: int64(n)}) },
		"Limits.Tasks":     func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Tasks: int64(n)}) },
		"Limits.Time":      func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Time: time.Duration(n)}) },
		"Limits.Stack":     func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Stack: n}) },
		"Limits.Blocking":  func(n int) runnel.Option { return runnel.WithLimits(runnel.Limits{Blocking: n}) },
		"WithWorkers":      runnel.WithWorkers,
	}
	const src = "fn fib(n: int) -> int { if n < 2 { return n }; fib(n - 1) + fib(n - 2) }\nprint(fib(10))"
	for name, option := range options {
		for _, n := range []int{math.MinInt, -1, 0, 1, 1 << 27, 1<<27 + 1, 1 << 31, 1 << 32, 1 << 60, 1 << 62, math.MaxInt} {
			t.Run(fmt.Sprint(name, "/", n), func(t *testing.T) {
				rt, err := runnel.New(option(n))
				if err != nil {
					assert.Regexp(t, `^runnel: `+name+` is -?\d+, (less than nothing|more than \d+)$`, err)
					return
				}
				prog, err := rt.Compile("a.rnl", src)
				require.NoError(t, err)
				in := prog.NewInstance()
				defer in.Close()
				if err := in.Run(t.Context()); n > 1 {
					assert.NoError(t, err)
				}
			})
		}
	}
}

func TestAReactorWithoutWorkersIsRefused(t *testing.T) {
	_, err := runnel.New(runnel.WithReactor(new(runnel.Reactor)))
	require.EqualError(t, err, "runnel: the Reactor of WithReactor was not made by NewReactor")
}

func TestAChannelHasNoRoomForLessThanNothing(t *testing.T) {
	in := start("pub let ch = chan<int>()")
	defer in.Close()
	_, err := runnel.NewChan[int](in, -1)
	require.ErrorContains(t, err, "a channel cannot have room for -1 values")
}
