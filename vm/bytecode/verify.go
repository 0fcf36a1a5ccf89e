package bytecode

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"
)

// Verify checks that running a program cannot harm the process, whatever made
// the program: .rnlc files run only verified. It is one pass over the tables
// and one over the code, against the type maps that the compiler writes where
// ways through the code meet.
//
// What must hold follows from how the interpreter treats values. The number
// word of a register is never an address, a length or a type, so any number is
// harmless. The pointer word is nil or an object that begins with a header, in
// every register at all times; an instruction that looks into an object needs
// to know its type. So the verifier tracks one thing: the type of the object
// that each register's pointer word has if it is not nil (see state in
// verify_code.go). Optional references and their element types are one type
// here, since an access through nil is caught at run time.
//
// natives gives the declared signatures of a native function: what it does with
// an argument of a wrong type nobody could check. With nil they are trusted.
func Verify(p *Program, natives func(name string) []Signature) error {
	return VerifyGrown(p, &Program{}, natives)
}

// VerifyGrown is Verify for a program that continues where a verified one ends: each
// of its tables begins with that one's. What has been checked there is not again.
func VerifyGrown(p, old *Program, natives func(name string) []Signature) error {
	v := &verifier{p: p, usedTables: make([]bool, len(p.Jumps))}
	return v.verify(old, natives)
}

func (v *verifier) verify(old *Program, natives func(name string) []Signature) (err error) {
	defer func() {
		if e := recover(); e != nil {
			bad, ok := e.(problem)
			if !ok {
				panic(e)
			}
			err = bad
		}
	}()
	v.types()
	v.tables()
	v.functions()
	v.natives(natives, len(old.Natives))
	for i := len(old.Funcs); i < len(v.p.Funcs); i++ {
		v.code(i)
	}
	return nil
}

// problem is why a program is refused. It travels as a panic within Verify.
type problem struct{ text string }

func (p problem) Error() string { return "the compiled program is not valid: " + p.text }

func fail(format string, args ...any) { panic(problem{fmt.Sprintf(format, args...)}) }

type verifier struct {
	p *Program
	// object gives for each type id what is known of its values' pointer words:
	// the type id of the object they point to, or anyObject.
	object     []uint32
	keys       []bool // for each type id, whether its values can be keys
	usedTables []bool
	states     *States // what is known is told here, or nil
}

// What is known of a pointer word, besides type ids.
const (
	anyObject uint32 = 0         // an object of any type, or nil
	onlyNil   uint32 = 1<<32 - 1 // certainly nil, which every type admits
)

// fits reports whether a pointer word of which have is known may be used where
// want is needed.
func fits(have, want uint32) bool { return want == anyObject || have == want || have == onlyNil }

func (v *verifier) id(what string, id uint32) *Type {
	if id >= uint32(len(v.p.Types)) || id == IDInvalid {
		fail("%s has type %d, which there is not", what, id)
	}
	return &v.p.Types[id]
}

// ---- types ----

// maxTypes is what a header and a 16-bit operand can name.
const maxTypes = 1 << 16

func (v *verifier) types() {
	ts := v.p.Types
	if len(ts) < NumFixedTypes || len(ts) > maxTypes {
		fail("it has %d types", len(ts))
	}
	for id, want := range FixedTypes() {
		if !reflect.DeepEqual(ts[id], want) {
			fail("type %d is not %s", id, want.Name)
		}
	}
	for id := NumFixedTypes; id < len(ts); id++ {
		v.typ(uint32(id), &ts[id])
	}
	v.grounded()
	v.findKeys()
	v.object = make([]uint32, len(ts))
	for id := range ts {
		t := &ts[id]
		if (t.Kind == TMap || t.Kind == TSet) && !v.keys[t.Key] {
			fail("type %s has keys of type %s", t.Name, ts[t.Key].Name)
		}
		switch {
		case t.Rep != RepP:
			v.object[id] = anyObject
		case t.Kind == TOptional && ts[t.Elem].Kind != TOptional:
			v.object[id] = t.Elem
		default:
			v.object[id] = uint32(id)
		}
	}
}

