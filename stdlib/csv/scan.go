package csv

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
)

// scanner puts lines together to rows: it hands a row's lines to Go's reader
// when they are complete.
type scanner struct {
	busy    sync.Mutex
	reader  *csv.Reader
	quote   rune
	pending []byte // lines of a row
	read    int    // of them, by the reader
	open    bool   // the last line has left a quote open
	started bool
	header  []string
	fields  fields // that header stands for
}

func newScanner(separator, quote, comment rune) *scanner {
	s := &scanner{quote: quote}
	s.reader = csv.NewReader(s)
	s.reader.Comma, s.reader.Comment = s.swap(separator), s.swap(comment)
	s.reader.FieldsPerRecord = -1
	s.reader.ReuseRecord = true
	return s
}

// Read gives the reader what is pending.
func (s *scanner) Read(p []byte) (int, error) {
	n := copy(p, s.pending[s.read:])
	if s.read += n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// swap exchanges another quote for the one that Go's reader knows, and back.
func (s *scanner) swap(r rune) rune {
	switch r {
	case s.quote:
		return '"'
	case '"':
		return s.quote
	}
	return r
}

func (s *scanner) swapAll(text string) string {
	if s.quote == '"' {
		return text
	}
	return strings.Map(s.swap, text)
}

// line returns the row that a line completes, if it does. It is valid until the next call.
func (s *scanner) line(c *vm.Call, line string) (row []string, ok bool) {
	c.Steps(1 + len(line)/bytesPerStep)
	if !s.started {
		s.started = true
		line = strings.TrimPrefix(line, "\ufeff")
	}
	s.add(c, s.swapAll(line))
	if s.open {
		return nil, false
	}
	return s.row(c)
}

// end throws where the last row has no end.
func (s *scanner) end(c *vm.Call) {
	if s.open {
		s.row(c)
	}
}

func (s *scanner) add(c *vm.Call, line string) {
	if !s.open {
		s.pending, s.read = s.pending[:0], 0
	}
	if free := cap(s.pending) - len(s.pending); free < len(line)+2 {
		more := len(s.pending) + len(line) + 2
		c.ChargeObject(3 * more) // the reader has two buffers more
		grown := make([]byte, len(s.pending), 2*more)
		copy(grown, s.pending)
		s.pending = grown
		s.resize(c)
	}
	if first, _ := utf8.DecodeRuneInString(line); s.open || s.reader.Comment == 0 || first != s.reader.Comment {
		s.open = leavesOpen(line, s.reader.Comma, s.open)
	}
	s.pending = append(s.pending, line...)
	if strings.HasSuffix(line, "\r") { // which belongs to the cell, not to the line end
		s.pending = append(s.pending, '\r')
	}
	s.pending = append(s.pending, '\n')
}

func (s *scanner) setHeader(c *vm.Call, names []string) {
	s.header, s.fields = nil, fields{}
	for _, name := range names {
		c.Charge(len(name))
		s.header = append(s.header, strings.Clone(name))
	}
	s.resize(c)
}

// resize tells what the scanner, which is the first argument, occupies now.
func (s *scanner) resize(c *vm.Call) {
	size := scannerSize + 3*cap(s.pending)
	for _, name := range s.header {
		size += len(name) + vm.SizeOf[string]()
	}
	c.ResizeNative(0, size)
}

// leavesOpen reports whether a row goes on behind a line; open is whether the
// line begins within quotes. Where it is malformed the reader shall see it at once.
func leavesOpen(line string, separator rune, open bool) bool {
	for {
		if !open {
			line = strings.TrimPrefix(line, string(separator))
			if line == "" {
				return false
			}
			if line[0] != '"' {
				i := strings.IndexRune(line, separator)
				if i < 0 {
					return false
				}
				line = line[i:]
				continue
			}
			line = line[1:]
		}
		i := strings.IndexByte(line, '"')
		if i < 0 {
			return true
		}
		line = line[i+1:]
		open = strings.HasPrefix(line, `"`) // a doubled quote
		if open {
			line = line[1:]
		} else if line != "" && !strings.HasPrefix(line, string(separator)) {
			return false
		}
	}
}

// row reads what is pending; a comment or an empty line gives none.
func (s *scanner) row(c *vm.Call) (row []string, ok bool) {
	s.open = false
	row, err := s.reader.Read()
	var e *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, false
	case errors.As(err, &e):
		c.Throw(vm.ErrValue, "csv: %v at %d:%d", e.Err, e.Line, e.Column)
	case err != nil:
		c.Throw(vm.ErrValue, "csv: separator, quote and comment do not go together")
	}
	if s.quote != '"' {
		for i := range row {
			row[i] = s.swapAll(row[i])
		}
	}
	return row, true
}
