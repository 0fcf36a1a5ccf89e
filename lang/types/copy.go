package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// A struct has a method copy, which takes the fields that differ.

// copiedStruct is the struct that x.copy copies, nil where it is another member.
func copiedStruct(t Type, name string) *Named {
	n, ok := Prune(t).(*Named)
	if !ok || name != "copy" || n.Decl.Kind != KStruct || n.Decl.Native {
		return nil
	}
	return n
}

// Copy is the method copy of a struct as tools show it, nil where it has none or one of its own.
func (d *TypeDecl) Copy() *FuncDecl {
	if d.Kind != KStruct || d.Native || d.Method("copy") != nil || d.field("copy") != nil {
		return nil
	}
	if d.copy == nil {
		d.copy = &FuncDecl{Name: "copy", Module: d.Module, Owner: d, Result: d.Self, At: diag.NoSpan, Syntax: &syntax.FnDecl{},
			Doc: "Another `" + d.Name + "` with the same fields but for those that are given."}
		for _, f := range d.Fields {
			given := &syntax.NoneLit{} // that there is a default is all that is asked
			d.copy.Params = append(d.copy.Params, &Param{Name: f.Name, Type: f.Type, Default: given, Obj: &Local{Name: f.Name, Type: f.Type, At: f.At}})
		}
	}
	return d.copy
}

// ownAffair finds a field that is for the module of a struct alone, or "".
func (d *TypeDecl) ownAffair(user *Module) string {
	if d.Module == user || d.Module.Std && user.Std {
		return ""
	}
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "_") || d.hides(f.Name) {
			return f.Name
		}
	}
	return ""
}

// copyStruct is x.copy(field: value, ...).
func (c *checker) copyStruct(e *syntax.Call, fn *syntax.Member, n *Named, want Type, why *reason) Type {
	d := n.Decl
	if name := d.ownAffair(c.mod); name != "" {
		r := c.err(diag.PrivateName, fn.Name.Sp, "`%s` has parts that are its own affair, so only its module copies it", d.Name)
		if !d.Module.Std {
			r.label(d.field(name).At, "this field begins with `_`")
		}
		c.looseArgs(e)
		return c.safely(fn, n)
	}
	c.noTypeArgs(fn.TypeArgs, "copy")
	ce := &callee{info: &CallInfo{Kind: CallCopy, Type: n}, name: d.Name, what: "field", at: d.At, result: n, on: c.nameOf(fn.X)}
	if len(n.Args) > 0 {
		ce.recv = n
	}
	ce.params = fieldParams(d.Fields, &Subst{d.Params, n.Args})
	for i := range ce.params {
		ce.params[i].optional = true
	}
	for _, a := range e.Args {
		if a.Name.Text == "" {
			c.callSite(e, ce)
			r := c.err(diag.UnknownArgument, a.Value.Span(), "`copy` takes fields by their names")
			if len(d.Fields) > 0 {
				r.help("write `copy(%s: ...)`", d.Fields[min(len(e.Args), len(d.Fields))-1].Name)
			}
			c.looseArgs(e)
			return c.safely(fn, n)
		}
	}
	if fn.Safe {
		want = nil
	}
	return c.safely(fn, c.finish(e, ce, want, why))
}
