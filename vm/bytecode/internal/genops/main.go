// Command genops reads the opcode table (opcodes.txt) and writes what is
// generated from it: the opcode constants and operand formats, the
// interpreter's loop, and spec/bytecode.md.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"
)

type op struct {
	section  string
	name     string
	operands []string // exactly three
	hot      bool
	ext      bool
	suspends bool
	regs     bool   // the helper gets the registers
	word     bool   // an immediate word follows
	aux      string // what the byte beside the opcode means
	call     string // helper of a slow op
	effect   string
	body     string

	reads, writes, race string // what the race detector is told
}

func main() {
	log.SetFlags(0)
	ops, pairs := read("opcodes.txt")
	budget(ops, pairs)
	write("opcodes_gen.go", goSource(constants(ops)))
	write("../run_gen.go", goSource(loop(ops, pairs, "!checkedloop", fast)))
	write("../run_counted_gen.go", goSource(sharedLoop(ops, counted)))
	write("../run_race_gen.go", goSource(sharedLoop(ops, raceVariant)))
	write("../machine_calls_gen.go", goSource(machineCalls(ops)))
	write("../run_checked_gen.go", goSource(loop(ops, nil, "checkedloop", checked(fast, counted, raceVariant)...)))
	write("../../spec/bytecode.md", []byte(document(ops)))
}

func write(name string, data []byte) {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		log.Fatal(err)
	}
}

func goSource(src string) []byte {
	out, err := format.Source([]byte(src))
	if err != nil {
		log.Fatal(err)
	}
	return out
}

// pair is two opcodes that run under one dispatch when they are adjacent.
type pair struct{ first, second op }

func (p pair) name() string { return p.first.name + "_" + p.second.name }

func read(name string) ([]op, []pair) {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	var ops []op
	var pairs []pair
	byName := map[string]op{}
	section := ""
	for n, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "section "):
			section = strings.TrimPrefix(line, "section ")
		case strings.HasPrefix(line, "pair "):
			f := strings.Fields(line)
			first, ok1 := byName[f[1]]
			second, ok2 := byName[f[2]]
			if !ok1 || !ok2 || first.call != "" {
				log.Fatalf("opcodes.txt:%d: no such pair", n+1)
			}
			pairs = append(pairs, pair{first, second})
		case line[0] == ' ':
			last := &ops[len(ops)-1]
			last.body += strings.TrimSpace(line) + "\n"
			byName[last.name] = *last
		default:
			ops = append(ops, parse(section, n+1, line))
		}
	}
	slices.SortStableFunc(ops, func(a, b op) int { return cmp.Compare(a.rank(), b.rank()) })
	return ops, pairs
}

// rank puts the opcodes that share a byte behind the others.
func (o op) rank() int {
	if o.ext {
		return 1
	}
	return 0
}

// extended is the byte of the opcodes that are told apart by the next one.
const extended = 255

// machine is the byte of the instructions that have been compiled to machine code. It
// stands only in the copy of the code that the loop runs.
const machine = 254

// primary counts the opcodes that have a byte of their own.
func primary(ops []op) int {
	return slices.IndexFunc(ops, func(o op) bool { return o.ext })
}

// budget tells how many opcodes there are and how many there can be.
func budget(ops []op, pairs []pair) {
	p := primary(ops)
	fmt.Printf("%d opcodes and %d pairs of %d, %d slow opcodes of 256\n", p, len(pairs), machine, len(ops)-p)
	if p+len(pairs) > machine || len(ops)-p > 256 {
		log.Fatal("opcodes.txt: too many opcodes: mark slow ones ext, or remove pairs that gain nothing")
	}
}

