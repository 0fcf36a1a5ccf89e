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
	require.NoError(t, page.Text(&text, docs.Style{}))
	text.WriteString("----\n")
	require.NoError(t, docs.TextItems(&text, lib.Find("shop.Item").Items, docs.Style{}))
	golden(t, "shop.txt", text.String())
	golden(t, "shop.md", lib.Markdown(page))
}

func TestAModuleAsHTML(t *testing.T) {
	files, err := load(t, "shop.rnl").HTML()
	require.NoError(t, err)
	page := string(files["shop.html"])
	for _, part := range []string{
		`<article id="Item.total" class="is-method">`,
		`<a class="self" href="#cheap">cheap</a>(` + "\n" + `    items: [<a class="type" href="shop.html#Item">Item</a>],` + "\n",
		`<span class="arrow">-&gt;</span> <a class="type" href="map.html">map</a>&lt;<a class="type" href="str.html">str</a>, <a class="type" href="shop.html#Item">Item</a>&gt;`,
		`&lt;<span class="type">T</span>: <a class="type" href="prelude.html#Ordered">Ordered</a>&gt;`,
		`<p>What <code>lamp.total(<span class="number">0.2</span>)</code> costs with &lt;tax&gt;.</p>`,
		`<li>a price is never negative</li>`,
		`<pre class="example"><code>shop.cheap(all, <span class="number">5.0</span>)   <span class="comment">// the cheap ones</span></code></pre>`,
	} {
		assert.True(t, strings.Contains(page, part), part)
	}
	assert.NotContains(t, page, "hidden(")
}

func TestNamesInCommentsAreLinks(t *testing.T) {
	files, err := load(t, "shop.rnl").HTML()
	require.NoError(t, err)
	assert.Contains(t, string(files["shop.html"]), `See <code><a class="name" href="shop.html#Item.total">Item.total</a></code>, `+
		`<code><a class="name" href="shop.html#cheap">cheap</a></code>, <code><a class="name" href="shop.html#Item.price">price</a></code> `+
		`and <code><a class="name" href="json.html#encode">json.encode</a></code>; `+
		`[none] of [1] is a name, nor is <code><span class="type">Item</span></code>, which this is.`)
}

func TestWhatAProgramKnows(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.FSSources(os.DirFS("testdata"))))
	checked := rt.Check("main.rnl", "import \"./shop\" as s\nimport json as j\n/// Twice as much.\nfn twice(n: int) -> int { n * 2 }\nlet lamp = s.Item(\"lamp\")\n"+
		"struct Point { x: int }\nprint(j.encode(twice(1)), lamp, Point(1))")
	require.False(t, checked.Failed(), checked.Diags)
	prog := checked.Program()
	for name, want := range map[string]string{
		"twice":        "fn twice(n: int) -> int\n\n  Twice as much.\n",
		"lamp":         "let lamp: shop.Item\n",
		"Point":        "struct Point\n\nFields\n  x: int\n",
		"s.Item.total": "fn total(tax: float) -> float\n",
		"s":            "What a shop sells",
		"j.encode":     "fn encode<",
		"http.get":     "http.get  (function, import http)",
		"list.map":     "fn [T].map<U>(",
		"print":        "fn print(values...)",
		"range":        "fn step_by(n: int) -> range",
		"range.step":   "let step: int = 1",
	} {
		text, err := docs.Text(rt, []string{"http", "json"}, prog, name, docs.Style{})
		require.NoError(t, err, name)
		assert.Contains(t, text, want, name)
	}
	_, err := docs.Text(rt, []string{"http"}, prog, "twize", docs.Style{})
	require.EqualError(t, err, "nothing is called `twize`: did you mean `twice`?")
	text, err := docs.Text(rt, nil, nil, "str.trim", docs.Style{})
	require.NoError(t, err)
	assert.Contains(t, text, "fn str.trim() -> str")
}

func TestCommentsCannotCommandTheTerminal(t *testing.T) {
	rt := runnel.MustNew()
	checked := rt.Check("main.rnl", "/// Red: \x1b[31m, `\x1b[2J`.\n///\n///     code \x1b[1m\nfn f() {}\n")
	text, err := docs.Text(rt, nil, checked.Program(), "f", docs.Style{})
	require.NoError(t, err)
	assert.NotContains(t, text, "\x1b")
}

func TestTextIsAsWideAsTheTerminal(t *testing.T) {
	lib := load(t, "shop.rnl")
	for _, width := range []int{40, 60, 100} {
		var text bytes.Buffer
		require.NoError(t, lib.Contents(&text, docs.Style{Width: width}))
		require.NoError(t, lib.Describe(&text, "shop", docs.Style{Width: width}))
		require.NoError(t, lib.Describe(&text, "json", docs.Style{Width: width}))
		for line := range strings.Lines(text.String()) {
			assert.True(t, len([]rune(line)) <= width+1 || strings.HasPrefix(line, "      "), "%d: %s", width, line)
		}
	}
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
		for _, name := range declared(m.Name, m.Read().Source) {
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
	assert.Equal(t, []docs.Block{
		{Text: "Text"}, {Table: [][]string{{"a", "b"}, {"`x || y`", "c d"}, {"`p | q`", ""}}}, {Text: "after it."},
		{Heading: "A heading"}, {Text: "#no heading"},
	}, docs.Blocks("Text\n| a | b |\n|---|:--|\n| `x || y` | c d |\n| `p \\| q` | |\nafter\nit.\n\n## A heading\n#no heading"))
}
