package progen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/progen"
)

// What a program holds is left to chance: some hundred hold each of these.
func TestWhatProgramsHold(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(400) {
		all.WriteString(progen.Program(seed))
	}
	for _, form := range []string{
		`yield `, `static fn `, `\.copy\(`, `to_str\(\) -> str \{ [^"]`, `"""`, `Vec\(.* [-+*] `, `\(-Vec`, `Vec\(.* <= `, `V\d+ = 20`, `int\(id<E\d+>`,
		`E\d+\.all\(\)`, `E\d+\.of\(`, `E\d+\.parse\(`, `if let v\d+ = .* && let `, `if let v\d+ = .* && [^l]`, `: \w+ = `,
	} {
		if !regexp.MustCompile(form).MatchString(all.String()) {
			t.Errorf("no program has %s", form)
		}
	}
}