func parse(section string, n int, line string) op {
	head, effect, ok := strings.Cut(line, "|")
	f := strings.Fields(head)
	if !ok || len(f) < 3 {
		log.Fatalf("opcodes.txt:%d: malformed", n)
	}
	o := op{section: section, name: f[0], effect: strings.TrimSpace(effect)}
	for _, w := range f[1:] {
		switch {
		case w == "hot":
			o.hot = true
		case w == "ext":
			o.ext = true
		case w == "suspends":
			o.suspends = true
		case w == "regs":
			o.regs = true
		case w == "w64":
			o.word = true
		case strings.HasPrefix(w, "aux:"):
			o.aux = w[4:]
		case strings.HasPrefix(w, "call:"):
			o.call = w[5:]
		case strings.HasPrefix(w, "reads:"):
			o.reads = w[6:]
		case strings.HasPrefix(w, "writes:"):
			o.writes = w[7:]
		case strings.HasPrefix(w, "race:"):
			o.race = w[5:]
		default:
			o.operands = append(o.operands, w)
			if w == "k32" || w == "j32" || w == "code" || w == "goff" || w == "str" || w == "bytes" || w == "enum" {
				o.operands = append(o.operands, "")
			}
		}
	}
	for len(o.operands) < 3 {
		o.operands = append(o.operands, "-")
	}
	if len(o.operands) == 4 && o.operands[3] == "-" {
		o.operands = o.operands[:3]
	}
	if o.ext && (o.call == "" || o.aux != "" || o.regs || o.reads+o.writes+o.race != "") {
		log.Fatalf("opcodes.txt:%d: only a call without more can be ext", n)
	}
	if len(o.operands) != 3 {
		log.Fatalf("opcodes.txt:%d: %s has operands %q", n, o.name, o.operands)
	}
	return o
}

func constants(ops []op) string {
	var b strings.Builder
	b.WriteString("// Code generated by internal/genops from opcodes.txt. DO NOT EDIT.\n\npackage bytecode\n\n")
	b.WriteString("// The opcodes.\nconst (\n")
	for i, o := range ops {
		t := ""
		if i == 0 {
			t = " Op = iota"
		}
		fmt.Fprintf(&b, "\t%s%s // %s\n", o.name, t, o.effect)
	}
	fmt.Fprintf(&b, "\n\tNumOps = iota\n)\n\n")
	fmt.Fprintf(&b, "// primary is the first of the opcodes that share the byte extended.\nconst (\nprimary = %s\nextended = %d\n)\n\n", ops[primary(ops)].name, extended)
	b.WriteString("// Ops describes each opcode.\nvar Ops = [NumOps]OpInfo{\n")
	for _, o := range ops {
		fmt.Fprintf(&b, "\t%s: {Name: %q, Operands: [3]string{%q, %q, %q}, Word: %v, Aux: %q, Suspends: %v, Call: %v},\n",
			o.name, o.name, o.operands[0], o.operands[1], o.operands[2], o.word, o.aux, o.suspends, o.call != "")
	}
	b.WriteString("}\n")
	return b.String()
}

// macros of the bodies. Scalar operands are scaled to 16*r+8, others to 16*r;
// the opcode's word has been passed when a body runs, so operands are at pc-6, -4, -2.
var macros = []struct {
	re  *regexp.Regexp
	new string
}{
	{regexp.MustCompile(`\bU([ABC])2\b`), `*(*uint64)(unsafe.Add(base, $1+8))`},
	{regexp.MustCompile(`\bI([ABC])\b`), `*(*int64)(unsafe.Add(base, $1))`},
	{regexp.MustCompile(`\bU([ABC])\b`), `*(*uint64)(unsafe.Add(base, $1))`},
	{regexp.MustCompile(`\bF([ABC])\b`), `*(*float64)(unsafe.Add(base, $1))`},
	{regexp.MustCompile(`\bP([ABC])\b`), `*(*unsafe.Pointer)(unsafe.Add(base, $1))`},
	{regexp.MustCompile(`\bSB\b`), `int64(*(*int16)(unsafe.Add(pc, -4)))`},
	{regexp.MustCompile(`\bSC\b`), `int64(*(*int16)(unsafe.Add(pc, -2)))`},
	{regexp.MustCompile(`\bK\b`), `int64(*(*int32)(unsafe.Add(pc, -4)))`},
	{regexp.MustCompile(`\bA\b`), `uintptr(*(*uint16)(unsafe.Add(pc, -6)))`},
	{regexp.MustCompile(`\bB\b`), `uintptr(*(*uint16)(unsafe.Add(pc, -4)))`},
	{regexp.MustCompile(`\bC\b`), `uintptr(*(*uint16)(unsafe.Add(pc, -2)))`},
	{regexp.MustCompile(`\bAUX\b`), `uintptr(*(*uint8)(unsafe.Add(pc, -7)))`},
	{regexp.MustCompile(`\bJC\b`), `pc = unsafe.Add(pc, *(*int16)(unsafe.Add(pc, -2)))`},
	{regexp.MustCompile(`\bJK\b`), `pc = unsafe.Add(pc, *(*int32)(unsafe.Add(pc, -4)))`},
	{regexp.MustCompile(`\bFUEL\b`), `if fuel--; fuel < 0 { goto refuel }`},
	{regexp.MustCompile(`\bFAULT\b`), `goto fault`},
	{regexp.MustCompile(`\bW64\b`), `*(*uint64)(pc)`},
}

