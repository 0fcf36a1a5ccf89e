package docs

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// collector makes pages of a checked program. Types get their places first, as
// signatures link to them.
type collector struct {
	prog    *types.Program
	lib     *Library
	builtIn map[string]*Page
	places  map[*types.TypeDecl]*Item
	slugs   map[string]bool
	fill    []func() // what waits until all types have places
}

// placed is an item with its position in the source.
type placed struct {
	*Item
	at diag.Span
}

// collect documents the modules of a program; its main module as well when it
// is not a list of imports made for the purpose.
func collect(prog *types.Program, main bool) *Library {
	c := &collector{prog: prog, lib: &Library{}, builtIn: map[string]*Page{}, places: map[*types.TypeDecl]*Item{}, slugs: map[string]bool{"index": true}}
	for _, m := range prog.WholePrelude().Modules {
		c.prelude(m)
	}
	for _, m := range prog.Modules {
		switch {
		case m == prog.Main && main:
			c.add(&Page{Group: Program}, m)
		case m == prog.Main:
		case m.Std && !strings.Contains(m.Path, "/"):
			c.add(&Page{Group: Standard, Name: m.Name, Import: "import " + m.Name, Doc: m.Doc}, m)
		case !m.Std:
			c.add(&Page{Group: Program, Name: m.Name, Import: "import " + strconv.Quote(fromHere(m.Path)), Doc: m.Doc}, m)
		}
	}
	for _, f := range c.fill {
		f()
	}
	slices.SortFunc(c.lib.Pages, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
	})
	return c.lib
}

func fromHere(file string) string {
	file = strings.TrimSuffix(file, ".rnl")
	if strings.HasPrefix(file, "../") {
		return file
	}
	return "./" + file
}

// add makes the page of a module, but for the items that wait for all types.
func (c *collector) add(page *Page, m *types.Module) {
	page.Slug = c.slug(page.Name)
	c.lib.Pages = append(c.lib.Pages, page)
	var items []placed
	put := func(at diag.Span, it *Item) *Item {
		it.Page = page
		it.Anchor = it.Name
		it.Full = it.Name
		if page.Group != BuiltIn && m != c.prog.Main {
			it.Full = page.Name + "." + it.Name
		}
		items = append(items, placed{it, at})
		return it
	}
	all := m == c.prog.Main
	for _, d := range m.Types {
		if d.Pub || all {
			c.declared(put(d.At, &Item{Kind: Type, Name: d.Name, Doc: d.Doc}), d)
		}
	}
	for _, s := range m.File.Items {
		if d, ok := s.(*syntax.TypeDecl); ok && (d.Pub || all) {
			c.alias(put(d.Name.Sp, &Item{Kind: Type, Name: d.Name.Text, Doc: d.Doc}), d, m)
		}
	}
	for _, f := range m.Funcs {
		if f.Pub || all {
			c.function(put(f.At, &Item{Kind: Function, Name: f.Name}), f)
		}
	}
	for _, o := range m.Consts {
		if o.Pub || all {
			it := put(o.At, &Item{Kind: Constant, Name: o.Name, Doc: o.Doc})
			c.later(it, func(w *writer) {
				w.value("const", o.Name, o.Type)
				w.text(" = " + constant(o.Value, o.Type))
			})
		}
	}
	for _, g := range m.Globals {
		if g.Pub || all {
			it := put(g.At, &Item{Kind: Variable, Name: g.Name, Doc: g.Doc})
			word := "let"
			if g.Var {
				word = "var"
			}
			c.later(it, func(w *writer) { w.value(word, g.Name, g.Type) })
		}
	}
	slices.SortStableFunc(items, func(a, b placed) int { return cmp.Compare(a.at.Start, b.at.Start) })
	for _, p := range items {
		page.Items = append(page.Items, p.Item)
	}
}

// prelude makes the page of a prelude's file, with the methods of the built-in
// type that it is about.
func (c *collector) prelude(m *types.Module) {
	page := &Page{Group: BuiltIn, Name: m.Name, Doc: m.Doc}
	if m.Name == "core" {
		page.Name = "prelude"
	}
	if text, ok := pageDocs[page.Name]; ok {
		page.Doc = text
	}
	c.builtIn[page.Name] = page
	c.add(page, m)
	for _, e := range c.prog.Prelude.Extends {
		for _, f := range e.Methods {
			if f.Module == m {
				it := &Item{Page: page, Kind: Method, Name: f.Name, Full: page.Name + "." + f.Name, Anchor: page.unused(f.Name)}
				c.function(it, f)
				page.Items = append(page.Items, it)
			}
		}
	}
	for _, b := range types.Builtins {
		if cmp.Or(b.Makes, "prelude") == page.Name {
			page.Items = append(page.Items, &Item{Page: page, Kind: Function, Name: b.Name, Full: b.Name, Anchor: page.unused(b.Name), Doc: b.Doc, Signature: builtinSignature(b.Name, b.Signature)})
		}
	}
}

// unused returns an anchor: lists of some element types have methods of the same name.
func (p *Page) unused(name string) string {
	anchor := name
	for n := 2; slices.ContainsFunc(p.Items, func(it *Item) bool { return it.Anchor == anchor }); n++ {
		anchor = name + "-" + strconv.Itoa(n)
	}
	return anchor
}

