package repl

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/internal/testgen/tmux"
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

// step is what a user does and then sees at the end of the screen.
type step struct {
	keys  []string
	shows string
}

func keys(k ...string) []string { return k }

// hold holds a session with the fake engine at a terminal.
func hold(t *testing.T, width, height int, env []string, steps []step) *tmux.Screen {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	env = append([]string{"RUNNEL_REPL_SESSION=1", "RUNNEL_HISTORY=off", "NO_COLOR=1"}, env...)
	s := tmux.Start(t, width, height, env, program)
	for _, step := range steps {
		if step.keys != nil {
			s.Type(step.keys...)
		}
		s.Shows(step.shows)
	}
	return s
}

const greeting = "Runnel test. :help lists commands, Ctrl-D quits\n"

func TestASessionAtATerminal(t *testing.T) {
	s := hold(t, 60, 24, nil, []step{
		{nil, greeting + ">"},
		{keys("value int 42", "Enter"), "> value int 42\n= 42  : int\n>"},
		// A block, recalled and edited as a block.
		{keys("fn f() {", "Enter", "g(1)", "Enter", "}"), "> fn f() {\n.   g(1)\n. }"},
		{keys("Enter"), ". }\n>"},
		{keys("Up"), "> fn f() {\n.   g(1)\n. }"},
		{keys("Up", "End", " + 2"), ".   g(1) + 2\n. }"},
		{keys("Down", "End", "Enter"), ". }\n>"},
		// Completion.
		{keys("pr", "Tab"), "> print"},
		{keys(" hi", "Enter"), "> print hi\nhi\n>"},
		{keys("va", "Tab", "Tab"), "> val\nvalue  fn() -> int\nvalid  keyword"},
		{keys("u", "Tab"), "> value"},
		{keys("C-c"), "> value\n>"},
		{keys(":he", "Tab"), "> :help"},
		{keys("C-u", ":t", "Tab"), "> :t\n:type   show the type of an expression without running it\n:tasks  list the live tasks\n" +
			":trace  record what tasks do, for ui.perfetto.dev\n:time   time an entry; without one, turn timing of all entri"},
		{keys("y", "Tab", "1", "Enter"), "> :type 1\n: type of 1\n>"},
		// Search.
		{keys("C-r", "42"), "> value int 42\nsearch: 42"},
		{keys("Enter"), "> value int 42\n= 42  : int\n>"},
		// Wide characters, and the cursor among them.
		{keys("value str 世界👍e\u0301!", "Left", "Left", "Left", "x", "BSpace", "x", "Enter"), "> value str 世界x👍e\u0301!\n= 世界x👍e\u0301!  : str\n>"},
		// Tasks in the background.
		{keys("later one|two|", "Enter", "loop {", "Enter", "cd"), "one\ntwo\n> loop {\n.   cd"},
		{keys("C-c", "later half", "Enter", "typed"), "\nhalf\n> typed"},
		{keys("C-c"), "\nhalf\n> typed\n>"},
		// Interrupts.
		{keys("loop", "Enter"), "> loop\nloops"},
		{keys("C-c"), "> loop\nloops\n^C\ncancelled\n>"},
		{keys("C-c"), "press Ctrl-C again, or Ctrl-D, to quit\n>"},
		// The script reads what is typed while it runs.
		{keys("read", "Enter"), "> read\n?"},
		{keys("a line", "Enter"), "> read\n? a line\n= \"a line\\n\"  : str\n>"},
		{keys("read", "Enter"), "> read\n?"},
		{keys("C-c"), "> read\n? ^C\nerror: i/o timeout\n>"},
		{keys("value int 1", "Enter"), "> value int 1\n= 1  : int\n>"},
	})
	s.Paste("value str [\n\tpasted,\n]")
	s.Shows("> value str [\n.     pasted,\n. ]")
	s.Type("Enter")
	s.Shows(">")
	s.Type("C-d")
	require.Equal(t, 0, s.Ended())
}

func TestACallThatIsTypedShowsItsSignature(t *testing.T) {
	s := hold(t, 60, 24, nil, []step{
		{nil, greeting + ">"},
		{keys("call("), "> call(\n  call(n: int) -> int"},
		{keys("1"), "> call(1"},
		{keys("C-c", "value int call("), "> value int call(\n  call(n: int) -> int"},
		{keys("BSpace", "x", "Enter"), "> value int callx\n= callx  : int\n>"},
		{keys(":type call("), "> :type call(\n  call(n: int) -> int"},
		{keys("C-c"), "> :type call(\n>"},
	})
	s.Type("C-d")
	require.Equal(t, 0, s.Ended())
	// A terminal that can do nothing shows no more than what is typed.
	hold(t, 60, 24, []string{"TERM=dumb"}, []step{
		{nil, greeting + ">"},
		{keys("call("), "> call("},
		{keys("\t", "1)", "Enter"), ">"},
	})
}

func TestPathsAreCompleted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"shapes/circle.rnl", "shapes/square.rnl", "shapes/notes.txt", "shapes/.hidden.rnl"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
	}
	t.Chdir(dir)
	s := hold(t, 60, 24, nil, []step{
		{nil, greeting + ">"},
		{keys("import \"./sh", "Tab"), "> import \"./shapes/"},
		{keys("Tab"), "> import \"./shapes/\ncircle  square"},
		{keys("ci", "Tab"), "> import \"./shapes/circle"},
		{keys("C-c", "f(\"a\", \"./shapes/no", "Tab"), "> f(\"a\", \"./shapes/notes.txt"},
		{keys("C-c", "\"a/b\" + va", "Tab", "u", "Tab"), "> \"a/b\" + value"},
	})
	s.Type("C-c")
}

