package query_test

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

var fixMutants = flag.Int("mutants", 6, "how many mutants of each broken program TestNoFixTakesAwayOtherLines has")

// A fix changes what its diagnostic speaks of: of the lines that this does not
// point at, no name or literal goes away, whatever stands there.
func TestNoFixTakesAwayOtherLines(t *testing.T) {
	tried := 0
	for name, src := range mistakes(t) {
		tried += fixesAreSafe(t, name, src)
		h := fnv.New64()
		h.Write([]byte(name))
		r := rand.New(rand.NewPCG(h.Sum64(), 0)) // of its own, whatever else is there
		for range *fixMutants {
			tried += fixesAreSafe(t, name+", mutated", mutated(r, src))
		}
	}
	require.Greater(t, tried, 300)
	for _, src := range []string{
		"let a: any = 1\nlet b = a as int ?? // later\nprint(\"important\")\nprint(b)\n",
		"let a: any = 1\nlet b = a as int\n  ?? print(\"important\")\nprint(b)\n",
		"let b = 1 ??\nprint(\"important\")\nprint(b)\n",
		"fn f() -> int {\n  1;\n}\nprint(f())\n",
		"let x = [1, 2].len\nprint(x)\n",
		"fn f(n: int) -> str { n\n}\nprint(f(1))",
	} {
		fixesAreSafe(t, src, src)
	}
}

func fixesAreSafe(t *testing.T, name, src string) (tried int) {
	f, diags := diagnosed(src)
	for _, d := range diags {
		for _, fix := range d.Fixes {
			fix.Title = strings.TrimSuffix(fix.Title, "?")
			alone := d
			alone.Fixes = []diag.Fix{fix}
			text, ok := query.Apply(src, query.Fixes(f, []diag.Diagnostic{alone}))
			if !ok || text == src {
				continue
			}
			tried++
			assert.Empty(t, lost(elsewhere(f, d), text), "%s: %s: %s\n%s\nbecomes\n%s", name, d.Message, fix.Title, src, text)
		}
	}
	return tried
}

// elsewhere is what stands on the lines that a diagnostic does not point at.
func elsewhere(f *diag.File, d diag.Diagnostic) string {
	from, to := int(d.Span.Start-f.Base), int(d.Span.End-f.Base)
	from = strings.LastIndexByte(f.Src[:from], '\n') + 1
	if at := strings.IndexByte(f.Src[to:], '\n'); at >= 0 {
		to += at
	} else {
		to = len(f.Src)
	}
	return f.Src[:from] + f.Src[to:]
}

var callOrLiteral = regexp.MustCompile(`[\pL_][\pL\d_]*\(|"[^"]*"|\d+`)

// lost lists the calls and literals of a text that another one has fewer of. A call
// may be one of another name.
func lost(before, after string) (list []string) {
	count := func(text string) map[string]int {
		n := map[string]int{}
		for _, w := range callOrLiteral.FindAllString(text, -1) {
			if strings.HasSuffix(w, "(") {
				w = "a call"
			}
			n[w]++
		}
		return n
	}
	had, has := count(before), count(after)
	for w, n := range had {
		if has[w] < n {
			list = append(list, w)
		}
	}
	return list
}

var piece = regexp.MustCompile(`[\pL\d_]+|"[^"]*"|[ \t]+|\n|[^\pL\d_ \t\n]`)

// mutated is a program with a few pieces that are not what they were.
func mutated(r *rand.Rand, src string) string {
	pieces := piece.FindAllString(src, -1)
	if len(pieces) == 0 {
		return src
	}
	for range 1 + r.IntN(2) {
		i, j := r.IntN(len(pieces)), r.IntN(len(pieces))
		switch r.IntN(5) {
		case 0:
			pieces[i] = ""
		case 1:
			pieces[i] = pieces[j]
		case 2:
			pieces[i], pieces[j] = pieces[j], pieces[i]
		case 3:
			pieces[i] += " ?? "
		case 4:
			pieces[i] += "\n"
		}
	}
	return strings.Join(pieces, "")
}
