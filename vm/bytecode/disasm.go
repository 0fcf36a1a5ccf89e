package bytecode

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Disassemble writes a program's functions with their code, for people.
// Operands are shown by name; a source line stands above the code made of it.
func Disassemble(w io.Writer, p *Program) error {
	d := disassembler{p: p, w: bufio.NewWriter(w), lines: map[uint32][]string{}}
	for i := range p.Globals {
		fmt.Fprintf(d.w, "global %s: %s\n", p.Globals[i].Name, d.typ(p.Globals[i].Type))
	}
	for i := range p.Funcs {
		d.function(i)
	}
	return d.w.Flush()
}

// DisassembleFuncs writes some functions only.
func DisassembleFuncs(w io.Writer, p *Program, funcs []int) error {
	d := disassembler{p: p, w: bufio.NewWriter(w), lines: map[uint32][]string{}}
	for _, i := range funcs {
		d.function(i)
	}
	return d.w.Flush()
}

type disassembler struct {
	p      *Program
	w      *bufio.Writer
	lines  map[uint32][]string // source lines of a file
	labels map[uint32]string   // of the function being shown, by word
}

// name returns a table's entry, or a number for what is not in it.
func name[T any](table []T, i int, of func(*T) string) string {
	if i < 0 || i >= len(table) {
		return "#" + strconv.Itoa(i)
	}
	return of(&table[i])
}

func (d *disassembler) typ(id uint32) string {
	return name(d.p.Types, int(id), func(t *Type) string { return t.Name })
}

func (d *disassembler) fn(i int) string {
	return name(d.p.Funcs, i, func(f *Func) string { return f.Name })
}

func (d *disassembler) types(ids []uint32) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = d.typ(id)
	}
	return strings.Join(names, ", ")
}

func (d *disassembler) function(index int) {
	f := &d.p.Funcs[index]
	fmt.Fprintf(d.w, "\n%s  // #%d, %d registers, %s\n", d.signature(f), index, f.Frame,
		name(d.p.Files, int(f.File), func(f *SourceFile) string { return f.Name }))
	for i := range f.Captures {
		c := &f.Captures[i]
		fmt.Fprintf(d.w, "  captures %s: %s\n", c.Name, d.typ(c.Type))
	}
	d.findLabels(f)
	shown := -1
	for pc := f.Start; pc < f.End && int(pc) < len(d.p.Code); {
		if line, _ := f.Place(pc); line != shown && line > 0 {
			shown = line
			fmt.Fprintf(d.w, "%8s %d: %s\n", "//", line, d.source(f.File, line))
		}
		if l := d.labels[pc]; l != "" {
			fmt.Fprintf(d.w, "%s:\n", l)
		}
		text, next := d.instruction(pc)
		fmt.Fprintf(d.w, "  %5d  %s\n", pc, text)
		pc = next
	}
	for i := range f.Handlers {
		h := &f.Handlers[i]
		kind := "catch"
		if h.Cleanup {
			kind = "cleanup"
		}
		fmt.Fprintf(d.w, "  %s %d to %d: error in r%d, go on at %s\n", kind, h.Start, h.End, h.Reg, d.label(h.Target))
	}
}

func (d *disassembler) signature(f *Func) string {
	return fmt.Sprintf("fn %s(%s) -> %s", f.Name, d.types(f.Params), d.typ(f.Result))
}

// instruction describes the one at a word, and gives the word behind it.
func (d *disassembler) instruction(pc uint32) (text string, next uint32) {
	w := d.p.Code[pc]
	info := &Ops[min(int(OpOf(w)), NumOps-1)]
	var imm uint64
	next = pc + 1
	if info.Word && int(next) < len(d.p.Code) {
		imm = d.p.Code[next]
		next++
	}
	text = info.Name
	if int(OpOf(w)) >= NumOps {
		text = "?"
	}
	return fmt.Sprintf("%-9s %s", text, strings.Join(d.operands(w, info, imm, next), ", ")), next
}

