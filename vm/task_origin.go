package vm

import "unsafe"

// NoteOrigins makes the instance remember, for tasks and resources that the
// library makes, the place in the script that led there. It costs a little
// time. Call it before the instance runs.
func (in *Instance) NoteOrigins() { in.origins = true }

// origin returns the innermost position outside the library: in the calls of
// the task, or else where the task was spawned.
func (t *Task) origin(position uint32) uint32 {
	pc, delta := position, t.delta
	for !t.w.prog.inScript(pc) {
		link := (*Value)(unsafe.Add(t.stack, uintptr(delta)-16))
		if link.n == 0 {
			if t.future != nil && t.future.place != 0 {
				return t.future.place
			}
			return position
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
	return pc
}

// inScript reports whether the instruction before a position is outside the library.
func (p *Program) inScript(position uint32) bool {
	f := p.FuncAt(position/8 - 1)
	return f != nil && !p.Files[f.File].Std
}

// frameAt is the frame of the instruction before a position.
func (p *Program) frameAt(position uint32) Frame {
	f := p.FuncAt(position/8 - 1)
	if f == nil {
		return Frame{}
	}
	line, col := f.Place(position/8 - 1)
	return Frame{f.Name, p.Files[f.File].Name, line, col}
}
