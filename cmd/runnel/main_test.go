package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/built"
)

var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndTest(m))
}

func buildAndTest(m *testing.M) int {
	dir, err := os.MkdirTemp("", "runnel-cmd-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "runnel")
	if err := built.Command(binary); err != nil {
		panic(err)
	}
	return m.Run()
}

type outcome struct {
	stdout, stderr string
	exit           int
}

// invoke runs the command in a folder with the files given.
func invoke(t *testing.T, files map[string]string, stdin string, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	return in(t, dir, stdin, args...)
}

// quickly runs a program that takes less than some time, at least once of a few times: the
// machine may be busy.
func quickly(t *testing.T, most time.Duration, run func() outcome) (o outcome) {
	t.Helper()
	for range 5 {
		begun := time.Now()
		if o = run(); time.Since(begun) < most {
			return o
		}
	}
	t.Errorf("it takes more than %v", most)
	return o
}

func in(t *testing.T, dir, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

const greet = "import sys\nprint(\"hello \" + sys.args.join(\",\"))\n"

func TestRun(t *testing.T) {
	files := map[string]string{"a.rnl": greet, "run": "print(1)\n"}
	for _, args := range [][]string{{"run", "a.rnl", "x", "-y"}, {"a.rnl", "x", "-y"}, {"--steps=1000", "a.rnl", "x", "-y"}} {
		assert.Equal(t, outcome{"hello x,-y\n", "", 0}, invoke(t, files, "", args...), args)
	}
	assert.Equal(t, outcome{"1\n", "", 0}, invoke(t, files, "", "./run"))
}

func TestScriptsFromStandardInputAndTheCommandLine(t *testing.T) {
	for _, args := range [][]string{{"-"}, {"run", "-"}, {}} {
		assert.Equal(t, outcome{"3\n", "", 0}, invoke(t, nil, "print(1 + 2)", args...), args)
	}
	for _, args := range [][]string{{"eval", "print(3)"}, {"eval", "-e", "print(3)"}, {"-e", "print(3)"}, {"eval", "import sys; print(sys.args[0])", "3"}} {
		assert.Equal(t, outcome{"3\n", "", 0}, invoke(t, nil, "", args...), args)
	}
}

func TestTheFirstLineMayNameTheCommand(t *testing.T) {
	got := invoke(t, map[string]string{"a": "#!" + binary + "\n" + greet}, "", "a")
	assert.Equal(t, outcome{"hello \n", "", 0}, got)
}

func TestUncaughtErrorsShowLineAndTrace(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `fn pick(xs: [int], i: int) -> int {
  xs[i]
}
fn down(n: int) -> int { if n == 0 { [1, 2].map(|i| pick([7], i)).len() } else { down(n - 1) + 1 } }
print("before")
print(down(3))
`}, "", "a.rnl")
	assert.Equal(t, outcome{"before\n", `error: IndexError: index 1 is out of range: the list has length 1
 --> a.rnl:2:3
  |
2 |   xs[i]
  |   ^^
trace, innermost call first:
  pick        a.rnl:2:3
  fn in down  a.rnl:4:53
  list.map    prelude/list.rnl:LINE
  down        a.rnl:4:38
  down        a.rnl:4:82  (3 times)
  script      a.rnl:6:7
`, 1}, withoutLine(got))
}

// withoutLine hides where in the library a call stands.
func withoutLine(o outcome) outcome {
	lines := strings.Split(o.stderr, "\n")
	for i, l := range lines {
		if at := strings.Index(l, "prelude/list.rnl:"); at >= 0 {
			lines[i] = l[:at] + "prelude/list.rnl:LINE"
		}
	}
	o.stderr = strings.Join(lines, "\n")
	return o
}

func TestASliceBeyondTheListIsToldOfTake(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": "let xs = [1, 2]\nprint(xs[..3])\n"}, "", "a.rnl")
	assert.Contains(t, got.stderr, "help: `xs.take(n)` returns the first n elements")
	got = invoke(t, map[string]string{"a.rnl": "let s = \"ab\"\nprint(s[..3])\n"}, "", "a.rnl")
	assert.NotContains(t, got.stderr, "take(n)", "a text has none")
}

func TestErrorsInTheLibraryPointAtTheCaller(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": "let xs = [1, 2]\nprint(xs.windows(0))\n"}, "", "a.rnl")
	assert.Contains(t, got.stderr, " --> a.rnl:2:7")
	assert.Equal(t, 1, got.exit)
}

