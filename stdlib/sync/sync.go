// Package sync holds the native functions of module sync: the atomics. The
// other primitives are written in Runnel.
package sync

import (
	_ "embed"
	"sync/atomic"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed sync.rnl
var source string

// Module is what the import of sync gives.
var Module = vm.NewModule("sync", source)

const atomicSize = 8

func init() {
	Module.Native("atomic", func(c *vm.Call) {
		a := new(atomic.Int64)
		a.Store(c.Int(0))
		c.SetObject(c.NewNative(c.Ref().Result, a, atomicSize))
	})
	Module.Native("AtomicInt.load", func(c *vm.Call) { c.SetInt(number(c).Load()) })
	Module.Native("AtomicInt.store", func(c *vm.Call) { number(c).Store(c.Int(1)) })
	Module.Native("AtomicInt.add", func(c *vm.Call) { c.SetInt(number(c).Add(c.Int(1))) })
	Module.Native("AtomicInt.swap", func(c *vm.Call) { c.SetInt(number(c).Swap(c.Int(1))) })
	Module.Native("AtomicInt.compare_and_swap", func(c *vm.Call) {
		c.SetBool(number(c).CompareAndSwap(c.Int(1), c.Int(2)))
	})

	Module.Native("atomic_bool", func(c *vm.Call) {
		a := new(atomic.Bool)
		a.Store(c.Bool(0))
		c.SetObject(c.NewNative(c.Ref().Result, a, atomicSize))
	})
	Module.Native("AtomicBool.load", func(c *vm.Call) { c.SetBool(truth(c).Load()) })
	Module.Native("AtomicBool.store", func(c *vm.Call) { truth(c).Store(c.Bool(1)) })
	Module.Native("AtomicBool.swap", func(c *vm.Call) { c.SetBool(truth(c).Swap(c.Bool(1))) })
	Module.Native("AtomicBool.compare_and_swap", func(c *vm.Call) {
		c.SetBool(truth(c).CompareAndSwap(c.Bool(1), c.Bool(2)))
	})
}

func number(c *vm.Call) *atomic.Int64 { return vm.NativeArg[*atomic.Int64](c, 0) }

func truth(c *vm.Call) *atomic.Bool { return vm.NativeArg[*atomic.Bool](c, 0) }
