package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	for _, line := range []string{
		"bomb     ! bomb.rnl:3:10: LimitError: the limit of 100 tasks is reached",
		"counter  event 1: the door opens",
		"counter  event 2: the light goes on",
		"crash    ! crash.rnl:3:3: IndexError: index 7 is out of range: the list has length 3",
		"crowd    THE DOOR OPENS",
		"greedy   ! greedy.rnl:5:20: LimitError: the memory limit of 1 MiB is reached",
		"NotFound NotGranted", // of snoop
		"LimitError: the limit of 200000 steps of a call is reached",
	} {
		assert.Contains(t, out.String(), line)
	}
	assert.NotContains(t, out.String(), "root:", "what is in /etc/passwd")
}

func runtime(t *testing.T) *runnel.Runtime {
	t.Helper()
	rt, err := NewRuntime()
	require.NoError(t, err)
	t.Cleanup(rt.Close)
	return rt
}

func TestTheTimeOfAnEventIsBounded(t *testing.T) {
	dir := t.TempDir()
	slow, err := NewTenant(t.Context(), runtime(t), "slow", `pub fn handle(event: str) -> str { if event == "wait" { sleep(1h) }; event }`,
		dir, runnel.Limits{Time: 20 * time.Millisecond})
	require.NoError(t, err)
	defer slow.Close()
	for range 3 {
		_, err = slow.Handle(t.Context(), "wait")
		require.ErrorContains(t, err, "the time limit of 20ms is reached")
	}
	slow.mu.Lock()
	defer slow.mu.Unlock()
	assert.Equal(t, 3, slow.metrics.Failed)
}

func TestATenantSeesItsFolderOnly(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("s3cret"), 0o600))
	thief, err := NewTenant(t.Context(), runtime(t), "thief", `
		import fs
		pub fn handle(event: str) -> str {
			fs.write("note.txt", "mine")
			try { fs.read(event) } catch e { "no" }
		}`, dir, limits)
	require.NoError(t, err)
	defer thief.Close()
	for _, path := range []string{"../secret.txt", filepath.Join(dir, "secret.txt"), "/secret.txt"} {
		answer, err := thief.Handle(t.Context(), path)
		require.NoError(t, err)
		assert.Equal(t, "no", answer)
	}
	answer, err := thief.Handle(t.Context(), "note.txt")
	require.NoError(t, err)
	assert.Equal(t, "mine", answer)
	assert.FileExists(t, filepath.Join(dir, "thief", "note.txt"))
}

func TestAPluginWithoutAHandlerIsNoPlugin(t *testing.T) {
	_, err := NewTenant(t.Context(), runtime(t), "none", `print("hello")`, t.TempDir(), limits)
	assert.ErrorContains(t, err, "plugin none: runnel: the script has no public function handle")
}