func TestErrorsOfPrograms(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": "let unused = 1\nprint(nope)\n"}, "", "a.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, "error[E0201]")
	assert.NotContains(t, got.stderr, "warning", "a script runs without noise")
	got = invoke(t, map[string]string{"a.rnl": "throw error(\"first\\nsecond\")\n"}, "", "a.rnl")
	assert.Equal(t, 1, got.exit)
	assert.Contains(t, got.stderr, "error: first\n")
	assert.Contains(t, got.stderr, "second")
}

func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct {
		message string
		args    []string
	}{
		{"did you mean `check`?", []string{"chekc"}},
		{"cannot open none.rnl: no such file or directory", []string{"none.rnl"}},
		{"unknown flag --nope", []string{"run", "--nope", "a.rnl"}},
		{"--steps needs a value", []string{"run", "--steps"}},
		{"--steps x: expected a number", []string{"run", "--steps", "x", "a.rnl"}},
		{"--memory -1: expected a size", []string{"run", "--memory=-1", "a.rnl"}},
		{"--stack 1: expected a number", []string{"run", "--stack", "1", "a.rnl"}},
		{"--time 5: expected a duration", []string{"run", "--time", "5", "a.rnl"}},
		{"auto, always or never", []string{"run", "--color", "blue", "a.rnl"}},
		{"run needs a file", []string{"run"}},
		{"eval needs the text", []string{"eval"}},
		{"build needs a file", []string{"build", "a.rnl"}},
		{"dis needs a file", []string{"dis"}},
		{"there is no function `gret`: did you mean `greet`?", []string{"dis", "a.rnl", "gret"}},
		{"there is no code `E9999`", []string{"explain", "E9999"}},
	} {
		got := invoke(t, map[string]string{"a.rnl": "fn greet() { print(1) }\ngreet()"}, "", c.args...)
		assert.Equal(t, 2, got.exit, c.args)
		assert.Contains(t, got.stderr, c.message, c.args)
		assert.Empty(t, got.stdout, c.args)
	}
}

func TestLimits(t *testing.T) {
	endless := map[string]string{"steps.rnl": "loop {}\n", "memory.rnl": "let xs: [int] = []\nloop { xs.push(1) }\n",
		"stack.rnl": "fn f(n: int) -> int { f(n + 1) + 1 }\nprint(f(0))\n"}
	for _, c := range []struct {
		message string
		args    []string
	}{
		{"steps", []string{"--steps", "1_000_000", "steps.rnl"}},
		{"the time limit of 100ms is reached", []string{"--time", "100ms", "steps.rnl"}},
		{"memory limit of 16 MiB", []string{"--memory", "16M", "memory.rnl"}},
		{"stack is full (5000", []string{"--stack", "5000", "stack.rnl"}},
		{"stack is full", []string{"stack.rnl"}},
	} {
		start := time.Now()
		got := invoke(t, endless, "", c.args...)
		assert.Equal(t, 1, got.exit, c.args)
		assert.Contains(t, got.stderr, c.message, c.args)
		assert.Less(t, time.Since(start), 20*time.Second, c.args)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "4096": 4096, "1K": 1024, "64M": 64 << 20, "64MB": 64 << 20, "2GiB": 2 << 30, "1.5g": 3 << 29} {
		got, err := parseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "-1", "M", "1X", "NaN", "1e300", "inf"} {
		_, err := parseSize(text)
		assert.Error(t, err, text)
	}
}

