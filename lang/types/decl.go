package types

import (
	"cmp"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// aliasObj is a type alias: replaced by what it stands for wherever it is used.
type aliasObj struct {
	decl   *syntax.TypeDecl
	mod    *Module
	params []*TypeParam
	t      Type // nil until resolved
	busy   bool
}

func (*aliasObj) objNode() {}

// declare makes the module's top-level names, loading what it imports. Types
// and signatures are filled in by resolve.
func (c *checker) declare(m *Module) {
	c.in(env{mod: m, info: m.Info}, func() {
		m.scope = make(map[string]Object, min(len(m.File.Items), 1000))
		for _, item := range m.File.Items {
			if _, ok := item.(*syntax.ImportDecl); !ok && m.folded == nil {
				m.folded = foldedConsts(m) // what is imported is known
			}
			c.declareItem(m, item)
		}
	})
}

func (c *checker) declareItem(m *Module, item syntax.Stmt) {
	switch d := item.(type) {
	case *syntax.ImportDecl:
		c.declareImport(m, d)
	case *syntax.FnDecl:
		c.lowerCase(d.Name, "function")
		c.libraryOnly(m, d.Native, d.Name.Sp, "`native fn`")
		f := c.newFunc(m, d)
		m.Funcs = append(m.Funcs, f)
		c.declareName(m, d.Name, f)
	case *syntax.StructDecl:
		c.libraryOnly(m, d.Native, d.Name.Sp, "`native struct`")
		t := c.newType(m, d, KStruct, d.Name, d.TypeParams, d.Methods)
		t.Pub, t.Doc, t.Native = d.Pub, d.Doc, d.Native
		for i, f := range d.Fields {
			c.lowerCase(f.Name, "field")
			t.Fields = append(t.Fields, &Field{Name: f.Name.Text, ReadOnly: f.ReadOnly, Default: f.Default, Index: i, At: f.Name.Sp, Doc: f.Doc})
		}
	case *syntax.EnumDecl:
		t := c.newType(m, d, KEnum, d.Name, d.TypeParams, d.Methods)
		t.Pub, t.Doc = d.Pub, d.Doc
		for i, v := range d.Variants {
			c.upperCase(v.Name, "variant")
			vd := &VariantDecl{Name: v.Name.Text, Tag: i, At: v.Name.Sp, Doc: v.Doc}
			for j, p := range v.Fields {
				if p.Name.Text != "" {
					c.lowerCase(p.Name, "field")
				}
				vd.Fields = append(vd.Fields, &Field{Name: p.Name.Text, ReadOnly: true, Default: p.Default, Index: j, At: p.Name.Sp})
			}
			t.Variant = append(t.Variant, vd)
		}
	case *syntax.InterfaceDecl:
		t := c.newType(m, d, KInterface, d.Name, d.TypeParams, d.Methods)
		t.Pub, t.Doc = d.Pub, d.Doc
	case *syntax.TypeDecl:
		c.upperCase(d.Name, "type")
		a := &aliasObj{decl: d, mod: m}
		a.params = c.newTypeParams(d.TypeParams, a)
		c.declareName(m, d.Name, a)
	case *syntax.ExtendDecl:
		c.libraryOnly(m, true, d.Sp, "`extend`")
		e := &Extend{Target: Invalid}
		e.Params = c.newTypeParams(d.TypeParams, e)
		for _, s := range d.Methods {
			f := c.newFunc(m, s)
			f.Ext = e
			e.Methods = append(e.Methods, f)
		}
		m.extends = append(m.extends, e)
		m.extendDecls = append(m.extendDecls, d)
	case *syntax.TestDecl:
		m.Tests = append(m.Tests, d)
	case *syntax.LetStmt:
		c.declareGlobals(m, d)
	}
}

func (c *checker) libraryOnly(m *Module, native bool, at diag.Span, what string) {
	if native && !m.Std {
		c.err(diag.LibraryOnly, at, "%s can only stand in the standard library", what).
			help("write it in Runnel, or have the host register a module")
	}
}

func (c *checker) declareImport(m *Module, d *syntax.ImportDecl) {
	target := c.importModule(m, d)
	name := d.Alias
	if name.Text == "" {
		name = syntax.Name{Text: moduleName(d.Path), Sp: d.PathSp}
		if !isLowerSnake(name.Text) {
			c.err(diag.WrongCase, d.PathSp, "`%s` cannot be a module's name here", name.Text).
				help("give it one: `import \"%s\" as name`", d.Path)
			return
		}
	} else {
		c.lowerCase(name, "module")
	}
	if target == nil {
		c.declareName(m, name, badObj{})
		return
	}
	m.Imports = append(m.Imports, target)
	c.declareName(m, name, &ModuleObj{Module: target, At: name.Sp})
}

// badObj is a name that stands for something already reported.
type badObj struct{}

func (badObj) objNode() {}

func (c *checker) newFunc(m *Module, d *syntax.FnDecl) *FuncDecl {
	f := &FuncDecl{Name: d.Name.Text, Module: m, Pub: d.Pub, Native: d.Native, Doc: d.Doc, Result: Invalid, Syntax: d, At: d.Name.Sp}
	f.TypeParams = c.newTypeParams(d.TypeParams, f)
	c.fns[f] = &fnState{}
	return f
}

func (c *checker) newType(m *Module, s syntax.Stmt, kind NamedKind, name syntax.Name, params []*syntax.TypeParam, methods []*syntax.FnDecl) *TypeDecl {
	if !m.prelude { // the prelude has types that look built-in
		c.upperCase(name, "type")
	}
	t := &TypeDecl{Kind: kind, Name: name.Text, Module: m, At: name.Sp, Syntax: s}
	switch s := s.(type) {
	case *syntax.StructDecl:
		t.Broken = s.Broken
	case *syntax.InterfaceDecl:
		t.Broken = s.Broken
	}
	c.fields[t] = true
	t.Params = c.newTypeParams(params, t)
	args := make([]Type, len(t.Params))
	for i, p := range t.Params {
		args[i] = p
	}
	t.Self = &Named{Decl: t, Args: args}
	for _, d := range methods {
		c.lowerCase(d.Name, "method")
		c.libraryOnly(m, d.Native, d.Name.Sp, "`native fn`")
		f := c.newFunc(m, d)
		if d.Static {
			f.On = t
			t.Statics = append(t.Statics, f)
			continue
		}
		f.Owner = t
		t.Methods = append(t.Methods, f)
	}
	m.Types = append(m.Types, t)
	c.declareName(m, name, t)
	return t
}

func (c *checker) newTypeParams(ps []*syntax.TypeParam, owner any) []*TypeParam {
	if len(ps) == 0 {
		return nil
	}
	out := make([]*TypeParam, len(ps))
	for i, p := range ps {
		c.upperCase(p.Name, "type parameter")
		out[i] = &TypeParam{Name: p.Name.Text, Index: i, Owner: owner}
		for _, q := range out[:i] {
			if q.Name == p.Name.Text {
				c.err(diag.DuplicateName, p.Name.Sp, "type parameter `%s` is declared twice", p.Name.Text)
				out[i].repeated = true
			}
		}
	}
	return out
}

func (c *checker) declareGlobals(m *Module, d *syntax.LetStmt) {
	if m.folded[d] {
		b := d.Pattern.(*syntax.BindPattern)
		c.declareName(m, b.Name, c.newConst(m, d, b))
		return
	}
	if d.Kind == syntax.Var && !m.Script {
		c.err(diag.ModuleStatement, d.Sp, "a module that is imported has no `var`").
			help("use `let` with a `mutex`, a `chan` or `sync.atomic`: every importer shares it")
	}
	c.eachBinding(d.Pattern, func(b *syntax.BindPattern) {
		c.bindingCase(b, "variable")
		g := &Global{Name: b.Name.Text, Module: m, Var: d.Kind == syntax.Var, Pub: d.Pub, Doc: d.Doc, At: b.Name.Sp, Index: len(m.Globals)}
		m.Globals = append(m.Globals, g)
		m.Info.GlobalBinds[b] = g
		c.declareName(m, b.Name, g)
	})
}

// eachBinding visits the names a pattern binds.
func (c *checker) eachBinding(p syntax.Pattern, f func(*syntax.BindPattern)) {
	if !c.enter(p.Span()) {
		return
	}
	defer c.leave()
	switch p := p.(type) {
	case *syntax.BindPattern:
		if p.Name.Text != "_" {
			f(p)
		}
	case *syntax.TuplePattern:
		for _, e := range p.Elems {
			c.eachBinding(e, f)
		}
	case *syntax.ListPattern:
		for _, e := range p.Elems {
			c.eachBinding(e, f)
		}
		if p.Between != nil {
			c.eachBinding(p.Between, f)
		}
	case *syntax.VariantPattern:
		for _, e := range p.Fields {
			c.eachBinding(e.Pat, f)
		}
	case *syntax.OrPattern:
		for _, e := range p.Alts {
			c.eachBinding(e, f)
		}
	}
}

func (c *checker) declareName(m *Module, name syntax.Name, o Object) {
	if name.Text == "" || name.Text == "_" {
		return
	}
	_, told := o.(badObj)
	if old, ok := m.scope[name.Text]; ok && old != Object(badObj{}) {
		if told {
			return
		}
		d := c.err(diag.DuplicateName, name.Sp, "`%s` is already declared", name.Text)
		if at := objectPlace(old); at.IsValid() {
			d.label(at, "first declared here")
		}
		return
	}
	m.scope[name.Text] = o
}

func objectPlace(o Object) diag.Span {
	switch o := o.(type) {
	case *Local:
		return o.At
	case *Global:
		return o.At
	case *ConstObj:
		return o.At
	case *FuncDecl:
		return o.At
	case *TypeDecl:
		return o.At
	case *ModuleObj:
		return o.At
	case *aliasObj:
		return o.decl.Name.Sp
	}
	return diag.NoSpan
}

// ---- signatures ----

// resolve fills in the types of what the module declares.
func (c *checker) resolve(m *Module) {
	c.in(env{mod: m, info: m.Info}, func() {
		for _, t := range m.Types {
			c.resolveType(t)
		}
		for _, item := range m.File.Items { // in order, as errors depend on it
			if d, ok := item.(*syntax.TypeDecl); ok {
				if a, ok := m.scope[d.Name.Text].(*aliasObj); ok {
					c.resolveAlias(a)
				}
			}
		}
		for i, e := range m.extends {
			d := m.extendDecls[i]
			c.tparams = e.Params
			c.resolveBounds(e.Params, d.TypeParams)
			e.Target = c.typeExpr(d.Target)
			for _, f := range e.Methods {
				c.resolveFunc(f)
			}
		}
		c.tparams = nil
		for _, f := range m.Funcs {
			c.resolveFunc(f)
		}
	})
}

func (c *checker) resolveBounds(ps []*TypeParam, ss []*syntax.TypeParam) {
	for i, s := range ss {
		if s.Bound == nil {
			continue
		}
		t := c.typeExpr(s.Bound)
		n, ok := t.(*Named)
		if !ok || n.Decl.Kind != KInterface {
			if t != Type(Invalid) {
				d := c.err(diag.BoundNotMet, s.Bound.Span(), "a bound must be an interface, and `%s` is none", t)
				if _, ok := t.(*Func); ok {
					d.help("leave `%s` out, and write the type of the function at the parameter: `f: %s`", s.Name.Text, t)
				}
			}
			continue
		}
		ps[i].Bound = n
	}
}

func (c *checker) resolveType(t *TypeDecl) {
	c.tparams = t.Params
	switch d := t.Syntax.(type) {
	case *syntax.StructDecl:
		c.resolveBounds(t.Params, d.TypeParams)
		for i, f := range d.Fields {
			t.Fields[i].Type = c.typeExpr(f.Type)
			_, t.Fields[i].noneByDefault = optionalOf(t.Fields[i].Type)
		}
		c.distinctFields(t.Fields, t.Name)
		c.resolveAsserts(t, d.Implements)
	case *syntax.EnumDecl:
		c.resolveBounds(t.Params, d.TypeParams)
		c.resolveAsserts(t, d.Implements)
		declared := map[string]*VariantDecl{}
		for i, v := range d.Variants {
			if w := declared[v.Name.Text]; w != nil {
				c.err(diag.DuplicateName, v.Name.Sp, "variant `%s` is declared twice", w.Name).label(w.At, "first declared here")
			} else {
				declared[v.Name.Text] = t.Variant[i]
			}
			for j, p := range v.Fields {
				t.Variant[i].Fields[j].Type = c.typeExpr(p.Type)
			}
			c.distinctFields(t.Variant[i].Fields, v.Name.Text)
		}
	case *syntax.InterfaceDecl:
		c.resolveBounds(t.Params, d.TypeParams)
	}
	for i, f := range t.Methods {
		c.resolveFunc(f)
		c.distinctMethod(t, i)
	}
	if d, ok := t.Syntax.(*syntax.EnumDecl); ok {
		defer func() {
			c.number(t, d)
			c.derive(t)
		}()
	}
	for _, f := range t.Statics {
		c.resolveFunc(f)
		c.distinctStatic(t, f)
	}
	c.tparams = nil
}

// resolveAsserts finds the interfaces that a type says it satisfies.
func (c *checker) resolveAsserts(t *TypeDecl, list []syntax.TypeExpr) {
	for _, te := range list {
		at := c.typeExpr(te)
		if n, ok := at.(*Named); ok && n.Decl.Kind == KInterface {
			t.Asserts = append(t.Asserts, n)
		} else if at != Type(Invalid) {
			c.err(diag.AssertNotMet, te.Span(), "`%s` is not an interface", at).
				help("a type has no base type; put a value of it in a field instead")
		}
	}
}

func (c *checker) distinctFields(fs []*Field, of string) {
	places := fieldPlaces(fs)
	for i, f := range fs {
		if first := places.of(f.Name); first != i && f.Name != "" {
			c.err(diag.DuplicateName, f.At, "`%s` has two fields `%s`", of, f.Name).label(fs[first].At, "first declared here")
		}
	}
}

func (c *checker) distinctMethod(t *TypeDecl, i int) {
	m := t.Methods[i]
	if first := t.Method(m.Name); first != m {
		c.err(diag.DuplicateName, m.At, "`%s` has two methods `%s`", t.Name, m.Name).label(first.At, "first declared here")
	}
	if f := t.field(m.Name); f != nil {
		c.err(diag.DuplicateName, m.At, "`%s` has a field and a method `%s`", t.Name, m.Name).label(f.At, "the field")
	}
}

func (c *checker) resolveFunc(f *FuncDecl) {
	outer := c.tparams
	c.tparams = append(outer[:len(outer):len(outer)], f.TypeParams...)
	defer func() { c.tparams = outer }()
	d := f.Syntax
	c.resolveBounds(f.TypeParams, d.TypeParams)
	for i, p := range d.Params {
		var t Type = Invalid
		if p.Type != nil {
			t = c.typeExpr(p.Type)
		}
		c.lowerCase(p.Name, "parameter")
		for _, q := range d.Params[:i] {
			if q.Name.Text == p.Name.Text && q.Name.Text != "_" {
				c.err(diag.DuplicateName, p.Name.Sp, "there are two parameters `%s`", p.Name.Text).label(q.Name.Sp, "first declared here")
			}
		}
		l := &Local{Name: p.Name.Text, Type: t, Func: f, At: p.Name.Sp, Used: true}
		f.Params = append(f.Params, &Param{Name: p.Name.Text, Type: t, Default: p.Default, Obj: l})
		c.info.Params[p] = l
	}
	f.Result = Unit
	if d.Result != nil {
		f.Result = c.typeExpr(d.Result)
	} else if len(d.Params) > 0 && isBadType(d.Params[0].Type) {
		f.Result = Invalid // parameters of another language: so may be the result
	}
}

func isBadType(te syntax.TypeExpr) bool {
	_, bad := te.(*syntax.BadType)
	return bad
}

// ---- casing ----

// bindingCase demands a lower case name, or one in capitals for a constant.
func (c *checker) bindingCase(b *syntax.BindPattern, what string) {
	if !b.Const || !isCapitals(b.Name.Text) {
		c.lowerCase(b.Name, what)
	}
}

func (c *checker) lowerCase(n syntax.Name, what string) {
	if n.Text == "" || isLowerSnake(n.Text) {
		return
	}
	s := names.Snake(n.Text)
	c.err(diag.WrongCase, n.Sp, "a %s's name is lower case: `%s`", what, s).
		fix("rename it", diag.Edit{Span: n.Sp, New: s})
}

func (c *checker) upperCase(n syntax.Name, what string) {
	if n.Text == "" || isUpperCamel(n.Text) {
		return
	}
	s := cmp.Or(names.Camel(n.Text), "T")
	c.err(diag.WrongCase, n.Sp, "a %s's name begins with a capital and has no `_`: `%s`", what, s).
		fix("rename it", diag.Edit{Span: n.Sp, New: s})
}

func isLowerSnake(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return false
		}
	}
	return s != ""
}

// isCapitals reports whether a name is written like MAX_SIZE.
func isCapitals(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return s != "" && s[0] >= 'A' && s[0] <= 'Z'
}

func isUpperCamel(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '_' {
			return false
		}
	}
	return s != "" && (s[0] >= 'A' && s[0] <= 'Z' || s[0] >= utf8.RuneSelf)
}
