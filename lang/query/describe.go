package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/types"
)

// docOf is the doc comment of a symbol.
func docOf(s Symbol) string {
	switch s := s.(type) {
	case *types.Global:
		return s.Doc
	case *types.ConstObj:
		return s.Doc
	case *types.FuncDecl:
		return s.Doc
	case *types.TypeDecl:
		return s.Doc
	case *types.VariantDecl:
		return s.Doc
	case *types.Field:
		return s.Doc
	case *types.ModuleObj:
		return s.Module.Doc
	case *types.BuiltinFunc:
		return types.BuiltinNamed(s.Name).Doc
	case types.Object:
		if d, _ := types.Alias(s); d != nil {
			return d.Doc
		}
	}
	return ""
}

// describe is a symbol's declaration on one line, without its value. t is its
// type where it is used, nil for that of the declaration.
func describe(s Symbol, t types.Type) string {
	switch s := s.(type) {
	case *types.Local:
		return binding(s.Var) + typed(s.Name, t, s.Type)
	case *types.Global:
		return binding(s.Var) + typed(s.Name, t, s.Type)
	case *types.ConstObj:
		return "const " + typed(s.Name, t, s.Type)
	case *types.Field:
		return typed(s.Name, t, s.Type)
	case *types.FuncDecl:
		return fnLabel(s)
	case *types.TypeDecl:
		return kindWord(s.Kind) + " " + s.Name + typeParams(s.Params)
	case *types.VariantDecl:
		return variantLabel(s)
	case *types.TypeParam:
		return bounded(s)
	case *types.ModuleObj:
		return "import " + s.Module.Name
	case *types.BuiltinFunc:
		return types.BuiltinNamed(s.Name).Signature
	case types.Object:
		if d, t := types.Alias(s); d != nil && t != nil {
			return "type " + d.Name.Text + " = " + t.String()
		}
	}
	return ""
}

func binding(isVar bool) string {
	if isVar {
		return "var "
	}
	return "let "
}

// typed is `name: T` with the first type that is known.
func typed(name string, ts ...types.Type) string {
	for _, t := range ts {
		if t == nil {
			continue
		}
		if t = types.Prune(t); t != types.Type(types.Invalid) {
			return name + ": " + t.String()
		}
	}
	return name
}

func kindWord(k types.NamedKind) string {
	return [...]string{types.KStruct: "struct", types.KEnum: "enum", types.KInterface: "interface"}[k]
}

func bounded(p *types.TypeParam) string {
	if p.Bound == nil {
		return p.Name
	}
	return p.Name + ": " + p.Bound.String()
}

func typeParams(ps []*types.TypeParam) string {
	if len(ps) == 0 {
		return ""
	}
	list := make([]string, len(ps))
	for i, p := range ps {
		list[i] = bounded(p)
	}
	return "<" + strings.Join(list, ", ") + ">"
}

func variantLabel(v *types.VariantDecl) string {
	if len(v.Fields) == 0 {
		return v.Name
	}
	list := make([]string, len(v.Fields))
	for i, f := range v.Fields {
		list[i] = fieldLabel(f)
	}
	return v.Name + "(" + strings.Join(list, ", ") + ")"
}

func fieldLabel(f *types.Field) string {
	if f.Name == "" && f.Type != nil {
		return f.Type.String()
	}
	return typed(f.Name, f.Type)
}

// methodLabel is the head of a method as it is called on a value of some type.
func methodLabel(m types.Method) string {
	params := make([]string, len(m.Fn.Params))
	for i, p := range m.Fn.Params {
		params[i] = typed(p.Name, m.Type.Params[i])
		if p.Default != nil {
			params[i] += " = ..."
		}
	}
	return headLabel(m.Fn.Name+typeParams(m.Fn.TypeParams), params, m.Type.Result)
}

// headLabel is the head of a function with its parameters written.
func headLabel(name string, params []string, result types.Type) string {
	label := "fn " + name + "(" + strings.Join(params, ", ") + ")"
	if t := types.Prune(result); t != types.Type(types.Unit) && t != types.Type(types.Invalid) {
		label += " -> " + t.String()
	}
	return label
}

// fnLabel is the head of a function's declaration.
func fnLabel(f *types.FuncDecl) string {
	params := make([]string, len(f.Params))
	for i, p := range f.Params {
		params[i] = typed(p.Name, p.Type)
		if p.Default != nil {
			params[i] += " = ..."
		}
	}
	label := headLabel(f.Name+typeParams(f.TypeParams), params, f.Result)
	if f.On != nil {
		return "static " + label
	}
	return label
}
