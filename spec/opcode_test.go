package spec

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// TestEveryOpcodeIsCompiledByACase fails when no case that runs contains an
// opcode: then nothing here would notice that it does something else.
func TestEveryOpcodeIsCompiledByACase(t *testing.T) {
	var seen [bytecode.NumOps]bool
	rt := runnel.New(runnel.WithSources(runnel.OSSources()))
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
		prog, err := rt.Compile(filepath.ToSlash(path), string(src))
		if err != nil {
			continue // TestCases reports it
		}
		for _, f := range prog.Code.Funcs {
			for pc := f.Start; pc < f.End; pc++ {
				op := bytecode.OpOf(prog.Code.Code[pc])
				seen[op] = true
				if bytecode.Ops[op].Word {
					pc++
				}
			}
		}
	}
	for op, ok := range seen {
		if !ok && bytecode.Op(op) != bytecode.TRAP {
			t.Errorf("no case contains %s", bytecode.Op(op))
		}
	}
}
