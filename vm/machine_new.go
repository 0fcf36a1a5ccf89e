//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package vm

import (
	"unsafe"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// newPlan says how objects of a type are made: opNew without looking at the type.
type newPlan struct {
	alloc  func() unsafe.Pointer
	size   int64
	header uint64
	copies []newCopy
}

// newCopy moves a word of a register to a field.
type newCopy struct {
	from, to uint16 // byte offsets in the registers and in the object
	ref      bool
}

// planNews makes the plans of a program's types.
func (p *Program) planNews() []newPlan {
	plans := make([]newPlan, len(p.Types))
	for i := range p.Types {
		t := &p.Types[i]
		l := t.Layout
		if len(t.Fields) == 0 || l.Scalars >= maxGenScalars || l.Refs >= maxGenRefs || l.Refs == 0 && l.Scalars > 6 {
			continue
		}
		d := &plans[i]
		d.alloc = genObjects[l.Scalars][l.Refs]
		d.size = int64(l.Size())
		d.header = uint64(i)
		for k := range t.Fields {
			f := &t.Fields[k]
			if f.Rep != bc.RepP {
				d.copies = append(d.copies, newCopy{uint16(k*16 + 8), uint16(f.Off), false})
			}
			if f.Rep != bc.RepI {
				d.copies = append(d.copies, newCopy{uint16(k * 16), uint16(f.POff), true})
			}
		}
	}
	return plans
}

// opNewPlanned is opNew by a plan.
func opNewPlanned(t *Task) {
	w := t.w
	word := t.word()
	d := &w.prog.machine.plans[bc.BOf(word)]
	if d.alloc == nil {
		opNew(t)
		return
	}
	if w.credit -= d.size; w.credit < 0 {
		w.refillCredit(int(d.size))
	}
	obj := d.alloc()
	*(*uint64)(obj) = d.header
	from := t.reg(uintptr(bc.COf(word)))
	for _, c := range d.copies {
		if c.ref {
			*(*unsafe.Pointer)(unsafe.Add(obj, c.to)) = *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(from), c.from))
		} else {
			*(*uint64)(unsafe.Add(obj, c.to)) = *(*uint64)(unsafe.Add(unsafe.Pointer(from), c.from))
		}
	}
	t.reg(uintptr(bc.AOf(word))).p = obj
}
