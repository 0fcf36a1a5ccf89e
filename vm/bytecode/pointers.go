package bytecode

import "slices"

// PointerMap tells at which instructions of a function which registers may have a
// pointer word that counts: something has been written there since the last call
// that used the register. In a function of the library it also has to be read
// still; elsewhere a variable counts as long as it is in scope.
type PointerMap struct {
	f     *Func
	words int // of a set of registers
	sets  []uint64
	seen  []bool
	jumps [][]uint32
}

// Pointers finds the map of a function by following its ways forward.
func Pointers(p *Program, f *Func) *PointerMap {
	n := int(f.End - f.Start)
	m := &PointerMap{f: f, words: (int(f.Frame) + 64) / 64, seen: make([]bool, n), jumps: p.Jumps}
	m.sets = make([]uint64, n*m.words)
	first := make([]uint64, m.words)
	for i := range f.Params {
		set(first, i)
	}
	work := m.flow(nil, f.Start, first)
	state := make([]uint64, m.words)
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		copy(state, m.at(at))
		for i := range f.Handlers {
			if h := &f.Handlers[i]; h.Start <= at && at < h.End {
				caught := slices.Clone(state)
				set(caught, int(h.Reg))
				work = m.flow(work, h.Target, caught)
			}
		}
		work = m.step(work, p.Code, at, state)
	}
	if p.Files[f.File].Std {
		m.onlyRead(p)
	}
	return m
}

// onlyRead leaves the registers that are read later, by following the ways
// backward until nothing changes.
func (m *PointerMap) onlyRead(p *Program) {
	f, code := m.f, p.Code
	var starts []uint32
	for at := f.Start; at < f.End; at++ {
		starts = append(starts, at)
		if Ops[OpOf(code[at])].Word {
			at++
		}
	}
	read := &PointerMap{f: f, words: m.words, sets: make([]uint64, len(m.sets))}
	state := make([]uint64, m.words)
	for changed := true; changed; {
		changed = false
		for _, at := range slices.Backward(starts) {
			clear(state)
			m.successors(code, at, func(to uint32) { read.join(to, state) })
			unwrite(code[at], state)
			for i := range f.Handlers { // what an error leaves unwritten may be read there
				if h := &f.Handlers[i]; h.Start <= at && at < h.End {
					read.join(h.Target, state)
				}
			}
			readBefore(p, at, state)
			for i, bits := range state {
				if there := read.at(at); there[i] != bits {
					there[i], changed = bits, true
				}
			}
		}
	}
	for i := range m.sets {
		m.sets[i] &= read.sets[i]
	}
}

// join adds what is read from an instruction on.
func (m *PointerMap) join(to uint32, state []uint64) {
	if to < m.f.End {
		for i, bits := range m.at(to) {
			state[i] |= bits
		}
	}
}

// unwrite takes out the registers that an instruction writes.
func unwrite(w uint64, state []uint64) {
	op := OpOf(w)
	for i, format := range Ops[op].Operands {
		if format == "=p" || format == "=v" {
			unset(state, int(operand(w, i)/16))
		}
	}
	switch op {
	case CALL, CALLC, CALLI, RUNDEFER:
		unsetFrom(state, int(AOf(w)/16)-1)
	}
}

// readBefore adds the registers that an instruction reads.
func readBefore(p *Program, at uint32, state []uint64) {
	w := p.Code[at]
	op := OpOf(w)
	if op == RUNDEFER {
		return // what it calls takes nothing
	}
	for i, format := range Ops[op].Operands {
		r := int(operand(w, i) / 16)
		switch format {
		case "p", "v":
			set(state, r)
		case "win", "args":
			for end := min(r+taken(p, at), len(state)*64); r < end; r++ {
				set(state, r)
			}
		}
	}
}

func set(s []uint64, r int)      { s[r/64] |= 1 << (r % 64) }
func unset(s []uint64, r int)    { s[r/64] &^= 1 << (r % 64) }
func has(s []uint64, r int) bool { return s[r/64]>>(r%64)&1 != 0 }

