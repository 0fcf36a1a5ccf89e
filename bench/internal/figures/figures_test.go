package figures

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatistics(t *testing.T) {
	assert.Equal(t, 2.0, Median([]float64{3, 1, 2}))
	assert.Equal(t, 2.5, Median([]float64{4, 1, 2, 3}))
	assert.True(t, math.IsNaN(Median(nil)))
	assert.InDelta(t, 4, GeometricMean([]float64{2, 8}), 1e-9)
	// The slow round is slow for both, so it does not change the ratio.
	assert.Equal(t, 2.0, Ratio([]float64{2, 20, 2}, []float64{1, 10, 1}))
	assert.Equal(t, []float64{1, 2, 5}, Least([]float64{3, 2}, []float64{1, 4, 5}))
	assert.Equal(t, 0.5, Spread([]float64{5, 3, 4}))
	assert.Zero(t, Spread(nil))
	assert.Zero(t, Spread([]float64{0, 0}), "bytes, of which there are none")
}

func TestNumbersHaveThreeDigitsOrSo(t *testing.T) {
	for v, want := range map[float64]string{1234.5: "1234", 12.34: "12.3", 1.234: "1.23", 0.1234: "0.12", 0.01234: "0.012"} {
		assert.Equal(t, want, Number(v))
	}
	assert.Equal(t, "–", Number(math.NaN()))
}

func TestResultsAreReadAsTheyWereWritten(t *testing.T) {
	r := Results{{Row: "a", Column: "x", Values: []float64{1, 2}}, {Row: "b", Column: "x", Note: "another way"}}
	var out bytes.Buffer
	require.NoError(t, r.Write(&out))
	read, err := Read(out.Bytes())
	require.NoError(t, err)
	assert.Equal(t, r, read)
	assert.Equal(t, []float64{1, 2}, read.Values("a", "x"))
	assert.Empty(t, read.Values("a", "y"))
	assert.True(t, read.Has("a"))
	assert.False(t, read.Has("b"), "it has no value")
}
