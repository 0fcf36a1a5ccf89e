package re

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// purse pays for everything.
type purse struct{ steps, bytes int }

func (p *purse) Steps(n int)  { p.steps += n }
func (p *purse) Charge(n int) { p.bytes += n }

func compiled(pattern string) *regex {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	r := measure(tree)
	if r.insts > maxInsts {
		return nil
	}
	if r.Regexp, err = regexp.Compile(pattern); err != nil {
		return nil
	}
	return r
}

// agrees holds a finder that leaves so much work to Go's regexp against that.
func agrees(t *testing.T, r *regex, text string, quick int) {
	t.Helper()
	old := quickWork
	quickWork = quick
	defer func() { quickWork = old }()
	want := r.FindAllStringSubmatchIndex(text, 1000)
	var got [][]int
	newFinder(&purse{}, r, text, true).each(1000, func(groups []int) { got = append(got, append([]int(nil), groups...)) })
	require.Equal(t, want, got, "%q in %q", r, text)
	_, found := newFinder(&purse{}, r, text, false).next(0)
	require.Equal(t, r.MatchString(text), found, "%q in %q", r, text)
}

var patterns = []string{
	``, `a`, `abc`, `a*`, `a+?`, `(a|ab)(c|bcd)`, `(a*)*`, `(a*?)(b|$)`, `^a`, `(?m)^a`, `(?m)a$`, `a\z`, `\ba\b`, `\Ba`, `(?i)ab`, `(?s).*b`, `.*b|a`,
	`[^a]`, `é+`, `[à-ü]`, `(a)|(b)|()`, `(?:x?){20}x{20}`, `(a(b(c)?)?)?`, `a{2,3}`, `(?U)a+b+`, `x*|y`, `\pL+`, `(^|,)a*`, `a\nb`, `($|a)`, `(?m)(^a|$)`, `ab*c|abd`,
}

func TestTheMachineMatchesAsGoDoes(t *testing.T) {
	texts := []string{"", "a", "ab", "abcd", "aaa", "aabbcc", "b a b", "x\na\n", "ABab", "éèa", "a,aa,", strings.Repeat("x", 40), strings.Repeat("ab c", 30), "a\nb", "\n\n"}
	for _, pattern := range patterns {
		for _, text := range texts {
			for _, quick := range []int{0, 64, 1 << 19} {
				agrees(t, compiled(pattern), text, quick)
			}
		}
	}
}

// Patterns are put together from pieces and tried on texts of few letters.
func TestTheMachineMatchesAsGoDoesAtRandom(t *testing.T) {
	pieces := append([]string{`b`, `.`, `\b`, `^`, `$`, `[ab]`, `\n`, `(?i:a)`, `é`, `\w`}, patterns[:20]...)
	r := rand.New(rand.NewPCG(1, 2))
	n := 20_000
	if testing.Short() {
		n = 3000
	}
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			piece := pieces[r.IntN(len(pieces))]
			b.WriteString([]string{piece, "(" + piece + ")", "(?:" + piece + ")*", "(" + piece + ")??", piece + "|", "(?:" + piece + "){0,3}"}[r.IntN(6)])
		}
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteString([]string{"a", "b", "c", "é", "\n", " ", "A"}[r.IntN(7)])
		}
		if p := compiled(b.String()); p != nil {
			agrees(t, p, text.String(), []int{0, 100}[r.IntN(2)])
		}
	}
}

func FuzzFinder(f *testing.F) {
	for _, pattern := range patterns {
		f.Add(pattern, "aabbcc é\nab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 100 || len(text) > 200 {
			return
		}
		text = strings.ToValidUTF8(text, "?")
		if r := compiled(pattern); r != nil && r.insts < 500 {
			agrees(t, r, text, 0)
		}
	})
}

func BenchmarkFinder(b *testing.B) {
	text := strings.Repeat("GET /index.html?id=12345 HTTP/1.1 200 some more words\n", 2000)
	for _, pattern := range []string{`id=(\d+)`, `\b\w+\b`, `(\w+)@(\w+)`, `HTTP/1\.1 (\d+)`} {
		r := compiled(pattern)
		b.Run("go "+pattern, func(b *testing.B) {
			for b.Loop() {
				r.FindAllStringSubmatchIndex(text, -1)
			}
		})
		b.Run("finder "+pattern, func(b *testing.B) {
			for b.Loop() {
				newFinder(&purse{}, r, text, true).each(-1, func([]int) {})
			}
		})
	}
}
