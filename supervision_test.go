package runnel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The programs of supervision and routing print what their comments expect under
// 200 schedules each, in parallel too, and the race detector finds nothing.
func TestSupervisorsUnderSchedules(t *testing.T) { eachUnderSchedules(t, "actor_supervisor") }
func TestRoutersUnderSchedules(t *testing.T)     { eachUnderSchedules(t, "actor_routing") }

func eachUnderSchedules(t *testing.T, folder string) {
	paths, err := filepath.Glob("spec/tests/" + folder + "/*.rnl")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) { underSchedules(t, path, string(src)) })
	}
}
