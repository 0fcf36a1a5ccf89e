// Package stdlib is the standard library: sources in Runnel, embedded, and the
// Go functions under them.
package stdlib

import (
	"embed"
	"io/fs"

	"github.com/runnel-lang/runnel/lang/types"
)

//go:embed prelude/*.rnl
var preludeFS embed.FS

// Prelude gives the sources that every module sees without an import: the
// error types, a few functions, and the methods of the built-in types, a file
// for each. A `native fn push` that extends lists is the native "list.push", a
// function `native fn sleep` the native "core.sleep".
func Prelude() []types.Source { return prelude }

var prelude = loadPrelude()

func loadPrelude() []types.Source {
	paths, err := fs.Glob(preludeFS, "prelude/*.rnl")
	if err != nil {
		panic(err)
	}
	sources := make([]types.Source, len(paths))
	for i, path := range paths {
		text, err := preludeFS.ReadFile(path)
		if err != nil {
			panic(err)
		}
		sources[i] = types.Source{Key: path[:len(path)-len(".rnl")], Name: path, Text: string(text), Std: true}
	}
	return sources
}
