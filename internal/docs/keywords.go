package docs

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed keywords.md
var keywordText string

//go:embed operators.md
var operatorText string

// keywords are what the reserved words mean, each with an example.
var keywords = sync.OnceValue(func() map[string]string { return sections(keywordText) })

// operators are what the operators mean. Those of one family share a text.
var operators = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	for heading, doc := range sections(operatorText) {
		for _, op := range strings.Fields(heading) {
			list[op] = doc
		}
	}
	return list
})

// sections are the texts below the headings of a file.
func sections(text string) map[string]string {
	list := map[string]string{}
	for _, section := range strings.Split("\n"+text, "\n## ")[1:] {
		heading, doc, _ := strings.Cut(section, "\n")
		list[heading] = strings.TrimSpace(doc)
	}
	return list
}

// reservedWord tells of a reserved word or an operator, "" of anything else.
func reservedWord(name string, s Style) string {
	kind := "reserved word"
	doc, ok := keywords()[name]
	if !ok {
		kind = "operator"
		if doc, ok = operators()[name]; !ok {
			return ""
		}
	}
	w := s.writer()
	w.title(name, kind, "")
	w.doc(2, doc)
	return w.b.String()
}