func (v *verifier) typ(id uint32, t *Type) {
	rep := RepP
	switch t.Kind {
	case TInterface:
		rep = RepV
	case TList, TTask, TChan, TMutex:
		v.id(t.Name, t.Elem)
	case TMap:
		v.id(t.Name, t.Elem)
		v.id(t.Name, t.Key)
	case TSet:
		v.id(t.Name, t.Key)
	case TOptional:
		elem := v.id(t.Name, t.Elem)
		switch {
		case elem.Kind == TOptional:
			if len(t.Fields) != 1 || t.Fields[0].Type != t.Elem {
				fail("type %s does not hold its element", t.Name)
			}
			v.layout(t.Name, t.Fields, t.Layout, 0)
		case elem.Rep != RepP:
			rep = RepV
		}
	case TStruct, TTuple, TFrame:
		v.layout(t.Name, t.Fields, t.Layout, 0)
	case TCell, TBox:
		if len(t.Fields) != 1 {
			fail("type %s has %d fields", t.Name, len(t.Fields))
		}
		v.layout(t.Name, t.Fields, t.Layout, 0)
	case TEnum:
		rep = RepI
		for i := range t.Variants {
			va := &t.Variants[i]
			v.layout(t.Name+"."+va.Name, va.Fields, va.Layout, 0)
			if len(va.Fields) > 0 {
				rep = RepP
			}
		}
	case TFunc:
		for _, p := range t.Params {
			v.id(t.Name, p)
		}
		v.id(t.Name, t.Result)
	case TNative:
		for _, p := range t.Params {
			v.id(t.Name, p)
		}
	default:
		fail("type %d is of kind %d", id, t.Kind)
	}
	if t.Rep != rep {
		fail("values of type %s are of representation %d", t.Name, t.Rep)
	}
}

// grounded refuses types that consist of themselves. Only structs, enums and
// interfaces have names of their own, so that others can be made of them without
// end; natives that follow the parts of a type come to one of those and look at
// the values.
func (v *verifier) grounded() {
	const (
		fresh = iota
		open
		done
	)
	state, depth := make([]uint8, len(v.p.Types)), 0
	var walk func(id uint32)
	walk = func(id uint32) {
		t := &v.p.Types[id]
		if t.Kind == TStruct || t.Kind == TEnum || state[id] == done {
			return
		}
		if state[id] == open {
			fail("type %s consists of itself", t.Name)
		}
		if depth++; depth > maxDepth {
			fail("type %s is nested too deep", t.Name)
		}
		state[id] = open
		v.parts(t, walk)
		state[id] = done
		depth--
	}
	for id := range v.p.Types {
		walk(uint32(id))
	}
}

// maxDepth is how deep types are nested that have no names.
const maxDepth = 1 << 12

// parts visits the types that a type is made of.
func (v *verifier) parts(t *Type, visit func(id uint32)) {
	for _, id := range []uint32{t.Elem, t.Key, t.Result} {
		if id != IDInvalid {
			v.id(t.Name, id)
			visit(id)
		}
	}
	for _, id := range t.Params {
		visit(id)
	}
	for i := range t.Fields {
		visit(t.Fields[i].Type)
	}
}

// findKeys finds the types whose values can be keys: scalars, texts, and
// tuples and enums all whose parts are so. What has a part that is not spoils
// what it is a part of.
func (v *verifier) findKeys() {
	ts := v.p.Types
	v.keys = make([]bool, len(ts))
	users := make([][]uint32, len(ts))
	var spoilt []uint32
	for id := range ts {
		v.keys[id] = true
		switch t := &ts[id]; t.Kind {
		case TInt, TFloat, TBool, TDuration, TStr, TBytes:
		case TFunc, TTask, TChan, TMutex:
		case TTuple, TStruct:
			note(users, uint32(id), t.Fields)
		case TEnum:
			for i := range t.Variants {
				note(users, uint32(id), t.Variants[i].Fields)
			}
		default:
			v.keys[id] = false
			spoilt = append(spoilt, uint32(id))
		}
	}
	for len(spoilt) > 0 {
		id := spoilt[len(spoilt)-1]
		spoilt = spoilt[:len(spoilt)-1]
		for _, user := range users[id] {
			if v.keys[user] {
				v.keys[user] = false
				spoilt = append(spoilt, user)
			}
		}
	}
}