const (
	save = `t.pc = uint32(uintptr(pc) - uintptr(codeBase)); t.delta = uint32(uintptr(base) - uintptr(t.stack)); t.fuel = fuel`
	load = `if t.exit != 0 { return }; codeBase = t.w.tables.code; pc = unsafe.Add(codeBase, t.pc); base = unsafe.Add(t.stack, t.delta); fuel = t.fuel`
)

var callMacro = regexp.MustCompile(`\bCALL\((\w+)\)`)

func expand(o op) string {
	if o.call != "" {
		return save + "; " + withMacros(o.callOf(o.call)) + "; " + load
	}
	body := o.body
	word := ""
	if o.word && strings.Contains(body, "W64") {
		word = "; pc = unsafe.Add(pc, 8)"
	}
	body = strings.TrimSuffix(strings.TrimSpace(body), ";") + word
	body = callMacro.ReplaceAllStringFunc(body, func(m string) string {
		return save + "; " + o.callOf(callMacro.FindStringSubmatch(m)[1]) + "; " + load
	})
	return withMacros(body)
}

func withMacros(body string) string {
	for _, m := range macros {
		body = m.re.ReplaceAllString(body, m.new)
	}
	return body
}

// callOf calls a helper; that of an opcode that suspends gives the task that
// runs next.
func (o op) callOf(helper string) string {
	call := helper + "(t)"
	if o.regs {
		call = helper + "(t" + o.registers() + ")"
	}
	if o.suspends {
		return "t = " + call
	}
	return call
}

// registers are pointers to what the operands name: a number word, a pointer
// word or both.
func (o op) registers() string {
	var b strings.Builder
	for i, x := range o.operands {
		typ := map[string]string{"i": "*uint64", "p": "*unsafe.Pointer", "v": "*Value"}[strings.TrimPrefix(x, "=")]
		if typ != "" {
			fmt.Fprintf(&b, ", (%s)(unsafe.Add(base, %c))", typ, "ABC"[i])
		}
	}
	return b.String()
}

// variant is one interpreter loop generated from the table.
type variant struct {
	name, doc string
	replicate bool   // dispatch again at the end of the hot opcodes
	machine   bool   // goes on in machine code where there is some
	fetched   string // what is done for each instruction
	races     bool   // the race detector is told of accesses
}

var fast = variant{
	name: "run",
	doc: `// run executes a task, and then those that are ready when it suspends or ends,
// until there is none or one fails (t.exit says which). No Go value lives across a call in it but t: a slow opcode saves the task's
// state, calls its helper and loads the state again, so nothing is spilled
// between fetch and jump.
//
// Invariants of the unsafe accesses: the code was made by our compiler or
// passed the verifier, so every register operand lies in the frame the call
// checked for, every jump stays in its function, every field offset lies in
// the layout of the register's type, and pc never passes the final TRAP.
`,
	replicate: true,
	machine:   true,
}

