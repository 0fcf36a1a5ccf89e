package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoCounters = `import sys
struct Counter { hits: int = 0 }
fn count(c: Counter) {
  c.hits += 1
}
let c = Counter()
let t = spawn count(c)
count(c)
await t
if sys.args == ["exit"] { sys.exit(0) }
test "counts" { print(c.hits) }
`

const race = `error: data race on field hits of Counter
 --> a.rnl:4:3
  |
4 |   c.hits += 1
  |   ^ write in task 3 (count)
  |
  = note: previous write in script at a.rnl:4:3
  = note: task 3 (count) was spawned at a.rnl:7:9
`

func TestRaces(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("a.rnl", twoCounters)
	write("good.rnl", "let m = mutex(0)\nlet t = spawn { lock m as n { n += 1 } }\nlock m as n { n += 1 }\nawait t\nprint(\"fine\")\n")
	const again = "1 data race; reproduce with --seed 4\n"
	assert.Equal(t, outcome{"", race + again, 1}, in(t, dir, "", "run", "--race", "--seed", "4", "a.rnl"))
	assert.Equal(t, outcome{"", race + again, 1}, in(t, dir, "", "run", "--race", "--seed", "4", "a.rnl", "exit"))
	assert.Equal(t, outcome{"fine\n", "", 0}, in(t, dir, "", "run", "--race", "good.rnl"))
	failed := in(t, dir, "", "test", "--race", "--seed", "4", "a.rnl")
	assert.Equal(t, 1, failed.exit)
	assert.Contains(t, failed.stdout, race+"it printed:\n2\nreproduce with seed 4:\n  runnel test --race --seed 4 --only counts a.rnl\n")
}

const sharedGenerator = `fn up_to(n: int) -> Iterator<int> { for i in 0..n { yield i } }
let it = up_to(5)
let t = spawn { it.next() }
it.next()
await t
`

// What a generator keeps has no names that a reader knows.
func TestRacesForAGenerator(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rnl"), []byte(sharedGenerator), 0o644))
	got := in(t, dir, "", "run", "--race", "--seed", "4", "a.rnl")
	assert.Contains(t, got.stderr, "error: data race on a generator\n --> a.rnl:1:35\n")
	assert.NotContains(t, got.stderr, "field")
}
