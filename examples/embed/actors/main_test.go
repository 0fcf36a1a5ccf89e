package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	for _, line := range []string{
		"[kitchen: 16.0 attic: 16.0]\n",
		"[kitchen: 17.0 attic: 17.0]\n", // twenty minutes later
		"[kitchen: 18.0 attic: 17.0]\n", // the attic is as warm as it should be
		"kitchen has ended: ",
		"this is no oven\n",
	} {
		assert.Contains(t, out.String(), line)
	}
}
