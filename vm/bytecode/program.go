package bytecode

// Program is compiled code: immutable, shared by every instance that runs it.
type Program struct {
	Types   []Type
	Code    []uint64 // all functions, one after the other; the last word is TRAP
	Funcs   []Func
	Natives []NativeRef
	Strings []string // constants: str
	Bytes   []string // constants: bytes
	Enums   []EnumConst
	Globals []Global
	// Selectors are the methods called on interface values: for each a table
	// from the receiver's type id to function index + 1 (0: not satisfied).
	Selectors []Selector
	// Ifaces tells for each interface of an `is`, `as` or type pattern which
	// type ids satisfy it.
	Ifaces []Iface
	// ErrTypes are the type ids of the runtime's error structs (by vm.ErrKind),
	// 0 where the program can not see one.
	ErrTypes []uint32
	Entry    int // function that initializes the modules and runs the script
	Exports  []Export
	Tests    []Test
	Benches  []Test // their functions take how often to run the block
	Files    []SourceFile
	// Interps are the parts of interpolated strings and of print's arguments.
	Interps [][]InterpPart
	// Jumps are the tables of SWITCH: offsets relative to the code's start.
	Jumps [][]uint32
	// MessageSel is the selector of Error.message, used to print uncaught errors.
	MessageSel int
}

// StubWords is the length of what an instance runs besides a program's functions.
const StubWords = 8

// EnumConst is a constant of an enum that is an object: a variant without fields, or
// one whose fields are constants, numbers and strs.
type EnumConst struct {
	Type   uint32
	Tag    uint16
	Values []uint64 // of its fields; of a str the index in Strings
}

// InterpPart is a piece of text, or (Type not 0) the value of that type in the
// next of the instruction's registers.
type InterpPart struct {
	Text string
	Type uint32
}

// Func is one compiled function.
type Func struct {
	Name      string // as shown in traces: "fib", "Point.sum", "fn in main"
	Start     uint32 // first word in Code
	End       uint32
	Frame     uint16 // registers it needs, its calls' windows excluded
	Params    []uint32
	Result    uint32
	Type      uint32 // function type id
	Closure   Layout // of closures: entry word and captured scalars, captured references
	Captures  []Field
	Handlers  []Handler
	Lines     []Line
	Maps      []TypeMap
	File      uint32
	HasDefers bool
}

// Has reports whether the result and the parameters are of these kinds.
func (f *Func) Has(types []Type, result TypeKind, params ...TypeKind) bool {
	if len(f.Params) != len(params) || types[f.Result].Kind != result {
		return false
	}
	for i, id := range f.Params {
		if types[id].Kind != params[i] {
			return false
		}
	}
	return true
}

// Handler catches errors thrown between Start and End (words, relative to
// Code); inner handlers come first. The error goes to register Reg (both words).
type Handler struct {
	Cleanup            bool // runs defers: also entered for errors a script cannot catch
	Start, End, Target uint32
	Reg                uint16
}

// Line says that the instructions from PC (a word index) on come from a place
// in the function's file.
type Line struct {
	PC        uint32
	Line, Col uint32
}

// TypeMap lists, for a block entry, the registers whose pointer word is live
// there, with their types. It is what the verifier checks against.
type TypeMap struct {
	PC   uint32
	Regs []RegType
}

// RegType is a register and the type its pointer word has.
type RegType struct {
	Reg  uint16
	Type uint32
}

// NativeRef is a native function with the types of one use.
type NativeRef struct {
	Name     string
	TypeArgs []uint32
	Params   []uint32
	Result   uint32
}

// Global is a top-level variable that functions share.
type Global struct {
	Name string
	Type uint32
}

// Selector is an interface method with the types of its parameters (the
// receiver aside) and result; Table is indexed by type id.
type Selector struct {
	Name   string
	Iface  uint32
	Params []uint32
	Result uint32
	Table  []uint32
}

// Iface lists the type ids that satisfy an interface.
type Iface struct {
	Type uint32
	Sat  []bool
}

// Export is a public function or top-level value of the script, for its host.
type Export struct {
	Name   string
	Global bool
	Index  int // in Funcs or Globals
}

// Test is a compiled test or benchmark.
type Test struct {
	Name string
	Func int
}

// SourceFile names a file for traces; Text may be empty in a .rnlc file.
type SourceFile struct {
	Name string
	Text string
	Hash [32]byte
	Std  bool // part of the standard library
}

// Place returns the source line and column of a code word of the function.
func (f *Func) Place(word uint32) (line, col int) {
	lo, hi := 0, len(f.Lines)
	for lo < hi {
		mid := (lo + hi) / 2
		if f.Lines[mid].PC <= word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, 0
	}
	return int(f.Lines[lo-1].Line), int(f.Lines[lo-1].Col)
}