// Describer describes parts of a program one by one, in the words of Disassemble.
type Describer struct{ d disassembler }

// NewDescriber makes one.
func NewDescriber(p *Program) *Describer {
	return &Describer{disassembler{p: p, lines: map[uint32][]string{}}}
}

// Function describes a function by its index.
func (d *Describer) Function(index int) string { return d.d.signature(&d.d.p.Funcs[index]) }

// FunctionAt names the function that begins at a word.
func (d *Describer) FunctionAt(word uint32) string { return d.d.entry(word) }

// Instruction describes the instruction at a word. Jumps lead to words.
func (d *Describer) Instruction(word uint32) string {
	text, _ := d.d.instruction(word)
	return strings.TrimSpace(text)
}

// Line is the source line that an instruction was made of.
func (d *Describer) Line(word uint32) string {
	for i := range d.d.p.Funcs {
		if f := &d.d.p.Funcs[i]; f.Start <= word && word < f.End {
			line, _ := f.Place(word)
			if line <= 0 {
				return "" // of what the compiler adds
			}
			return fmt.Sprintf("%d: %s", line, d.d.source(f.File, line))
		}
	}
	return ""
}

// findLabels numbers the places of the function that something jumps to.
func (d *disassembler) findLabels(f *Func) {
	d.labels = map[uint32]string{}
	target := func(at uint32) {
		if f.Start <= at && at < f.End {
			d.labels[at] = ""
		}
	}
	for pc := f.Start; pc < f.End && int(pc) < len(d.p.Code); {
		w := d.p.Code[pc]
		info := &Ops[min(int(OpOf(w)), NumOps-1)]
		next := pc + 1
		if info.Word {
			next++
		}
		for i, kind := range info.Operands {
			switch kind {
			case "j16", "j32":
				target(jumpTarget(w, kind, next))
			case "table":
				if t := int(operand(w, i)); t < len(d.p.Jumps) {
					for _, at := range d.p.Jumps[t] {
						target(at)
					}
				}
			}
		}
		pc = next
	}
	for i := range f.Handlers {
		target(f.Handlers[i].Target)
	}
	n := 0
	for pc := f.Start; pc < f.End; pc++ {
		if _, ok := d.labels[pc]; ok {
			n++
			d.labels[pc] = "L" + strconv.Itoa(n)
		}
	}
}

func (d *disassembler) label(at uint32) string {
	if l := d.labels[at]; l != "" {
		return l
	}
	return "@" + strconv.Itoa(int(at))
}

func (d *disassembler) source(file uint32, line int) string {
	if _, ok := d.lines[file]; !ok && int(file) < len(d.p.Files) {
		d.lines[file] = strings.Split(d.p.Files[file].Text, "\n")
	}
	if lines := d.lines[file]; line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}

// operand returns the i-th of an instruction's three operands.
func operand(w uint64, i int) uint16 { return uint16(w >> (16 * (i + 1))) }

// jumpTarget returns the word that a jump operand leads to; next is the word
// behind the instruction and its immediate.
func jumpTarget(w uint64, kind string, next uint32) uint32 {
	rel := int64(int16(COf(w)))
	if kind == "j32" {
		rel = int64(KOf(w))
	}
	return uint32(int64(next) + rel>>3)
}

