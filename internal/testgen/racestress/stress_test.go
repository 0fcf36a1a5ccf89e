//go:build !race

package racestress

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var (
	raceTime = flag.Duration("racetime", 300*time.Millisecond, "how long the tasks race for each kind of object")
	workers  = flag.Int("workers", 2, "workers that run them")
)

// The child's part: the name of the subject, in the environment.
const subjectVariable = "RUNNEL_RACE_SUBJECT"

// TestRacingScripts runs each script in a process of its own, so that one that
// crashes is a failure with its output.
func TestRacingScripts(t *testing.T) {
	if os.Getenv(subjectVariable) != "" {
		t.Skip("the child's part is TestRaceChild")
	}
	for _, s := range longtest.Sample(Subjects(), 5) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), *raceTime+30*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestRaceChild$", "-test.v", fmt.Sprint("-racetime=", *raceTime), fmt.Sprint("-workers=", *workers))
			cmd.Env = append(os.Environ(), subjectVariable+"="+s.Name)
			cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // shows all goroutines
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", clip(out))
			require.NotContains(t, string(out), "unexpected:", "%s", clip(out))
			turns := string(out[bytes.Index(out, []byte("turns "))+1:])
			require.Contains(t, turns, "urns ", "%s", clip(out))
			t.Log(strings.SplitN(turns, "\n", 2)[0])
		})
	}
}

// TestRaceChild runs one script. The collector runs often: it is what finds a
// pointer that is none.
func TestRaceChild(t *testing.T) {
	name := os.Getenv(subjectVariable)
	if name == "" {
		t.Skip("run by TestRacingScripts")
	}
	debug.SetGCPercent(20)
	for _, s := range Subjects() {
		if s.Name != name {
			continue
		}
		host := runnel.Host{Stdout: os.Stdout, Args: []string{strconv.FormatInt(raceTime.Milliseconds(), 10)}}
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithWorkers(*workers), runnel.WithLimits(runnel.Limits{Memory: 1 << 30}))
		prog, err := rt.Compile("race.rnl", s.Source())
		require.NoError(t, err)
		in := prog.NewInstance()
		require.NoError(t, in.Run(t.Context()))
		in.Close()
		return
	}
	t.Fatalf("no subject %q", name)
}

// clip keeps the beginning of an output, where the cause of a crash stands.
func clip(out []byte) []byte { return out[:min(len(out), 6000)] }