// note enters a type as a user of the types of its fields.
func note(users [][]uint32, id uint32, fields []Field) {
	for i := range fields {
		users[fields[i].Type] = append(users[fields[i].Type], id)
	}
}

// layout checks fields and that they lie where Place puts them, behind
// hidden scalar words.
func (v *verifier) layout(what string, fields []Field, l Layout, hidden int) {
	if len(fields) > MaxFieldOff/8 {
		fail("%s has %d fields", what, len(fields))
	}
	placed := make([]Field, hidden, hidden+len(fields))
	placed = append(placed, fields...)
	for i := range fields {
		if t := v.id(what, fields[i].Type); fields[i].Rep != t.Rep {
			fail("field %d of %s is of representation %d", i, what, fields[i].Rep)
		}
	}
	if Place(placed) != l || l.Size() > MaxFieldOff {
		fail("the layout of %s is not that of its fields", what)
	}
	for i := range fields {
		if fields[i] != placed[hidden+i] {
			fail("field %d of %s does not lie where it belongs", i, what)
		}
	}
}

// ---- other tables ----

func (v *verifier) enumConst(e *EnumConst) {
	t := v.id("a constant", e.Type)
	if t.Kind != TEnum || t.Plain() || int(e.Tag) >= len(t.Variants) || len(e.Values) != len(t.Variants[e.Tag].Fields) {
		fail("a constant of %s is none of its variants", t.Name)
	}
	for i, f := range t.Variants[e.Tag].Fields {
		if f.Rep != RepI && (f.Type != IDStr || e.Values[i] >= uint64(len(v.p.Strings))) {
			fail("field %s of a constant of %s is no constant", f.Name, t.Name)
		}
	}
}

func (v *verifier) tables() {
	p := v.p
	for _, s := range p.Strings {
		v.text(s)
	}
	for i := range p.Enums {
		v.enumConst(&p.Enums[i])
	}
	for i := range p.Globals {
		v.id("global "+p.Globals[i].Name, p.Globals[i].Type)
	}
	for _, e := range p.Exports {
		n := len(p.Funcs)
		if e.Global {
			n = len(p.Globals)
		}
		if e.Index < 0 || e.Index >= n || !e.Global && len(p.Funcs[e.Index].Captures) > 0 {
			fail("it has nothing to export as %s", e.Name)
		}
	}
	for i := range p.Ifaces {
		if v.id("an interface", p.Ifaces[i].Type); len(p.Ifaces[i].Sat) > len(p.Types) {
			fail("interface %d is satisfied by more types than there are", i)
		}
	}
	for _, parts := range p.Interps {
		for i := range parts {
			v.text(parts[i].Text)
			if parts[i].Type != 0 {
				v.id("an interpolation", parts[i].Type)
			}
		}
	}
	if len(p.ErrTypes) != len(ErrNames) {
		fail("it has %d types of errors", len(p.ErrTypes))
	}
	for _, id := range p.ErrTypes {
		t := v.id("an error", id)
		if t.Kind != TStruct || len(t.Fields) == 0 || t.Fields[0].Type != IDStr {
			fail("%s is no type of errors", t.Name)
		}
		for _, f := range t.Fields[1:] { // the kind of an IoError
			if f.Rep != RepI {
				fail("%s is no type of errors", t.Name)
			}
		}
	}
	for i, tab := range p.Jumps {
		if len(tab) == 0 {
			fail("jump table %d is empty", i)
		}
	}
	if p.MessageSel < -1 || p.MessageSel >= len(p.Selectors) {
		fail("it has no selector %d", p.MessageSel)
	}
	if p.MessageSel >= 0 {
		if s := &p.Selectors[p.MessageSel]; len(s.Params) > 0 || s.Result != IDStr {
			fail("the message of an error is not a text")
		}
	}
}

func (v *verifier) text(s string) {
	if !utf8.ValidString(s) {
		fail("a text is not UTF-8")
	}
}

// maxCode keeps byte offsets of code within 32 bits.
const maxCode = 1 << 28

// maxFrame is how many registers an operand can name.
const maxFrame = 1 << 12

