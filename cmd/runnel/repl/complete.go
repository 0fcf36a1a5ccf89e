package repl

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/internal/lazy"
)

// complete returns what may stand at a byte offset of an entry or a command.
func (s *shell) complete(text string, at int) []lineedit.Completion {
	word, arg := splitCommand(text[:at])
	if word == "" {
		if list, ok := completePath(text, at); ok {
			return list
		}
		return s.completeCode(text, at, 0)
	}
	from := at - len(arg) // of the argument
	if from == at && !strings.HasSuffix(text[:at], " ") {
		return completeCommand(word, at)
	}
	c, err := findCommand(word)
	if err != nil {
		return nil
	}
	switch c.arg {
	case code, name:
		return s.completeCode(text, at, from)
	case file:
		return completeFile(arg, at)
	case traceWord:
		if path, ok := strings.CutPrefix(arg, "save "); ok {
			return completeFile(strings.TrimLeft(path, " "), at)
		}
		return completeWord(arg, at, []string{"on", "off", "save "})
	}
	return nil
}

// completeCode completes code that begins at a byte of the text. An engine also
// gives names that merely contain what is typed: they are for when none begins so.
func (s *shell) completeCode(text string, at, from int) (list []lineedit.Completion) {
	begins := false
	for _, c := range s.engine.Complete(text[from:], at-from) {
		start, end := from+c.Start, from+c.End
		if start < 0 || start > at {
			continue
		}
		prefix := strings.HasPrefix(c.Label, text[start:at])
		if prefix && !begins {
			begins, list = true, nil
		}
		if prefix == begins {
			list = append(list, lineedit.Completion{Start: start, End: end, Text: cmp.Or(c.Insert, c.Label), Label: c.Label, Detail: cmp.Or(c.Detail, c.Kind)})
		}
	}
	return list
}

func completeCommand(word string, at int) []lineedit.Completion {
	var list []lineedit.Completion
	for _, c := range commands {
		if strings.HasPrefix(":"+c.name, word) {
			text := ":" + c.name
			if c.arg != nothing {
				text += " "
			}
			list = append(list, lineedit.Completion{Start: at - len(word), End: at, Text: text, Label: ":" + c.name, Detail: c.short})
		}
	}
	return list
}

func completeWord(beginning string, at int, words []string) []lineedit.Completion {
	var list []lineedit.Completion
	for _, w := range words {
		if strings.HasPrefix(w, beginning) {
			list = append(list, lineedit.Completion{Start: at - len(beginning), End: at, Text: w})
		}
	}
	return list
}

// pathText is the beginning of a text that is a path, up to the cursor, with the
// import that it stands in, if any.
var pathText = lazy.Regexp(`^[^"]*?(?:"[^"]*"[^"]*?)*?(\bimport\s+)?"((?:\.\.?|~)?/[^"]*)$`)

// completePath completes a text that begins as a path does; those of imports are
// scripts, without the ending of their names.
func completePath(text string, at int) (list []lineedit.Completion, ok bool) {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	m := pathText().FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	for _, c := range completeFile(m[2], at) {
		if m[1] != "" && !strings.HasSuffix(c.Text, string(filepath.Separator)) {
			name, script := strings.CutSuffix(c.Text, ".rnl")
			if !script {
				continue
			}
			c.Text, c.Label = name, name
		}
		list = append(list, c)
	}
	return list, true
}

// completeFile returns the files whose path begins so.
func completeFile(beginning string, at int) []lineedit.Completion {
	dir, base := filepath.Split(beginning)
	found, err := os.ReadDir(filepath.Clean(expandHome(dir + ".")))
	if err != nil {
		return nil
	}
	var list []lineedit.Completion
	for _, f := range found {
		if !strings.HasPrefix(f.Name(), base) || base == "" && strings.HasPrefix(f.Name(), ".") {
			continue
		}
		name := f.Name()
		if f.IsDir() {
			name += string(filepath.Separator)
		}
		list = append(list, lineedit.Completion{Start: at - len(base), End: at, Text: name})
	}
	return list
}

// expandHome puts the user's folder for a leading ~.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return path
}
