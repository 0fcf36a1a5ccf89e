//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"slices"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

func (j *function) find(i int32) int32 {
	for j.uf[i] != i {
		j.uf[i] = j.uf[j.uf[i]]
		i = j.uf[i]
	}
	return i
}

func (j *function) union(a, b int32) {
	a, b = j.find(a), j.find(b)
	if a != b {
		j.uf[b] = a
	}
}

// analyse splits variables into webs and finds where they live.
func (j *function) analyse() {
	for i := range j.ir {
		j.accesses(&j.ir[i])
	}
	for i := range j.f.Params {
		j.slots = max(j.slots, int32(i)+1)
	}
	j.withD()
	j.nvars = int(j.slots) * 3
	j.liveVariables()
	ids := j.join()
	if j.tooBig {
		return
	}
	varIn := j.number(ids)
	if !j.room() {
		j.tooBig = true
		return
	}
	j.constants(varIn[0])
	j.liveWebs(varIn)
	j.classes()
	j.policy()
	j.needs()
}

func newSet(n int) set { return make(set, (n+63)/64) }

// liveVariables finds which variables live where blocks begin.
func (j *function) liveVariables() {
	nb, nv := len(j.blocks), j.nvars
	use, def := make([]set, nb), make([]set, nb)
	for bi := range j.blocks {
		b := &j.blocks[bi]
		b.in, b.out = newSet(nv), newSet(nv)
		use[bi], def[bi] = newSet(nv), newSet(nv)
		for i := b.start; i < b.end; i++ {
			for _, a := range j.ir[i].acc {
				if !a.def && !def[bi].has(a.v) {
					use[bi].add(a.v)
				}
			}
			for _, a := range j.ir[i].acc {
				if a.def && !a.may {
					def[bi].add(a.v)
				}
			}
		}
	}
	hb := make([][]int, nb) // blocks of handlers that cover part of each
	for bi := range j.blocks {
		b := &j.blocks[bi]
		for i := b.start; i < b.end; i++ {
			for _, h := range j.ir[i].hs {
				if k := j.ir[h].block; !slices.Contains(hb[bi], k) {
					hb[bi] = append(hb[bi], k)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for bi := nb - 1; bi >= 0; bi-- {
			b := &j.blocks[bi]
			for _, s := range b.succ {
				if b.out.or(j.blocks[s].in) {
					changed = true
				}
			}
			for k := range b.in {
				n := use[bi][k] | b.out[k]&^def[bi][k]
				for _, h := range hb[bi] {
					n |= j.blocks[h].in[k] // conservative: as if thrown before any definition
				}
				if n|b.in[k] != b.in[k] {
					b.in[k] |= n
					changed = true
				}
			}
		}
	}
}

// maxDefinitions and maxLiveness bound the memory that compiling a function takes.
const (
	maxDefinitions = 4 << 20
	maxLiveness    = 2 << 20
)

// join puts into one what belongs together: what lives where a block begins, which is
// number block*nvars + variable, and definitions, which follow. It gives the variable of
// each number.
func (j *function) join() (ids []int32) {
	nb, nv := len(j.blocks), j.nvars
	total := nb * nv
	for i := range j.ir {
		for _, a := range j.ir[i].acc {
			if a.def {
				total++
			}
		}
	}
	if total > maxDefinitions {
		j.tooBig = true
		return nil
	}
	j.uf = make([]int32, total)
	for i := range j.uf {
		j.uf[i] = int32(i)
	}
	next := int32(nb * nv)
	cur := make([]int32, nv)
	ids = make([]int32, total)
	for bi := range j.blocks {
		b := &j.blocks[bi]
		for v := range cur {
			cur[v] = int32(bi*nv + v)
			ids[bi*nv+v] = int32(v)
		}
		for i := b.start; i < b.end; i++ {
			in := &j.ir[i]
			for _, h := range in.hs {
				hbk := j.ir[h].block
				j.blocks[hbk].in.each(func(v int32) { j.union(cur[v], int32(hbk*nv)+v) })
			}
			for k := range in.acc {
				if a := &in.acc[k]; !a.def {
					a.v = cur[a.v]
				}
			}
			for k := range in.acc {
				if a := &in.acc[k]; a.def {
					v := a.v
					if a.may {
						a.v = cur[v]
						continue
					}
					ids[next] = v
					a.v, cur[v] = next, next
					next++
				}
			}
			for _, h := range in.hs { // an error may be thrown after a definition too, by a call's callee never: but stay safe
				hbk := j.ir[h].block
				j.blocks[hbk].in.each(func(v int32) { j.union(cur[v], int32(hbk*nv)+v) })
			}
		}
		for _, s := range b.succ {
			j.blocks[s].in.each(func(v int32) { j.union(cur[v], int32(s*nv)+v) })
		}
	}
	return ids
}

// number makes the webs, and gives those that live where each block begins.
func (j *function) number(ids []int32) (varIn [][]int32) {
	nb, nv := len(j.blocks), j.nvars
	num := map[int32]int32{}
	webOf := func(id int32) int32 {
		r := j.find(id)
		w, ok := num[r]
		if !ok {
			w = int32(len(j.webs))
			num[r] = w
			v := ids[r]
			j.webs = append(j.webs, web{half: uint8(v % 3), slot: v / 3, reg: -1})
		}
		return w
	}
	for i := range j.ir {
		in := &j.ir[i]
		for k := range in.acc {
			in.acc[k].v = webOf(in.acc[k].v)
		}
	}
	varIn = make([][]int32, nb)
	for bi := range j.blocks {
		b := &j.blocks[bi]
		b.in.each(func(v int32) { varIn[bi] = append(varIn[bi], webOf(int32(bi*nv)+v)) })
	}
	return varIn
}

// room reports whether the sets of webs are not too large.
func (j *function) room() bool { return len(j.ir)*len(newSet(len(j.webs))) <= maxLiveness }

// liveWebs finds which webs live before and behind each instruction.
func (j *function) liveWebs(varIn [][]int32) {
	nw, n := len(j.webs), len(j.ir)
	ww := len(newSet(nw))
	store := make(set, ww*(5*n))
	row := func() set { s := store[:ww:ww]; store = store[ww:]; return s }
	j.liveOut, j.liveIn, j.regOut, j.regIn, j.dirtyIn = make([]set, n), make([]set, n), make([]set, n), make([]set, n), make([]set, n)
	for i := range j.ir {
		j.liveOut[i], j.liveIn[i], j.regOut[i], j.regIn[i], j.dirtyIn[i] = row(), row(), row(), row(), row()
	}
	for bi := range j.blocks {
		b := &j.blocks[bi]
		b.in, b.rin, b.rout, b.din, b.dout = newSet(nw), newSet(nw), newSet(nw), newSet(nw), newSet(nw)
		for _, w := range varIn[bi] {
			b.in.add(w)
		}
	}
	for bi := range j.blocks {
		b := &j.blocks[bi]
		live := newSet(nw)
		for _, s := range b.succ {
			live.or(j.blocks[s].in)
		}
		for i := b.end - 1; i >= b.start; i-- {
			in := &j.ir[i]
			copy(j.liveOut[i], live)
			for _, a := range in.acc {
				if a.def && !a.may {
					live.del(a.v)
				}
			}
			for _, a := range in.acc {
				if !a.def {
					live.add(a.v)
				}
			}
			for _, h := range in.hs {
				live.or(j.blocks[j.ir[h].block].in)
			}
			copy(j.liveIn[i], live)
		}
	}
}

// classes tells float webs from others, and which pointers are never none.
func (j *function) classes() {
	nilable := make([]bool, len(j.webs))
	hasDef := make([]bool, len(j.webs))
	for i := range j.ir {
		in := &j.ir[i]
		for _, a := range in.acc {
			w := &j.webs[a.v]
			switch a.flt {
			case 1:
				w.flt++
			case 2:
				w.flt--
			}
			if a.def && a.half == halfP {
				hasDef[a.v] = true
				ok := false
				switch in.op {
				case bc.LGETP, bc.FORLP, bc.NEW, bc.NEWENUM, bc.CLOSURE, bc.MKLIST, bc.NEWLIST, bc.NEWMAP, bc.NEEDP, bc.GGETP, bc.LDS, bc.LDB, bc.LDE, bc.LDFN, bc.CONCAT, bc.CONCATN, bc.INTERP, bc.TOSTR, bc.FORMAT, bc.LSLICE, bc.SSLICE:
					ok = true
				}
				if !ok && in.op != bc.MOVP {
					nilable[a.v] = true
				}
			}
		}
		if in.op == bc.MOVI || in.op == bc.MOVP {
			var d, s int32 = -1, -1
			for _, a := range in.acc {
				if a.half == halfD {
					continue
				}
				if a.def {
					d = a.v
				} else {
					s = a.v
				}
			}
			j.webs[d].move = append(j.webs[d].move, s)
			j.webs[s].move = append(j.webs[s].move, d)
		}
	}
	for changed := true; changed; { // a copy may be none if its source may
		changed = false
		for i := range j.ir {
			in := &j.ir[i]
			if in.op != bc.MOVP {
				continue
			}
			var d, s int32 = -1, -1
			for _, a := range in.acc {
				if a.half == halfP {
					if a.def {
						d = a.v
					} else {
						s = a.v
					}
				}
			}
			if nilable[s] && !nilable[d] {
				nilable[d], changed = true, true
			}
		}
	}
	first := j.blocks[0].in
	for i := range j.webs {
		w := &j.webs[i]
		if w.half == halfP && first.has(int32(i)) { // a parameter, or never written
			nilable[i] = true
		}
		w.nonnil = w.half == halfP && !nilable[i]
	}
	for range 3 {
		for i := range j.webs {
			w := &j.webs[i]
			if w.half == halfN && w.flt == 0 {
				for _, m := range w.move {
					if f := j.webs[m].flt; f != 0 {
						w.flt = f / max(f, -f)
						break
					}
				}
			}
		}
	}
	for i := range j.webs {
		j.webs[i].isF = j.webs[i].half == halfN && j.webs[i].flt > 0
	}
}
