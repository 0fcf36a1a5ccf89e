package query_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/query"
)

// ask asks everything about an offset of a text. All places are in a file.
func ask(t *testing.T, src string, at int) {
	t.Helper()
	f := query.Open("main.rnl", src, options(modules{"./a": src}))
	inFile := func(p query.Place) {
		known := p.File == "main.rnl" || p.File == "a.rnl" || strings.HasPrefix(p.File, "prelude/")
		require.True(t, known && 0 <= p.Start && p.Start <= p.End, "%v", p)
		if p.File == "main.rnl" {
			require.LessOrEqual(t, p.End, len(src))
		}
	}
	for _, c := range f.Complete(at) {
		require.True(t, 0 <= c.Start && c.Start <= c.End && c.End <= len(src) && c.Label != "", "%v", c)
	}
	if s, ok := f.Signature(at); ok {
		for _, p := range s.Params {
			require.True(t, 0 <= p.Start && p.Start <= p.End && p.End <= len(s.Label), "%v", s)
		}
		require.Less(t, s.Active, len(s.Params))
	}
	if h, ok := f.Hover(at); ok {
		inFile(h.Place)
	}
	if p, ok := f.Definition(at); ok {
		inFile(p)
	}
	for _, p := range f.References(at) {
		inFile(p)
	}
	f.Symbols()
	thereAndBack(t, f, src, at)
}

// thereAndBack renames what is at an offset, if that can be, and again to what
// it was: the text is the same.
func thereAndBack(t *testing.T, f *query.File, src string, at int) {
	t.Helper()
	at = max(0, min(at, len(src)))
	for at > 0 && len(word(src, at-1)) > 0 {
		at--
	}
	old := word(src, at)
	fresh := "zq_fresh"
	if old != "" && old[0] < 'a' {
		fresh = "ZqFresh"
	}
	changes, err := f.Rename(at, fresh)
	if err != nil || len(changes) != 1 || changes[0].File != "main.rnl" {
		return
	}
	text, ok := query.Apply(src, changes[0].Edits)
	require.True(t, ok)
	changes, err = query.Open("main.rnl", text, options(modules{"./a": src})).Rename(strings.Index(text, fresh), old)
	require.NoError(t, err, "%s in %s", fresh, text)
	back, ok := query.Apply(text, changes[0].Edits)
	require.True(t, ok)
	require.Equal(t, src, back)
}

// FuzzAsk: whatever the text and the offset, there is an answer or none.
func FuzzAsk(f *testing.F) {
	f.Add(program, 20)
	f.Add("let x = [1].map(|n| n.", 22)
	f.Add("match y { Sh.A(b: c) => c", 12)
	f.Add("let s = \"\"\"\n  a ${x.\n  b\n  \"\"\"", 22)
	f.Add("let s = \"a ${x.\nfor i in |a| if b[", 12)
	f.Add("lock m as v { match v { A | ", 28)
	f.Add("import a\na.b(c: d, ", 19)
	f.Fuzz(ask)
}

// Programs of the repository, whole and cut off where the question is.
func TestRandomPlacesOfPrograms(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"examples/*.rnl", "spec/tests/*/*.rnl", "spec/broken/*.rnl", "stdlib/*/*.rnl"} {
		found, _ := filepath.Glob("../../" + pattern)
		paths = append(paths, found...)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	rng.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	count := longtest.Of(70, 400)
	if testing.Short() {
		count = 40
	}
	for _, path := range paths[:count] {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		src := string(data)
		at := rng.IntN(len(src) + 1)
		t.Run(filepath.Base(path), func(t *testing.T) {
			ask(t, src, at)
			ask(t, src[:at], at)
			for _, text := range []string{src, src[:at]} {
				steps := allocations(func() { query.Open("main.rnl", text, options(nil)).Complete(at) })
				require.Less(t, steps, 50_000+10*len(text), "offset %d", at)
			}
		})
	}
}

// allocations counts those of a function: a measure of its work that no other
// load of the machine changes.
func allocations(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}