func (v *verifier) functions() {
	p := v.p
	if n := len(p.Code); n == 0 || n > maxCode || OpOf(p.Code[n-1]) != TRAP {
		fail("its code does not end in a trap")
	}
	at := uint32(0)
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if v.gap(at, f.Start); f.End <= f.Start || f.End >= uint32(len(p.Code)) {
			fail("function %s takes words %d to %d", f.Name, f.Start, f.End)
		}
		at = f.End
		if int(f.Frame) < max(1, len(f.Params)) || f.Frame > maxFrame {
			fail("function %s has %d registers", f.Name, f.Frame)
		}
		for _, t := range f.Params {
			v.id("a parameter of "+f.Name, t)
		}
		v.id("the result of "+f.Name, f.Result)
		if int(f.File) >= len(p.Files) {
			fail("function %s is of file %d", f.Name, f.File)
		}
		v.layout("the closure "+f.Name, f.Captures, f.Closure, 1)
		if f.Type != 0 {
			t := v.id("function "+f.Name, f.Type)
			if t.Kind != TFunc || !v.same(t.Params, f.Params) || v.object[t.Result] != v.object[f.Result] {
				fail("function %s is not of type %s", f.Name, t.Name)
			}
		}
	}
	v.gap(at, uint32(len(p.Code)))
	v.root("the entry", p.Entry)
	for i := range p.Tests {
		v.root("a test", p.Tests[i].Func)
	}
	for i := range p.Benches {
		v.bench(p.Benches[i].Func)
	}
	for i := range p.Selectors {
		v.selector(&p.Selectors[i])
	}
}

// gap checks that words which belong to no function are traps: a program that
// grows has some between what has been added.
func (v *verifier) gap(from, to uint32) {
	if to < from || to > uint32(len(v.p.Code)) {
		fail("a function begins at word %d", to)
	}
	for ; from < to; from++ {
		if OpOf(v.p.Code[from]) != TRAP {
			fail("word %d belongs to no function", from)
		}
	}
}

// same reports whether two lists of types agree in what their pointer words are.
func (v *verifier) same(a, b []uint32) bool {
	return slices.EqualFunc(a, b, func(x, y uint32) bool { return v.object[x] == v.object[y] })
}

// root checks a function that the host calls.
func (v *verifier) root(what string, index int) {
	if index < 0 || index >= len(v.p.Funcs) {
		fail("%s is function %d, which there is not", what, index)
	}
	if f := &v.p.Funcs[index]; len(f.Params)+len(f.Captures) > 0 {
		fail("%s, function %s, takes parameters", what, f.Name)
	}
}

// bench checks that a benchmark takes a number.
func (v *verifier) bench(index int) {
	if index < 0 || index >= len(v.p.Funcs) {
		fail("a benchmark is function %d, which there is not", index)
	}
	if f := &v.p.Funcs[index]; !slices.Equal(f.Params, []uint32{IDInt}) || len(f.Captures) > 0 {
		fail("a benchmark, function %s, does not take a number", f.Name)
	}
}

// selector checks that the functions of an interface's method take what the
// calls pass. The receiver is an object of the type under whose id the function
// stands, or an interface value.
func (v *verifier) selector(s *Selector) {
	for _, t := range s.Params {
		v.id("a parameter of "+s.Name, t)
	}
	v.id("the result of "+s.Name, s.Result)
	v.id("the method "+s.Name, s.Iface)
	if len(s.Table) > len(v.p.Types) {
		fail("the table of method %s is too long", s.Name)
	}
	for id, fn := range s.Table {
		if fn == 0 {
			continue
		}
		if fn > uint32(len(v.p.Funcs)) {
			fail("method %s is function %d, which there is not", s.Name, fn-1)
		}
		f := &v.p.Funcs[fn-1]
		switch {
		case len(f.Captures) > 0, len(f.Params) == 0, !v.same(s.Params, f.Params[1:]), v.object[s.Result] != v.object[f.Result]:
			fail("function %s does not serve as method %s", f.Name, s.Name)
		case v.object[f.Params[0]] != anyObject && v.object[f.Params[0]] != uint32(id):
			fail("method %s of type %d takes another type", s.Name, id)
		}
	}
}
