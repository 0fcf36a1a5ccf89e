package main

import (
	"regexp"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/stretchr/testify/assert"
)

// Machine code stands below its instruction and its source line, that of an inlined
// function too, and calls name what they call.
func TestDisNative(t *testing.T) {
	const script = `fn half(n: int) -> int { n / 2 }
fn down(n: int) -> int {
  if n == 0 { return 0 }
  down(half(n)) + 1
}
print(down(100))
`
	got := invoke(t, map[string]string{"a.rnl": script}, "", "dis", "--native", "a.rnl", "down")
	if !runnel.NativeSupported() {
		assert.Contains(t, got.stderr, "there is no machine code for this system")
		return
	}
	assert.Empty(t, got.stderr)
	assert.Regexp(t, `^\nfn down\(int\) -> int  // \d+ bytes of machine code\n`, got.stdout)
	assert.Regexp(t, regexp.MustCompile(`      // 1: fn half\(n: int\) -> int \{ n / 2 \}\n +\d+  DIV\w* [^\n]*\n +[0-9a-f]{4}  `), got.stdout)
	assert.Regexp(t, `[0-9a-f]{4}  call down #\d+\n`, got.stdout)
	assert.NotContains(t, got.stdout, "db 0x")
	assert.NotContains(t, got.stdout, "fn half(int)")
}
