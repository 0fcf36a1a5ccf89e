//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"slices"
)

func freq(depth int) float64 {
	f := 1.0
	for ; depth > 0; depth-- {
		f *= 8
	}
	return f
}

var gprs = []int{rSI, rDI, r8, r9, r10, r11, r13, r14, rBP}

const numXmm = 14 // the last two are scratch

// policy decides what is stored at once and finds what is not.
func (j *function) policy() {
	nw := len(j.webs)
	defs := make([]float64, nw)
	spills := make([]float64, nw)
	for i := range j.ir {
		in := &j.ir[i]
		f := freq(in.depth)
		for _, a := range in.acc {
			if a.def && !a.mem {
				defs[a.v] += f
			}
		}
		if in.clobbers() {
			j.liveIn[i].each(func(v int32) { spills[v] += f })
		}
	}
	for i := range j.webs {
		w := &j.webs[i]
		w.wt = w.half != halfN || spills[i] > 0 && defs[i] <= spills[i]
	}
	// Dirty: the register is newer than the home.
	nb := len(j.blocks)
	for changed := true; changed; {
		changed = false
		for bi := range nb {
			b := &j.blocks[bi]
			d := slices.Clone(b.din)
			for i := b.start; i < b.end; i++ {
				in := &j.ir[i]
				copy(j.dirtyIn[i], d)
				if in.clobbers() {
					clear(d)
				}
				for _, a := range in.acc {
					if a.def && !a.mem && !j.webs[a.v].wt {
						d.add(a.v)
					} else if a.def {
						d.del(a.v)
					}
				}
				for k := range d {
					d[k] &= j.liveOut[i][k]
				}
			}
			for _, s := range b.succ {
				t := j.blocks[s].din
				for k := range t {
					x := t[k] | d[k]&j.blocks[s].in[k]
					if x != t[k] {
						t[k] = x
						changed = true
					}
				}
			}
		}
	}
}

func (j *function) needs() {
	nb := len(j.blocks)
	for bi := range j.blocks {
		b := &j.blocks[bi]
		for k := range b.rin {
			b.rin[k] = b.din[k] & b.in[k]
		}
	}
	// What is needed in a register before the next call.
	for changed := true; changed; {
		changed = false
		for bi := nb - 1; bi >= 0; bi-- {
			b := &j.blocks[bi]
			for _, s := range b.succ {
				b.rout.or(j.blocks[s].rin)
			}
			need := slices.Clone(b.rout)
			for i := b.end - 1; i >= b.start; i-- {
				in := &j.ir[i]
				copy(j.regOut[i], need)
				if in.clobbers() {
					clear(need)
				}
				for _, a := range in.acc {
					if a.def && !a.may {
						need.del(a.v)
					}
				}
				for _, a := range in.acc {
					if !a.def && !a.mem {
						need.add(a.v)
					}
				}
				copy(j.regIn[i], need)
			}
			if b.rin.or(need) {
				changed = true
			}
		}
	}
}

// allocate gives webs registers, the most useful first.
func (j *function) allocate() {
	nw := len(j.webs)
	ww := (nw + 63) / 64
	defs := make([]float64, nw)
	for i := range j.ir {
		in := &j.ir[i]
		f := freq(in.depth)
		for _, a := range in.acc {
			w := &j.webs[a.v]
			switch {
			case a.def && a.mem && a.half != halfD:
				// in memory, loaded if needed: counted as a load below
				if j.regOut[i].has(a.v) {
					w.cost -= f
				}
			case a.def:
				defs[a.v] += f
				if a.half == halfN {
					w.cost += f
				} else if a.half == halfD && j.liveOut[i].has(a.v) {
					w.cost -= 1.2 * f
				}
			case !a.mem:
				w.cost += f
				if a.half == halfD {
					w.cost += 0.2 * f
				}
			}
		}
		if in.clobbers() {
			j.regOut[i].each(func(v int32) {
				w := &j.webs[v]
				isDef := false
				for _, a := range in.acc {
					isDef = isDef || a.def && a.v == v && !a.may
				}
				if !isDef {
					w.cost -= f
				}
			})
		}
	}
	j.blocks[0].rin.each(func(v int32) { j.webs[v].cost -= 1 })
	for i := range j.webs {
		if w := &j.webs[i]; w.half == halfN && w.wt {
			w.cost -= defs[i]
		}
	}
	for i := range j.webs {
		j.webs[i].interf = make(set, ww)
	}
	occ := make(set, ww)
	clique := func() {
		occ.each(func(v int32) { j.webs[v].interf.or(occ) })
	}
	for i := range j.ir {
		in := &j.ir[i]
		for k := range occ {
			occ[k] = j.regIn[i][k] | j.dirtyIn[i][k]&j.liveIn[i][k]
		}
		clique()
		next := slices.Clone(j.regOut[i])
		for k := range next {
			if !in.clobbers() {
				next[k] |= j.dirtyIn[i][k] & j.liveOut[i][k]
			}
		}
		for _, a := range in.acc {
			if a.def {
				next.add(a.v)
			}
		}
		copy(occ, next)
		clique()
	}
	order := make([]int, nw)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case j.webs[a].cost > j.webs[b].cost:
			return -1
		case j.webs[a].cost < j.webs[b].cost:
			return 1
		}
		return 0
	})
	for _, i := range order {
		w := &j.webs[i]
		if w.cost <= 0 {
			break
		}
		if w.known {
			continue
		}
		taken := uint64(0)
		w.interf.each(func(v int32) {
			o := &j.webs[v]
			if int(v) != i && o.reg >= 0 && o.isF == w.isF {
				taken |= 1 << o.reg
			}
		})
		choose := -1
		for _, m := range w.move {
			if o := &j.webs[m]; o.reg >= 0 && o.isF == w.isF && taken>>o.reg&1 == 0 {
				choose = o.reg
				break
			}
		}
		if choose < 0 {
			if w.isF {
				for r := range numXmm {
					if taken>>r&1 == 0 {
						choose = r
						break
					}
				}
			} else {
				for _, r := range gprs {
					if taken>>r&1 == 0 {
						choose = r
						break
					}
				}
			}
		}
		w.reg = choose
	}
	// What has no register is always in memory.
	for i := range j.ir {
		for v := range j.webs {
			if w := &j.webs[v]; w.reg < 0 && !w.known {
				j.dirtyIn[i].del(int32(v))
			}
		}
	}
}
