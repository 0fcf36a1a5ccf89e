package vm

import (
	"strings"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A module that is Whole keeps what many tasks share in an order of its own, which
// would be lost if a limit cut one of its functions. So limits strike in the
// functions of scripts that it calls, not in its own: these have a little more than
// the limit, as defers have.

// What code of such a module may take beyond a limit, until it is cut all the same:
// steps of a task, registers of a stack, and bytes of an instance since there were enough.
const (
	spareSteps  = 10_000_000
	spareStack  = 64 << 10
	spareMemory = 16 << 20
)

// fileKind tells whose functions a file has.
type fileKind uint8

const (
	ofOthers  fileKind = iota
	ofWhole            // a module that is whole
	ofPrelude          // works for its caller
)

// fileKinds are those of the files of a program; nil where no module is whole.
func fileKinds(p *bytecode.Program, ms Modules) []fileKind {
	kinds, found := make([]fileKind, len(p.Files)), false
	for i := range p.Files {
		f := &p.Files[i]
		name, _, _ := strings.Cut(strings.TrimSuffix(f.Name, ".rnl"), "/")
		switch m := ms[name]; {
		case !f.Std:
		case name == "prelude":
			kinds[i] = ofPrelude
		case m != nil && m.Whole:
			kinds[i], found = ofWhole, true
		}
	}
	if !found {
		return nil
	}
	return kinds
}

// whole reports whether the code at hand is that of a module that is whole, or works for it.
func (t *Task) whole() bool {
	p := t.w.prog
	if p.kinds == nil {
		return false
	}
	pc, delta := t.pc, t.delta
	for {
		f := p.FuncAt(pc/8 - 1)
		if f == nil || p.kinds[f.File] != ofPrelude {
			return f != nil && p.kinds[f.File] == ofWhole
		}
		link := (*Value)(unsafe.Add(t.stack, uintptr(delta)-16))
		if link.n == 0 {
			return false
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
}

// spared reports whether a limit, or what asks the task to end, does not strike where
// it is. It looks again at the next jump or call.
func (t *Task) spared(steps int64) bool {
	if !t.whole() {
		return false
	}
	more := t.extra()
	if more.spared += steps; more.spared > spareSteps {
		return false
	}
	t.fuel, t.slice = 0, 0
	return true
}

// overdraws pays for n bytes beyond the limit of Memory, where the code at hand is not to be
// cut. It takes a share, as memory is traced each time.
func (w *Worker) overdraws(n int64) bool {
	in, share := w.inst, max(n, spareMemory/16)
	if w.current == nil || !w.current.whole() || in.spared.Add(share) > spareMemory {
		return false
	}
	in.mem.Add(share)
	w.credit = share - n
	return true
}

// checkStack throws where the stack has grown beyond its limit in such code, and that is left.
func (t *Task) checkStack() {
	if t.whole() {
		t.lookSoon()
		return
	}
	t.more.tall = false
	throwStack(uint32(t.w.inst.limits.Stack))
}

func throwStack(limit uint32) {
	throw(ErrStack, "the stack is full (%d registers): is there an endless recursion?", limit)
}
