package toml

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

// maxDepth bounds the nesting: the parser's work grows with its cube.
const maxDepth = 32

// scanned is what a look at brackets, strings and comments tells of a text. For
// a text that is no TOML it holds up to the mistake, where the parser ends too.
type scanned struct {
	text       string
	statements []int // where they start: each line that does not continue with the one before
	deepest    int   // levels of brackets and dots
	tooDeep    int   // where they exceed maxDepth, or -1
}

func scan(text string) scanned {
	s := scanned{text: text, statements: []int{0}, tooDeep: -1}
	dots := []int{0} // by brackets that are open; dots of keys nest too
	sum := 0
	for i := 0; i < len(text); {
		top := len(dots) - 1
		next := i + 1
		switch text[i] {
		case '#':
			next = i + lineEnd(text[i:])
		case '"', '\'':
			next = skipString(text, i)
		case '\n':
			if top == 0 {
				s.statements = append(s.statements, next)
				dots[0], sum = 0, 0
			}
		case '.':
			dots[top]++
			sum++
		case ',':
			sum -= dots[top]
			dots[top] = 0
		case '[', '{':
			dots = append(dots, 0)
		case ']', '}':
			if top > 0 {
				sum -= dots[top]
				dots = dots[:top]
			}
		}
		if s.deepest = max(s.deepest, sum+len(dots)-1); s.deepest > maxDepth {
			s.tooDeep = i
			return s
		}
		i = next
	}
	return s
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// skipString returns the position behind the string that starts at pos, or the
// end of the text.
func skipString(text string, pos int) int {
	quote := text[pos : pos+1]
	long := strings.HasPrefix(text[pos:], strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	for i := pos + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && !long:
			return i
		case strings.HasPrefix(text[i:], quote):
			i += len(quote)
			for long && i < len(text) && text[i] == quote[0] { // quotes that belong to the text
				i++
			}
			return i
		}
	}
	return len(text)
}

// locate finds the statement that sets the value at a path: the first one with
// which the text up to its end has it. It must name the path's last key.
func (s *scanned) locate(c *vm.Call, path []json.Step) (line, column int) {
	from := s.naming(lastKey(path))
	i := sort.Search(len(from), func(i int) bool {
		end := s.end(from[i])
		c.Steps(end / bytesPerStep)
		var table map[string]any
		_, err := toml.Decode(s.text[:end], &table)
		return err != nil || has(table, path)
	})
	if i == len(from) {
		return 1, 1
	}
	start := s.statements[from[i]]
	return lineColumn(s.text, start+len(s.text[start:])-len(strings.TrimLeft(s.text[start:], " \t")))
}

// end of a statement.
func (s *scanned) end(i int) int {
	if i+1 < len(s.statements) {
		return s.statements[i+1]
	}
	return len(s.text)
}

func lastKey(path []json.Step) string {
	for _, step := range slices.Backward(path) {
		if !step.InArray {
			return step.Key
		}
	}
	return ""
}

// naming returns the statements, by their index, that hold a key or may hold it escaped.
func (s *scanned) naming(key string) (found []int) {
	for i, start := range s.statements {
		if statement := s.text[start:s.end(i)]; strings.Contains(statement, key) || strings.Contains(statement, `\`) {
			found = append(found, i)
		}
	}
	return found
}

func lineColumn(text string, pos int) (line, column int) {
	before := text[:pos]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

func has(v any, path []json.Step) bool {
	for _, step := range path {
		ok := false
		switch outer := v.(type) {
		case map[string]any:
			v, ok = outer[step.Key]
		case []map[string]any:
			if ok = step.Index < len(outer); ok {
				v = outer[step.Index]
			}
		case []any:
			if ok = step.Index < len(outer); ok {
				v = outer[step.Index]
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// keyOrder is the order in which the keys of a table first occur, which the
// parser's maps have lost; below are those of the tables in it.
type keyOrder struct {
	place int
	keys  []string // of below, in their order
	below map[string]*keyOrder
}

func orderOf(keys []toml.Key) *keyOrder {
	root := &keyOrder{}
	for _, key := range keys {
		at := root
		for _, part := range key {
			next := at.below[part]
			if next == nil {
				if at.below == nil {
					at.below = map[string]*keyOrder{}
				}
				next = &keyOrder{place: len(at.below)}
				at.below[part] = next
				at.keys = append(at.keys, part)
			}
			at = next
		}
	}
	return root
}

func (o *keyOrder) sorted(table map[string]any) []string {
	if len(o.keys) == len(table) {
		return o.keys
	}
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Compare(o.below[a].place, o.below[b].place)
	})
}
