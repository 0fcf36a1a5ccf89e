// Package texttest runs scripts that read a text, for tests of modules that
// decode something.
package texttest

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
)

// Runner compiles a script that finds a text in the file "text", and gives what
// runs it: with the text, for what it prints and the error it ends with.
func Runner(t testing.TB, module *runnel.Module, script string, limits runnel.Limits) func(text string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	files := fstest.MapFS{}
	host := runnel.Host{Stdout: &out, FS: runnel.ReadFiles(files)}
	rt, err := runnel.New(runnel.WithModules(fs.Module, module), runnel.WithHost(host), runnel.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	prog, err := rt.Compile("test.rnl", script)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) (string, error) {
		out.Reset()
		files["text"] = &fstest.MapFile{Data: []byte(text)}
		in := prog.NewInstance()
		defer in.Close()
		err := in.Run(context.Background())
		return out.String(), err
	}
}

// IsBadInput tells errors that a script is meant to catch.
func IsBadInput(err error) bool {
	var e *runnel.Error
	return errors.As(err, &e) && (e.Kind == "ValueError" || e.Kind == "IoError")
}
