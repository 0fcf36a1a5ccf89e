package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryTaskWorkloadIsWrittenInRunnelAndGo(t *testing.T) {
	for _, name := range append(namesOfTasks(taskWorkloads), parkedName) {
		for _, ext := range []string{"rnl", "go"} {
			_, err := os.Stat(filepath.Join("conc", name, "main."+ext))
			assert.NoError(t, err)
		}
	}
}

func TestTaskWorkloadsAreChosenByName(t *testing.T) {
	chosen, memory, err := chooseTaskWorkloads(nil)
	require.NoError(t, err)
	assert.Equal(t, taskWorkloads, chosen)
	assert.True(t, memory)

	chosen, memory, err = chooseTaskWorkloads([]string{"ring", "pingpong"})
	require.NoError(t, err)
	assert.Equal(t, []string{"pingpong", "ring"}, namesOfTasks(chosen))
	assert.False(t, memory)

	_, _, err = chooseTaskWorkloads([]string{"parked", "rings"})
	assert.EqualError(t, err, `there is no workload "rings" of tasks`)
}

func TestShrunkSizesStillDivideAsTheProgramsDo(t *testing.T) {
	for _, w := range taskWorkloads {
		for _, shrink := range []int{1, 10, 100} {
			size := w.size(shrink)
			switch w.name {
			case "ring":
				assert.Zero(t, size%1000)
			case "select4":
				assert.Zero(t, size%4)
			case "skynet":
				assert.Contains(t, []int{1e6, 1e5, 1e4}, size)
			}
		}
	}
}

func TestTimesAndResultAreReadFromAProgramsOutput(t *testing.T) {
	said := parseOutput("TIME spawn 0.5\nTIME total 1.25e-3\nother\nRESULT 42")
	assert.Equal(t, map[string]float64{"spawn": 0.5, "total": 0.00125}, said.times)
	assert.Equal(t, "42", said.result)
}

func TestAProgramThatLosesTasksGivesNoMemoryFigure(t *testing.T) {
	watch := func(said string) error {
		_, err := watchParked(os.Getpid(), bufio.NewScanner(strings.NewReader(said)), discard{}, 3)
		return err
	}
	assert.EqualError(t, watch("PARKED 2\n"), "2 of 3 tasks were parked")
	assert.EqualError(t, watch("RESULT 3\n"), "it never said that its tasks are parked")
	if _, err := os.Stat("/proc/self/status"); err == nil {
		assert.EqualError(t, watch("PARKED 3\nRESULT 2\n"), `its result is "2", it should be "3"`)
		assert.NoError(t, watch("PARKED 3\nRESULT 3\n"))
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
