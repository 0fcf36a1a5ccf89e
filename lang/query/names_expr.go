package query

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// expr notes the names that an expression itself holds.
func (l *lister) expr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		at := e.Sp
		at.End = at.Start + uint32(len(e.Name))
		l.object(at, l.in.Uses[e.Id], l.mod, l.in.Types[e.Id])
		l.typeExprs(e.TypeArgs)
	case *syntax.TypeName:
		l.typeExpr(e.Type)
	case *syntax.Member:
		l.member(e)
	case *syntax.Call:
		l.call(e)
	case *syntax.Is:
		if p := l.in.Variants[e]; p != nil {
			l.pattern(p)
		} else {
			l.typeExpr(e.Type)
		}
	case *syntax.As:
		l.typeExpr(e.Type)
	case *syntax.Lambda:
		l.params(e.Params)
		l.typeExpr(e.Result)
	default:
		l.control(e)
	}
}

func (l *lister) member(e *syntax.Member) {
	l.typeExprs(e.TypeArgs)
	t := l.in.Types[e.Id]
	if o := l.in.Uses[e.Id]; o != nil {
		l.object(e.Name.Sp, o, l.moduleOf(e.X), t)
		return
	}
	info := l.in.Members[e]
	switch {
	case info == nil:
	case info.Field != nil:
		l.add(e.Name.Sp, info.Field, t)
	case info.Fn != nil:
		l.add(e.Name.Sp, info.Fn, t)
	}
}

// moduleOf is the module that an expression names, or nil.
func (l *lister) moduleOf(e syntax.Expr) *types.Module {
	if m, ok := l.in.Uses[e.ID()].(*types.ModuleObj); ok {
		return m.Module
	}
	return nil
}

// call notes the name of the method that is called, and the names of arguments.
func (l *lister) call(e *syntax.Call) {
	info := l.in.Calls[e]
	if info == nil {
		return
	}
	if m, ok := e.Fn.(*syntax.Member); ok && info.Fn != nil && info.Kind != types.CallFunc {
		l.add(m.Name.Sp, info.Fn, nil)
	}
	if m, ok := e.Fn.(*syntax.Member); ok && info.Kind == types.CallCopy {
		l.add(m.Name.Sp, info.Type.(*types.Named).Decl.Copy(), nil)
	}
	for param, arg := range info.Args {
		if arg >= 0 && arg < len(e.Args) && e.Args[arg].Name.Text != "" {
			l.add(e.Args[arg].Name.Sp, paramOf(info, param), paramType(info, param))
		}
	}
}

// paramOf is the symbol of a parameter or field of what is called.
func paramOf(info *types.CallInfo, i int) Symbol {
	switch {
	case info.Fn != nil && i < len(info.Fn.Params):
		return info.Fn.Params[i].Obj
	case info.Variant != nil && i < len(info.Variant.Fields):
		return info.Variant.Fields[i]
	case info.Kind == types.CallStruct || info.Kind == types.CallCopy:
		if n, ok := info.Type.(*types.Named); ok && i < len(n.Decl.Fields) {
			return n.Decl.Fields[i]
		}
	}
	return nil
}

func paramType(info *types.CallInfo, i int) types.Type {
	if i < len(info.Params) {
		return info.Params[i]
	}
	return nil
}

func (l *lister) control(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.For:
		l.label(e.Label, e)
	case *syntax.While:
		l.label(e.Label, e)
	case *syntax.Loop:
		l.label(e.Label, e)
	case *syntax.Break:
		l.label(e.Label, l.in.Labels[e])
	case *syntax.Continue:
		l.label(e.Label, l.in.Labels[e])
	case *syntax.Try:
		for _, c := range e.Catches {
			l.local(c.Name.Sp, l.in.Catches[c])
			l.typeExpr(c.Type)
		}
	case *syntax.Lock:
		l.local(e.Name.Sp, l.in.Locks[e])
	}
}

