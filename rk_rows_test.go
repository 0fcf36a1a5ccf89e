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
	"github.com/runnel-lang/runnel/vm"
)

// The rows of reactive-kit's scheduler, as the deterministic system of module
// actor has them: each is a case, or several, of spec/tests/actor_system, run with
// several workers and under many schedules.

func TestRK01_TheFirstActorGetsBothHandles(t *testing.T)            { rkCases(t, "RK01_") }
func TestRK02_DispatchSendsToTheInput(t *testing.T)                 { rkCases(t, "RK02_") }
func TestRK03_AHandlerMayWantNothing(t *testing.T)                  { rkCases(t, "RK03_") }
func TestRK04_OutputsComeInOrder(t *testing.T)                      { rkCases(t, "RK04_") }
func TestRK05_NewCommandsGoToTheEndOfTheQueue(t *testing.T)         { rkCases(t, "RK05_") }
func TestRK06_ADispatchWhileBusyOnlyQueues(t *testing.T)            { rkCases(t, "RK06_") }
func TestRK07_TheLoopDrainsTheQueue(t *testing.T)                   { rkCases(t, "RK07_") }
func TestRK08_ASyncSystemIsSettledWhenDispatchReturns(t *testing.T) { rkCases(t, "RK08_") }
func TestRK09_SpawnGivesAHandleAtOnce(t *testing.T)                 { rkCases(t, "RK09_") }
func TestRK10_ASpawnThatIsNotReturnedMakesNothing(t *testing.T)     { rkCases(t, "RK10_") }
func TestRK11_SpawningAHandleTwiceMakesOneActor(t *testing.T)       { rkCases(t, "RK11_") }
func TestRK12_KillDropsWhatIsQueuedForAndFromAnActor(t *testing.T)  { rkCases(t, "RK12_") }
func TestRK13_FailIsAKillWithAnErrorThatTheHostSees(t *testing.T)   { rkCases(t, "RK13_") }
func TestRK14_TheLoopDoesNotWaitForAsyncActors(t *testing.T)        { rkCases(t, "RK14_") }
func TestRK15_AsyncResultsStartTheLoopAgain(t *testing.T)           { rkCases(t, "RK15_") }
func TestRK16_AnAsyncActorTakesItsMessagesInOrder(t *testing.T)     { rkCases(t, "RK16_") }
func TestRK17_AnAsyncActorCannotSpawn(t *testing.T)                 { rkCases(t, "RK17_") }
func TestRK18_InitMayWantSomething(t *testing.T)                    { rkCases(t, "RK18_") }
func TestRK19_AFactorySeesItsConfigurationAndHandle(t *testing.T)   { rkCases(t, "RK19_") }
func TestRK20_HandlesHaveNumbersEqualityAndJSON(t *testing.T)       { rkCases(t, "RK20_") }
func TestRK21_OutputsEndWhenTheLastActorIsGone(t *testing.T)        { rkCases(t, "RK21_") }
func TestRK22_ADispatchAfterTheEndDoesNothing(t *testing.T)         { rkCases(t, "RK22_") }
func TestRK23_TheSameInputsGiveTheSameLog(t *testing.T)             { rkCases(t, "RK23_") }
func TestRK24_MiddlewareSeesEveryCommand(t *testing.T)              { rkCases(t, "RK24_") }
func TestRK25_MiddlewareIsComposed(t *testing.T)                    { rkCases(t, "RK25_") }
func TestRK26_MiddlewareIsInternalAndMayHoldTheEnd(t *testing.T)    { rkCases(t, "RK26_") }
func TestRK27_TypesThatAreOftenNeeded(t *testing.T)                 { rkCases(t, "RK27_") }
func TestRK28_ScriptedWorkersArePlainCode(t *testing.T)             { rkCases(t, "RK28_") }

// The known problems of that scheduler, which the system does not have.

func TestRKFlaw1_AHandlerThatThrowsDoesNotWedgeTheSystem(t *testing.T) {
	rkCases(t, "a_handler_that_throws", "an_actor_that_cannot_be_made")
}