func TestTheWindowChangesItsSize(t *testing.T) {
	long := "value str " + strings.Repeat("0123456789", 6)
	s := hold(t, 50, 10, nil, []step{
		{nil, greeting + ">"},
		// In a window that is not full tmux may scroll out what is above the cursor.
		{keys("value lines 1|2|3|4|5|6|7|8|9", "Enter"), "9\n: lines\n>"},
		{keys(long), "> " + long},
	})
	for _, width := range []int{30, 20, 72, 40, 100} {
		s.Resize(width, 10)
		s.Type("x")
		long += "x"
		s.Shows("\n: lines\n> " + long)
	}
	s.Type("Enter")
	s.Shows("> " + long + "\n= " + strings.TrimPrefix(long, "value str ") + "  : str\n>")
}

func TestAFloodAtThePrompt(t *testing.T) {
	hold(t, 60, 10, nil, []step{
		{nil, greeting + ">"},
		{keys("flood", "Enter", "typed meanwhile"), "flooded\n> typed meanwhile"},
		{keys("C-c", "value int 1", "Enter"), "= 1  : int\n>"},
	})
}

func TestATerminalThatCanDoNothing(t *testing.T) {
	s := hold(t, 60, 24, []string{"TERM=dumb"}, []step{
		{nil, greeting + ">"},
		{keys("value int 42", "Enter"), "> value int 42\n= 42  : int\n>"},
		{keys("scope {", "Enter"), "> scope {\n."},
		{keys("}", "Enter"), "> scope {\n. }\n>"},
		{keys("half"), "> half"},
		{keys("C-c"), "> half^C\npress Ctrl-C again, or Ctrl-D, to quit\n>"},
		{keys("loop", "Enter"), "> loop\nloops"},
		{keys("C-c"), "> loop\nloops\n^C\ncancelled\n>"},
		{keys("read", "Enter"), "> read\n?"},
		{keys("line", "Enter"), "> read\n? line\n= \"line\\n\"  : str\n>"},
		{keys("fn f() {", "Enter"), "> fn f() {\n."},
		{keys("g()", "Enter"), "> fn f() {\n. g()\n."},
		{keys("}", "Enter"), "> fn f() {\n. g()\n. }\n>"},
		// What others print stands apart from what is typed, which goes on.
		{keys("later x|y", "Enter"), "> later x|y\n>\nx\ny\n>"},
		{keys("value int 7", "Enter"), "= 7  : int\n>"},
		{keys(":reload", "Enter"), "keep the old code and its values\n>"},
	})
	s.Type("C-d")
	require.Equal(t, 0, s.Ended())
}

func TestANarrowWindow(t *testing.T) {
	hold(t, 12, 5, nil, []step{
		{keys("value int 42", "Enter"), "= 42  : int\n>"},
	})
	hold(t, 20, 3, nil, []step{
		{keys("value str 0123456789012345678901234567890123456789012345678901234567890", "Enter"), "0\n: str\n>"},
	})
}

func TestTheHistoryOutlivesASession(t *testing.T) {
	file := "RUNNEL_HISTORY=" + filepath.Join(t.TempDir(), "history")
	s := hold(t, 60, 24, []string{file}, []step{
		{nil, greeting + ">"},
		{keys("scope {", "Enter", "b }", "Enter", ":quit", "Enter"), ":quit"},
	})
	require.Equal(t, 0, s.Ended())
	hold(t, 60, 24, []string{file}, []step{
		{nil, greeting + ">"},
		{keys("Up", "Up"), greeting + "> scope {\n.   b }"},
	})
}

func TestColorsAtATerminal(t *testing.T) {
	s := hold(t, 60, 24, []string{"NO_COLOR="}, []step{
		{nil, greeting + ">"},
		{keys("f(\"x\", 1)"), "> f(\"x\", 1)"},
	})
	require.Contains(t, s.Colored(), "\x1b[32m\x1b[49m\"x\"\x1b[39m, \x1b[33m1")
	s.Type("Enter")
	s.Shows("f(\"x\", 1)\n>")
}

// shellSession is a shell at a terminal in which a session runs.
func shellSession(t *testing.T) *tmux.Screen {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	env := []string{"RUNNEL_REPL_SESSION=1", "RUNNEL_HISTORY=off", "NO_COLOR=1", "PROGRAM=" + program}
	s := tmux.Start(t, 60, 24, env, "sh", "-i")
	s.Shows("$")
	s.Type("$PROGRAM", "Enter")
	s.Shows(greeting + ">")
	return s
}

func TestAskedToEndItLeavesTheTerminalAsItWas(t *testing.T) {
	s := shellSession(t)
	s.Type("half")
	s.Shows("> half")
	s.Type("C-z")
	s.Shows("$")
	s.Type("kill %1; fg; stty | grep -c -e -echo", "Enter")
	s.Shows("\n0\n$")
}

func TestItCanBeStoppedAndGoOn(t *testing.T) {
	s := shellSession(t)
	s.Type("value int 1")
	s.Shows("> value int 1")
	s.Type("C-z")
	s.Shows("$")
	s.Type("echo at the shell", "Enter")
	s.Shows("\nat the shell\n$")
	s.Type("fg", "Enter")
	s.Shows("> value int 1")
	s.Type("2", "Enter")
	s.Shows("> value int 12\n= 12  : int\n>")
	s.Type("loop", "Enter")
	s.Shows("> loop\nloops")
	s.Type("C-c")
	s.Shows("cancelled\n>")
}
