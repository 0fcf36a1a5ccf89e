package bytecode

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Types of the programs below.
const (
	idErr    = NumFixedTypes + iota // a struct with a text
	idPoint                         // struct { x: int, next: Point?, name: str }
	idPointO                        // Point?
	idInts                          // [int]
	idPoints                        // [Point]
	idMap                           // map<str, Point>
	idEnum                          // Pair(int, str), Empty
	idPair                          // (str, str)
	idFn                            // fn(str) -> str
	idThunk                         // fn()
	idCell                          // cell of int
	idIntO                          // int?
	idIface                         // an interface
)

func rp(r int) uint16 { return uint16(r * 16) }
func ri(r int) uint16 { return uint16(r*16 + 8) }

func k32(op Op, a uint16, k int32) uint64 { return WithK(Instr(op, 0, a, 0, 0), k) }

func structOf(name string, fields ...Field) Type {
	l := Place(fields)
	return Type{Kind: TStruct, Rep: RepP, Name: name, Fields: fields, Layout: l}
}

// assemble makes a program whose functions are an empty entry and, from word 1
// on, f with the code given; f takes a Point and a str and has 8 registers.
func assemble(code ...uint64) *Program {
	p := &Program{Types: FixedTypes(), MessageSel: -1, Files: []SourceFile{{Name: "a.rnl"}}, Strings: []string{"text"}}
	pair := []Field{{Name: "0", Type: IDStr, Rep: RepP}, {Name: "1", Type: IDStr, Rep: RepP}}
	variant := []Field{{Name: "n", Type: IDInt}, {Name: "s", Type: IDStr, Rep: RepP}}
	cell := []Field{{Type: IDInt}}
	p.Types = append(p.Types,
		structOf("Err", Field{Name: "text", Type: IDStr, Rep: RepP}),
		structOf("Point", Field{Name: "x", Type: IDInt}, Field{Name: "next", Type: idPointO, Rep: RepP}, Field{Name: "name", Type: IDStr, Rep: RepP}),
		Type{Kind: TOptional, Rep: RepP, Name: "Point?", Elem: idPoint},
		Type{Kind: TList, Rep: RepP, Name: "[int]", Elem: IDInt},
		Type{Kind: TList, Rep: RepP, Name: "[Point]", Elem: idPoint},
		Type{Kind: TMap, Rep: RepP, Name: "map<str, Point>", Key: IDStr, Elem: idPoint},
		Type{Kind: TEnum, Rep: RepP, Name: "Enum", Variants: []Variant{{Name: "Pair", Layout: Place(variant), Fields: variant}, {Name: "Empty"}}},
		Type{Kind: TTuple, Rep: RepP, Name: "(str, str)", Layout: Place(pair), Fields: pair},
		Type{Kind: TFunc, Rep: RepP, Name: "fn(str) -> str", Params: []uint32{IDStr}, Result: IDStr},
		Type{Kind: TFunc, Rep: RepP, Name: "fn()", Result: IDUnit},
		Type{Kind: TCell, Rep: RepP, Name: "cell of int", Layout: Place(cell), Fields: cell},
		Type{Kind: TOptional, Rep: RepV, Name: "int?", Elem: IDInt},
		Type{Kind: TInterface, Rep: RepV, Name: "Show"},
	)
	for range ErrNames {
		p.ErrTypes = append(p.ErrTypes, idErr)
	}
	entry := Layout{Scalars: 1}
	p.Code = append([]uint64{Instr(RET, 0, 0, 0, 0)}, code...)
	end := uint32(len(p.Code))
	p.Code = append(p.Code, Instr(RET, 0, 0, 0, 0), Instr(TRAP, 0, 0, 0, 0))
	p.Funcs = []Func{
		{Name: "entry", End: 1, Frame: 1, Result: IDUnit, Closure: entry},
		{Name: "f", Start: 1, End: end, Frame: 8, Params: []uint32{idPoint, IDStr}, Result: IDUnit, Closure: entry},
		{Name: "thunk", Start: end, End: end + 1, Frame: 1, Result: IDUnit, Closure: entry, Type: idThunk},
	}
	p.Natives = []NativeRef{{Name: "str.upper", Params: []uint32{IDStr}, Result: IDStr}}
	p.Selectors = []Selector{{Name: "show", Iface: idIface, Result: IDUnit}}
	p.Globals = []Global{{Name: "g", Type: IDStr}}
	p.Enums = []EnumConst{{Type: idEnum, Values: []uint64{1, 0}}, {Type: idEnum, Tag: 1}}
	return p
}

