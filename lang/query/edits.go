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
		if all, ok := together(chosen, edits); ok {
			chosen = all
		}
	}
	return chosen
}

// together puts edits among others, which are in order and so are all after; not when two
// touch the same text.
func together(chosen, edits []Edit) ([]Edit, bool) {
	all := slices.Clip(chosen)
	for _, e := range edits {
		i, same := slices.BinarySearchFunc(all, e.Start, func(c Edit, start int) int { return c.Start - start })
		if same || e.End < e.Start || i > 0 && all[i-1].End > e.Start || i < len(all) && e.End > all[i].Start {
			return nil, false
		}
		all = slices.Insert(all, i, e)
	}
	return all, true
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

// Check finds the diagnostics of a text, and the file that they are in.
type Check func(text string) (*diag.File, []diag.Diagnostic, error)

// How often a text is checked again, for fixes and for guesses.
const (
	maxRounds  = 20
	maxGuesses = 50
)

// Fix mends a text: first by fixes as often as there are some, since one often
// shows the next mistake or is a part of a change; of these texts that with the
// fewest errors, then the fewest warnings, is taken, which may be the one that
// came. Then by guesses, each of which must leave fewer errors.
func Fix(text string, check Check) (string, error) {
	text, err := fixSure(text, check)
	if err != nil {
		return text, err
	}
	guessed, err := fixGuesses(text, check)
	if err != nil || guessed == text {
		return guessed, err
	}
	return fixSure(guessed, check)
}

func fixSure(text string, check Check) (string, error) {
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

// fixGuesses makes the guesses that mend something, one after the other.
func fixGuesses(text string, check Check) (string, error) {
	f, diags, err := check(text)
	for i, tries := 0, 0; err == nil && i < len(diags) && tries < maxGuesses; {
		d := diags[i]
		i++
		if len(d.Fixes) == 0 || !d.Fixes[0].IsGuess() {
			continue
		}
		edits, _ := editsOf(f, d.Fixes[0])
		guessed, ok := Apply(text, edits)
		if !ok || guessed == text {
			continue
		}
		tries++
		f2, after, err := check(guessed)
		if err != nil {
			return text, err
		}
		if errorCount(after) < errorCount(diags) {
			text, f, diags, i = guessed, f2, after, 0
		}
	}
	return text, err
}
