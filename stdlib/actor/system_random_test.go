package actor_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// modelSystems is how many systems the tests below make up, for each number of workers.
func modelSystems(few int) int {
	if n, err := strconv.Atoi(os.Getenv("RUNNEL_SYSTEMS")); err == nil {
		return n
	}
	if testing.Short() {
		return few / 10
	}
	return few
}

func TestRandomSystemsDoWhatTheSpecificationSays(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			inst := withModule(t, actor.Module, modelScript, runnel.WithWorkers(workers))
			run, err := runnel.Bind1[int, []string](inst, "run_sync")
			require.NoError(t, err)
			for seed := range modelSystems(300) {
				got, err := run(t.Context(), seed)
				require.NoError(t, err, "seed %d", seed)
				sameLines(t, seed, refSync(seed), got)
			}
		})
	}
}

// sameLines shows no more of two logs than where they part.
func sameLines(t *testing.T, seed int, want, got []string) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			from, to := max(0, i-5), i+5
			require.Equal(t, want[min(from, len(want)):min(to, len(want))], got[min(from, len(got)):min(to, len(got))], "seed %d, line %d", seed, i)
		}
	}
}

func TestRandomSystemsWithTasksKeepTheirInvariants(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			inst := withModule(t, actor.Module, modelScript, runnel.WithWorkers(workers))
			run, err := runnel.Bind1[int, []string](inst, "run_async")
			require.NoError(t, err)
			for seed := range modelSystems(300) {
				got, err := run(t.Context(), seed)
				require.NoError(t, err, "seed %d", seed)
				checkAsync(t, seed, got)
			}
			require.Empty(t, inst.Unhandled())
		})
	}
}

// checkAsync checks what run_async of modelScript logs of a system.
func checkAsync(t *testing.T, seed int, log []string) {
	t.Helper()
	var handled, trace, failures, letters, lives []string
	var kind, outputs string
	for _, line := range log {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "kind":
			kind = rest
		case "outputs":
			outputs = rest
		case "trace":
			trace = append(trace, line)
		case "failures", "letters":
		case "failure":
			line, _, _ = strings.Cut(line, " at ") // a task fails at what it took last
			failures = append(failures, line)
		case "letter":
			if strings.HasSuffix(line, "NoActor") {
				letters = append(letters, line)
			}
		case "life":
			lives = append(lives, rest)
		case "root", "make", "enter", "exit", "see":
			handled = append(handled, line)
		default:
			t.Fatalf("seed %d: %s", seed, line)
		}
	}
	if kind != "0" && kind != "1" {
		return // middleware changes things: that the replay is the same has to do
	}
	s, err := refAsync(seed, readTrace(trace))
	require.NoError(t, err, "seed %d", seed)
	require.True(t, s.ended, "seed %d", seed)
	sameLines(t, seed, s.log, handled)
	require.Equal(t, strings.Join(s.outputs, " "), outputs, "seed %d", seed)
	var failed, lost []string
	for _, f := range s.failures {
		f, _, _ = strings.Cut(f, " at ")
		failed = append(failed, f)
	}
	require.Equal(t, lastOf(failed), failures, "seed %d", seed)
	for _, l := range s.letters {
		if strings.HasSuffix(l, "NoActor") {
			lost = append(lost, l)
		}
	}
	sameLines(t, seed, lost[max(0, len(lost)-len(letters)):], letters) // those of other reasons may have pushed some out
	for _, life := range lives {
		id, taken, _ := strings.Cut(life, " ")
		require.True(t, slices.ContainsFunc(s.lives, func(a *refActor) bool {
			return strconv.Itoa(a.id) == id && strings.HasPrefix(strings.Join(a.taken, " ")+" ", strings.TrimSpace(taken)+" ") || taken == ""
		}), "seed %d: %s has taken %s", seed, id, taken)
	}
}

// An actor that is killed while it takes a message has made room for another one.
func TestAKilledActorLetsThoseInWhoWaitForRoom(t *testing.T) {
	inst := withModule(t, actor.Module, `
import actor
type Actions = [actor.Action<str>]?
let worker = actor.async_type<str, int>("Worker", |_, ctx: actor.AsyncContext<str>| { for _ in ctx { sleep(0s) } })
struct Root { worker: actor.Handle<str>? = none
  fn handle(msg: str, ctx: actor.SystemContext<str>) -> Actions {
    match msg {
      "go" => {
        let (w, spawn_w) = ctx.spawn(worker, 0)
        self.worker = w
        [spawn_w, Send(w, "first")]
      }
      "kill" => [Send(self.worker!, "more"), Send(self.worker!, "more"), Kill(self.worker!)]
      _ => none
    }
  }
}
pub fn rounds(n: int) {
  for _ in 0..n {
    let s = actor.system<str>(actor.sync_type("Root", |_, _| Root()), max_inboxes: 1)
    s.dispatch("go")
    s.dispatch("kill")
    let t = spawn s.dispatch("more")
    s.dispatch("more")
    await t
    s.stop()
  }
}
`, runnel.WithWorkers(4))
	_, err := inst.Call(t.Context(), "rounds", 10000)
	require.NoError(t, err)
}