var counted = variant{
	name: "runCounted",
	doc: `// runCounted is run with a count of each word that is executed: for coverage.
`,
	fetched: "t.w.inst.counts[(uintptr(pc)-uintptr(codeBase))/8-1]++\n",
}

// checked makes loops hold each instruction against what the verifier knows of it.
func checked(variants ...variant) []variant {
	for i := range variants {
		variants[i].fetched += save + "; t.check()\n"
	}
	return variants
}

// loop writes the loops that a build with a tag has. Without pairs nothing is replicated.
func loop(ops []op, pairs []pair, tag string, variants ...variant) string {
	var b bytes.Buffer
	b.WriteString("// Code generated by bytecode/internal/genops from opcodes.txt. DO NOT EDIT.\n\n//go:build " + tag + `

package vm

import (
	"math"
	"unsafe"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)
`)
	b.WriteString("\n// The bytes of the pairs stand behind those of the opcodes.\nconst (\n")
	for i, p := range pairs {
		fmt.Fprintf(&b, "pair%s uint8 = %d\n", p.name(), primary(ops)+i)
	}
	fmt.Fprintf(&b, ")\n\n// byteMachine is the byte of instructions that have been compiled to machine code.\nconst byteMachine uint8 = %d\n", machine)
	b.WriteString("\n// pairOf gives the opcode that runs two adjacent ones, 0 when there is none.\n")
	b.WriteString("func pairOf(first, second bc.Op) uint8 {\nswitch uint32(first)<<16 | uint32(second) {\n")
	for _, p := range pairs {
		fmt.Fprintf(&b, "case uint32(bc.%s)<<16 | uint32(bc.%s): return pair%s\n", p.first.name, p.second.name, p.name())
	}
	b.WriteString("}\nreturn 0\n}\n\n// firstOf gives the first opcode of each pair.\nvar firstOf = [...]bc.Op{\n")
	for _, p := range pairs {
		fmt.Fprintf(&b, "bc.%s,\n", p.first.name)
	}
	b.WriteString("}\n")
	for _, v := range variants {
		v.replicate = v.replicate && len(pairs) > 0
		v.machine = v.machine && len(pairs) > 0
		v.write(&b, ops, pairs)
	}
	writeExtended(&b, ops)
	return b.String()
}

// writeExtended writes the function that runs an opcode of those that share a byte.
func writeExtended(b *bytes.Buffer, ops []op) {
	b.WriteString(`
// opExtended runs an opcode of those that share a byte. It gives the task that runs next.
func opExtended(t *Task) *Task {
	switch bc.OpOf(t.word()) {
`)
	for _, o := range ops[primary(ops):] {
		if o.suspends {
			fmt.Fprintf(b, "case bc.%s: return %s(t)\n", o.name, o.call)
		} else {
			fmt.Fprintf(b, "case bc.%s: %s(t)\n", o.name, o.call)
		}
	}
	b.WriteString("}\nreturn t\n}\n")
}

// sharedLoop writes a loop without pairs.
func sharedLoop(ops []op, v variant) string {
	var b bytes.Buffer
	b.WriteString(`// Code generated by bytecode/internal/genops from opcodes.txt. DO NOT EDIT.

//go:build !checkedloop

package vm

import (
	"math"
	"unsafe"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)
`)
	v.write(&b, ops, nil)
	return b.String()
}

