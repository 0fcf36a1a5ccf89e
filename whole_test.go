package runnel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// TestAModuleThatIsWholeIsBoundedToo has functions of such a module go on without an end:
// they have a little more than the limit, and no more.
func TestAModuleThatIsWholeIsBoundedToo(t *testing.T) {
	m := vm.NewModule("core_like", `/// Goes on.

struct Link { let next: Link?, let text: str }
fn deep(n: int) -> int { deep(n + 1) + 1 }
/// Loops.
pub fn steps() { loop {} }
/// Calls itself.
pub fn stack() { deep(0) }
/// Takes memory.
pub fn memory() {
  var last: Link? = none
  loop { last = Link(last, "x".repeat(100)) }
}
/// Calls a function again and again.
pub fn visit(f: fn()) { loop { f() } }
`)
	m.Whole = true
	rt := runnel.MustNew(runnel.WithModules(m))
	defer rt.Close()
	p, err := rt.Compile("whole.rnl", `
import core_like
pub fn steps() { core_like.steps() }
pub fn stack() { core_like.stack() }
pub fn memory() { core_like.memory() }
pub fn visit() { core_like.visit(|| { for _ in 0..2 {} }) }
`)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		limits runnel.Limits
		text   string
	}{
		"steps":  {runnel.Limits{CallSteps: 1000}, "the limit of 1000 steps"},
		"stack":  {runnel.Limits{Stack: 1000}, "the stack is full"},
		"memory": {runnel.Limits{Memory: 1 << 20}, "the memory limit"},
		"visit":  {runnel.Limits{CallSteps: 1000}, "the limit of 1000 steps"},
	} {
		for _, l := range []runnel.Limits{c.limits, {Steps: 1000}, {Time: 20 * time.Millisecond}} {
			if name == "stack" || name == "memory" {
				l = c.limits
			}
			in := p.With(runnel.WithLimits(l)).NewInstance()
			begun := time.Now()
			_, err = in.Call(t.Context(), name)
			require.Regexp(t, "limit|stack is full", err, name)
			require.Less(t, time.Since(begun), time.Minute, name)
			if l == c.limits {
				require.ErrorContains(t, err, c.text, name)
			}
			in.Close()
		}
	}
}
