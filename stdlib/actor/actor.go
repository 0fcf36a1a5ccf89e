// Package actor holds module actor, which is written in Runnel but for what
// the runtime must know: see Mailbox in cell.rnl.
package actor

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/vm"
)

var (
	//go:embed actor.rnl
	source string
	//go:embed system.rnl
	system string
)

// Module is what the import of actor gives.
var Module = vm.NewModule("actor", source, sync.Module)

func init() {
	Module.Parts = map[string]string{"system": system}
}
