package query

import (
	"errors"
	"fmt"
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/lang/types"
)

// Change is what is to be edited in a file.
type Change struct {
	File  string
	Edits []Edit
}

// Rename gives what is named at an offset another name, everywhere. It says why
// when it does not: the program must have no errors before, and after it every
// name must stand for the same as before.
func (f *File) Rename(at int, name string) ([]Change, error) {
	a := f.all()
	n, ok := a.nameAt(f.inside(at))
	switch {
	case failed(a.diags):
		return nil, errors.New("the program has errors: a name could be missed")
	case !ok:
		return nil, errors.New("there is no name here")
	}
	old := a.text(n.Span)
	if err := a.mayRename(n, old, name); err != nil {
		return nil, err
	}
	changes := a.edits(n.Symbol, name)
	if old == name {
		return nil, nil
	}
	return changes, f.sameAfter(a, changes, name)
}

// mayRename reports why a symbol cannot have another name.
func (a *analysis) mayRename(n Name, old, name string) error {
	toks := syntax.Scan(name)
	if len(toks) != 1 || toks[0].Kind != token.Ident && !(isMember(n.Symbol) && toks[0].Kind.IsKeyword()) || int(toks[0].Sp.End) != len(name) || name == "_" {
		return fmt.Errorf("`%s` is no name", name)
	}
	if isUpper(old) != isUpper(name) {
		return fmt.Errorf("`%s` must begin with a letter of the same case as `%s`", name, old)
	}
	if m, ok := n.Symbol.(*types.ModuleObj); ok {
		if a.text(m.At) != old {
			return errors.New("a module is given another name by `import ... as name`")
		}
		return nil
	}
	if p, ok := a.place(declaredAt(n.Symbol)); !ok || !a.isOwn(p.File) {
		return fmt.Errorf("`%s` is not declared in this program", old)
	}
	return nil
}

// isMember reports whether a symbol is used after a dot, where any word can
// stand.
func isMember(s Symbol) bool {
	if f, ok := s.(*types.FuncDecl); ok {
		return f.Owner != nil || f.On != nil
	}
	_, ok := s.(*types.Field)
	return ok
}

func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// isOwn reports whether a file is one of the program, not of the library.
func (a *analysis) isOwn(file string) bool {
	return slices.ContainsFunc(a.prog.Modules, func(m *types.Module) bool { return !m.Std && m.File.Source.Name == file })
}

// edits replaces each name of a symbol.
func (a *analysis) edits(s Symbol, name string) (list []Change) {
	for _, n := range a.namesFor(s) {
		p, ok := a.place(n.Span)
		if !ok {
			continue
		}
		if len(list) == 0 || list[len(list)-1].File != p.File {
			list = append(list, Change{File: p.File})
		}
		last := &list[len(list)-1]
		e := Edit{p.Start, p.End, name}
		if m, ok := s.(*types.ModuleObj); ok && n.Span == m.At && !a.isAlias(m) {
			e = Edit{p.End, p.End, " as " + name}
		}
		if !slices.Contains(last.Edits, e) {
			last.Edits = append(last.Edits, e)
		}
	}
	return list
}

// isAlias reports whether a module's name was written with `as`.
func (a *analysis) isAlias(m *types.ModuleObj) bool {
	for _, mod := range a.prog.Modules {
		for _, item := range mod.File.Items {
			if d, ok := item.(*syntax.ImportDecl); ok && d.Alias.Sp == m.At {
				return true
			}
		}
	}
	return false
}

// sameAfter reports why a program is another one after changes.
func (f *File) sameAfter(a *analysis, changes []Change, name string) error {
	text := f.text
	edited := map[string]Change{}
	for _, c := range changes {
		edited[c.File] = c
	}
	if c, ok := edited[f.name]; ok {
		if text, ok = Apply(text, c.Edits); !ok {
			return errors.New("its names overlap")
		}
	}
	opts := f.opts
	opts.Loader = changedLoader{opts.Loader, edited}
	b := analyze(f.name, text, opts, -1)
	for _, d := range b.diags {
		if d.Severity == diag.Error {
			return fmt.Errorf("with the name `%s`: %s", name, d.Message)
		}
	}
	was, is := a.bindings(edited), b.bindings(nil)
	if !slices.Equal(was, is) {
		return fmt.Errorf("`%s` is another name already where this one is used", name)
	}
	return nil
}

// changedLoader gives sources with edits made.
type changedLoader struct {
	types.Loader
	edited map[string]Change
}

func (l changedLoader) Load(from *types.Module, path string, isFile bool) (types.Source, error) {
	src, err := l.Loader.Load(from, path, isFile)
	if c, ok := l.edited[src.Name]; ok && err == nil && !src.Std {
		src.Text, _ = Apply(src.Text, c.Edits)
	}
	return src, err
}

// boundName is a name's place and where what it stands for is declared.
type boundName struct{ name, decl Place }

// bindings lists the names of the program's own files, without those of
// imports, and what they stand for, at the places that they have after edits.
func (a *analysis) bindings(edited map[string]Change) (list []boundName) {
	moved := func(s diag.Span) Place {
		p, _ := a.place(s)
		p.Start, p.End = movedTo(p.Start, edited[p.File].Edits), 0
		return p
	}
	for _, m := range a.prog.Modules {
		if m.Std {
			continue
		}
		for _, n := range a.namesOf(m) {
			if o, ok := n.Symbol.(*types.ModuleObj); ok && n.Span == o.At {
				continue // an alias is written behind what it names
			}
			list = append(list, boundName{moved(n.Span), moved(declaredAt(n.Symbol))})
		}
	}
	return list
}

// movedTo is where an offset is after edits.
func movedTo(at int, edits []Edit) int {
	by := 0
	for _, e := range edits {
		if e.End <= at && e.Start < at {
			by += len(e.New) - (e.End - e.Start)
		}
	}
	return at + by
}
