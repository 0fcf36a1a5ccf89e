//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"strings"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

var off = &vm.MachineLayout

// compiler compiles functions of a program.
type coder struct {
	p   *bc.Program
	obj *vm.MachineObjects
	asm
	types  map[uint32]uint32 // of the closure that is called or the list that is used at a word
	table  map[uint32]int    // word -> offset of the entry
	starts map[uint32]int    // word of a function that is compiled -> offset
	ends   map[uint32]int
	batch  map[uint32]bool // functions that are compiled with this one
	relocs []reloc
	parts  []Part
}

// reloc is a call of a function, which may be compiled with it.
type reloc struct {
	at   int
	word uint32
}

// typeAt is the type of the closure that is called at a word, or of the list, if it is known.
func (c *coder) typeAt(word uint32) *bc.Type {
	if id, ok := c.types[word]; ok {
		return &c.p.Types[id]
	}
	return nil
}

// emitter writes one function.
type emitter struct {
	*coder
	j      *function
	labels []int // of each instruction, -1 before
	fix    []struct{ at, to int }
	colds  []cold
	found  map[int32]bool // webs that are known not to be nil since the instruction before which code was last entered
	i      int
	in     *ins
}

// compile writes the code of a function, or gives false.
func (c *coder) compile(f *bc.Func) bool {
	j := &function{c: c, f: f}
	j.expand(f, 0, nil, 0)
	if len(j.ir) > 6000 {
		return false
	}
	j.outline()
	j.analyse()
	if j.tooBig {
		return false
	}
	j.allocate()
	e := &emitter{coder: c, j: j, labels: make([]int, len(j.ir)), found: map[int32]bool{}}
	for i := range e.labels {
		e.labels[i] = -1
	}
	for c.pos()%16 != 0 {
		c.u8(padding)
	}
	c.starts[f.Start] = c.pos()
	c.table[f.Start] = c.pos()
	e.i, e.in = 0, &j.ir[0]
	e.reload(0)
	for i := range j.ir {
		in := &j.ir[i]
		e.i, e.in = i, in
		if i > 0 && in.entry {
			prev := &j.ir[i-1]
			if prev.clobbers() {
				c.table[in.at] = c.pos()
				e.reload(i) // what came before has clobbered all
			} else {
				k := i
				e.later(func() {
					c.table[j.ir[k].at] = c.pos()
					e.reload(k)
					e.jumpTo(k)
				})
			}
		} else if i > 0 && j.ir[i-1].clobbers() && in.fr == nil {
			panic("native: no entry behind a call")
		}
		e.labels[i] = c.pos()
		e.part(in, false)
		if in.leader || in.entry {
			clear(e.found)
		}
		e.instr()
		for _, a := range in.acc {
			if a.def {
				delete(e.found, a.v)
			}
		}
	}
	for k := 0; k < len(e.colds); k++ {
		e.part(e.colds[k].in, true)
		e.colds[k].emit()
	}
	for _, x := range e.fix {
		c.patch(x.at, e.labels[x.to])
	}
	c.parts = append(c.parts, Part{Offset: c.flush(), Word: Constants})
	c.ends[f.Start] = c.pos()
	return true
}

// padding stands between functions: it traps.
const padding = 0xcc

// cold is code for an instruction that stands behind the rest of the function.
type cold struct {
	in   *ins
	emit func()
}

// later has code written behind the rest of the function.
func (e *emitter) later(emit func()) { e.colds = append(e.colds, cold{e.in, emit}) }

// part notes that the code of an instruction begins.
func (e *emitter) part(in *ins, cold bool) {
	e.parts = append(e.parts, Part{e.pos(), in.at, cold})
}

// jumpTo jumps to an instruction.
func (e *emitter) jumpTo(to int) { e.fix = append(e.fix, struct{ at, to int }{e.jmp(), to}) }
func (e *emitter) jccTo(cc byte, to int) {
	e.fix = append(e.fix, struct{ at, to int }{e.jcc(cc), to})
}

// reload loads what is needed in registers at an instruction.
func (e *emitter) reload(i int) {
	load := func(v int32) {
		w := &e.j.webs[v]
		if w.reg < 0 {
			return
		}
		switch {
		case w.half == halfD:
			e.loadD(w)
		case w.isF:
			e.fld(w.reg, M(rBX, w.home()))
		default:
			e.ld(w.reg, M(rBX, w.home()))
		}
	}
	need := make(set, len(e.j.regIn[i]))
	copy(need, e.j.regIn[i])
	for k := range need {
		need[k] |= e.j.dirtyIn[i][k] & e.j.liveIn[i][k]
	}
	need.each(load)
}

