package vm

import (
	"errors"
	"slices"
	"sync"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Program is a compiled program linked to this process: natives resolved,
// constants made. It is immutable and shared by all instances.
type Program struct {
	*bytecode.Program
	natives  []Native
	blocking map[string]bool // the natives that may Await
	modules  Modules
	grows    bool // of a session: the stubs stand before the code

	tables
	stubs     stubs
	words     int // of the code with the stubs
	extension *extension

	constList []unsafe.Pointer
	bytesList []unsafe.Pointer
	enumList  []unsafe.Pointer
	descList  []unsafe.Pointer
	elems     []elemInfo // by type id, for lists, buffers and maps
	jumpList  [][]uint32
	selList   [][]uint64
	entries   []uint64         // entry word of each function
	closures  []unsafe.Pointer // functions as values, without captures
	variants  [][]unsafe.Pointer
	shared    *sharedSet
	pointers  *pointerMaps
	promises  *promiseHolders
	leading   *leadsOnce
	checked   checkedProgram
	machine   *Machine   // nil without machine code
	kinds     []fileKind // of the files, where a module is whole
	shows     []bool     // by type id: what shows itself; nil where no type does
	texts     []OwnText  // by type id, nil where no type has one
}

// tables are the bases of what the interpreter reads by byte offset.
type tables struct {
	code       unsafe.Pointer // Code with its pairs joined
	consts     unsafe.Pointer // *Str of Strings
	byteConsts unsafe.Pointer // *Str of Bytes
	enums      unsafe.Pointer // objects of Enums
	descs      unsafe.Pointer // scalar descriptor of each type
	elements   unsafe.Pointer // elemInfo of each type, 16 bytes
	jumps      unsafe.Pointer // [][]uint32: byte offsets
	selectors  unsafe.Pointer // [][]uint64: entry word by type id
}

// Link prepares a program for running with the given modules. It fails if a
// native function is in none of them.
func Link(bp *bytecode.Program, modules Modules) (*Program, error) {
	return link(&Program{modules: modules, promises: &promiseHolders{}}, bp)
}

// LinkSession is Link for the first program of a session; the result can be extended.
func LinkSession(bp *bytecode.Program, modules Modules) (*Program, error) {
	for i := range bp.Funcs {
		if bp.Funcs[i].Start < bytecode.StubWords {
			return nil, errors.New("the program has no room for the stubs of a session")
		}
	}
	return link(&Program{modules: modules, promises: &promiseHolders{}, grows: true}, bp)
}

// Extend links a program that continues p: each of its tables begins with p's.
// Constants and the like of p stay the same objects, so that values of an
// instance of p are values of the extended program, and its tasks can continue
// in it: see Instance.Extend.
func (p *Program) Extend(bp *bytecode.Program) (*Program, error) {
	if !p.grows || !extends(bp, p.Program) {
		return nil, errors.New("the program does not extend the one that runs")
	}
	return link(p, bp)
}

// extends reports whether the tables of a program begin with those of another one.
func extends(bp, old *bytecode.Program) bool {
	return len(bp.Code) >= len(old.Code) && slices.Equal(bp.Code[:len(old.Code)], old.Code) &&
		len(bp.Types) >= len(old.Types) && len(bp.Funcs) >= len(old.Funcs) && len(bp.Globals) >= len(old.Globals) &&
		len(bp.Strings) >= len(old.Strings) && slices.Equal(bp.Strings[:len(old.Strings)], old.Strings) &&
		len(bp.Bytes) >= len(old.Bytes) && slices.Equal(bp.Bytes[:len(old.Bytes)], old.Bytes) &&
		len(bp.Enums) >= len(old.Enums) && len(bp.Natives) >= len(old.Natives) && len(bp.Jumps) >= len(old.Jumps) && len(bp.Selectors) >= len(old.Selectors)
}

// link prepares what old has not, which may be empty.
func link(old *Program, bp *bytecode.Program) (*Program, error) {
	p := &Program{
		Program: bp, blocking: map[string]bool{}, modules: old.modules,
		extension: &extension{}, shared: &sharedSet{}, pointers: &pointerMaps{}, promises: old.promises.forTypes(), leading: &leadsOnce{},
		grows: old.grows,
	}
	p.kinds = fileKinds(bp, p.modules)
	p.linkTypes(old)
	p.linkTexts()
	for i := range bp.Natives { // also those of old: some are made for the types of their program
		fn, err := p.modules.link(p, &bp.Natives[i])
		if err != nil {
			return nil, err
		}
		p.natives = append(p.natives, fn)
	}
	code := p.linkStubs(joinPairs(bp))
	p.code, p.words = base(code), len(code)
	p.constList = extended(old.constList, bp.Strings, func(s string) unsafe.Pointer { return unsafe.Pointer(newStrOf(bytecode.IDStr, s)) })
	p.bytesList = extended(old.bytesList, bp.Bytes, func(s string) unsafe.Pointer { return unsafe.Pointer(newStrOf(bytecode.IDBytes, s)) })
	p.enumList = slices.Clone(old.enumList)
	for i := range bp.Enums[len(old.enumList):] {
		p.enumList = append(p.enumList, p.enumConst(&bp.Enums[len(old.enumList)+i]))
	}
	p.linkFuncs(old)
	p.linkShows()
	for _, tab := range bp.Jumps {
		scaled := make([]uint32, len(tab))
		for i, w := range tab {
			scaled[i] = w * 8
		}
		p.jumpList = append(p.jumpList, scaled)
	}
	p.consts = base(p.constList)
	p.byteConsts = base(p.bytesList)
	p.enums = base(p.enumList)
	p.descs, p.elements = base(p.descList), base(p.elems)
	p.jumps = base(p.jumpList)
	p.selectors = base(p.selList)
	p.watch()
	return p, nil
}

// enumConst makes the object of a constant.
func (p *Program) enumConst(e *bytecode.EnumConst) unsafe.Pointer {
	v := &p.Types[e.Type].Variants[e.Tag]
	if len(v.Fields) == 0 {
		return p.variants[e.Type][e.Tag]
	}
	obj := newObject(e.Type, v.Layout)
	(*Header)(obj).Aux = uint32(e.Tag)
	for i := range v.Fields {
		f := &v.Fields[i]
		if f.Rep == bytecode.RepP {
			storeField(obj, f, Value{p: p.constList[e.Values[i]]})
		} else {
			storeField(obj, f, Value{n: e.Values[i]})
		}
	}
	return obj
}

// extended is a table with the objects of what is new in its source.
func extended(old []unsafe.Pointer, source []string, make func(string) unsafe.Pointer) []unsafe.Pointer {
	list := slices.Clone(old)
	for _, s := range source[len(old):] {
		list = append(list, make(s))
	}
	return list
}

// extension is what package bind keeps with a program.
type extension struct {
	once  sync.Once
	value any
}

// Extends reports whether the program can be extended, as that of a session.
func (p *Program) Extends() bool { return p.grows }

// Modules returns the modules the program was linked with.
func (p *Program) Modules() Modules { return p.modules }

// Extension returns what make has made at the first call.
func (p *Program) Extension(make func() any) any {
	p.extension.once.Do(func() { p.extension.value = make() })
	return p.extension.value
}

// joinPairs copies the code and lets one dispatch run two adjacent instructions
// where there is an opcode for the pair. The second keeps its place, so every
// position stays valid; blocks are not crossed, so that a loop's body is paired
// from its start.
func joinPairs(bp *bytecode.Program) []uint64 {
	code := slices.Clone(bp.Code)
	starts := make([]bool, len(code)+1)
	for i := range bp.Funcs {
		for _, m := range bp.Funcs[i].Maps {
			if int(m.PC) < len(starts) {
				starts[m.PC] = true
			}
		}
	}
	for i := 0; i < len(code); {
		first := bytecode.OpOf(code[i])
		next := i + 1
		if bytecode.Ops[first].Word {
			next++
		}
		if next < len(code) && !starts[next] {
			if op := pairOf(first, bytecode.OpOf(code[next])); op != 0 {
				code[i] = code[i]&^0xff | uint64(op)
				i = next
				if bytecode.Ops[bytecode.OpOf(code[next])].Word {
					next++
				}
				next++
			}
		}
		i = next
	}
	return code
}

// unpaired is the program with its code as it was compiled.
func (p *Program) unpaired() *Program {
	q := *p
	q.machine = nil
	q.code = base(q.linkStubs(slices.Clone(p.Code)))
	return &q
}

func base[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func (p *Program) linkTypes(old *Program) {
	known := len(old.descList)
	headers := make([]Header, len(p.Types)-known)
	p.descList = append(slices.Clone(old.descList), make([]unsafe.Pointer, len(p.Types)-known)...)
	p.variants = append(slices.Clone(old.variants), make([][]unsafe.Pointer, len(p.Types)-known)...)
	for i := known; i < len(p.Types); i++ {
		if i < bytecode.NumFixedTypes {
			p.descList[i] = desc(i)
		} else {
			h := &headers[i-known]
			*h = Header{Type: uint32(i), Aux: 1}
			p.descList[i] = unsafe.Pointer(h)
		}
		t := &p.Types[i]
		if t.Kind == bytecode.TEnum && !t.Plain() {
			p.variants[i] = make([]unsafe.Pointer, len(t.Variants))
			for tag := range t.Variants {
				if len(t.Variants[tag].Fields) == 0 {
					p.variants[i][tag] = unsafe.Pointer(&Header{Type: uint32(i), Aux: uint32(tag)})
				}
			}
		}
	}
	p.elems = slices.Grow(slices.Clone(old.elems), len(p.Types)-known)
	for i := known; i < len(p.Types); i++ {
		p.elems = append(p.elems, elemInfoOf(p, i))
	}
}

// linkFuncs computes the entry words: frame size in bytes above the code offset
// in bytes.
func (p *Program) linkFuncs(old *Program) {
	p.entries = make([]uint64, len(p.Funcs))
	p.closures = make([]unsafe.Pointer, len(p.Funcs))
	copy(p.closures, old.closures)
	for i := range p.Funcs {
		f := &p.Funcs[i]
		p.entries[i] = uint64(f.Frame)*16<<32 | uint64(f.Start)*8
		if len(f.Captures) == 0 && f.Type != 0 && p.closures[i] == nil {
			p.closures[i] = newClosure(f, uint32(i), p.entries[i])
		}
	}
	for _, s := range p.Selectors {
		tab := make([]uint64, len(s.Table))
		for id, fn := range s.Table {
			if fn != 0 {
				tab[id] = p.entries[fn-1]
			}
		}
		p.selList = append(p.selList, tab)
	}
}

// newClosure makes a closure object: header, entry word, captured scalars,
// captured references.
func newClosure(f *bytecode.Func, index uint32, entry uint64) unsafe.Pointer {
	c := newObject(f.Type, f.Closure)
	(*Header)(c).Aux = index
	*(*uint64)(unsafe.Add(c, 8)) = entry
	return c
}

// FuncAt returns the function that contains a code word.
func (p *Program) FuncAt(word uint32) *bytecode.Func {
	lo, hi := 0, len(p.Funcs)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.Funcs[mid].End <= word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(p.Funcs) && p.Funcs[lo].Start <= word {
		return &p.Funcs[lo]
	}
	return nil
}

// some makes the value of an optional type that holds v.
func (p *Program) some(optional uint32, v Value) Value {
	t := &p.Types[optional]
	elem := &p.Types[t.Elem]
	switch {
	case elem.Kind == bytecode.TOptional:
		return Value{p: p.box(optional, v)}
	case elem.Rep == bytecode.RepI:
		return Value{p.descList[t.Elem], v.n}
	}
	return v
}

// box makes the object of an optional inside an optional.
func (p *Program) box(optional uint32, v Value) unsafe.Pointer {
	t := &p.Types[optional]
	b := newObject(optional, t.Layout)
	storeField(b, &t.Fields[0], v)
	return b
}

// storeField and loadField move a value to and from a field of an object.
func storeField(obj unsafe.Pointer, f *bytecode.Field, v Value) {
	if f.Rep != bytecode.RepP {
		*(*uint64)(unsafe.Add(obj, f.Off)) = v.n
	}
	if f.Rep != bytecode.RepI {
		*(*unsafe.Pointer)(unsafe.Add(obj, f.POff)) = v.p
	}
}

func loadField(obj unsafe.Pointer, f *bytecode.Field) (v Value) {
	if f.Rep != bytecode.RepP {
		v.n = *(*uint64)(unsafe.Add(obj, f.Off))
	}
	if f.Rep != bytecode.RepI {
		v.p = *(*unsafe.Pointer)(unsafe.Add(obj, f.POff))
	}
	return v
}
