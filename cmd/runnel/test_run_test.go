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
	assert.Regexp(t, `^2 tests passed, 0 failed`, in(t, dir, "", "test").stdout, "of this folder")
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
	var src strings.Builder
	src.WriteString("var n = 0\n")
	for i := range 10 {
		src.WriteString("test \"" + string(rune('a'+i)) + "\" { n += 1; sleep(" + string(rune('9'-i)) + "00ms); assert(n == 1); print(\"of " + string(rune('a'+i)) + "\"); assert(false) }\n")
	}
	got := quickly(t, 4*time.Second, func() outcome {
		return invoke(t, map[string]string{"a.rnl": src.String()}, "", "test", "--parallel", "10", "a.rnl")
	})
	last := -1
	for i := range 10 {
		name := string(rune('a' + i))
		head, printed := strings.Index(got.stdout, "FAIL  a.rnl: "+name+"\n"), strings.Index(got.stdout, "it printed:\nof "+name+"\n")
		assert.Greater(t, head, last)
		assert.Greater(t, printed, head, "what a test printed stands with its error")
		last = printed
	}
	assert.Equal(t, 1, got.exit)
}

// They run at the same time although they stand in different files.
func TestParallelFiles(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files[name+".rnl"] = "test \"" + name + "\" { sleep(500ms) }\n"
	}
	got := quickly(t, 2*time.Second, func() outcome { return in(t, tree(t, files), "", "test", "-v", "--parallel", "5", ".") })
	assert.Regexp(t, `^ok    a.rnl: a .*\nok    b.rnl: b .*\nok    c.rnl: c .*\nok    d.rnl: d .*\nok    e.rnl: e .*\n5 tests passed`, got.stdout)
}

func TestLimitsAreThoseOfATest(t *testing.T) {
	files := map[string]string{"a.rnl": `fn work() { var n = 0; for i in 0..60_000 { n += i } }
test "one" { work() }
test "two" { work() }
test "much" { loop { work() } }
test "after it" { work() }
`, "m.rnl": `test "much" { let xs: [int] = []; loop { xs.push(1) } }
test "little" { let xs = [1] }
`}
	got := invoke(t, files, "", "test", "-v", "--steps", "100_000", "a.rnl")
	assert.Regexp(t, `(?s)^ok    a.rnl: one.*\nok    a.rnl: two.*\nFAIL  a.rnl: much\nerror: the limit of 100000 steps.*\n\nok    a.rnl: after it.*\n3 tests passed, 1 failed`, got.stdout)
	got = invoke(t, files, "", "test", "-v", "--memory", "1M", "m.rnl")
	assert.Regexp(t, `(?s)FAIL  m.rnl: much\nerror: the memory limit of 1 MiB is reached.*\nok    m.rnl: little`, got.stdout)
	got = invoke(t, files, "", "test", "-v", "--time", "500ms", "a.rnl")
	assert.Regexp(t, `(?s)FAIL  a.rnl: much\n.*time limit of 500ms.*\n\nok    a.rnl: after it`, got.stdout)
}

