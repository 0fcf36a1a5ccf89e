package spec

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// listPattern is a random pattern of a list of bools, with what it means.
type listPattern struct {
	elems []int // 0, 1, or 2 for whatever there is
	rest  int   // place of `..`, -1 for none
	bound bool  // with a name
}

func randomListPattern(r *rand.Rand) listPattern {
	p := listPattern{elems: make([]int, r.IntN(4)), rest: -1}
	for i := range p.elems {
		p.elems[i] = r.IntN(3)
	}
	if r.IntN(2) == 0 {
		p.rest, p.bound = r.IntN(len(p.elems)+1), r.IntN(2) == 0
	}
	return p
}

func (p listPattern) String() string {
	var parts []string
	for i := range len(p.elems) + 1 {
		if i == p.rest && p.bound {
			parts = append(parts, "..rest")
		} else if i == p.rest {
			parts = append(parts, "..")
		}
		if i < len(p.elems) {
			parts = append(parts, []string{"false", "true", "_"}[p.elems[i]])
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// match returns what `..` stands for.
func (p listPattern) match(xs []bool) (rest []bool, ok bool) {
	n := len(p.elems)
	if len(xs) < n || p.rest < 0 && len(xs) > n {
		return nil, false
	}
	for i, want := range p.elems {
		at := i
		if p.rest >= 0 && i >= p.rest {
			at += len(xs) - n
		}
		if want < 2 && xs[at] != (want == 1) {
			return nil, false
		}
	}
	if p.rest >= 0 {
		rest = xs[p.rest : p.rest+len(xs)-n]
	}
	return rest, true
}

// listsOfBools are all up to a length.
func listsOfBools(most int) [][]bool {
	all := [][]bool{{}}
	for from := 0; most > 0; most-- {
		to := len(all)
		for _, xs := range all[from:to] {
			all = append(all, append(xs[:len(xs):len(xs)], false), append(xs[:len(xs):len(xs)], true))
		}
		from = to
	}
	return all
}

// Random matches on lists take the arm that a simple model takes; and the compiler refuses
// just those that some list does not fit. Patterns look at three elements from either end
// at most, so lists of seven tell all apart.
func TestListPatternsAgreeWithAModel(t *testing.T) {
	all := listsOfBools(7)
	covered := 0
	for seed := range uint64(longtest.Of(300, 5_000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		arms := make([]listPattern, 1+r.IntN(6))
		var src, want strings.Builder
		src.WriteString("fn f(xs: [bool]) -> str {\n  match xs {\n")
		for i := range arms {
			arms[i] = randomListPattern(r)
			rest := ""
			if arms[i].bound {
				rest = " ${rest}"
			}
			fmt.Fprintf(&src, "    %v => \"%d%s\"\n", arms[i], i, rest)
		}
		src.WriteString("  }\n}\n")
		missing := false
		for _, xs := range all {
			fits := false
			for i, p := range arms {
				rest, ok := p.match(xs)
				if !ok {
					continue
				}
				fits = true
				fmt.Fprint(&want, i)
				if p.bound {
					fmt.Fprintf(&want, " [%s]", strings.Join(strings.Fields(strings.Trim(fmt.Sprint(rest), "[]")), ", "))
				}
				want.WriteByte('\n')
				break
			}
			missing = missing || !fits
			fmt.Fprintf(&src, "print(f([%s]))\n", strings.Join(strings.Fields(strings.Trim(fmt.Sprint(xs), "[]")), ", "))
		}
		prog, err := compiler().Compile("lists.rnl", src.String())
		if missing {
			require.ErrorContains(t, err, "E0401", "%s", src.String())
			continue
		}
		covered++
		require.NoError(t, err, "%s", src.String())
		stage := newStage(expectation{})
		r2 := stage.run(t, stage.instance(prog, runnel.WithSeed(1)))
		require.Empty(t, r2.errText)
		require.Equal(t, want.String(), r2.stdout, "%s", src.String())
	}
	require.Greater(t, covered, 20)
}
