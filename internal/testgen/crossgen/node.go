package crossgen

import (
	"math/rand/v2"
	"strings"
)

// node is a piece of a program: an expression with its type, or a statement,
// whose typ is nil. Its parts are texts, layout and other nodes.
type node struct {
	typ   *typ
	free  bool // an expression whose own type is typ, without being told
	jumps bool // belongs to the function around it: return, break, continue, defer
	bound bool // uses a variable that no closure may capture
	fixed bool // to be written as it is
	parts []any
}

// layout is where a line ends if the program may have lines there.
type layout uint8

const (
	open    layout = iota // begins a block
	next                  // between statements
	nextArm               // between arms
	shut                  // ends a block
)

// cat makes a node of texts, layout and nodes.
func cat(t *typ, free bool, parts ...any) *node {
	n := &node{typ: t, free: free}
	n.add(parts...)
	return n
}

func (n *node) add(parts ...any) {
	for _, p := range parts {
		if list, ok := p.([]*node); ok {
			for i, x := range list {
				if i > 0 {
					n.parts = append(n.parts, ", ")
				}
				n.add(x)
			}
			continue
		}
		if x, ok := p.(*node); ok {
			n.jumps = n.jumps || x.jumps
			n.bound = n.bound || x.bound
		}
		n.parts = append(n.parts, p)
	}
}

// writer writes nodes as text. With a generator of its own it wraps
// expressions in what does not change what they mean.
type writer struct {
	out    strings.Builder
	indent int
	line   int        // above 0: everything stands on one line
	r      *rand.Rand // nil: nothing is wrapped
	rate   int        // one expression in that many is wrapped
}

func (w *writer) write(n *node) {
	if w.r != nil && n.typ != nil && !n.fixed && w.r.IntN(w.rate) == 0 && w.wrap(n) {
		return
	}
	w.plain(n)
}

func (w *writer) plain(n *node) {
	for _, p := range n.parts {
		switch p := p.(type) {
		case string:
			w.out.WriteString(p)
		case *node:
			w.write(p)
		case layout:
			w.layout(p)
		case inline:
			w.line++
			w.write(p.n)
			w.line--
		case *block:
			w.block(p)
		}
	}
}

// block is a text block of two lines, with a value in the first.
type block struct {
	value *node
	lines [2]string
}

func (w *writer) block(b *block) {
	quotes, newline := `"`, "\\n"
	if w.line == 0 {
		quotes, newline = `"""`, "\n"+strings.Repeat("  ", w.indent)
		w.out.WriteString(quotes + newline)
	} else {
		w.out.WriteString(quotes)
	}
	w.out.WriteString(b.lines[0] + "${")
	w.plain(&node{parts: []any{inline{b.value}}})
	w.out.WriteString("}" + newline + b.lines[1])
	if w.line == 0 {
		w.out.WriteString(newline)
	}
	w.out.WriteString(quotes)
}

// inline is a node that stands on one line, as in a text.
type inline struct{ n *node }

func (w *writer) layout(l layout) {
	switch l {
	case open:
		w.indent++
	case shut:
		w.indent--
	}
	switch {
	case w.line == 0:
		w.out.WriteString("\n" + strings.Repeat("  ", w.indent))
	case l == next:
		w.out.WriteString("; ")
	case l == nextArm:
		w.out.WriteString(", ")
	default:
		w.out.WriteByte(' ')
	}
}

// byValue and byCall are functions of the preamble that give what they get.
var (
	byValue = []string{"id", "via_list", "via_map", "via_tuple", "via_box", "via_chan", "via_mutex", "via_iter", "via_local", "via_select",
		"via_defer", "via_try", "via_loop", "via_result", "via_option", "via_var", "via_match", "via_cell", "via_tasks", "via_sync",
		"via_copy", "via_operator", "via_steps"}
	byCall = []string{"via_call", "apart", "via_actor", "via_scope", "via_timeout", "via_computed", "via_race", "via_lock", "via_deep", "via_apply",
		"via_cancelled", "via_late", "via_raced", "via_failed_scope", "via_cleanup", "via_generator", "via_generators"}
	// Each type of these makes some hundred functions of the library concrete.
	byLibrary = []string{"via_one_for_one", "via_one_for_all", "via_rest_for_one", "via_killed", "via_store", "via_graph"}
)

// wrap writes n so that its value takes another way.
func (w *writer) wrap(n *node) bool {
	t := n.typ
	if t.head == "unit" || t.head == "never" {
		return false
	}
	if !n.jumps && !n.bound && w.r.IntN(2) == 0 {
		ways := byCall
		if (t.head == "int" || t.head == "str") && w.r.IntN(3) == 0 {
			ways = byLibrary
		}
		w.out.WriteString(ways[w.r.IntN(len(ways))] + "<" + t.String() + ">(|| { ")
		w.plain(n)
		w.out.WriteString(" })")
		return true
	}
	w.out.WriteString(byValue[w.r.IntN(len(byValue))] + "<" + t.String() + ">(")
	w.plain(n)
	w.out.WriteString(")")
	return true
}
