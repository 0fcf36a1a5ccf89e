package bytecode

import "hash/fnv"

// Magic begins every .rnlc file. No source text begins so: its first byte is
// no character of a program.
const Magic = "\x7fRNLC"

// formatVersion changes with the layout of the file; the opcodes have a
// fingerprint of their own.
const formatVersion = 6

// A .rnlc file is the magic, the format's version, the fingerprint of the
// opcode table, and the tables of a Program in the order in which the program
// type lists them. Numbers are varints, code words eight bytes, little endian.
// Source texts are left out: their names and hashes tell which they were.
//
// codec writes and reads it with the same functions, so that the two cannot
// differ: each takes pointers, and its primitives either append what they
// point to or set it.
type codec struct {
	reading bool
	buf     []byte // written so far, or left to read
	err     error
}

// fingerprint identifies the opcode table: numbers of opcodes are not stable.
func fingerprint() uint64 {
	h := fnv.New64a()
	for i := range Ops {
		o := &Ops[i]
		h.Write([]byte(o.Name))
		for _, x := range o.Operands {
			h.Write([]byte{' '})
			h.Write([]byte(x))
		}
		h.Write([]byte(o.Aux))
		if o.Word {
			h.Write([]byte{'w'})
		}
		h.Write([]byte{'\n'})
	}
	return h.Sum64()
}

func (c *codec) program(p *Program) {
	slice(c, &p.Types, 10, (*codec).typ)
	c.words(&p.Code)
	slice(c, &p.Funcs, 13, (*codec).function)
	slice(c, &p.Natives, 4, (*codec).native)
	slice(c, &p.Strings, 1, (*codec).text)
	slice(c, &p.Bytes, 1, (*codec).text)
	slice(c, &p.Enums, 3, func(c *codec, e *EnumConst) {
		c.u32(&e.Type)
		c.u16(&e.Tag)
		slice(c, &e.Values, 1, (*codec).uint)
	})
	slice(c, &p.Globals, 2, (*codec).global)
	slice(c, &p.Selectors, 5, (*codec).selector)
	slice(c, &p.Ifaces, 2, (*codec).iface)
	c.ids(&p.ErrTypes)
	c.index(&p.Entry)
	slice(c, &p.Exports, 3, (*codec).export)
	slice(c, &p.Tests, 2, (*codec).test)
	slice(c, &p.Benches, 2, (*codec).test)
	slice(c, &p.Files, 34, (*codec).file)
	slice(c, &p.Interps, 1, (*codec).interp)
	slice(c, &p.Jumps, 1, (*codec).ids)
	c.index(&p.MessageSel)
}

func (c *codec) typ(t *Type) {
	c.byte((*uint8)(&t.Kind))
	c.byte((*uint8)(&t.Rep))
	c.text(&t.Name)
	c.text(&t.Decl)
	c.u32(&t.Elem)
	c.u32(&t.Key)
	c.ids(&t.Params)
	c.u32(&t.Result)
	c.layout(&t.Layout)
	c.fields(&t.Fields)
	slice(c, &t.Variants, 4, (*codec).variant)
}

func (c *codec) variant(v *Variant) {
	c.text(&v.Name)
	c.layout(&v.Layout)
	c.fields(&v.Fields)
}

func (c *codec) layout(l *Layout) {
	c.u16(&l.Scalars)
	c.u16(&l.Refs)
}

func (c *codec) fields(fs *[]Field) {
	slice(c, fs, 5, func(c *codec, f *Field) {
		c.text(&f.Name)
		c.u32(&f.Type)
		c.byte((*uint8)(&f.Rep))
		c.u16(&f.Off)
		c.u16(&f.POff)
	})
}

func (c *codec) function(f *Func) {
	c.text(&f.Name)
	c.u32(&f.Start)
	c.u32(&f.End)
	c.u16(&f.Frame)
	c.ids(&f.Params)
	c.u32(&f.Result)
	c.u32(&f.Type)
	c.layout(&f.Closure)
	c.fields(&f.Captures)
	slice(c, &f.Handlers, 5, func(c *codec, h *Handler) {
		c.flag(&h.Cleanup)
		c.u32(&h.Start)
		c.u32(&h.End)
		c.u32(&h.Target)
		c.u16(&h.Reg)
	})
	var last Line
	slice(c, &f.Lines, 3, func(c *codec, l *Line) {
		c.delta(&l.PC, last.PC)
		c.delta(&l.Line, last.Line)
		c.u32(&l.Col)
		last = *l
	})
	var pc uint32
	slice(c, &f.Maps, 2, func(c *codec, m *TypeMap) {
		c.delta(&m.PC, pc)
		pc = m.PC
		slice(c, &m.Regs, 2, func(c *codec, r *RegType) {
			c.u16(&r.Reg)
			c.u32(&r.Type)
		})
	})
	c.u32(&f.File)
	c.flag(&f.HasDefers)
}

func (c *codec) export(e *Export) {
	c.text(&e.Name)
	c.flag(&e.Global)
	c.index(&e.Index)
}

func (c *codec) native(n *NativeRef) {
	c.text(&n.Name)
	c.ids(&n.TypeArgs)
	c.ids(&n.Params)
	c.u32(&n.Result)
}

func (c *codec) global(g *Global) {
	c.text(&g.Name)
	c.u32(&g.Type)
}

func (c *codec) selector(s *Selector) {
	c.text(&s.Name)
	c.u32(&s.Iface)
	c.ids(&s.Params)
	c.u32(&s.Result)
	c.ids(&s.Table)
}

func (c *codec) iface(i *Iface) {
	c.u32(&i.Type)
	slice(c, &i.Sat, 1, (*codec).flag)
}

func (c *codec) interp(parts *[]InterpPart) {
	slice(c, parts, 2, func(c *codec, p *InterpPart) {
		c.text(&p.Text)
		c.u32(&p.Type)
	})
}

func (c *codec) test(t *Test) {
	c.text(&t.Name)
	c.index(&t.Func)
}

func (c *codec) file(f *SourceFile) {
	c.text(&f.Name)
	for i := range f.Hash {
		c.byte(&f.Hash[i])
	}
	c.flag(&f.Std)
}
