package crypto

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
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

func TestDerivedKeysAreThoseOfTheStandard(t *testing.T) {
	for _, iterations := range []int{1, 2, 5000} {
		for _, length := range []int{1, 31, 32, 33, 64} {
			for _, password := range []string{"", "geheim", strings.Repeat("long", 50)} {
				want, err := pbkdf2.Key(sha256.New, password, []byte("salt"), iterations, length)
				require.NoError(t, err)
				got, err := derived(t.Context(), password, []byte("salt"), iterations, length)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		}
	}
}

// A key that nobody waits for any more is not derived to its end.
func TestAClosedInstanceDerivesNoKeys(t *testing.T) {
	before := runtime.NumGoroutine()
	rt := runnel.MustNew(runnel.WithModules(Module))
	prog, err := rt.Compile("keys.rnl", `import crypto
pub fn derive(n: int) { for i in 0..n { spawn { crypto.derive_key("x", b"saltsaltsalt", iterations: 10_000_000) } } }`)
	require.NoError(t, err)
	in, err := prog.Start(t.Context())
	require.NoError(t, err)
	_, err = in.Call(t.Context(), "derive", 250)
	require.NoError(t, err)
	time.Sleep(20 * time.Millisecond)
	in.Close()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, time.Millisecond) // all of them would take some minutes
}
