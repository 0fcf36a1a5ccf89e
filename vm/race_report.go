package vm

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/internal/fasttrack"
)

// Race is two unordered accesses to the same variable, field or element, at
// least one of them a write: in another run they may happen in the opposite
// order, or at the same time.
type Race struct {
	What          string // "field hits of Counter"
	Before, After RaceAccess
}

// RaceAccess is one of the two accesses of a race.
type RaceAccess struct {
	Write bool
	At    Frame
	Task  RaceTask
}

// RaceTask is the task that made an access.
type RaceTask struct {
	ID      uint64
	Actor   string // its name and number, if it is one
	Func    string // what it runs
	Spawned Frame  // Line 0: a host called it
}

func (t RaceTask) String() string {
	switch {
	case t.Actor != "":
		return t.Actor
	case t.Spawned.Line == 0:
		return t.Func
	}
	return fmt.Sprintf("task %d (%s)", t.ID, t.Func)
}

// Verb returns "write" or "read".
func (a RaceAccess) Verb() string {
	if a.Write {
		return "write"
	}
	return "read"
}

func (f Frame) String() string { return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col) }

func (r Race) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "data race on %s: %s at %s in %s; previous %s at %s in %s",
		r.What, r.After.Verb(), r.After.At, r.After.Task, r.Before.Verb(), r.Before.At, r.Before.Task)
	for _, t := range r.Tasks() {
		fmt.Fprintf(&b, "; %s was spawned at %s", t, t.Spawned)
	}
	return b.String()
}

// Tasks returns those of the two tasks that were spawned.
func (r Race) Tasks() []RaceTask {
	var ts []RaceTask
	for _, t := range []RaceTask{r.After.Task, r.Before.Task} {
		if t.Spawned.Line > 0 {
			ts = append(ts, t)
		}
	}
	return ts
}

// Races returns the data races found so far, one for each pair of places. Call it while no task is running.
func (in *Instance) Races() []Race {
	if in.race == nil {
		return nil
	}
	return in.race.found
}

// raceSide is an access to be reported once.
type raceSide struct {
	at    Frame
	write bool
}

// report keeps a race, unless one with the same two lines has been found: a
// generic function has many places for the same line.
func (r *raceDetector) report(f fasttrack.Race) {
	race := Race{r.describe(f.Object, f.Index), r.access(f.Before), r.access(f.After)}
	a, b := raceSide{race.Before.At, race.Before.Write}, raceSide{race.After.At, race.After.Write}
	if _, ok := r.seen[[2]raceSide{a, b}]; ok {
		return
	}
	r.seen[[2]raceSide{a, b}] = struct{}{}
	r.seen[[2]raceSide{b, a}] = struct{}{}
	r.found = append(r.found, race)
}

func (r *raceDetector) access(a fasttrack.Access) RaceAccess {
	task := RaceTask{ID: a.Thread.ID, Actor: r.actors[a.Thread.ID], Func: "a task that has ended"}
	if f := r.prog.FuncAt(a.Thread.Func / 8); f != nil && a.Thread.ID != 0 {
		task.Func = f.Name
	}
	if a.Thread.At != 0 {
		task.Spawned = r.frame(a.Thread.At)
	}
	return RaceAccess{a.Write, r.frame(a.Place), task}
}

// frame is a position in the code behind an instruction.
func (r *raceDetector) frame(pc uint32) Frame {
	word := pc/8 - 1
	f := r.prog.FuncAt(word)
	if f == nil {
		return Frame{}
	}
	line, col := f.Place(word)
	return Frame{f.Name, r.prog.Files[f.File].Name, line, col}
}

// describe names a location.
func (r *raceDetector) describe(obj unsafe.Pointer, index int) string {
	switch obj {
	case r.globals:
		return r.global(index / 2)
	case r.ginit:
		return "the initialisation of " + r.global(index)
	}
	t := &r.prog.Types[(*Header)(obj).Type]
	switch t.Kind {
	case bytecode.TCell:
		return "a captured variable"
	case bytecode.TFrame:
		return "a generator"
	case bytecode.TList, bytecode.TBuffer:
		if index > 0 {
			return fmt.Sprintf("element %d of a %s", index-1, t.Name)
		}
	default:
		for i := range t.Fields {
			if f := &t.Fields[i]; index > 0 && (f.Rep != bytecode.RepP && int(f.Off)/8 == index || f.Rep != bytecode.RepI && int(f.POff)/8 == index) {
				return fmt.Sprintf("field %s of %s", f.Name, t.Name)
			}
		}
	}
	return "a " + t.Name
}

func (r *raceDetector) global(i int) string {
	if i < len(r.prog.Globals) {
		return r.prog.Globals[i].Name
	}
	return "a global"
}