func signatures(name string) []Signature {
	if name == "str.upper" {
		return []Signature{"(str) str"}
	}
	return nil
}

var ret = Instr(RET, 0, 0, 0, 0)

func TestVerifyAcceptsSoundCode(t *testing.T) {
	for name, code := range map[string][]uint64{
		"fields":           {Instr(GETI, 0, ri(2), rp(0), 8), Instr(GETP, 0, rp(2), rp(0), 16), Instr(GETP, 0, rp(3), rp(2), 24), Instr(SETP, 0, rp(2), 24, rp(3)), ret},
		"none is any type": {k32(LDNIL, rp(2), 0), Instr(SETP, 0, rp(0), 24, rp(2)), ret},
		"a list":           {Instr(MKLIST, 0, rp(2), idPoints, rp(0)), 1, Instr(LGETP, 0, rp(3), rp(2), ri(4)), Instr(SETP, 0, rp(3), 16, rp(0)), ret},
		"a call":           {Instr(MOVP, 0, rp(3), rp(0), 0), Instr(MOVP, 0, rp(4), rp(1), 0), WithK(Instr(CALL, 2, rp(3), 0, 0), 1), ret},
		"a native":         {Instr(MOVP, 0, rp(3), rp(1), 0), Instr(CALLN, 0, rp(3), 0, 0), Instr(SLEN, 0, ri(2), rp(3), 0), ret},
		"a closure":        {k32(LDS, rp(2), 0), Instr(LDFN, 0, rp(2), 2, 0), Instr(DEFER, 0, rp(2), 0, 0), Instr(RUNDEFER, 0, rp(3), 0, 0), ret},
		"unreached code":   {ret, Instr(GETP, 0, rp(5), rp(5), 8), ret},
		"a cast":           {Instr(CAST, 0, rp(2), rp(3), idPoint), Instr(GETI, 0, ri(2), rp(2), 8), ret},
		"a constant":       {k32(LDE, rp(2), 0), Instr(GETEP, 0, rp(3), rp(2), 16), Instr(SLEN, 0, ri(3), rp(3), 0), k32(LDE, rp(2), 1), ret},
		"an enum":          {Instr(NEWENUM, 0, rp(2), idEnum, rp(0)), Instr(GETEP, 0, rp(3), rp(2), 16), Instr(SLEN, 0, ri(3), rp(3), 0), ret},
	} {
		require.NoError(t, Verify(assemble(code...), signatures), name)
	}
}

