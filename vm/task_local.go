package vm

import "unsafe"

// taskLocal is the value of a TaskLocal in a task and in those it has spawned
// since: a list, into which each task has its own entry point.
type taskLocal struct {
	key  unsafe.Pointer // the TaskLocal
	val  Value
	next *taskLocal
}

const taskLocalSize = int(unsafe.Sizeof(taskLocal{}))

// ForgetLocals resets all TaskLocals of the task to their defaults.
func (c *Call) ForgetLocals() { c.t.extra().locals = nil }

func init() {
	registerNative("core.task_local", func(c *Call) {
		def := *c.arg(0)
		c.SetObject(c.NewNative(c.ref.Result, &def, 16)) // the tracer looks into a *Value
	})
	registerNative("core.TaskLocal.get", func(c *Call) {
		key := c.ptr(0)
		for l := c.t.extra().locals; l != nil; l = l.next {
			if l.key == key {
				c.SetValue(l.val)
				return
			}
		}
		c.SetValue(*NativeArg[*Value](c, 0))
	})
	registerNative("core.local_push", func(c *Call) {
		c.Charge(taskLocalSize)
		more := c.t.extra()
		more.locals = &taskLocal{c.ptr(0), *c.arg(1), more.locals}
	})
	registerNative("core.local_pop", func(c *Call) {
		more := c.t.extra()
		if more.locals == nil {
			internal("%s has nothing to take back", c.ref.Name)
		}
		more.locals = more.locals.next
	})
}
