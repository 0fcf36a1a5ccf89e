package mutate

import (
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// typ chooses a type that is not the same in every program.
func (m *mutant) typ() *bytecode.Type {
	n := len(m.p.Types) - bytecode.NumFixedTypes
	if n <= 0 || m.IntN(50) == 0 {
		return one(m, m.p.Types)
	}
	return &m.p.Types[bytecode.NumFixedTypes+m.IntN(n)]
}

func (m *mutant) parts() bool {
	t := m.typ()
	switch t.Kind {
	case bytecode.TMap:
		if m.IntN(2) == 0 {
			t.Key = m.typeID(t.Key)
			break
		}
		t.Elem = m.typeID(t.Elem)
	case bytecode.TSet:
		t.Key = m.typeID(t.Key)
	case bytecode.TFunc, bytecode.TNative:
		if p := one(m, t.Params); p != nil {
			*p = m.typeID(*p)
			break
		}
		t.Result = m.typeID(t.Result)
	default:
		t.Elem = m.typeID(t.Elem)
	}
	return true
}

// fields changes what an object consists of, and mostly where it lies too.
func (m *mutant) fields() bool {
	var list *[]bytecode.Field
	var layout *bytecode.Layout
	for range 20 {
		t := m.typ()
		if v := one(m, t.Variants); v != nil {
			list, layout = &v.Fields, &v.Layout
		} else {
			list, layout = &t.Fields, &t.Layout
		}
		if len(*list) > 0 {
			break
		}
	}
	fs := *list
	if len(fs) == 0 {
		return false
	}
	f, g := one(m, fs), one(m, fs)
	switch m.IntN(7) {
	case 0:
		*f, *g = *g, *f
	case 1:
		f.Type = m.typeID(f.Type)
		f.Rep = m.p.Types[f.Type].Rep
	case 2:
		*list = fs[:len(fs)-1]
	case 3:
		*list = append(fs[:len(fs):len(fs)], *f)
	case 4:
		f.Off = uint16(m.near(int(f.Off)))
		return true
	case 5:
		f.POff = uint16(8 * m.near(int(f.POff)/8))
		return true
	default:
		f.Name, g.Name = g.Name, f.Name
		return true
	}
	*layout = bytecode.Place(*list)
	return true
}

func (m *mutant) kind() bool {
	t, u := m.typ(), m.typ()
	switch m.IntN(6) {
	case 0:
		t.Kind = bytecode.TypeKind(m.IntN(int(bytecode.TFrame) + 2))
	case 1:
		t.Rep = bytecode.Rep(m.IntN(4))
	case 2:
		t.Name = u.Name
	case 3:
		t.Decl = u.Decl
	case 4:
		t.Layout = u.Layout
	default:
		if len(t.Variants) == 0 {
			return false
		}
		v, w := one(m, t.Variants), one(m, t.Variants)
		*v, *w = *w, *v
		if m.IntN(3) == 0 {
			t.Variants = t.Variants[:len(t.Variants)-1]
		}
	}
	return true
}

func (m *mutant) types() bool {
	t, u := m.typ(), m.typ()
	if m.IntN(2) == 0 {
		*t = *u
	} else {
		*t, *u = *u, *t
	}
	return t != u
}

func (m *mutant) global() bool {
	g := one(m, m.p.Globals)
	if g == nil {
		return false
	}
	g.Type = m.typeID(g.Type)
	return true
}

func (m *mutant) selector() bool {
	s := one(m, m.p.Selectors)
	if s == nil {
		return false
	}
	switch m.IntN(6) {
	case 0:
		if p := one(m, s.Params); p != nil {
			*p = m.typeID(*p)
		}
	case 1:
		s.Result = m.typeID(s.Result)
	case 2:
		m.p.MessageSel = m.IntN(len(m.p.Selectors)+1) - 1
	case 3:
		t := one(m, m.p.Selectors)
		s.Table, t.Table = t.Table, s.Table
	default:
		e := one(m, s.Table)
		if e == nil {
			return false
		}
		if *e = uint32(m.IntN(len(m.p.Funcs) + 1)); m.IntN(3) == 0 {
			*e = *one(m, s.Table)
		}
	}
	return true
}

func (m *mutant) iface() bool {
	i := one(m, m.p.Ifaces)
	if i == nil {
		return false
	}
	if b := one(m, i.Sat); b != nil && m.IntN(4) > 0 {
		*b = !*b
	} else {
		i.Type = m.typeID(i.Type)
	}
	return true
}

func (m *mutant) errTypes() bool {
	e, f := one(m, m.p.ErrTypes), one(m, m.p.ErrTypes)
	if e == nil {
		return false
	}
	if *e, *f = *f, *e; m.IntN(4) == 0 {
		*e = m.typeID(*e)
	}
	return true
}

func (m *mutant) constant() bool {
	switch m.IntN(4) {
	case 0:
		e := one(m, m.p.Enums)
		if e == nil {
			return false
		}
		if v := one(m, e.Values); v != nil && m.IntN(2) == 0 {
			*v = uint64(m.near(int(*v)))
		} else {
			e.Tag = uint16(m.near(int(e.Tag)))
		}
	case 1:
		b := one(m, m.p.Bytes)
		if b == nil {
			return false
		}
		*b = m.text(*b)
	default:
		s := one(m, m.p.Strings)
		if s == nil {
			return false
		}
		*s = m.text(*s)
	}
	return true
}

// text changes a constant text a little.
func (m *mutant) text(s string) string {
	b := []byte(s)
	switch n := len(b); {
	case n == 0 || m.IntN(6) == 0:
		return *one(m, []string{"", "0", "-1", "1e999", "{}", "[]", "null", "[[[[[[[[", "\x00", ">\x00.\x00f", "é", "{\"a\":1}", "a,b\n1,2\n", "(a+)+$", "%d", "9223372036854775807"})
	case m.IntN(3) == 0:
		i := m.IntN(n)
		return s[:i] + s[i:] + s[i:]
	case m.IntN(2) == 0:
		i := m.IntN(n)
		return s[:i] + s[i+1:]
	default:
		b[m.IntN(n)] = byte(' ' + m.IntN(95))
		return string(b)
	}
}

func (m *mutant) interpolation() bool {
	i := one(m, m.p.Interps)
	if i == nil {
		return false
	}
	p := one(m, *i)
	if p == nil {
		return false
	}
	if p.Type = m.typeID(p.Type); m.IntN(4) == 0 {
		p.Type = 0
	}
	return true
}

func (m *mutant) jumpTable() bool {
	j := one(m, m.p.Jumps)
	if j == nil {
		return false
	}
	if e := one(m, *j); e != nil && m.IntN(3) > 0 {
		if f := m.funcAt(*e); f != nil && len(f.Maps) > 0 {
			*e = one(m, f.Maps).PC
		}
	} else {
		k := one(m, m.p.Jumps)
		*j, *k = *k, *j
	}
	return true
}

func (m *mutant) funcAt(word uint32) *bytecode.Func {
	for i := range m.p.Funcs {
		if f := &m.p.Funcs[i]; f.Start <= word && word < f.End {
			return f
		}
	}
	return nil
}

// root changes which function is the entry, a test or an export.
func (m *mutant) root() bool {
	i := m.IntN(len(m.p.Funcs))
	switch m.IntN(4) {
	case 0:
		m.p.Tests = append(m.p.Tests, bytecode.Test{Func: i})
	case 1:
		m.p.Benches = append(m.p.Benches, bytecode.Test{Func: i})
	case 2:
		m.p.Exports = append(m.p.Exports, bytecode.Export{Name: "f", Index: i})
	default:
		m.p.Entry = i
	}
	return true
}
