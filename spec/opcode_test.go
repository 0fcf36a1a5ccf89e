package spec

import (
	"os"
	"testing"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// TestEveryOpcodeIsExecutedByACase fails when no case executes an opcode: then
// nothing here would notice that it does something else. The runs also show
// that the counting interpreter does the same as the fast one.
func TestEveryOpcodeIsExecutedByACase(t *testing.T) {
	var counts [256]uint64
	for _, path := range caseFiles(t, "tests") {
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
	for op := range bytecode.Op(bytecode.NumOps) {
		if counts[op] == 0 && op != bytecode.TRAP {
			t.Errorf("no case executes %s", op)
		}
	}
}
