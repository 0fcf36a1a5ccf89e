// Package spec holds the definition of the language: language.md, and in tests/
// one small program for each rule. The tests here run all of them.
package spec

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/lang/diag"
)

// result is what a run of a program gave.
type result struct {
	stdout  string
	errText string // the error that ended it, rendered; "" when none
	exit    int
}

// caseFiles lists the programs below a folder; what stands in folders whose
// name begins with _ is only imported by others.
func caseFiles(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), "_"):
			return filepath.SkipDir
		case filepath.Ext(path) == ".rnl":
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCases(t *testing.T) {
	files := caseFiles(t, "tests")
	if len(files) < 450 {
		t.Fatalf("only %d cases found", len(files))
	}
	for _, path := range files {
		name := filepath.ToSlash(strings.TrimSuffix(strings.TrimPrefix(path, "tests"+string(filepath.Separator)), ".rnl"))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			e, err := expectations(string(src))
			if err != nil {
				t.Fatal(err)
			}
			verify(t, path, string(src), e)
		})
	}
}

func TestLanguageText(t *testing.T) {
	for _, b := range languageBlocks(t) {
		t.Run(b.section, func(t *testing.T) {
			t.Parallel()
			e, err := expectations(b.src)
			if err != nil {
				t.Fatal(err)
			}
			e.checkOnly = e.checkOnly || b.check
			t.Logf("language.md:%d", b.line)
			verify(t, "language.rnl", b.src, e)
		})
	}
}

// verify checks one program, and runs it where that is expected.
func verify(t *testing.T, path, src string, e expectation) {
	t.Helper()
	p, diags := check(t, path, src, e.checkOnly)
	if wrong := e.compareDiags(diags); wrong != "" {
		t.Fatalf("diagnostics:\n%s\n%s", wrong, p.rendered)
	}
	if e.checkOnly || e.fails() {
		return
	}
	if wrong := e.compareRun(p.run(t, e, nil)); wrong != "" {
		t.Fatal(wrong)
	}
}

// withoutCases are the codes that no case can expect: those of programs too
// large to be written by hand (TestLimitsOfTheCompiler has them), of a defect
// of the compiler, and of what this version cannot run yet.
var withoutCases = map[diag.Code]bool{
	diag.TooDeep: true, diag.ProgramTooLarge: true, diag.CompilerDefect: true, diag.CompileStopped: true,
}

// TestEveryCodeHasCases fails when a diagnostic code is expected by fewer than
// two cases.
func TestEveryCodeHasCases(t *testing.T) {
	count := map[string]int{}
	for _, path := range caseFiles(t, "tests") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := expectations(string(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range e.diags {
			count[d.Code]++
		}
	}
	codes := diag.Codes()
	if len(codes) < 50 {
		t.Fatalf("only %d codes are known", len(codes))
	}
	for _, c := range codes {
		if count[string(c.Code)] < 2 && !withoutCases[c.Code] {
			t.Errorf("%s (%s) is expected by %d cases", c.Code, c.Title, count[string(c.Code)])
		}
	}
}