func TestVerifyRefusesUnsoundCode(t *testing.T) {
	for _, c := range []struct {
		message string
		code    []uint64
	}{
		{"there is no such opcode", []uint64{uint64(NumOps), ret}},
		{"the immediate word is missing", []uint64{Instr(LDW, 0, ri(2), 0, 0)}},
		{"not closed", []uint64{Instr(MOVI, 0, ri(2), ri(3), 0)}},
		{"not closed", []uint64{Instr(MOVP, 0, rp(3), rp(1), 0), Instr(CALLN, 0, rp(3), 0, 0)}},
		// Registers.
		{"not a register", []uint64{Instr(MOVI, 0, ri(8), ri(0), 0), ret}},
		{"not a register", []uint64{Instr(MOVI, 0, rp(2), ri(0), 0), ret}},
		{"not a register", []uint64{Instr(MOVP, 0, ri(2), rp(0), 0), ret}},
		{"not a register", []uint64{Instr(MOVP, 0, 4, rp(0), 0), ret}},
		{"there are no 2 registers", []uint64{Instr(NEWMAP, 0, rp(2), idMap, 0), Instr(MITER, 0, ri(7), rp(2), 0), ret}},
		{"has type <invalid>", []uint64{Instr(FORLI, 0, ri(2), rp(4), 0), ret}},
		// Fields.
		{"no number lies at 16", []uint64{Instr(GETI, 0, ri(2), rp(0), 16), ret}},
		{"no number lies at 0", []uint64{Instr(SETI, 0, rp(0), 0, ri(2)), ret}},
		{"no reference lies at 8", []uint64{Instr(GETP, 0, rp(2), rp(0), 8), ret}},
		{"no reference lies at 32", []uint64{Instr(GETP, 0, rp(2), rp(0), 32), ret}},
		{"not of the field's type", []uint64{Instr(SETP, 0, rp(0), 16, rp(1)), ret}},
		{"has type str", []uint64{Instr(GETI, 0, ri(2), rp(1), 8), ret}},
		{"has type <invalid>", []uint64{Instr(GETI, 0, ri(2), rp(5), 8), ret}},
		{"has type (str, str)", []uint64{Instr(MOVP, 0, rp(2), rp(1), 0), Instr(MOVP, 0, rp(3), rp(1), 0), Instr(NEW, 0, rp(2), idPair, rp(2)), Instr(SETP, 0, rp(2), 8, rp(1)), ret}},
		{"no variant 2", []uint64{Instr(NEWENUM, 2, rp(2), idEnum, rp(2)), ret}},
		{"register 3 is not of type str", []uint64{Instr(NEWENUM, 0, rp(2), idEnum, rp(2)), ret}},
		{"is not made so", []uint64{Instr(NEW, 0, rp(2), IDLimit, rp(1)), ret}},
		{"is not made so", []uint64{Instr(NEW, 0, rp(2), IDStr, rp(1)), ret}},
		{"no number lies at 16", []uint64{Instr(UPI, 0, ri(2), 16, 0), ret}},
		// Types.
		{"not a type of scalars", []uint64{Instr(BOX, 0, rp(2), ri(3), idPoint), ret}},
		{"which there is not", []uint64{Instr(TOSTR, 0, rp(2), rp(1), 999), ret}},
		{"register 0 is not of type str", []uint64{Instr(TOSTR, 0, rp(2), rp(0), IDStr), ret}},
		{"is not for [Point]", []uint64{Instr(NEWLIST, 0, rp(2), idPoints, 0), Instr(LGETI, 0, ri(3), rp(2), ri(3)), ret}},
		{"register 1 is not of type Point", []uint64{Instr(NEWLIST, 0, rp(2), idPoints, 0), Instr(LSETP, 0, rp(2), ri(3), rp(1)), ret}},
		{"[int] is no map", []uint64{Instr(NEWMAP, 0, rp(2), idInts, 0), ret}},
		{"register 0 is not of type str", []uint64{Instr(NEWMAP, 0, rp(2), idMap, 0), Instr(MHAS, 0, ri(2), rp(2), rp(0)), ret}},
		{"list has 5000 elements", []uint64{Instr(MKLIST, 0, rp(2), idInts, rp(2)), 5000, ret}},
		// Jumps.
		{"no type map", []uint64{k32(JMP, 0, 0), ret}},
		{"no type map", []uint64{k32(JMP, 0, -8*100), ret}},
		{"no type map", []uint64{k32(JMP, 0, 8*100), ret}},
		{"between words", []uint64{k32(JMP, 0, 4), ret}},
		{"there is no 0 in a table of 0", []uint64{Instr(SWITCH, 0, ri(2), 0, 0), ret}},
		// Calls.
		{"no function begins at word 2", []uint64{WithK(Instr(CALL, 9, rp(3), 0, 0), 2), ret}},
		{"it makes no room", []uint64{Instr(MOVP, 0, rp(3), rp(0), 0), Instr(MOVP, 0, rp(4), rp(1), 0), WithK(Instr(CALL, 1, rp(3), 0, 0), 1), ret}},
		{"register 3 is not of type Point", []uint64{WithK(Instr(CALL, 2, rp(3), 0, 0), 1), ret}},
		{"no 2 registers", []uint64{WithK(Instr(CALL, 2, rp(7), 0, 0), 1), ret}},
		{"no place for its link", []uint64{WithK(Instr(CALL, 1, rp(0), 0, 0), 0), ret}},
		{"register 4 has type <invalid>", []uint64{Instr(CALLC, 0, rp(3), rp(4), 0), ret}},
		{"register 4 is not of type Point", []uint64{Instr(MOVP, 0, rp(4), rp(0), 0), WithK(Instr(CALL, 1, rp(3), 0, 0), 0), Instr(NEWLIST, 0, rp(2), idPoints, 0), Instr(LSETP, 0, rp(2), ri(1), rp(4)), ret}},
		{"register 3 is not of type str", []uint64{Instr(CALLN, 0, rp(3), 0, 0), ret}},
		{"there is no 7", []uint64{Instr(CALLI, 0, rp(3), 7, 0), ret}},
		{"returns ()", []uint64{Instr(RETP, 0, rp(1), 0, 0)}},
		{"entry is not a value", []uint64{Instr(LDFN, 0, rp(2), 0, 0), ret}},
		{"other half", []uint64{k32(GGETP, rp(2), 8), ret}},
		{"there is no 1", []uint64{k32(GGETP, rp(2), 16), ret}},
		{"not of the global's type", []uint64{k32(GSETP, rp(0), 0), ret}},
		{"there is no -1", []uint64{k32(LDS, rp(2), -1), ret}},
		{"there is no 2", []uint64{k32(LDE, rp(2), 2), ret}},
		{"register 2 has type Enum", []uint64{k32(LDE, rp(2), 0), Instr(SLEN, 0, ri(3), rp(2), 0), ret}},
		{"there is no text", []uint64{Instr(FORMAT, 0, rp(2), rp(1), IDStr), 9, ret}},
		{"asks for", []uint64{k32(ENTER, 0, 1<<20), ret}},
	} {
		assert.ErrorContains(t, Verify(assemble(c.code...), signatures), c.message)
	}
}

