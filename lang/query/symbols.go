package query

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Outline is a declaration of a file, with those inside of it.
type Outline struct {
	Name     string
	Kind     string // fn, struct, enum, interface, type, let, var, const, test, field, variant
	Place    Place  // of the name
	Whole    Place  // of the declaration
	Children []Outline
}

// Symbols lists what the file declares, in source order.
func (f *File) Symbols() []Outline {
	set := &diag.FileSet{}
	src := set.Add(f.name, f.text)
	if src == nil {
		return nil
	}
	file, _ := syntax.Parse(src)
	o := outliner{&analysis{files: set}}
	var list []Outline
	for _, item := range file.Items {
		list = append(list, o.item(item)...)
	}
	return list
}

type outliner struct{ a *analysis }

func (o outliner) one(name syntax.Name, kind string, whole diag.Span, children ...Outline) Outline {
	at, _ := o.a.place(name.Sp)
	all, _ := o.a.place(whole)
	return Outline{name.Text, kind, at, all, children}
}

func (o outliner) item(s syntax.Stmt) []Outline {
	switch d := s.(type) {
	case *syntax.FnDecl:
		return []Outline{o.one(d.Name, "fn", d.Sp)}
	case *syntax.StructDecl:
		var fields []Outline
		for _, f := range d.Fields {
			fields = append(fields, o.one(f.Name, "field", f.Name.Sp))
		}
		return []Outline{o.one(d.Name, "struct", d.Sp, append(fields, o.methods(d.Methods)...)...)}
	case *syntax.EnumDecl:
		var variants []Outline
		for _, v := range d.Variants {
			variants = append(variants, o.one(v.Name, "variant", v.Name.Sp))
		}
		return []Outline{o.one(d.Name, "enum", d.Sp, append(variants, o.methods(d.Methods)...)...)}
	case *syntax.InterfaceDecl:
		return []Outline{o.one(d.Name, "interface", d.Sp, o.methods(d.Methods)...)}
	case *syntax.TypeDecl:
		return []Outline{o.one(d.Name, "type", d.Sp)}
	case *syntax.ExtendDecl:
		return o.methods(d.Methods)
	case *syntax.TestDecl:
		return []Outline{o.one(syntax.Name{Text: d.Name, Sp: d.Sp}, "test", d.Sp)}
	case *syntax.LetStmt:
		return o.bindings(d)
	}
	return nil
}

func (o outliner) methods(list []*syntax.FnDecl) (out []Outline) {
	for _, m := range list {
		out = append(out, o.one(m.Name, "fn", m.Sp))
	}
	return out
}

func (o outliner) bindings(d *syntax.LetStmt) (out []Outline) {
	kind := [...]string{syntax.Let: "let", syntax.Var: "var", syntax.Const: "const"}[d.Kind]
	syntax.Walk(d.Pattern, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BindPattern); ok && b.Name.Text != "_" {
			out = append(out, o.one(b.Name, kind, d.Sp))
		}
		return true
	})
	return out
}
