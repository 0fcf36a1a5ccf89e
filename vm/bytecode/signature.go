package bytecode

import "strings"

// Signature says in text what types a native function takes and gives:
//
//	(list<int>, str) opt<int>            a function of [int] and str that gives int?
//	<K>(map<K:Hashable, V>, K) list<V>   one that is told type K besides
//
// Types are written as constructor<arguments>: list, set, opt, task, chan, mutex
// of one, map of two, tuple and struct of their fields, fn of its result and its
// parameters. A native struct is written with its module: fs.File, actor.Reply<R>.
// A name in upper case stands for any type, the same wherever it recurs, within a
// bound. In front, in <>, stand the type arguments that the native sees
// (NativeRef.TypeArgs).
type Signature string

// natives checks that each native function is used with types that it is
// declared for, those from a number on. With declared nil that is not checked.
func (v *verifier) natives(declared func(name string) []Signature, from int) {
	for i := from; i < len(v.p.Natives); i++ {
		n := &v.p.Natives[i]
		for _, ids := range [][]uint32{n.TypeArgs, n.Params, {n.Result}} {
			for _, id := range ids {
				v.id("native "+n.Name, id)
			}
		}
		if declared != nil && !v.declared(n, declared(n.Name)) {
			fail("there is no native function %s of these types", n.Name)
		}
	}
}

func (v *verifier) declared(n *NativeRef, sigs []Signature) bool {
	for _, s := range sigs {
		m := matcher{v: v, text: string(s), bound: map[string]uint32{}}
		if m.signature(n) {
			return true
		}
	}
	return false
}

// matcher compares types with a signature while it reads it.
type matcher struct {
	v     *verifier
	text  string // what is not yet read
	bound map[string]uint32
}

func (m *matcher) signature(n *NativeRef) bool {
	if m.eat("<") {
		if !m.list(n.TypeArgs, ">") {
			return false
		}
	} else if len(n.TypeArgs) > 0 {
		return false
	}
	return m.eat("(") && m.list(n.Params, ")") && m.eat(" ") && m.typ(n.Result) && m.text == ""
}

func (m *matcher) eat(s string) bool {
	rest, ok := strings.CutPrefix(m.text, s)
	if ok {
		m.text = rest
	}
	return ok
}

// list compares types with what stands up to an end, separated by commas.
func (m *matcher) list(ids []uint32, end string) bool {
	for i, id := range ids {
		if i > 0 && !m.eat(", ") || !m.typ(id) {
			return false
		}
	}
	return m.eat(end)
}

func (m *matcher) word() string {
	n := 0
	for n < len(m.text) && strings.IndexByte("<>(), :", m.text[n]) < 0 {
		n++
	}
	w := m.text[:n]
	m.text = m.text[n:]
	return w
}

var fixedNames = map[string]uint32{
	"int": IDInt, "float": IDFloat, "bool": IDBool, "duration": IDDuration, "unit": IDUnit, "never": IDUnit,
	"str": IDStr, "bytes": IDBytes, "buffer": IDBuffer, "any": IDAny,
}

func (m *matcher) typ(id uint32) bool {
	t := &m.v.p.Types[id]
	name := m.word()
	if name == "" {
		return false
	}
	if strings.Contains(name, ".") {
		return t.Kind == TNative && t.Decl == name && m.native(t)
	}
	if name[0] <= 'Z' {
		return m.param(name, id, t)
	}
	if fixed, ok := fixedNames[name]; ok {
		return id == fixed
	}
	var parts []uint32
	switch {
	case name == "map" && t.Kind == TMap:
		parts = []uint32{t.Key, t.Elem}
	case name == "set" && t.Kind == TSet:
		parts = []uint32{t.Key}
	case name == "fn" && t.Kind == TFunc:
		parts = append([]uint32{t.Result}, t.Params...)
	case name == "struct" && t.Kind == TStruct, name == "tuple" && t.Kind == TTuple:
		for i := range t.Fields {
			parts = append(parts, t.Fields[i].Type)
		}
	case elemKinds[name] == t.Kind && t.Kind != TInvalid:
		parts = []uint32{t.Elem}
	default:
		return false
	}
	return m.eat("<") && m.list(parts, ">")
}

// native compares the type arguments of a native struct.
func (m *matcher) native(t *Type) bool {
	if len(t.Params) == 0 {
		return true
	}
	return m.eat("<") && m.list(t.Params, ">")
}

var elemKinds = map[string]TypeKind{
	"list": TList, "opt": TOptional, "task": TTask, "chan": TChan, "mutex": TMutex,
}

// param compares with a type parameter.
func (m *matcher) param(name string, id uint32, t *Type) bool {
	if m.eat(":") {
		switch m.word() {
		case "Number":
			if t.Kind != TInt && t.Kind != TFloat {
				return false
			}
		case "Hashable":
			if !m.v.keys[id] {
				return false
			}
		case "Ordered": // natives that compare check what they compare
		default:
			return false
		}
	}
	if known, ok := m.bound[name]; ok {
		return known == id
	}
	m.bound[name] = id
	return true
}
