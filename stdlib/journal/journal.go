// Package journal holds module journal, which is written in Runnel.
package journal

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/hash"
	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/path"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed journal.rnl
var source string

// Module is what the import of journal gives.
var Module = vm.NewModule("journal", source, fs.Module, hash.Module, json.Module, path.Module)