func (d *disassembler) operands(w uint64, info *OpInfo, imm uint64, next uint32) []string {
	var out []string
	for i, kind := range info.Operands {
		x := operand(w, i)
		k := int(KOf(w))
		text := ""
		switch kind {
		case "", "-":
			continue
		case "=i", "=p", "=v", "i", "p", "v", "m", "win", "args":
			text = "r" + strconv.Itoa(int(x/16))
		case "s16":
			text = strconv.Itoa(int(int16(x)))
		case "u16":
			text = strconv.Itoa(int(x))
		case "k32":
			text = strconv.Itoa(k)
			if OpOf(w) == GINIT || OpOf(w) == GCHECK {
				text = d.global(k)
			}
		case "off":
			text = "." + strconv.Itoa(int(x))
		case "goff":
			text = d.global(k / 16)
		case "type":
			text = d.typ(uint32(x))
		case "func":
			text = d.fn(int(x))
		case "native":
			text = name(d.p.Natives, int(x), func(n *NativeRef) string { return n.Name })
		case "str":
			text = name(d.p.Strings, k, func(s *string) string { return short(*s) })
		case "bytes":
			text = name(d.p.Bytes, k, func(s *string) string { return "b" + short(*s) })
		case "enum":
			text = name(d.p.Enums, k, d.enum)
		case "sel":
			text = name(d.p.Selectors, int(x), func(s *Selector) string { return d.typ(s.Iface) + "." + s.Name })
		case "iface":
			text = name(d.p.Ifaces, int(x), func(f *Iface) string { return d.typ(f.Type) })
		case "table":
			text = d.table(int(x))
		case "code":
			text = d.entry(uint32(k))
		case "j16", "j32":
			text = d.label(jumpTarget(w, kind, next))
		}
		out = append(out, text)
	}
	switch info.Aux {
	case "tag":
		out = append(out, "tag "+strconv.Itoa(int(AuxOf(w))))
	case "off8":
		out = append(out, "."+strconv.Itoa(int(AuxOf(w))*8))
	}
	if info.Word {
		out = append(out, d.immediate(OpOf(w), imm))
	}
	return out
}

// enum shows a constant.
func (d *disassembler) enum(e *EnumConst) string {
	v := &d.p.Types[e.Type].Variants[e.Tag]
	args := make([]string, len(v.Fields))
	for i, f := range v.Fields {
		switch n := e.Values[i]; f.Type {
		case IDStr:
			args[i] = short(d.p.Strings[n])
		case IDFloat:
			args[i] = strconv.FormatFloat(math.Float64frombits(n), 'g', -1, 64)
		default:
			args[i] = strconv.FormatInt(int64(n), 10)
		}
	}
	return v.Name + "(" + strings.Join(args, ", ") + ")"
}

// immediate shows the word behind an instruction as what it means there.
func (d *disassembler) immediate(op Op, imm uint64) string {
	switch op {
	case FADDK, FSUBK, FRSUBK, FMULK, FDIVK, FRDIVK, JFLTK, JFNLTK, JFGTK, JFNGTK:
		return strconv.FormatFloat(math.Float64frombits(imm), 'g', -1, 64)
	case EQV:
		return d.typ(uint32(imm))
	case FORMAT:
		return name(d.p.Strings, int(imm), func(s *string) string { return short(*s) })
	case MNEXT:
		text := "r" + strconv.Itoa(int(uint32(imm)/16))
		if v := uint32(imm >> 32); v != math.MaxUint32 {
			text += ", r" + strconv.Itoa(int(v/16))
		}
		return text
	}
	return strconv.FormatInt(int64(imm), 10)
}

func (d *disassembler) global(i int) string {
	return name(d.p.Globals, i, func(g *Global) string { return g.Name })
}

// entry names the function that begins at a word.
func (d *disassembler) entry(at uint32) string {
	if i, ok := funcStarting(d.p, at); ok {
		return d.p.Funcs[i].Name + " #" + strconv.Itoa(i)
	}
	return "@" + strconv.Itoa(int(at))
}

// funcStarting finds the function whose first word is at.
func funcStarting(p *Program, at uint32) (index int, ok bool) {
	lo, hi := 0, len(p.Funcs)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.Funcs[mid].Start < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(p.Funcs) && p.Funcs[lo].Start == at
}

func (d *disassembler) table(i int) string {
	if i >= len(d.p.Jumps) {
		return "#" + strconv.Itoa(i)
	}
	targets := make([]string, len(d.p.Jumps[i]))
	for k, at := range d.p.Jumps[i] {
		targets[k] = d.label(at)
	}
	return "[" + strings.Join(targets, " ") + "]"
}

// short quotes a text, cut when it is long.
func short(s string) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
