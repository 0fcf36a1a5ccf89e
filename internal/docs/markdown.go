package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WriteMarkdown writes a file for each page into a folder, and README.md with
// the contents.
func (l *Library) WriteMarkdown(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(l.markdownContents()), 0o644); err != nil {
		return err
	}
	for _, p := range l.Pages {
		if err := os.WriteFile(filepath.Join(dir, p.Slug+".md"), []byte(p.Markdown()), 0o644); err != nil {
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
		fmt.Fprintf(&b, "- [`%s`](%s.md): %s\n", p.Name, p.Slug, inlineMarkdown(Summary(p.Doc)))
	}
	return b.String()
}

// Markdown is a page as one document.
func (p *Page) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", p.Name)
	if p.Import != "" {
		fmt.Fprintf(&b, "\n```runnel\n%s\n```\n", p.Import)
	}
	markdownDoc(&b, p.Doc)
	for _, s := range Sections(p.Items) {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, it := range s.Items {
			markdownItem(&b, it, 3)
		}
	}
	return b.String()
}

func markdownItem(b *strings.Builder, it *Item, level int) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n%s `%s`\n\n```runnel\n%s\n```\n", it.Anchor, strings.Repeat("#", level), it.Full, it.Signature)
	markdownDoc(b, it.Doc)
	for _, s := range Sections(it.Members) {
		for _, m := range s.Items {
			markdownItem(b, m, level+1)
		}
	}
}

func markdownDoc(b *strings.Builder, doc string) {
	for _, block := range Blocks(doc) {
		b.WriteString("\n")
		switch {
		case block.Code != "":
			fmt.Fprintf(b, "```runnel\n%s\n```\n", block.Code)
		case block.List != nil:
			for _, entry := range block.List {
				fmt.Fprintf(b, "- %s\n", inlineMarkdown(entry))
			}
		default:
			b.WriteString(inlineMarkdown(block.Text) + "\n")
		}
	}
}

var markdownEscapes = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "#", `\#`)

// inlineMarkdown keeps code, and sees to it that nothing else is markup.
func inlineMarkdown(line string) string {
	var b strings.Builder
	spans(line,
		func(text string) { markdownEscapes.WriteString(&b, text) },
		func(code string) { b.WriteString("`" + code + "`") })
	return b.String()
}
