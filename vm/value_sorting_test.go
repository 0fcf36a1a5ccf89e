package vm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many numbers are sorted in runs; what comes out is what one sort gives.
func TestSortNumbers(t *testing.T) {
	f, _ := newFixture(Limits{})
	c := &Call{t: f.t, w: f.w}
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, sortRun, sortRun + 1, 3*sortRun - 5, 5*sortRun + 77} {
		ints, floats := make([]int64, n), make([]float64, n)
		for i := range n {
			ints[i] = r.Int64N(int64(n)) - int64(n)/2
			floats[i] = []float64{float64(ints[i]), math.NaN(), math.Inf(-1), math.Copysign(0, -1), r.Float64()}[r.IntN(5)]
		}
		wantInts, wantFloats := slices.Sorted(slices.Values(ints)), slices.Sorted(slices.Values(floats))
		sortNumbers(c, ints)
		sortNumbers(c, floats)
		require.True(t, slices.Equal(wantInts, ints))
		for i := range floats { // NaN equals nothing
			require.True(t, floats[i] == wantFloats[i] || math.IsNaN(floats[i]) && math.IsNaN(wantFloats[i]))
		}
	}
}

// Pieces of a text are whole characters and make the text.
func TestPieces(t *testing.T) {
	f, _ := newFixture(Limits{})
	c := &Call{t: f.t, w: f.w}
	for _, unit := range []string{"a", "é", "€", "𝄞", "\xff", "a€"} {
		for _, size := range []int{0, 10, pieceSize - 1, pieceSize, pieceSize + 1, 3*pieceSize + 7} {
			text, got := "", ""
			for len(text) < size {
				text += unit + text
			}
			for piece := range c.Pieces(text) {
				require.LessOrEqual(t, len(piece), pieceSize)
				if unit != "\xff" && piece != "" {
					require.NotEqual(t, byte(0x80), piece[0]&0xc0)
				}
				got += piece
			}
			require.Equal(t, text, got)
		}
	}
}
