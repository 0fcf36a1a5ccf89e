// Package tmux lets tests use a program as somebody at a terminal does: they type
// keys and see the screen.
package tmux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Screen is a terminal in which a program runs.
type Screen struct {
	t      testing.TB
	socket string
}

// Start runs a command in a terminal of a size, with an environment that has
// these variables too. Without tmux the test is skipped.
func Start(t testing.TB, width, height int, env []string, command ...string) *Screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is missing")
	}
	// The path of a socket must be short.
	dir, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	s := &Screen{t, filepath.Join(dir, "s")}
	t.Cleanup(func() {
		s.tmux("kill-server")
		os.RemoveAll(dir)
	})
	args := []string{"-f", os.DevNull, "-u", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "--", "env", "PS1=$ "}
	args = append(append(args, env...), command...)
	if out, err := s.tmux(args...); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	s.tmux("set", "-g", "remain-on-exit", "on")
	s.tmux("set", "-g", "remain-on-exit-format", "")
	return s
}

func (s *Screen) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Type sends keys: texts, or names of keys such as Enter, C-c, Up, Tab.
func (s *Screen) Type(keys ...string) {
	s.t.Helper()
	if out, err := s.tmux(append([]string{"send-keys", "--"}, keys...)...); err != nil {
		s.t.Fatalf("send-keys %q: %v: %s", keys, err, out)
	}
}

// Paste pastes a text, between marks where the program has asked for them.
func (s *Screen) Paste(text string) {
	s.t.Helper()
	s.tmux("set-buffer", "--", text)
	if out, err := s.tmux("paste-buffer", "-p", "-r"); err != nil {
		s.t.Fatalf("paste: %v: %s", err, out)
	}
}

// Resize changes the size, and waits until the program can know it: tmux takes its
// time to tell.
func (s *Screen) Resize(width, height int) {
	s.t.Helper()
	if out, err := s.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)); err != nil {
		s.t.Fatalf("resize: %v: %s", err, out)
	}
	tty, _ := s.tmux("display-message", "-p", "#{pane_tty}")
	want := fmt.Sprintf("%d %d\n", height, width)
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		out, err := exec.Command("stty", "-F", strings.TrimSpace(tty), "size").CombinedOutput()
		if err == nil && string(out) == want {
			return
		}
		if time.Since(begin) > Patience {
			s.t.Fatalf("the size is %s, not %s", out, want)
		}
	}
}

// Text is what is to be seen, and what has been scrolled out, without the spaces
// at the ends of lines and the empty lines at the end.
func (s *Screen) Text() string { return s.capture("-p", "-J", "-S", "-") }

// Colored is Text with the sequences that make colors.
func (s *Screen) Colored() string { return s.capture("-p", "-e", "-J", "-S", "-") }

func (s *Screen) capture(flags ...string) string {
	out, _ := s.tmux(append([]string{"capture-pane"}, flags...)...)
	lines := strings.Split(out, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// Cursor is where the cursor is, from 0 on.
func (s *Screen) Cursor() (column, row int) {
	out, _ := s.tmux("display-message", "-p", "#{cursor_x} #{cursor_y}")
	fmt.Sscan(out, &column, &row)
	return column, row
}

// Patience is how long a text may take to appear.
const Patience = 20 * time.Second

// Wait waits until a condition of the text holds.
func (s *Screen) Wait(what string, holds func(text string) bool) {
	s.t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		text := s.Text()
		if holds(text) {
			return
		}
		if time.Since(begin) > Patience {
			s.t.Fatalf("it does not show %s:\n%s", what, text)
		}
	}
}

// Shows waits until the text ends in a text.
func (s *Screen) Shows(end string) {
	s.t.Helper()
	s.Wait(fmt.Sprintf("%q at its end", end), func(text string) bool {
		return strings.HasSuffix(strings.TrimRight(text, "\n"), end)
	})
}

// Ended waits until the program has ended and gives its exit code.
func (s *Screen) Ended() (code int) {
	s.t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		out, _ := s.tmux("display-message", "-p", "#{pane_dead} #{pane_dead_status}")
		dead := 0
		if n, _ := fmt.Sscan(out, &dead, &code); n == 2 && dead == 1 {
			return code
		}
		if dead == 1 { // tmux may miss the signal that its child has ended; another one has it look
			server, _ := s.tmux("display-message", "-p", "#{pid}")
			exec.Command("kill", "-CHLD", strings.TrimSpace(server)).Run()
		}
		if time.Since(begin) > Patience {
			s.t.Fatalf("it has not ended:\n%s", s.Text())
		}
	}
}
