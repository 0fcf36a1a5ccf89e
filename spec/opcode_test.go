package spec

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// likely folders, with opcodes that others lack, come first, the last of them first of all.
var likely = []string{
	"reactive", "functions", "structs", "process_model", "lists", "iter", "operators", "log",
	"prelude_number", "local_functions", "iterators_of_ones_own", "reactive_inspect", "rand", "uuid", "enum_numbers", "math",
	"own_operators", "actor_routing", "testing", "show", "journal", "decimal", "diagnostics_actor",
}

// TestEveryOpcodeIsExecutedByACase fails when no case executes an opcode: then
// nothing here would notice that it does something else. The runs also show
// that the counting interpreter does the same as the fast one.
func TestEveryOpcodeIsExecutedByACase(t *testing.T) {
	var counts [256]uint64
	missing := func() (ops []bytecode.Op) {
		for op := range bytecode.Op(bytecode.NumOps) {
			if counts[op] == 0 && op != bytecode.TRAP {
				ops = append(ops, op)
			}
		}
		return ops
	}
	files := caseFiles(t, "tests")
	rank := func(path string) int { return slices.Index(likely, filepath.Base(filepath.Dir(path))) }
	slices.SortStableFunc(files, func(a, b string) int { return rank(b) - rank(a) })
	for i, path := range files {
		if len(missing()) == 0 {
			t.Logf("after %d of %d", i, len(files))
			return // TestCases runs the others
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := expectations(string(src))
		if err != nil {
			t.Fatal(err)
		}
		if e.checkOnly || e.fails() {
			continue
		}
		p, diags := check(t, path, string(src), false)
		if e.compareDiags(diags) != "" {
			continue // TestCases reports it
		}
		if wrong := e.compareRun(p.run(t, e, &counts)); wrong != "" {
			t.Errorf("%s: %s", path, wrong)
		}
	}
	for _, op := range missing() {
		t.Errorf("no case executes %s", op)
	}
}
