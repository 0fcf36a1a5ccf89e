package docs

import (
	"strings"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// Scope is the place that a comment stands at, from which it names others.
type Scope struct {
	Library *Library
	Page    *Page
	Item    *Item // nil in the comment of a page
}

// Find returns the page or the item that a name means there; neither for a name
// that means nothing or is one of the item's own: a parameter, or itself.
func (s Scope) Find(name string) (*Page, *Item) {
	if name == "" || s.Item != nil && (name == s.Item.Name || s.Item.binds(name)) {
		return nil, nil
	}
	items := s.Library.index()
	for _, full := range s.near(name) {
		if it := items[full]; it != nil && it.Page == s.Page && it != s.Item {
			return nil, it
		}
	}
	for _, p := range s.Library.Pages {
		if p.Name == name && p != s.Page {
			return p, nil
		}
	}
	return nil, items[name]
}

// inline takes a line of a comment apart: its text, and its code with the slug of
// the page and the anchor that the code names, if it names something. A name in
// brackets, [Headers.get], is code as well; brackets around others stay.
func inline(line string, scope Scope, text func(string), code func(code, page, anchor string)) {
	named := func(name string) bool {
		page, it := scope.Find(strings.TrimSuffix(name, "()"))
		switch {
		case it != nil:
			code(name, it.Page.Slug, it.Anchor)
		case page != nil:
			code(name, page.Slug, "")
		}
		return it != nil || page != nil
	}
	spans(line,
		func(part string) {
			at := 0
			for _, m := range bracketed().FindAllStringIndex(part, -1) {
				if page, it := scope.Find(part[m[0]+1 : m[1]-1]); page != nil || it != nil {
					text(part[at:m[0]])
					named(part[m[0]+1 : m[1]-1])
					at = m[1]
				}
			}
			text(part[at:])
		},
		func(part string) {
			if !named(part) {
				code(part, "", "")
			}
		})
}

var bracketed = lazy.Regexp(`\[[A-Za-z_][\w.]*\]`)

// near returns the full names that a name may stand for: of what belongs to the
// same type, and then of the same page.
func (s Scope) near(name string) []string {
	list := []string{s.Page.Name + "." + name, name}
	if s.Item == nil {
		return list
	}
	owner := s.Item.Full
	if s.Item.Kind != Type {
		owner = strings.TrimSuffix(owner, "."+s.Item.Name)
	}
	return append([]string{owner + "." + name}, list...)
}

// binds reports whether a name is a parameter of an item.
func (it *Item) binds(name string) bool {
	if it.Kind != Function && it.Kind != Method {
		return false
	}
	sig := it.Signature.String()
	return strings.Contains(sig, "("+name+": ") || strings.Contains(sig, ", "+name+": ")
}

// index finds items by their full names.
func (l *Library) index() map[string]*Item {
	if l.byName == nil {
		l.byName = map[string]*Item{}
		for _, p := range l.Pages {
			p.All(func(it *Item) {
				if l.byName[it.Full] == nil {
					l.byName[it.Full] = it
				}
			})
		}
	}
	return l.byName
}
