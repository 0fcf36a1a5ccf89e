package compiler

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A value whose type has a method to_str() -> str is shown by it. Where that is known when
// compiling the method is called; where such a value may be in another, or in an any, shown_text
// of the prelude asks them before the whole is printed.

// asked compiles a value to be shown and gives its register and the type to show it as.
func (b *builder) asked(p joined, dst int) (r int, t types.Type) {
	t = b.typeOf(p.x)
	r = b.expr(p.x, t, dst)
	if strings.HasSuffix(p.spec, "?") { // as data
		return r, t
	}
	return b.ask(r, t, dst)
}

// ask has the value in a register give its text, where it shows itself, or what is in it may. It is
// then shown as another type.
func (b *builder) ask(r int, t types.Type, dst int) (int, types.Type) {
	mark := b.top
	fn, recvArgs := b.c.prog.ShowMethod(t)
	switch {
	case fn != nil:
		self := b.selfType(fn, recvArgs, t)
		b.setTopAtLeast(r + 1)
		w := b.newWindow(1)
		b.convert(r, t, self, w.first)
		b.emitCall(fn, recvArgs, nil, self, w)
		return b.finish(w, types.Str, mark, dst), types.Str
	case b.c.holdsShown(b.c.typeID(t)):
		all := b.c.prog.PreludeName("shown_text").(*types.FuncDecl)
		b.setTopAtLeast(r + 1)
		w := b.newWindow(1)
		b.convert(r, t, types.Any, w.first)
		b.emitCall(all, nil, nil, nil, w)
		return b.finish(w, types.Any, mark, dst), types.Any
	}
	return r, t
}

// holdsShown reports whether in a value of a type there may be one that shows itself, and notes
// the types of these as boxed: shown_text gets them as any.
func (c *compiler) holdsShown(id uint32) bool {
	if !c.anyShows {
		return false
	}
	if holds, ok := c.holds[id]; ok {
		return holds
	}
	seen := map[uint32]bool{}
	holds := false
	for todo := []uint32{id}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		t := &c.out.Types[id]
		switch t.Kind {
		case bytecode.TAny, bytecode.TInterface:
			holds = true
		case bytecode.TMap:
			todo = append(todo, t.Key, t.Elem)
		case bytecode.TSet:
			todo = append(todo, t.Key)
		case bytecode.TList, bytecode.TOptional:
			todo = append(todo, t.Elem)
		case bytecode.TStruct, bytecode.TEnum, bytecode.TTuple:
			if fn, _ := c.prog.ShowMethod(c.static[id]); fn != nil {
				holds = true
				c.box(c.static[id])
				continue
			}
			for _, f := range t.Fields {
				todo = append(todo, f.Type)
			}
			for _, v := range t.Variants {
				for _, f := range v.Fields {
					todo = append(todo, f.Type)
				}
			}
		}
	}
	c.holds[id] = holds
	return holds
}
