package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

const busy = `import fs
fn work(id: int, out: chan<int>) -> int {
  sleep(2ms)
  out.send(id)
  id
}
let out = chan<int>(1)
let tasks: [task<int>] = []
for i in 0..5 { tasks.push(spawn work(i, out)) }
var sum = 0
for _ in 0..5 { sum += out.recv()! }
sum += await_all(tasks).sum()
fs.write("made.txt", "x")
print(sum)
`

func TestTraces(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rnl"), []byte(busy), 0o644))
	for _, args := range [][]string{{"--seed", "7", "--trace", "1.json"}, {"--seed", "7", "--trace", "2.json"}, {"--trace", "3.json"}, {"--seed=7", "--trace=4.json.gz"}} {
		assert.Equal(t, outcome{"20\n", "", 0}, in(t, dir, "", append(append([]string{"run"}, args...), "a.rnl")...), args)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(data)
	}
	first := read("1.json")
	assert.Equal(t, first, read("2.json"), "one seed, one trace")
	zipped, err := gzip.NewReader(strings.NewReader(read("4.json.gz")))
	require.NoError(t, err)
	unzipped, err := io.ReadAll(zipped)
	require.NoError(t, err)
	assert.Equal(t, first, string(unzipped))
	for _, text := range []string{first, read("3.json")} {
		assert.Equal(t, map[string]int{"work": 5, "arrows from spawn": 5, "arrows from await": 5, "at a.rnl:9": 5}, countTrace(t, text))
	}
}

// countTrace counts tasks by name, arrows, and spawns by place.
func countTrace(t *testing.T, text string) map[string]int {
	var records []struct {
		Ph, Name, Cat string
		Args          struct{ At string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &records))
	got := map[string]int{}
	for _, r := range records {
		switch {
		case r.Ph == "b" && r.Name == "work":
			got["work"]++
			got["at "+r.Args.At]++
		case r.Ph == "f" && (r.Name == "spawn" || r.Name == "await"):
			got["arrows from "+r.Name]++
		}
	}
	return got
}

func TestLongTracesHaveBothEnds(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `fn f(n: int) -> int {
  if n == 0 { throw error("deep") }
  f(n - 1) + 1
}
fn begin() -> int { f(1000) }
print(begin())
`}, "", "a.rnl")
	assert.Contains(t, got.stderr, `trace, innermost call first:
  f       a.rnl:2:15
  f       a.rnl:3:3  (19 times)
  ... 963 more
  f       a.rnl:3:3  (18 times)
  begin   a.rnl:5:21
  script  a.rnl:6:7
`)
}

