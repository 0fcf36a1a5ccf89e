// Package args holds module args. Its one native tells what fields a struct has.
package args

import (
	_ "embed"
	"strings"

	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/stdlib/template"
	"github.com/runnel-lang/runnel/stdlib/text"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed args.rnl
var source string

// Module is what the import of args gives.
var Module = vm.NewModule("args", source, io.Module, json.Module, sys.Module, text.Module)

func init() {
	Module.Native("fields_of", func(c *vm.Call) {
		t := c.Type(c.Ref().TypeArgs[0])
		if t.Kind != bytecode.TStruct {
			c.Throw(vm.ErrValue, "args: options are the fields of a struct, not of %s", t.Name)
		}
		result := c.Ref().Result
		out := c.NewList(result, len(t.Fields))
		c.Pin(out.Object())
		parts := c.Type(result).Elem
		for _, f := range t.Fields {
			obj := c.NewStruct(parts)
			c.Pin(obj.Object())
			for i, text := range append([]string{f.Name}, kind(c, t, &f)...) {
				obj.Set(i, c.NewStr(text).Value())
			}
			obj.Set(4, template.Boxed(c, f.Type, vm.Field(c.Object(0), &f)))
			c.Unpin()
			out.Push(obj.Value())
		}
		c.SetObject(out.Object())
	})
}

// kind tells of a field whether it holds one value, perhaps none, or many, what
// these are, and the variants that an enum offers.
func kind(c *vm.Call, owner *bytecode.Type, f *bytecode.Field) []string {
	t, number := c.Type(f.Type), "one"
	switch t.Kind {
	case bytecode.TOptional:
		t, number = c.Type(t.Elem), "optional"
	case bytecode.TList:
		t, number = c.Type(t.Elem), "many"
	}
	switch t.Kind {
	case bytecode.TInt, bytecode.TFloat, bytecode.TBool, bytecode.TStr, bytecode.TDuration:
		return []string{number, t.Name, ""}
	case bytecode.TEnum:
		if t.Plain() {
			names := make([]string, len(t.Variants))
			for i, v := range t.Variants {
				names[i] = v.Name
			}
			return []string{number, "enum", strings.Join(names, " ")}
		}
	}
	c.Throw(vm.ErrValue, "args: the field %s of %s cannot be an option: its type is %s", f.Name, owner.Name, c.Type(f.Type).Name)
	return nil
}
