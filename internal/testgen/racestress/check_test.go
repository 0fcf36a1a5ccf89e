package racestress

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/stdlib/all"
)

func TestScriptsAreChecked(t *testing.T) {
	for _, s := range Subjects() {
		c := runnel.MustNew(runnel.WithModules(all.Modules()...)).Check("race.rnl", s.Source())
		assert.False(t, c.Failed(), "%s: %s", s.Name, &runnel.CompileError{Files: c.Files, Diags: errorsOf(c)})
	}
}

// errorsOf leaves the warnings out.
func errorsOf(c *runnel.Checked) []diag.Diagnostic {
	return slices.DeleteFunc(c.Diags, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}
