// Package reactive provides the module reactive: cells that know their readers,
// and a store whose scheduler orders the actions that read and write it.
package reactive

import (
	"embed"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed *.rnl
var sources embed.FS

// Module is the module reactive. Its source is reactive.rnl; the other files are parts of it.
var Module = vm.NewModuleOf("reactive", sources, json.Module, sync.Module, time.Module)

func init() {
	Module.Whole = true
	Module.Native("now", func(c *vm.Call) { c.SetInt(int64(c.Elapsed())) })
	Module.Native("shield", func(c *vm.Call) { c.Shield() })
	Module.Native("unshield", func(c *vm.Call) { c.Unshield() })
	Module.Native("transfer_lock", func(c *vm.Call) { c.TransferLock(0) })
	Module.Native("forget_locals", func(c *vm.Call) { c.ForgetLocals() })
	Module.Native("failed", func(c *vm.Call) { c.SetObject(c.FailedTask(c.Ref().Result, c.Value(0), c.Value(1))) })
	Module.Native("unheard", func(c *vm.Call) { c.Unheard(c.Object(0)) })
}