func unsetFrom(s []uint64, r int) {
	for ; r < len(s)*64; r++ {
		unset(s, r)
	}
}

func (m *PointerMap) at(word uint32) []uint64 {
	i := int(word-m.f.Start) * m.words
	return m.sets[i : i+m.words]
}

// Counts reports whether the pointer word of a register may count when the
// instruction at a word begins.
func (m *PointerMap) Counts(word uint32, reg int) bool {
	return reg >= int(m.f.Frame) || !m.seen[word-m.f.Start] || has(m.at(word), reg)
}

// flow adds what is known on a way to an instruction, and the instruction to the
// work if that is news there.
func (m *PointerMap) flow(work []uint32, to uint32, state []uint64) []uint32 {
	if to >= m.f.End {
		return work
	}
	there, news := m.at(to), !m.seen[to-m.f.Start]
	m.seen[to-m.f.Start] = true
	for i, bits := range state {
		if there[i]|bits != there[i] {
			there[i] |= bits
			news = true
		}
	}
	if news {
		return append(work, to)
	}
	return work
}

// step follows one instruction.
func (m *PointerMap) step(work []uint32, code []uint64, at uint32, state []uint64) []uint32 {
	w := code[at]
	op := OpOf(w)
	imm := uint64(0)
	if Ops[op].Word {
		imm = code[at+1]
	}
	leaves(op, w, imm, state)
	m.successors(code, at, func(to uint32) { work = m.flow(work, to, state) })
	return work
}

// successors visits the instructions that may follow, apart from handlers.
func (m *PointerMap) successors(code []uint64, at uint32, visit func(to uint32)) {
	w := code[at]
	op := OpOf(w)
	info := &Ops[op]
	next := at + 1
	if info.Word {
		next++
	}
	switch op {
	case SWITCH:
		for _, to := range m.jumps[BOf(w)] {
			visit(to)
		}
		return
	case RET, RETI, RETP, RETV, THROW, RETHROW, TRAP, FAILSCOPE:
		return
	}
	for _, format := range info.Operands {
		if format == "j16" || format == "j32" {
			visit(jumpTarget(w, format, next))
		}
	}
	if op != JMP {
		visit(next)
	}
}

// taken is how many registers of its window an instruction may read.
func taken(p *Program, at uint32) int {
	w := p.Code[at]
	switch OpOf(w) {
	case CALL:
		if i, ok := funcStarting(p, uint32(KOf(w))); ok {
			return len(p.Funcs[i].Params)
		}
	case CALLI:
		return 1 + len(p.Selectors[BOf(w)].Params)
	case CALLN:
		return len(p.Natives[BOf(w)].Params)
	case SPAWN, SPAWNC:
		return int(uint16(p.Code[at+1] >> 32))
	}
	return maxFrame
}

// leaves notes the registers that an instruction writes.
func leaves(op Op, w, imm uint64, state []uint64) {
	a, b := int(AOf(w)/16), int(BOf(w)/16)
	switch op {
	case CALL, CALLC, CALLI:
		unsetFrom(state, a-1)
		set(state, a)
	case CALLN:
		unsetFrom(state, a)
		set(state, a)
	case RUNDEFER:
		unsetFrom(state, a-1)
	case SPAWN, SPAWNC:
		set(state, a)
	case MNEXT:
		set(state, int(uint32(imm)/16))
		if v := uint32(imm >> 32); v != 1<<32-1 {
			set(state, int(v/16))
		}
	case SELECT:
		for r := b; r <= b+2*int(COf(w)); r++ {
			set(state, r)
		}
	default:
		for i, format := range Ops[op].Operands {
			switch format {
			case "=p", "=v":
				set(state, int(operand(w, i)/16))
			case "=i":
				unset(state, int(operand(w, i)/16))
			}
		}
	}
}
