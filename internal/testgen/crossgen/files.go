package crossgen

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Files is the program in several files: the preamble in "base", what it
// declares in "lib1" and so on, each of which imports those before it, and its
// statements in "main".
func (p *Program) Files() map[string]string {
	split := &files{texts: map[string]string{}, home: map[string]string{}}
	program := p.body(&writer{})
	for _, c := range needed(program) {
		if !strings.HasPrefix(c, "import ") {
			split.put("base", c)
		}
	}
	per := 2 + int(p.seed%9) // declarations in a file
	n := 0
	for _, item := range p.items {
		w := &writer{}
		w.write(item)
		text := w.out.String() + "\n"
		if declared.MatchString(text) {
			split.put(fmt.Sprintf("lib%d", 1+n/per), text)
			n++
		} else {
			split.put("main", text)
		}
	}
	return split.finished()
}

// files are chunks of a program by the file they are in.
type files struct {
	texts map[string]string
	home  map[string]string // the file of what is declared
}

func (f *files) put(file, text string) {
	if m := prepares.FindStringSubmatch(text); m != nil && file != "main" {
		f.home[m[1]] = file
		text = "pub " + text
	}
	f.texts[file] += text
}

// name is a word, with what says that no declaration is meant: a dot before it,
// or a colon behind it. Two dots are a range.
var name = regexp.MustCompile(`(?:\.\.=?|\.)?\b[A-Za-z_]\w*\b:?`)

// finished writes names of other files with their files, and imports.
func (f *files) finished() map[string]string {
	out := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(f.texts)) {
		used := map[string]bool{}
		text := name.ReplaceAllStringFunc(f.texts[file], func(s string) string {
			word := strings.TrimPrefix(strings.TrimPrefix(s, ".."), "=")
			if home := f.home[word]; home != "" && home != file {
				used[home] = true
				return s[:len(s)-len(word)] + home + "." + word
			}
			return s
		})
		var imports strings.Builder
		for _, home := range slices.Sorted(maps.Keys(used)) {
			fmt.Fprintf(&imports, "import \"./%s\"\n", home)
		}
		for _, m := range imported.FindAllStringSubmatch(preamble, -1) {
			if strings.Contains(text, m[1]+".") {
				imports.WriteString(m[0] + "\n")
			}
		}
		out[file] = imports.String() + text
	}
	return out
}

var imported = regexp.MustCompile(`(?m)^import (\w+)$`)
