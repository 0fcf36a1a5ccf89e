package docs_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t *testing.T, files ...string) *docs.Library {
	t.Helper()
	var names []string
	for _, m := range all.Modules() {
		names = append(names, m.Name)
	}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.FSSources(os.DirFS("testdata"))))
	lib, err := docs.Load(rt, names, files)
	require.NoError(t, err)
	return lib
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile("testdata/"+name, []byte(got), 0o644))
	}
	want, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestAModuleAsTextAndMarkdown(t *testing.T) {
	lib := load(t, "shop.rnl")
	var text bytes.Buffer
	page := lib.Find("shop").Page
	require.NotNil(t, page)
	require.NoError(t, page.Text(&text))
	text.WriteString("----\n")
	require.NoError(t, docs.TextItems(&text, lib.Find("shop.Item").Items))
	golden(t, "shop.txt", text.String())
	golden(t, "shop.md", page.Markdown())
}

func TestAModuleAsHTML(t *testing.T) {
	files, err := load(t, "shop.rnl").HTML()
	require.NoError(t, err)
	page := string(files["shop.html"])
	for _, part := range []string{
		`<article id="Item.total">`,
		`fn cheap(items: [<a href="shop.html#Item">Item</a>], most: <a href="float.html">float</a> = 10.0, pick: (fn(`,
		`-&gt; <a href="map.html">map</a>&lt;<a href="str.html">str</a>, <a href="shop.html#Item">Item</a>&gt;`,
		`interface Priced&lt;T: <a href="prelude.html#Ordered">Ordered</a>&gt;`,
		`<p>What <code>lamp.total(0.2)</code> costs with &lt;tax&gt;.</p>`,
		`<li>a price is never negative</li>`,
		`<pre><code>shop.cheap(all, 5.0)   // the cheap ones</code></pre>`,
	} {
		assert.Contains(t, page, part)
	}
	assert.NotContains(t, page, "hidden(")
}

func TestFindsNamesInFullAndByTheirEnd(t *testing.T) {
	lib := load(t)
	full := func(name string) (list []string) {
		for _, it := range lib.Find(name).Items {
			list = append(list, it.Full)
		}
		return list
	}
	assert.Equal(t, []string{"list.map"}, full("list.map"))
	assert.Equal(t, []string{"http.Headers.has"}, full("Headers.has"))
	assert.Equal(t, []string{"print"}, full("print"))
	assert.Subset(t, full("take"), []string{"list.take", "Iterator.take"})
	assert.Equal(t, "list", lib.Find("list").Page.Name, "a page comes before items of its name")
	assert.Empty(t, full("nothing_of_the_kind"))
	assert.Equal(t, "http", lib.Suggest("htpt"))
}

func TestFilesOfOneNameHavePagesOfTheirOwn(t *testing.T) {
	lib := load(t, "shop.rnl", "other/shop.rnl", "other/index.rnl")
	var slugs []string
	for _, p := range lib.Of(docs.Program).Pages {
		slugs = append(slugs, p.Slug)
	}
	assert.Equal(t, []string{"index-2", "shop", "shop-2"}, slugs)
}

func TestWhatDoesNotCompileIsAnError(t *testing.T) {
	rt := runnel.MustNew(runnel.WithSources(runnel.FSSources(os.DirFS("testdata"))))
	_, err := docs.Load(rt, nil, []string{"missing.rnl"})
	var ce *runnel.CompileError
	require.ErrorAs(t, err, &ce)
	assert.Contains(t, err.Error(), "missing.rnl")
}

// declared lists what a source declares for all to use.
func declared(name, text string) (list []string) {
	var set diag.FileSet
	file, _ := syntax.Parse(set.Add(name, text))
	put := func(pub bool, name syntax.Name) {
		if pub {
			list = append(list, name.Text)
		}
	}
	for _, item := range file.Items {
		switch d := item.(type) {
		case *syntax.FnDecl:
			put(d.Pub, d.Name)
		case *syntax.StructDecl:
			put(d.Pub, d.Name)
		case *syntax.EnumDecl:
			put(d.Pub, d.Name)
		case *syntax.InterfaceDecl:
			put(d.Pub, d.Name)
		case *syntax.TypeDecl:
			put(d.Pub, d.Name)
		case *syntax.LetStmt:
			if b, ok := d.Pattern.(*syntax.BindPattern); ok {
				put(d.Pub, b.Name)
			}
		case *syntax.ExtendDecl:
			for _, m := range d.Methods {
				put(true, m.Name)
			}
		}
	}
	return list
}

func TestAllOfTheLibraryIsFound(t *testing.T) {
	lib := load(t)
	n := 0
	for _, m := range all.Modules() {
		for _, name := range declared(m.Name, m.Source) {
			require.NotEmpty(t, lib.Find(m.Name+"."+name).Items, "%s.%s", m.Name, name)
			n++
		}
	}
	for _, src := range stdlib.Prelude() {
		for _, name := range declared(src.Name, src.Text) {
			found := lib.Find(name)
			require.True(t, found.Page != nil || found.Items != nil, name)
			n++
		}
	}
	require.Greater(t, n, 700)
}

// What is public in the library says what it is, and whatever can be called
// shows how.
func TestTheLibraryIsDocumented(t *testing.T) {
	for _, p := range load(t).Pages {
		assert.NotEmpty(t, strings.TrimSpace(p.Doc), p.Name)
		p.All(func(it *docs.Item) {
			switch it.Kind {
			case docs.Field, docs.Variant:
				return
			case docs.Function, docs.Method:
				if it.Name == "message" {
					return
				}
				assert.True(t, docs.HasExample(it.Doc), "%s has no example", it.Full)
			}
			assert.NotEmpty(t, strings.TrimSpace(it.Doc), "%s has no comment", it.Full)
		})
	}
}

func TestWhatNoSourceDeclaresIsThere(t *testing.T) {
	lib := load(t)
	for _, name := range []string{"print", "assert", "same", "type_of"} {
		assert.Len(t, lib.Find(name).Items, 1, name)
	}
	for _, name := range []string{"int.int", "map.map", "set.set", "chan.chan", "mutex.mutex", "buffer.buffer"} {
		page, _, _ := strings.Cut(name, ".")
		items := lib.Find(page).Page.Items
		assert.Equal(t, page, items[len(items)-1].Name)
	}
}

func TestComments(t *testing.T) {
	blocks := docs.Blocks("One\ntwo `a.b` three. Four.\n\n    code\n\n      more\n- a\n  b\n- c\n\n```runnel\nfenced\n\n- line\n```\nEnd")
	assert.Equal(t, []docs.Block{
		{Text: "One two `a.b` three. Four."}, {Code: "code\n\n  more"}, {List: []string{"a b", "c"}}, {Code: "fenced\n\n- line"}, {Text: "End"},
	}, blocks)
	assert.Equal(t, "One two `a. B` three.", docs.Summary("One\ntwo `a. B` three. Four."))
	assert.Equal(t, "All of it, e.g. this", docs.Summary("All of it, e.g. this"))
	assert.Empty(t, docs.Summary("    code"))
}
