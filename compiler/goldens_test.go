package compiler_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

var update = flag.Bool("update", false, "write what the compiler makes to testdata/goldens")

// Each file of testdata/goldens has small programs, one construct each, and the code that
// they compile to:
//
//	=== a name
//	the program
//	---
//	its functions, as `runnel dis` shows them
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/goldens/*.txt")
	require.NoError(t, err)
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var made strings.Builder
		for _, program := range strings.Split(string(text), "=== ")[1:] {
			name, rest, _ := strings.Cut(program, "\n")
			src, _, _ := strings.Cut(rest, "---\n")
			count++
			made.WriteString("=== " + name + "\n" + src + "---\n" + disassembled(t, name, src))
		}
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(made.String()), 0o644))
			continue
		}
		require.Equal(t, string(text), made.String(), "%s: go test ./compiler -update, and read the difference", file)
	}
	require.GreaterOrEqual(t, count, 100)
}

// disassembled shows the program's own functions; that of the script only where it does
// something.
func disassembled(t *testing.T, name, src string) string {
	code, diags := compiler.Compile(checked(t, src), compiler.Options{Signatures: stdlib.Signatures})
	require.Empty(t, diags, "%s", name)
	var own []int
	for i := range code.Funcs {
		f := &code.Funcs[i]
		if code.Files[f.File].Name == "program.rnl" && (f.Name != "script" || strings.HasPrefix(src, "var ")) {
			own = append(own, i)
		}
	}
	var b strings.Builder
	require.NoError(t, bytecode.DisassembleFuncs(&b, code, own))
	return b.String()
}
