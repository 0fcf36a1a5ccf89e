package docs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// searchIndex is a script, as pages of a file system cannot load other data. See
// search.js for what an entry holds.
func (l *Library) searchIndex() ([]byte, error) {
	var entries [][]any
	for _, p := range l.Pages {
		summary := Summary(p.Doc)
		entries = append(entries, []any{p.Name, p.URL(), strings.ToLower(p.kind()), unquoted(summary), otherWords(p.Doc, summary)})
		p.All(func(it *Item) { entries = append(entries, it.entry()) })
	}
	data, err := json.Marshal(entries)
	return append(append([]byte("const names = "), data...), ";\n"...), err
}

func (it *Item) entry() []any {
	summary := Summary(it.Doc)
	entry := []any{it.Full, it.URL(), it.Kind.String(), unquoted(summary), otherWords(it.Doc, summary)}
	if it.Kind == Function || it.Kind == Method {
		takes := make([]string, len(it.Takes))
		for i, t := range it.Takes {
			takes[i] = compact(t)
		}
		entry = append(entry, takes, compact(it.Gives))
	}
	return entry
}

func unquoted(s string) string { return strings.ReplaceAll(s, "`", "") }

func compact(typ string) string { return strings.ReplaceAll(typ, " ", "") }

var word = lazy.Regexp(`[\pL\d_]{3,}`)

// otherWords are the words of a comment, but for its code and its summary.
func otherWords(doc, summary string) string {
	var text strings.Builder
	for _, b := range Blocks(doc) {
		text.WriteString(b.Text + " " + b.Heading + " " + strings.Join(b.List, " ") + " ")
		for _, row := range b.Table {
			text.WriteString(strings.Join(row, " ") + " ")
		}
	}
	list := word().FindAllString(strings.ToLower(text.String()), -1)
	slices.Sort(list)
	summary = strings.ToLower(summary)
	return strings.Join(slices.DeleteFunc(slices.Compact(list), func(w string) bool { return strings.Contains(summary, w) }), " ")
}
