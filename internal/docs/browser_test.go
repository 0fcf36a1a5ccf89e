package docs_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var shots = flag.String("shots", "", "save pictures of the site into a folder")

// site writes the site into a folder and serves it.
func site(t *testing.T) (dir, url string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, load(t, "shop.rnl").WriteHTML(dir))
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return dir, server.URL
}

const (
	results     = `[...document.querySelectorAll("#search-results a")]`
	firstResult = results + `.map(a => a.querySelector("b").textContent)[0]`
	isChosen    = results + `.findIndex(a => a.className === "chosen")`
)

// query types into the search box, which "/" leads to.
func (b *browser) query(text string) {
	b.t.Helper()
	b.press("/")
	b.becomes("search-box", "document.activeElement.id")
	b.eval(`(document.activeElement.value = "", 0)`, nil)
	b.press(text)
}

func TestTheSiteInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := newBrowser(t)
	dir, served := site(t)
	roots := map[string]string{"served": served, "from files": "file://" + filepath.ToSlash(dir)}
	for _, name := range longtest.Sample([]string{"served", "from files"}, 2) {
		root := roots[name]
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.screen(1280, 900)
			b.scheme("light")
			b.visit(root + "/index.html")
			b.shot("index")
			for _, step := range []func(*testing.T, *browser, string){
				searchFinds, keysMoveThroughResults, nothingIsFound, narrowScreens, darkAndLight, headingsAreLinks,
			} {
				step(t, b, root)
			}
			require.Empty(t, b.complaints())
		})
	}
	b.t = t
}

func searchFinds(t *testing.T, b *browser, root string) {
	for _, c := range []struct{ query, first, place string }{
		{"list.map", "list.map", "/list.html#map"},
		{"HTTP", "http", "/http.html"},
		{"headers has", "http.Headers.has", "/http.html#Headers.has"},
		{"cheap", "shop.cheap", "/shop.html#cheap"},
		{"what a shop sells", "shop", "/shop.html"},
		{"before tax shops agree", "shop.Item", "/shop.html#Item"},
		{"str, str -> [str]", "str.split", "/str.html#split"},
		{"[Item] -> map<str, Item>", "shop.cheap", "/shop.html#cheap"},
	} {
		b.visit(root + "/index.html")
		b.query(c.query)
		b.becomes(c.first, firstResult, c.query)
		b.shot("search")
		b.press(keyEnter)
		b.arrives(root+c.place, c.query)
		b.becomes("true", `document.getElementById("search-results").hidden`)
		if _, anchor, has := strings.Cut(c.place, "#"); has {
			b.becomes("in sight", `(top => top >= 0 && top < 900 ? "in sight" : top)(document.getElementById("`+anchor+`").getBoundingClientRect().top)`, c.place)
		}
	}
}

func keysMoveThroughResults(t *testing.T, b *browser, root string) {
	b.visit(root + "/str.html")
	b.query("get")
	b.becomes("0", isChosen)
	b.press(keyDown + keyDown + keyUp)
	b.becomes("1", isChosen)
	b.press(keyUp + keyUp + keyUp)
	b.becomes("0", isChosen)
	b.press(keyEscape)
	b.becomes("true BODY", `document.getElementById("search-results").hidden + " " + document.activeElement.tagName`)
	b.query("get")
	b.press(keyDown)
	b.becomes("1", isChosen)
	second := b.text(results + `[1].href`)
	b.press(keyEnter)
	b.arrives(second)
}

func nothingIsFound(t *testing.T, b *browser, root string) {
	b.visit(root + "/yaml.html")
	b.query("zzz")
	b.becomes("Nothing is found.", `document.getElementById("search-results").textContent`)
	b.press(keyEnter + keyEscape)
	b.becomes("BODY", `document.activeElement.tagName`) // both keys were taken
	b.arrives(root + "/yaml.html")
}

// On a narrow screen a page is as wide as the screen, its text is as large as
// on any other, and the lists that lead elsewhere are a tap away.
func narrowScreens(t *testing.T, b *browser, root string) {
	b.screen(360, 740)
	defer b.screen(1280, 900)
	for _, page := range []string{"index", "http", "list", "json", "actor", "reactive", "template", "shop"} {
		b.visit(root + "/" + page + ".html")
		b.becomes("360", `document.documentElement.scrollWidth`, page)
		b.becomes("", `[...document.querySelectorAll("main h1, main h3, main p, main li, main pre")]
			.filter(e => e.getBoundingClientRect().right > 361).map(e => e.textContent)`, page)
		b.becomes("true", `[...document.querySelectorAll("main p, main code, main li")].every(e => parseFloat(getComputedStyle(e).fontSize) >= 12)`, page)
		b.becomes("16px", `getComputedStyle(document.body).fontSize`)
		b.shot("narrow-" + page)
	}
	b.visit(root + "/http.html")
	link := `document.querySelector('#page-list a[href="yaml.html"]')`
	b.becomes("false", link+`.checkVisibility()`)
	b.eval(`document.querySelector("#page-list summary").click()`, nil)
	b.becomes("true", link+`.checkVisibility()`)
	b.shot("narrow-pages")
	b.eval(link+`.click()`, nil)
	b.arrives(root + "/yaml.html")
	b.query("list.map")
	b.becomes("list.map", firstResult)
	b.becomes("360", `document.documentElement.scrollWidth`)
	b.shot("narrow-search")
}

// contrast is the least of the contrasts between a text and its ground, as WCAG
// counts them, with the element that has it.
const contrast = `(() => {
  const rgb = c => c.match(/[\d.]+/g).map(Number);
  const light = c => rgb(c).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if ((rgb(c)[3] ?? 1) > 0) return c;
    }
    return "rgb(255, 255, 255)";
  };
  let least = 99;
  for (const e of document.querySelectorAll("main *, nav *, header *")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
  }
  return least;
})()`

func darkAndLight(t *testing.T, b *browser, root string) {
	grounds := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}
	for _, scheme := range []string{"dark", "light"} {
		b.scheme(scheme)
		for _, page := range []string{"index", "http", "json"} {
			b.visit(root + "/" + page + ".html")
			b.becomes(grounds[scheme], `getComputedStyle(document.body).backgroundColor`)
			var least float64
			b.eval(contrast, &least)
			assert.Greater(t, least, 4.5, "contrast of %s, %s", page, scheme)
			b.shot(scheme + "-" + page)
		}
	}
}

func headingsAreLinks(t *testing.T, b *browser, root string) {
	b.visit(root + "/list.html")
	b.eval(`document.querySelector("#map .anchor").click()`, nil)
	b.arrives(root + "/list.html#map")
	b.becomes("true", `document.querySelectorAll("pre.example .copy").length === document.querySelectorAll("pre.example").length`)
	b.visit(root + "/yaml.html")
	b.becomes("true", `(r => r.top > 0 && r.bottom <= innerHeight)(document.querySelector(".pages [aria-current]").getBoundingClientRect())`) // the list of pages shows this page
	b.becomes("0", `scrollY`)
}
