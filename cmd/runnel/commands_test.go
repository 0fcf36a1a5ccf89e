package main

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelpShowsEachCommandWithItsFlagsAndAnExample(t *testing.T) {
	all := invoke(t, nil, "", "help").stdout
	for _, cmd := range commands() {
		assert.Contains(t, all, "  runnel "+cmd.name)
		got := invoke(t, nil, "", "help", cmd.name)
		assert.Equal(t, got, invoke(t, nil, "", cmd.name, "--help"))
		assert.Equal(t, 0, got.exit)
		for _, f := range cmd.flags {
			assert.Contains(t, got.stdout, "  "+strings.TrimSpace(strings.ReplaceAll(f.names, " ", ", ")+" "+f.arg), cmd.name)
		}
		assert.Contains(t, got.stdout, "For example:\n\n  runnel "+cmd.name)
	}
}

func TestHelpFitsTheTerminal(t *testing.T) {
	for _, width := range []int{100, 80, 60, 40} {
		var text bytes.Buffer
		w := helpWriter{bufio.NewWriter(&text), width}
		helpCommands(w)
		for _, cmd := range commands() {
			helpCommand(w, &cmd)
		}
		require.NoError(t, w.Flush())
		for line := range strings.Lines(text.String()) {
			// Names, usages and examples stay whole.
			if strings.HasPrefix(line, "      ") {
				assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), width, line)
			}
		}
		assert.Equal(t, width >= 80, strings.Contains(text.String(), "  runnel version                               show the version\n"))
	}
}

func TestExamplesOfCommandsAreTaken(t *testing.T) {
	for _, cmd := range commands() {
		for line := range strings.Lines(cmd.example) {
			text, _, _ := strings.Cut(line, " #")
			words := strings.Fields(text)
			require.Greater(t, len(words), 1, line)
			assert.Equal(t, []string{"runnel", cmd.name}, words[:2])
			_, err := newCLI().parse(words[2:], cmd.flags, !cmd.script)
			if !errors.Is(err, errHelp) {
				assert.NoError(t, err, line)
			}
		}
	}
}

func TestMistypedCommandsAndFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"tset", "there is no command or file `tset`: did you mean `test`?\nrun `runnel help` for a list of commands\n"},
		{"help chekc", "there is no command `chekc`: did you mean `check`?\nrun `runnel help` for a list of commands\n"},
		{"run --tiem 3s a.rnl", "unknown flag --tiem: did you mean --time?\nrun `runnel help run` for its arguments and flags\n"},
		{"test --nothing-like-it", "unknown flag --nothing-like-it\nrun `runnel help test` for its arguments and flags\n"},
	} {
		assert.Equal(t, outcome{"", "runnel: " + c.want, 2}, invoke(t, nil, "", strings.Fields(c.args)...))
	}
}

func TestHelpAfterTheScriptIsTheScripts(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": "import sys\nprint(sys.args)\n"}, "", "a.rnl", "--help")
	assert.Equal(t, outcome{"[\"--help\"]\n", "", 0}, got)
}
