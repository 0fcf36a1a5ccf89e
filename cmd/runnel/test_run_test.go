package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree writes files, in folders too, and gives their folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

func TestTestsOfFolders(t *testing.T) {
	dir := tree(t, map[string]string{
		"b.rnl": "test \"b\" {}\n", "a/one.rnl": "test \"one\" {}\n", "a/none.rnl": "throw error(\"has no tests\")\n",
		"a/.hidden/x.rnl": "test \"hidden\" {}\n", "a/note.txt": "test \"text\" {}\n", "a/speed.rnl": "bench \"speed\" {}\n",
	})
	got := in(t, dir, "", "test", "-v", ".", "b.rnl")
	assert.Regexp(t, `^ok    a/one.rnl: one\nok    b.rnl: b\n2 tests passed, 0 failed`, got.stdout)
	assert.Equal(t, 0, got.exit)
	got = in(t, dir, "", "test", "-v", "a/none.rnl", "a")
	assert.Regexp(t, `^ok    a/one.rnl: one\n1 test passed, 0 failed`, got.stdout)
	assert.Equal(t, 2, in(t, dir, "", "test", "nowhere").exit)
}

func TestOnlyAndSkip(t *testing.T) {
	files := map[string]string{"a.rnl": "test \"fast sum\" {}\ntest \"slow sum\" {}\ntest \"slow product\" {}\n"}
	for want, flags := range map[string][]string{
		"fast sum, slow sum": {"--only", "sum"}, "fast sum": {"--skip", "slow"}, "slow product": {"--only", "slow", "--skip=sum"}, "": {"--only", "nothing"},
	} {
		got := invoke(t, files, "", append([]string{"test", "-v", "a.rnl"}, flags...)...)
		var names []string
		for _, line := range strings.Split(got.stdout, "\n") {
			if name, ok := strings.CutPrefix(line, "ok    a.rnl: "); ok {
				names = append(names, name)
			}
		}
		assert.Equal(t, want, strings.Join(names, ", "), flags)
	}
}

// Ten tests that sleep for as long take less together than one after the other,
// and are told in the order of the source although the last ends first.
func TestParallelTests(t *testing.T) {
	var src, want strings.Builder
	src.WriteString("var n = 0\n")
	for i := range 10 {
		src.WriteString("test \"" + string(rune('a'+i)) + "\" { n += 1; sleep(" + string(rune('9'-i)) + "00ms); assert(n == 1); print(\"of " + string(rune('a'+i)) + "\"); assert(false) }\n")
		want.WriteString("FAIL  a.rnl: " + string(rune('a'+i)) + "\n")
	}
	start := time.Now()
	got := invoke(t, map[string]string{"a.rnl": src.String()}, "", "test", "--parallel", "10", "a.rnl")
	assert.Less(t, time.Since(start), 4*time.Second)
	assert.True(t, strings.HasPrefix(got.stdout, want.String()), got.stdout)
	last := -1
	for i := range 10 {
		at := strings.Index(got.stderr, "it printed:\nof "+string(rune('a'+i))+"\n")
		assert.Greater(t, at, last, "what a test printed stands with its error")
		last = at
	}
	assert.Equal(t, 1, got.exit)
}

func TestLimitsAreThoseOfATest(t *testing.T) {
	files := map[string]string{"a.rnl": `fn work() { var n = 0; for i in 0..60_000 { n += i } }
test "one" { work() }
test "two" { work() }
test "much" { loop { work() } }
test "after it" { work() }
`}
	got := invoke(t, files, "", "test", "-v", "--steps", "100_000", "a.rnl")
	assert.Contains(t, got.stdout, "ok    a.rnl: one\nok    a.rnl: two\nFAIL  a.rnl: much\nok    a.rnl: after it\n3 tests passed, 1 failed")
	got = invoke(t, files, "", "test", "-v", "--time", "500ms", "a.rnl")
	assert.Contains(t, got.stdout, "FAIL  a.rnl: much\nok    a.rnl: after it\n")
	assert.Contains(t, got.stderr, "stopped")
}

func TestWhatATestLeavesOpenIsTold(t *testing.T) {
	files := map[string]string{"a.rnl": `import fs
let log = fs.open("a.rnl")
test "leaves" { let f = fs.open("a.rnl"); f.read(1) }
test "closes" { let f = fs.open("a.rnl"); defer f.close(); f.read(1); log.read(1) }
`}
	got := invoke(t, files, "", "test", "a.rnl")
	assert.Equal(t, "note: a.rnl: leaves leaves open: file \"a.rnl\"\n", got.stderr)
	assert.Equal(t, 0, got.exit)
}

