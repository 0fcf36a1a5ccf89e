// Package bytecode defines compiled programs: opcodes, types, functions, their
// text and file forms, and the verifier.
//
//	compiler ──> Program ──> vm (runs it)
//	              │  └─> disassembly
//	              └─> .rnlc bytes ──> Decode + Verify ──> Program
package bytecode

//go:generate go run ./internal/genops

// Op is an opcode. Most have a byte of their own in an instruction; slow ones share the
// byte extended and are told apart by the one beside it.
type Op uint16

// OpInfo is a row of the opcode table. Operands name the formats of a, b and c
// ("" where the one before takes the place too).
type OpInfo struct {
	Name     string
	Operands [3]string
	Word     bool   // an immediate word follows
	Aux      string // meaning of the byte beside the opcode
	Suspends bool
	Call     bool // implemented by a helper
}

func (o Op) String() string {
	if int(o) < NumOps {
		return Ops[o].Name
	}
	return "?"
}

// UnknownTop is the aux of a waiting instruction that may use any register of its
// frame, as 0 is.
const UnknownTop = 255

// Instr packs an instruction word.
func Instr(op Op, aux uint8, a, b, c uint16) uint64 {
	return WithOp(uint64(aux)<<8|uint64(a)<<16|uint64(b)<<32|uint64(c)<<48, op)
}

// WithOp is an instruction with another opcode. One that shares its byte with others has
// no auxiliary byte.
func WithOp(w uint64, op Op) uint64 {
	if op >= primary {
		return w&^0xffff | extended | uint64(op-primary)<<8
	}
	return w&^0xff | uint64(op)
}

// Fields of an instruction word.
func AOf(w uint64) uint16 { return uint16(w >> 16) }
func BOf(w uint64) uint16 { return uint16(w >> 32) }
func COf(w uint64) uint16 { return uint16(w >> 48) }
func KOf(w uint64) int32  { return int32(w >> 32) }

// OpOf is the opcode of an instruction. One of NumOps or more is none; where the virtual
// machine has put two instructions under one byte, it is NumOps and the number of the pair.
func OpOf(w uint64) Op {
	switch b := Op(uint8(w)); {
	case b < primary:
		return b
	case b == extended:
		if op := primary + Op(uint8(w>>8)); op < NumOps {
			return op
		}
		return invalidOp
	default:
		return NumOps + b - primary
	}
}

const invalidOp Op = 1 << 15

// AuxOf is the auxiliary byte of an instruction, 0 where it is part of the opcode.
func AuxOf(w uint64) uint8 {
	if uint8(w) == extended {
		return 0
	}
	return uint8(w >> 8)
}

func WithK(w uint64, k int32) uint64 {
	return w&0xffffffff | uint64(uint32(k))<<32
}

// MaxSelectArms is how many arms, besides `after` and `_`, a select may have.
const MaxSelectArms = 60

// Bits of the immediate words of SELECT and of SPAWN.
const (
	SelectDefault = 1 << 62
	SelectAfter   = 1 << 63
	SpawnPrivate  = 1 << 62 // the next instruction awaits the task, and nobody else has its handle
	SpawnDetached = 1 << 63
)

// JumpTarget returns the word that the instruction at a word jumps to, if it is a
// jump to one place.
func JumpTarget(w uint64, at uint32) (to uint32, jumps bool) {
	info := &Ops[OpOf(w)]
	next := at + 1
	if info.Word {
		next++
	}
	for _, kind := range info.Operands {
		if kind == "j16" || kind == "j32" {
			return jumpTarget(w, kind, next), true
		}
	}
	return 0, false
}