func TestWhatATestLeavesOpenIsTold(t *testing.T) {
	files := map[string]string{"a.rnl": `import fs
let log = fs.open("a.rnl")
test "leaves" { let f = fs.open("a.rnl"); f.read(1) }
test "reads all" { for line in fs.lines("a.rnl") { assert(line != "") } }
test "closes" { let f = fs.open("a.rnl"); defer f.close(); f.read(1); log.read(1) }
`}
	got := invoke(t, files, "", "test", "a.rnl")
	assert.True(t, strings.HasPrefix(got.stdout, "ok    a.rnl: leaves\nnote: left open: file \"a.rnl\", opened at a.rnl:3:25\n3 tests passed"), got.stdout)
	got = invoke(t, files, "", "test", "--json", "a.rnl")
	assert.Contains(t, got.stdout, `"open":[{"name":"file \"a.rnl\"","file":"a.rnl","line":3,"column":25}]`)
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
	assert.Equal(t, "problem", events[0]["event"], "before a test runs")
	assert.Contains(t, events[0]["text"], "error[E0201]")
	events = events[1:]
	assert.Equal(t, map[string]any{"event": "test", "file": "a.rnl", "line": 1.0, "name": "good", "passed": true, "seed": 5.0}, events[0])
	text := events[1]["text"]
	delete(events[1], "text")
	assert.Equal(t, map[string]any{"event": "test", "file": "a.rnl", "line": 3.0, "name": "bad", "passed": false, "seed": 5.0, "printed": "<seen>\n",
		"again":  "runnel test --seed 5 --only bad a.rnl",
		"errors": []any{map[string]any{"kind": "AssertError", "message": "assertion failed: 1 == 2\n  left:  1\n  right: 2", "file": "a.rnl", "line": 3.0, "column": 31.0}},
	}, events[1])
	assert.Contains(t, text, "3 | test \"bad\"")
	assert.Equal(t, map[string]any{"event": "end", "passed": 1.0, "failed": 1.0, "broken": 1.0}, events[2])
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
	assert.Contains(t, string(data), `<testsuites tests="3" failures="1" errors="1" time="`)
	var report struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure struct {
					Type    string `xml:"type,attr"`
					Message string `xml:"message,attr"`
				} `xml:"failure"`
				Error string `xml:"error"`
				Out   string `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(data, &report))
	require.Len(t, report.Suites, 2)
	b, a := report.Suites[0], report.Suites[1]
	assert.Equal(t, []any{"a.rnl", 2, 1, 0}, []any{a.Name, a.Tests, a.Failures, a.Errors})
	assert.Empty(t, a.Cases[0].Failure.Message)
	assert.Equal(t, "a < b", a.Cases[1].Name)
	assert.Equal(t, "AssertError", a.Cases[1].Failure.Type)
	assert.Contains(t, a.Cases[1].Failure.Message, "1 == 2")
	assert.Equal(t, "\ufffdseen\n", a.Cases[1].Out, "what XML cannot hold is replaced")
	assert.Equal(t, []any{"b.rnl", 1, 0, 1}, []any{b.Name, b.Tests, b.Failures, b.Errors})
	assert.Contains(t, b.Cases[0].Error, "E0201")
}

func TestEquationsOfDocComments(t *testing.T) {
	files := map[string]string{"a.rnl": "/// Twice: `double(2) == 4`.\n  /// Half: `half(3) == 1`\n/// Wrong: `double(2) == 5`\n/// A call: `double(2)`\n/// A comment: `double(2) == 4 // indeed`\n" +
		"fn double(n: int) -> int { n * 2 }\nfn half(n: int) -> int { n / 2 }\ntest \"first\" {}",
		"broken.rnl": "/// ünder: `double(2) == nope`\nfn double(n: int) -> int { n * 2 }\n"}
	got := invoke(t, files, "", "test", "-v", "--doc", "a.rnl")
	assert.Contains(t, got.stdout, "ok    a.rnl: first\nok    a.rnl: double(2) == 4\nok    a.rnl: half(3) == 1\nFAIL  a.rnl: double(2) == 5\n")
	assert.Contains(t, got.stdout, "\n\n3 tests passed, 1 failed")
	assert.Contains(t, got.stdout, " --> a.rnl:3:13\n  |\n3 | /// Wrong: `double(2) == 5`\n")
	assert.Contains(t, invoke(t, files, "", "test", "a.rnl").stdout, "1 test passed, 0 failed")
	got = invoke(t, files, "", "test", "--doc", "broken.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, " --> broken.rnl:1:26\n  |\n1 | /// ünder: `double(2) == nope`\n  |                          ^^^^\n")
}

