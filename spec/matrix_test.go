package spec

import (
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/matrix"
)

// TestMatrixIsChecked fails when a cell of the matrix does not type-check.
func TestMatrixIsChecked(t *testing.T) {
	rt := runnel.New()
	for _, p := range matrix.Programs() {
		if c := rt.Check("matrix.rnl", p.Source); c.Failed() {
			t.Errorf("%s of %s:\n%s", p.Op, p.Kind, &runnel.CompileError{Files: c.Files, Diags: c.Diags})
		}
	}
}
