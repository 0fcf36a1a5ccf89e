package crossgen

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Source is a module of the library, or the prelude, whose path is empty and
// whose parts are its files.
type Source struct {
	Path  string
	Text  string
	Parts map[string]string
}

// row is something that gives a value of a type: a function, a method, a
// field, a struct or a variant to be made, or an operator. Its type parameters
// are bound by the type that is wanted of it.
type row struct {
	name    string // as in "list.push" or "math.sqrt"
	text    string // what is written in front of the arguments; a shape has holes {0}, {1}
	shape   bool
	member  bool // the first parameter is the receiver
	value   bool // no argument list is written
	tparams []tparam
	written []string // type parameters that a call may give arguments for
	params  []param
	result  *typ
	library bool
	makes   bool // a struct or variant
	loud    bool // prints, or does what tasks at the same time must not
	rank    int  // how deep its smallest expression is, 0 where that is not known
}

type tparam struct {
	name  string
	bound string
}

type param struct {
	name     string
	typ      *typ
	optional bool
}

// Catalogue is what the library offers.
type Catalogue struct {
	rows    []*row
	byHead  map[string][]*row
	byType  map[string][]*row // functions that are no methods, by their type as text
	generic []*row            // whose result is a type parameter
	thrown  []string          // types that can be thrown

	files   map[string]*file
	public  map[string]string // by the key of a file and a name: how programs write the type
	aliases map[string]alias
}

type file struct {
	key     string
	module  string
	items   []syntax.Stmt
	imports map[string]string // keys of files by name
}

type alias struct {
	in     *file
	params []*syntax.TypeParam
	typ    syntax.TypeExpr
}

// NewCatalogue reads the declarations of the library.
func NewCatalogue(sources []Source) *Catalogue {
	c := &Catalogue{files: map[string]*file{}, public: map[string]string{}, aliases: map[string]alias{}}
	for _, s := range sources {
		if s.Path != "" {
			if !strings.Contains(preamble, "import "+s.Path+"\n") {
				panic("the preamble does not import " + s.Path)
			}
			c.read(s.Path, s.Path, s.Text)
		}
		for name, text := range s.Parts {
			c.read(s.Path+"/"+name, s.Path, text)
		}
	}
	c.read("preamble", "", preamble)
	keys := make([]string, 0, len(c.files))
	for key := range c.files {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		c.names(c.files[key])
	}
	for _, key := range keys {
		c.declarations(c.files[key])
	}
	c.rows = append(c.rows, operators()...)
	c.index()
	return c
}

func (c *Catalogue) read(key, module, text string) {
	files := &diag.FileSet{}
	parsed, _ := syntax.Parse(files.Add(key, text))
	f := &file{key: key, module: module, items: parsed.Items, imports: map[string]string{}}
	for _, item := range parsed.Items {
		if d, ok := item.(*syntax.ImportDecl); ok {
			target, name := d.Path, d.Path
			if d.IsFile {
				name = strings.TrimPrefix(d.Path, "./")
				target = module + "/" + name
			}
			if d.Alias.Text != "" {
				name = d.Alias.Text
			}
			f.imports[name] = target
		}
	}
	c.files[key] = f
}

// names finds the types that programs can name.
func (c *Catalogue) names(f *file) {
	facade := f.key == f.module
	add := func(pub bool, name string) {
		switch {
		case f.module == "" && (pub || f.key == "preamble"):
			c.public[f.key+"."+name] = name
		case facade && pub:
			c.public[f.key+"."+name] = f.module + "." + name
		}
	}
	for _, item := range f.items {
		switch d := item.(type) {
		case *syntax.StructDecl:
			add(d.Pub, d.Name.Text)
		case *syntax.EnumDecl:
			add(d.Pub, d.Name.Text)
		case *syntax.InterfaceDecl:
			add(d.Pub, d.Name.Text)
		case *syntax.TypeDecl:
			c.aliases[f.key+"."+d.Name.Text] = alias{f, d.TypeParams, d.Type}
			if n, ok := d.Type.(*syntax.NamedType); ok && facade && n.Module.Text != "" {
				if key := f.imports[n.Module.Text]; strings.Contains(key, "/") {
					c.public[key+"."+n.Name.Text] = f.module + "." + d.Name.Text
				}
			}
		}
	}
}

var builtins = []string{"int", "float", "bool", "str", "bytes", "duration", "any", "never", "buffer", "map", "set", "task", "chan", "mutex"}

