//go:build checkedloop

package vm

import (
	"fmt"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// value tells what is wrong with a value of a type, "" if nothing is, looking at
// some of the values within. Other than checkValue it may be called while tasks run.
func (c *checker) value(id uint32, v Value) string {
	t := &c.p.Types[id]
	if !c.p.fits(id, v) {
		if t.Rep == bytecode.RepI {
			return fmt.Sprintf("expected %s, found %d", t.Name, v.n)
		}
		return fmt.Sprintf("expected %s, found %s", t.Name, c.show(v))
	}
	if t.Rep == bytecode.RepI || v.p == nil {
		return ""
	}
	own := (*Header)(v.p).Type
	if t.Kind == bytecode.TInterface && !c.satisfies(own, id) {
		return fmt.Sprintf("%s does not satisfy %s", c.p.Types[own].Name, t.Name)
	}
	if t = &c.p.Types[own]; t.Rep == bytecode.RepI {
		return "" // boxed
	}
	if c.room--; c.room < 0 {
		return ""
	}
	return c.object(t, v.p)
}

// satisfies reports whether a type has the methods of an interface, as far as the
// program knows.
func (c *checker) satisfies(id, iface uint32) bool {
	for i := range c.p.Ifaces {
		if s := &c.p.Ifaces[i]; s.Type == iface && (int(id) >= len(s.Sat) || !s.Sat[id]) {
			return false
		}
	}
	return true
}

// object checks what is in an object of a type.
func (c *checker) object(t *bytecode.Type, p unsafe.Pointer) string {
	h := (*Header)(p)
	switch t.Kind {
	case bytecode.TStr:
		if s := (*Str)(p); s.n < 1<<10 && !utf8.ValidString(s.String()) {
			return fmt.Sprintf("a str is not UTF-8: %q", s.String())
		}
	case bytecode.TList:
		return c.list(t, (*List)(p).b)
	case bytecode.TMap, bytecode.TSet:
		return c.entries(t, (*Map)(p))
	case bytecode.TTuple, bytecode.TStruct, bytecode.TCell, bytecode.TBox, bytecode.TFrame, bytecode.TOptional:
		return c.fields(p, t.Fields)
	case bytecode.TEnum:
		if int(h.Aux) >= len(t.Variants) {
			return fmt.Sprintf("%s has tag %d of %d", t.Name, h.Aux, len(t.Variants))
		}
		return c.fields(p, t.Variants[h.Aux].Fields)
	case bytecode.TFunc:
		if int(h.Aux) >= len(c.p.Funcs) || c.p.Funcs[h.Aux].Type != h.Type {
			return fmt.Sprintf("%s is of function %d", t.Name, h.Aux)
		}
		if entry := *(*uint64)(unsafe.Add(p, 8)); entry != c.p.entries[h.Aux] {
			return fmt.Sprintf("%s begins at %x", t.Name, entry)
		}
		return c.fields(p, c.p.Funcs[h.Aux].Captures)
	}
	return ""
}

// fields checks those of an object. Both words of one that has two may be of
// different writers, if these race.
func (c *checker) fields(p unsafe.Pointer, fields []bytecode.Field) string {
	for i := range fields {
		if c.room--; c.room < 0 {
			break
		}
		if bad := c.value(fields[i].Type, loadField(p, &fields[i])); bad != "" {
			return fmt.Sprintf("field %d (%s): %s", i, fields[i].Name, bad)
		}
	}
	return ""
}

func (c *checker) list(t *bytecode.Type, b *backing) string {
	n := b.n
	if n < 0 || n > b.cap {
		return fmt.Sprintf("a list of %d elements has room for %d", n, b.cap)
	}
	class := classOf(&c.p.Types[t.Elem])
	for i := 0; i < n && c.room > 0; i++ {
		c.room--
		if bad := c.value(t.Elem, b.load(class, i)); bad != "" {
			return fmt.Sprintf("element %d of %s: %s", i, t.Name, bad)
		}
	}
	return ""
}

func (c *checker) entries(t *bytecode.Type, m *Map) string {
	for pos := 0; c.room > 0; c.room-- {
		next, key, val, ok := mapNext(m, pos)
		if !ok {
			break
		}
		pos = next
		if bad := c.value(t.Key, key); bad != "" {
			return fmt.Sprintf("a key of %s: %s", t.Name, bad)
		}
		if t.Kind != bytecode.TMap {
			continue
		}
		if bad := c.value(t.Elem, val); bad != "" {
			return fmt.Sprintf("an entry of %s: %s", t.Name, bad)
		}
	}
	return ""
}
