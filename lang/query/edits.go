package query

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Edit replaces a range of bytes of a text.
type Edit struct {
	Start, End int
	New        string
}

// Apply makes edits to a text. It changes nothing and says no when one is
// outside of the text or two overlap.
func Apply(text string, edits []Edit) (string, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var b strings.Builder
	done := 0
	for i, e := range edits {
		again := i > 0 && e.Start == edits[i-1].Start // the order of two would decide
		if e.Start < done || again || e.End < e.Start || e.End > len(text) {
			return text, false
		}
		b.WriteString(text[done:e.Start])
		b.WriteString(e.New)
		done = e.End
	}
	return b.String() + text[done:], true
}

// Fixes chooses what can be mended in a file at once: the first fix of each
// diagnostic, unless it is a guess, whole or not at all, that touches none
// chosen before it.
func Fixes(f *diag.File, diags []diag.Diagnostic) []Edit {
	var chosen []Edit
	for _, d := range diags {
		if len(d.Fixes) == 0 || d.Fixes[0].IsGuess() {
			continue
		}
		edits, ok := editsOf(f, d.Fixes[0])
		if !ok || len(edits) == 0 {
			continue
		}
		if _, ok := Apply(f.Src, slices.Concat(chosen, edits)); ok {
			chosen = append(chosen, edits...)
		}
	}
	return chosen
}

// editsOf turns a fix into edits of a file; not when it changes another one.
func editsOf(f *diag.File, fix diag.Fix) ([]Edit, bool) {
	var list []Edit
	for _, e := range fix.Edits {
		if !e.Span.IsValid() || e.Span.Start < f.Base || e.Span.End > f.Base+uint32(len(f.Src)) {
			return nil, false
		}
		list = append(list, Edit{int(e.Span.Start - f.Base), int(e.Span.End - f.Base), e.New})
	}
	return list, true
}

// maxRounds bounds how often a text is checked again.
const maxRounds = 20

// Fix mends a text as often as there are fixes: one often shows the next
// mistake, or is a part of a change. The text with the fewest errors, then the
// fewest warnings, is given back, which may be the one that came. check finds
// the diagnostics of a text and the file that they are in.
func Fix(text string, check func(text string) (*diag.File, []diag.Diagnostic, error)) (string, error) {
	best, errs, others := text, -1, 0
	seen := map[string]bool{}
	for range maxRounds {
		f, diags, err := check(text)
		if err != nil {
			return best, err
		}
		n := errorCount(diags)
		if errs < 0 || n < errs || n == errs && len(diags)-n < others {
			best, errs, others = text, n, len(diags)-n
		}
		seen[text] = true
		next, ok := Apply(text, Fixes(f, diags))
		if !ok || seen[next] {
			break
		}
		text = next
	}
	return best, nil
}
