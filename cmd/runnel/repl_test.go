package main

import (
	goflag "flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/tmux"
)

var update = goflag.Bool("update", false, "write testdata/session.txt anew")

// begin holds a session at a terminal, in a folder of its own.
func begin(t *testing.T, width, height int, env ...string) (s *tmux.Screen, dir string) {
	t.Helper()
	dir = t.TempDir()
	env = append([]string{"NO_COLOR=1", "RUNNEL_HISTORY=off", "BINARY=" + binary, "HERE=" + dir}, env...)
	s = tmux.Start(t, width, height, env, "sh", "-c", `cd "$HERE" && exec "$BINARY"`)
	s.Shows("\n>")
	return s, dir
}

// step is what a user types, and what is then to be seen at the end of the screen:
// without more the answer, which is read in the file.
type step struct {
	keys  string // apart by | are keys and texts; Enter follows, unless it ends in \
	shows string
}

func (st step) take(t *testing.T, s *tmux.Screen) {
	t.Helper()
	keys, open := strings.CutSuffix(st.keys, `\`)
	if keys == "C-c" {
		time.Sleep(200 * time.Millisecond) // two interrupts that come at once are one
	}
	list := strings.Split(keys, "|")
	if !open {
		list = append(list, "Enter")
	}
	s.Type(list...)
	if st.shows != "" {
		s.Shows(st.shows)
		return
	}
	s.Wait("the answer", func(text string) bool {
		_, answer, ok := strings.Cut(text, "\n> "+keys)
		return ok && strings.HasSuffix(answer, "\n>\n")
	})
}

// A session through all that it can do. The screen at its end is kept in
// testdata/session.txt, to be read.
func TestSession(t *testing.T) {
	s, dir := begin(t, 80, 40)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "shapes.rnl"), []byte("fn area(w: float, h: float) -> float { w * h }\nprint(\"loaded\")\n"), 0o644))
	for _, st := range []step{
		// Values and their types, the last value, blocks, redefinition.
		{"1 + 2", "= 3  : int\n>"},
		{"[_, 4]", "= [3, 4]  : [int]\n>"},
		{"let x = 40", "let x = 40\n>"},
		{"fn add(n: int) -> int {", "-> int {\n."},
		{"x + n|Enter|}", ".   x + n\n. }\n>"},
		{"add(2)", "= 42  : int\n>"},
		{`let x = "now a text"`, "text\"\n>"},
		{"x", "= \"now a text\"  : str\n>"},
		{"add(2)", "= 42  : int\n>"},
		{`"世界 👍"`, "= \"世界 👍\"  : str\n>"},
		{"await spawn { sleep(10ms); 7 }", "= 7  : int\n>"},
		// Errors harm nothing.
		{"nothing + 1", "| ^^^^^^^\n>"},
		{"[add(0)][5]", "1 | [add(0)][5]\n  | ^\n>"},
		{"add(1)", "= 41  : int\n>"},
		// Recalled, searched, completed.
		{"Up|Up\\", "> [add(0)][5]"},
		{"C-c\\", "> [add(0)][5]\n>"},
		{"C-r|fn add\\", "> fn add(n: int) -> int {\n.   x + n\n. }\nsearch: fn add"},
		{"Escape\\", ".   x + n\n. }"},
		{"C-c\\", ". }\n>"},
		{"import pa|Tab\\", "> import path"},
		{"C-e", "> import path\n>"},
		{"path.ba|Tab|\"a/b\")", "= \"b\"  : str\n>"},
		{"add(1).bi|Tab\\", "> add(1).bit_count()"},
		{"C-e", "= 3  : int\n>"},
		// Tasks in the background print above what is typed.
		{"fn tick() { for i in 0..3 { sleep(100ms); print(\"tick ${i}\") } }", "} }\n>"},
		{"let ticking = spawn tick()", "tick 2\n>"},
		{"let t = spawn { sleep(1s); print(\"late\") }", ""},
		{"\"typed meanwhile\\", "late\n> \"typed meanwhile"},
		{"\"", "= \"typed meanwhile\"  : str\n>"},
		// Ctrl-C cancels what runs, and nothing else.
		{"let other = spawn { sleep(60s) }", ""},
		{"print(\"runs\"); loop {}", "\nruns"},
		{"C-c\\", "^C\ncancelled\n>"},
		{"print(\"waits\"); sleep(60s)", "\nwaits"},
		{"C-c\\", "^C\ncancelled\n>"},
		{":tasks", ""},
		{"fn stubborn() { defer { sleep(60s) }|Enter|print(\"waits\")|Enter|sleep(60s)|Enter|}", ".   sleep(60s)\n. }\n>"},
		{"stubborn()", "\nwaits"},
		{"C-c\\", "\nwaits\n^C\ncancelled\n>"}, // the defer goes on beside
		// While an entry runs the terminal is the script's.
		{"import io", "import io\n>"},
		{"io.write(\"name? \"); io.read_line()", "\nname?"},
		{"typed by the user", "name? typed by the user\n= \"typed by the user\"  : str?\n>"},
		{"io.write(\"again? \"); io.read_line()", "\nagain?"},
		{"C-c\\", "^C\ncancelled\n>"},
		{"io.write(\"no line end\")", "no line end\n>"},
		// Commands.
		{":type add(1) == 2", ": bool\n>"},
		{":doc str.trim", ""},
		{":dis add", ""},
		{":time add(1)", ""},
		{":load sh|Tab", "> :load shapes.rnl\nloaded\n>"},
		{"area(2.0, 3.0)", "= 6.0  : float\n>"},
		{":trace on", "recording\n>"},
		{"await_all([spawn add(1), spawn add(2)])", ": [int]\n>"},
		{":trace save trace.json", "ui.perfetto.dev\n>"},
		{":save session.rnl", "session.rnl\n>"},
		{":sav", "`:save FILE`\n>"},
		{":tine", "did you mean `:time`?\n>"},
		{":reset", "all declarations are forgotten\n>"},
		{"add(1)", "| ^^^\n>"},
		{":help", "shows all.\n>"},
	} {
		st.take(t, s)
	}
	s.Paste("let pasted = [\n\t1,\n\t2,\n]\npasted.sum()")
	s.Shows(". ]\n. pasted.sum()")
	s.Type("Enter")
	s.Shows("= 3  : int\n>")
	shown := s.Text()
	s.Type("C-d")
	require.Equal(t, 0, s.Ended())

	assert.Zero(t, in(t, dir, "", "check", "session.rnl").exit, "what was saved is a script")
	trace, err := os.ReadFile(filepath.Join(dir, "trace.json"))
	require.NoError(t, err)
	assert.Contains(t, string(trace), "add")

	// What differs from run to run.
	shown = regexp.MustCompile(`took [\d.]+\S*s`).ReplaceAllString(shown, "took 1ms")
	shown = regexp.MustCompile(`(?m)^\d+ +(\S.*(?:sleeps|runs|waits).*)$`).ReplaceAllString(shown, "N     $1")
	shown = regexp.MustCompile(`// #\d+`).ReplaceAllString(shown, "// #1")
	shown = regexp.MustCompile(`(?m)^ +\d+(  [A-Z]+ )`).ReplaceAllString(shown, "      1$1")
	if *update {
		require.NoError(t, os.WriteFile("testdata/session.txt", []byte(shown), 0o644))
	}
	want, err := os.ReadFile("testdata/session.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), shown)
}

// Blocks of lines that are not indented, failures of tasks and actors, and files that
// change, at a terminal that can do all and at one that can do nothing.
func TestSessionsTellWhatHappens(t *testing.T) {
	for _, term := range []string{"TERM=xterm-256color", "TERM=dumb"} {
		t.Run(term, func(t *testing.T) {
			s, dir := begin(t, 120, 60, term)
			file := filepath.Join(dir, "m.rnl")
			version := func(v string) { require.NoError(t, os.WriteFile(file, []byte("pub fn v() -> int { "+v+" }\n"), 0o644)) }
			version("1")
			for _, st := range []step{
				{"fn f() {", "fn f() {\n."},
				{"print(1)", "print(1)\n."},
				{"}", "}\n>"},
				{"f()", "f()\n1\n>"},
				{`let t = spawn { throw error("lost") }`, "task in script     entry 3:1:17\n  spawned in script  entry 3:1:9\n>"},
				{"import actor", "import actor\n>"},
				{"struct A { fn receive(m: int, ctx: actor.Context<int>) { print(1 / m) } }", "} }\n>"},
				{"let a = actor.start(A())", "(A())\n>"},
				{"a.tell(0)", "started in script  entry 6:1:9\n>"},
				{`import "./m"`, `> import "./m"` + "\n>"},
				{"let go_on = chan<int>()", "chan<int>()\n>"},
				{"let old = spawn { let _ = go_on.recv(); m.v() }", "m.v() }\n>"},
			} {
				st.take(t, s)
			}
			version("2")
			step{`import "./m"`, "m.rnl: reloaded, with new values; existing tasks and functions keep the old code and its values\n>"}.take(t, s)
			step{"m.v()", "= 2  : int\n>"}.take(t, s)
			version("3")
			step{":reload", "keep the old code and its values\n>"}.take(t, s)
			step{"m.v()", "= 3  : int\n>"}.take(t, s)
			step{"go_on.send(0); await old", "= 1  : int\n>"}.take(t, s)
			step{":reload", "no imported file has changed\n>"}.take(t, s)
		})
	}
}

// What is piped is a script: it runs without a prompt, and its errors are those of
// a script.
func TestPipedInputIsAScript(t *testing.T) {
	assert.Equal(t, outcome{stdout: "1\n"}, in(t, t.TempDir(), "print(1)\n"))
	assert.Equal(t, exitScript, in(t, t.TempDir(), "throw error(\"x\")\n").exit)
	assert.Equal(t, exitUsage, in(t, t.TempDir(), "let = 1\n").exit)
}

func TestASessionEndsWithTheScriptsExitCode(t *testing.T) {
	s, _ := begin(t, 80, 24)
	step{"import sys", "import sys\n>"}.take(t, s)
	s.Type("spawn { sleep(100ms); sys.exit(3) }", "Enter")
	require.Equal(t, 3, s.Ended())
}
