package query_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/runnel-lang/runnel/lang/query"
)

// ask asks everything about an offset of a text.
func ask(src string, at int) {
	f := query.Open("main.rnl", src, options(modules{"./a": src}))
	for _, c := range f.Complete(at) {
		if c.Start < 0 || c.Start > c.End || c.End > len(src) || c.Label == "" {
			panic(c)
		}
	}
	f.Signature(at)
	f.Hover(at)
	f.Definition(at)
	f.Symbols()
	f.References(at)
}

// FuzzAsk: whatever the text and the offset, there is an answer or none.
func FuzzAsk(f *testing.F) {
	f.Add(program, 20)
	f.Add("let x = [1].map(|n| n.", 22)
	f.Add("match y { Sh.A(b: c) => c", 12)
	f.Add("let s = \"a ${x.\nfor i in |a| if b[", 12)
	f.Add("lock m as v { match v { A | ", 28)
	f.Add("import a\na.b(c: d, ", 19)
	f.Fuzz(func(_ *testing.T, src string, at int) { ask(src, at) })
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
	count := 200
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
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s at %d", path, at)
					panic(p)
				}
			}()
			ask(src, at)
			ask(src[:at], at)
		}()
	}
}
