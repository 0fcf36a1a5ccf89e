package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhenToColor(t *testing.T) {
	for _, c := range []struct {
		env      string
		terminal bool
		want     bool
	}{
		{"", true, true},
		{"", false, false},
		{"TERM=dumb", true, false},
		{"NO_COLOR=1", true, false},
		{"NO_COLOR=", true, true},
		{"FORCE_COLOR=1", false, true},
		{"CLICOLOR_FORCE=1", false, true},
		{"CLICOLOR_FORCE=0", false, false},
		{"FORCE_COLOR=1 TERM=dumb", false, true},
		{"FORCE_COLOR=1 NO_COLOR=1", true, false},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		assert.Equal(t, c.want, colorWanted(func(name string) string { return env[name] }, c.terminal), "%+v", c)
	}
}

// onTerminal runs the command on a terminal with 50 columns and gives what is
// seen, line ends as they are in files.
func onTerminal(t *testing.T, dir, env, command string) string {
	t.Helper()
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("script (util-linux) is not installed")
	}
	cmd := exec.Command(script, "-qec", "stty cols 50; "+env+" "+command, os.DevNull)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=", "FORCE_COLOR=", "CLICOLOR_FORCE=")
	out, _ := cmd.Output()
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

func TestTerminalsGetColorsAndShortLines(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rnl"), []byte(`print("`+strings.Repeat("a", 100)+`", nope, "`+strings.Repeat("b", 100)+`")`+"\n"), 0o644))
	assert.Equal(t, "\x1b[1;31merror[E0201]\x1b[0m\x1b[1m: there is no `nope` here\x1b[0m\n"+
		"\x1b[1;34m --> \x1b[0ma.rnl:1:111\n"+
		"\x1b[1;34m  |\x1b[0m\n"+
		"\x1b[1;34m1 |\x1b[0m …aaaaaaaaaaaaaaaaaaaaaaaaaaa\", nope, \"bbbbbbb…\n"+
		"\x1b[1;34m  |\x1b[0m                                \x1b[1;31m^^^^\x1b[0m\n",
		onTerminal(t, dir, "", binary+" a.rnl"))
	plain := onTerminal(t, dir, "NO_COLOR=1", binary+" a.rnl")
	assert.NotContains(t, plain, "\x1b")
	assert.Contains(t, plain, "1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaa\", nope, \"bbbbbbb…\n")
	assert.NotContains(t, onTerminal(t, dir, "TERM=dumb", binary+" a.rnl"), "\x1b")
	assert.NotContains(t, onTerminal(t, dir, "", binary+" --color never a.rnl"), "\x1b")
}

func TestUncaughtErrorsAreColored(t *testing.T) {
	files := map[string]string{"a.rnl": "fn f() { throw error(\"no\") }\nlet t = spawn f()\nawait t\n"}
	assert.Equal(t, "\x1b[1;31merror\x1b[0m\x1b[1m: no\x1b[0m\n"+
		"\x1b[1;34m --> \x1b[0ma.rnl:1:10\n"+
		"\x1b[1;34m  |\x1b[0m\n"+
		"\x1b[1;34m1 |\x1b[0m fn f() { throw error(\"no\") }\n"+
		"\x1b[1;34m  |\x1b[0m          \x1b[1;31m^^^^^\x1b[0m\n"+
		"\x1b[1;34mtrace, innermost call first:\x1b[0m\n"+
		"  \x1b[1mf                \x1b[0m  a.rnl:1:10\n"+
		"  \x1b[1mspawned in script\x1b[0m  a.rnl:2:9\n",
		invoke(t, files, "", "--color", "always", "a.rnl").stderr)
}

// What a program or a name holds does not command the terminal.
func TestNoEscapeSequencesReachTheTerminal(t *testing.T) {
	files := map[string]string{
		"thrown.rnl":  `throw error("red \u{1b}[31m bell \x07\n\u{1b}[2J \u{202e}more")` + "\n",
		"source.rnl":  "print(nope, \"\x1b[2J\u202e\x07\")\n",
		"\x1b[2J.rnl": "print(nope)\n",
	}
	for _, args := range [][]string{{"thrown.rnl"}, {"source.rnl"}, {"check", "source.rnl"}, {"\x1b[2J.rnl"}, {"no\x1b[2J.rnl"}, {"no\x1b[2J"}, {"run", "--no\x1b[2J"}, {"explain", "\x1b[2J"}} {
		got := invoke(t, files, "", args...)
		assert.NotEmpty(t, got.stderr)
		for _, bad := range []string{"\x1b", "\x07", "\u202e"} {
			assert.NotContains(t, got.stderr, bad, args)
		}
	}
}

func TestSeveralErrorsStandApart(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": "fn f(n: int) { throw error(\"no ${n}\") }\nspawn f(1)\nthrow error(\"third\")\n"}, "", "--seed", "1", "a.rnl")
	assert.Contains(t, got.stderr, "\n\nerror: ")
	files := map[string]string{"a.rnl": "print(x)\n", "b.rnl": "print(1)\n", "c.rnl": "print(y)\n"}
	assert.Contains(t, invoke(t, files, "", "check", "a.rnl", "b.rnl", "c.rnl").stderr, "^\n\nerror[E0201]: there is no `y` here\n")
}
