package query

import (
	"sort"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// Symbol is what a name stands for: a types.Object, or a *types.Field,
// *types.VariantDecl, *types.TypeParam, or the loop of a label. Two names mean
// the same when their symbols are equal.
type Symbol any

// Name is a name in the source.
type Name struct {
	Span   diag.Span
	Symbol Symbol
	Type   types.Type // of a value in this place, nil when it is not known
}

// lister finds the names of one module.
type lister struct {
	a     *analysis
	mod   *types.Module
	in    *types.Info
	decls map[syntax.Node]any // what syntax declares: *types.FuncDecl, *types.TypeDecl
	list  []Name
}

// namesOf lists the names of a module, in the order of a walk.
func (a *analysis) namesOf(m *types.Module) []Name {
	l := &lister{a: a, mod: m, in: m.Info, decls: declarations(m)}
	for _, item := range m.File.Items {
		syntax.Walk(item, func(n syntax.Node) bool { l.node(n); return true })
	}
	return l.list
}

// namesFor lists the names of a symbol in the program's own files.
func (a *analysis) namesFor(s Symbol) []Name {
	var list []Name
	for _, m := range a.prog.Modules {
		if m.Std {
			continue
		}
		for _, n := range a.namesOf(m) {
			if n.Symbol == s {
				list = append(list, n)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Span.Start < list[j].Span.Start })
	return list
}

// declarations maps the syntax of a module's declarations to them.
func declarations(m *types.Module) map[syntax.Node]any {
	out := map[syntax.Node]any{}
	for _, f := range m.Funcs {
		out[f.Syntax] = f
	}
	for _, t := range m.Types {
		out[t.Syntax] = t
		for _, f := range t.Methods {
			out[f.Syntax] = f
		}
		for _, f := range t.Statics {
			out[f.Syntax] = f
		}
	}
	return out
}

// add notes a name. One that is not written in the source is left out, such as
// that of a method which a pattern or an operator means.
func (l *lister) add(at diag.Span, s Symbol, t types.Type) {
	if s == nil || !at.IsValid() || at.End <= at.Start {
		return
	}
	l.list = append(l.list, Name{at, s, t})
}

// object notes a name that stands for an object. An alias leaves no trace in
// what was checked, and a variant has a new object for each use.
func (l *lister) object(at diag.Span, o types.Object, scope *types.Module, t types.Type) {
	switch x := o.(type) {
	case nil:
		return
	case *types.VariantRef:
		l.add(at, x.Variant, t)
		return
	case *types.TypeDecl:
		if written := l.a.text(at); written != x.Name && scope != nil {
			if d, _ := types.Alias(scope.Lookup(written)); d != nil {
				l.add(at, scope.Lookup(written), t)
			}
			return
		}
	}
	l.add(at, o, t)
}

// node notes the names that a node itself holds.
func (l *lister) node(n syntax.Node) {
	switch n := n.(type) {
	case syntax.Expr:
		l.expr(n)
	case syntax.Pattern:
		l.pattern(n)
	case syntax.Stmt:
		l.decl(n)
	}
}

func (l *lister) decl(n syntax.Stmt) {
	switch n := n.(type) {
	case *syntax.ImportDecl:
		l.imported(n)
	case *syntax.FnDecl:
		if f, ok := l.decls[n].(*types.FuncDecl); ok {
			l.add(n.Name.Sp, f, nil)
			l.typeParams(n.TypeParams, f.TypeParams)
		}
		for _, f := range l.in.LocalFns[n] {
			l.local(f.At, f)
		}
		l.params(n.Params)
		l.typeExpr(n.Result)
	case *syntax.StructDecl:
		if t := l.typeDecl(n, n.Name, n.TypeParams); t != nil {
			for i, f := range n.Fields {
				l.add(f.Name.Sp, t.Fields[i], t.Fields[i].Type)
				l.typeExpr(f.Type)
			}
		}
		l.typeExprs(n.Implements)
	case *syntax.EnumDecl:
		if t := l.typeDecl(n, n.Name, n.TypeParams); t != nil {
			for i, v := range n.Variants {
				l.variantDecl(v, t.Variant[i])
			}
		}
		l.typeExprs(n.Implements)
	case *syntax.InterfaceDecl:
		l.typeDecl(n, n.Name, n.TypeParams)
	case *syntax.TypeDecl:
		if o := l.mod.Lookup(n.Name.Text); o != nil && types.Place(o) == n.Name.Sp {
			l.add(n.Name.Sp, o, nil)
			l.typeParams(n.TypeParams, types.AliasParams(o))
		}
		l.typeExpr(n.Type)
	case *syntax.ExtendDecl:
		l.typeExpr(n.Target)
	case *syntax.LetStmt:
		l.typeExpr(n.Type)
	}
}

// imported notes the name of a module where it is imported.
func (l *lister) imported(n *syntax.ImportDecl) {
	at := n.Alias.Sp
	if n.Alias.Text == "" {
		at = n.PathSp
	}
	for _, name := range []string{n.Alias.Text, moduleName(n.Path)} {
		if m, ok := l.mod.Lookup(name).(*types.ModuleObj); ok && m.At == at {
			l.add(at, m, nil)
			return
		}
	}
}

// moduleName is how a module imported by a path is called by default.
func moduleName(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".rnl")
}

func (l *lister) typeDecl(n syntax.Stmt, name syntax.Name, params []*syntax.TypeParam) *types.TypeDecl {
	t, ok := l.decls[n].(*types.TypeDecl)
	if !ok {
		return nil
	}
	l.add(name.Sp, t, nil)
	l.typeParams(params, t.Params)
	return t
}

func (l *lister) variantDecl(s *syntax.Variant, v *types.VariantDecl) {
	l.add(s.Name.Sp, v, nil)
	for i, p := range s.Fields {
		if p.Name.Text != "" {
			l.add(p.Name.Sp, v.Fields[i], v.Fields[i].Type)
		}
		l.typeExpr(p.Type)
	}
}

func (l *lister) typeParams(ss []*syntax.TypeParam, ps []*types.TypeParam) {
	for i, s := range ss {
		l.add(s.Name.Sp, ps[i], nil)
		l.typeExpr(s.Bound)
	}
}

func (l *lister) params(ps []*syntax.Param) {
	for _, p := range ps {
		l.local(p.Name.Sp, l.in.Params[p])
		l.typeExpr(p.Type)
	}
}

func (l *lister) local(at diag.Span, v *types.Local) {
	if v != nil {
		l.add(at, v, v.Type)
	}
}

// ---- patterns ----

func (l *lister) pattern(p syntax.Pattern) {
	info := l.in.Pats[p]
	switch p := p.(type) {
	case *syntax.BindPattern:
		if g := l.in.GlobalBinds[p]; g != nil {
			l.add(p.Name.Sp, g, g.Type)
		} else if k := l.in.ConstBinds[p]; k != nil {
			l.add(p.Name.Sp, k, k.Type)
		} else if info != nil {
			l.local(p.Name.Sp, info.Bind)
		}
		l.typeExpr(p.Type)
	case *syntax.VariantPattern:
		l.typeExprs(p.TypeArgs)
		if info != nil {
			l.variantPattern(p, info)
		}
	}
}

func (l *lister) variantPattern(p *syntax.VariantPattern, info *types.PatInfo) {
	scope := l.qualifier(p)
	var fields []*types.Field
	switch {
	case info.Variant != nil:
		l.add(p.Name.Sp, info.Variant, nil)
		fields = info.Variant.Fields
	case info.Struct != nil:
		l.object(p.Name.Sp, info.Struct, scope, nil)
		fields = info.Struct.Fields
	}
	for i, f := range p.Fields {
		if f.Name.Text != "" && i < len(info.Fields) && info.Fields[i] >= 0 && info.Fields[i] < len(fields) {
			l.add(f.Name.Sp, fields[info.Fields[i]], nil)
		}
	}
}

// qualifier notes the names before a variant's, as in `shapes.Shape.Dot`, and
// gives the module in which the name is looked for.
func (l *lister) qualifier(p *syntax.VariantPattern) *types.Module {
	scope := l.mod
	if p.Qualifier.Text == "" {
		return scope
	}
	text, from := l.a.text(p.Qualifier.Sp), p.Qualifier.Sp.Start
	for _, word := range strings.Split(p.Qualifier.Text, ".") {
		i := strings.Index(text, word)
		if i < 0 {
			return scope
		}
		at := diag.Span{Start: from + uint32(i), End: from + uint32(i+len(word))}
		o := scope.Lookup(word)
		if o == nil {
			o = l.a.prog.PreludeName(word)
		}
		l.object(at, o, nil, nil)
		if m, ok := o.(*types.ModuleObj); ok {
			scope = m.Module
		}
		text, from = text[i+len(word):], at.End
	}
	return scope
}
