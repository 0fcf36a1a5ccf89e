package repl

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
)

// TestMain holds a session with the fake engine when a test starts this program
// in a terminal.
func TestMain(m *testing.M) {
	if os.Getenv("RUNNEL_REPL_SESSION") == "" {
		os.Exit(m.Run())
	}
	t, err := lineedit.Open()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	Run(Options{
		Engine: newFake(t.Input(), t.Output()), Terminal: t, Color: os.Getenv("NO_COLOR") == "", Version: "test",
		Report: func(w io.Writer, err error) { fmt.Fprintln(w, "error:", err) },
	})
	t.Close()
}
