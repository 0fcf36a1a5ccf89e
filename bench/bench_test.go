package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryWorkloadHasAProgramInEveryLanguage(t *testing.T) {
	for _, name := range append([]string{empty}, namesOf(workloads)...) {
		for _, ext := range []string{"rnl", "go", "lua", "js", "tengo"} {
			path := filepath.Join("cpu", name, "main."+ext)
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
	}
	for _, name := range namesOf(further) {
		for _, ext := range []string{"rnl", "go", "lua", "js"} {
			assert.FileExists(t, filepath.Join("cpu", name, "main."+ext))
		}
	}
}

func TestSizesAscendThroughTheNominalOneWithGrowingWork(t *testing.T) {
	for _, w := range slices.Concat(workloads, further) {
		assert.True(t, slices.IsSorted(w.sizes), w.name)
		assert.Contains(t, w.sizes, w.nominal, w.name)
		for k := 1; k < len(w.sizes); k++ {
			assert.Greater(t, w.work(float64(w.sizes[k])), w.work(float64(w.sizes[k-1])), w.name)
		}
	}
}

func TestWorkCountsWhatTheProgramsDo(t *testing.T) {
	var fib func(n int) (calls float64)
	fib = func(n int) float64 {
		if n < 2 {
			return 1
		}
		return 1 + fib(n-1) + fib(n-2)
	}
	assert.Equal(t, fib(20), fibCalls(20))
	// A stretch tree of depth 5 and a long-lived one of 4, and 16 of depth 4;
	// the formula rounds the first two up to whole powers.
	assert.InDelta(t, 63+31+16*31, treeNodes(4), 2)
}

func TestUnknownWorkloadIsAnError(t *testing.T) {
	_, err := chooseWorkloads([]string{"fib", "fob"}, workloads)
	assert.EqualError(t, err, `there is no workload "fob"`)
}
