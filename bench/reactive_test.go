package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// A reactiveGraph is a line of bench/reactive/graphs.txt.
type reactiveGraph struct {
	name, command, result string
	short, shortResult    string
}

func TestReactiveGraphsWhenShort(t *testing.T) {
	for _, g := range reactiveGraphs(t) {
		t.Run(g.name, func(t *testing.T) { assert.Equal(t, g.shortResult, runReactive(t, g.short)) })
	}
}

func TestReactiveGraphsAtThePublishedSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, g := range longtest.Sample(reactiveGraphs(t), 8) {
		// Of the others the public benchmark checks no results.
		if kind := strings.Fields(g.command)[0]; kind != "scale" && kind != "bulk" {
			t.Run(g.name, func(t *testing.T) { assert.Equal(t, g.result, runReactive(t, g.command)) })
		}
	}
}

// What js-reactivity-benchmark makes its graphs with begins so.
func TestRandomNumbersAreThoseOfThePublicBenchmark(t *testing.T) {
	program := `import "./random"
let r = random.seeded("seed")
print("RESULT " + (0..4).map(|_| str(r.next())).join(","))`
	said := runScript(t, filepath.Join("reactive", "numbers.rnl"), program)
	assert.Equal(t, "0.8370377509854734,0.35816134908236563,0.12195610790513456,0.486986321862787", said.result)
}

func TestEveryReactiveProgramIsMeasuredAndHasACounterpart(t *testing.T) {
	measured := map[string]bool{"measure": true, "random": true} // which the programs import
	alone := map[string]bool{"store_write": true}                // the libraries have no such thing
	for _, g := range reactiveGraphs(t) {
		measured[strings.Fields(g.command)[0]] = true
	}
	programs, err := filepath.Glob(filepath.Join("reactive", "*.rnl"))
	require.NoError(t, err)
	assert.Len(t, programs, len(measured)+len(alone))
	for _, p := range programs {
		name := strings.TrimSuffix(filepath.Base(p), ".rnl")
		if alone[name] {
			continue
		}
		assert.True(t, measured[name], name)
		assert.FileExists(t, filepath.Join("peers", "reactive", "js", name+".js"))
	}
}

func reactiveGraphs(t *testing.T) []reactiveGraph {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("reactive", "graphs.txt"))
	require.NoError(t, err)
	var graphs []reactiveGraph
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(line, "|")
		require.Len(t, c, 5, line)
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		graphs = append(graphs, reactiveGraph{c[0], c[1], c[2], c[3], c[4]})
	}
	return graphs
}

// runReactive returns the result of a program of bench/reactive, measured once.
func runReactive(t *testing.T, command string) string {
	t.Helper()
	words := append(strings.Fields(command), "1")
	path := filepath.Join("reactive", words[0]+".rnl")
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	said := runScript(t, path, string(source), words[1:]...)
	assert.Positive(t, said.times["total"])
	return said.result
}

// runScript runs a source as if it were the file at that path, and gives what it says.
func runScript(t *testing.T, path, source string, args ...string) output {
	t.Helper()
	var out bytes.Buffer
	host := all.Host(args)
	host.Stdout = &out
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithWorkers(2),
		runnel.WithSources(runnel.OSSources()))
	program, err := rt.Compile(path, source)
	require.NoError(t, err)
	instance := program.NewInstance()
	defer instance.Close()
	require.NoError(t, instance.Run(context.Background()))
	assert.Empty(t, instance.Unhandled())
	return parseOutput(out.String())
}
