package toml

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// An inline table and an array are whole where they stand: what would add to them
// later is a mistake, which the parser lets pass. closed looks for it in a text that
// the parser has taken.
type closed struct {
	text  string
	at    int
	ids   map[part]int // of tables and arrays, by the one that they are in
	whole []bool       // by id: is inline
	last  []int        // by id of an array of tables: its last one, or 0
	open  []inline     // inline tables and arrays at the place
}

type part struct {
	in   int
	name string
}

// inline is a table or array that has not ended.
type inline struct {
	id    int
	array bool
	count int // of its values, so far
}

// extended tells of a key that adds to what is whole, or gives nil.
func extended(text string) error {
	c := &closed{text: text, ids: map[part]int{}, whole: []bool{false}, last: []int{0}}
	table := 0 // of the last header
	for c.blank("\n"); c.at < len(text); c.blank("\n") {
		begun := c.at
		var ok bool
		if text[c.at] == '[' {
			list := strings.HasPrefix(text[c.at:], "[[")
			c.at += 1
			if list {
				c.at++
			}
			if table, ok = c.key(0, ']'); ok && list {
				c.last[table] = c.node(part{table, strconv.Itoa(begun)})
				table = c.last[table]
			}
			ok = ok && !c.whole[table]
			if list {
				c.at++
			}
		} else {
			ok = c.entry(table)
		}
		if !ok {
			line, column := lineColumn(text, begun)
			return toml.ParseError{Message: "an inline table or array cannot be added to", Position: toml.Position{Line: line, Col: column}}
		}
	}
	return nil
}

// blank skips spaces and comments.
func (c *closed) blank(more string) {
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '#':
			c.at += lineEnd(c.text[c.at:])
		case b == ' ' || b == '\t' || b == '\r' || strings.IndexByte(more, b) >= 0:
			c.at++
		default:
			return
		}
	}
}

// node returns the id of a part.
func (c *closed) node(p part) int {
	id, ok := c.ids[p]
	if !ok {
		id = len(c.whole)
		c.ids[p] = id
		c.whole, c.last = append(c.whole, false), append(c.last, 0)
	}
	return id
}

// key reads a key up to a mark behind it and gives what it names; false when it leads
// through what is whole.
func (c *closed) key(in int, mark byte) (id int, ok bool) {
	id, ok = in, true
	for c.at < len(c.text) {
		c.blank("")
		name := c.name()
		if c.last[id] != 0 {
			id = c.last[id]
		}
		ok = ok && (id == in || !c.whole[id])
		id = c.node(part{id, name})
		c.blank("")
		if c.at >= len(c.text) {
			break
		}
		c.at++
		if c.text[c.at-1] == mark {
			break
		}
	}
	return id, ok
}

// name reads a part of a key.
func (c *closed) name() string {
	from := c.at
	if from < len(c.text) && (c.text[from] == '"' || c.text[from] == '\'') {
		c.at = skipString(c.text, from)
		quoted := c.text[from:c.at]
		if text, err := strconv.Unquote(quoted); err == nil && quoted[0] == '"' {
			return text
		}
		return strings.Trim(quoted, quoted[:1])
	}
	for c.at < len(c.text) && !strings.ContainsRune(" \t\r\n.=]", rune(c.text[c.at])) {
		c.at++
	}
	return c.text[from:c.at]
}

// entry reads a key and its value, with all that is in it.
func (c *closed) entry(table int) bool {
	id, ok := c.key(table, '=')
	if !ok {
		return false
	}
	c.value(id)
	for len(c.open) > 0 {
		c.blank("\n,")
		if c.at >= len(c.text) {
			break
		}
		in := &c.open[len(c.open)-1]
		switch b := c.text[c.at]; {
		case b == '}' || b == ']':
			c.at++
			c.whole[in.id] = true
			c.open = c.open[:len(c.open)-1]
		case in.array:
			in.count++
			c.value(c.node(part{in.id, strconv.Itoa(in.count)}))
		default:
			if id, ok = c.key(in.id, '='); !ok {
				return false
			}
			c.value(id)
		}
	}
	return true
}

// value reads a value, of a table or array only its begin.
func (c *closed) value(id int) {
	c.blank("\n")
	if c.at >= len(c.text) {
		return
	}
	switch c.text[c.at] {
	case '{', '[':
		c.open = append(c.open, inline{id: id, array: c.text[c.at] == '['})
		c.at++
	case '"', '\'':
		c.at = skipString(c.text, c.at)
	default:
		for c.at < len(c.text) && !strings.ContainsRune(",]}\n#", rune(c.text[c.at])) {
			c.at++
		}
	}
}
