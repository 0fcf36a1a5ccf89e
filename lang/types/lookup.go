package types

import (
	"maps"
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
	if i := c.innermost(name); i >= 0 {
		return &c.names[i]
	}
	return nil
}

// innermost returns the place of the innermost local name, or -1. A function may
// have very many: where each was bound last is known, and what has gone out of
// scope since is found by looking at all.
func (c *checker) innermost(name string) int {
	i, ok := c.bound[name]
	switch {
	case !ok:
		return -1
	case i < len(c.names) && c.names[i].name == name:
		return i
	}
	for i = len(c.names) - 1; i >= 0; i-- {
		if c.names[i].name == name {
			c.bound[name] = i
			return i
		}
	}
	delete(c.bound, name)
	return -1
}

// push brings a name into scope.
func (c *checker) push(b binding) {
	if c.bound == nil {
		c.bound = map[string]int{}
	}
	c.bound[b.name] = len(c.names)
	c.names = append(c.names, b)
}

// topLevel finds a name of the module, of the prelude, or a builtin.
func (c *checker) topLevel(name string) Object {
	if o := c.mod.find(name); o != nil {
		if before := c.mod.outer[name]; before != nil && c.notYet(o) {
			return before // `let x = x + 1` continues a session's x
		}
		return o
	}
	if o := c.preludeName(name); o != nil && (c.mod.Std || isPub(o)) {
		return o
	}
	if b, ok := builtins[name]; ok {
		return b
	}
	return nil
}

// notYet reports whether a top-level variable is declared by a later statement
// than the one of the module that is being checked.
func (c *checker) notYet(o Object) bool {
	g, ok := o.(*Global)
	if !ok || c.frame == nil || c.globals[g] {
		return false
	}
	m, top := c.frame.node.(*Module)
	return top && m == g.Module
}

// bind brings a local name into scope.
func (c *checker) bind(name syntax.Name, o Object, scope int) {
	if name.Text == "" || name.Text == "_" {
		return
	}
	if i := c.innermost(name.Text); i >= scope && c.names[i].frame == c.frame {
		c.err(diag.DuplicateName, name.Sp, "`%s` is already declared in this block", name.Text).
			label(objectPlace(c.names[i].obj), "first declared here").
			help("choose another name, or assign to a `var`")
	}
	c.push(binding{name.Text, o, c.frame, c.frame.defers})
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
		if f.expr == nil { // a local function
			l.Captured = true
			if l.LockOf {
				c.lockedEscapes(l, at, "a closure or task")
			}
			continue
		}
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
			c.frame.effects.vars = append(c.frame.effects.vars, varUse{l.Name, func() Type { return l.Type }, l.At, at, b.frame})
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
		c.frame.effects.vars = append(c.frame.effects.vars, varUse{g.Name, func() Type { return g.Type }, g.At, at, nil})
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
	m, _ := c.mod.find(id.Name).(*ModuleObj)
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
	o := c.mod.find(module.Text)
	if o == nil {
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
	return c.exportOf(m.Module, name, true)
}

// exportOf finds a public name of a module, where isType says a type.
func (c *checker) exportOf(m *Module, name syntax.Name, isType bool) Object {
	o, ok := m.scope[name.Text]
	if _, isModule := o.(*ModuleObj); !ok || isModule {
		d := c.err(diag.UnknownExport, name.Sp, "module `%s` has no `%s`", m.Name, name.Text)
		enum := c.exportedEnum(m, name.Text)
		switch {
		case m.Std && exportsElsewhere()[m.Name+"."+name.Text] != "":
			d.rename("it is called `%s` here", exportsElsewhere()[m.Name+"."+name.Text], diag.Edit{Span: name.Sp, New: exportsElsewhere()[m.Name+"."+name.Text]})
		case d.didYouMean(name.Text, name.Sp, exports(m, isType)):
		case c.lib.byName[name.Text] != nil:
			d.help("`%s` is built in: leave `%s.` away", name.Text, m.Name)
		case enum != "":
			d.fix("it is a variant of `"+enum+"`", diag.Edit{Span: name.Sp, New: enum + "." + name.Text})
		case m.Std:
			d.help("`runnel doc %s` shows what it has", libraryModule(m))
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

// exports lists what a module exports, or only its types.
func exports(m *Module, types bool) []string {
	var out []string
	for n, o := range m.scope {
		if isPub(o) && (!types || isUpperCamel(n)) {
			out = append(out, n)
		}
	}
	return out
}

// exportedEnum finds an enum that a module exports and that has a variant, or "".
func (c *checker) exportedEnum(m *Module, variant string) string {
	if !isUpperCamel(variant) {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(m.scope)) {
		o := m.scope[name]
		if !isPub(o) {
			continue
		}
		t, _ := o.(*TypeDecl)
		if alias, ok := o.(*aliasObj); ok {
			if n, ok := c.resolveAlias(alias).(*Named); ok {
				t = n.Decl
			}
		}
		if t != nil && t.Kind == KEnum && t.variant(variant) != nil {
			return name
		}
	}
	return ""
}
