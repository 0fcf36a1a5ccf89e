package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/tmux"
)

// The files of testdata/sessions are transcripts, and what is typed for them: what
// stands behind a prompt is typed, with Enter, and the screen must then be the
// transcript up to the next prompt. Besides there are lines that say what happens
// before the next prompt's line is entered:
//
//	-- a.rnl     the lines up to the next "--" are written to this file
//	~ 1 +|Tab    these keys are typed, instead of what the next line shows (at a
//	             terminal that can do nothing: that line); apart by | are keys and texts
//	~~ text      the screen ends in this text (at a terminal that can)
//	# text       a comment
//
// Each is played at a terminal that can do everything and at one that can do
// nothing, and both must show the same.
func TestSessionTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		for _, term := range []string{"TERM=xterm-256color", "TERM=dumb"} {
			name := strings.TrimSuffix(filepath.Base(file), ".txt")
			t.Run(name+"/"+strings.TrimPrefix(term, "TERM="), func(t *testing.T) {
				p := &player{t: t, dumb: term == "TERM=dumb"}
				p.s, p.dir = begin(t, 80, 24, term)
				p.play(file)
			})
		}
	}
}

// player plays a transcript. shown is the transcript so far, kept its file anew.
type player struct {
	t           *testing.T
	s           *tmux.Screen
	dir         string
	dumb        bool
	shown, kept strings.Builder
	keys        []string
}

func (p *player) play(file string) {
	text, err := os.ReadFile(file)
	require.NoError(p.t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		switch {
		case strings.HasPrefix(line, "# "):
			p.keep(line)
		case strings.HasPrefix(line, "-- "):
			p.keep(line)
			lines = p.write(strings.TrimPrefix(line, "-- "), lines)
		case strings.HasPrefix(line, "~ "):
			p.keep(line)
			if !p.dumb {
				p.keys = strings.Split(strings.TrimPrefix(line, "~ "), "|")
				p.s.Type(p.keys...)
			}
		case strings.HasPrefix(line, "~~ "):
			p.keep(line)
			if !p.dumb {
				p.s.Shows(strings.TrimPrefix(line, "~~ "))
			}
		default:
			lines = p.enter(line, lines)
		}
	}
	if *update && !p.dumb {
		require.NoError(p.t, os.WriteFile(file, []byte(p.kept.String()), 0o644))
	}
}

func (p *player) keep(line string) { p.kept.WriteString(line + "\n") }

// write writes the lines before "--" to a file.
func (p *player) write(name string, lines []string) (rest []string) {
	for i, line := range lines {
		p.keep(line)
		if line == "--" {
			text := strings.Join(lines[:i], "\n") + "\n"
			require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644))
			return lines[i+1:]
		}
	}
	p.t.Fatalf("%s has no end", name)
	return nil
}

// enter enters the line of a prompt, and sees the answer.
func (p *player) enter(line string, lines []string) (rest []string) {
	if p.keys == nil && len(line) > 2 {
		typed := line[2:]
		if !p.dumb { // which indents itself
			typed = strings.TrimLeft(typed, " ")
		}
		p.s.Type(typed)
	}
	p.s.Type("Enter")
	p.keys = nil
	answer := []string{line}
	for len(lines) > 0 && !regexp.MustCompile(`^([>.#~]|--)( |$)`).MatchString(lines[0]) {
		answer = append(answer, lines[0])
		lines = lines[1:]
	}
	prompt := "> "
	for _, l := range lines {
		if strings.HasPrefix(l, "> ") || strings.HasPrefix(l, ".") {
			prompt = l[:1]
			break
		}
	}
	want := p.shown.String() + strings.Join(answer, "\n") + "\n"
	if *update && !p.dumb {
		want = p.watch()
		p.keep(strings.TrimSuffix(strings.TrimPrefix(want, p.shown.String()), "\n"))
	} else {
		p.await(want, want+strings.TrimSpace(prompt)+"\n")
	}
	p.shown.Reset()
	p.shown.WriteString(want)
	return lines
}

// text is the screen below the greeting, without what differs from run to run, the
// hint below an entry that goes on, and the prompt above which a terminal that can do
// nothing cannot print.
func (p *player) text() string {
	_, text, _ := strings.Cut(p.s.Text(), "\n")
	if p.dumb {
		text = left.ReplaceAllString(text, "$1")
	}
	return duration.ReplaceAllString(hint.ReplaceAllString(text, ".\n"), "took 1ms")
}

var (
	left     = regexp.MustCompile(`(?m)^>\n(error|\n)`)
	hint     = regexp.MustCompile(`(?m)^\.\n  .*\n\z`)
	duration = regexp.MustCompile(`took [\d.]+\S*s`)
)

func (p *player) await(before, want string) {
	got := ""
	for began := time.Now(); time.Since(began) < tmux.Patience; time.Sleep(10 * time.Millisecond) {
		if got = p.text(); got == want {
			return
		}
	}
	require.Equal(p.t, want, got)
}

// watch returns what is shown before the last prompt when nothing changes any more.
func (p *player) watch() string {
	last, since := p.text(), time.Now()
	for time.Since(since) < 500*time.Millisecond {
		time.Sleep(20 * time.Millisecond)
		if now := p.text(); now != last {
			last, since = now, time.Now()
		}
	}
	last = strings.TrimSuffix(last, "\n")
	return last[:strings.LastIndex(last, "\n")+1]
}
