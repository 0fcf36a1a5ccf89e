// Package yaml holds the native functions of module yaml. yaml.v3 parses and
// prints; values are built and read by the rules of package json.
package yaml

import (
	_ "embed"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"

	"github.com/runnel-lang/runnel/internal/lazy"
)

//go:embed yaml.rnl
var source string

// Module is what the import of yaml gives.
var Module = vm.NewModule("yaml", source)

const bytesPerStep = 4

// parsedSize is what the parser makes of a text, at most about: two nodes for
// each character that can make some, and tokens.
func parsedSize(text string) int {
	marks := 0
	for _, c := range []byte(text) {
		switch c {
		case ',', ':', '?', '-', '[', '{':
			marks++
		}
	}
	return 2*marks*vm.SizeOf[yaml.Node]() + 16*len(text)
}

// sizeLimit bounds what aliases may make of a text.
func sizeLimit(text string) int { return 64*len(text) + 1<<20 }

func init() {
	Module.Native("decode_as", func(c *vm.Call) {
		text := c.Str(0)
		docs := parse(c, text)
		if len(docs) > 1 {
			c.Throw(vm.ErrValue, "yaml: a second document starts at %d:%d: decode_all reads several", docs[1].Line, docs[1].Column)
		}
		root := &yaml.Node{}
		if len(docs) > 0 {
			root = docs[0]
		}
		c.SetResult(decode(c, text, root))
	})
	Module.Native("decode_all_as", func(c *vm.Call) {
		text := c.Str(0)
		c.SetResult(decode(c, text, &yaml.Node{Kind: yaml.SequenceNode, Content: parse(c, text), Line: 1, Column: 1}))
	})
	Module.Native("encode", func(c *vm.Call) {
		c.SetStr(encode(c, json.EncodeTree(c, "yaml", c.Ref().TypeArgs[0], c.Value(0))))
	})
}

// parse returns the documents of a text.
func parse(c *vm.Call, text string) (docs []*yaml.Node) {
	c.ChargeObject(parsedSize(text))
	c.Steps(1 + len(text)/bytesPerStep)
	for d := yaml.NewDecoder(&heedful{c, strings.NewReader(text)}); ; {
		doc := &yaml.Node{}
		if err := d.Decode(doc); errors.Is(err, io.EOF) {
			return docs
		} else if err != nil {
			fail(c, err)
		}
		docs = append(docs, doc)
	}
}

// heedful is a text that is read; the library asks for some of it at a time.
type heedful struct {
	c *vm.Call
	*strings.Reader
}

func (r *heedful) Read(p []byte) (int, error) {
	r.c.Heed()
	return r.Reader.Read(p)
}

var errorText = lazy.Regexp(`^yaml: (?:line (\d+): )?(.*)`)

// fail throws the error of a text that is no YAML. The parser tells lines only,
// and not the first one.
func fail(c *vm.Call, err error) {
	line, text := "1", err.Error()
	if m := errorText().FindStringSubmatch(text); m != nil {
		text = m[2]
		if m[1] != "" {
			line = m[1]
		}
	}
	c.Throw(vm.ErrValue, "yaml: %s at line %s", text, line)
}

// decode returns the value of a node of a text.
func decode(c *vm.Call, text string, root *yaml.Node) vm.Value {
	limit := sizeLimit(text)
	doc := json.NewDocument(c, "yaml", limit, func(path []json.Step) (line, column int) {
		n := find(root, path)
		return max(1, n.Line), max(1, n.Column)
	})
	r := rewriter{c: c, doc: doc, left: limit}
	r.value(root)
	return doc.Decode()
}