// typeOf translates a type as it is written in a file; nil when programs
// cannot name it.
func (c *Catalogue) typeOf(f *file, te syntax.TypeExpr, vars []string) *typ {
	all := func(head string, list ...syntax.TypeExpr) *typ {
		t := mk(head)
		for _, e := range list {
			a := c.typeOf(f, e, vars)
			if a == nil {
				return nil
			}
			t.args = append(t.args, a)
		}
		return t
	}
	switch te := te.(type) {
	case nil:
		return tUnit
	case *syntax.ListType:
		return all("list", te.Elem)
	case *syntax.OptionalType:
		return all("opt", te.Elem)
	case *syntax.TupleType:
		if len(te.Elems) == 0 {
			return tUnit
		}
		return all("tuple", te.Elems...)
	case *syntax.FnType:
		t := all("fn", te.Params...)
		if t == nil {
			return nil
		}
		r := c.typeOf(f, te.Result, vars)
		if r == nil {
			return nil
		}
		t.args = append(t.args, r)
		return t
	case *syntax.NamedType:
		name := te.Name.Text
		if te.Module.Text == "" {
			if slices.Contains(vars, name) {
				return mk("$" + name)
			}
			if slices.Contains(builtins, name) {
				return all(name, te.Args...)
			}
		}
		key := f.key
		if te.Module.Text != "" {
			key = f.imports[te.Module.Text]
		}
		return c.named(f, key+"."+name, te, all)
	}
	return nil
}

func (c *Catalogue) named(f *file, key string, te *syntax.NamedType, all func(string, ...syntax.TypeExpr) *typ) *typ {
	if head, ok := c.public[key]; ok {
		return all(head, te.Args...)
	}
	if a, ok := c.aliases[key]; ok {
		args := all("", te.Args...)
		if args == nil || len(args.args) != len(a.params) {
			return nil
		}
		b := binding{}
		for i, p := range a.params {
			b["$"+p.Name.Text] = args.args[i]
		}
		if t := c.typeOf(a.in, a.typ, names(a.params)); t != nil {
			return b.of(t)
		}
		return nil
	}
	if te.Module.Text == "" { // of the prelude, whose files see each other
		for _, g := range c.files {
			if head, ok := c.public[g.key+"."+te.Name.Text]; ok && g.module == "" {
				return all(head, te.Args...)
			}
		}
	}
	return nil
}

func names(ps []*syntax.TypeParam) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Name.Text)
	}
	return out
}

func (c *Catalogue) index() {
	c.byHead, c.byType = map[string][]*row{}, map[string][]*row{}
	c.rows = slices.DeleteFunc(c.rows, func(r *row) bool { return excluded(r.name) })
	for {
		changed := false
		for _, r := range c.rows {
			if r.rank == 0 {
				if r.rank = c.rankOf(r); r.rank > 0 {
					changed = true
				}
			}
		}
		if !changed {
			break
		}
	}
	c.rows = slices.DeleteFunc(c.rows, func(r *row) bool { return r.rank == 0 })
	for _, r := range c.rows {
		if r.result.isVar() {
			c.generic = append(c.generic, r)
		} else {
			c.byHead[r.result.head] = append(c.byHead[r.result.head], r)
		}
		if len(r.tparams) == 0 && !r.shape && !r.value {
			c.byType[functionType(r)] = append(c.byType[functionType(r)], r)
		}
	}
}

// rankOf is how deep the smallest use of a row is, 0 when one of its
// parameters cannot be made yet.
func (c *Catalogue) rankOf(r *row) int {
	rank := 1
	for _, p := range r.params {
		if p.optional {
			continue
		}
		n := c.rankOfType(p.typ, r)
		if n == 0 {
			return 0
		}
		rank = max(rank, n+1)
	}
	return rank
}

func (c *Catalogue) rankOfType(t *typ, but *row) int {
	if t.isVar() || isBasic(t.head) {
		rank := 1
		for _, a := range t.args {
			if t.head == "opt" || t.head == "list" || t.head == "map" || t.head == "set" {
				break // none, or empty
			}
			if t.head == "fn" && a != t.result() {
				continue
			}
			n := c.rankOfType(a, but)
			if n == 0 {
				return 0
			}
			rank = max(rank, n)
		}
		return rank
	}
	best := 0
	for _, r := range c.rows {
		if r.result.head == t.head && r.rank > 0 && (best == 0 || r.rank < best) {
			best = r.rank
		}
	}
	return best
}

// isBasic reports whether values of a head are made by the generator itself.
func isBasic(head string) bool {
	switch head {
	case "list", "opt", "tuple", "unit", "fn", "Error", "range":
		return true
	}
	return slices.Contains(builtins, head)
}
