// Package x86text writes the machine code of package vm/native as text.
package x86text

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// Instruction returns the instruction at an offset, in Intel's syntax, and its length. What
// cannot be decoded is a byte. Name is what is called or jumped to, "" where it has no name.
func Instruction(code []byte, at int, name func(target int) string) (text string, length int) {
	b := code[at:]
	if text, n := vex(b); n > 0 {
		return text, n
	}
	inst, err := x86asm.Decode(b, 64)
	if err != nil {
		return fmt.Sprintf("db 0x%02x", b[0]), 1
	}
	if rel, ok := inst.Args[0].(x86asm.Rel); ok {
		target := at + inst.Len + int(rel)
		to := name(target)
		if to == "" {
			to = fmt.Sprintf("%04x", target)
		}
		return strings.ToLower(inst.Op.String()) + " " + to, inst.Len
	}
	return intel(inst), inst.Len
}

func intel(inst x86asm.Inst) string {
	return strings.Replace(x86asm.IntelSyntax(inst, 0, nil), " ptr [", " [", 1)
}

// vexTwo are the opcodes of two operands that package native uses with a VEX prefix; the
// others have three.
var vexTwo = []byte{0x10, 0x11, 0x28, 0x2c, 0x2e, 0x6e, 0x7e}

// vex decodes an instruction of AVX, which the decoder does not know, as the one of SSE that
// has the same opcode. It gives length 0 for what is none of map 0F with three bytes of prefix.
func vex(b []byte) (text string, length int) {
	if len(b) < 5 || b[0] != 0xc4 || b[1]&31 != 1 {
		return "", 0
	}
	b1, b2, op := b[1], b[2], b[3]
	var sse []byte
	if p := b2 & 3; p != 0 {
		sse = append(sse, []byte{0x66, 0xf3, 0xf2}[p-1])
	}
	sse = append(sse, 0x40|b2>>7<<3|^b1>>5&7, 0x0f, op)
	extra := len(sse) - 4
	inst, err := x86asm.Decode(append(sse, b[4:]...), 64)
	if err != nil {
		return "", 0
	}
	text = "v" + intel(inst)
	if first, rest, ok := strings.Cut(text, ", "); ok && !bytes.Contains(vexTwo, []byte{op}) {
		text = fmt.Sprintf("%s, xmm%d, %s", first, ^b2>>3&15, rest)
	}
	return text, inst.Len - extra
}