// label notes the name of a loop, without its apostrophe.
func (l *lister) label(n syntax.Name, loop syntax.Expr) {
	if n.Text == "" || loop == nil {
		return
	}
	at := n.Sp
	at.Start = at.End - uint32(len(n.Text))
	l.add(at, loop, nil)
}

// ---- type expressions ----

func (l *lister) typeExprs(tes []syntax.TypeExpr) {
	for _, te := range tes {
		l.typeExpr(te)
	}
}

func (l *lister) typeExpr(te syntax.TypeExpr) {
	switch te := te.(type) {
	case *syntax.NamedType:
		l.namedType(te)
		l.typeExprs(te.Args)
	case *syntax.ListType:
		l.typeExpr(te.Elem)
	case *syntax.TupleType:
		l.typeExprs(te.Elems)
	case *syntax.OptionalType:
		l.typeExpr(te.Elem)
	case *syntax.FnType:
		l.typeExprs(te.Params)
		l.typeExpr(te.Result)
	}
}

func (l *lister) namedType(te *syntax.NamedType) {
	t := l.in.Types[te.Id]
	if p, ok := t.(*types.TypeParam); ok && te.Module.Text == "" && p.Name == te.Name.Text {
		l.add(te.Name.Sp, p, nil)
		return
	}
	scope := l.mod
	if te.Module.Text != "" {
		m, ok := l.mod.Lookup(te.Module.Text).(*types.ModuleObj)
		if !ok {
			return
		}
		l.add(te.Module.Sp, m, nil)
		scope = m.Module
	}
	l.add(te.Name.Sp, l.typeNamed(scope, te.Name.Text, t), nil)
}

// typeNamed is the declaration or alias that a name of a type means. What it
// denotes decides: a name of the module may hide the prelude's.
func (l *lister) typeNamed(scope *types.Module, name string, t types.Type) Symbol {
	if n, ok := t.(*types.Named); ok && n.Decl.Name == name {
		return n.Decl
	}
	if o := scope.Lookup(name); o != nil {
		if d, _ := types.Alias(o); d != nil {
			return o
		}
	}
	return nil
}

// declaredAt is where a symbol is declared.
func declaredAt(s Symbol) diag.Span {
	switch s := s.(type) {
	case *types.ModuleObj:
		f := s.Module.File.Source
		return f.Span(0, 0)
	case *types.Field:
		return s.At
	case *types.VariantDecl:
		return s.At
	case *types.TypeParam:
		return typeParamAt(s)
	case types.Object:
		return types.Place(s)
	case syntax.Expr:
		return labelAt(s)
	}
	return diag.NoSpan
}

// typeParamAt finds a type parameter in the syntax of what it belongs to.
func typeParamAt(p *types.TypeParam) diag.Span {
	var list []*syntax.TypeParam
	switch o := p.Owner.(type) {
	case *types.FuncDecl:
		list = o.Syntax.TypeParams
	case *types.TypeDecl:
		switch d := o.Syntax.(type) {
		case *syntax.StructDecl:
			list = d.TypeParams
		case *syntax.EnumDecl:
			list = d.TypeParams
		case *syntax.InterfaceDecl:
			list = d.TypeParams
		}
	default:
		if d, _ := types.Alias(aliasOwner(p)); d != nil {
			list = d.TypeParams
		}
	}
	if p.Index < len(list) {
		return list[p.Index].Name.Sp
	}
	return diag.NoSpan
}

// aliasOwner is the alias that a type parameter belongs to, or nil.
func aliasOwner(p *types.TypeParam) types.Object {
	o, _ := p.Owner.(types.Object)
	return o
}

func labelAt(loop syntax.Expr) diag.Span {
	var n syntax.Name
	switch e := loop.(type) {
	case *syntax.For:
		n = e.Label
	case *syntax.While:
		n = e.Label
	case *syntax.Loop:
		n = e.Label
	}
	if n.Text == "" {
		return diag.NoSpan
	}
	return diag.Span{Start: n.Sp.End - uint32(len(n.Text)), End: n.Sp.End}
}
