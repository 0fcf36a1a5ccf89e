package types

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// binding is a local name in scope.
type binding struct {
	name   string
	obj    Object // *Local or *ConstObj
	frame  *frame // the function it belongs to
	defers int    // how many defers it was declared inside of
}

// builtins are the functions whose types cannot be written in Runnel; the
// prelude may declare one of these names itself.
var builtins = map[string]*BuiltinFunc{}

func init() {
	for _, n := range []string{"print", "assert", "same", "type_of", "int", "float", "str", "bytes"} {
		builtins[n] = &BuiltinFunc{n}
	}
}

// local finds the innermost local name.
func (c *checker) local(name string) *binding {
	for i := len(c.names) - 1; i >= 0; i-- {
		if c.names[i].name == name {
			return &c.names[i]
		}
	}
	return nil
}

// topLevel finds a name of the module, of the prelude, or a builtin.
func (c *checker) topLevel(name string) Object {
	if o, ok := c.mod.scope[name]; ok {
		return o
	}
	if o := c.preludeName(name); o != nil && (c.mod.prelude || isPub(o)) {
		return o
	}
	if b, ok := builtins[name]; ok {
		return b
	}
	return nil
}

// bind brings a local name into scope.
func (c *checker) bind(name syntax.Name, o Object, scope int) {
	if name.Text == "" || name.Text == "_" {
		return
	}
	for i := scope; i < len(c.names); i++ {
		if c.names[i].name == name.Text && c.names[i].frame == c.frame {
			c.err(diag.DuplicateName, name.Sp, "`%s` is already declared in this block", name.Text).
				label(objectPlace(c.names[i].obj), "first declared here").
				help("choose another name, or assign to a `var`")
			break
		}
	}
	c.names = append(c.names, binding{name.Text, o, c.frame, c.frame.defers})
}

// newLocal makes a local variable of the current function.
func (c *checker) newLocal(name syntax.Name, t Type) *Local {
	return &Local{Name: name.Text, Type: t, Func: c.frame.node, At: name.Sp}
}

// use notes that a local is used by the current function, which captures it
// when it belongs to an outer one.
func (c *checker) use(b *binding, at diag.Span) {
	l, ok := b.obj.(*Local)
	if !ok {
		return
	}
	for f := c.frame; f != b.frame && f != nil; f = f.parent {
		if f.expr != nil && !slices.Contains(c.info.Captures[f.expr], l) {
			c.info.Captures[f.expr] = append(c.info.Captures[f.expr], l)
			l.Captured = true
			if l.LockOf {
				c.lockedEscapes(l, at, "a closure or task")
			}
		}
	}
	if b.frame != c.frame {
		if l.Var && !l.LockOf {
			c.frame.effects.vars = append(c.frame.effects.vars, varUse{l.Name, l.At, at, b.frame})
		}
	} else if l.LockOf && c.frame.defers > b.defers {
		c.lockedEscapes(l, at, "a `defer`")
	}
}

func (c *checker) lockedEscapes(l *Local, at diag.Span, by string) {
	c.err(diag.LockedEscapes, at, "`%s` is guarded by a lock and cannot be used in %s", l.Name, by).
		label(l.At, "locked from here to the end of the block").
		note("it would run when the lock is no longer held").
		help("copy what is needed into a `let` first")
}

// useGlobal notes the use of a top-level variable.
func (c *checker) useGlobal(g *Global, at diag.Span) {
	if g.Var && c.frame != nil {
		c.frame.effects.vars = append(c.frame.effects.vars, varUse{g.Name, g.At, at, nil})
	}
}

// useFunc notes that the current function refers to fn.
func (c *checker) useFunc(fn *FuncDecl, at diag.Span) {
	st := c.fns[fn]
	if st == nil {
		return
	}
	if (c.frame == nil || c.frame.node != any(fn)) && (!c.test || c.opts.Tests) {
		st.used = true
	}
	if c.frame != nil && !fn.Module.Std {
		c.frame.effects.calls = append(c.frame.effects.calls, callUse{fn: fn, name: fn.Name, at: at})
	}
}

// useLambda notes that the current function refers to a variable that is known
// to be a lambda.
func (c *checker) useLambda(o Object, name string, at diag.Span) {
	if len(c.lambdas) == 0 {
		return
	}
	if fr := c.lambdas[o]; fr != nil {
		c.frame.effects.calls = append(c.frame.effects.calls, callUse{lambda: fr, name: name, at: at})
	}
}

// moduleNamed finds the module a name before a dot stands for, or nil.
func (c *checker) moduleNamed(e syntax.Expr) *ModuleObj {
	id, ok := e.(*syntax.Ident)
	if !ok || c.local(id.Name) != nil {
		return nil
	}
	m, _ := c.mod.scope[id.Name].(*ModuleObj)
	if m != nil {
		m.Used = true
		c.info.Uses[id.Id] = m
		c.info.Types[id.Id] = Unit
	}
	return m
}

