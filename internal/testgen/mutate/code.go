package mutate

import (
	"strings"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// instruction chooses one: its function and where it begins.
func (m *mutant) instruction() (f *bytecode.Func, at uint32) {
	i := m.IntN(len(m.p.Funcs))
	words := m.begins(i)
	return &m.p.Funcs[i], words[m.IntN(len(words))]
}

// begins lists where the instructions of a function begin.
func (m *mutant) begins(i int) []uint32 {
	if m.words[i] == nil {
		f := &m.p.Funcs[i]
		for at := f.Start; at < f.End; at++ {
			m.words[i] = append(m.words[i], at)
			if op := bytecode.OpOf(m.p.Code[at]); int(op) < bytecode.NumOps && bytecode.Ops[op].Word {
				at++
			}
		}
	}
	return m.words[i]
}

func (m *mutant) opcode() bool {
	_, at := m.instruction()
	w := &m.p.Code[at]
	*w = bytecode.WithOp(*w, bytecode.Op(m.IntN(bytecode.NumOps)))
	return true
}

// opcodeAlike takes an opcode with operands of the same formats.
func (m *mutant) opcodeAlike() bool {
	_, at := m.instruction()
	w := &m.p.Code[at]
	old := bytecode.OpOf(*w)
	if int(old) >= bytecode.NumOps {
		return false
	}
	var alike []bytecode.Op
	for op := range bytecode.NumOps {
		a, b := &bytecode.Ops[op], &bytecode.Ops[old]
		if bytecode.Op(op) != old && a.Word == b.Word && a.Operands == b.Operands {
			alike = append(alike, bytecode.Op(op))
		}
	}
	if len(alike) == 0 {
		return false
	}
	*w = bytecode.WithOp(*w, *one(m, alike))
	return true
}

// operand chooses an operand of an instruction whose format passes a test.
func (m *mutant) operand(is func(format string) bool) (w *uint64, f *bytecode.Func, i int, format string) {
	for range 10 {
		f, at := m.instruction()
		w := &m.p.Code[at]
		op := bytecode.OpOf(*w)
		if int(op) >= bytecode.NumOps {
			continue
		}
		formats := bytecode.Ops[op].Operands
		i := m.IntN(len(formats))
		if is(formats[i]) {
			return w, f, i, formats[i]
		}
	}
	return nil, nil, 0, ""
}

func isRegister(format string) bool {
	return strings.Contains(" =i =p =v i p v m win args ", " "+format+" ")
}

func setOperand(w *uint64, i int, x uint16) {
	shift := 16 * (i + 1)
	*w = *w&^(0xffff<<shift) | uint64(x)<<shift
}

func getOperand(w uint64, i int) uint16 { return uint16(w >> (16 * (i + 1))) }

func (m *mutant) register() bool {
	w, f, i, _ := m.operand(isRegister)
	if w == nil {
		return false
	}
	reg := m.IntN(int(f.Frame) + 1)
	if m.IntN(3) == 0 {
		reg = m.near(int(getOperand(*w, i)) / 16)
	}
	setOperand(w, i, uint16(reg*16)|getOperand(*w, i)&15)
	return true
}

func (m *mutant) number() bool {
	w, _, i, format := m.operand(func(format string) bool {
		return format == "s16" || format == "u16" || format == "off" || format == "k32"
	})
	switch {
	case w == nil:
		return false
	case format == "k32":
		*w = bytecode.WithK(*w, int32(m.near(int(bytecode.KOf(*w)))))
	case format == "off":
		setOperand(w, i, uint16(8*m.near(int(getOperand(*w, i))/8)))
	default:
		setOperand(w, i, uint16(m.near(int(getOperand(*w, i)))))
	}
	return true
}

// index changes which entry of a table an instruction means.
func (m *mutant) index() bool {
	p := m.p
	w, _, i, format := m.operand(func(format string) bool { return !isRegister(format) })
	if w == nil {
		return false
	}
	table := map[string]int{
		"func": len(p.Funcs), "native": len(p.Natives), "str": len(p.Strings), "bytes": len(p.Bytes), "enum": len(p.Enums),
		"sel": len(p.Selectors), "iface": len(p.Ifaces), "table": len(p.Jumps), "goff": len(p.Globals),
	}[format]
	switch format {
	case "type":
		setOperand(w, i, uint16(m.typeID(uint32(getOperand(*w, i)))))
	case "code":
		*w = bytecode.WithK(*w, int32(one(m, p.Funcs).Start))
	case "str", "bytes", "enum":
		*w = bytecode.WithK(*w, int32(m.IntN(table+1)))
	case "goff":
		*w = bytecode.WithK(*w, int32(m.IntN(table+1))*16+bytecode.KOf(*w)%16)
	default:
		if table == 0 {
			return false
		}
		setOperand(w, i, uint16(m.IntN(table+1)))
	}
	return true
}

func (m *mutant) aux() bool {
	_, at := m.instruction()
	w := &m.p.Code[at]
	aux := uint8(m.near(int(bytecode.AuxOf(*w))))
	if m.IntN(2) == 0 {
		aux = bytecode.AuxOf(*w) ^ 1<<m.IntN(8)
	}
	*w = *w&^0xff00 | uint64(aux)<<8
	return true
}

// immediate changes the word behind an instruction.
func (m *mutant) immediate() bool {
	for range 20 {
		_, at := m.instruction()
		op := bytecode.OpOf(m.p.Code[at])
		if int(op) >= bytecode.NumOps || !bytecode.Ops[op].Word || int(at)+1 >= len(m.p.Code) {
			continue
		}
		w := &m.p.Code[at+1]
		switch m.IntN(5) {
		case 0:
			*w ^= 1 << m.IntN(64)
		case 1:
			*w = uint64(m.near(int(*w)))
		case 2:
			*w = *w&^0xffffffff | uint64(m.typeID(uint32(*w)))
		case 3:
			*w = *w&^(0xffff<<32) | uint64(uint16(m.near(int(uint16(*w>>32)))))<<32
		default:
			*w = *w&0xffffffff | m.Uint64()<<32
		}
		return true
	}
	return false
}

// jump leads a jump elsewhere, mostly to where others lead.
func (m *mutant) jump() bool {
	for range 20 {
		f, at := m.instruction()
		w := &m.p.Code[at]
		op := bytecode.OpOf(*w)
		if int(op) >= bytecode.NumOps {
			continue
		}
		next := at + 1
		if bytecode.Ops[op].Word {
			next++
		}
		to := f.Start + uint32(m.IntN(int(f.End-f.Start)))
		if t := one(m, f.Maps); t != nil && m.IntN(4) > 0 {
			to = t.PC
		}
		distance := (int32(to) - int32(next)) * 8
		for i, format := range bytecode.Ops[op].Operands {
			switch format {
			case "j16":
				setOperand(w, i, uint16(distance))
				return true
			case "j32":
				*w = bytecode.WithK(*w, distance)
				return true
			}
		}
	}
	return false
}

// two chooses two instructions of as many words each.
func (m *mutant) two() (x, y []uint64) {
	for range 20 {
		i := m.IntN(len(m.p.Funcs))
		words := m.begins(i)
		a, b := *one(m, words), *one(m, words)
		if m.IntN(4) == 0 {
			_, b = m.instruction()
		}
		if n := m.length(a); a != b && n == m.length(b) {
			return m.p.Code[a : a+n], m.p.Code[b : b+n]
		}
	}
	return nil, nil
}

func (m *mutant) length(at uint32) uint32 {
	op := bytecode.OpOf(m.p.Code[at])
	if int(op) < bytecode.NumOps && bytecode.Ops[op].Word && int(at)+1 < len(m.p.Code) {
		return 2
	}
	return 1
}

func (m *mutant) exchange() bool {
	x, y := m.two()
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
	return x != nil
}

func (m *mutant) copyInstruction() bool {
	x, y := m.two()
	copy(x, y)
	return x != nil
}

// nothing is an instruction that does nothing.
var nothing = bytecode.Instr(bytecode.MOVI, 0, 8, 8, 0)

func (m *mutant) omit() bool {
	_, at := m.instruction()
	for i := range m.length(at) {
		m.p.Code[at+i] = nothing
	}
	return true
}

func (m *mutant) signature() bool {
	f := one(m, m.p.Funcs)
	switch m.IntN(4) {
	case 0:
		if p := one(m, f.Params); p != nil {
			*p = m.typeID(*p)
			return true
		}
		f.Params = append(f.Params, m.typeID(0))
	case 1:
		f.Type = m.typeID(f.Type)
	case 2:
		if c := one(m, f.Captures); c != nil {
			c.Type = m.typeID(c.Type)
			return true
		}
		return false
	default:
		f.Result = m.typeID(f.Result)
	}
	return true
}

func (m *mutant) frame() bool {
	f := one(m, m.p.Funcs)
	switch m.IntN(4) {
	case 0:
		f.HasDefers = !f.HasDefers
	case 1:
		f.File = uint32(m.near(int(f.File)))
	default:
		f.Frame = uint16(m.near(int(f.Frame)))
	}
	return true
}

// function exchanges what stands in the table about two functions, but for where
// their code is.
func (m *mutant) function() bool {
	f, g := one(m, m.p.Funcs), one(m, m.p.Funcs)
	switch m.IntN(3) {
	case 0:
		f.Params, g.Params, f.Result, g.Result = g.Params, f.Params, g.Result, f.Result
		f.Type, g.Type, f.Frame, g.Frame = g.Type, f.Type, g.Frame, f.Frame
	case 1:
		f.Captures, g.Captures, f.Closure, g.Closure = g.Captures, f.Captures, g.Closure, f.Closure
	default: // which function stands where
		for range 10 {
			i, j := m.IntN(len(m.p.Funcs)), m.IntN(len(m.p.Funcs))
			a, b := &m.p.Funcs[i], &m.p.Funcs[j]
			if i != j && a.End-a.Start == b.End-b.Start {
				x, y := m.p.Code[a.Start:a.End], m.p.Code[b.Start:b.End]
				for k := range x {
					x[k], y[k] = y[k], x[k]
				}
				return true
			}
		}
		return false
	}
	return f != g
}

func (m *mutant) handler() bool {
	f, at := m.instruction()
	for range 20 {
		if len(f.Handlers) > 0 || len(f.Maps) > 0 && m.IntN(6) == 0 {
			break
		}
		f, at = m.instruction()
	}
	h := one(m, f.Handlers)
	if h == nil || m.IntN(6) == 0 {
		t := one(m, f.Maps)
		if t == nil {
			return false
		}
		f.Handlers = append(f.Handlers, bytecode.Handler{Start: min(at, t.PC), End: max(at, t.PC), Target: t.PC,
			Reg: uint16(m.IntN(int(f.Frame) + 1)), Cleanup: m.IntN(2) == 0})
		return true
	}
	switch m.IntN(7) {
	case 0:
		h.Start = uint32(m.near(int(h.Start)))
	case 1:
		h.End = uint32(m.near(int(h.End)))
	case 2:
		h.Start = at
	case 3:
		h.Cleanup = !h.Cleanup
	case 4:
		h.Reg = uint16(m.near(int(h.Reg)))
	case 5:
		if t := one(m, f.Maps); t != nil {
			h.Target = t.PC
		}
	default:
		g := one(m, f.Handlers)
		*h, *g = *g, *h
	}
	return true
}

func (m *mutant) typeMap() bool {
	f := one(m, m.p.Funcs)
	for range 10 {
		if len(f.Maps) > 0 {
			break
		}
		f = one(m, m.p.Funcs)
	}
	t := one(m, f.Maps)
	if t == nil {
		return false
	}
	r := one(m, t.Regs)
	switch m.IntN(4) {
	case 0:
		if r == nil {
			return false
		}
		r.Type = m.typeID(r.Type)
	case 1:
		if r == nil {
			return false
		}
		t.Regs = append(t.Regs[:0:0], t.Regs...)
		i := m.IntN(len(t.Regs))
		t.Regs = append(t.Regs[:i], t.Regs[i+1:]...)
	case 2:
		t.Regs = append(t.Regs[:len(t.Regs):len(t.Regs)], bytecode.RegType{Reg: uint16(m.IntN(int(f.Frame) + 1)), Type: m.typeID(0)})
	default:
		t.PC = uint32(m.near(int(t.PC)))
	}
	return true
}