// The state on every way to a word must imply its type map.
func TestVerifyChecksTypeMaps(t *testing.T) {
	code := []uint64{k32(JT, ri(5), 8), Instr(MOVP, 0, rp(2), rp(0), 0), Instr(GETI, 0, ri(3), rp(2), 8), ret}
	at := func(regs ...RegType) *Program {
		p := assemble(code...)
		p.Funcs[1].Maps = []TypeMap{{PC: 3, Regs: regs}}
		return p
	}
	assert.ErrorContains(t, Verify(at(), signatures), "has type <invalid>")
	assert.ErrorContains(t, Verify(at(RegType{2, idPoint}), signatures), "on the way to word 3 register 2")
	assert.ErrorContains(t, Verify(at(RegType{9, idPoint}), signatures), "register 9")
	assert.ErrorContains(t, Verify(at(RegType{2, 999}), signatures), "which there is not")
	code[0] = Instr(MOVP, 0, rp(2), rp(0), 0)
	assert.NoError(t, Verify(at(RegType{2, idPoint}), signatures))
}

// A handler's registers keep their types wherever an error may be thrown.
func TestVerifyChecksHandlers(t *testing.T) {
	call := []uint64{ // f: the registers from the link on are the callee's
		Instr(MOVP, 0, rp(2), rp(0), 0),
		WithK(Instr(CALL, 1, rp(4), 0, 0), 0),
		ret,
		Instr(GETI, 0, ri(2), rp(2), 8), ret,
	}
	with := func(h Handler, code []uint64, regs ...RegType) *Program {
		p := assemble(code...)
		p.Funcs[1].Handlers = []Handler{h}
		p.Funcs[1].Maps = []TypeMap{{PC: 4, Regs: regs}}
		return p
	}
	h := Handler{Start: 2, End: 3, Target: 4, Reg: 7}
	assert.NoError(t, Verify(with(h, call, RegType{2, idPoint}), signatures))
	assert.ErrorContains(t, Verify(with(h, call, RegType{5, idPoint}), signatures), "is not what a handler demands")
	assert.ErrorContains(t, Verify(with(Handler{Start: 1, End: 3, Target: 4, Reg: 7}, call, RegType{2, idPoint}), signatures), "is not what a handler demands")
	assert.ErrorContains(t, Verify(with(Handler{Start: 2, End: 3, Target: 5, Reg: 7}, call), signatures), "handler")
	assert.ErrorContains(t, Verify(with(Handler{Start: 2, End: 6, Target: 4, Reg: 7}, call), signatures), "handler")
	assert.ErrorContains(t, Verify(with(Handler{Start: 2, End: 3, Target: 4, Reg: 8}, call), signatures), "handler")
	assert.ErrorContains(t, Verify(with(Handler{Start: 2, End: 3, Target: 4, Reg: 2}, call, RegType{2, idPoint}), signatures), "handler of Point")
	over := append([]uint64(nil), call...)
	over[1] = WithK(Instr(CALL, 1, rp(2), 0, 0), 0)
	assert.ErrorContains(t, Verify(with(h, over, RegType{2, idPoint}), signatures), "the window is not above")
	over[1] = Instr(MOVP, 0, rp(2), rp(1), 0)
	assert.ErrorContains(t, Verify(with(h, over, RegType{2, idPoint}), signatures), "which a handler needs")
}

