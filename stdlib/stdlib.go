// Package stdlib is the standard library: one folder per module, which holds
// the module's declarations and Runnel code (<module>.rnl) and the Go code of
// its native functions. Importing this package registers all of them.
package stdlib

import (
	"embed"
	"slices"
	"strings"

	_ "github.com/runnel-lang/runnel/stdlib/fs"
	_ "github.com/runnel-lang/runnel/stdlib/io"
	_ "github.com/runnel-lang/runnel/stdlib/json"
	_ "github.com/runnel-lang/runnel/stdlib/math"
	_ "github.com/runnel-lang/runnel/stdlib/rand"
	_ "github.com/runnel-lang/runnel/stdlib/re"
	_ "github.com/runnel-lang/runnel/stdlib/sync"
	_ "github.com/runnel-lang/runnel/stdlib/sys"
	_ "github.com/runnel-lang/runnel/stdlib/time"
)

//go:embed */*.rnl
var sources embed.FS

// Source gives the Runnel text of a module, by the name it is imported under.
func Source(name string) (text string, ok bool) {
	if strings.Contains(name, "/") {
		return "", false
	}
	data, err := sources.ReadFile(name + "/" + name + ".rnl")
	return string(data), err == nil
}

// Names lists the modules in alphabetical order.
func Names() []string {
	dirs, err := sources.ReadDir(".")
	if err != nil {
		panic(err) // the embedded root is always there
	}
	var names []string
	for _, d := range dirs {
		if _, ok := Source(d.Name()); ok {
			names = append(names, d.Name())
		}
	}
	slices.Sort(names)
	return names
}
