package compiler

import (
	"fmt"
	"math"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// loadEnum loads a constant of an enum.
func (b *builder) loadEnum(d int, k bytecode.EnumConst) {
	key := fmt.Sprint(k)
	index, ok := b.c.enums[key]
	if !ok {
		index = len(b.c.out.Enums)
		b.c.enums[key] = index
		b.c.out.Enums = append(b.c.out.Enums, k)
	}
	b.emitK(bytecode.LDE, pr(d), int32(index))
	b.def(d, k.Type)
}

// enumConst finds the constant that a variant with constant fields is: enums do
// not change, so one object does for all that are made there. Not ok for others.
func (b *builder) enumConst(e *syntax.Call, ci *types.CallInfo, named *types.Named, params []types.Type) (k bytecode.EnumConst, ok bool) {
	if b.c.opts.Plain || len(params) == 0 || len(e.Args) != len(params) || len(ci.Args) != len(params) {
		return k, false
	}
	k = bytecode.EnumConst{Type: b.c.typeID(named), Tag: uint16(ci.Variant.Tag), Values: make([]uint64, len(params))}
	for i, a := range ci.Args {
		if a < 0 {
			return k, false
		}
		if k.Values[i], ok = b.constWord(e.Args[a].Value, params[i]); !ok {
			return k, false
		}
	}
	return k, true
}

// constWord returns what stands for a constant expression of type t in the fields of
// an EnumConst. Not ok when it is none, or of another type before a conversion.
func (b *builder) constWord(e syntax.Expr, t types.Type) (w uint64, ok bool) {
	if !types.Identical(b.typeOf(e), t) {
		return 0, false
	}
	k, _ := b.info.ConstOf(unparen(e))
	switch k := k.(type) {
	case int64:
		if isFloat(t) {
			return math.Float64bits(float64(k)), true
		}
		return uint64(k), b.c.rep(t) == bytecode.RepI
	case float64:
		return math.Float64bits(k), isFloat(t) && !math.IsNaN(k) // the same object would be equal
	case bool:
		if k {
			return 1, true
		}
		return 0, true
	case string:
		if isStr(t) {
			return uint64(b.c.str(k)), true
		}
	}
	return 0, false
}
