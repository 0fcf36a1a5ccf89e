package docs

import (
	"bytes"
	"embed"
	"encoding/json"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"strings"
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
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// HTML gives the files of the site by name.
func (l *Library) HTML() (map[string][]byte, error) {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"blocks": Blocks, "summary": Summary, "sections": Sections, "inline": inlineHTML, "signature": signatureHTML, "groups": groups,
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
	for _, name := range []string{"style.css", "search.js"} {
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

// searchIndex is a script, as pages of a file system cannot load other data.
// Each entry is a name, where it is, what it is, and its summary.
func (l *Library) searchIndex() ([]byte, error) {
	var names [][4]string
	for _, p := range l.Pages {
		names = append(names, [4]string{p.Name, p.URL(), strings.ToLower(p.kind()), Summary(p.Doc)})
		p.All(func(it *Item) {
			names = append(names, [4]string{it.Full, it.URL(), it.Kind.String(), Summary(it.Doc)})
		})
	}
	data, err := json.Marshal(names)
	return append(append([]byte("const names = "), data...), ";\n"...), err
}

func (p *Page) kind() string {
	if p.Group == BuiltIn {
		return BuiltIn.String()
	}
	return "module"
}

// signatureHTML makes links of the types in a signature.
func signatureHTML(s Signature) template.HTML {
	var b strings.Builder
	for _, piece := range s {
		url := ""
		switch {
		case piece.To != nil:
			url = piece.To.URL()
		case piece.Page != nil:
			url = piece.Page.URL()
		}
		if url != "" {
			b.WriteString(`<a href="` + html.EscapeString(url) + `">` + html.EscapeString(piece.Text) + `</a>`)
		} else {
			b.WriteString(html.EscapeString(piece.Text))
		}
	}
	return template.HTML(b.String())
}

func inlineHTML(line string) template.HTML {
	var b strings.Builder
	spans(line,
		func(text string) { b.WriteString(html.EscapeString(text)) },
		func(code string) { b.WriteString("<code>" + html.EscapeString(code) + "</code>") })
	return template.HTML(b.String())
}
