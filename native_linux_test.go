package runnel_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
)

// inBoth runs a script in the interpreter and as machine code, and gives what it prints.
func inBoth(t *testing.T, src string, opts ...runnel.Option) string {
	t.Helper()
	if !runnel.NativeSupported() {
		t.Skip("there is no machine code here")
	}
	var outs [2]string
	var compiled int64
	for i := range outs {
		var out bytes.Buffer
		all := append([]runnel.Option{runnel.WithHost(runnel.Host{Stdout: &out})}, opts...)
		if i == 1 {
			all = append(all, runnel.WithNative())
		}
		prog, err := runnel.MustNew(all...).Compile("a.rnl", src)
		require.NoError(t, err)
		in := prog.NewInstance()
		if err := in.Run(t.Context()); err != nil {
			fmt.Fprintln(&out, err)
		}
		outs[i], compiled = out.String(), in.Stats().Compiled
		in.Close()
	}
	assert.Equal(t, outs[0], outs[1])
	assert.Positive(t, compiled)
	return outs[1]
}

// The stack of machine code is smaller than those of scripts, and is dropped when it is full.
func TestMachineCodeRecursesAsDeepAsTheInterpreter(t *testing.T) {
	inBoth(t, `
fn deep(n: int) -> int { if n == 0 { 0 } else { 1 + deep(n - 1) } }
fn down(n: int) -> int {
  if n == 0 { return deep(100_000) }
  down(n - 1) + 1
}
var s = 0
for i in 0..30 { s += deep(150_000) + down(100_000) + deep(200_000) }
print(s)
fn endless(n: int) -> int { endless(n + 1) + 1 }
print(endless(0))
`)
}

const objects = `
struct Node { left: Node?, right: Node?, value: int }
fn build(n: int) -> Node { if n == 0 { Node(none, none, 1) } else { Node(build(n - 1), build(n - 1), n) } }
fn sum(n: Node?) -> int { if let m = n { m.value + sum(m.left) + sum(m.right) } else { 0 } }
fn churn(rounds: int) -> int {
  let kept = [build(8)]
  var total = 0
  for i in 0..rounds {
    kept[i % kept.len()] = build(6)
    if kept.len() < 20 { kept.push(build(5)) }
    let k = kept[(i * 7) % kept.len()]
    k.left = kept[0].right
    total += sum(k)
  }
  total
}
`

// While Go's collector marks, what machine code stores must not be lost.
func TestMachineCodeKeepsWhatItStores(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	inBoth(t, objects+fmt.Sprintf("print(churn(%d))\n", longtest.Of(3000, 100_000)))
}

// Signals of profiles and of Go's scheduler arrive in machine code.
func TestSignalsInMachineCode(t *testing.T) {
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Skip("there is a profile already")
	}
	defer pprof.StopCPUProfile()
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(100 * time.Microsecond):
				syscall.Kill(os.Getpid(), syscall.SIGURG)
			}
		}
	}()
	inBoth(t, objects+`
fn compute(n: int) -> float {
  var x = 0.0
  for i in 0..n { x = x * 0.5 + float(i % 7) }
  x
}
for i in 0..20 { print(compute(1_000_000), churn(200)) }
`)
}

func TestMachineCodeIsCancelledAndLimited(t *testing.T) {
	for _, limits := range []runnel.Limits{{Steps: 5_000_000}, {Memory: 1 << 20}, {Stack: 1000}} {
		out := inBoth(t, `
fn spin(n: int) -> int { var s = 0
  for i in 0..n { s += i % 3 }
  s }
fn deep(n: int) -> int { if n == 0 { spin(10) } else { deep(n - 1) + 1 } }
print(spin(3_000_000))
print(deep(5000))
let kept: [[int]] = []
for i in 0..3_000_000 { if i % 1000 == 0 { kept.push([i].repeat(100)) } else { spin(1) } }
`, runnel.WithLimits(limits))
		assert.Contains(t, out, "LimitError")
	}
}

// A host that does not use WithNative links none of it.
func TestMachineCodeIsLinkedForThoseThatAsk(t *testing.T) {
	if !longtest.Asked() {
		t.Skip("builds a program")
	}
	name := filepath.Join(t.TempDir(), "host")
	out, err := exec.Command("go", "build", "-o", name, "./examples/embed/actors").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("go", "tool", "nm", name).Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "runnel/vm.run\n")
	for line := range strings.Lines(string(out)) {
		assert.NotContains(t, line, "runnel/vm/native")
	}
}
