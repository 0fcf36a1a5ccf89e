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

//go:embed topics.md
var topicText string

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

// topics are what people look up that is no word of the language, by all names that they use.
var topics = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	for heading, doc := range sections(topicText) {
		for _, name := range strings.Split(heading, " | ") {
			list[name] = doc
		}
	}
	return list
})

// IsOperator reports whether a name is that of an operator.
func IsOperator(name string) bool { return operators()[name] != "" }

// sections are the texts below the headings of a file.
func sections(text string) map[string]string {
	list := map[string]string{}
	for _, section := range strings.Split("\n"+text, "\n## ")[1:] {
		heading, doc, _ := strings.Cut(section, "\n")
		list[heading] = strings.TrimSpace(doc)
	}
	return list
}

// ofLanguage describes a reserved word, an operator or a topic, "" if it is none of them.
func ofLanguage(name string, s Style) string {
	for _, of := range []struct {
		kind  string
		texts map[string]string
	}{{"reserved word", keywords()}, {"operator", operators()}, {"language", topics()}} {
		if doc := of.texts[name]; doc != "" {
			w := s.writer()
			w.title(name, of.kind, "")
			w.doc(2, doc)
			return w.b.String()
		}
	}
	return ""
}
