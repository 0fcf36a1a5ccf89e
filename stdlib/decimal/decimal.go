// Package decimal holds module decimal, which is written in Runnel.
package decimal

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/big"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed decimal.rnl
var source string

// Module is what the import of decimal gives.
var Module = vm.NewModule("decimal", source, big.Module)
