package vm

import (
	"cmp"
	"fmt"
	"strings"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A task that is an actor has a name and a number, by which all that is told of
// tasks calls it. What it handles is found in its stack when somebody asks, so
// that handling a message costs nothing.

// naming is the name of the next task.
type naming struct {
	name   *Str
	number int64
}

// NameNext makes the next task that the caller spawns an actor with a name and
// a number, if that is not 0. An error before the spawn undoes it.
func (c *Call) NameNext(name *Str, number int64) { c.t.extra().naming = &naming{name, number} }

// CountDeadLetter adds one to the statistics.
func (c *Call) CountDeadLetter() { c.w.stats.DeadLetters++ }

// named gives a new task its name, and for its place the one outside of the
// library that started it.
func (t *Task) named(f *Future) {
	n := t.more.naming
	t.more.naming = nil
	f.val = Value{p: unsafe.Pointer(n.name), n: uint64(n.number)}
	f.place = t.origin(f.place)
}

// actor is the name and number of a task that is an actor: "counter#1".
func (t *Task) actor() (name string, ok bool) {
	if t.future == nil || t.future.ended() || t.future.val.p == nil { // of one that has ended val is the outcome
		return "", false
	}
	name = cmp.Or((*Str)(t.future.val.p).String(), "actor")
	if n := t.future.val.n; n > 0 {
		name += fmt.Sprintf("#%d", n)
	}
	return name, true
}

// title is the name of an actor, and of another task its first function.
func (t *Task) title() string {
	if name, ok := t.actor(); ok {
		return name
	}
	return t.first()
}

// name is what a task is called in reports: "counter#1", "task 7 (work)".
func (t *Task) name() string {
	if name, ok := t.actor(); ok {
		return name
	}
	return fmt.Sprintf("task %d (%s)", t.future.id, t.first())
}

// short is name without the function.
func (f *Future) short() string {
	if t := f.task; t != nil {
		if name, ok := t.actor(); ok {
			return name
		}
	}
	return fmt.Sprintf("task %d", f.id)
}

// doing is name, with the message that an actor handles: "counter#1 (handling Add)".
func (t *Task) doing() string {
	if message := t.message(); message != "" {
		return fmt.Sprintf("%s (handling %s)", t.name(), message)
	}
	return t.name()
}

// idle reports whether the task is an actor that waits for messages.
func (t *Task) idle() bool { return t.Status() == reactor.Suspended && t.wantsMessage() }

// wantsMessage reports whether what the task waits for, or is about to, is the next
// message of an actor.
func (t *Task) wantsMessage() bool {
	_, ok := t.actor()
	return ok && (t.waits == waitRecv || t.waits == waitSelect) && !t.inHandler()
}

// inHandler reports whether an actor has been called, by the library.
func (t *Task) inHandler() bool {
	f, _ := t.outermost()
	return f != nil
}

// message tells what message an actor handles, "" when it handles none or is one
// of the library.
func (t *Task) message() string {
	if _, ok := t.actor(); !ok {
		return ""
	}
	f, delta := t.outermost()
	if f == nil || !strings.HasSuffix(f.Name, ".receive") || len(f.Params) != 3 {
		return ""
	}
	return t.w.prog.messageName(f.Params[1], *t.slot(delta + 16))
}

// outermost is the outermost call of a function outside of the library, and its
// window; nil when there is none.
func (t *Task) outermost() (found *bytecode.Func, window uint32) {
	for pc, delta := t.pc, t.delta; ; {
		if f := t.w.prog.FuncAt(pc/8 - 1); f != nil && !t.w.prog.Files[f.File].Std {
			found, window = f, delta
		}
		link := t.slot(delta - 16)
		if link.n == 0 {
			return found, window
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
}

// messageName is the variant of an enum, and the type of anything else.
func (p *Program) messageName(id uint32, v Value) string {
	switch p.Types[id].Kind {
	case bytecode.TAny, bytecode.TInterface, bytecode.TOptional:
		id = v.TypeID()
	}
	typ := &p.Types[id]
	if typ.Kind != bytecode.TEnum {
		return typ.Name
	}
	tag := v.n
	if !typ.Plain() {
		if v.p == nil || (*Header)(v.p).Type != id {
			return typ.Name
		}
		tag = uint64((*Header)(v.p).Aux)
	}
	if tag >= uint64(len(typ.Variants)) {
		return typ.Name
	}
	return typ.Variants[tag].Name
}
