package docs

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed keywords.md
var keywordText string

// keywords are what the reserved words mean, each with an example.
var keywords = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	for _, section := range strings.Split("\n"+keywordText, "\n## ")[1:] {
		word, doc, _ := strings.Cut(section, "\n")
		list[word] = strings.TrimSpace(doc)
	}
	return list
})

// reservedWord tells of a reserved word, "" of any other.
func reservedWord(name string, s Style) string {
	doc, ok := keywords()[name]
	if !ok {
		return ""
	}
	w := s.writer()
	w.title(name, "reserved word", "")
	w.doc(2, doc)
	return w.b.String()
}
