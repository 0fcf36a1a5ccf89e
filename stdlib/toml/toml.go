// Package toml holds the native functions of module toml. BurntSushi/toml
// parses; values are built and read by the rules of package json.
package toml

import (
	"context"
	_ "embed"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed toml.rnl
var source string

// Module is what the import of toml gives.
var Module = vm.NewModule("toml", source)

const bytesPerStep = 4

// parsedSize is what is made of a text, at most about: the parser's maps and
// its notes on each part of a key, and the order of the keys.
func parsedSize(text string) int {
	marks := 0
	for _, c := range []byte(text) {
		switch c {
		case '.', '=', '[', '{':
			marks++
		}
	}
	return 600*marks + 64*len(text)
}

func init() {
	Module.Blocking("decode_as", decodeAs)
	Module.Native("encode", func(c *vm.Call) {
		tree := json.EncodeTree(c, "toml", c.Ref().TypeArgs[0], c.Value(0))
		w := writer{c: c}
		w.document(tree)
		c.SetStr(string(w.buf))
	})
}

const (
	maxText = 8 << 20  // bytes of a text: the parser cannot be interrupted
	atOnce  = 16 << 10 // those that the task itself parses: within milliseconds
)

func decodeAs(c *vm.Call) {
	text := c.Str(0)
	if len(text) > maxText {
		c.Throw(vm.ErrValue, "toml: a text has at most %d bytes, not %d", maxText, len(text))
	}
	c.ChargeObject(16 * strings.Count(text, "\n")) // what scan notes of lines
	s := scan(text)
	c.Steps(1 + len(text)/bytesPerStep*(1+s.deepest))
	if s.tooDeep >= 0 {
		line, column := lineColumn(text, s.tooDeep)
		c.Throw(vm.ErrValue, "toml: nested deeper than %d levels at %d:%d", maxDepth, line, column)
	}
	size := parsedSize(text)
	if len(text) <= atOnce {
		c.ChargeObject(size)
		p, err := parse(text)
		p.build(c, &s, err)
		return
	}
	c.Await(vm.Blocking{
		Name: "toml.decode", Charge: size, Computes: true,
		Work:   func(context.Context) (any, error) { return parse(text) },
		Finish: func(c *vm.Call, p any, err error) { p.(*parsed).build(c, &s, err) },
	})
}

// parsed is what the parser makes of a text.
type parsed struct {
	table map[string]any
	order *keyOrder
}

func parse(text string) (*parsed, error) {
	p := &parsed{}
	meta, err := toml.Decode(text, &p.table)
	if err == nil {
		err = extended(text)
	}
	p.order = orderOf(meta.Keys())
	return p, err
}

// build gives the value, or throws the parser's error.
func (p *parsed) build(c *vm.Call, s *scanned, err error) {
	if err != nil {
		fail(c, err)
	}
	doc := json.NewDocument(c, "toml", math.MaxInt, func(path []json.Step) (line, column int) {
		return s.locate(c, path)
	})
	write(doc, p.table, p.order)
	c.SetResult(doc.Decode())
}

// oneLine is for what messages quote of the text.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// fail throws the error of a text that is no TOML.
func fail(c *vm.Call, err error) {
	var e toml.ParseError
	if errors.As(err, &e) {
		c.Throw(vm.ErrValue, "toml: %s at %d:%d", oneLine.Replace(strings.TrimSuffix(e.Message, ".")), e.Position.Line, max(1, e.Position.Col))
	}
	c.Throw(vm.ErrValue, "toml: %v", err)
}

// write adds a parsed value to a document.
func write(doc *json.Document, v any, order *keyOrder) {
	switch v := v.(type) {
	case map[string]any:
		doc.Open('{')
		for _, key := range order.sorted(v) {
			doc.Key(key)
			write(doc, v[key], order.below[key])
		}
		doc.Close('}')
	case []map[string]any:
		doc.Open('[')
		for _, table := range v {
			write(doc, table, order)
		}
		doc.Close(']')
	case []any:
		doc.Open('[')
		for _, item := range v {
			write(doc, item, order)
		}
		doc.Close(']')
	case string:
		doc.Str(v)
	case int64:
		doc.Int(v)
	case float64:
		doc.Float(v)
	case bool:
		doc.Bool(v)
	case time.Time:
		doc.Str(v.Format(layout(v)))
	}
}

// layout of a date or time. The parser tells local ones by their location.
func layout(t time.Time) string {
	switch t.Location().String() {
	case "datetime-local":
		return "2006-01-02T15:04:05.999999999"
	case "date-local":
		return time.DateOnly
	case "time-local":
		return "15:04:05.999999999"
	}
	return time.RFC3339Nano
}
