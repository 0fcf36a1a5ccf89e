package main

import (
	"bufio"
	endian "encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/x86text"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
	"github.com/runnel-lang/runnel/vm/native"
)

func disFlags() []flag {
	return []flag{{"--native", "", "show the machine code of functions beside their bytecode", func(c *cli, _ string) error {
		c.native = true
		return nil
	}}, colorFlag}
}

// dis shows the bytecode of a script or of a compiled program, or of some of its functions.
func (c *cli) dis(args []string) int {
	if len(args) == 0 {
		return c.usage("dis needs a file")
	}
	name, text, err := readFile(args[0])
	if err != nil {
		return c.problem(err)
	}
	show := c.native
	c.native = false // nothing is run
	p, code := c.load(name, text, c.runtime(host.Host{}))
	if p == nil {
		return code
	}
	funcs, err := functionsNamed(p.Code, args[1:])
	switch {
	case err != nil:
	case show:
		err = disassembleNative(c.stdout, p, funcs)
	case len(args) == 1:
		err = bytecode.Disassemble(c.stdout, p.Code)
	default:
		err = bytecode.DisassembleFuncs(c.stdout, p.Code, funcs)
	}
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}

// functionsNamed finds functions by their names, in a program's order; without names, all.
func functionsNamed(p *bytecode.Program, names []string) ([]int, error) {
	wanted, found := map[string]bool{}, map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	var list []int
	var all []string
	for i := range p.Funcs {
		name := p.Funcs[i].Name
		all = append(all, name)
		if len(names) == 0 || wanted[name] {
			found[name] = true
			list = append(list, i)
		}
	}
	for _, n := range names {
		if found[n] {
			continue
		}
		if near := diag.Suggest(n, all); near != "" {
			return nil, fmt.Errorf("there is no function `%s`: did you mean `%s`?", n, near)
		}
		return nil, fmt.Errorf("there is no function `%s`", n)
	}
	return list, nil
}

// disassembleNative writes the machine code of functions: below each instruction of the
// bytecode, and the source line that it was made of, what it has been compiled to.
func disassembleNative(w io.Writer, p *runnel.Program, funcs []int) error {
	if !runnel.NativeSupported() {
		return errors.New("there is no machine code for this system: see `runnel doctor`")
	}
	out := bufio.NewWriter(w)
	d := bytecode.NewDescriber(p.Code)
	for _, i := range funcs {
		l, err := p.MachineCode(i)
		if err != nil {
			fmt.Fprintf(out, "\n%s  // %s\n", d.Function(i), err)
			continue
		}
		fmt.Fprintf(out, "\n%s  // %d bytes of machine code\n", d.Function(i), l.End-l.Start)
		writeParts(out, d, l)
	}
	return out.Flush()
}

func writeParts(w io.Writer, d *bytecode.Describer, l native.Listing) {
	name := func(target int) string {
		if word, ok := l.Functions[target]; ok {
			return d.FunctionAt(word)
		}
		return ""
	}
	at, line, cold := l.Start, "", false
	for i, part := range l.Parts {
		writeCode(w, l.Code, at, part.Offset, name)
		at = part.Offset
		end := l.End
		if i+1 < len(l.Parts) {
			end = l.Parts[i+1].Offset
		}
		if end == at {
			continue
		}
		if part.Word == native.Constants {
			writeConstants(w, l.Code, at, end)
			return
		}
		if part.Cold != cold {
			cold, line = part.Cold, ""
			fmt.Fprintln(w, "        // rarely:")
		}
		if s := d.Line(part.Word); s != line && s != "" {
			line = s
			fmt.Fprintf(w, "      // %s\n", line)
		}
		fmt.Fprintf(w, "  %5d  %s\n", part.Word, d.Instruction(part.Word))
	}
	writeCode(w, l.Code, at, l.End, name)
}

func writeConstants(w io.Writer, code []byte, at, end int) {
	fmt.Fprintln(w, "        // constants:")
	for ; at+8 <= end; at += 8 {
		bits := endian.LittleEndian.Uint64(code[at:])
		fmt.Fprintf(w, "           %04x  dq 0x%016x  // %g\n", at, bits, math.Float64frombits(bits))
	}
}

func writeCode(w io.Writer, code []byte, at, end int, name func(int) string) {
	for at < end {
		text, n := x86text.Instruction(code[:end], at, name)
		fmt.Fprintf(w, "           %04x  %s\n", at, text)
		at += n
	}
}
