package compiler

import (
	"encoding/binary"
	"fmt"

	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What reads structs from a text asks default_fields<T>() and default_makers<T>() of the prelude
// for the fields that the text may lack. Their bodies are made here: only the compiler knows them.

// builtBody reports whether the body of a function of the prelude is made here.
func builtBody(fn *types.FuncDecl) bool {
	return (fn.Name == "default_fields" || fn.Name == "default_makers") && fn.Module.Std && modName(fn.Module) == "core"
}

// buildBody makes the body of one for the type argument t.
func (b *builder) buildBody(fn *types.FuncDecl, t types.Type) {
	b.snapshot()
	d, r := b.alloc(), b.alloc()
	found := b.c.fieldDefaults(t)
	if fn.Name == "default_fields" {
		var keys []byte
		for _, f := range found {
			keys = binary.LittleEndian.AppendUint64(keys, uint64(b.c.key(f)))
		}
		b.constant(string(keys), types.Bytes, types.Bytes, d)
		b.emitRet(d)
		return
	}
	maker := types.Prune(b.result).(*types.App).Args[0]
	b.emit(bytecode.NEWLIST, pr(d), uint16(b.c.typeID(b.result)), 0)
	b.defType(d, b.result)
	for _, f := range found {
		b.emit(bytecode.LDFN, pr(r), uint16(b.c.makerOf(f, types.Prune(maker).(*types.Func))), 0)
		b.defType(r, maker)
		b.push(d, r, maker)
	}
	b.emitRet(d)
}

// fieldDefault is a field with a default, of a struct or of a variant.
type fieldDefault struct {
	of      *types.Named
	variant *types.VariantDecl // nil for a struct's
	field   *types.Field
}

// key tells natives which field it is: see bytecode.FieldKey.
func (c *compiler) key(d fieldDefault) int64 {
	tag := 0
	if d.variant != nil {
		tag = d.variant.Tag
	}
	return bytecode.FieldKey(c.typeID(d.of), tag, d.field.Index)
}

// fieldDefaults finds the fields with defaults that a value of type t can have in it.
func (c *compiler) fieldDefaults(t types.Type) (found []fieldDefault) {
	seen := map[string]bool{}
	for todo := []types.Type{t}; len(todo) > 0 && c.failed == nil; {
		t := types.Prune(todo[0])
		todo = todo[1:]
		switch t := t.(type) {
		case *types.App:
			todo = append(todo, t.Args...)
		case *types.Named:
			if key := types.Key(t); !seen[key] && t.Decl.Kind != types.KInterface && !t.Decl.Native {
				seen[key] = true
				c.typeID(t) // where its instances never end, that is told of
				sub := &types.Subst{Params: t.Decl.Params, Args: t.Args}
				add := func(v *types.VariantDecl, fields []*types.Field) {
					for _, f := range fields {
						todo = append(todo, sub.Apply(f.Type))
						if f.Default != nil {
							found = append(found, fieldDefault{t, v, f})
						}
					}
				}
				add(nil, t.Decl.Fields)
				for _, v := range t.Decl.Variant {
					add(v, v.Fields)
				}
			}
		}
	}
	return found
}

// makerOf is the function that evaluates a default. What it gives stands in a list of one
// element, as an any does not hold all that a field can: not an optional of an optional.
func (c *compiler) makerOf(d fieldDefault, ft *types.Func) int {
	key := fmt.Sprintf("maker %d", c.key(d))
	if i, ok := c.funcs[key]; ok {
		return i
	}
	name := d.of.Decl.Name
	if d.variant != nil {
		name += "." + d.variant.Name
	}
	mod := d.of.Decl.Module
	i := c.newFunc(c.funcMeta("default of "+name+"."+d.field.Name, ft), d.field.At, func(far bool) *builder {
		sub := &types.Subst{Params: d.of.Decl.Params, Args: d.of.Args}
		info := c.prog.FieldInfo(d.of.Decl)
		b := c.newBuilder(mod, info, nil, ft.Result, far)
		b.name = name
		b.allocN(1)
		b.snapshot()
		elem := sub.Apply(d.field.Type)
		list := types.NewList(elem)
		b.pos = d.field.Default.Span().Start
		b.defaults(name, mod, info, sub, func() { b.expr(d.field.Default, elem, 0) })
		l := b.alloc()
		b.emitImm(bytecode.MKLIST, pr(l), uint16(c.typeID(list)), pr(0), 1)
		b.defType(l, list)
		b.emitRet(b.convert(l, list, ft.Result, -1))
		return b
	})
	c.funcs[key] = i
	return i
}
