package spec

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/tmux"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/printer"
)

// bookFolder has the pages of the book.
const bookFolder = docFolder + "book/"

// bookPages are the pages of the book, with how many sections they have at least.
// The programs in them that stand in a fence `runnel` are run by TestTexts;
// here are run, by the command as its users have it, the sections that have
// files and transcripts:
//
//	```runnel file=hello.rnl     a file of the section's folder, in whatever language
//	```console                   commands after `$ ` and what they write, to either stream
//	```session                   a session of `runnel` at a terminal: what is typed after `> ` and `. `
//	```text                      nothing that could be run
//
// The text before a file says its name, which Markdown does not show. A line `...`
// in a transcript stands for any lines, and ` ...` at the end of one for the rest of it.
var bookPages = map[string]int{"README.md": 1, "tour.md": 20, "concurrency.md": 15, "cookbook.md": 33, "actors.md": 15, "reactive.md": 14, "loop.md": 11, "embedding.md": 12, "extending.md": 11}

// section is what a page has under a heading `## `, in the order of the page.
type section struct {
	title string
	prose string // what stands outside of fences
	parts []part
}

// part is a fence: a file, or a transcript where it has no name.
type part struct {
	line    int
	file    string
	session bool
	text    string
}

var (
	fenceLine  = regexp.MustCompile("^```(.*)$")
	fileFence  = regexp.MustCompile(`^(?:\w+ )?file=(\S+)$`)
	otherFence = regexp.MustCompile(`^(runnel|runnel check|text)$`)
)

// sectionsOf reads a page. A fence that nothing would look at is an error.
func sectionsOf(page string) ([]section, error) {
	all := []section{{title: "start"}}
	inside, kept := false, false // of a fence, of one that is a part
	for i, line := range strings.Split(page, "\n") {
		s := &all[len(all)-1]
		fence := fenceLine.FindStringSubmatch(line)
		switch {
		case inside && line == "```":
			inside = false
		case inside:
			if kept {
				s.parts[len(s.parts)-1].text += line + "\n"
			}
		case fence != nil:
			before := len(s.parts)
			if err := s.begin(fence[1], i+1); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			inside, kept = true, len(s.parts) > before
		case strings.HasPrefix(line, "## "):
			all = append(all, section{title: line[3:]})
		default:
			s.prose += line + "\n"
		}
	}
	if inside {
		return nil, errors.New("a fence is not closed")
	}
	return all, nil
}

// begin adds the part that a fence begins, if it begins one.
func (s *section) begin(fence string, line int) error {
	switch file := fileFence.FindStringSubmatch(fence); {
	case file != nil && !strings.Contains(s.prose, "`"+file[1]+"`"):
		return fmt.Errorf("the text does not say the name of %s", file[1])
	case file != nil:
		s.parts = append(s.parts, part{line: line, file: file[1]})
	case fence == "console", fence == "session":
		s.parts = append(s.parts, part{line: line, session: fence == "session"})
	case !otherFence.MatchString(fence):
		return fmt.Errorf("nothing runs a fence `%s`", fence)
	}
	return nil
}

// unused is the name of a file that no transcript and no other file of the
// section speaks of, "" if there is none.
func (s section) unused() string {
	for _, p := range s.parts {
		name := strings.TrimSuffix(filepath.Base(p.file), ".rnl")
		used := slices.ContainsFunc(s.parts, func(q part) bool {
			return q.file != p.file && strings.Contains(q.text, name)
		})
		if p.file != "" && !used && filepath.Ext(p.file) != ".go" {
			return p.file
		}
	}
	return ""
}

func TestBook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the transcripts are those of a Unix shell")
	}
	bin := commandFolder(t)
	pages, err := filepath.Glob(bookFolder + "*.md")
	require.NoError(t, err)
	require.Len(t, pages, len(bookPages), "bookPages names all pages")
	for name, least := range bookPages {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(bookFolder + name)
			require.NoError(t, err)
			sections, err := sectionsOf(string(text))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(sections), least)
			if programs := len(blocks(string(text))); programs > 0 {
				require.True(t, slices.ContainsFunc(texts, func(x textPrograms) bool { return x.name == "book/"+name }), "TestTexts runs its programs")
			}
			sections = slices.DeleteFunc(sections, func(s section) bool { return len(s.parts) == 0 })
			for _, s := range longtest.Sample(sections, 5) {
				t.Run(s.title, func(t *testing.T) {
					t.Parallel()
					require.Empty(t, s.unused(), "nothing uses this file")
					s.play(t, name, bin)
				})
			}
		})
	}
}

// play writes the files of a section and compares its transcripts.
func (s section) play(t *testing.T, page, bin string) {
	dir := t.TempDir()
	for _, p := range s.parts {
		switch {
		case p.session:
			p.hold(t, dir, bin)
			continue
		case p.file == "":
			p.replay(t, page, dir, bin)
			continue
		}
		path := filepath.Join(dir, p.file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(p.text), 0o644))
		if filepath.Ext(path) == ".go" {
			goModule(t, dir)
		}
	}
}

