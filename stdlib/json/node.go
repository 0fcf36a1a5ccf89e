package json

import (
	"github.com/runnel-lang/runnel/vm"
)

// Kind of a Node.
type Kind uint8

const (
	Null      Kind = iota
	Bool           // Text is true or false
	Number         // Text is the number; a float has a dot or an exponent
	NonFinite      // Text is inf, -inf or nan
	String
	Array
	Object
)

// Node is a value by the rules of encode, as a tree: what other notations are
// written from.
type Node struct {
	Kind  Kind
	Text  string
	Keys  []string // of an object's Items
	Items []Node
}

// EncodeTree returns the tree of a value whose static type is id. Messages name
// the format.
func EncodeTree(c *vm.Call, format string, id uint32, v vm.Value) Node {
	from := &origin{format: format, nonFinite: true}
	return encode(c, id, v, 0, from, func(text []byte) Node {
		c.ChargeObject(len(text))
		r := treeReader{c, string(text), 0}
		return r.value()
	})
}

// treeReader reads what an encoder has written.
type treeReader struct {
	c    *vm.Call
	text string
	pos  int
}

func (r *treeReader) value() Node {
	r.c.Charge(2 * vm.SizeOf[Node]()) // the lists of items have room to grow
	r.c.Steps(1)
	switch r.text[r.pos] {
	case '{':
		return r.items(Object, '}')
	case '[':
		return r.items(Array, ']')
	case '"':
		return Node{Kind: String, Text: r.string()}
	case 't', 'f', 'n':
		end, _ := skipValue(r.text, r.pos, 0, nil)
		word := r.text[r.pos:end]
		r.pos = end
		if word == "null" {
			return Node{Kind: Null}
		}
		return Node{Kind: Bool, Text: word}
	}
	end, _, _ := number(r.text, r.pos)
	text := r.text[r.pos:end]
	r.pos = end
	if name := nonFiniteNames[text]; name != "" {
		return Node{Kind: NonFinite, Text: name}
	}
	return Node{Kind: Number, Text: text}
}

// nonFiniteNames are what the language prints for the floats that JSON does not have,
// by what stands for them in a text of our own.
var nonFiniteNames = map[string]string{infinity: "inf", "-" + infinity: "-inf", nan: "nan"}

// string reads a string, which is copied where it has escapes.
func (r *treeReader) string() string {
	start := r.pos + 1
	end, _ := plainString(r.text, start)
	if r.text[end] == '"' {
		r.pos = end + 1
		return r.text[start:end]
	}
	var buf []byte
	buf, r.pos, _ = escapedString(nil, r.text, start)
	r.c.Charge(cap(buf))
	return string(buf)
}

func (r *treeReader) items(kind Kind, closing byte) Node {
	n := Node{Kind: kind}
	if r.pos++; r.text[r.pos] == closing {
		r.pos++
		return n
	}
	for more := true; more; {
		if kind == Object {
			r.c.Charge(2 * vm.SizeOf[string]())
			n.Keys = append(n.Keys, r.string())
			r.pos++ // the colon
		}
		n.Items = append(n.Items, r.value())
		r.pos, more, _ = afterElement(r.text, r.pos, closing)
	}
	return n
}
