// Package text holds the native functions of module text: what Unicode's
// tables tell about texts.
package text

import (
	_ "embed"
	"html"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"
	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed text.rnl
var source string

// Module is what the import of text gives.
var Module = vm.NewModule("text", source)

// bytesPerStep is how much text is looked at for one step of the budget.
const bytesPerStep = 8

// widths are the same on every machine, whatever its locale.
var widths = runewidth.Condition{StrictEmojiNeutral: true}

// forms in the order in which text.normalize numbers them.
var forms = [...]norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD}

func init() {
	Module.Native("width", func(c *vm.Call) {
		n, _ := width(c, input(c), math.MaxInt)
		c.SetInt(int64(n))
	})
	Module.Native("cut", func(c *vm.Call) {
		s, most := input(c), int(c.Int(1))
		_, seen := width(c, s, most)
		c.SetStr(widths.Truncate(s[:seen], most, c.Str(2)))
	})
	Module.Native("graphemes", func(c *vm.Call) {
		out := c.NewList(c.Ref().Result, 0)
		c.Pin(out.Object())
		for it := graphemes.FromString(input(c)); it.Next(); {
			c.Steps(1)
			out.Push(c.NewStr(it.Value()).Value())
		}
		c.SetObject(out.Object())
	})
	Module.Native("category", func(c *vm.Call) {
		r, n := utf8.DecodeRuneInString(c.Str(0))
		if n == 0 {
			c.Throw(vm.ErrValue, "text: an empty text has no category")
		}
		c.Steps(len(unicode.Categories))
		c.SetStr(category(r))
	})
	Module.Native("normal", func(c *vm.Call) { c.SetStr(transformed(c, forms[c.Int(1)])) })
	Module.Native("strip_marks", func(c *vm.Call) {
		strip := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
		c.SetStr(transformed(c, strip))
	})
	Module.Native("fold", func(c *vm.Call) { c.SetStr(transformed(c, cases.Fold())) })
	Module.Native("escape_html", func(c *vm.Call) {
		var out strings.Builder
		for piece := range c.Pieces(mapped(c)) {
			out.WriteString(html.EscapeString(piece))
		}
		c.SetStr(out.String())
	})
	Module.Native("unescape_html", func(c *vm.Call) { c.SetStr(html.UnescapeString(mapped(c))) })
}

// width counts the columns of a text up to the character that needs more than
// most of them, and gives how many bytes these are.
func width(c *vm.Call, s string, most int) (columns, seen int) {
	if len(s) < 4<<10 {
		return widths.StringWidth(s), len(s)
	}
	n := 0
	for it := graphemes.FromString(s); columns <= most && it.Next(); n++ {
		if n%1024 == 0 {
			c.Heed()
		}
		columns += widths.StringWidth(it.Value())
		seen = it.End()
	}
	return columns, seen
}

// transformed is what a transformer makes of the text.
func transformed(c *vm.Call, t transform.Transformer) string {
	s := mapped(c)
	if len(s) < 4<<10 {
		out, _, err := transform.String(t, s)
		if err != nil {
			c.Throw(vm.ErrValue, "text: %v", err)
		}
		return out
	}
	var out strings.Builder
	w := transform.NewWriter(&out, t)
	for piece := range c.Pieces(s) {
		if _, err := w.Write([]byte(piece)); err != nil {
			c.Throw(vm.ErrValue, "text: %v", err)
		}
	}
	if err := w.Close(); err != nil {
		c.Throw(vm.ErrValue, "text: %v", err)
	}
	return out.String()
}

// input returns the text to look at, and charges for that.
func input(c *vm.Call) string {
	s := c.Str(0)
	c.Steps(1 + len(s)/bytesPerStep)
	return s
}

// maxGrowth is by how much a text grows that is normalised, folded or escaped.
const maxGrowth = 11

// mapped is input for what makes another text, which is charged for.
func mapped(c *vm.Call) string {
	s := input(c)
	c.Charge(maxGrowth * len(s))
	return s
}

// category returns the two letters of a character's general category.
func category(r rune) string {
	for name, table := range unicode.Categories {
		if len(name) == 2 && name != "LC" && name != "Cn" && unicode.Is(table, r) {
			return name
		}
	}
	return "Cn"
}
