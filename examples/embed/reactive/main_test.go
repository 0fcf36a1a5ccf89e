package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	require.Equal(t, `hold
sell
hold
ADA at 28.00: 280.00
BEL at 60.00: 240.00
COP at 7.00: 175.00
`, out.String())
}

// What is worth more than the goal is sold, wherever the goal is.
func TestTheGoalIsACellToo(t *testing.T) {
	inst, err := start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	require.NoError(t, trade(t.Context(), inst, days[0]))
	goal, err := runnel.Get[*reactive.Cell[float64]](inst, "goal")
	require.NoError(t, err)
	advice, err := runnel.Get[*reactive.Value[string]](inst, "advice")
	require.NoError(t, err)
	for _, row := range []struct {
		goal float64
		want string
	}{{1000, "hold"}, {600, "sell"}, {617, "hold"}} { // the shares are worth 616
		require.NoError(t, goal.Set(t.Context(), row.goal))
		text, err := advice.Get(t.Context())
		require.NoError(t, err)
		require.Equal(t, row.want, text)
	}
	require.ErrorContains(t, trade(t.Context(), inst, map[string][]float64{"DIN": {1}}), "nobody owns DIN")
}