func TestVerifyRefusesUnsoundTables(t *testing.T) {
	for message, change := range map[string]func(p *Program){
		"type 7 is not str":             func(p *Program) { p.Types[IDStr].Kind = TBytes },
		"it has 3 types":                func(p *Program) { p.Types = p.Types[:3] },
		"is of kind 7":                  func(p *Program) { p.Types[idPoint].Kind = TStr },
		"representation":                func(p *Program) { p.Types[idPoint].Rep = RepV },
		"does not lie where it belongs": func(p *Program) { p.Types[idPoint].Fields[1].POff = 8 },
		"is of representation":          func(p *Program) { p.Types[idPoint].Fields[1].Rep = RepI },
		"the layout of Point":           func(p *Program) { p.Types[idPoint].Layout.Refs = 1 },
		"Point has type 999":            func(p *Program) { p.Types[idPoint].Fields[0].Type = 999 },
		"has keys of type Point":        func(p *Program) { p.Types[idMap].Key = idPoint },
		"has keys of type (str, str)":   func(p *Program) { p.Types[idPair].Fields[0].Type = idInts; p.Types[idMap].Key = idPair },
		"[int] has type 0":              func(p *Program) { p.Types[idInts].Elem = 0 },
		"types of errors":               func(p *Program) { p.ErrTypes = p.ErrTypes[1:] },
		"is no type of errors":          func(p *Program) { p.ErrTypes[3] = idPoint },
		"does not end in a trap":        func(p *Program) { p.Code[len(p.Code)-1] = ret },
		"word 2 belongs to no function": func(p *Program) { p.Funcs = p.Funcs[:2] },
		"word 1 belongs to no function": func(p *Program) { p.Funcs[1].Start++ },
		"begins at word":                func(p *Program) { p.Funcs[1].Start-- },
		"takes words":                   func(p *Program) { p.Funcs[1].End = p.Funcs[1].Start },
		"has 1 registers":               func(p *Program) { p.Funcs[1].Frame = 1 },
		"has 65000 registers":           func(p *Program) { p.Funcs[1].Frame = 65000 },
		"is of file 3":                  func(p *Program) { p.Funcs[1].File = 3 },
		"is not of type fn(str) -> str": func(p *Program) { p.Funcs[1].Type = idFn },
		"the layout of the closure":     func(p *Program) { p.Funcs[1].Closure = Layout{} },
		"the entry is function 9":       func(p *Program) { p.Entry = 9 },
		"the entry, function f":         func(p *Program) { p.Entry = 1 },
		"a test, function f":            func(p *Program) { p.Tests = []Test{{Func: 1}} },
		"a benchmark is function 9":     func(p *Program) { p.Benches = []Test{{Func: 9}} },
		"a benchmark, function f":       func(p *Program) { p.Benches = []Test{{Func: 1}} },
		"there is no native function":   func(p *Program) { p.Natives[0].Params[0] = idPoint },
		"no native function none":       func(p *Program) { p.Natives[0].Name = "none" },
		"does not serve as method show": func(p *Program) { p.Selectors[0].Table = []uint32{2} },
		"is function 8":                 func(p *Program) { p.Selectors[0].Table = []uint32{9} },
		"takes another type":            func(p *Program) { p.Funcs[1].Params = p.Funcs[1].Params[:1]; p.Selectors[0].Table = []uint32{2} },
		"message of an error":           func(p *Program) { p.MessageSel = 0 },
		"no selector 5":                 func(p *Program) { p.MessageSel = 5 },
		"jump table 0 is empty":         func(p *Program) { p.Jumps = [][]uint32{nil} },
		"a text is not UTF-8":           func(p *Program) { p.Strings[0] = "\xff" },
		"more types than there are":     func(p *Program) { p.Ifaces = []Iface{{Type: idIface, Sat: make([]bool, 99)}} },
		"a type map at word 0":          func(p *Program) { p.Funcs[1].Maps = []TypeMap{{PC: 0}} },
		"a parameter of f has type 999": func(p *Program) { p.Funcs[1].Params[0] = 999 },
		"the result of f has type 0":    func(p *Program) { p.Funcs[1].Result = 0 },
		"a constant has type 999":       func(p *Program) { p.Enums[0].Type = 999 },
		"a constant of Point is none":   func(p *Program) { p.Enums[0].Type = idPoint },
		"a constant of Enum is none":    func(p *Program) { p.Enums[0].Tag = 2 },
		"of its variants":               func(p *Program) { p.Enums[1].Values = []uint64{0} },
		"field s of a constant of Enum": func(p *Program) { p.Enums[0].Values[1] = 1 },
		"global g has type 999":         func(p *Program) { p.Globals[0].Type = 999 },
		"an interpolation has type 999": func(p *Program) { p.Interps = [][]InterpPart{{{Type: 999}}} },
	} {
		p := assemble(ret)
		require.NoError(t, Verify(p, signatures))
		change(p)
		assert.ErrorContains(t, Verify(p, signatures), message)
	}
}

