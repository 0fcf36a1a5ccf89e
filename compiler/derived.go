package compiler

import (
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// numbered is the function that gives the number of a variant, nil for other types and where
// the position of the variant is its number.
func (b *builder) numbered(t types.Type) *types.FuncDecl {
	if n, ok := types.Prune(t).(*types.Named); ok && n.Decl.Kind == types.KEnum && n.Decl.Plain() {
		return n.Decl.Number()
	}
	return nil
}

// buildDerived makes the body of a function that an enum without fields has by itself. Its
// parameter, if it has one, is in register 0.
func (b *builder) buildDerived(fn *types.FuncDecl, self types.Type) {
	b.snapshot()
	d, r := b.alloc(), b.alloc()
	switch fn.Derived {
	case types.DerivedAll:
		b.emit(bytecode.NEWLIST, pr(d), uint16(b.c.typeID(b.result)), 0)
		b.defType(d, b.result)
		for _, v := range fn.On.Variant {
			b.loadInt(r, int64(v.Tag))
			b.push(d, r, self)
		}
		b.emitRet(d)
	case types.DerivedNumber:
		for _, v := range fn.On.Variant {
			b.loadInt(r, int64(v.Tag))
			b.unless(bytecode.JNE, r, func() {
				b.loadInt(d, v.Number)
				b.emitRet(d)
			})
		}
		b.loadInt(d, 0)
		b.emitRet(d)
	case types.DerivedOf, types.DerivedParse:
		for _, v := range fn.On.Variant {
			give := func() {
				b.loadInt(r, int64(v.Tag))
				b.emitRet(b.convert(r, self, b.result, d))
			}
			if fn.Derived == types.DerivedOf {
				b.loadInt(r, v.Number)
				b.unless(bytecode.JNE, r, give)
				continue
			}
			b.loadStr(r, v.Name)
			b.emit(bytecode.SEQ, ir(d), pr(0), pr(r))
			next := newLabel()
			b.jumpWide(bytecode.JF, ir(d), next)
			give()
			b.bind(next)
		}
		b.emit(bytecode.LDNIL, pr(d), 0, 0)
		b.defType(d, b.result)
		b.emitRet(d)
	}
}

// unless compiles what is done unless op, of register 0 and r, jumps.
func (b *builder) unless(op bytecode.Op, r int, then func()) {
	next := newLabel()
	b.jumpIf(op, ir(0), ir(r), nil, next)
	then()
	b.bind(next)
}
