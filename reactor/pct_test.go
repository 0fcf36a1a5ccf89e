package reactor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Those that are known and wait cost the choices among others nothing.
func TestPCTIsNotSlowedDownByThoseThatWait(t *testing.T) {
	const n = 20_000
	c := PCT(1, 3, 100).(*pct)
	ready := make([]*Proc, 1)
	begun := time.Now()
	for range n {
		ready[0] = &Proc{}
		ready[0].InitProc(&Class{})
		c.ChooseProc(ready)
	}
	for range n {
		c.ChooseProc(ready)
	}
	require.Less(t, time.Since(begun), 2*time.Second)
}
