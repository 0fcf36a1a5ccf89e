package uuid

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestVersion7IsTheTimeAndGrows(t *testing.T) {
	var k clock
	random := uuid.UUID(bytes.Repeat([]byte{0xff}, 16))
	// The example of RFC 9562, A.6, but for its random bits.
	first := k.next(1645557742000*1_000_000, random)
	require.Equal(t, "017f22e2-79b0-7000-bfff-ffffffffffff", first.String())
	half := k.next(1645557742000*1_000_000+500_000, random)
	require.Equal(t, "017f22e2-79b0-7800-bfff-ffffffffffff", half.String())
	for _, ns := range []int64{1645557742000 * 1_000_000, 0, -1} { // the clock is set back
		next := k.next(ns, random)
		require.Greater(t, next.String(), half.String())
		require.Equal(t, uuid.Version(7), next.Version())
		half = next
	}
	require.Equal(t, "017f22e2-79b0-7803-bfff-ffffffffffff", half.String())
}
