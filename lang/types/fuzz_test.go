package types_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
)

// FuzzCheck: whatever the text, checking ends and does not crash, and says
// nothing about places that do not exist.
func FuzzCheck(f *testing.F) {
	for _, info := range diag.Codes() {
		f.Add(info.Example)
	}
	paths, _ := filepath.Glob(preludeDir + "/*.rnl")
	for _, p := range paths {
		if text, err := os.ReadFile(p); err == nil {
			f.Add(string(text))
		}
	}
	for _, p := range programs {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, src string) {
		start := linear.Used()
		c := check(t, src, modules{"./a": src, "b": src})
		if d := linear.Used() - start; d > 5*time.Second {
			t.Fatalf("took %v", d)
		}
		for _, d := range c.diags {
			require.NotEqual(t, diag.CompilerDefect, d.Code, d.Message)
			if file := c.files.File(d.Span.Start); file != nil {
				file.Pos(d.Span.Start)
			}
		}
	})
}

// TestMutatedProgramsEnd removes, doubles and swaps words of programs: broken in
// ways that the parser mostly recovers from. What is still a program has all
// its types.
func TestMutatedProgramsEnd(t *testing.T) {
	seeds := append([]string{}, programs...)
	for _, info := range diag.Codes() {
		seeds = append(seeds, info.Example)
	}
	cases, _ := filepath.Glob("../../spec/tests/*/*.rnl")
	for _, p := range cases {
		if text, err := os.ReadFile(p); err == nil && len(text) < 4000 {
			seeds = append(seeds, string(text))
		}
	}
	rounds := longtest.Of(1000, 3000)
	if testing.Short() {
		rounds = 300
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		words := splitWords(seeds[rng.IntN(len(seeds))])
		if len(words) == 0 {
			continue
		}
		for range rng.IntN(5) {
			i, j := rng.IntN(len(words)), rng.IntN(len(words))
			switch rng.IntN(4) {
			case 0:
				words[i] = ""
			case 1:
				words[i] += " " + words[j]
			case 2:
				words[i], words[j] = words[j], words[i]
			case 3:
				words[i] = words[j]
			}
		}
		src := strings.Join(words, "")
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("program:\n%s", src)
					panic(p)
				}
			}()
			c := check(t, src, nil)
			for _, d := range c.diags {
				if d.Severity == diag.Error {
					return
				}
			}
			requireComplete(t, c)
		}()
	}
}

// splitWords cuts a text into names, spaces and single signs.
func splitWords(s string) []string {
	var out []string
	for len(s) > 0 {
		n := 1
		for n < len(s) && isWord(s[0]) && isWord(s[n]) {
			n++
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func isWord(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
