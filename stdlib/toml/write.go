package toml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

// writer writes trees as TOML. The library's encoder knows Go structs and maps
// only, which cannot keep the order of keys that are not known beforehand.
type writer struct {
	c   *vm.Call
	buf []byte
}

func (w *writer) add(s string) {
	if free := cap(w.buf) - len(w.buf); free < len(s) {
		w.c.ChargeObject(2*cap(w.buf) + len(s))
		w.c.Steps(1 + len(s)/bytesPerStep)
	}
	w.buf = append(w.buf, s...)
}

func (w *writer) document(n json.Node) {
	if n.Kind != json.Object {
		w.c.Throw(vm.ErrValue, "toml: a document is a table: a struct or a map is needed")
	}
	w.table("", n)
}

// isTable tells what gets a header of its own: an object, or an array of them.
func isTable(n json.Node) bool {
	if n.Kind != json.Array {
		return n.Kind == json.Object
	}
	for _, item := range n.Items {
		if item.Kind != json.Object {
			return false
		}
	}
	return len(n.Items) > 0
}

// table writes the entries of a table whose path is given, first those without a header.
func (w *writer) table(path string, n json.Node) {
	for i, item := range n.Items {
		if item.Kind != json.Null && !isTable(item) {
			w.add(key(n.Keys[i]))
			w.add(" = ")
			w.inline(path+key(n.Keys[i]), item)
			w.add("\n")
		}
	}
	for i, item := range n.Items {
		if !isTable(item) {
			continue
		}
		inner := path + key(n.Keys[i])
		if item.Kind == json.Object {
			if needsHeader(item) {
				w.header("[" + inner + "]")
			}
			w.table(inner+".", item)
			continue
		}
		for _, element := range item.Items {
			w.header("[[" + inner + "]]")
			w.table(inner+".", element)
		}
	}
}

// needsHeader reports whether a table would not be seen by those in it alone.
func needsHeader(n json.Node) bool {
	for _, item := range n.Items {
		if item.Kind != json.Null && !isTable(item) {
			return true
		}
	}
	return !slices.ContainsFunc(n.Items, isTable)
}

func (w *writer) header(text string) {
	if len(w.buf) > 0 {
		w.add("\n")
	}
	w.add(text)
	w.add("\n")
}

// inline writes a value in one line.
func (w *writer) inline(path string, n json.Node) {
	switch n.Kind {
	case json.String:
		w.add(quote(n.Text))
	case json.Array:
		w.add("[")
		for i, item := range n.Items {
			w.separate(i)
			at := path
			switch item.Kind {
			case json.Null:
				w.c.Throw(vm.ErrValue, "toml: a none in an array has no TOML form, at %s[%d]", path, i)
			case json.Array, json.Object:
				at = fmt.Sprintf("%s[%d]", path, i)
			}
			w.inline(at, item)
		}
		w.add("]")
	case json.Object:
		w.add("{")
		count := 0
		for i, item := range n.Items {
			if item.Kind == json.Null {
				continue
			}
			w.separate(count)
			count++
			w.add(key(n.Keys[i]))
			w.add(" = ")
			w.inline(path+"."+key(n.Keys[i]), item)
		}
		w.add("}")
	default:
		w.add(n.Text)
	}
}

func (w *writer) separate(before int) {
	if before > 0 {
		w.add(", ")
	}
}

// key is bare where it can be.
func key(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}) < 0
	if plain && s != "" {
		return s
	}
	return quote(s)
}

// quote writes a basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
