// Package testing holds module testing, which is written in Runnel.
package testing

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/rand"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/stdlib/text"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed testing.rnl
var source string

// Module is what the import of testing gives.
var Module = vm.NewModule("testing", source, fs.Module, rand.Module, sys.Module, text.Module)
