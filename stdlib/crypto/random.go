package crypto

import (
	"crypto/rand"
	"encoding/binary"
	insecure "math/rand/v2"
	"slices"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

// Random is the capability to draw random bytes that nobody can foresee. Tasks
// draw in parallel.
type Random interface {
	FillRandom(p []byte)
}

// SystemRandom is the random source of the system.
type SystemRandom struct{}

// FillRandom fills p with random bytes.
func (SystemRandom) FillRandom(p []byte) { rand.Read(p) }

// SeededRandom returns bytes that can be repeated, for tests and for runs with a
// seed. Each run needs one of its own.
func SeededRandom(seed uint64) Random {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return &seeded{src: insecure.NewChaCha8(key)}
}

type seeded struct {
	mu  sync.Mutex
	src *insecure.ChaCha8
}

func (s *seeded) FillRandom(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.src.Read(p)
}

// fill fills p with random bytes from the source that the host grants.
func fill(c *vm.Call, p []byte) {
	c.Steps(1 + len(p)/16)
	random := vm.Granted[Random](c, "random numbers for secrets")
	for piece := range slices.Chunk(p, 1<<20) {
		c.Foreign(func() { random.FillRandom(piece) })
		c.Heed()
	}
}
