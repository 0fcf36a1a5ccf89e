package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// concat flattens a + b + c on texts of type t into one instruction.
func (b *builder) concat(e *syntax.Binary, t types.Type, dst int) int {
	var parts []syntax.Expr
	var flatten func(x syntax.Expr)
	flatten = func(x syntax.Expr) {
		if _, folded := b.info.Consts[x.ID()]; !folded {
			if p, ok := x.(*syntax.Paren); ok {
				flatten(p.X)
				return
			}
			if y, ok := x.(*syntax.Binary); ok && y.Op == syntax.OpAdd && isText(b.typeOf(y)) && b.info.Operators[y] == nil {
				flatten(y.X)
				flatten(y.Y)
				return
			}
		}
		parts = append(parts, x)
	}
	flatten(e.X)
	flatten(e.Y)
	mark := b.top
	if b.c.opts.Plain {
		parts = []syntax.Expr{e.X, e.Y}
	}
	if len(parts) == 2 {
		return b.concat2(parts[0], parts[1], t, dst)
	}
	first := b.allocN(len(parts))
	for i, p := range parts {
		b.expr(p, t, first+i)
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(bytecode.CONCATN, pr(d), pr(first), uint16(len(parts)))
	b.defType(d, t)
	return d
}

// concat2 joins two texts of type t.
func (b *builder) concat2(x, y syntax.Expr, t types.Type, dst int) int {
	mark := b.top
	l := b.operandReg(x, y, t)
	r := b.expr(y, t, -1)
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(bytecode.CONCAT, pr(d), pr(l), pr(r))
	b.defType(d, t)
	return d
}

func (b *builder) interp(e *syntax.InterpLit, dst int) int {
	var parts []joined
	for _, p := range e.Parts {
		parts = append(parts, joined{p.Text, p.X, p.Spec, p.Holes})
	}
	return b.join(parts, dst)
}

// joined is a part of text to be joined: a literal, or a value with its format.
type joined struct {
	text  string
	x     syntax.Expr
	spec  string
	holes []syntax.Expr // of the spec
}

// join makes one str of its parts: the values go into consecutive registers.
func (b *builder) join(parts []joined, dst int) int {
	if b.c.opts.Plain {
		return b.joinPairwise(parts, dst)
	}
	mark := b.top
	n := 0
	for _, p := range parts {
		if p.x != nil {
			n++
		}
	}
	first := b.allocN(max(n, 1))
	r := first
	var table []bytecode.InterpPart
	for _, p := range parts {
		switch {
		case p.x == nil:
			table = append(table, bytecode.InterpPart{Text: p.text})
			continue
		case p.spec != "":
			b.text(p, r)
			table = append(table, bytecode.InterpPart{Type: bytecode.IDStr})
		default:
			b.expr(p.x, b.typeOf(p.x), r)
			table = append(table, bytecode.InterpPart{})
		}
		r++
	}
	r = first
	for i, p := range parts { // when all are evaluated
		if p.x == nil {
			continue
		}
		if p.spec == "" {
			_, t := b.ask(r, b.typeOf(p.x), r)
			table[i].Type = b.c.typeID(t)
		}
		r++
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emitImm(bytecode.INTERP, pr(d), pr(first), 0, uint64(len(b.c.out.Interps)))
	b.c.out.Interps = append(b.c.out.Interps, table)
	b.def(d, bytecode.IDStr)
	return d
}

// joinPairwise joins parts by concatenation.
func (b *builder) joinPairwise(parts []joined, dst int) int {
	mark := b.top
	values := b.allocN(len(parts))
	for i, p := range parts {
		switch {
		case p.x == nil:
			b.loadStr(values+i, p.text)
		case p.spec != "":
			b.text(p, values+i)
		default:
			b.expr(p.x, nil, values+i)
		}
	}
	all, part := b.alloc(), b.alloc()
	b.loadStr(all, "")
	for i, p := range parts {
		text := values + i
		if p.x != nil && p.spec == "" && !isStr(b.typeOf(p.x)) {
			text = part
			r, t := b.ask(values+i, b.typeOf(p.x), -1)
			b.emit(bytecode.TOSTR, pr(part), pr(r), uint16(b.c.typeID(t)))
			b.def(part, bytecode.IDStr)
		}
		b.emit(bytecode.CONCAT, pr(all), pr(all), pr(text))
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.move(d, all, bytecode.RepP)
	b.def(d, bytecode.IDStr)
	return d
}

// text makes the str that shows a value.
func (b *builder) text(p joined, dst int) {
	t := b.typeOf(p.x)
	if isStr(t) && p.spec == "" {
		b.expr(p.x, t, dst)
		return
	}
	mark := b.top
	switch {
	case p.spec == "":
		r, t := b.asked(p, -1)
		b.emit(bytecode.TOSTR, pr(dst), pr(r), uint16(b.c.typeID(t)))
	case len(p.holes) == 0:
		r, t := b.asked(p, -1)
		b.format(t, p.spec, r, dst)
	default:
		r := b.allocN(1 + len(p.holes))
		_, t := b.asked(p, r)
		for i, hole := range p.holes {
			b.expr(hole, types.Int, r+1+i)
		}
		b.format(t, p.spec, r, dst)
	}
	b.setTop(mark)
	b.def(dst, bytecode.IDStr)
}

// format makes the text of a value by a format spec. The numbers for its holes are in
// the registers behind it.
func (b *builder) format(t types.Type, spec string, value, dst int) {
	b.emitImm(bytecode.FORMAT, pr(dst), pr(value), uint16(b.c.typeID(t)), uint64(b.c.str(spec)))
}