// mark separates what the commands of a transcript write.
const mark = "\x1e"

// replay runs the commands of a transcript in one shell, and compares.
func (p part) replay(t *testing.T, page, dir, bin string) {
	var commands, wanted []string
	for _, line := range strings.Split(strings.TrimSuffix(p.text, "\n"), "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands, wanted = append(commands, command), append(wanted, "")
			continue
		}
		require.NotEmpty(t, commands, "%s:%d: the transcript does not begin with a command", page, p.line)
		wanted[len(wanted)-1] += line + "\n"
	}
	script := ""
	for _, c := range commands {
		script += c + "\nstatus=$?; printf '" + mark + "'; (exit $status)\n"
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TZ=UTC", "NO_COLOR=1", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	cmd.WaitDelay = time.Minute
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // commands that fail are part of a transcript too
	got := strings.Split(out.String(), mark)
	require.Len(t, got, len(commands)+1, "%s:%d: %s", page, p.line, out.String())
	for i, command := range commands {
		if !transcriptFits(wanted[i], got[i]) {
			t.Errorf("%s:%d: $ %s\n%s\nis written there as\n%s", page, p.line, command, got[i], wanted[i])
		}
	}
}

// hold types what a session says, and looks at the screen after each line.
func (p part) hold(t *testing.T, dir, bin string) {
	screen := tmux.Start(t, 110, 200, []string{"NO_COLOR=1", "RUNNEL_HISTORY=off"}, "sh", "-c", "cd "+dir+" && exec "+filepath.Join(bin, "runnel"))
	seen := "\n>"
	screen.Shows(seen)
	for _, line := range strings.SplitAfter(p.text, "\n") {
		begins := strings.HasPrefix(line, "> ")
		if begins {
			screen.Shows(seen)
		}
		if begins || strings.HasPrefix(line, ". ") {
			screen.Type(strings.TrimSpace(line[2:]), "Enter")
		}
		seen = strings.TrimSuffix(seen, ">") + line + ">"
	}
	screen.Shows(seen)
}

// transcriptFits reports whether a command has written what the text says.
func transcriptFits(want, got string) bool {
	pattern := `\A`
	for _, line := range strings.SplitAfter(want, "\n") {
		switch start, open := strings.CutSuffix(line, " ...\n"); {
		case line == "...\n":
			pattern += `(?:.*\n)*`
		case open:
			pattern += regexp.QuoteMeta(start) + `.*\n`
		default:
			pattern += regexp.QuoteMeta(line)
		}
	}
	return regexp.MustCompile(pattern + `\z`).MatchString(got)
}

// goModule makes a folder the Go module of a program that imports Runnel from
// this checkout.
func goModule(t *testing.T, dir string) {
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	sums, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	mod := strings.Replace(string(text), "module github.com/runnel-lang/runnel", "module example.com/host", 1)
	mod += fmt.Sprintf("\nrequire github.com/runnel-lang/runnel v0.0.0\n\nreplace github.com/runnel-lang/runnel => %q\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
}

// TestTheBookIsFormatted holds its programs to the style that it recommends.
func TestTheBookIsFormatted(t *testing.T) {
	for name := range bookPages {
		text, err := os.ReadFile(bookFolder + name)
		require.NoError(t, err)
		programs := blocks(string(text))
		sections, err := sectionsOf(string(text))
		require.NoError(t, err)
		for _, s := range sections {
			for _, p := range s.parts {
				if filepath.Ext(p.file) == ".rnl" {
					programs = append(programs, block{line: p.line, src: p.text})
				}
			}
		}
		for _, b := range programs {
			formatted, diags := printer.Format(new(diag.FileSet).Add(name, b.src))
			require.Empty(t, diags)
			require.Equal(t, formatted, b.src, "%s:%d", name, b.line)
		}
	}
}

func TestTranscriptsAreCompared(t *testing.T) {
	for _, c := range []struct {
		want, got string
		fits      bool
	}{
		{"a\n", "a\n", true},
		{"a\n", "b\n", false},
		{"", "a\n", false},
		{"a\n...\n", "a\nb\nc\n", true},
		{"a\n...\n", "a\n", true},
		{"...\nc\n", "a\nc\n", true},
		{"...\nc\n", "a\nb\n", false},
		{"a.\n", "ab\n", false},
		{"a ...\n", "a (1ms)\n", true},
		{"a ...\n", "a\n", true},
		{"a ...\n", "a\nb\n", false},
	} {
		require.Equal(t, c.fits, transcriptFits(c.want, c.got), "%q %q", c.want, c.got)
	}
	_, err := sectionsOf("```python\nprint(1)\n```\n")
	require.ErrorContains(t, err, "nothing runs a fence `python`")
	_, err = sectionsOf("Some file:\n```runnel file=a.rnl\nprint(1)\n```\n")
	require.ErrorContains(t, err, "does not say the name of a.rnl")
}
