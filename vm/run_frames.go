package vm

import (
	"sync"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// frames adds the registers that a suspended task may still read: those that were
// in use in its calls when they called and in the last when it began to wait.
func (h *heapTracer) frames(t *Task) {
	pc, delta := t.pc, t.delta
	suspended := t.Status() == reactor.Suspended
	if suspended && t.waits == waitSelect { // it has an immediate word
		pc -= 8
	}
	word := pc/8 - 1
	f := t.w.prog.FuncAt(word)
	// A host waits in a stub, which is not a function. What is not suspended may stand
	// anywhere or have been given something; but one that a timer has just woken
	// has not moved yet.
	if f == nil || !suspended && bytecode.OpOf(t.w.prog.Code[word]) != bytecode.SLEEP {
		h.roots(t.regs())
		return
	}
	w := t.w.prog.Code[word]
	top := uint32(bytecode.AuxOf(w))
	if bytecode.OpOf(w) == bytecode.CALLN { // it uses its arguments
		top = uint32(bytecode.AOf(w)/16) + uint32(len(t.w.prog.Natives[bytecode.BOf(w)].Params))
	} else if bytecode.Ops[bytecode.OpOf(w)].Aux != "top" || top == 0 || top == bytecode.UnknownTop {
		h.roots(t.regs()[delta/16:])
		top = 0
	}
	for {
		h.frame(t, f, word, delta, top)
		link := t.slot(delta - 16)
		if link.n == 0 {
			return
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		caller := delta - uint32(link.n)
		word = pc/8 - 1
		f, top, delta = t.w.prog.FuncAt(word), (delta-caller)/16-1, caller
	}
}

// frame adds the first registers of a call that stands at a word.
func (h *heapTracer) frame(t *Task, f *bytecode.Func, word, delta, top uint32) {
	regs := t.regs()[delta/16:]
	if f == nil {
		h.roots(regs[:top])
		return
	}
	if len(f.Captures) > 0 {
		h.roots(t.regs()[delta/16-1 : delta/16]) // its closure
	}
	if last := &h.lastFrame; last.word != word || last.top != top { // many tasks wait at the same place
		*last = h.prog.frameRuns(f, word, top, last.runs[:0])
	}
	for _, r := range h.lastFrame.runs {
		h.roots(regs[r[0]:r[1]])
	}
}

// frameRuns are the registers of a call that count at a word: from the first up to
// the second of each.
type frameRuns struct {
	word, top uint32
	runs      [][2]int
}

func (p *Program) frameRuns(f *bytecode.Func, word, top uint32, runs [][2]int) frameRuns {
	m := p.pointerMap(f)
	for r := 0; r < int(top); r++ {
		first := r
		for r < int(top) && m.Counts(word, r) {
			r++
		}
		if r > first {
			runs = append(runs, [2]int{first, r})
		}
	}
	return frameRuns{word, top, runs}
}

// forgetDead clears the pointer words of the registers of suspended tasks that these
// will not read, and counts them. The world stands still.
func (in *Instance) forgetDead() (forgotten int) {
	h := newHeapTracer(in.Program())
	in.eachTask(func(t *Task) {
		if t.Status() != reactor.Suspended {
			return
		}
		h.from = h.from[:0]
		h.frames(t)
		regs := t.regs()
		at := make([]bool, len(regs))
		for _, s := range h.from {
			first := (uintptr(s.at) - uintptr(t.stack)) / 16
			for i := range s.n {
				at[int(first)+i] = true
			}
		}
		for i := range regs {
			if regs[i].p != nil && !at[i] {
				regs[i].p = nil
				forgotten++
			}
		}
	})
	return forgotten
}

// pointerMap finds and keeps the map of a function.
func (p *Program) pointerMap(f *bytecode.Func) *bytecode.PointerMap {
	p.pointers.mu.Lock()
	defer p.pointers.mu.Unlock()
	m := p.pointers.maps[f.Start]
	if m == nil {
		m = bytecode.Pointers(p.Program, f)
		if p.pointers.maps == nil {
			p.pointers.maps = map[uint32]*bytecode.PointerMap{}
		}
		p.pointers.maps[f.Start] = m
	}
	return m
}

// pointerMaps by the first word of the function.
type pointerMaps struct {
	mu   sync.Mutex
	maps map[uint32]*bytecode.PointerMap
}
