package docs

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
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
			return Found{Page: p}
		}
	}
	if items := l.items(func(it *Item) bool { return it.Full == name }); items != nil {
		return Found{Items: items}
	}
	return Found{Items: l.items(func(it *Item) bool { return strings.HasSuffix(it.Full, "."+name) })}
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

// Suggest gives a name that is similar to one that was not found, or "".
func (l *Library) Suggest(name string) string {
	var names []string
	for _, p := range l.Pages {
		names = append(names, p.Name)
		p.All(func(it *Item) { names = append(names, it.Full, it.Name) })
	}
	slices.Sort(names)
	return diag.Suggest(name, slices.Compact(names))
}

// Of gives the pages of a group alone.
func (l *Library) Of(group Group) *Library {
	part := &Library{}
	for _, p := range l.Pages {
		if p.Group == group {
			part.Pages = append(part.Pages, p)
		}
	}
	return part
}
