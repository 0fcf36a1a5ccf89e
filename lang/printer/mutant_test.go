package printer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// Programs of the repository with a few tokens taken away, repeated, exchanged, torn
// apart or joined: what is no program is not formatted, and what is one still means
// the same.
func TestMutantsKeepTheirMeaning(t *testing.T) {
	all := programs(t)
	paths := make([]string, 0, len(all))
	for path, src := range all {
		if len(src) < 4000 {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	r := rand.New(rand.NewPCG(*first, 3))
	formatted := 0
	for range 40 * *generated {
		src := mutant(r, all[paths[r.IntN(len(paths))]])
		text, ok, err := hold(src)
		if err != nil {
			t.Errorf("%v\nfrom:\n%s\nto:\n%s", err, src, text)
			return
		}
		if ok {
			formatted++
		}
	}
	if formatted < 10 {
		t.Fatalf("only %d mutants are programs", formatted)
	}
}

func mutant(r *rand.Rand, src string) string {
	for range 1 + r.IntN(3) {
		file, _ := syntax.Parse(source(src))
		toks, base := file.Tokens, file.Source.Base
		if len(toks) < 3 {
			return src
		}
		i := r.IntN(len(toks) - 2)
		from, to := int(toks[i].Sp.Start-base), int(toks[i].Sp.End-base)
		behind := int(toks[i+1].Sp.Start - base)
		next := src[behind:int(toks[i+1].Sp.End-base)]
		text := src[from:to]
		switch r.IntN(8) {
		case 0: // away
			src = src[:from] + src[to:]
		case 1: // twice
			src = src[:to] + " " + text + src[to:]
		case 2: // exchanged with the next
			src = src[:from] + next + src[to:behind] + text + src[behind+len(next):]
		case 3: // torn apart
			at := from + r.IntN(len(text)+1)
			src = src[:at] + " " + src[at:]
		case 4: // joined with the next
			src = src[:to] + src[behind:]
		case 5: // in place of another
			j := r.IntN(len(toks) - 1)
			src = src[:from] + src[toks[j].Sp.Start-base:toks[j].Sp.End-base] + src[to:]
		case 6: // a line break, or none
			if between := src[to:behind]; strings.Contains(between, "\n") {
				src = src[:to] + " " + src[behind:]
			} else {
				src = src[:to] + "\n" + src[behind:]
			}
		default: // a piece that is easily joined with others
			pieces := []string{".", "..", "?", "-", "!", "1", ". 1", "1.", "<", ">", "=", "&", "|", "?.", " ? ? ", "x", "0", "e1", "ms", ";", ",", "()", "[]", "{}", "//\n"}
			src = src[:to] + " " + pieces[r.IntN(len(pieces))] + " " + src[to:]
		}
	}
	return src
}
