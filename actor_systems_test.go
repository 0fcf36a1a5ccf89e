package runnel_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// The cases of the deterministic systems of module actor are run with several workers
// and under many schedules.

func TestActorSystemsUnderManySchedules(t *testing.T) {
	eachCase(t, "actor_system", func(t *testing.T, c systemCase, src string) { c.explore(t, src) })
}

// burst queues n actions at once, which the same actor then handles.
const burst = `
import actor
struct Root { let n: int, handled: int = 0
  fn handle(msg: int, ctx: actor.SystemContext<int>) -> [actor.Action<int>]? {
    if msg < 0 { return (0..self.n).map(|i| actor.Action.Send(ctx.me(), i)) }
    assert(msg == self.handled)
    self.handled += 1
    if self.handled == self.n { [Send(ctx.output(), msg)] } else { none }
  }
}
pub fn run(n: int) -> int {
  let s = actor.system<int>(actor.sync_type("Root", |_, _| Root(n)))
  s.dispatch(-1)
  s.outputs().next()!
}
`

// origin: RK flaw 6
func TestABurstIsLinear(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("burst.rnl", burst)
	require.NoError(t, err)
	steps := func(n int) int64 {
		inst, err := prog.Start(t.Context())
		require.NoError(t, err)
		defer inst.Close()
		run, err := runnel.Bind1[int, int](inst, "run")
		require.NoError(t, err)
		last, err := run(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, n-1, last)
		return inst.Usage().Steps
	}
	few, many := steps(20_000), steps(200_000)
	require.Less(t, many, 11*few, "ten times the actions took %d steps, %d before", many, few)
}

// TestAMessageOfASystemTakesLessThan400ns queues a million and handles them on one worker.
func TestAMessageOfASystemTakesLessThan400ns(t *testing.T) {
	if !*timing {
		t.Skip("needs -timing, and a machine that does nothing else")
	}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(1)).Compile("burst.rnl", burst)
	require.NoError(t, err)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	run, err := runnel.Bind1[int, int](inst, "run")
	require.NoError(t, err)
	for _, n := range []int{100_000, 1_000_000} {
		start := time.Now()
		_, err := run(t.Context(), n)
		require.NoError(t, err)
		require.Less(t, time.Since(start)/time.Duration(n), 400*time.Nanosecond, "%d messages", n)
	}
}

// eachCase runs the cases of a folder of spec/tests with one worker and with four, and
// then does more with each.
func eachCase(t *testing.T, folder string, more func(t *testing.T, c systemCase, src string)) {
	paths, err := filepath.Glob("spec/tests/" + folder + "/*.rnl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			src := string(text)
			c := systemExpected(src)
			for _, workers := range []int{1, 4} {
				c.runs(t, src, runnel.WithWorkers(workers), 1, func(int) {})
			}
			more(t, c, src)
		})
	}
}

var (
	caseLine     = regexp.MustCompile(`(?m)// expect: (.*)$`)
	caseError    = regexp.MustCompile(`(?m)// expect error: (.*)$`)
	caseMistakes = regexp.MustCompile(`(?m)// expect diagnostic (\S+)`)
)

// A systemCase is what a program prints, and how it ends otherwise.
type systemCase struct {
	printed, fails, mistake string
	unhandled               int // failures that its host is told of
}

func systemExpected(src string) (e systemCase) {
	for _, m := range caseLine.FindAllStringSubmatch(src, -1) {
		e.printed += m[1] + "\n"
	}
	e.unhandled = len(unheardOf.FindAllString(src, -1))
	if m := caseError.FindStringSubmatch(src); m != nil {
		e.fails = m[1]
	}
	if m := caseMistakes.FindStringSubmatch(src); m != nil {
		e.mistake = m[1]
	}
	return e
}

func (c systemCase) explore(t *testing.T, src string) {
	var chooser reactor.Chooser
	c.runs(t, src, runnel.WithChooser(func() reactor.Chooser { return chooser }), schedules(), func(i int) {
		seed := uint64(i / 2)
		if i%2 == 0 {
			chooser = reactor.Seeded(seed)
		} else {
			chooser = reactor.PCT(seed, 4, 40)
		}
	})
}

// runs runs a program n times, after a preparation of each.
func (c systemCase) runs(t *testing.T, src string, how runnel.Option, n int, prepare func(i int)) {
	t.Helper()
	var text strings.Builder
	out := host.NewOutput(&text)
	host := all.Host(nil)
	host.Stdout, host.Stderr = out, out
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), how).Compile("case.rnl", src)
	if c.mistake != "" {
		require.ErrorContains(t, err, c.mistake)
		return
	}
	require.NoError(t, err)
	for i := range n {
		prepare(i)
		text.Reset()
		in := prog.NewInstance()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := in.Run(ctx)
		cancel()
		out.Flush()
		require.Equal(t, c.printed, text.String(), "run %d", i)
		require.Len(t, in.Unhandled(), c.unhandled, "run %d: %v", i, in.Unhandled())
		if c.fails != "" {
			require.ErrorContains(t, err, c.fails)
		} else {
			require.NoError(t, err, "run %d", i)
		}
		in.Close()
	}
}
