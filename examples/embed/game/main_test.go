package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func played(t *testing.T, seed uint64) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, seed))
	return out.String()
}

func TestRun(t *testing.T) {
	first := played(t, 7)
	for _, line := range []string{
		" 1.50s the gate opens\n",
		" 1.50s what is jump?\n",
		" 2.00s a wolf comes in\n", // half a second later, on the clock of the frames
		" 4.67s grey has caught lamb 3\n",
	} {
		assert.Contains(t, first, line)
	}
	assert.NotContains(t, first, "sheep lamb 3", "it is dead")
	assert.Equal(t, first, played(t, 7), "the same seed, the same game")
	assert.NotEqual(t, first, played(t, 8))
}
