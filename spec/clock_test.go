package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/reactor"
)

// TestCasesOnASlowMachine runs the cases on machines that take a millisecond and more for each
// step of a task. A case that fails here relies on a sleep being long enough for other tasks:
// let it wait for what it needs, on a channel say, or run `// on a virtual clock` if it is about
// time.
func TestCasesOnASlowMachine(t *testing.T) {
	for _, path := range longtest.Sample(caseFiles(t, "tests"), 8) {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		e, err := expectations(string(src))
		require.NoError(t, err)
		if e.checkOnly || e.fails() || e.clock != "" || e.limits != (limits{}) || !inTime.Match(src) {
			continue
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "tests/"), ".rnl"), func(t *testing.T) {
			t.Parallel()
			for _, s := range slowSchedules(*schedulesFull) {
				if wrong := runScheduled(t, filepath.ToSlash(path), string(src), e, s); wrong != "" {
					t.Fatalf("%s: %s", s.name, wrong)
				}
			}
		})
	}
}

// inTime finds the programs that could depend on time.
var inTime = regexp.MustCompile(`\b(sleep|timeout|[0-9]+(us|ms|s|m|h))\b`)

func slowSchedules(full bool) (all []caseSchedule) {
	seeds := uint64(1)
	if full {
		seeds = 10
	}
	for _, d := range []time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond} {
		for seed := range seeds {
			slow := func() reactor.Chooser { return reactor.Slow(seed, d) }
			all = append(all, caseSchedule{fmt.Sprintf("seed %d, %v for each choice", seed, d), runnel.WithChooser(slow), 0})
		}
	}
	return all
}
