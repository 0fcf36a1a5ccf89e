package runnel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// The author of a module is told which signature is missing, and where it belongs.
func TestANativeWithoutASignatureIsToldOf(t *testing.T) {
	geo := vm.NewModule("geo", "/// Distances.\n\n/// The length of a vector.\npub native fn length(x: float, y: float) -> float\n")
	geo.Native("length", func(c *vm.Call) { c.SetFloat(math.Hypot(c.Float(0), c.Float(1))) })
	rt := runnel.MustNew(runnel.WithModules(geo))
	for _, src := range []string{"import geo\nassert(geo.length(3.0, 4.0) == 5.0)\n", "import geo\nlet f = geo.length\nassert(f(3.0, 4.0) == 5.0)\n"} {
		geo.Signatures = nil
		_, err := rt.Compile("a.rnl", src)
		requireCode(t, err, diag.CompilerDefect)
		require.ErrorContains(t, err, "the native `geo.length` has no signature")
		require.ErrorContains(t, err, "`Module.Signatures[\"length\"] = ")
		require.NotContains(t, err.Error(), "internal error")
		geo.Signatures = map[string]bytecode.Signature{"length": "(float, float) float"}
		p, err := rt.Compile("a.rnl", src)
		require.NoError(t, err)
		require.NoError(t, p.NewInstance().Run(t.Context()))
	}
}
