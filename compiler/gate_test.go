package compiler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func checked(t *testing.T, src string) *types.Program {
	t.Helper()
	files := &diag.FileSet{}
	parsed, diags := syntax.Parse(files.Add("program.rnl", src))
	require.Empty(t, diags)
	prog, diags := types.Check(files, parsed, types.Options{Prelude: stdlib.Prelude()})
	require.Empty(t, diags)
	return prog
}

// What the compiler makes has to pass as a file has to: here a native that nobody
// declares of these types.
func TestCodeThatTheVerifierRefusesIsADiagnostic(t *testing.T) {
	undeclared := func(string) []bytecode.Signature { return nil }
	code, diags := compiler.Compile(checked(t, `print([2, 1].reverse())`), compiler.Options{Signatures: undeclared})
	require.Nil(t, code)
	require.Len(t, diags, 1)
	require.Equal(t, diag.CompilerDefect, diags[0].Code)
	require.Contains(t, diags[0].Message, "there is no native function")
	_, diags = compiler.Compile(checked(t, `print([2, 1].reverse())`), compiler.Options{Signatures: stdlib.Signatures})
	require.Empty(t, diags)
}

// An entry that is refused leaves the session as it was.
func TestEntriesOfASessionPassTheVerifier(t *testing.T) {
	refuse := ""
	prog := checked(t, "")
	s, _, diags := compiler.NewSession(prog, compiler.Options{Signatures: func(name string) []bytecode.Signature {
		if name == refuse {
			return nil
		}
		return stdlib.Signatures(name)
	}})
	require.Empty(t, diags)
	add := func(src string) (*bytecode.Program, []diag.Diagnostic) {
		file, _ := syntax.Parse((&diag.FileSet{}).Add("entry", src))
		m, diags := prog.Extend(t.Context(), types.Entry{File: file})
		require.Empty(t, diags)
		return s.Add(t.Context(), m)
	}
	before, diags := add("fn twice(n: int) -> int { 2 * n }\nprint(twice(3))")
	require.Empty(t, diags)
	refuse = "list.reverse"
	_, diags = add("print([2, 1].reverse())")
	require.Len(t, diags, 1)
	require.Equal(t, diag.CompilerDefect, diags[0].Code)
	require.Same(t, before, s.Code())
	after, diags := add("print([2, 1].len())")
	require.Empty(t, diags)
	require.Greater(t, len(after.Funcs), len(before.Funcs))
}
