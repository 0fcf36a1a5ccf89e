package spec

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the outputs of broken programs to their .expected files")

// TestBrokenPrograms compares what the command shows for programs with the
// mistakes of newcomers, to the character. After a wanted change of a message:
//
//	go test ./spec -run BrokenPrograms -update
func TestBrokenPrograms(t *testing.T) {
	command := filepath.Join(commandFolder(t), "runnel")
	files, err := filepath.Glob("broken/*.rnl")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d programs found (%v)", len(files), err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".rnl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := terminalOutput(t, command, name+".rnl")
			golden := filepath.Join("broken", name+".expected")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nexpected:\n%s", got, want)
			}
		})
	}
}

// terminalOutput runs a program that must fail, and gives all that is shown.
func terminalOutput(t *testing.T, command, file string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, "run", file)
	cmd.Dir = "broken"
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("expected a failure, got %v:\n%s", err, out)
	}
	return fmt.Appendf(withoutLibraryLines(out), "exit code %d\n", exit.ExitCode())
}

var (
	libraryPlace = regexp.MustCompile(`(?m)^( *::: [a-z]\w*(?:/\w+)?\.rnl):\d+:\d+$`)
	sourceLine   = regexp.MustCompile(`^ *\d+ \|`)
)

// withoutLibraryLines takes the numbers of lines of the library away, which are
// others whenever it changes.
func withoutLibraryLines(out []byte) []byte {
	lines := bytes.Split(out, []byte("\n"))
	within := false
	for i, line := range lines {
		switch {
		case libraryPlace.Match(line):
			within = true
			lines[i] = libraryPlace.ReplaceAll(line, []byte("$1"))
		case len(line) == 0 || bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("= ")):
			within = false // of the next one, or of the program again
		case within:
			lines[i] = sourceLine.ReplaceAllFunc(line, func(gutter []byte) []byte {
				return append(bytes.Repeat([]byte(" "), len(gutter)-1), '|')
			})
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
