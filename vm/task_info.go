package vm

import (
	"cmp"
	"slices"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// TaskInfo describes a live task.
type TaskInfo struct {
	ID      uint32
	Func    string // its first function; of an actor its name and number: "counter#1"
	Message string // that it handles, if it is an actor: "Add"
	State   string // "runs", "is ready", "sleeps", "waits to receive"
	At      Frame  // where it is; zero for an actor that waits for messages
	Spawned Frame  // where it was spawned; zero for one that a host has begun
}

// Tasks lists the live tasks, oldest first.
func (in *Instance) Tasks() []TaskInfo {
	in.world.stopExternal()
	defer in.world.startExternal()
	var list []TaskInfo
	in.eachTask(func(t *Task) { list = append(list, in.taskInfo(t)) })
	slices.SortFunc(list, func(a, b TaskInfo) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

func (in *Instance) taskInfo(t *Task) TaskInfo {
	info := TaskInfo{ID: t.future.id, Func: t.title(), Message: t.message(), Spawned: in.spawnPlace(t)}
	if !t.idle() {
		info.At = t.place()
	}
	switch t.Status() {
	case reactor.Suspended:
		info.State = t.waitText()
	case reactor.Running:
		info.State = "runs"
	default:
		info.State = "is ready"
	}
	return info
}

// TaskInfo describes a task<T> of any T; lives is false if it has ended.
func (c *Call) TaskInfo(task Value) (info TaskInfo, lives bool) {
	if c.kindOf(task) != bytecode.TTask {
		c.noObject("a task", task)
	}
	in := c.w.inst
	c.w.stopWorld()
	defer in.world.start()
	t := (*Future)(task.p).task
	if t == nil {
		return info, false
	}
	return in.taskInfo(t), true
}

// Shown returns the text of the value in an any, which tasks may be changing:
// they pause meanwhile. It is cut to most bytes.
func (c *Call) Shown(v Value, most int) string {
	in := c.w.inst
	c.w.stopWorld()
	defer in.world.start()
	return displayed(c.w.prog, bytecode.IDAny, v, most)
}

// spawnPlace is where a task was spawned, with what TaskInfo calls its function; of
// an actor also the message that it handles.
func (in *Instance) spawnPlace(t *Task) Frame {
	at := in.Program().frameAt(t.future.place)
	if at.File != "" {
		if at.Func = t.title(); t.message() != "" {
			at.Func = t.doing()
		}
	}
	return at
}
