package rand

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitMixGivesThePublishedNumbers(t *testing.T) {
	state := uint64(1234567)
	for _, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		require.Equal(t, want, splitMix(&state))
	}
}

func TestXoshiroGivesThePublishedNumbers(t *testing.T) {
	x := xoshiro{1, 2, 3, 4}
	for _, want := range []uint64{
		11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
		16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
	} {
		require.Equal(t, want, x.next())
	}
}

func TestBelowIsUniform(t *testing.T) {
	x := seeded(7)
	const n, draws = 6, 60000
	var counts [n]int
	for range draws {
		counts[x.below(n)]++
	}
	chi := 0.0
	for _, c := range counts {
		d := float64(c) - draws/n
		chi += d * d / (draws / n)
	}
	require.Less(t, chi, 20.5, "chi-squared of 5 degrees at 0.1 %%: %v", counts)
}

func TestBelowStaysBelow(t *testing.T) {
	x := seeded(1)
	for _, n := range []uint64{1, 2, 3, 1 << 63, 1<<63 + 1, math.MaxUint64} {
		for range 1000 {
			require.Less(t, x.below(n), n)
		}
	}
}

func TestFloatsLieInTheUnitInterval(t *testing.T) {
	x := seeded(1)
	sum := 0.0
	for range 10000 {
		f := x.float()
		require.True(t, f >= 0 && f < 1)
		sum += f
	}
	require.InDelta(t, 0.5, sum/10000, 0.02)
}

func TestNormalHasMeanZeroAndDeviationOne(t *testing.T) {
	r := &rng{x: seeded(3)}
	var sum, squares float64
	const n = 20000
	for range n {
		z := r.normal()
		sum += z
		squares += z * z
	}
	require.InDelta(t, 0, sum/n, 0.03)
	require.InDelta(t, 1, squares/n, 0.05)
}
