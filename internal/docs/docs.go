// Package docs shows what modules declare and what is said about it: as text,
// as Markdown, and as a site.
//
//	types.Program ──► Library ──► text, Markdown, HTML
//	  (collect.go)     pages of items, each with its signature and its comment
package docs

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel"
)

// Library is all that is documented together.
type Library struct {
	Pages  []*Page
	byName map[string]*Item // of index
}

// Group is where a page stands in the contents.
type Group int

const (
	Program  Group = iota // modules of the user
	BuiltIn               // what needs no import
	Standard              // what is imported by name
)

func (g Group) String() string { return [...]string{"Your modules", "Built in", "Library"}[g] }

// Page is a module, or a built-in type with its methods.
type Page struct {
	Group  Group
	Name   string // "http", "list"
	Slug   string // its name as part of a file name
	Import string // how to import it, "" when it is always there
	Doc    string
	Items  []*Item
}

// Kind of an item.
type Kind int

const (
	Function Kind = iota
	Method
	Type
	Field
	Variant
	Constant
	Variable
)

func (k Kind) String() string {
	return [...]string{"function", "method", "type", "field", "variant", "constant", "variable"}[k]
}

// Item is something that has a name.
type Item struct {
	Page      *Page
	Kind      Kind
	Name      string // "get"
	Full      string // how it is asked for: "http.Headers.get"
	Anchor    string // its place within the page: "Headers.get"
	Signature Signature
	Takes     []string // the types of a function's parameters, first its receiver's
	Gives     string   // the type of its result, "" for none
	Doc       string
	Members   []*Item
}

// Section is the items of a page, or the members of an item, of one kind.
type Section struct {
	Title string
	Items []*Item
}

var titles = [...]string{Function: "Functions", Method: "Methods", Type: "Types", Field: "Fields", Variant: "Variants", Constant: "Constants", Variable: "Variables"}

// order in which sections are shown.
var order = [...]Kind{Type, Variant, Field, Constant, Variable, Function, Method}

// Sections sorts items by what they are.
func Sections(items []*Item) (list []Section) {
	for _, kind := range order {
		s := Section{Title: titles[kind]}
		for _, it := range items {
			if it.Kind == kind {
				s.Items = append(s.Items, it)
			}
		}
		if s.Items != nil {
			list = append(list, s)
		}
	}
	return list
}

// All calls f with each item of a page, members after what they belong to.
func (p *Page) All(f func(*Item)) { each(p.Items, f) }

func each(items []*Item, f func(*Item)) {
	for _, it := range items {
		f(it)
		each(it.Members, f)
	}
}

// Load documents what is built in, modules by name, and files with the files
// that they import. When they do not compile the error is a
// *runnel.CompileError.
func Load(rt *runnel.Runtime, modules, files []string) (*Library, error) {
	var src strings.Builder
	for _, name := range modules {
		fmt.Fprintf(&src, "import %s\n", name)
	}
	for i, name := range files {
		fmt.Fprintf(&src, "import %q as file_%d\n", "./"+filepath.ToSlash(name), i)
	}
	checked := rt.Check("doc.rnl", src.String())
	if checked.Failed() {
		return nil, &runnel.CompileError{Files: checked.Files, Diags: checked.Diags}
	}
	return collect(checked.Program(), false), nil
}
