package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	runnelsql "github.com/runnel-lang/runnel/stdlib/sql"
)

// noSurplus refuses values that no parameter stands for, which SQLite would not miss.
func noSurplus(text string, args []driver.NamedValue) error {
	if len(args) == 0 {
		return nil
	}
	if n, _ := contents(text); len(args) > n {
		return fmt.Errorf("values given: %d, parameters of the statement: %d", len(args), n)
	}
	return nil
}

// oneQuery refuses a query of several statements, of whose rows SQLite gives the last.
func oneQuery(text string) error {
	if _, n := contents(text); n > 1 {
		return &runnelsql.Refused{Text: fmt.Sprintf("a query is one statement, and this text has %d", n)}
	}
	return nil
}

// contents is how many statements a text has, and how many values they take: each
// begins with the first, so it is the most that one takes. See https://sqlite.org/lang_expr.html#varparam
// and https://sqlite.org/lang_keywords.html for what may stand between quotes.
func contents(text string) (most, statements int) {
	n, names := 0, map[string]bool{}
	inside := false // of a statement
	for i := 0; i < len(text); {
		rest := text[i:]
		blank := false
		switch c := rest[0]; {
		case c == ';':
			n, names, inside, blank = 0, map[string]bool{}, false, true
			i++
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			blank = true
			i++
		case c == '\'' || c == '"' || c == '`':
			i += behind(rest, rest[:1], 1)
		case c == '[':
			i += behind(rest, "]", 1)
		case strings.HasPrefix(rest, "--"):
			blank = true
			i += behind(rest, "\n", 2)
		case strings.HasPrefix(rest, "/*"):
			blank = true
			i += behind(rest, "*/", 2)
		case c == '?':
			size := 1 + word(rest[1:])
			if number, err := strconv.Atoi(rest[1:size]); err == nil {
				n = max(n, number)
			} else {
				n++
			}
			i += size
		case (c == '$' || c == ':' || c == '@') && word(rest[1:]) > 0:
			size := 1 + word(rest[1:])
			if name := rest[:size]; !names[name] {
				names[name] = true
				n++
			}
			i += size
		default:
			i += max(1, word(rest))
		}
		if !blank && !inside {
			inside = true
			statements++
		}
		most = max(most, n)
	}
	return most, statements
}

// behind is the length of what ends with an end, looked for from a place on. A quote
// that is doubled ends one text and begins another, which is as good.
func behind(text, end string, from int) int {
	if at := strings.Index(text[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(text)
}

// word is the length of the letters, digits and other signs of names at the start.
func word(text string) int {
	for i := range len(text) {
		if c := text[i]; c != '_' && c < 0x80 && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return i
		}
	}
	return len(text)
}