// later writes a signature when all types have places.
func (c *collector) later(it *Item, write func(*writer)) {
	c.fill = append(c.fill, func() {
		w := &writer{c: c, page: it.Page}
		write(w)
		it.Signature = w.out
	})
}

func (c *collector) function(it *Item, f *types.FuncDecl) {
	it.Doc = f.Doc
	c.later(it, func(w *writer) {
		w.fn(f)
		c.shape(it, f)
	})
}

// shape notes what a function takes and gives.
func (c *collector) shape(it *Item, f *types.FuncDecl) {
	written := func(t types.Type) string {
		w := &writer{c: c, page: it.Page}
		w.typ(t)
		return w.out.String()
	}
	if f.Ext != nil {
		it.Takes = append(it.Takes, written(f.Ext.Target))
	}
	for _, p := range f.Params {
		it.Takes = append(it.Takes, written(p.Type))
	}
	if types.Prune(f.Result) != types.Type(types.Unit) {
		it.Gives = written(f.Result)
	}
}

// declared makes an item the place of a type.
func (c *collector) declared(it *Item, d *types.TypeDecl) {
	if c.places[d] == nil {
		c.places[d] = it
	}
	c.later(it, func(w *writer) { w.typeDecl(it.Name, d) })
	member := func(kind Kind, name, doc string) *Item {
		m := &Item{Page: it.Page, Kind: kind, Name: name, Full: it.Full + "." + name, Anchor: it.Anchor + "." + name, Doc: doc}
		it.Members = append(it.Members, m)
		return m
	}
	c.fill = append(c.fill, func() {
		for _, v := range d.Variant {
			c.now(member(Variant, v.Name, v.Doc), func(w *writer) { w.variant(v) })
		}
		for _, f := range d.Fields {
			if !d.Native && c.canBeNamed(f.Type) && !(f.Doc == "" && isObject(d)) {
				c.now(member(Field, f.Name, f.Doc), func(w *writer) { w.field(f) })
			}
		}
		for _, f := range d.Statics {
			if f.Derived == types.NotDerived && (f.Doc != "" || !d.Module.Std) {
				m := member(Function, f.Name, f.Doc)
				c.now(m, func(w *writer) { w.fn(f) })
				c.shape(m, f)
			}
		}
		for _, f := range d.Methods {
			// Without a comment those of the library are for itself, or what an interface requires.
			if c.canBeCalled(f) && (f.Doc != "" || !d.Module.Std || f.Name == "message") {
				m := member(Method, f.Name, f.Doc)
				m.Takes = []string{d.Name}
				c.now(m, func(w *writer) { w.fn(f) })
				c.shape(m, f)
			}
		}
	})
}

// isObject reports whether a type of the library is used by its methods: fields
// that nobody has commented are then its own affair.
func isObject(d *types.TypeDecl) bool {
	return d.Module.Std && slices.ContainsFunc(d.Methods, func(f *types.FuncDecl) bool { return f.Doc != "" })
}

func (c *collector) now(it *Item, write func(*writer)) {
	w := &writer{c: c, page: it.Page}
	write(w)
	it.Signature = w.out
}

// alias documents what a facade passes on from a part of its module as if it
// were declared there, and others as the name that they are.
func (c *collector) alias(it *Item, d *syntax.TypeDecl, m *types.Module) {
	t := types.Prune(m.Info.TypeOfExpr(d.Type))
	if n, ok := t.(*types.Named); ok && passedOn(n, len(d.TypeParams), m) {
		it.Doc = cmp.Or(n.Decl.Doc, it.Doc) // what stands where it is declared says more
		c.declared(it, n.Decl)
		return
	}
	c.later(it, func(w *writer) {
		w.text("type ")
		w.name(d.Name.Text)
		for i, p := range d.TypeParams {
			w.text([]string{"<", ", "}[min(i, 1)] + p.Name.Text)
		}
		if len(d.TypeParams) > 0 {
			w.text(">")
		}
		w.text(" = ")
		w.typ(t)
	})
}

// passedOn reports whether an alias only makes a type of a module's part public.
func passedOn(n *types.Named, params int, m *types.Module) bool {
	if len(n.Args) != params || path.Dir(n.Decl.Module.Path) != m.Path {
		return false
	}
	for i, a := range n.Args {
		if p, ok := a.(*types.TypeParam); !ok || p.Index != i {
			return false
		}
	}
	return true
}

// canBeNamed reports whether users can write a type. A field of one that they
// cannot is a detail.
func (c *collector) canBeNamed(t types.Type) bool {
	switch t := types.Prune(t).(type) {
	case *types.App:
		return c.allNamed(t.Args)
	case *types.Func:
		return c.allNamed(t.Params) && c.canBeNamed(t.Result)
	case *types.Named:
		return c.places[t.Decl] != nil && c.allNamed(t.Args)
	}
	return true
}

func (c *collector) allNamed(ts []types.Type) bool {
	return !slices.ContainsFunc(ts, func(t types.Type) bool { return !c.canBeNamed(t) })
}

func (c *collector) canBeCalled(f *types.FuncDecl) bool {
	return c.canBeNamed(f.Result) && !slices.ContainsFunc(f.Params, func(p *types.Param) bool { return !c.canBeNamed(p.Type) })
}

// slug gives each page a file name of its own.
func (c *collector) slug(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	slug := plain
	for n := 2; c.slugs[slug]; n++ {
		slug = plain + "-" + strconv.Itoa(n)
	}
	c.slugs[slug] = true
	return slug
}
