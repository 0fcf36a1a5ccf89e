package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

// wordsFor returns the words that complete the last one of a line.
func wordsFor(line string) (words []string) {
	for _, found := range complete(strings.Split(line, " ")) {
		words = append(words, found.word)
	}
	return words
}

func TestCompleteKnowsTheTable(t *testing.T) {
	for _, cmd := range commands() {
		assert.Contains(t, wordsFor(""), cmd.name)
		assert.Contains(t, wordsFor("help "), cmd.name)
		for _, f := range cmd.flags {
			for _, name := range strings.Fields(f.names) {
				assert.Contains(t, wordsFor(cmd.name+" -"), name)
			}
		}
	}
	assert.Len(t, wordsFor("explain "), len(diag.Codes()))
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"ch", "check :scripts"},
		{"run ", ":scripts"},
		{"run --sta", "--stack --stats"},
		{"run --color ", "auto always never"},
		{"run --color a", "auto always"},
		{"run --color=n", "--color=never"},
		{"run --trace ", ":files"},
		{"run --trace=x", ":files"},
		{"run --seed ", ""},
		{"run --seed 1 ", ":scripts"},
		{"run --race --co", "--color"},
		{"run a.rnl ", ":files"},
		{"run a.rnl --co", ":files"},
		{"a.rnl ", ":files"},
		{"--seed 1 ", ":scripts"},
		{"--se", "--seed"},
		{"-e ", ""},
		{"eval print(1) ", ":files"},
		{"check a.rnl --j", "--json"},
		{"check -- --j", ":scripts :folders"},
		{"test ", ":scripts :folders"},
		{"build a.rnl -o ", ":files"},
		{"explain E030", "E0301 E0302 E0303 E0304 E0305 E0306 E0307 E0308 E0309"},
		{"doc htt", ":scripts :folders http"},
		{"completions ", "bash zsh fish powershell"},
		{"version ", ""},
	} {
		assert.Equal(t, strings.Fields(c.want), append([]string{}, wordsFor(c.line)...), c.line)
	}
}

func TestCompletionsOfUnknownShells(t *testing.T) {
	for _, args := range [][]string{{"completions"}, {"completions", "tcsh"}} {
		got := invoke(t, nil, "", args...)
		assert.Equal(t, 2, got.exit)
		assert.Regexp(t, "bash, zsh, fish (and|or) powershell", got.stderr)
	}
	assert.Contains(t, invoke(t, nil, "", "completions", "powershell").stdout, "Register-ArgumentCompleter")
}

// inShell has a shell run a script where runnel is the command and there are
// some files, and gives the lines that it writes, in order.
func inShell(t *testing.T, shell, script string) []string {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skip(shell + " is not installed")
	}
	dir := t.TempDir()
	for _, name := range []string{"main.rnl", "my file.rnl", "made.rnlc", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "more"), 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir, "TERM=dumb")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	slices.Sort(lines)
	return lines
}

func TestBashCompletes(t *testing.T) {
	for _, c := range []struct {
		words string // as bash splits the line
		want  []string
	}{
		{"runnel che", []string{"check"}},
		{"runnel run --sta", []string{"--stack", "--stats"}},
		{"runnel run --color = al", []string{"always"}},
		{"runnel run --color =", []string{"always", "auto", "never"}},
		{"runnel run m", []string{"made.rnlc", "main.rnl", "more/", "my file.rnl"}},
		{"runnel run main.rnl n", []string{"notes.txt"}},
		{"runnel test mo", []string{"more/"}},
		{"runnel explain E0301", []string{"E0301"}},
	} {
		words := strings.Fields(c.words)
		got := inShell(t, "bash", `source <(runnel completions bash)
COMP_WORDS=(`+c.words+`) COMP_CWORD=`+string(rune('0'+len(words)-1))+`
_runnel
printf '%s\n' "${COMPREPLY[@]}"`)
		assert.Equal(t, c.want, got, c.words)
	}
}

func TestFishCompletes(t *testing.T) {
	got := inShell(t, "fish", `runnel completions fish | source
complete -C 'runnel che'
complete -C 'runnel run --sta'
complete -C 'runnel run --color al'
complete -C 'runnel run made'
complete -C 'runnel test mor'`)
	for i := range got {
		got[i], _, _ = strings.Cut(got[i], "\t")
	}
	for _, want := range []string{"check", "--stack", "--stats", "always", "made.rnlc", "more/"} {
		assert.Contains(t, got, want)
	}
}

// zsh completes on a terminal only: what it shows must come to hold the word.
func TestZshCompletes(t *testing.T) {
	got := inShell(t, "zsh", `zmodload zsh/zpty
zpty -b z 'zsh -f -i'
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u; source <(runnel completions zsh); echo rea"dy"'
zpty -r z shown '*ready*'
ask() {
  zpty -w -n z "$1"$'\t'
  zpty -r z shown "*$2*"
  zpty -w -n z $'\C-a\C-k'
  print -r -- "$2"
}
ask 'runnel chec' 'runnel check'
ask 'runnel run --color=alw' always
ask 'runnel run mad' rnlc`)
	assert.Equal(t, []string{"always", "rnlc", "runnel check"}, got)
}