func TestEventsOfTests(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.rnl": "test \"good\" {}\n\ntest \"bad\" { print(\"<seen>\"); assert(1 == 2) }\n", "b.rnl": "print(nope)\n",
	})
	got := in(t, dir, "", "test", "--json", "--seed", "5", "a.rnl", "b.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Empty(t, got.stderr)
	var events []map[string]any
	lines := bufio.NewScanner(strings.NewReader(got.stdout))
	for lines.Scan() {
		var e map[string]any
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e), lines.Text())
		delete(e, "seconds")
		events = append(events, e)
	}
	require.Len(t, events, 4)
	assert.Equal(t, map[string]any{"event": "test", "file": "a.rnl", "line": 1.0, "name": "good", "passed": true, "seed": 5.0}, events[0])
	text := events[1]["text"]
	delete(events[1], "text")
	assert.Equal(t, map[string]any{"event": "test", "file": "a.rnl", "line": 3.0, "name": "bad", "passed": false, "seed": 5.0, "printed": "<seen>\n",
		"again":  "runnel test --seed 5 --only bad a.rnl",
		"errors": []any{map[string]any{"kind": "AssertError", "message": "assertion failed: 1 == 2\n  left:  1\n  right: 2", "file": "a.rnl", "line": 3.0, "column": 31.0}},
	}, events[1])
	assert.Contains(t, text, "3 | test \"bad\"")
	assert.Equal(t, "problem", events[2]["event"])
	assert.Contains(t, events[2]["text"], "error[E0201]")
	assert.Equal(t, map[string]any{"event": "end", "passed": 1.0, "failed": 1.0}, events[3])
}

func TestReportsAsJUnit(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.rnl": "test \"good\" {}\ntest \"a < b\" { print(\"\\u{1}seen\"); assert(1 == 2) }\n", "b.rnl": "print(nope)\n",
	})
	got := in(t, dir, "", "test", "--junit", "out.xml", "a.rnl", "b.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stdout, "FAIL  a.rnl: a < b")
	data, err := os.ReadFile(filepath.Join(dir, "out.xml"))
	require.NoError(t, err)
	var report struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Line    int    `xml:"line,attr"`
				Failure struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
				Error string `xml:"error"`
				Out   string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(data, &report))
	require.Len(t, report.Suites, 2)
	a, b := report.Suites[0], report.Suites[1]
	assert.Equal(t, []any{"a.rnl", 2, 1, 0}, []any{a.Name, a.Tests, a.Failures, a.Errors})
	assert.Empty(t, a.Cases[0].Failure.Message)
	assert.Equal(t, "a < b", a.Cases[1].Name)
	assert.Equal(t, 2, a.Cases[1].Line)
	assert.Contains(t, a.Cases[1].Failure.Message, "1 == 2")
	assert.Equal(t, "\ufffdseen\n", a.Cases[1].Out, "what XML cannot hold is replaced")
	assert.Equal(t, []any{"b.rnl", 1, 0, 1}, []any{b.Name, b.Tests, b.Failures, b.Errors})
	assert.Contains(t, b.Cases[0].Error, "E0201")
}

func TestEquationsOfDocComments(t *testing.T) {
	files := map[string]string{"a.rnl": "/// Twice: `double(2) == 4`.\n  /// Half: `half(3) == 1`\n/// Wrong: `double(2) == 5`\n/// A call: `double(2)`\n" +
		"fn double(n: int) -> int { n * 2 }\nfn half(n: int) -> int { n / 2 }\ntest \"first\" {}",
		"broken.rnl": "/// ünder: `double(2) == nope`\nfn double(n: int) -> int { n * 2 }\n"}
	got := invoke(t, files, "", "test", "-v", "--doc", "a.rnl")
	assert.Contains(t, got.stdout, "ok    a.rnl: first\nok    a.rnl: double(2) == 4\nok    a.rnl: half(3) == 1\nFAIL  a.rnl: double(2) == 5\n3 tests passed, 1 failed")
	assert.Contains(t, got.stderr, " --> a.rnl:3:13\n  |\n3 | /// Wrong: `double(2) == 5`\n")
	assert.Contains(t, invoke(t, files, "", "test", "a.rnl").stdout, "1 test passed, 0 failed")
	got = invoke(t, files, "", "test", "--doc", "broken.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, " --> broken.rnl:1:26\n  |\n1 | /// ünder: `double(2) == nope`\n  |                          ^^^^\n")
}

func TestWatchRunsTestsAgain(t *testing.T) {
	dir := tree(t, map[string]string{"a.rnl": "import \"./lib\"\ntest \"a\" { assert(lib.n() == 1) }\n", "lib.rnl": "pub fn n() -> int { 2 }\n"})
	cmd := exec.Command(binary, "test", "--watch", ".")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() }).Stop()
	lines := bufio.NewScanner(out)
	until := func(want string) {
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatal("there was no ", want)
	}
	until("0 tests passed, 1 failed")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib.rnl"), []byte("pub fn n() -> int { 1 } // mended\n"), 0o666))
	until("1 test passed, 0 failed")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "new.rnl"), []byte("test \"new\" {}\n"), 0o666))
	until("2 tests passed, 0 failed")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
}
