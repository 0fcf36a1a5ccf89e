package actor_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/runneltest"
)

// The programs about actors: each prints what its comments expect under many schedules,
// in parallel too, and the race detector finds nothing.

func TestActorsUnderSchedules(t *testing.T)      { cases.Each(t, "../../spec/tests/actor") }
func TestSupervisorsUnderSchedules(t *testing.T) { cases.Each(t, "../../spec/tests/actor_supervisor") }
func TestRoutersUnderSchedules(t *testing.T)     { cases.Each(t, "../../spec/tests/actor_routing") }

var textProgram = regexp.MustCompile("(?ms)^```runnel$(.*?)^```$")

// TestTheTextsOnActorsUnderSchedules has the programs of the specification and of the
// book, but those that do not compile.
func TestTheTextsOnActorsUnderSchedules(t *testing.T) {
	for _, path := range []string{"../../spec/actors.md", "../../doc/book/actors.md"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		programs := textProgram.FindAllSubmatchIndex(text, -1)
		require.NotEmpty(t, programs)
		for _, at := range programs {
			line := 1 + strings.Count(string(text[:at[2]]), "\n")
			src := string(text[at[2]:at[3]])
			t.Run(filepath.Base(path)+" line "+strconv.Itoa(line), func(t *testing.T) {
				t.Parallel()
				want := runneltest.Expected(src)
				require.NotEmpty(t, want.Printed)
				cases.Check(t, src, want)
			})
		}
	}
}

// TestActorExamplesUnderSchedules has the examples with actors, but the chat server,
// which talks over a network.
func TestActorExamplesUnderSchedules(t *testing.T) {
	paths, err := filepath.Glob("../../examples/actor_*.rnl")
	require.NoError(t, err)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".rnl")
		if name == "actor_chat" {
			continue
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		want, err := os.ReadFile(strings.TrimSuffix(path, ".rnl") + ".expected")
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cases.Check(t, string(src), runneltest.Expectation{Printed: string(want)})
		})
	}
}
