package vm

import (
	"fmt"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// checkValue checks a value of a static type, and everything reachable from it,
// against the declared types. It is for tests and debugging. No task may change
// the objects meanwhile.
func (p *Program) checkValue(id uint32, v Value) error {
	c := &valueChecker{prog: p}
	c.place(id, v, "")
	for len(c.work) > 0 && c.err == nil {
		last := len(c.work) - 1
		todo := c.work[last]
		c.work = c.work[:last]
		c.object(todo)
	}
	return c.err
}

// valueChecker walks objects without recursion, so that deep data is no matter.
type valueChecker struct {
	prog *Program
	seen addressSet
	work []foundObject
	err  error
}

// foundObject is an object whose parts are yet to be looked at, and the way to it.
type foundObject struct {
	obj unsafe.Pointer
	way string
}

// maxWay bounds the way that an error tells.
const maxWay = 200

func (c *valueChecker) fail(way, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", way, fmt.Sprintf(format, args...))
	}
}

// place checks the value of a place of a type, and takes its object up.
func (c *valueChecker) place(id uint32, v Value, way string) {
	t := &c.prog.Types[id]
	if !c.prog.fits(id, v) {
		c.fail(way, "%s holds {%p, %d}, a %s", t.Name, v.p, v.n, c.prog.nameOf(v.TypeID()))
		return
	}
	if t.Rep == bytecode.RepI || v.p == nil || v.p == c.prog.descList[v.TypeID()] {
		return
	}
	if c.seen.slots == nil || !c.seen.has(v.p) {
		c.seen.add(v.p)
		c.work = append(c.work, foundObject{v.p, way[max(0, len(way)-maxWay):]})
	}
}

// object checks the parts of an object, whose type its header names.
func (c *valueChecker) object(todo foundObject) {
	p, way := todo.obj, todo.way
	t := &c.prog.Types[(*Header)(p).Type]
	switch t.Kind {
	case bytecode.TStr:
		if !utf8.ValidString((*Str)(p).String()) {
			c.fail(way, "a str is not UTF-8")
		}
	case bytecode.TBytes, bytecode.TNative:
	case bytecode.TBuffer:
		c.backing((*List)(p).b, way)
	case bytecode.TList:
		c.list((*List)(p), t, way)
	case bytecode.TMap, bytecode.TSet:
		c.entries((*Map)(p), t, way)
	case bytecode.TEnum:
		tag := (*Header)(p).Aux
		if tag >= uint32(len(t.Variants)) {
			c.fail(way, "%s has no variant %d", t.Name, tag)
			return
		}
		c.fields(p, t.Variants[tag].Fields, way)
	case bytecode.TFunc:
		f := (*Header)(p).Aux
		if f >= uint32(len(c.prog.Funcs)) || c.prog.Funcs[f].Type != (*Header)(p).Type {
			c.fail(way, "%s is no function of its type", t.Name)
			return
		}
		c.fields(p, c.prog.Funcs[f].Captures, way)
	case bytecode.TTask:
		if f := (*Future)(p); f.state.Load() == futureDone {
			c.place(t.Elem, f.val, way+".await")
		}
	case bytecode.TChan:
		if (*Chan)(p).mail.Load() == nil {
			(*Chan)(p).messages(func(vs []Value) {
				for _, v := range vs {
					if v != (Value{}) {
						c.place(t.Elem, v, way+".recv")
					}
				}
			})
		}
	case bytecode.TMutex:
		c.place(t.Elem, (*Mutex)(p).val, way+".lock")
	case bytecode.TStruct, bytecode.TTuple, bytecode.TCell, bytecode.TOptional, bytecode.TBox, bytecode.TFrame:
		c.fields(p, t.Fields, way)
	default:
		c.fail(way, "%s has no objects", t.Name)
	}
}

func (c *valueChecker) fields(obj unsafe.Pointer, fields []bytecode.Field, way string) {
	for i := range fields {
		name := fields[i].Name
		if name == "" {
			name = fmt.Sprint(i)
		}
		c.place(fields[i].Type, loadField(obj, &fields[i]), way+"."+name)
	}
}

func (c *valueChecker) backing(b *backing, way string) bool {
	if b == nil || b.n < 0 || b.n > b.cap {
		c.fail(way, "the length of a list is not within its room")
		return false
	}
	return true
}

func (c *valueChecker) list(l *List, t *bytecode.Type, way string) {
	class := classOf(&c.prog.Types[t.Elem])
	if !c.backing(l.b, way) {
		return
	}
	for i := range l.b.n {
		c.place(t.Elem, l.b.load(class, i), fmt.Sprintf("%s[%d]", way, i))
	}
}

func (c *valueChecker) entries(m *Map, t *bytecode.Type, way string) {
	for pos := 0; ; {
		next, key, val, ok := mapNext(m, pos)
		if !ok {
			return
		}
		c.place(t.Key, key, fmt.Sprintf("%s.key %d", way, pos))
		if t.Kind == bytecode.TMap {
			c.place(t.Elem, val, fmt.Sprintf("%s[entry %d]", way, pos))
		}
		pos = next
	}
}

// checkGlobals checks the values of all top-level variables against their types. No task may be running.
func (in *Instance) checkGlobals() error {
	in.world.stopExternal() // the tracer marks objects while it looks
	defer in.world.startExternal()
	p := in.Program()
	for i := range p.Globals {
		if in.initList[i] != 0 {
			g, v := &p.Globals[i], in.globalList[i]
			if err := p.checkValue(g.Type, pack(uint32(p.Types[g.Type].Rep), &v)); err != nil {
				return fmt.Errorf("%s%w", g.Name, err)
			}
		}
	}
	return nil
}
