package yaml

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

const indent = 2

// encode prints a tree.
func encode(c *vm.Call, tree json.Node) string {
	b := builder{c: c}
	root := b.node(tree, 0)
	c.ChargeObject(2 * b.size)
	c.Steps(b.size / bytesPerStep)
	var out bytes.Buffer
	e := yaml.NewEncoder(heedfulWriter{c, &out})
	e.SetIndent(indent)
	if err := e.Encode(root); err != nil {
		c.Throw(vm.ErrValue, "%v", err)
	}
	e.Close()
	return out.String()
}

// heedfulWriter takes what the library prints, a buffer at a time.
type heedfulWriter struct {
	c   *vm.Call
	out *bytes.Buffer
}

func (w heedfulWriter) Write(p []byte) (int, error) {
	w.c.Heed()
	return w.out.Write(p)
}

// builder makes what the library prints.
type builder struct {
	c    *vm.Call
	size int // of the text, about
}

func (b *builder) node(n json.Node, depth int) *yaml.Node {
	b.c.Charge(vm.SizeOf[yaml.Node]())
	b.size += len(n.Text) + indent*(depth+2)
	switch n.Kind {
	case json.Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case json.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: n.Text}
	case json.Number:
		tag := "!!int"
		if strings.ContainsAny(n.Text, ".e") {
			tag = "!!float"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: n.Text}
	case json.NonFinite:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: nonFinite[n.Text]}
	case json.String:
		return text(n.Text)
	}
	return b.items(n, depth)
}

var nonFinite = map[string]string{"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}

// misread are strings that the library does not quote, but that are bools for
// readers of YAML 1.1, or merge keys.
var misread = []string{"y", "n", "yes", "no", "on", "off", "<<"}

// text is a str; the library quotes where it must, but for blocks of lines that
// begin with a tab, which it does not read again.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if slices.Contains(misread, strings.ToLower(s)) || strings.Contains(s, "\n") && strings.Contains(s, "\t") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func (b *builder) items(n json.Node, depth int) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode}
	if n.Kind == json.Object {
		out.Kind = yaml.MappingNode
	}
	if len(n.Items) == 0 {
		out.Style = yaml.FlowStyle
	}
	for i, item := range n.Items {
		if n.Kind == json.Object {
			b.c.Charge(vm.SizeOf[yaml.Node]())
			b.size += len(n.Keys[i])
			out.Content = append(out.Content, text(n.Keys[i]))
		}
		out.Content = append(out.Content, b.node(item, depth+1))
	}
	return out
}