// loadD finds the backing of a list, or the empty one for none.
func (e *emitter) loadD(w *web) {
	e.ld(rAX, M(rBX, w.slot*16))
	e.moviNF(w.reg, int64(e.obj.EmptyBacking))
	e.test(rAX, rAX)
	z := e.jcc(ccE)
	e.ld(w.reg, M(rAX, 8))
	e.here(z)
}

// spill stores what is newer in registers, of a set.
func (e *emitter) spill(s set) {
	s.each(func(v int32) {
		w := &e.j.webs[v]
		if w.known {
			e.storeHome(w)
			return
		}
		if w.reg < 0 || w.half != halfN {
			return
		}
		if w.isF {
			e.fst(M(rBX, w.home()), w.reg)
		} else {
			e.st(M(rBX, w.home()), w.reg)
		}
	})
}

// dirtyBefore is what has to be stored when the instruction exits before it has done anything.
func (e *emitter) dirtyBefore() set {
	s := make(set, len(e.j.dirtyIn[e.i]))
	for k := range s {
		s[k] = e.j.dirtyIn[e.i][k] & e.j.liveIn[e.i][k]
	}
	return s
}

// dirtyAt is that on the way to another one, after it.
func (e *emitter) dirtyAt(to int) set {
	s := make(set, len(e.j.dirtyIn[e.i]))
	copy(s, e.j.dirtyIn[e.i])
	for _, a := range e.in.acc {
		if w := &e.j.webs[a.v]; a.def && !w.wt && (w.reg >= 0 || w.known) {
			s.add(a.v)
		}
	}
	for k := range s {
		s[k] &= e.j.liveIn[to][k]
	}
	return s
}

// exit writes the code that leaves with a code and a position.
func (e *emitter) exit(fr *inlined, code int, pc uint32, s set, drop bool) {
	e.spill(s)
	if fr != nil {
		var chain []*inlined
		for f := fr; f != nil; f = f.up {
			chain = append(chain, f)
		}
		for k := len(chain) - 1; k >= 0; k-- {
			f := chain[k]
			e.movi(rAX, int64(uint64(f.ret*8)<<32|uint64(f.a)))
			e.st(M(rBX, f.off-8), rAX)
		}
		e.alui(aADD, R(rBX), fr.off)
		drop = true
	}
	if drop {
		e.ld(rSP, M(r15, off.Bottom))
	}
	if code < bc.NumOps {
		expect := pc
		if bc.Ops[code].Word {
			expect += 8
		}
		e.sti32(M(r15, off.Expect), int32(expect))
		e.operands(bc.Op(code))
	}
	e.movi(rCX, int64(pc))
	e.movi(rAX, int64(code))
	e.callM(M(r15, off.Exit))
}

// coldExit has a jump lead to an exit before the instruction has done anything.
func (e *emitter) coldExit(at int, code int) {
	s, in := e.dirtyBefore(), e.in
	pc := (in.at + 1) * 8
	drop := false
	if code == vm.MachineInterpret || code == vm.MachineGrow {
		pc = in.at * 8
		drop = true
	}
	next := e.i + 1
	e.later(func() {
		e.here(at)
		e.in = in
		e.exit(in.fr, code, pc, s, drop)
		if code < bc.NumOps { // the helper comes back here
			e.reload(next)
			e.jumpTo(next)
		}
	})
}

// fuelTo pays for a jump that is taken and jumps.
func (e *emitter) fuelTo(to int) {
	e.dec32(r12)
	e.jccTo(ccNS, to)
	s, t := e.dirtyAt(to), &e.j.ir[to]
	fr, word := t.fr, t.at
	at := e.jmp()
	e.later(func() {
		e.here(at)
		e.exit(fr, vm.MachineRefuel, word*8, s, false)
	})
}

// instr writes the code of an instruction.
func (e *emitter) instr() {
	in := e.in
	if in.callOut() {
		e.exit(in.fr, int(in.op), (in.at+1)*8, e.dirtyBefore(), false)
		return
	}
	if e.isKnown() || e.moves() || e.ints() || e.floats() || e.jumps() || e.objects() || e.lists() || e.tests() || e.calls() {
		return
	}
	e.coldExit(e.jmp(), vm.MachineInterpret)
}

// operands gives a helper that wants them pointers to its registers.
func (e *emitter) operands(op bc.Op) {
	if _, want := vm.MachineCalls(op); !want {
		return
	}
	in := e.in
	vals := [3]int32{int32(bc.AOf(in.w)), int32(bc.BOf(in.w)), int32(bc.COf(in.w))}
	n := int32(0)
	for i, format := range bc.Ops[op].Operands {
		switch strings.TrimPrefix(format, "=") {
		case "i", "p", "v":
			e.lea(rAX, M(rBX, vals[i]))
			e.st(M(r15, off.Registers+n*8), rAX)
			n++
		}
	}
}
