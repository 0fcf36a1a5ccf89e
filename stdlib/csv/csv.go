// Package csv holds the native functions of module csv, on Go's encoding/csv.
package csv

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed csv.rnl
var source string

// Module is what the import of csv gives.
var Module = vm.NewModule("csv", source)

const (
	bytesPerStep = 16
	scannerSize  = 8 << 10 // with the buffer of the reader in it
)

func init() {
	Module.Native("scanner", func(c *vm.Call) {
		s := newScanner(char(c, 0, "separator"), char(c, 1, "quote"), char(c, 2, "comment"))
		if s.reader.Comma == 0 || s.quote == 0 {
			c.Throw(vm.ErrValue, "csv: separator and quote cannot be empty")
		}
		c.SetObject(c.NewNative(c.Ref().Result, s, scannerSize))
	})
	Module.Native("Scanner.line", func(c *vm.Call) {
		s := enter(c)
		defer s.busy.Unlock()
		if row, ok := s.line(c, c.Str(1)); ok {
			c.SetObject(newRow(c, c.Type(c.Ref().Result).Elem, row))
		} else {
			c.SetNone()
		}
	})
	Module.Native("Scanner.end", func(c *vm.Call) {
		s := enter(c)
		defer s.busy.Unlock()
		s.end(c)
		c.SetNone()
	})
	Module.Native("Scanner.set_header", func(c *vm.Call) {
		s := enter(c)
		defer s.busy.Unlock()
		s.setHeader(c, strs(c, 1))
	})
	Module.Native("all_rows", func(c *vm.Call) {
		s := enter(c)
		defer s.busy.Unlock()
		result := c.Ref().Result
		rows := c.NewList(result, 0)
		c.Pin(rows.Object())
		for line := range strings.Lines(c.Str(1)) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			if row, ok := s.line(c, line); ok {
				rows.Push(newRow(c, c.Type(result).Elem, row).Value())
			}
		}
		s.end(c)
		c.SetObject(rows.Object())
	})
	Module.Native("record", func(c *vm.Call) {
		s := enter(c)
		defer s.busy.Unlock()
		missing := c.FieldDefaultsArg(2)
		c.SetResult(missing.Result(c, s.record(c, c.Ref().TypeArgs[0], strs(c, 1), &missing).Value()))
	})
	Module.Native("text_of", func(c *vm.Call) {
		w := newWriter(c, char(c, 2, "separator"), char(c, 3, "quote"))
		w.rows(c.Type(c.Ref().Params[0]).Elem, c.List(0), c.Bool(1))
		c.SetStr(w.String())
	})
}

// enter returns the scanner that is the first argument, for one task at a time.
// To wait for another here would keep it from tracing its memory.
func enter(c *vm.Call) *scanner {
	s := vm.NativeArg[*scanner](c, 0)
	if !s.busy.TryLock() {
		c.Throw(vm.ErrRace, "a csv.Reader is used by two tasks at a time")
	}
	return s
}

// char returns an argument that is one character, or 0 for an empty one.
func char(c *vm.Call, i int, what string) rune {
	text := c.Str(i)
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || r == '\n' || r == '\r' {
		c.Throw(vm.ErrValue, "csv: the %s %s is not one character", what, vm.Quote(text))
	}
	if size == 0 {
		return 0
	}
	return r
}

// strs reads a list of str.
func strs(c *vm.Call, i int) []string {
	list := c.ReadList(c.List(i))
	c.ChargeObject(list.Len() * vm.SizeOf[string]())
	c.Steps(list.Len())
	out := make([]string, list.Len())
	for i := range out {
		out[i] = c.Text(list.At(i))
	}
	return out
}

// newRow makes the list of a row's cells.
func newRow(c *vm.Call, id uint32, cells []string) vm.Object {
	row := c.NewList(id, len(cells))
	c.Pin(row.Object())
	for _, cell := range cells {
		row.Push(c.NewStr(cell).Value())
	}
	c.Unpin()
	return row.Object()
}
