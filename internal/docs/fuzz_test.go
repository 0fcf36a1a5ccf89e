package docs_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/docs"
)

// Whatever stands in a comment can be shown, commands neither a terminal nor a
// browser, and loses none of its code.
func FuzzComments(f *testing.F) {
	for _, doc := range []string{
		"One. Two `a.b` [Item.total] [x", "- a\n  b\n- c", "    let x = \"${y}\"\n\n      z", "```\n| a\n```\n# H", "| a | `b || c` |\n|---|---|\n|", "|", "`", "\x1b[31m<script>`</code>`", "    \ufeff\"${", "\x00\xff",
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		item := &docs.Item{Name: "x", Full: "p.x", Doc: doc}
		page := &docs.Page{Name: "p", Slug: "p", Doc: doc, Items: []*docs.Item{item}}
		item.Page = page
		lib := &docs.Library{Pages: []*docs.Page{page}}
		var text bytes.Buffer
		require.NoError(t, page.Text(&text, docs.Style{Width: 40}))
		require.NoError(t, lib.Describe(&text, "x", docs.Style{}))
		assert.NotContains(t, text.String(), "\x1b")
		files, err := lib.HTML()
		require.NoError(t, err)
		assert.NotContains(t, string(files["p.html"]), "<script>", "but for those of the page, which have a source")
		_ = lib.Markdown(page)
		for _, b := range docs.Blocks(doc) {
			for line := range strings.SplitSeq(b.Code, "\n") {
				assert.Contains(t, doc, line)
			}
		}
	})
}
