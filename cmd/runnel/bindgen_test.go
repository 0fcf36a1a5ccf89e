package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBindgenWritesASource(t *testing.T) {
	dir := t.TempDir()
	o := in(t, dir, "", "bindgen", "path", "--name", "paths", "--only", "Base,Join", "--skip=Join", "-o", "paths.go")
	require.Equal(t, outcome{}, o)
	source, err := os.ReadFile(filepath.Join(dir, "paths.go"))
	require.NoError(t, err)
	assert.Contains(t, string(source), "package paths\n")
	assert.Contains(t, string(source), `runnel.Func(m, "base", path.Base,`)
	assert.NotContains(t, string(source), "path.Join")

	o = in(t, dir, "", "bindgen", "--package", "other", "path")
	assert.Zero(t, o.exit)
	assert.Contains(t, o.stdout, "package other\n")
	assert.Contains(t, o.stdout, `runnel.NewModule("path"`)
}

func TestBindgenTellsWhatIsWrong(t *testing.T) {
	for text, args := range map[string][]string{
		"bindgen needs one Go package":            {"bindgen"},
		"package no/such/package is not in std":   {"bindgen", "no/such/package"},
		"unknown flag --names":                    {"bindgen", "path", "--names", "x"},
		`"Path" cannot name a module`:             {"bindgen", "path", "--name", "Path"},
		"cannot open no/such/folder/out.go: no s": {"bindgen", "path", "-o", "no/such/folder/out.go"},
	} {
		o := in(t, t.TempDir(), "", args...)
		assert.Equal(t, exitUsage, o.exit, args)
		assert.Contains(t, o.stderr, text)
	}
}