func TestCheck(t *testing.T) {
	files := map[string]string{"good.rnl": "print(1)\n", "bad.rnl": "print(nope)\n", "warns.rnl": "fn f() { let unused = 1 }\nf()\n"}
	assert.Equal(t, outcome{"", "", 0}, invoke(t, files, "", "check", "good.rnl"))
	got := invoke(t, files, "", "check", "good.rnl", "bad.rnl", "warns.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, "error[E0201]")
	assert.Contains(t, got.stderr, "warning[W0601]")
	assert.Contains(t, got.stderr, "1 error, 1 warning")
	got = invoke(t, files, "", "check", "--json", "bad.rnl", "warns.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Regexp(t, `(?s)^\[.*"E0201".*"W0601".*\]\n$`, got.stdout)
	assert.Equal(t, 0, invoke(t, files, "", "check", "warns.rnl").exit)
}

func TestTests(t *testing.T) {
	files := map[string]string{"a.rnl": `let xs = [1]
fn main() { print("main") }
test "one" { xs.push(2); assert(xs.len() == 2) }
test "two" { print("seen"); assert(xs.len() == 2, "fresh") }
`}
	got := invoke(t, files, "", "test", "-v", "a.rnl")
	assert.Equal(t, 1, got.exit)
	assert.Empty(t, got.stderr)
	assert.Contains(t, got.stdout, "ok    a.rnl: one\nFAIL  a.rnl: two\n")
	assert.Contains(t, got.stdout, "fresh")
	assert.Contains(t, got.stdout, "it printed:\nseen\n\n1 test passed, 1 failed")
	assert.NotContains(t, got.stdout+got.stderr, "main\n")
	assert.Equal(t, outcome{"main\n", "", 0}, invoke(t, files, "", "a.rnl"))
}

func TestCompiledPrograms(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "a.rnl")
	require.NoError(t, os.WriteFile(source, []byte(greet+"print([1][3])\n"), 0o644))
	assert.Equal(t, outcome{}, in(t, dir, "", "build", "a.rnl", "-o", "a.rnlc"))
	got := in(t, dir, "", "run", "a.rnlc", "x")
	assert.Equal(t, "hello x\n", got.stdout)
	assert.Contains(t, got.stderr, "3 | print([1][3])", "the source is there and has not changed")
	require.NoError(t, os.WriteFile(source, []byte("print(2)\n"), 0o644))
	got = in(t, dir, "", "a.rnlc", "x")
	assert.Contains(t, got.stderr, "(a.rnl:3:7)", "the source has changed")
	assert.Equal(t, 1, got.exit)
	assert.Contains(t, in(t, dir, "", "dis", "a.rnlc").stdout, "CALLN")

	data, err := os.ReadFile(filepath.Join(dir, "a.rnlc"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cut.rnlc"), data[:len(data)/2], 0o644))
	got = in(t, dir, "", "run", "cut.rnlc")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, "damaged")
}

func TestHelpVersionExplain(t *testing.T) {
	got := invoke(t, nil, "", "help")
	assert.Contains(t, got.stdout, "runnel check")
	assert.Equal(t, got, invoke(t, nil, "", "--help"))
	assert.Contains(t, invoke(t, nil, "", "version").stdout, "runnel "+version)
	assert.Contains(t, invoke(t, nil, "", "explain", "e0301").stdout, "E0301: ")
	assert.Contains(t, invoke(t, nil, "", "explain").stdout, "E0301  ")
}

func TestColor(t *testing.T) {
	files := map[string]string{"a.rnl": "print(nope)\n"}
	assert.NotContains(t, invoke(t, files, "", "a.rnl").stderr, "\x1b")
	assert.Contains(t, invoke(t, files, "", "--color=always", "a.rnl").stderr, "\x1b")
}

// What a program does otherwise than it seems to is told when it runs; other warnings only
// with a flag.
func TestRunWarnsOfWhatMisleads(t *testing.T) {
	files := map[string]string{
		"a.rnl": "let n = 3\nlet unused = 7 // 2\nprint(`n is ${n}`)\n",
		"b.rnl": "let n = 1\n" + strings.Repeat("print(`${n}`)\n", 7),
		"c.rnl": "let n = 3\nprint(`n is ${n}`)\nlet x: int = n + \"\"\n",
		"d.rnl": "let n = 3\ntest \"t\" { assert(`${n}` != \"\") }\n",
		"e.rnl": "let n = 3\nprint(\"n is ${n}\")\n",
	}
	for _, args := range [][]string{{"a.rnl"}, {"run", "a.rnl"}, {"eval", files["a.rnl"]}} {
		got := invoke(t, files, "", args...)
		assert.Equal(t, "n is ${n}\n", got.stdout, args)
		assert.Zero(t, got.exit, args)
		assert.Contains(t, got.stderr, "nothing is inserted for `n`", args)
		assert.Contains(t, got.stderr, "begins a comment", args)
		assert.NotContains(t, got.stderr, "is never used", args)
	}
	assert.Contains(t, invoke(t, files, "", "run", "-w", "a.rnl").stderr, "is never used")
	assert.Equal(t, outcome{"n is ${n}\n", "", 0}, invoke(t, files, "", "run", "--quiet", "a.rnl"))
	many := invoke(t, files, "", "b.rnl").stderr
	assert.Equal(t, 5, strings.Count(many, "warning["))
	assert.Contains(t, many, "2 warnings more: `runnel check` shows all")
	assert.Contains(t, invoke(t, files, "", "c.rnl").stderr, "nothing is inserted")
	assert.Contains(t, invoke(t, files, "", "test", "d.rnl").stderr, "nothing is inserted")
	assert.Equal(t, outcome{"n is 3\n", "", 0}, invoke(t, files, "", "e.rnl"))
}
