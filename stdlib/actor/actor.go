// Package actor provides the module actor. It is written in Runnel; only what
// the runtime must know is native: who has to answer a question, which actor a
// mailbox belongs to, and which actors exist, without keeping them alive.
package actor

import (
	"embed"
	gotime "time"

	"github.com/runnel-lang/runnel/stdlib/rand"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed *.rnl
var sources embed.FS

// Module is the module actor. Its source is actor.rnl; the other files are parts of it.
var Module = vm.NewModuleOf("actor", sources, rand.Module, sync.Module, time.Module)

func init() {
	Module.Native("now", func(c *vm.Call) { c.SetInt(int64(c.Elapsed())) })
	Module.Native("asked", func(c *vm.Call) { c.SetObject(c.NewPromise(c.Ref().Result, c.Chan(0))) })
	Module.Native("answer", func(c *vm.Call) { c.SetObject(promise(c).Task(c, c.Ref().Result)) })
	Module.Native("Reply.send", func(c *vm.Call) { c.SetBool(promise(c).Complete(c, 1)) })
	Module.Native("refuse", func(c *vm.Call) { c.SetBool(promise(c).Fail(c, c.Value(1))) })
	Module.Native("own", func(c *vm.Call) { c.Own(c.Chan(0), c.Object(1)) })
	Module.Native("name_next", func(c *vm.Call) { c.NameNext(c.StrObj(0), c.Int(1)) })
	Module.Native("post", func(c *vm.Call) { c.SetBool(c.Chan(0).Post(c, c.Value(1), c.Bool(2))) })
	Module.Native("shut", func(c *vm.Call) { c.Chan(0).Shut(c) })
	Module.Native("nudge", func(c *vm.Call) { c.Chan(0).Nudge(c) })
	Module.Native("nudged", func(c *vm.Call) { c.SetBool(c.Chan(0).Nudged()) })
	Module.Native("overflows", func(c *vm.Call) { c.Chan(0).Overflow() })
	Module.Native("waiting", func(c *vm.Call) { c.Chan(0).Waiting(c) })
	Module.Native("take_out", func(c *vm.Call) { c.SetBool(c.Chan(0).TakeOut(c, int(c.Int(1)), c.Value(2))) })
	Module.Native("take_oldest", func(c *vm.Call) {
		if v, ok := c.Chan(0).TakeOldest(c); ok {
			c.SetSome(v)
		} else {
			c.SetNone()
		}
	})
	Module.Native("waits_weakly", func(c *vm.Call) { c.Chan(0).WaitWeakly(c, c.Bool(1)) })
	Module.Native("awaited", func(c *vm.Call) { c.SetBool(c.Chan(0).Awaited()) })
	Module.Native("failed", func(c *vm.Call) { c.SetObject(c.FailedTask(c.Ref().Result, c.Value(0), c.Value(0))) })
	Module.Native("caused", func(c *vm.Call) { c.Caused(c.Value(0), c.Object(1)) })
	Module.Native("unheard", func(c *vm.Call) { c.Unheard(c.Object(0)) })
	Module.Native("end_within", func(c *vm.Call) { c.EndWithin(gotime.Duration(c.Int(0)), c.Bool(1)) })
	Module.Native("asked_to_end", func(c *vm.Call) { c.SetBool(c.AskedToEnd()) })
	Module.Native("program_ends", func(c *vm.Call) { c.SetBool(c.ProgramEnds()) })
	Module.Native("hear_limit", func(c *vm.Call) { c.HearLimit() })
	Module.Native("count_dead_letter", func(c *vm.Call) { c.CountDeadLetter() })
	Module.Native("fail_promises", func(c *vm.Call) {
		if holdsMore(c) {
			c.FailPromises(c.Value(0), c.Value(1), vm.Object{})
		}
	})
	Module.Native("fail_promises_as", func(c *vm.Call) {
		if holdsMore(c) {
			c.FailPromises(c.Value(0), vm.Value{}, c.Object(1))
		}
	})

	Module.Native("new_registry", func(c *vm.Call) { c.SetObject(c.NewNative(c.Ref().Result, &registry{}, registrySize)) })
	Module.Native("Registry.add", func(c *vm.Call) { registered(c).add(c.Int(1), entry{c.Value(2), c.Value(3)}) })
	Module.Native("Registry.lives", func(c *vm.Call) { registered(c).lives(c.Int(1), c.Value(2)) })
	Module.Native("Registry.actor", actorOf)
	Module.Native("shown", func(c *vm.Call) { c.SetStr(c.Shown(c.Value(0), int(min(max(c.Int(1), 0), 1<<20)))) })
	Module.Native("doing", doing)
	Module.Native("Registry.remove", func(c *vm.Call) { registered(c).remove(c.Int(1)) })
	Module.Native("Registry.find", find)
	Module.Native("Registry.all", all)
}

func promise(c *vm.Call) *vm.Promise { return vm.NativeArg[*vm.Promise](c, 0) }

// holdsMore reports whether the first argument is more than a number.
func holdsMore(c *vm.Call) bool { return c.Type(c.Ref().Params[0]).Rep != bytecode.RepI }
