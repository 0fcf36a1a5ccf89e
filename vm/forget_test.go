package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
)

// ForgetDead clears the pointer words of the registers that the tracer does not
// take into account: no task may miss them.
func (in *Instance) ForgetDead() (forgotten int) {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	in.eachTask(func(t *Task) {
		if t.Status() != reactor.Suspended {
			return
		}
		counts := map[unsafe.Pointer]bool{}
		h := newHeapTracer(in.Program())
		h.frames(t)
		for _, s := range h.from {
			for i := range s.n {
				counts[unsafe.Add(s.at, uintptr(i)*s.stride)] = true
			}
		}
		for i, regs := 0, t.regs(); i < len(regs); i++ {
			if r := &regs[i]; r.p != nil && !counts[unsafe.Pointer(&r.p)] {
				r.p = nil
				forgotten++
			}
		}
	})
	return forgotten
}
