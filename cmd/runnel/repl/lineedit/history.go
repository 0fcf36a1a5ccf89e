package lineedit

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// History are the texts entered before, the oldest first, each once. With a file
// they outlive the process: a line there is a text whose line ends and
// backslashes are escaped.
type History struct {
	entries []string
	most    int
	file    string
}

// NewHistory makes a history of at most so many texts, with those of a file. An
// empty name means that there is none. The error tells that the file cannot be
// used; the history works without.
func NewHistory(file string, most int) (*History, error) {
	h := &History{most: most}
	if file == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return h, err
	}
	lines, err := h.load(file)
	if err != nil {
		return h, err
	}
	h.file = file
	if lines > 2*most {
		return h, h.rewrite()
	}
	return h, nil
}

// load reads a file and tells how many lines it has.
func (h *History) load(file string) (lines int, err error) {
	f, err := os.OpenFile(file, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxHistoryLine)
	for ; in.Scan(); lines++ {
		h.remember(unescape(in.Text()))
	}
	return lines, in.Err()
}

// maxHistoryLine bounds a text that is kept in the file.
const maxHistoryLine = 1 << 20

// Add notes a text, as the newest.
func (h *History) Add(text string) error {
	if strings.TrimSpace(text) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == text {
		return nil
	}
	h.remember(text)
	line := escape(text) + "\n"
	if h.file == "" || len(line) > maxHistoryLine {
		return nil
	}
	f, err := os.OpenFile(h.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line) // at once: other processes write too
	return err
}

func (h *History) remember(text string) {
	if text == "" {
		return
	}
	h.entries = slices.DeleteFunc(h.entries, func(e string) bool { return e == text })
	h.entries = append(h.entries, text)
	if n := len(h.entries) - h.most; n > 0 {
		h.entries = slices.Delete(h.entries, 0, n)
	}
}

// rewrite shortens the file to what is remembered.
func (h *History) rewrite() error {
	f, err := os.CreateTemp(filepath.Dir(h.file), "history-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	out := bufio.NewWriter(f)
	for _, e := range h.entries {
		out.WriteString(escape(e) + "\n")
	}
	if err := out.Flush(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), h.file)
}

func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(text)
}

func unescape(line string) string {
	return cleaned(strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(line))
}

// visit is where an editor is in a history: at the text of an entry, or at a new
// one, which is kept meanwhile.
type visit struct {
	h     *History
	at    int // == len(h.entries) for the new one
	draft string
}

func (h *History) visit() visit { return visit{h: h, at: len(h.entries)} }

// move goes to an older (-1) or newer (1) text; text is what is left.
func (v *visit) move(by int, text string) (string, bool) {
	to := v.at + by
	if to < 0 || to > len(v.h.entries) {
		return "", false
	}
	if v.at == len(v.h.entries) {
		v.draft = text
	}
	v.at = to
	if to == len(v.h.entries) {
		return v.draft, true
	}
	return v.h.entries[to], true
}

// search is a search in a history for texts that contain what is typed.
type search struct {
	h      *History
	query  string
	at     int // entry found
	failed bool
	before buffer // what was edited when it began
}

// find looks from an entry on for an older (-1) or newer (1) one.
func (s *search) find(from, by int) {
	for i := from; i >= 0 && i < len(s.h.entries); i += by {
		if strings.Contains(s.h.entries[i], s.query) {
			s.at, s.failed = i, false
			return
		}
	}
	s.failed = true
}
