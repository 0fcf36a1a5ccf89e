package mutate

import (
	"maps"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// nativeTypes changes one of the types of a use of a native.
func (m *mutant) nativeTypes() bool {
	n := one(m, m.p.Natives)
	if n == nil {
		return false
	}
	switch m.IntN(3) {
	case 0:
		if id := one(m, n.Params); id != nil {
			*id = m.typeID(*id)
		}
	case 1:
		if id := one(m, n.TypeArgs); id != nil {
			*id = m.typeID(*id)
		}
	default:
		n.Result = m.typeID(n.Result)
	}
	return true
}

// nativeSwap has another native called where one is, with the same parameters and
// mostly the same result.
func (m *mutant) nativeSwap() bool {
	n := one(m, m.p.Natives)
	if n == nil {
		return false
	}
	strict := m.IntN(4) > 0
	for range 400 {
		to := one(m, m.sigs)
		if to == nil || to.Name == n.Name {
			continue
		}
		ref, ok := m.use(to, n.Params)
		if ok && (!strict || ref.Result == n.Result) {
			*n = ref
			return true
		}
	}
	return false
}

// nativeCall has a native called in the place of some instructions, with arguments
// whose types are known there: those of a function, or what a type map names.
func (m *mutant) nativeCall() bool {
	for range 20 {
		f := one(m, m.p.Funcs)
		at, types := f.Start, f.Params
		first := 0
		if t := one(m, f.Maps); t != nil && m.IntN(2) == 0 {
			at = t.PC
			first, types = m.run(t.Regs)
		}
		if len(types) > 0 && m.IntN(2) == 0 {
			types = types[:1+m.IntN(len(types))]
		}
		if at+2 > f.End {
			continue
		}
		for range 200 {
			ref, ok := m.use(one(m, m.sigs), types)
			if !ok {
				continue
			}
			m.p.Natives = append(m.p.Natives, ref)
			m.call(f, at, first, uint16(len(m.p.Natives)-1))
			return true
		}
	}
	return false
}

// run chooses registers that follow each other and gives their types.
func (m *mutant) run(regs []bytecode.RegType) (first int, types []uint32) {
	if len(regs) == 0 {
		return 0, nil
	}
	i := m.IntN(len(regs))
	first = int(regs[i].Reg)
	for ; i < len(regs) && int(regs[i].Reg) == first+len(types); i++ {
		types = append(types, regs[i].Type)
	}
	return first, types
}

// call writes the call over the instructions at a word. The next one ends the way
// there in half of the cases, so that nothing misses what it has overwritten.
func (m *mutant) call(f *bytecode.Func, at uint32, first int, native uint16) {
	length := m.length(at)
	m.p.Code[at] = bytecode.Instr(bytecode.CALLN, 0, uint16(first*16), native, 0)
	if length == 2 || m.IntN(2) == 0 {
		end := bytecode.Instr(bytecode.TRAP, 0, 0, 0, 0)
		if f.Result == bytecode.IDUnit {
			end = bytecode.Instr(bytecode.RET, 0, 0, 0, 0)
		}
		if length == 1 {
			for i := range m.length(at + 1) {
				m.p.Code[at+1+i] = nothing
			}
		}
		m.p.Code[at+1] = end
	}
}

// use binds the type parameters of a native so that it takes parameters of some
// types.
func (m *mutant) use(n *Native, params []uint32) (ref bytecode.NativeRef, ok bool) {
	u := unifier{m: m, bound: map[string]uint32{}}
	u.text = string(n.Sig)
	front := ""
	if strings.HasPrefix(u.text, "<") {
		i := strings.Index(u.text, ">(")
		front, u.text = u.text[1:i], u.text[i+1:]
	}
	if !u.eat("(") || !u.list(params, ")") || !u.eat(" ") {
		return ref, false
	}
	ref = bytecode.NativeRef{Name: n.Name, Params: slices.Clone(params)}
	result := u.text
	for front != "" {
		u.text = front
		id, ok := u.find()
		if !ok {
			return ref, false
		}
		ref.TypeArgs = append(ref.TypeArgs, id)
		front = strings.TrimPrefix(u.text, ", ")
	}
	u.text = result
	ref.Result, ok = u.find()
	return ref, ok
}

// unifier reads a signature's text and binds its type parameters.
type unifier struct {
	m     *mutant
	text  string
	bound map[string]uint32
}

func (u *unifier) eat(s string) bool {
	rest, ok := strings.CutPrefix(u.text, s)
	if ok {
		u.text = rest
	}
	return ok
}

func (u *unifier) word() string {
	n := strings.IndexAny(u.text, "<>(), :")
	if n < 0 {
		n = len(u.text)
	}
	w := u.text[:n]
	u.text = u.text[n:]
	return w
}

func (u *unifier) list(ids []uint32, end string) bool {
	for i, id := range ids {
		if i > 0 && !u.eat(", ") || !u.match(id) {
			return false
		}
	}
	return u.eat(end)
}

// match reads a type that is to be that of an id.
func (u *unifier) match(id uint32) bool {
	if int(id) >= len(u.m.p.Types) {
		return false
	}
	name := u.word()
	if name != "" && 'A' <= name[0] && name[0] <= 'Z' && !strings.Contains(name, ".") {
		if u.eat(":") {
			u.word()
		}
		known, ok := u.bound[name]
		u.bound[name] = id
		return !ok || known == id
	}
	c, parts := constructor(u.m.p, id)
	if c != name {
		return false
	}
	return len(parts) == 0 || u.eat("<") && u.list(parts, ">")
}

// find reads a type and looks for one that is so.
func (u *unifier) find() (uint32, bool) {
	start := u.text
	name := u.word()
	if name != "" && 'A' <= name[0] && name[0] <= 'Z' && !strings.Contains(name, ".") {
		if u.eat(":") {
			u.word()
		}
		id, ok := u.bound[name]
		if !ok {
			id = u.m.typeID(0)
			u.bound[name] = id
		}
		return id, true
	}
	offset := u.m.IntN(len(u.m.p.Types))
	for i := range u.m.p.Types {
		id := uint32((i + offset) % len(u.m.p.Types))
		if c, _ := constructor(u.m.p, id); c != name {
			continue
		}
		bound := maps.Clone(u.bound)
		if u.text = start; u.match(id) {
			return id, true
		}
		u.bound = bound
	}
	return 0, false
}

var fixed = map[uint32]string{
	bytecode.IDInt: "int", bytecode.IDFloat: "float", bytecode.IDBool: "bool", bytecode.IDDuration: "duration", bytecode.IDUnit: "unit",
	bytecode.IDStr: "str", bytecode.IDBytes: "bytes", bytecode.IDBuffer: "buffer", bytecode.IDAny: "any",
}

// constructor tells how a type is written in a signature.
func constructor(p *bytecode.Program, id uint32) (name string, parts []uint32) {
	if name := fixed[id]; name != "" {
		return name, nil
	}
	t := &p.Types[id]
	switch t.Kind {
	case bytecode.TList:
		return "list", []uint32{t.Elem}
	case bytecode.TOptional:
		return "opt", []uint32{t.Elem}
	case bytecode.TTask:
		return "task", []uint32{t.Elem}
	case bytecode.TChan:
		return "chan", []uint32{t.Elem}
	case bytecode.TMutex:
		return "mutex", []uint32{t.Elem}
	case bytecode.TMap:
		return "map", []uint32{t.Key, t.Elem}
	case bytecode.TSet:
		return "set", []uint32{t.Key}
	case bytecode.TFunc:
		return "fn", append([]uint32{t.Result}, t.Params...)
	case bytecode.TNative:
		return t.Decl, t.Params
	case bytecode.TStruct, bytecode.TTuple:
		for i := range t.Fields {
			parts = append(parts, t.Fields[i].Type)
		}
		if t.Kind == bytecode.TTuple {
			return "tuple", parts
		}
		return "struct", parts
	}
	return "", nil
}