func TestTracesOfRunsThatStopEarly(t *testing.T) {
	for _, end := range []string{"import sys; sys.exit(0)", "throw error(\"x\")", "loop {}"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rnl"), []byte("spawn { sleep(1h) }\nyield_now()\n"+end+"\n"), 0o644))
		in(t, dir, "", "run", "--time", "500ms", "--trace", "t.json", "a.rnl")
		data, err := os.ReadFile(filepath.Join(dir, "t.json"))
		require.NoError(t, err)
		countTrace(t, string(data))
		assert.Equal(t, bytes.Count(data, []byte(`{"ph":"b"`)), bytes.Count(data, []byte(`{"ph":"e"`)), end)
		assert.Equal(t, bytes.Count(data, []byte(`{"ph":"B"`)), bytes.Count(data, []byte(`{"ph":"E"`)), end)
	}
	got := invoke(t, map[string]string{"a.rnl": ""}, "", "run", "--trace", "none/t.json", "a.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, "cannot open none/t.json")
}

func TestStatistics(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": busy}, "", "run", "--seed", "1", "--stats", "a.rnl")
	assert.Equal(t, "20\n", got.stdout)
	assert.Equal(t, 0, got.exit)
	for _, row := range []string{`tasks spawned +5`, `failed +0`, `alive at most +[56]`, `switches +[1-9]\d+`, `preemptions +\d+`,
		`values sent +5`, `IO jobs +\d`, `longest look +\d.*s`, `wall time +\d.*s`, `CPU time +\d.*s`, `peak memory +\d+\.\d MiB`} {
		assert.Regexp(t, `(?m)^ *`+row+`$`, got.stderr)
	}
	got = invoke(t, map[string]string{"a.rnl": "throw error(\"x\")\n"}, "", "run", "--stats", "a.rnl")
	assert.Equal(t, 1, got.exit)
	assert.Regexp(t, `(?s)error: x.*tasks spawned +0\n`, got.stderr, "also when it fails")
}

func TestMachineCode(t *testing.T) {
	if !runnel.NativeSupported() {
		t.Skip("there is no machine code here")
	}
	long := "fn sum(n: int) -> int {\n  var s = 0\n  for i in 0..n { s += i % 7 }\n  s\n}\nfor i in 0..100 { print(sum(100_000 + i)) }\n"
	want := invoke(t, map[string]string{"a.rnl": long}, "", "run", "a.rnl")
	got := invoke(t, map[string]string{"a.rnl": long}, "", "run", "--native", "--stats", "a.rnl")
	assert.Equal(t, want.stdout, got.stdout)
	assert.Regexp(t, `(?m)^ *compiled +[1-9]\d*$`, got.stderr)
	assert.Regexp(t, `(?m)^ *machine code +\d+ KiB$`, got.stderr)
	assert.Regexp(t, `(?m)^ *calls out: out of fuel +\d+$`, got.stderr)
}

func TestWorkers(t *testing.T) {
	for _, n := range []string{"1", "2", "8"} {
		assert.Equal(t, outcome{"20\n", "", 0}, invoke(t, map[string]string{"a.rnl": busy}, "", "run", "--workers", n, "a.rnl"))
	}
}

const racy = `struct Counter { n: int = 0 }
test "no update is lost" {
  let c = Counter()
  scope { for _ in 0..2 { spawn {
    let n = c.n
    yield_now()
    c.n = n + 1
  } } }
  assert(c.n == 2)
}
test "nor with a lock" {
  let c = mutex(0)
  scope { for _ in 0..2 { spawn { lock c as n { yield_now(); n += 1 } } } }
  assert(c.get() == 2)
}
`

func TestExploringSchedules(t *testing.T) {
	files := map[string]string{"it's racy.rnl": racy}
	got := invoke(t, files, "", "test", "--explore", "100", "-v", "it's racy.rnl")
	assert.Equal(t, 1, got.exit)
	failure := regexp.MustCompile(`(?s)^FAIL  it's racy.rnl: no update is lost\n.*reproduce with seed (\d+):\n  runnel test --seed (\d+) --only 'no update is lost' 'it'\\''s racy.rnl'\n\n`)
	found := failure.FindStringSubmatch(got.stdout)
	require.NotNil(t, found, got.stdout)
	assert.Regexp(t, `ok    it's racy.rnl: nor with a lock \(100 schedules\).*\n1 test passed, 1 failed`, got.stdout)
	assert.Equal(t, found[1], found[2])
	for range 3 {
		again := invoke(t, files, "", "test", "--seed", found[1], "--only", "no update is lost", "it's racy.rnl")
		assert.Equal(t, found[0], failure.FindString(again.stdout))
		assert.Contains(t, again.stdout, "0 tests passed, 1 failed")
	}
	more := invoke(t, files, "", "test", "--explore=1", "--seed", found[1], "it's racy.rnl")
	assert.Equal(t, found[0], failure.FindString(more.stdout), "seeds are counted from the one given")
}

func TestTasksLeftByATest(t *testing.T) {
	for _, flags := range [][]string{nil, {"--seed", "3"}} {
		got := invoke(t, map[string]string{"a.rnl": `fn wait() { sleep(1h) }
test "leaves tasks behind" {
  for _ in 0..3 { spawn detached wait() }
  spawn detached { sleep(1h) }
}
test "cleans up" {
  let t = spawn wait()
  yield_now()
  t.cancel()
}
test "sees a task that is about to end" {
  let c = chan<int>()
  spawn { c.send(1) }
  assert(c.recv()! == 1)
}
`}, "", append(append([]string{"test", "-v"}, flags...), "a.rnl")...)
		assert.Equal(t, 1, got.exit)
		assert.Contains(t, got.stdout, "\n\nok    a.rnl: cleans up\nok    a.rnl: sees a task that is about to end\n")
		assert.Contains(t, got.stdout, "error: 3 tasks that were spawned here are still alive at the end of the test\n --> a.rnl:3:19")
		assert.Contains(t, got.stdout, "error: a task that was spawned here is still alive at the end of the test\n --> a.rnl:4:3")
	}
}

func TestFailuresNobodyHearsOf(t *testing.T) {
	files := map[string]string{"a.rnl": "spawn { throw error(\"lost\") }\nsleep(5ms)\nprint(1)\n",
		"b.rnl": "test \"x\" {\n  spawn { throw error(\"lost\") }\n}\n"}
	got := invoke(t, files, "", "run", "a.rnl")
	assert.Equal(t, "1\n", got.stdout)
	assert.Contains(t, got.stderr, "error: lost\n --> a.rnl:1:9")
	assert.Equal(t, 1, got.exit)
	got = invoke(t, files, "", "test", "b.rnl")
	assert.Contains(t, got.stdout, "error: lost\n --> b.rnl:2:11")
	assert.Equal(t, 1, got.exit)
}

// interrupt runs a script, or its tests, sends it an interrupt for each line of
// output it waits for, and gives how it ends.
func interrupt(t *testing.T, command, script string, lines ...string) outcome {
	t.Helper()
	return signalled(t, os.Interrupt, command, script, lines...)
}

// signalled sends a signal each time that one of the lines is printed.
func signalled(t *testing.T, signal os.Signal, command, script string, lines ...string) outcome {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted there")
	}
	cmd := exec.Command(binary, command, "a.rnl")
	cmd.Dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "a.rnl"), []byte(script), 0o644))
	var stderr, rest bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	stdout := bufio.NewReader(io.TeeReader(pipe, &rest))
	for _, line := range lines {
		got, err := stdout.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, line+"\n", got)
		require.NoError(t, cmd.Process.Signal(signal))
	}
	io.Copy(io.Discard, stdout)
	cmd.Wait()
	return outcome{rest.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func TestTheFirstInterruptCancelsTheProgram(t *testing.T) {
	for name, wait := range map[string]string{
		"asleep": "sleep(1h)", "busy": "loop {}", "receiving": "chan<int>().recv()", "awaiting": "await spawn { sleep(1h) }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := interrupt(t, "run", `let left = mutex(0)
fn hold(ready: chan<int>) {
  defer { sleep(1ms); lock left as n { n += 1 } }
  ready.send(1)
  sleep(1h)
}
fn main() {
  defer print("main is done")
  let ready = chan<int>()
  scope {
    defer { print("left") }
    spawn hold(ready)
    spawn hold(ready)
    for _ in 0..2 { ready.recv() }
    print("ready")
    `+wait+`
  }
}
`, "ready")
			assert.Equal(t, 130, got.exit, got.stderr)
			assert.Equal(t, "ready\nleft\nmain is done\n", got.stdout)
		})
	}
}

func TestTheLimitOfTimeEndsTheProcess(t *testing.T) {
	const words = `
import actor
struct A { fn receive(m: int, ctx: actor.Context<int>) {}
  fn on_stop(ctx: actor.Context<int>, killed: bool) { sleep(900ms); print("said") } }
let a = actor.start(A())
`
	for src, want := range map[string]string{
		"defer { loop {} }\nloop {}":                                                                "",
		"defer { print(\"deferred\"); sleep(1h) }\nsleep(1h)":                                       "deferred\n",
		"import reactive\nlet c = reactive.computed(|| { sleep(1h); 1 })\nprint(c.get())":           "",
		"spawn detached { defer { sleep(1h) }; sleep(1h) }\nyield_now()":                            "",
		words + "defer { sleep(1h) }\nsleep(1h)":                                                    "said\n",
		"test \"slow\" { defer { sleep(1h) }; sleep(1h) }\nbench \"slow\" { sleep(1h) }\nsleep(1h)": "",
	} {
		got := quickly(t, 4*time.Second, func() outcome {
			return invoke(t, map[string]string{"a.rnl": src}, "", "run", "--time", "400ms", "a.rnl")
		})
		assert.Equal(t, 1, got.exit, src)
		assert.Equal(t, want, got.stdout, src)
		assert.True(t, strings.HasPrefix(got.stderr, "error: the time limit of 400ms is reached\n"), "%s:\n%s", src, got.stderr)
	}
	got := quickly(t, 4*time.Second, func() outcome {
		return invoke(t, map[string]string{"a.rnl": "test \"slow\" { defer { sleep(1h) }; sleep(1h) }"}, "", "test", "--time", "400ms", "a.rnl")
	})
	assert.Contains(t, got.stdout, "the time limit of 400ms is reached")
}

func TestTheSecondInterruptEndsTheProcess(t *testing.T) {
	got := interrupt(t, "run", `fn main() {
  defer {
    print("cleaning")
    loop { sleep(1ms) }
  }
  print("ready")
  sleep(1h)
}
`, "ready", "cleaning")
	assert.Equal(t, 130, got.exit, got.stderr)
	assert.Equal(t, "ready\ncleaning\n", got.stdout)
}

func TestASigtermIsHeededAsAnInterruptIs(t *testing.T) {
	got := signalled(t, syscall.SIGTERM, "run", "fn main() {\n  defer print(\"cleaned up\")\n  print(\"ready\")\n  sleep(1h)\n}\n", "ready")
	assert.Equal(t, 143, got.exit, got.stderr)
	assert.Equal(t, "ready\ncleaned up\n", got.stdout)
	got = signalled(t, syscall.SIGTERM, "run", `import http
import sys
let server = http.listen("127.0.0.1:0", |_| { print("handled"); sleep(100ms); http.text("done") })
let signals = sys.signals(["term"])
let stopped = spawn { (signals.next()!, server.stop()) }
let reply = spawn http.get("http://${server.address()}/").text()
server.wait()
let (name, all) = await stopped
print(name, all)
print(await reply)
`, "handled")
	assert.Equal(t, 0, got.exit, got.stderr)
	assert.Equal(t, "handled\nterm true\ndone\n", got.stdout)
}

// Whoever has asked a server before a SIGTERM gets an answer.
func TestASigtermLetsRequestsInHandBeAnswered(t *testing.T) {
	got := signalled(t, syscall.SIGTERM, "run", `import http
let server = http.listen("127.0.0.1:0", |req| { print("handled"); let t = spawn { sleep(300ms); 7 }; http.text("done ${await t}") })
let address = server.address()
server.stop()
spawn {
  sleep(20ms)
  defer print("over")
  let r = http.get("http://${address}/")
  print(r.status, r.text())
  sleep(1h)
}
http.serve(address, |req| { print("handled"); let t = spawn { sleep(300ms); 7 }; http.text("done ${await t}") })
`, "handled")
	assert.Equal(t, 143, got.exit, got.stderr)
	assert.Equal(t, "handled\n200 done 7\nover\n", got.stdout)
}

func TestInterruptedTests(t *testing.T) {
	got := interrupt(t, "test", `test "fails" { assert(false) }
test "endless" { loop {} }
test "not run" { assert(false) }
`, "FAIL  a.rnl: fails")
	assert.Equal(t, 130, got.exit, got.stderr)
	assert.Regexp(t, `(?s)^FAIL  a.rnl: fails\n.*\n\n(FAIL  a.rnl: endless\n.*\n\n)?0 tests passed, [12] failed`, got.stdout)
}
