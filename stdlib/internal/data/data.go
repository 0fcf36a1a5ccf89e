// Package data helps natives that take bytes or text and give bytes.
package data

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// bytesPerStep is how much data is worked through for one step of the budget.
const bytesPerStep = 16

// Native links a native whose first type parameter stands for str or bytes.
func Native(fn vm.Native) func(*vm.Program, *bytecode.NativeRef) (vm.Native, error) {
	return func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		switch id := ref.TypeArgs[0]; id {
		case bytecode.IDStr, bytecode.IDBytes:
			return fn, nil
		default:
			return nil, fmt.Errorf("%s takes str or bytes, not %s", ref.Name, p.Types[id].Name)
		}
	}
}

// Arg returns a str or bytes argument, and charges for a pass over it. It must
// not be changed.
func Arg(c *vm.Call, i int) []byte {
	s := c.Str(i)
	c.Steps(1 + len(s)/bytesPerStep)
	return vm.BytesView(s)
}

// Write gives data to a writer that cannot fail, in pieces between which it heeds
// that the task is to end.
func Write(c *vm.Call, w io.Writer, data []byte) {
	for piece := range c.Pieces(vm.TextView(data)) {
		w.Write(vm.BytesView(piece))
	}
}

// NewStr makes a str of n bytes to be filled at once, charged.
func NewStr(c *vm.Call, n int) (*vm.Str, []byte) { return fill(c, bytecode.IDStr, n) }

// AllocBytes makes a bytes of n bytes to be filled at once, charged.
func AllocBytes(c *vm.Call, n int) (*vm.Str, []byte) { return fill(c, bytecode.IDBytes, n) }

func fill(c *vm.Call, id uint32, n int) (*vm.Str, []byte) {
	c.ChargeObject(vm.FillSize(n))
	return vm.NewFill(id, n)
}

// NewBytes copies data into a bytes, charged.
func NewBytes(c *vm.Call, data []byte) *vm.Str {
	return c.NewBytes(vm.TextView(data))
}

// SetBytes sets a copy of data as the result.
func SetBytes(c *vm.Call, data []byte) { c.SetObject(NewBytes(c, data).Object()) }

// Char shows the character at a position of a text, for messages.
func Char(text []byte, at int) string {
	r, _ := utf8.DecodeRune(text[at:])
	return strconv.QuoteRune(r)
}
