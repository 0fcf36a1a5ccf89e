// Package text holds the native functions of module text: what Unicode's
// tables tell about texts.
package text

import (
	_ "embed"
	"html"
	"unicode"
	"unicode/utf8"
	"unsafe"

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
	Module.Native("width", func(c *vm.Call) { c.SetInt(int64(widths.StringWidth(input(c)))) })
	Module.Native("cut", func(c *vm.Call) { c.SetStr(widths.Truncate(input(c), int(c.Int(1)), c.Str(2))) })
	Module.Native("graphemes", func(c *vm.Call) {
		out := c.NewList(c.Ref().Result, 0)
		c.Pin(unsafe.Pointer(out.List()))
		for it := graphemes.FromString(input(c)); it.Next(); {
			out.Push(vm.RefValue(unsafe.Pointer(c.NewStr(it.Value()))))
		}
		c.SetPtr(unsafe.Pointer(out.List()))
	})
	Module.Native("category", func(c *vm.Call) {
		r, n := utf8.DecodeRuneInString(c.Str(0))
		if n == 0 {
			c.Throw(vm.ErrValue, "text: an empty text has no category")
		}
		c.Steps(len(unicode.Categories))
		c.SetStr(category(r))
	})
	Module.Native("normal", func(c *vm.Call) { c.SetStr(forms[c.Int(1)].String(mapped(c))) })
	Module.Native("strip_marks", func(c *vm.Call) {
		strip := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
		out, _, err := transform.String(strip, mapped(c))
		if err != nil {
			c.Throw(vm.ErrValue, "text: %v", err)
		}
		c.SetStr(out)
	})
	Module.Native("fold", func(c *vm.Call) { c.SetStr(cases.Fold().String(mapped(c))) })
	Module.Native("escape_html", func(c *vm.Call) { c.SetStr(html.EscapeString(mapped(c))) })
	Module.Native("unescape_html", func(c *vm.Call) { c.SetStr(html.UnescapeString(mapped(c))) })
}

// input gives the text to look at, and charges for that.
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

// category gives the two letters of a character's general category.
func category(r rune) string {
	for name, table := range unicode.Categories {
		if len(name) == 2 && name != "LC" && name != "Cn" && unicode.Is(table, r) {
			return name
		}
	}
	return "Cn"
}
