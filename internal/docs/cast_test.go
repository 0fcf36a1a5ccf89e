package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// A cast is what the examples of a page take for granted: who `client` is, or
// what is in `xs`. It is a source of declarations, testdata/examples/PAGE.rnl; an
// example gets those that it names and those that these name. What stands below a
// line "// for Pool, Router.get" is for those items, and before the others. After
// "// waits: http.serve" stand the items whose examples do not end by themselves.
// What stands there before all declarations goes before each of those examples.
// A function that holds EXAMPLE is what surrounds the examples that name one of
// its parameters; what follows it up to an empty line calls it.
type cast struct {
	sections []section
	waits    []string
}

type section struct {
	items []string // whose examples it is for, nil for all
	parts []part
}

// part is a declaration with the statements behind it.
type part struct {
	text  string
	names []string // that it declares
	inner []string // that the statements behind it declare
	words []string // that it holds
}

func (p *part) surrounds() bool { return strings.Contains(p.text, "EXAMPLE") }

var (
	topLevel   = regexp.MustCompile(`^(?:fn|struct|enum|interface|type) `)
	forItems   = regexp.MustCompile(`(?m)^// for (.*)\n`)
	waitsLine  = regexp.MustCompile(`(?m)^// waits: (.*)\n`)
	declares   = regexp.MustCompile(`^(?:pub )?(?:let|var|const|fn|struct|enum|interface|type) (\(.*?\)|\w+)`)
	surrounds  = regexp.MustCompile(`^(?s)fn \w+\((.*?)\) .*EXAMPLE`)
	parameter  = regexp.MustCompile(`(\w+): `)
	identifier = regexp.MustCompile(`[A-Za-z_]\w*`)
)

func readCast(dir string, page *docs.Page) cast {
	data, _ := os.ReadFile(filepath.Join(dir, page.Slug+".rnl")) // not every page needs one
	text := string(data)
	var c cast
	for _, m := range waitsLine.FindAllStringSubmatch(text, -1) {
		c.waits = append(c.waits, strings.Split(m[1], ", ")...)
	}
	begin, items := 0, []string(nil)
	for _, m := range append(forItems.FindAllStringSubmatchIndex(text, -1), []int{len(text), len(text), 0, 0}) {
		c.sections = append(c.sections, section{items, parts(text[begin:m[0]])})
		begin, items = m[1], strings.Split(text[m[2]:m[3]], ", ")
	}
	return c
}

func parts(text string) (list []part) {
	var set diag.FileSet
	file := set.Add("", text)
	tree, _ := syntax.Parse(file)
	end := 0
	for _, item := range tree.Items {
		start := int(item.Span().Start - file.Base)
		paragraph := strings.Contains(text[end:start], "\n\n")
		end = int(item.Span().End - file.Base)
		code := text[start:end]
		m := declares.FindStringSubmatch(code)
		if len(list) > 0 && (m == nil || list[len(list)-1].surrounds() && !paragraph) {
			last := &list[len(list)-1]
			last.text += "\n" + code
			last.words = append(last.words, words(code)...)
			if m != nil {
				last.inner = append(last.inner, identifier.FindAllString(m[1], -1)...)
			}
			continue
		}
		p := part{text: code, words: words(code)}
		switch around := surrounds.FindStringSubmatch(code); {
		case around != nil:
			for _, param := range parameter.FindAllStringSubmatch(around[1], -1) {
				p.names = append(p.names, param[1])
			}
		case m != nil:
			p.names = identifier.FindAllString(m[1], -1)
		}
		list = append(list, p)
	}
	return list
}

// words are the names in code, but for those of members.
func words(code string) (list []string) {
	var set diag.FileSet
	file := set.Add("", code)
	tree, _ := syntax.Parse(file)
	dot := false
	for _, t := range tree.Tokens {
		if t.Kind == token.Ident && !dot {
			list = append(list, code[t.Sp.Start-file.Base:t.Sp.End-file.Base])
		}
		dot = t.Kind == token.Dot || t.Kind == token.QDot
	}
	return list
}

// ran is what an example prints that stands in something else.
const ran = "the example has been run"

// program is an example with its cast.
func (c *cast) program(it, code string) string {
	have := map[string]bool{}
	nested := true
	for _, p := range parts(code) {
		nested = nested && !topLevel.MatchString(p.text)
		for _, name := range p.names {
			have[name] = true
		}
	}
	var imports []string
	chosen := map[*part]bool{}
	need := words(code)
	direct := len(need)
	for ; len(need) > 0; direct-- {
		name := need[0]
		need = need[1:]
		if have[name] {
			continue
		}
		have[name] = true
		if p := c.find(it, name); p != nil {
			if p.surrounds() && (!nested || direct <= 0) {
				continue
			}
			chosen[p] = true
			need = append(need, p.words...)
			for _, n := range slices.Concat(p.names, p.inner) {
				have[n] = true
			}
		} else if _, ok := all.Find(name); ok {
			imports = append(imports, "import "+name)
		}
	}
	before := imports
	before = append(before, shows)
	for _, s := range c.sections {
		for i := range s.parts {
			switch p := &s.parts[i]; {
			case chosen[p] && p.surrounds():
				code = strings.Replace(p.text, "EXAMPLE", "print(\""+ran+"\"); "+code, 1)
			case chosen[p], len(p.names) == 0 && s.isFor(it):
				before = append(before, p.text)
			}
		}
	}
	return strings.Join(append(before, code), "\n")
}

// isFor reports whether the section is for an item, or for what it belongs to.
func (s *section) isFor(it string) bool {
	return slices.ContainsFunc(s.items, func(i string) bool { return it == i || strings.HasPrefix(it, i+".") })
}

// find returns the part that declares a name for an item.
func (c *cast) find(it, name string) *part {
	var found *part
	for _, s := range c.sections {
		if s.items != nil && !s.isFor(it) {
			continue
		}
		for i := range s.parts {
			if slices.Contains(s.parts[i].names, name) && (found == nil || s.items != nil) {
				found = &s.parts[i]
			}
		}
	}
	return found
}
