package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const benches = `var runs = 0
fn list() -> [int] { [1, 2, 3] }
test "not measured" { throw error("never") }
bench "adds" { runs += 1 }
bench "list" {
  if list().len() == 3 { return }
  throw error("a return ends one run")
}
bench "many" { let xs: [int] = []; for i in 0..1000 { xs.push(i) } }
`

func TestBenchmarks(t *testing.T) {
	dir := tree(t, map[string]string{"a.rnl": benches, "b.rnl": "test \"b\" {}\n"})
	got := in(t, dir, "", "bench", "--sample", "2ms", "--count=5", "--save", "old.json", ".")
	require.Equal(t, 0, got.exit, got.stderr)
	assert.Regexp(t, `^benchmark +time +allocations +bytes
a.rnl: adds +\d+(\.\d+)? ns ±\d+% +0 +0
a.rnl: list +\d+(\.\d+)? ns ±\d+% +2 +\d+
a.rnl: many +\d+(\.\d+)? [µn]s ±\d+% +\d+ +\d+
$`, got.stdout)

	var saved []measurement
	data, err := os.ReadFile(filepath.Join(dir, "old.json"))
	require.NoError(t, err)
	saved, err = readMeasurements(data)
	require.NoError(t, err)
	require.Len(t, saved, 3)
	assert.Equal(t, []any{"a.rnl", "adds", 0.0, 0.0}, []any{saved[0].File, saved[0].Name, saved[0].Allocs, saved[0].Bytes})
	assert.Len(t, saved[0].Ns, 5)
	assert.Greater(t, saved[0].Runs, 10)
	assert.Greater(t, slices.Min(saved[2].Ns), slices.Min(saved[0].Ns), "a thousand turns take longer than one addition")

	for i := range saved[0].Ns {
		saved[0].Ns[i] *= 1_000_000 // however busy the machine is
	}
	data, err = json.Marshal(saved[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slow.json"), data, 0o666))
	got = in(t, dir, "", "bench", "--sample", "2ms", "--only", "adds", "--compare", "slow.json", "a.rnl")
	assert.Regexp(t, `adds +.* [µm]?s ±\d+% +-(99\.\d|100\.0)% \(p=0\.00\d\)`, got.stdout)
	got = in(t, dir, "", "bench", "--sample", "2ms", "--only", "adds", "--compare", "slow.json", "--json", "a.rnl")
	var line struct{ Median, Before, Chance float64 }
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &line))
	assert.Less(t, line.Median, line.Before/100)
	assert.Less(t, line.Chance, 0.01)
}

func TestBenchmarksThatFail(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.rnl":     "bench \"fails\" { assert(false) }\nbench \"leaks\" { spawn { sleep(1h) } }\nbench \"good\" { print(\"quiet\") }\n",
		"list.json": "[{}]", "negative.json": `{"file":"a.rnl","name":"fails","ns":[-1]}`, "none.json": "nothing",
	})
	got := in(t, dir, "", "bench", "--sample", "1us", "--count", "1", "a.rnl")
	assert.Equal(t, 1, got.exit)
	assert.Contains(t, got.stderr, "FAIL  a.rnl: fails\nerror: AssertError")
	assert.Contains(t, got.stderr, "FAIL  a.rnl: leaks\nerror: ")
	assert.Contains(t, got.stderr, "still alive at the end")
	assert.Contains(t, got.stdout, "a.rnl: good")
	assert.NotContains(t, got.stdout, "quiet")
	for _, file := range []string{"list.json", "negative.json", "none.json", "missing.json"} {
		got = in(t, dir, "", "bench", "--compare", file, "a.rnl")
		assert.Equal(t, 2, got.exit, file)
		assert.Contains(t, got.stderr, file)
	}
	assert.Equal(t, 2, in(t, dir, "", "bench", "--race", "a.rnl").exit)
}

func TestStatisticsOfBenchmarks(t *testing.T) {
	median, spread := middle([]float64{5, 1, 3, 2, 4})
	assert.Equal(t, 3.0, median)
	assert.InDelta(t, 1.0/3, spread, 1e-9)
	median, spread = middle([]float64{7})
	assert.Equal(t, []float64{7, 0}, []float64{median, spread})

	same := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	assert.Greater(t, chance(same, same), 0.9)
	assert.Equal(t, 1.0, chance([]float64{2, 2}, []float64{2, 2}))
	// SciPy: mannwhitneyu([1..8], [9..16], method="asymptotic") has p = 0.000939.
	assert.InDelta(t, 0.000939, chance(same, []float64{9, 10, 11, 12, 13, 14, 15, 16}), 1e-5)
	assert.Equal(t, chance(same, []float64{0, 9, 3}), chance([]float64{0, 9, 3}, same))
	for ns, want := range map[float64]string{0.5: "0.50 ns", 12.34: "12.3 ns", 999: "999 ns", 1500: "1.50 µs", 2.5e7: "25.0 ms", 3e9: "3.00 s"} {
		assert.Equal(t, want, nanoseconds(ns))
	}
	assert.False(t, math.IsNaN(chance([]float64{1}, []float64{1})))
}

// What --json writes, --compare reads.
func TestMeasurementsAsJSONCanBeCompared(t *testing.T) {
	dir := tree(t, map[string]string{"a.rnl": "let xs = [3, 1, 2]\nbench \"sorts\" { xs.copy().sort() }\n"})
	got := in(t, dir, "", "bench", "--sample", "1ms", "--json", "a.rnl")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "old.json"), []byte(got.stdout), 0o666))
	got = in(t, dir, "", "bench", "--sample", "1ms", "--compare", "old.json", "a.rnl")
	assert.Equal(t, 0, got.exit, got.stderr)
	assert.Regexp(t, `(?m)^benchmark +time +allocations +bytes +before +change\na.rnl: sorts .* (~|[+-]\d).*\(p=`, got.stdout)
}

func FuzzMeasurements(f *testing.F) {
	f.Add([]byte("{\"file\":\"a.rnl\",\"name\":\"x\",\"runs\":10,\"ns\":[1.5,2],\"allocs\":1,\"bytes\":16,\"median\":1.75}\n{\"ns\":[0]}\n"))
	f.Add([]byte(`[{"ns":[1e308,1e308]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := readMeasurements(data)
		if err != nil {
			return
		}
		r := &benchReport{before: list}
		for i := range list {
			m := &list[i]
			require.NotNil(t, r.earlier(m))
			p := chance(r.earlier(m).Ns, m.Ns)
			require.True(t, p >= 0 && p <= 1, "%v", p)
			require.NotContains(t, m.time()+changeText(r.earlier(m), m), "NaN")
		}
	})
}
