package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The programs that peers/actors runs give their size as the result.
func TestActorWorkloads(t *testing.T) {
	for _, name := range []string{"tell", "ask", "pairs", "fan"} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, "8000", runConc(t, name, "8000")) })
	}
}