// What the library spawns is told of where the script called it.
func TestTimersLeftByATest(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `import time
fn later() { time.after(1h) }
test "after" { later() }
test "ticks" { let ticks = time.ticks(1h) }
test "closed" { let ticks = time.ticks(1ms); ticks.recv(); ticks.close(); sleep(5ms) }
`}, "", "test", "a.rnl")
	assert.Contains(t, got.stdout, "still alive at the end of the test\n --> a.rnl:2:14\n")
	assert.Contains(t, got.stdout, "still alive at the end of the test\n --> a.rnl:4:28\n")
	assert.Contains(t, got.stdout, "1 test passed, 2 failed")
}

// A script that has been busy with actors for a while is looked through less often.
func TestActorsThatATestLetsGoOfEndInTime(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `import actor
struct Echo { fn receive(msg: int, ctx: actor.Context<int>) {} }
let busy = actor.start(Echo())
for n in 0..300 { busy.tell(n); sleep(1ms) }
test "lets go" { actor.start(Echo()).tell(1) }
`}, "", "test", "a.rnl")
	assert.Contains(t, got.stdout, "1 test passed, 0 failed")
}

func TestWhatATestPrintsIsShownWhenAskedFor(t *testing.T) {
	files := map[string]string{"a.rnl": "import io\ntest \"prints\" { io.write(\"no line\") }\n"}
	assert.Regexp(t, `^1 test passed, 0 failed \(`, invoke(t, files, "", "test", "a.rnl").stdout)
	assert.Regexp(t, `^ok    a.rnl: prints\nit printed:\nno line\n1 test passed`, invoke(t, files, "", "test", "-v", "a.rnl").stdout)
}

func TestSummaries(t *testing.T) {
	files := map[string]string{"good.rnl": "test \"good\" {}\n", "bad.rnl": "test \"bad\" { assert(false) }\n", "broken.rnl": "print(nope)\n"}
	for _, c := range []struct {
		args, want string
		exit       int
	}{
		{"good.rnl", "1 test passed, 0 failed", 0},
		{"good.rnl bad.rnl", "1 test passed, 1 failed", 1},
		{"good.rnl broken.rnl", "1 test passed, 0 failed, 1 file with mistakes", 2},
		{"good.rnl --only nothing", "0 tests passed, 0 failed: no test name contains \"nothing\"", 0},
		{"good.rnl --color always", "\x1b[1;32m1 test passed, 0 failed\x1b[0m", 0},
		{"bad.rnl --color always", "\x1b[1;31m0 tests passed, 1 failed\x1b[0m", 1},
	} {
		got := invoke(t, files, "", append([]string{"test"}, strings.Fields(c.args)...)...)
		assert.Contains(t, got.stdout, c.want+" (", c.args)
		assert.Equal(t, c.exit, got.exit, c.args)
	}
}

func TestWatchRunsTestsAgain(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.rnl": "import \"./lib\"\ntest \"a\" { assert(lib.n() == 1) }\n", "b.rnl": "test \"b\" {}\n", "lib.rnl": "pub fn n() -> int { 2 }\n",
	})
	cmd := exec.Command(binary, "test", "-v", "--watch", ".")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() }).Stop()
	lines := bufio.NewScanner(out)
	run := func() string { // the tests of the next run, and their end
		var told []string
		for lines.Scan() {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "FAIL"), strings.HasPrefix(line, "ok"):
				told = append(told, line)
			case strings.Contains(line, " passed, "):
				summary, _, _ := strings.Cut(line, " (")
				return strings.Join(append(told, summary), "\n")
			}
		}
		t.Fatal("there was no other run")
		return ""
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	assert.Equal(t, "FAIL  a.rnl: a\nok    b.rnl: b\n1 test passed, 1 failed", run())
	write("b.rnl", "test \"b again\" {}\n")
	assert.Equal(t, "FAIL  a.rnl: a\nok    b.rnl: b again\n1 test passed, 1 failed", run(), "those that failed run too")
	write("lib.rnl", "pub fn n() -> int { 1 } // mended\n")
	assert.Equal(t, "ok    a.rnl: a\n1 test passed, 0 failed", run(), "what imports it has changed")
	write("new.rnl", "test \"new\" {}\n")
	assert.Equal(t, "ok    new.rnl: new\n1 test passed, 0 failed", run())
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
}
