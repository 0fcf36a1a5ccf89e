package docs_test

import (
	"encoding/json"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/docs"
)

var (
	link = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(` id="([^"]*)"`)
)

// anchors of a page; each is there once.
func anchors(t *testing.T, name, page string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, m := range id.FindAllStringSubmatch(page, -1) {
		anchor := html.UnescapeString(m[1])
		assert.False(t, all[anchor], "%s has %s twice", name, anchor)
		all[anchor] = true
	}
	return all
}

func TestAllLinksOfTheSiteLeadSomewhere(t *testing.T) {
	files, err := load(t, "shop.rnl").HTML()
	require.NoError(t, err)
	places := map[string]map[string]bool{}
	for name, data := range files {
		places[name] = anchors(t, name, string(data))
	}
	n := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if m[1] == "data:," { // no icon
				continue
			}
			page, anchor, has := strings.Cut(html.UnescapeString(m[1]), "#")
			if page == "" {
				page = name
			}
			require.NotNil(t, places[page], "%s links to %s", name, m[1])
			if has {
				require.True(t, places[page][anchor], "%s links to %s", name, m[1])
			}
			n++
		}
	}
	require.Greater(t, n, 5000)
}

// names of the search index.
func names(t *testing.T, files map[string][]byte) (list [][]any) {
	t.Helper()
	text := strings.TrimSuffix(strings.TrimPrefix(string(files["names.js"]), "const names = "), ";\n")
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	return list
}

func TestTheSearchIndexHoldsEveryName(t *testing.T) {
	lib := load(t, "shop.rnl")
	files, err := lib.HTML()
	require.NoError(t, err)
	place := map[string][]string{}
	for _, n := range names(t, files) {
		name, url := n[0].(string), n[1].(string)
		place[name] = append(place[name], url)
		page, anchor, has := strings.Cut(url, "#")
		if has {
			require.Contains(t, string(files[page]), `id="`+anchor+`"`)
		} else {
			require.Contains(t, files, page)
		}
	}
	for _, p := range lib.Pages {
		require.Contains(t, place[p.Name], p.URL())
		p.All(func(it *docs.Item) { require.Contains(t, place[it.Full], it.URL()) })
	}
}

func TestASearchGivesTheBestFirst(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	dir := t.TempDir()
	require.NoError(t, load(t, "shop.rnl").WriteHTML(dir))
	script := `
const fs = require("fs"), vm = require("vm");
const read = f => fs.readFileSync(process.argv[1] + "/" + f, "utf8");
vm.runInThisContext(read("names.js") + read("search.js") + "globalThis.search = search");
const first = q => (search(q, 5)[0] ?? ["nothing"])[0];
console.log(["list.map", "HTTP", "cheap", "headers has", "shop price", "zzzz", ""].map(first).join("\n"));`
	out, err := exec.Command(node, "-e", script, filepath.ToSlash(dir)).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "list.map\nhttp\nshop.cheap\nhttp.Headers.has\nshop.Item.price\nnothing\nnothing\n", string(out))
}
