package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel/internal/whole"
)

// WriteMarkdown writes a file for each page into a folder, and README.md with
// the contents.
func (l *Library) WriteMarkdown(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := whole.Write(filepath.Join(dir, "README.md"), []byte(l.markdownContents())); err != nil {
		return err
	}
	for _, p := range l.Pages {
		if err := whole.Write(filepath.Join(dir, p.Slug+".md"), []byte(l.Markdown(p))); err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) markdownContents() string {
	var b strings.Builder
	b.WriteString("# Contents\n")
	group := Group(-1)
	for _, p := range l.Pages {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(&b, "\n## %s\n\n", group)
		}
		fmt.Fprintf(&b, "- [`%s`](%s.md): %s\n", p.Name, p.Slug, inlineMarkdown(Summary(p.Doc), Scope{Library: l, Page: p}))
	}
	return b.String()
}

// markdown writes one document.
type markdown struct {
	strings.Builder
	lib *Library
}

// Markdown is a page as one document.
func (l *Library) Markdown(p *Page) string {
	b := &markdown{lib: l}
	fmt.Fprintf(b, "# %s\n", p.Name)
	if p.Import != "" {
		fmt.Fprintf(b, "\n```runnel\n%s\n```\n", p.Import)
	}
	b.doc(p.Doc, Scope{Library: l, Page: p})
	for _, s := range Sections(p.Items) {
		fmt.Fprintf(b, "\n## %s\n", s.Title)
		for _, it := range s.Items {
			b.item(it, 3)
		}
	}
	return b.String()
}

func (b *markdown) item(it *Item, level int) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n%s `%s`\n\n```runnel\n%s\n```\n", it.Anchor, strings.Repeat("#", level), it.Full, it.Signature.broken(lineWidth))
	b.doc(it.Doc, Scope{Library: b.lib, Page: it.Page, Item: it})
	for _, s := range Sections(it.Members) {
		for _, m := range s.Items {
			b.item(m, level+1)
		}
	}
}

func (b *markdown) doc(doc string, scope Scope) {
	for _, block := range Blocks(doc) {
		b.WriteString("\n")
		switch {
		case block.Code != "":
			fmt.Fprintf(b, "```runnel\n%s\n```\n", block.Code)
		case block.Heading != "":
			fmt.Fprintf(b, "**%s**\n", inlineMarkdown(block.Heading, scope))
		case block.Table != nil:
			b.table(block.Table, scope)
		case block.List != nil:
			for _, entry := range block.List {
				fmt.Fprintf(b, "- %s\n", inlineMarkdown(entry, scope))
			}
		default:
			b.WriteString(inlineMarkdown(block.Text, scope) + "\n")
		}
	}
}

func (b *markdown) table(rows [][]string, scope Scope) {
	for i, row := range rows {
		for _, cell := range row {
			b.WriteString("| " + inlineMarkdown(cell, scope) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
}

var markdownEscapes = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "#", `\#`)

// inlineMarkdown keeps code, makes links of names, and sees to it that nothing
// else is markup.
func inlineMarkdown(line string, scope Scope) string {
	var b strings.Builder
	inline(line, scope, func(s string) { markdownEscapes.WriteString(&b, s) }, func(code, page, anchor string) {
		switch {
		case page == "":
			b.WriteString("`" + code + "`")
		case anchor == "":
			b.WriteString("[`" + code + "`](" + page + ".md)")
		default:
			b.WriteString("[`" + code + "`](" + page + ".md#" + anchor + ")")
		}
	})
	return b.String()
}
