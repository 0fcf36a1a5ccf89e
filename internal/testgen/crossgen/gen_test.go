package crossgen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/crossgen"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var catalogue = newCatalogue()

func newCatalogue() *crossgen.Catalogue {
	prelude := crossgen.Source{Parts: map[string]string{}}
	for _, s := range stdlib.Prelude() {
		prelude.Parts[s.Key] = s.Text
	}
	sources := []crossgen.Source{prelude}
	for _, m := range all.Modules() {
		sources = append(sources, crossgen.Source{Path: m.Name, Text: m.Read().Source, Parts: m.Read().Parts})
	}
	return crossgen.NewCatalogue(sources)
}

// The same seed gives the same program.
func TestProgramsAreReproducible(t *testing.T) {
	other := newCatalogue()
	for seed := range uint64(10) {
		a, b := crossgen.New(catalogue, seed, 1), crossgen.New(other, seed, 1)
		if a.Text() != b.Text() || a.Wrapped() != b.Wrapped() {
			t.Fatalf("seed %d gives different programs", seed)
		}
	}
}

// What a program holds is left to chance: some hundred hold each of these.
func TestWhatProgramsHold(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(300) {
		all.WriteString(crossgen.New(catalogue, seed, 1).Text())
	}
	for _, form := range []string{
		`for \(`, `for x\d+, \(`, `\|\(`, `let \(\(`, `\.\.[,)]`, `fn f\d+\(n\d+: int`, `\), _\) = `, `_\), .* = \(\(`, `\.\. \{`, `"a"\.\.="f"`,
		` [-+*/]= .*Vec`, `\(-.*Vec`, `.* - .*Many<`, `for x\d+ in .*Steps<`, `Vec\(.*, \.\.\)`, `map<Vec, `, `copy\(items: `,
		`"""`, `Color\.all\(\)`, `Color\.of\(`, `Color\.parse\(`, `int\(.*Color`, `copy\(value: `, `copy\(x: `, `Named\(`, `if let .* && let `, `if let .* && [^l]`,
	} {
		if !regexp.MustCompile(form).MatchString(all.String()) {
			t.Errorf("no program has %s", form)
		}
	}
}
