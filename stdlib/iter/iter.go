// Package iter holds module iter, which is written in Runnel.
package iter

import (
	_ "embed"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed iter.rnl
var source string

// Module is what the import of iter gives.
var Module = vm.NewModule("iter", source)
