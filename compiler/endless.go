package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/types"
)

// making is a type whose parts are being made, and its size.
type making struct {
	t    types.Type
	size int
}

// endlessType reports a generic type that is made of ever larger types of itself:
// of unreasonable size, or with too many smaller ones around that wait for it.
func (c *compiler) endlessType(t types.Type, size int) bool {
	chain := c.growing(t, size)
	if len(chain) <= maxChain && size < 8*maxTypeSize {
		return false
	}
	span, name := diag.NoSpan, "a type"
	for _, m := range append(c.making, making{t: t}) {
		if n, ok := m.t.(*types.Named); ok {
			span, name = n.Decl.At, "`"+n.Decl.Name+"`"
		}
	}
	c.fail(span, diag.EndlessType, name+" is made of ever larger types of itself", "the chain begins: "+firstLinks(chain),
		"a generic type with a part that is a larger type of itself never ends")
	return true
}

// growing returns the types around t that are of its declaration, from the outermost,
// each smaller than the one in it.
func (c *compiler) growing(t types.Type, size int) (chain []string) {
	n, ok := t.(*types.Named)
	if !ok || len(n.Args) == 0 {
		return nil
	}
	for _, m := range slices.Backward(c.making) {
		if outer, ok := m.t.(*types.Named); ok && outer.Decl == n.Decl && m.size < size {
			size = m.size
			chain = append(chain, outer.String())
		}
	}
	slices.Reverse(chain)
	return chain
}

// maxTypeSize bounds the parts of a type: a type that doubles at each instance
// is a graph of shared parts, exponentially large when it is written out.
const maxTypeSize = 1000

// sizeOf is the number of a type's parts, 8*maxTypeSize for all that is larger.
func sizeOf(t types.Type) int {
	left := 8 * maxTypeSize
	shrink(t, &left)
	return 8*maxTypeSize - max(left, 0)
}

// overgrown reports a chain in which a generic function asks for ever new
// instances of itself: with a type of unreasonable size, or too often in a row.
func (c *compiler) overgrown(fn *types.FuncDecl, args []types.Type) bool {
	if len(args) == 0 {
		return false
	}
	left := maxTypeSize
	for _, t := range args {
		shrink(t, &left)
	}
	chain := 0
	for i, steps := c.current, 0; i >= 0 && steps < 8*maxChain; i, steps = c.code[i].parent, steps+1 {
		if c.code[i].fn == fn {
			chain++
		}
	}
	if left > 0 && chain <= maxChain {
		return false
	}
	if chain == 0 {
		c.tooLarge(fn.At, fmt.Sprintf("parts in the types that `%s` is used with", fn.Name), maxTypeSize, "give a large type a name: a struct is one part")
		return true
	}
	c.fail(fn.At, diag.EndlessInstance, fmt.Sprintf("`%s` makes ever new instances of itself", fn.Name), "the chain begins: "+c.chainText(fn),
		"a generic function or type that uses itself with a larger type never ends")
	return true
}

// chainText shows the first instances of a chain.
func (c *compiler) chainText(fn *types.FuncDecl) string {
	var links []string
	for i := c.current; i >= 0; i = c.code[i].parent {
		if c.code[i].fn == fn {
			var args []string
			for _, t := range c.code[i].args {
				args = append(args, t.String())
			}
			links = append(links, fn.Name+"<"+strings.Join(args, ", ")+">")
		}
	}
	slices.Reverse(links)
	return firstLinks(links)
}

// firstLinks shows how a chain begins.
func firstLinks(links []string) string {
	return strings.Join(append(links[:min(3, len(links)):min(3, len(links))], "..."), ", ")
}

// shrink takes the number of a type's parts off left, until that is used up.
func shrink(t types.Type, left *int) {
	if *left--; *left <= 0 {
		return
	}
	switch t := types.Prune(t).(type) {
	case *types.App:
		for _, a := range t.Args {
			shrink(a, left)
		}
	case *types.Named:
		for _, a := range t.Args {
			shrink(a, left)
		}
	case *types.Func:
		for _, p := range t.Params {
			shrink(p, left)
		}
		shrink(t.Result, left)
	}
}
