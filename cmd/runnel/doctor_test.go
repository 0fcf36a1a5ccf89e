package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoctorFindsAllWell(t *testing.T) {
	t.Setenv("RUNNEL_EXAMPLE", "shown")
	t.Setenv("EXAMPLE_PASSWORD", "hidden")
	t.Setenv("LC_ALL", "C")
	got := invoke(t, nil, "", "doctor")
	assert.Equal(t, 0, got.exit)
	assert.Empty(t, got.stderr)
	for _, want := range []string{
		"version   " + version, "actor args base64", "not a terminal", "C (non-ASCII characters may not display correctly",
		"RUNNEL_EXAMPLE   shown", "1048576 registers", "(writable)", "\n\neverything works\n",
	} {
		assert.Contains(t, got.stdout, want)
	}
	for _, check := range []string{"compile", "write and verify", "compute", "tasks and channels", "timers", "files", "sockets"} {
		assert.Regexp(t, "  ok      "+check+" +[0-9.]+(µs|ms|s)\n", got.stdout)
	}
	assert.NotContains(t, got.stdout, "hidden")
	assert.NotContains(t, got.stdout, "EXAMPLE_PASSWORD")
}

func TestDoctorTellsWhatIsWrongAndHowToMendIt(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", none)
	got := invoke(t, nil, "", "doctor")
	assert.Equal(t, 1, got.exit)
	assert.Contains(t, got.stdout, none+" (not writable: no such file or directory)")
	assert.Regexp(t, "  FAILED  files ", got.stdout)
	assert.Regexp(t, "  ok      sockets ", got.stdout)
	assert.Contains(t, got.stdout, "problem: files: cannot make a temporary directory")
	assert.Contains(t, got.stdout, "set TMPDIR to a folder that is")
	assert.NotContains(t, got.stdout, "everything works")

	got = invoke(t, nil, "", "doctor", "--json")
	assert.Equal(t, 1, got.exit)
	var report struct {
		OK     bool              `json:"ok"`
		Runnel map[string]string `json:"runnel"`
		Checks []doctorCheck     `json:"self test"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &report))
	assert.False(t, report.OK)
	assert.Equal(t, version, report.Runnel["version"])
	assert.Len(t, report.Checks, 7)
}
