package runnel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestASessionTellsWhatACallTakes(t *testing.T) {
	ctx := context.Background()
	s, err := runnel.MustNew().NewSession()
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Eval(ctx, "entry 1", "fn add(n: int, by: int = 1) -> int { n + by }\nlet xs = [1]")
	require.NoError(t, err)
	for _, c := range []struct {
		text, label string
		active      int
	}{
		{"add(", "add(n: int, by: int = ...) -> int", 0},
		{"let y = add(1, ", "add(n: int, by: int = ...) -> int", 1},
		{"print(add(", "add(n: int, by: int = ...) -> int", 0},
		{"xs.push(", "push(x: int)", 0},
	} {
		sig, ok := s.Signature(ctx, c.text, len(c.text))
		require.True(t, ok, c.text)
		assert.Equal(t, c.label, sig.Label, c.text)
		assert.Equal(t, c.active, sig.Active, c.text)
	}
	_, ok := s.Signature(ctx, "1 + 2", 5)
	assert.False(t, ok)
	_, ok = s.Signature(ctx, "add(1)", 6)
	assert.False(t, ok)

	over, cancel := context.WithCancel(ctx)
	cancel()
	assert.Empty(t, s.CompleteContext(over, "xs.", 3))
	assert.NotEmpty(t, s.CompleteContext(ctx, "xs.", 3))
	_, ok = s.Signature(over, "add(", 4)
	assert.False(t, ok)
}