func TestRKFlaw2_AnAsyncActorThatFailsIsGoneAndReported(t *testing.T) {
	rkCases(t, "an_async_actor_that_throws")
}

func TestRKFlaw3_AnAsyncActorThatReturnsIsRemoved(t *testing.T) {
	rkCases(t, "an_async_actor_whose_function_returns")
}

func TestRKFlaw4_KillCancelsAnAsyncActor(t *testing.T) {
	rkCases(t, "an_async_actor_that_is_killed", "an_async_actor_may_kill_itself", "tasks_of_an_async_actor")
}

func TestRKFlaw5_TheErrorOfAFailIsSeen(t *testing.T) {
	rkCases(t, "RK13_", "an_error_in_on_failure")
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

func TestRKFlaw6_ABurstIsLinear(t *testing.T) {
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

func TestRKFlaw6_QueuesHaveBounds(t *testing.T) {
	rkCases(t, "a_bound_of", "inside_the_loop_a_dispatch", "of_dead_letters", "a_trace_is_kept")
}

func TestRKFlaw7_ASlowHandlerIsLimitedAndKeepsNobodyElseWaiting(t *testing.T) {
	rkCases(t, "a_handler_that_takes_too_long", "a_dispatch_beside_a_slow_handler")
}

func TestRKFlaw8_MessagesToNobodyAreSeen(t *testing.T) {
	rkCases(t, "of_dead_letters", "RK09_", "RK10_")
}

func TestRKFlaw9_AMessageOfAnotherTypeIsAMistake(t *testing.T) {
	rkCases(t, "a_message_of_another_type")
}

// TestRKSystemUnderEverySchedule has all cases that are no row's.
func TestRKSystemUnderEverySchedule(t *testing.T) { rkCases(t, "[a-z]") }

// TestRKSpeed_AMessageTakesLessThan400ns queues a million and handles them on one worker.
func TestRKSpeed_AMessageTakesLessThan400ns(t *testing.T) {
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

// rkCases runs the cases of the system whose names begin so.
func rkCases(t *testing.T, prefixes ...string) {
	eachCase(t, "actor_system", prefixes, func(t *testing.T, c rkCase, src string) { c.explore(t, src) })
}

// eachCase runs the cases of a folder of spec/tests whose names begin so with one
// worker and with four, and then does more with each.
func eachCase(t *testing.T, folder string, prefixes []string, more func(t *testing.T, c rkCase, src string)) {
	for _, prefix := range prefixes {
		paths, err := filepath.Glob("spec/tests/" + folder + "/" + prefix + "*.rnl")
		require.NoError(t, err)
		require.NotEmpty(t, paths, prefix)
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				src := string(text)
				c := rkExpected(src)
				for _, workers := range []int{1, 4} {
					c.runs(t, src, runnel.WithWorkers(workers), 1, func(int) {})
				}
				more(t, c, src)
			})
		}
	}
}

var (
	rkLine     = regexp.MustCompile(`(?m)// expect: (.*)$`)
	rkError    = regexp.MustCompile(`(?m)// expect error: (.*)$`)
	rkMistakes = regexp.MustCompile(`(?m)// expect diagnostic (\S+)`)
)

// An rkCase is what a program prints, and how it ends otherwise.
type rkCase struct{ printed, fails, mistake string }

func rkExpected(src string) (e rkCase) {
	for _, m := range rkLine.FindAllStringSubmatch(src, -1) {
		e.printed += m[1] + "\n"
	}
	if m := rkError.FindStringSubmatch(src); m != nil {
		e.fails = m[1]
	}
	if m := rkMistakes.FindStringSubmatch(src); m != nil {
		e.mistake = m[1]
	}
	return e
}

func (c rkCase) explore(t *testing.T, src string) {
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
func (c rkCase) runs(t *testing.T, src string, how runnel.Option, n int, prepare func(i int)) {
	t.Helper()
	var text strings.Builder
	out := vm.NewOutput(&text)
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
		require.Empty(t, in.Unhandled(), "run %d", i)
		if c.fails != "" {
			require.ErrorContains(t, err, c.fails)
		} else {
			require.NoError(t, err, "run %d", i)
		}
		in.Close()
	}
}
