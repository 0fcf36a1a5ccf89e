package docs

import (
	"bytes"
	"embed"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel/internal/whole"
)

//go:embed site
var site embed.FS

// sitePage is what the template of a page is given.
type sitePage struct {
	*Library
	Page *Page // nil for the contents
}

// WriteHTML writes a site into a folder: a page for each page, index.html, and
// the index of the search. It needs no server and nothing from elsewhere.
func (l *Library) WriteHTML(dir string) error {
	files, err := l.HTML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := whole.Write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// HTML returns the files of the site by name.
func (l *Library) HTML() (map[string][]byte, error) {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"blocks": Blocks, "summary": Summary, "sections": Sections, "inline": inlineHTML, "signature": signatureHTML, "groups": groups, "code": codeHTML, "linked": l.linked,
	}).ParseFS(site, "site/page.html")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range append([]*Page{nil}, l.Pages...) {
		name := "index.html"
		if p != nil {
			name = p.Slug + ".html"
		}
		var b bytes.Buffer
		if err := t.Execute(&b, sitePage{l, p}); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	for _, name := range []string{"style.css", "search.js", "page.js"} {
		if files[name], err = site.ReadFile("site/" + name); err != nil {
			return nil, err
		}
	}
	files["names.js"], err = l.searchIndex()
	return files, err
}

// pageGroup is the pages of a group.
type pageGroup struct {
	Group Group
	Pages []*Page
}

func groups(pages []*Page) (list []pageGroup) {
	for _, p := range pages {
		if n := len(list); n == 0 || list[n-1].Group != p.Group {
			list = append(list, pageGroup{Group: p.Group})
		}
		last := &list[len(list)-1]
		last.Pages = append(last.Pages, p)
	}
	return list
}

// URL of a page within the site.
func (p *Page) URL() string { return p.Slug + ".html" }

// URL of an item within the site.
func (it *Item) URL() string { return it.Page.URL() + "#" + it.Anchor }

func (p *Page) kind() string {
	if p.Group == BuiltIn {
		return BuiltIn.String()
	}
	return "module"
}

// lineWidth is how long a signature may be before it is broken.
const lineWidth = 84

// signatureHTML makes links of an item's name and of the types in its signature.
func signatureHTML(it *Item) template.HTML {
	var b strings.Builder
	for _, piece := range it.Signature.lines(lineWidth) {
		switch {
		case piece.Name:
			b.WriteString(linkHTML("#"+it.Anchor, piece.Text, "self"))
		case piece.To != nil:
			b.WriteString(linkHTML(piece.To.URL(), piece.Text, "type"))
		case piece.Page != nil:
			b.WriteString(linkHTML(piece.Page.URL(), piece.Text, "type"))
		default:
			b.WriteString(string(codeHTML(piece.Text)))
		}
	}
	return template.HTML(b.String())
}

func linkHTML(url, text, class string) string {
	return `<a class="` + class + `" href="` + html.EscapeString(url) + `">` + html.EscapeString(text) + `</a>`
}

var toneClasses = [numTones]string{keyword: "keyword", literal: "number", quoted: "string", comment: "comment", typeName: "type", arrow: "arrow"}

// codeHTML marks the parts of code that have a color.
func codeHTML(code string) template.HTML {
	var b strings.Builder
	for _, part := range highlight(code) {
		text := html.EscapeString(part.text)
		if class := toneClasses[part.tone]; class != "" {
			text = `<span class="` + class + `">` + text + "</span>"
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}

// inlineHTML makes links of names in the text of a scope.
func inlineHTML(line string, scope Scope) template.HTML {
	var b strings.Builder
	inline(line, scope, func(text string) { b.WriteString(html.EscapeString(text)) }, func(code, page, anchor string) {
		shown := string(codeHTML(code))
		if page != "" {
			url := page + ".html"
			if anchor != "" {
				url += "#" + anchor
			}
			shown = linkHTML(url, code, "name")
		}
		b.WriteString("<code>" + shown + "</code>")
	})
	return template.HTML(b.String())
}

// said is a comment with the scope of its names, for the template.
type said struct {
	Blocks []Block
	Scope  Scope
}

func (l *Library) linked(doc string, at any) said {
	scope := Scope{Library: l}
	switch at := at.(type) {
	case *Page:
		scope.Page = at
	case *Item:
		scope.Page, scope.Item = at.Page, at
	}
	return said{Blocks(doc), scope}
}
