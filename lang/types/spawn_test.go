package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTasksMayNotShareVars(t *testing.T) {
	expects(t, `
var total = 0
fn add() { total += 1 }
fn indirect() { add() }
struct Job { n: int
  fn run() { indirect() }
  fn safe() -> int { self.n }
}
spawn { print(total) } //~ E0501
spawn add() //~ E0501
spawn { indirect() } //~ E0501
spawn Job(1).run() //~ E0501
spawn Job(1).safe()
spawn (|| total)() //~ E0501
let bump = || { total += 1 }
spawn bump() //~ E0501
spawn { bump() } //~ E0501
fn f() {
  var local = 0
  let fixed = 1
  spawn { print(fixed) }
  spawn { print(local) } //~ E0501
  let g = || local + 1
  spawn g() //~ E0501
  spawn print(local)
  spawn { var mine = 0
    let h = || { mine += 1 }
    h()
    spawn { print(mine) } //~ E0501
  }
  local += 1
  let tasks = [1].map(|x| spawn { print(x + local) }) //~ E0501
  print(tasks.len())
}
fn passed(g: fn()) { spawn g() }
passed(|| print(1))
f()
total += 1
`)
}

func TestTheReportShowsThePathOfCalls(t *testing.T) {
	c := check(t, `
var total = 0
fn add() { total += 1 }
fn indirect() { add() }
spawn indirect()
`, nil)
	require.Len(t, c.diags, 1)
	d := c.diags[0]
	require.Equal(t, "a spawned task cannot use the variable `total`", d.Message)
	require.Contains(t, d.Notes[0], "`indirect`, which calls `add`, which uses `total` at main.rnl:3")
	require.Contains(t, d.Help[0], "mutex")
	require.Contains(t, d.Help[0], "chan")
	require.Contains(t, d.Help[0], "sync.atomic")
}

func TestLockedValuesDoNotEscape(t *testing.T) {
	expects(t, `
let m = mutex([1])
fn f() {
  lock m as v {
    v.push(1)
    v = [2]
    let g = || v.len() //~ E0502
    spawn { print(v) } //~ E0502
    defer print(v) //~ E0502
    defer { print(v) } //~ E0502
    print(g())
  }
  let n = lock m as v { v.len() }
  print(n)
  lock 5 as v { print(v) } //~ E0504
}
f()
`)
}

func TestConcurrentForms(t *testing.T) {
	expects(t, `
fn work(n: int) -> int { n }
let t = spawn work(1)
print(await t + 1)
print(await work(1)) //~ E0504
let u: task<str> = spawn { "a" }
print(await u)
let r = scope { 5 }
print(r + 1)
let c = chan<int>(1)
let x = select {
  let v = c.recv() => v ?? 0
  after 1s => 2
}
print(x + 1)
select {
  c.send("a") => {} //~ E0301
  after 5 => {} //~ E0301
}
spawn work //~ E0114
spawn { return 1 }
let q: [task<int>] = [1].map(|n| spawn work(n))
print(await q) //~ E0504
for v in c { print(v + 1) }
print(await_all(q))
`)
}

func TestCapturesAreListedInOrder(t *testing.T) {
	c := accepts(t, `
fn f(a: int, b: int) -> fn(int) -> int {
  var n = 0
  |x| {
    n += b
    let g = || a + n + x
    g()
  }
}
print(f(1, 2)(3))
`)
	var captured [][]string
	for _, ls := range c.prog.Main.Info.Captures {
		var names []string
		for _, l := range ls {
			names = append(names, l.Name)
			require.True(t, l.Captured)
		}
		captured = append(captured, names)
	}
	require.ElementsMatch(t, [][]string{{"n", "b", "a"}, {"a", "n", "x"}}, captured)
}