// An enum that contains itself and a list cannot be a key, nor what contains it,
// in whatever order the types stand.
func TestVerifyFollowsKeysThroughCycles(t *testing.T) {
	p := assemble(ret)
	tuple := []Field{{Name: "0", Type: uint32(len(p.Types)) + 1, Rep: RepP}}
	a := []Field{{Name: "a", Type: uint32(len(p.Types)), Rep: RepP}}
	b := []Field{{Name: "b", Type: idInts, Rep: RepP}}
	p.Types = append(p.Types,
		Type{Kind: TTuple, Rep: RepP, Name: "(E)", Layout: Place(tuple), Fields: tuple},
		Type{Kind: TEnum, Rep: RepP, Name: "E", Variants: []Variant{{Name: "A", Layout: Place(a), Fields: a}, {Name: "B", Layout: Place(b), Fields: b}}})
	require.NoError(t, Verify(p, signatures))
	p.Types[idMap].Key = uint32(len(p.Types)) - 2
	assert.ErrorContains(t, Verify(p, signatures), "has keys of type (E)")
}

func TestSignatures(t *testing.T) {
	p := assemble(ret)
	v := &verifier{p: p}
	v.types()
	str, ints := uint32(IDStr), uint32(idInts)
	for sig, n := range map[Signature]NativeRef{
		"(str, int) str":            {Params: []uint32{str, IDInt}, Result: str},
		"(list<int>) opt<int>":      {Params: []uint32{ints}, Result: idIntO},
		"(list<T>, T) T":            {Params: []uint32{ints, IDInt}, Result: IDInt},
		"<T>(T) unit":               {TypeArgs: []uint32{ints}, Params: []uint32{ints}, Result: IDUnit},
		"(map<K:Hashable, V>) V":    {Params: []uint32{idMap}, Result: idPoint},
		"(tuple<str, T>) T":         {Params: []uint32{idPair}, Result: str},
		"(struct<str>) any":         {Params: []uint32{idErr}, Result: IDAny},
		"(fn<str, str>) fn<unit>":   {Params: []uint32{idFn}, Result: idThunk},
		"(T:Number, T:Number) unit": {Params: []uint32{IDInt, IDInt}, Result: IDUnit},
		"<T, map<str, T>>() unit":   {TypeArgs: []uint32{idPoint, idMap}, Result: IDUnit},
	} {
		assert.True(t, v.declared(&n, []Signature{"() never", sig}), sig)
		bad := n
		bad.Params = append([]uint32{idCell}, n.Params...)
		assert.False(t, v.declared(&bad, []Signature{sig}), sig)
		if bad = n; n.Result != IDBytes {
			bad.Result = IDBytes
			assert.False(t, v.declared(&bad, []Signature{sig}), sig)
		}
		if len(n.Params) > 0 {
			bad = n
			bad.Params = append([]uint32{}, n.Params...)
			bad.Params[0] = IDBytes
			assert.False(t, v.declared(&bad, []Signature{sig}), sig)
		}
	}
	for sig, n := range map[Signature]NativeRef{
		"(T, T) unit":      {Params: []uint32{str, ints}, Result: IDUnit},
		"(T:Number) unit":  {Params: []uint32{str}, Result: IDUnit},
		"(T:Strange) unit": {Params: []uint32{str}, Result: IDUnit},
		"() unit":          {TypeArgs: []uint32{str}, Result: IDUnit},
		"<T>() unit":       {Result: IDUnit},
		"() unit, ":        {Result: IDUnit},
		"":                 {Result: IDUnit},
	} {
		assert.False(t, v.declared(&n, []Signature{sig}), sig)
	}
}
