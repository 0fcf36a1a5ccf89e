package docs

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// Found is what a name means: a page, or items.
type Found struct {
	Page  *Page
	Items []*Item
}

// Find looks for a page or an item by its full name, such as "http.get", and
// failing that by the end of it: "get", "Headers.get". It gives all items that
// have the name.
func (l *Library) Find(name string) Found {
	for _, p := range l.Pages {
		if p.Name == name {
			if t := p.theType(); t != nil {
				return Found{Items: []*Item{t}}
			}
			return Found{Page: p}
		}
	}
	if items := l.items(func(it *Item) bool { return it.Full == name }); items != nil {
		return Found{Items: items}
	}
	return Found{Items: l.items(func(it *Item) bool { return strings.HasSuffix(it.Full, "."+name) })}
}

// theType is the type of a page that has nothing else and is called as it is: `range`.
func (p *Page) theType() *Item {
	if len(p.Items) == 1 && p.Items[0].Kind == Type && p.Items[0].Full == p.Name {
		return p.Items[0]
	}
	return nil
}

// Has reports whether a name means something.
func (l *Library) Has(name string) bool {
	found := l.Find(name)
	return found.Page != nil || found.Items != nil
}

func (l *Library) items(match func(*Item) bool) (list []*Item) {
	for _, p := range l.Pages {
		p.All(func(it *Item) {
			if match(it) {
				list = append(list, it)
			}
		})
	}
	return list
}

// Suggest returns a name that is similar to one that was not found, or "".
func (l *Library) Suggest(name string) string {
	var names []string
	for _, p := range l.Pages {
		names = append(names, p.Name)
		p.All(func(it *Item) { names = append(names, it.Full, it.Name) })
	}
	slices.Sort(names)
	return diag.Suggest(name, slices.Compact(names))
}

// Describe writes what a name means: a reserved word, a page, or items. The error tells that
// nothing has the name, and what was probably meant.
func (l *Library) Describe(out io.Writer, name string, s Style) error {
	found := l.Find(name)
	if text := ofLanguage(name, s); text != "" {
		if _, err := io.WriteString(out, text); err != nil || found.Items == nil {
			return err
		}
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
	}
	switch {
	case found.Page != nil:
		return found.Page.Text(out, s)
	case found.Items != nil:
		return TextItems(out, found.Items, s)
	}
	if text := l.foreign(name, s); text != "" {
		_, err := io.WriteString(out, text)
		return err
	}
	if near := l.Suggest(name); near != "" {
		return fmt.Errorf("nothing is called `%s`: did you mean `%s`?", name, near)
	}
	return fmt.Errorf("nothing is called `%s`", name)
}

// Text is what a programmer may want to know about a name: of what the program
// declares and imports, of what is built in, and of modules that it could import.
// The program may be nil.
func Text(rt *runnel.Runtime, modules []string, prog *types.Program, name string, s Style) (string, error) {
	lib, err := Load(rt, modules, nil)
	if err != nil {
		return "", err
	}
	if prog != nil {
		name = unaliased(prog.Main.File, name)
		own := collect(prog, true).Of(Program)
		lib.Pages = append(own.Pages, lib.Pages...)
	}
	var b strings.Builder
	err = lib.Describe(&b, name, s)
	return b.String(), err
}

// unaliased is a name with the module that it begins with named as it names itself.
func unaliased(file *syntax.File, name string) string {
	first, rest, _ := strings.Cut(name, ".")
	for _, item := range file.Items {
		if d, ok := item.(*syntax.ImportDecl); ok && d.Alias.Text == first {
			module := strings.TrimSuffix(path.Base(d.Path), ".rnl")
			return strings.TrimSuffix(module+"."+rest, ".")
		}
	}
	return name
}

// Of returns the pages of a group alone.
func (l *Library) Of(group Group) *Library {
	part := &Library{}
	for _, p := range l.Pages {
		if p.Group == group {
			part.Pages = append(part.Pages, p)
		}
	}
	return part
}

// foreign tells of a name of another language: what to write, and what is called so here.
func (l *Library) foreign(name string, s Style) string {
	own, help := types.Foreign(name)
	if strings.EqualFold(name, "repl") {
		help = "a session begins with `runnel` alone, or `runnel repl`; `:help` tells of its commands"
	}
	var b strings.Builder
	if help != "" {
		fmt.Fprintf(&b, "`%s` of other languages: %s\n", name, help)
	}
	for _, n := range own {
		var text strings.Builder
		if found := l.Find(n); found.Items != nil && TextItems(&text, found.Items, s) == nil {
			fmt.Fprintf(&b, "`%s` of other languages is called `%s` here.\n\n%s", name, n, text.String())
			break
		}
	}
	return b.String()
}
