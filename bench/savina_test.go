package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The programs of bench/conc/savina with a small size and their result at it,
// and that at the published size, which is the one they run without an argument.
var savina = []struct {
	name, size, result string
	published          string
}{
	{"big", "200", "24000", "2400000"},
	{"chameneos", "1000", "2000", "400000"},
	{"counting", "10000", "10000", "1000000"},
	{"create", "500", "500", "40000"},
	{"fibonacci", "15", "610", "75025"},
	{"nqueens", "8", "92", "14200"},
	{"philosophers", "100", "2000", "200000"},
	{"pingpong", "500", "500", "40000"},
	{"threadring", "1000", "1000", "100000"},
	{"throughput", "100", "6000", "600000"},
	{"trapezoidal", "10000", "27108063", "27108075"},
}

func TestSavinaAtSmallSizes(t *testing.T) {
	for _, s := range savina {
		t.Run(s.name, func(t *testing.T) { assert.Equal(t, s.result, runSavina(t, s.name, s.size)) })
	}
}

func TestSavinaAtThePublishedSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, s := range longtest.Sample(savina, 8) {
		t.Run(s.name, func(t *testing.T) { assert.Equal(t, s.published, runSavina(t, s.name)) })
	}
}

func TestQueensOfTen(t *testing.T) {
	assert.Equal(t, "724", runSavina(t, "nqueens", "10"))
}

func TestEveryProgramOfSavinaIsTested(t *testing.T) {
	programs, err := os.ReadDir(filepath.Join("conc", "savina"))
	require.NoError(t, err)
	var names, tested []string
	for _, p := range programs {
		names = append(names, p.Name())
	}
	for _, s := range savina {
		tested = append(tested, s.name)
	}
	assert.ElementsMatch(t, names, tested)
}

func runSavina(t *testing.T, name string, args ...string) string {
	t.Helper()
	return runConc(t, filepath.Join("savina", name), args...)
}

// runConc returns the result that a program in conc prints.
func runConc(t *testing.T, name string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	host := all.Host(args)
	host.Stdout = &out
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithWorkers(2))
	path := filepath.Join("conc", name, "main.rnl")
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	program, err := rt.Compile(path, string(source))
	require.NoError(t, err)
	instance := program.NewInstance()
	defer instance.Close()
	require.NoError(t, instance.Run(context.Background()))
	assert.Empty(t, instance.Unhandled())
	said := parseOutput(out.String())
	assert.Positive(t, said.times["total"])
	return said.result
}
