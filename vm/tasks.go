package vm

import (
	"cmp"
	"slices"

	"github.com/runnel-lang/runnel/reactor"
)

// TaskInfo is what there is to say about a task that lives.
type TaskInfo struct {
	ID      uint32
	Func    string // its first function
	State   string // "runs", "is ready", "sleeps", "waits to receive"
	At      Frame  // where it is
	Spawned Frame  // where it was spawned; zero for one that a host has begun
}

// Tasks lists the tasks that live, oldest first.
func (in *Instance) Tasks() []TaskInfo {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	var list []TaskInfo
	in.eachTask(func(t *Task) {
		info := TaskInfo{ID: t.future.id, Func: t.first(), At: t.place(), Spawned: in.spawnPlace(t)}
		switch t.Status() {
		case reactor.Suspended:
			info.State = t.waitText()
		case reactor.Running:
			info.State = "runs"
		default:
			info.State = "is ready"
		}
		list = append(list, info)
	})
	slices.SortFunc(list, func(a, b TaskInfo) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// spawnPlace is where a task was spawned.
func (in *Instance) spawnPlace(t *Task) Frame {
	at := in.Program().frameAt(t.future.place)
	if at.File != "" {
		at.Func = t.first()
	}
	return at
}