// exported finds a public name of an imported module; it reports and gives nil
// where there is none.
func (c *checker) exported(module, name syntax.Name) Object {
	o, ok := c.mod.scope[module.Text]
	if !ok {
		d := c.err(diag.UnknownName, module.Sp, "there is no module `%s`", module.Text)
		if c.opts.Loader != nil && slices.Contains(c.opts.Loader.Names(), module.Text) {
			d.help("import it: `import %s`", module.Text)
		}
		return nil
	}
	m, ok := o.(*ModuleObj)
	if !ok {
		if _, bad := o.(badObj); !bad {
			c.err(diag.UnknownName, module.Sp, "`%s` is not a module", module.Text)
		}
		return nil
	}
	m.Used = true
	return c.exportOf(m.Module, name)
}

func (c *checker) exportOf(m *Module, name syntax.Name) Object {
	o, ok := m.scope[name.Text]
	if _, isModule := o.(*ModuleObj); !ok || isModule {
		d := c.err(diag.UnknownExport, name.Sp, "module `%s` has no `%s`", m.Name, name.Text)
		if near := nearest(name.Text, exports(m)); near != "" {
			d.help("did you mean `%s`?", near).fix("write "+near, diag.Edit{Span: name.Sp, New: near})
		}
		return nil
	}
	if !isPub(o) {
		if _, bad := o.(badObj); !bad {
			c.err(diag.PrivateName, name.Sp, "`%s` is private to module `%s`", name.Text, m.Name).
				label(objectPlace(o), "declared without `pub`").
				help("write `pub` before its declaration to export it")
		}
	}
	return o
}

func isPub(o Object) bool {
	switch o := o.(type) {
	case *FuncDecl:
		return o.Pub
	case *TypeDecl:
		return o.Pub
	case *Global:
		return o.Pub
	case *ConstObj:
		return o.Pub
	case *aliasObj:
		return o.decl.Pub
	}
	return false
}

func exports(m *Module) []string {
	var out []string
	for n, o := range m.scope {
		if isPub(o) {
			out = append(out, n)
		}
	}
	return out
}

// ---- suggestions ----

// nearest gives the candidate most like name, or "" when none is close.
func nearest(name string, candidates []string) string {
	slices.Sort(candidates) // maps list them in any order
	return diag.Suggest(name, candidates)
}

// foreignNames are what other languages call the functions and values here.
var foreignNames = map[string]string{
	"println": "print", "echo": "print", "puts": "print", "printf": "print", "null": "none", "nil": "none",
	"None": "none", "undefined": "none", "NULL": "none", "True": "true", "False": "false", "this": "self",
	"string": "str", "String": "str", "len": "x.len()", "length": "x.len()", "panic": "throw error(...)", "typeof": "type_of", "go": "spawn",
	"Error": "error",
}

func (c *checker) unknownName(id *syntax.Ident) {
	name := id.Name
	d := c.err(diag.UnknownName, id.Sp, "there is no `%s` here", name)
	if c.self != nil {
		if what := c.memberKind(c.self, name); what != "" {
			d.help("`%s` is a %s of this type: write `self.%s`", name, what, name).
				fix("write self."+name, diag.Edit{Span: id.Sp, New: "self." + name})
			return
		}
	}
	if isUpperCamel(name) {
		if enum := c.enumWith(name); enum != "" {
			d.help("it is a variant: write `%s.%s` where the type is not known from the context", enum, name).
				fix("write "+enum+"."+name, diag.Edit{Span: id.Sp, New: enum + "." + name})
			return
		}
	}
	if own, ok := foreignNames[name]; ok {
		d.help("it is written `%s` here", own)
		return
	}
	if c.opts.Loader != nil && slices.Contains(c.opts.Loader.Names(), name) {
		d.help("import the module first: `import %s`", name)
		return
	}
	if near := nearest(name, c.visibleNames()); near != "" {
		d.help("did you mean `%s`?", near).fix("write "+near, diag.Edit{Span: id.Sp, New: near})
	}
}

// memberKind says what a name is in a type: "field", "method" or "".
func (c *checker) memberKind(t Type, name string) string {
	if n, ok := t.(*Named); ok {
		for _, f := range n.Decl.Fields {
			if f.Name == name {
				return "field"
			}
		}
	}
	if m, _ := c.methodOf(t, name); m != nil {
		return "method"
	}
	return ""
}

// enumWith finds an enum in scope that has a variant.
func (c *checker) enumWith(variant string) string {
	var found []string
	for n, o := range c.mod.scope {
		if t, ok := o.(*TypeDecl); ok && t.Kind == KEnum && t.variant(variant) != nil {
			found = append(found, n)
		}
		if m, ok := o.(*ModuleObj); ok {
			for _, t := range m.Module.Types {
				if t.Pub && t.Kind == KEnum && t.variant(variant) != nil {
					found = append(found, n+"."+t.Name)
				}
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

func (d *TypeDecl) variant(name string) *VariantDecl {
	for _, v := range d.Variant {
		if v.Name == name {
			return v
		}
	}
	return nil
}

func (c *checker) visibleNames() []string {
	var out []string
	for _, b := range c.names {
		out = append(out, b.name)
	}
	for n := range c.mod.scope {
		out = append(out, n)
	}
	for n := range c.lib.byName {
		out = append(out, n)
	}
	for n := range builtins {
		out = append(out, n)
	}
	return out
}
