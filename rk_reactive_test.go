package runnel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

// The rows of reactive-kit's reactive functions, as module reactive has them:
// resources, which wait, and changes, which are read. Each is a case, or several, of
// spec/tests/reactive_streams, run with several workers and under many schedules.

func TestRK29_OnlyWhatDependsOnAChangeRuns(t *testing.T)           { rkReactive(t, "RK29_") }
func TestRK30_PendingValuesFallbacksErrorsAndRefresh(t *testing.T) { rkReactive(t, "RK30_") }
func TestRK31_AScriptPrintsALineForEachValue(t *testing.T)         { rkReactive(t, "RK31_") }

// TestReactiveStreamsUnderEverySchedule has the rest of the cases.
func TestReactiveStreamsUnderEverySchedule(t *testing.T) {
	rkReactive(t, "a_", "an_", "changes_", "nobody_", "resources_", "until_")
}

// rkReactive runs the cases of streams whose names begin so.
func rkReactive(t *testing.T, prefixes ...string) {
	for _, prefix := range prefixes {
		paths, err := filepath.Glob("spec/tests/reactive_streams/" + prefix + "*.rnl")
		require.NoError(t, err)
		require.NotEmpty(t, paths, prefix)
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) {
				t.Parallel()
				src, err := os.ReadFile(path)
				require.NoError(t, err)
				c := rkExpected(string(src))
				for _, workers := range []int{1, 4} {
					c.runs(t, string(src), runnel.WithWorkers(workers), 1, func(int) {})
				}
				c.explore(t, string(src))
			})
		}
	}
}
