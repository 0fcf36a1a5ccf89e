// Package bytecode defines compiled programs: opcodes, types, functions, their
// text and file forms, and the verifier.
//
//	compiler ──> Program ──> vm (runs it)
//	              │  └─> disassembly
//	              └─> .rnlc bytes ──> Decode + Verify ──> Program
package bytecode

//go:generate go run ./internal/genops

// Op is an opcode.
type Op uint8

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
	return uint64(op) | uint64(aux)<<8 | uint64(a)<<16 | uint64(b)<<32 | uint64(c)<<48
}

// Fields of an instruction word.
func OpOf(w uint64) Op     { return Op(uint8(w)) }
func AuxOf(w uint64) uint8 { return uint8(w >> 8) }
func AOf(w uint64) uint16  { return uint16(w >> 16) }
func BOf(w uint64) uint16  { return uint16(w >> 32) }
func COf(w uint64) uint16  { return uint16(w >> 48) }
func KOf(w uint64) int32   { return int32(w >> 32) }
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

// JumpTarget gives the word that the instruction at a word jumps to, if it is a
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
