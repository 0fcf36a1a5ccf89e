package syntax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// The `??` behind a type that is tested belongs to the type where it has no operand.
func TestOptionalsOfOptionalsAreTested(t *testing.T) {
	for _, c := range []struct {
		src        string
		statements int
		marks      int  // of the type
		coalesced  bool // with a default
	}{
		{"a as int??", 1, 2, false},
		{"a as int???", 1, 3, false},
		{"a as int????", 1, 4, false},
		{"a is int??", 1, 2, false},
		{"a is int?? || b", 1, 2, false},
		{"a is int?? && b", 1, 2, false},
		{"a as int??\nprint(1)", 2, 2, false},
		{"a is int???\n(b)", 2, 3, false},
		{"a as int??; print(1)", 2, 2, false},
		{"a as int? ?? b", 1, 1, true},
		{"a as int ?? b", 1, 0, true},
		{"a as int??b", 1, 0, true},
		{"a as int?? -1", 1, 0, true},
		{"a as int?? {}", 1, 0, true},
		{"a as int? ??\nb", 1, 1, true},
		{"a as int?\n?? b", 1, 1, true},
		{"a as int??\n?? b", 1, 2, true},
		{"a as int?? ?? b", 1, 2, true},
		{"(a as int??\n)", 1, 2, false},
		{"(a as int??\nb)", 1, 0, true},
		{"f(a as int??, b)", 1, 2, false},
		{"[a as int??]", 1, 2, false},
		{"\"${a as int??}\"", 1, 2, false},
		{"\"${a as int??:>3}\"", 1, 2, false},
		{"if a is int?? { b }", 1, 2, false},
		{"if a as bool?? == c { b }", 1, 2, false},
		{"let x = if c { a as int?? } else { b }", 1, 2, false},
		{"match a as int?? { _ => 1 }", 1, 2, false},
	} {
		files := &diag.FileSet{}
		f, diags := syntax.Parse(files.Add("a.rnl", c.src))
		require.Empty(t, diags, c.src)
		require.Len(t, f.Items, c.statements, c.src)
		marks, coalesced := 0, false
		for _, item := range f.Items {
			syntax.Walk(item, func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.As:
					marks = marksOf(n.Type)
				case *syntax.Is:
					marks = marksOf(n.Type)
				case *syntax.Binary:
					coalesced = coalesced || n.Op == syntax.OpCoalesce
				}
				return true
			})
		}
		require.Equal(t, c.marks, marks, c.src)
		require.Equal(t, c.coalesced, coalesced, c.src)
	}
}

func marksOf(t syntax.TypeExpr) int {
	if o, ok := t.(*syntax.OptionalType); ok {
		return 1 + marksOf(o.Elem)
	}
	return 0
}
