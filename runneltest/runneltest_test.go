package runneltest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
)

// A recorder is a test that keeps how it failed.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}
func (r *recorder) Fatal(args ...any) {
	r.failure = fmt.Sprint(args...)
	runtime.Goexit()
}
func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// failure returns how a test fails, or "".
func failure(t *testing.T, test func(t testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r.failure
}

func TestWhatIsExpectedIsFound(t *testing.T) {
	script.Compile(t, sum).Prints(t, "10\n")
	script.Compile(t, sum).Explore(t, 20, "10\n")
	script.Compile(t, "loop {}").Fails(t, "steps")
	script.Refuses(t, "print(totl)\nlet x: int = true", "E0201", "E0301")
	require.Equal(t, "x\n", script.Run(t, `print("x")`).Printed)
	script.Meets(t, "print(totl) // expect diagnostic E0201 at 1:7", 5)
	script.Meets(t, `
print("now")                      // expect: now
spawn { throw error("lost") }     // unhandled: lost
yield_now()
throw error("at the end")         // expect error: at the end
`, 10)
}

func TestWhatIsNotExpectedFailsATest(t *testing.T) {
	const racing = `
struct C { n: int = 0 }
let c = C()
scope { for _ in 0..2 { spawn { c.n += 1 } } }
print(c.n)
`
	const order = `
let c = chan<int>(2)
scope { for i in 0..2 { spawn { c.send(i) } } }
print(c.recv()!)
`
	for name, c := range map[string]struct {
		test func(t testing.TB)
		want string
	}{
		"another text":              {func(t testing.TB) { script.Compile(t, "print(1)").Prints(t, "2\n") }, "expected:\n2\n"},
		"an error":                  {func(t testing.TB) { script.Compile(t, `throw error("oh")`).Prints(t, "") }, "oh"},
		"an error nobody awaits":    {func(t testing.TB) { script.Compile(t, `spawn { throw error("oh") }; sleep(1ms)`).Prints(t, "") }, "unhandled: "},
		"no error":                  {func(t testing.TB) { script.Compile(t, "print(1)").Fails(t, "oh") }, `an error with "oh"`},
		"another error":             {func(t testing.TB) { script.Compile(t, `throw error("ah")`).Fails(t, "oh") }, "ah"},
		"a mistake":                 {func(t testing.TB) { script.Compile(t, "print(x)") }, "E0201"},
		"no mistake":                {func(t testing.TB) { script.Refuses(t, "print(1)", "E0201") }, "compiled"},
		"another mistake":           {func(t testing.TB) { script.Refuses(t, "print(x)", "E0301") }, "E0201"},
		"a race":                    {func(t testing.TB) { script.Compile(t, racing).Explore(t, 2, "2\n") }, "looking for races"},
		"an order":                  {func(t testing.TB) { script.Compile(t, order).Explore(t, 50, "0\n") }, "random"},
		"a failure at the start":    {func(t testing.TB) { script.Start(t, `throw error("oh")`) }, "oh"},
		"options that do not fit":   {func(t testing.TB) { invalid.Compile(t, "") }, "runnel: "},
		"another line in a comment": {func(t testing.TB) { script.Meets(t, "print(1) // expect: 2", 0) }, "as it is"},
		"an error in no comment":    {func(t testing.TB) { script.Meets(t, `throw error("oh")`, 0) }, "oh"},
	} {
		t.Run(name, func(t *testing.T) { require.Contains(t, failure(t, c.test), c.want) })
	}
}

var invalid = runneltest.Runner{Options: []runnel.Option{runnel.WithWorkers(-1)}}

func TestTheHostGetsACopyOfTheOutput(t *testing.T) {
	var copied strings.Builder
	r := runneltest.Runner{Host: runnel.Host{Stdout: &copied}}
	r.Compile(t, "print(1); print(2)").Prints(t, "1\n2\n")
	require.Equal(t, "1\n2\n", copied.String())
}

func TestSchedulesAreReplayed(t *testing.T) {
	p := script.Compile(t, `
let c = chan<int>(8)
scope { for i in 0..8 { spawn { yield_now(); c.send(i) } } }
print((0..8).map(|_| c.recv()!))
`)
	outputs := map[string]bool{}
	for name, schedule := range runneltest.Schedules(20) {
		once := p.Run(t, schedule).Printed
		require.Equal(t, once, p.Run(t, schedule).Printed, name)
		outputs[once] = true
	}
	require.Greater(t, len(outputs), 5, "schedules differ")
}

func TestALimitOfOneRun(t *testing.T) {
	p := script.Compile(t, "for i in 0..1000 { print(i) }")
	o := p.Run(t, runnel.WithLimits(runnel.Limits{Steps: 300}))
	require.ErrorContains(t, o.Err, "300 steps")
	require.Equal(t, 1000, strings.Count(p.Run(t).Printed, "\n"))
}
