package compiler

import (
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

var fixedIDs = map[types.Kind]uint32{
	types.KInvalid: bytecode.IDInvalid, types.KInt: bytecode.IDInt, types.KFloat: bytecode.IDFloat,
	types.KBool: bytecode.IDBool, types.KStr: bytecode.IDStr, types.KBytes: bytecode.IDBytes,
	types.KDuration: bytecode.IDDuration, types.KUnit: bytecode.IDUnit, types.KNever: bytecode.IDUnit,
	types.KAny: bytecode.IDAny, types.KBuffer: bytecode.IDBuffer,
}

var ctorKinds = [...]bytecode.TypeKind{
	types.CList: bytecode.TList, types.CMap: bytecode.TMap, types.CSet: bytecode.TSet,
	types.CTask: bytecode.TTask, types.CChan: bytecode.TChan, types.CMutex: bytecode.TMutex,
	types.COptional: bytecode.TOptional, types.CTuple: bytecode.TTuple,
}

// typeID returns the runtime id of a closed type, making it on first use.
func (c *compiler) typeID(t types.Type) uint32 {
	t = types.Prune(t)
	if b, ok := t.(*types.Basic); ok {
		return fixedIDs[b.Kind]
	}
	if id, ok := c.idByPtr[t]; ok {
		return id
	}
	if c.failed != nil {
		return bytecode.IDInvalid
	}
	size := sizeOf(t)
	if c.endlessType(t, size) {
		return bytecode.IDInvalid
	}
	key := types.Key(t)
	if id, ok := c.idByKey[key]; ok {
		c.idByPtr[t] = id
		return id
	}
	id := uint32(len(c.out.Types))
	if id > maxTypes {
		c.tooLarge(c.here, "types after its generic ones are made concrete", maxTypes, "use generic types with fewer arguments: an interface or `any` is one type")
		return bytecode.IDInvalid
	}
	c.out.Types = append(c.out.Types, bytecode.Type{})
	c.static = append(c.static, t)
	c.idByKey[key], c.idByPtr[t] = id, id
	c.making = append(c.making, making{t, size})
	rt := c.makeType(id, t) // may add types: recursive ones find this id
	c.making = c.making[:len(c.making)-1]
	c.out.Types[id] = rt
	return id
}

const maxTypes = 1<<16 - 1

func (c *compiler) makeType(id uint32, t types.Type) bytecode.Type {
	rt := bytecode.Type{Name: t.String(), Rep: c.rep(t)}
	switch t := t.(type) {
	case *types.App:
		rt.Kind = ctorKinds[t.Ctor]
		c.makeApp(id, &rt, t)
	case *types.Func:
		rt.Kind = bytecode.TFunc
		for _, p := range t.Params {
			rt.Params = append(rt.Params, c.typeID(p))
		}
		rt.Result = c.typeID(t.Result)
	case *types.Named:
		c.makeNamed(&rt, t)
	}
	return rt
}

func (c *compiler) makeApp(id uint32, rt *bytecode.Type, t *types.App) {
	switch t.Ctor {
	case types.CMap:
		rt.Key, rt.Elem = c.typeID(t.Args[0]), c.typeID(t.Args[1])
	case types.CSet:
		rt.Key = c.typeID(t.Args[0])
	case types.CTuple:
		for _, a := range t.Args {
			rt.Fields = append(rt.Fields, c.field("", a))
		}
		rt.Layout = c.place(rt.Fields, c.here, "a tuple", "use a list")
	case types.COptional:
		rt.Elem = c.typeID(t.Args[0])
		if isOptional(t.Args[0]) {
			rt.Fields = []bytecode.Field{c.field("", t.Args[0])}
			rt.Layout = bytecode.Place(rt.Fields)
		}
	default:
		rt.Elem = c.typeID(t.Args[0])
	}
}

func (c *compiler) makeNamed(rt *bytecode.Type, t *types.Named) {
	sub := &types.Subst{Params: t.Decl.Params, Args: t.Args}
	switch t.Decl.Kind {
	case types.KInterface:
		rt.Kind = bytecode.TInterface
	case types.KStruct:
		rt.Kind = bytecode.TStruct
		if t.Decl.Native {
			rt.Kind = bytecode.TNative
			rt.Layout = bytecode.Layout{Refs: 1}
			rt.Decl = modName(t.Decl.Module) + "." + t.Decl.Name
			for _, a := range t.Args {
				rt.Params = append(rt.Params, c.typeID(a))
			}
			return
		}
		if t.Decl.Module.Std {
			rt.Decl = modName(t.Decl.Module) + "." + t.Decl.Name
		}
		for _, f := range t.Decl.Fields {
			rt.Fields = append(rt.Fields, c.field(f.Name, sub.Apply(f.Type)))
		}
		rt.Layout = c.place(rt.Fields, t.Decl.At, "`"+t.Decl.Name+"`", "group fields in structs of their own, or use a list or a map")
	case types.KEnum:
		rt.Kind = bytecode.TEnum
		for _, v := range t.Decl.Variant {
			var rv bytecode.Variant
			rv.Name = v.Name
			for _, f := range v.Fields {
				rv.Fields = append(rv.Fields, c.field(f.Name, sub.Apply(f.Type)))
			}
			rv.Layout = c.place(rv.Fields, v.At, "`"+v.Name+"`", "give the variant a struct, a list or a map")
			rt.Variants = append(rt.Variants, rv)
		}
		if rt.Rep == bytecode.RepP && len(rt.Variants) > maxVariants {
			c.tooLarge(t.Decl.At, "variants in `"+t.Decl.Name+"`, which has fields", maxVariants, "group variants in enums of their own, which a variant holds; one without any fields may have more")
		}
	}
}

// maxVariants bounds the variants of an enum with fields: the tag is a byte of its instructions.
const maxVariants = 256

func (c *compiler) field(name string, t types.Type) bytecode.Field {
	return bytecode.Field{Name: name, Type: c.typeID(t), Rep: c.rep(t)}
}

// rep tells which words of a value a type uses.
func (c *compiler) rep(t types.Type) bytecode.Rep {
	switch t := types.Prune(t).(type) {
	case *types.Basic:
		switch t.Kind {
		case types.KStr, types.KBytes, types.KBuffer:
			return bytecode.RepP
		case types.KAny:
			return bytecode.RepV
		}
		return bytecode.RepI
	case *types.App:
		if t.Ctor == types.COptional {
			if isOptional(t.Args[0]) || c.rep(t.Args[0]) == bytecode.RepP {
				return bytecode.RepP
			}
			return bytecode.RepV
		}
	case *types.Named:
		switch {
		case t.Decl.Kind == types.KInterface:
			return bytecode.RepV
		case t.Decl.Kind == types.KEnum && t.Decl.Plain():
			return bytecode.RepI
		}
	}
	return bytecode.RepP
}

// objectOf returns the type of the objects that values of a type point to, which
// is what the verifier tracks: T for an optional T. It is any of values of both words
// and 0 of numbers.
func (c *compiler) objectOf(id uint32) uint32 {
	t := &c.out.Types[id]
	switch {
	case t.Rep == bytecode.RepV:
		return bytecode.IDAny
	case t.Rep != bytecode.RepP:
		return 0
	case t.Kind == bytecode.TOptional && c.out.Types[t.Elem].Kind != bytecode.TOptional:
		return t.Elem
	}
	return id
}

func isOptional(t types.Type) bool {
	a, ok := types.Prune(t).(*types.App)
	return ok && a.Ctor == types.COptional
}

// optElem returns T of T?, or nil.
func optElem(t types.Type) types.Type {
	if a, ok := types.Prune(t).(*types.App); ok && a.Ctor == types.COptional {
		return types.Prune(a.Args[0])
	}
	return nil
}

func isIface(t types.Type) bool {
	n, ok := types.Prune(t).(*types.Named)
	return ok && n.Decl.Kind == types.KInterface
}

func isBasic(t types.Type, k types.Kind) bool {
	b, ok := types.Prune(t).(*types.Basic)
	return ok && b.Kind == k
}

func isAny(t types.Type) bool   { return isBasic(t, types.KAny) }
func isFloat(t types.Type) bool { return isBasic(t, types.KFloat) }
func isStr(t types.Type) bool   { return isBasic(t, types.KStr) }
func isNever(t types.Type) bool { return isBasic(t, types.KNever) }
func isUnit(t types.Type) bool  { return isBasic(t, types.KUnit) }

// isText: str or bytes, compared by content.
func isText(t types.Type) bool { return isStr(t) || isBasic(t, types.KBytes) }

// isIntLike: one number word compared as an integer.
func isIntLike(t types.Type) bool {
	switch t := types.Prune(t).(type) {
	case *types.Basic:
		switch t.Kind {
		case types.KInt, types.KDuration, types.KBool:
			return true
		}
	case *types.Named:
		return t.Decl.Kind == types.KEnum && t.Decl.Plain()
	}
	return false
}

// isIdentity: compared by identity.
func isIdentity(t types.Type) bool {
	switch t := types.Prune(t).(type) {
	case *types.Func:
		return true
	case *types.App:
		return t.Ctor == types.CTask || t.Ctor == types.CChan || t.Ctor == types.CMutex
	case *types.Named:
		return t.Decl.Native
	}
	return false
}

// listOps are the opcodes for lists of one element class.
type listOps struct{ get, set, next bytecode.Op }

func (c *compiler) listOps(elem types.Type) listOps {
	switch {
	case isBasic(elem, types.KBool):
		return listOps{bytecode.LGETB, bytecode.LSETB, bytecode.FORLB}
	case c.rep(elem) == bytecode.RepI:
		return listOps{bytecode.LGETI, bytecode.LSETI, bytecode.FORLI}
	case c.rep(elem) == bytecode.RepV:
		return listOps{bytecode.LGETV, bytecode.LSETV, bytecode.FORLV}
	case isOptional(elem):
		return listOps{bytecode.LGETO, bytecode.LSETP, bytecode.FORLO}
	}
	return listOps{bytecode.LGETP, bytecode.LSETP, bytecode.FORLP}
}