func (v variant) write(b *bytes.Buffer, ops []op, pairs []pair) {
	fmt.Fprintf(b, "\n%sfunc %s(t *Task) {\n", v.doc, v.name)
	b.WriteString(`	codeBase := t.w.tables.code
	pc := unsafe.Add(codeBase, t.pc)
	base := unsafe.Add(t.stack, t.delta)
	fuel := t.fuel
`)
	ops = ops[:primary(ops)]
	dispatch := func() {
		b.WriteString("pc = unsafe.Add(pc, 8)\n" + v.fetched)
		b.WriteString("switch *(*uint8)(unsafe.Add(pc, -8)) {\n")
		for _, o := range ops {
			fmt.Fprintf(b, "case uint8(bc.%s): goto L_%s\n", o.name, o.name)
		}
		for _, p := range pairs {
			fmt.Fprintf(b, "case pair%s: goto L_%s\n", p.name(), p.name())
		}
		if v.machine {
			b.WriteString("case byteMachine: goto machine\n")
		}
		fmt.Fprintf(b, "case %d: goto extended\ndefault: goto L_TRAP\n}\n", extended)
	}
	b.WriteString("top:\n")
	dispatch()
	for _, o := range ops {
		tells := ""
		if v.races {
			tells = o.raceText()
		}
		fmt.Fprintf(b, "\nL_%s:\n\t{\n%s%s\n}\n", o.name, tells, expand(o))
		if o.hot && v.replicate {
			dispatch()
		} else {
			b.WriteString("goto top\n")
		}
	}
	for _, p := range pairs {
		fmt.Fprintf(b, "\nL_%s:\n\t{\n%s\n}\npc = unsafe.Add(pc, 8)\n{\n%s\n}\n", p.name(), expand(p.first), expand(p.second))
		b.WriteString("goto top\n")
	}
	fmt.Fprintf(b, "\nextended:\n%s; t = opExtended(t); %s; goto top\n", save, load)
	if v.machine {
		fmt.Fprintf(b, "\nmachine:\n%s; t = opMachine(t); %s; goto top\n", save, load)
	}
	fmt.Fprintf(b, "\nfault:\n%s; opFault(t); %s; goto top\n", save, load)
	fmt.Fprintf(b, "\nrefuel:\n%s; t = opOutOfFuel(t); %s; goto top\n", save, load)
	fmt.Fprintf(b, "\ngrow:\npc = unsafe.Add(pc, -8); %s; opGrow(t); %s; goto top\n", save, load)
	fmt.Fprintf(b, "\ndone:\n%s; t = opDone(t); %s; goto top\n}\n", save, load)
}

func document(ops []op) string {
	var b strings.Builder
	b.WriteString(`# Bytecode

Generated from the opcode table; do not edit.

A program's code is one array of 64-bit words. An instruction is one word, little endian: the opcode
in byte 0, an auxiliary byte, then the operands a, b and c of 16 bits each; where the table says *w*,
the following word is a 64-bit immediate. An opcode of two numbers, 255 and n, has 255 in byte 0 and n
in the auxiliary byte. Register operands are byte offsets into the frame: 16·r + 8
for a number word (i), 16·r for a pointer word (p) or for both words (v). Jumps are in bytes, relative
to the next instruction. Every taken jump and every call is one step.

| operand | meaning |
|---|---|
| =i =p =v | destination register: number word, pointer word, both |
| i p v | source register |
| m | register that is read and written |
| win | first register of a call's window; the link stands in the register before it |
| args | first of several consecutive registers |
| s16 u16 k32 | immediate; k32 fills b and c |
| j16 j32 | jump |
| off, goff | byte offset of a field, of a global |
| type func native str bytes sel iface table | index into that table of the program |
| code | word index of a function's first instruction |
`)
	section := ""
	for i, o := range ops {
		if o.section != section {
			section = o.section
			fmt.Fprintf(&b, "\n## %s\n\n| # | opcode | operands | effect |\n|---|---|---|---|\n", section)
		}
		var operands []string
		for _, x := range o.operands {
			if x != "" && x != "-" {
				operands = append(operands, x)
			}
		}
		if o.aux != "" {
			operands = append(operands, "aux:"+o.aux)
		}
		if o.word {
			operands = append(operands, "w")
		}
		effect := o.effect
		if o.suspends {
			effect += "; may suspend"
		}
		number := fmt.Sprint(i)
		if p := primary(ops); i >= p {
			number = fmt.Sprintf("%d %d", extended, i-p)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", number, o.name, strings.Join(operands, " "), strings.ReplaceAll(effect, "|", "\\|"))
	}
	return b.String()
}
