package crypto

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASeedGivesTheSameBytesAgain(t *testing.T) {
	draw := func(seed uint64) []byte {
		p := make([]byte, 40)
		r := SeededRandom(seed)
		r.FillRandom(p[:7])
		r.FillRandom(p[7:])
		return p
	}
	require.Equal(t, draw(1), draw(1))
	require.NotEqual(t, draw(1), draw(2))
}

func FuzzStoredPasswords(f *testing.F) {
	f.Add("$pbkdf2-sha256$600000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$pbkdf2-sha256$-1$$")
	f.Fuzz(func(t *testing.T, text string) {
		_, iterations, key, ok := parseStored(text)
		if ok {
			require.Len(t, key, keySize)
			require.LessOrEqual(t, iterations, int64(maxIterations))
			require.Positive(t, iterations)
		}
	})
}
