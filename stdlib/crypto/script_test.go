package crypto_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/base64"
	"github.com/runnel-lang/runnel/stdlib/crypto"
	"github.com/runnel-lang/runnel/stdlib/hex"
	"github.com/runnel-lang/runnel/stdlib/uuid"
)

func run(t *testing.T, src string, limits runnel.Limits, grants ...any) (string, error) {
	t.Helper()
	host := runnel.Host{Grants: grants, Now: func() time.Time { return time.UnixMilli(1) }}
	o := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{base64.Module, crypto.Module, hex.Module, uuid.Module}, Host: host, Limits: limits}.Run(t, src)
	return strings.TrimSpace(o.Printed), o.Err
}

const draws = `
import crypto
import uuid
print(crypto.token(), crypto.new_key(), crypto.seal(b"k".repeat(32), "x"), crypto.new_signing_key().public, uuid.v4(), uuid.v7())`

func TestRandomBytesAreTheHosts(t *testing.T) {
	for _, draw := range []string{"crypto.random_bytes(1)", "crypto.token()", `crypto.hash_password("x")`, `crypto.seal(b"k".repeat(32), "x")`, "uuid.v4()", "uuid.v7()"} {
		_, err := run(t, "import crypto; import uuid; print("+draw+")", runnel.Limits{})
		require.ErrorContains(t, err, "does not grant", draw)
	}
	once, err := run(t, draws, runnel.Limits{}, crypto.SeededRandom(1))
	require.NoError(t, err)
	again, err := run(t, draws, runnel.Limits{}, crypto.SeededRandom(1))
	require.NoError(t, err)
	require.Equal(t, once, again)
	system, err := run(t, draws, runnel.Limits{}, crypto.SystemRandom{})
	require.NoError(t, err)
	require.NotEqual(t, once, system)
}

func TestWhatIsAskedForIsPaidFor(t *testing.T) {
	for _, src := range []string{
		"crypto.random_bytes(1 << 40)", "crypto.token(1 << 40)", "crypto.random_bytes(9223372036854775807)", "crypto.token(9223372036854775807)",
		`base64.encode(b"x".repeat(8_000_000))`, `base64.decode("AAAA".repeat(2_500_000))`,
		`hex.encode(b"x".repeat(8_000_000))`, `hex.decode("00".repeat(5_000_000))`, `hex.dump(b"x".repeat(2_000_000))`,
		`crypto.seal(b"k".repeat(32), b"x".repeat(8_000_000))`,
	} {
		_, err := run(t, "import base64; import crypto; import hex; let x = "+src, runnel.Limits{Memory: 12 << 20}, crypto.SystemRandom{})
		require.ErrorContains(t, err, "memory limit", src)
	}
	for _, src := range []string{`crypto.derive_key("x", b"y")`, `crypto.hash_password("x")`, `crypto.hmac(b"", "x".repeat(1_000_000))`} {
		_, err := run(t, "import crypto; let x = "+src, runnel.Limits{Steps: 50_000}, crypto.SystemRandom{})
		require.ErrorContains(t, err, "step", src)
	}
}

// Stretching keys does not keep other tasks from running, nor who has enough of it.
func TestStretchingIsLeftToThePool(t *testing.T) {
	begun := linear.Used()
	got, err := run(t, `
import crypto
let slow = spawn { crypto.derive_key("x", b"y", iterations: 10_000_000) }
yield_now()
print("meanwhile", slow.done())
print(try { timeout(10ms, || crypto.derive_key("x", b"y", iterations: 10_000_000)); "" } catch e: Timeout { "late" })
slow.cancel()
`, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "meanwhile false\nlate", got)
	require.Less(t, linear.Used()-begun, 2*time.Second)
}
