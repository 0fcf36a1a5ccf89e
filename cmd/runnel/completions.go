package main

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The scripts ask the command itself what can stand where the cursor is, so they
// know each command and flag of the table, and all shells the same.
//
//go:embed completions
var completionScripts embed.FS

// shells that there are scripts for, and how their files end.
var shells = map[string]string{"bash": "bash", "zsh": "zsh", "fish": "fish", "powershell": "ps1"}

// completions writes the script that has a shell complete command lines, or
// completes the words on standard input for such a script.
func (c *cli) completions(args []string) int {
	switch {
	case len(args) != 1:
		return c.usage("completions needs the name of a shell: bash, zsh, fish or powershell")
	case args[0] == "words":
		return c.completeInput(os.Stdin)
	}
	end, ok := shells[args[0]]
	if !ok {
		return c.usage("there are no completions for `" + args[0] + "`, only for bash, zsh, fish and powershell")
	}
	script, err := completionScripts.ReadFile("completions/runnel." + end)
	if err == nil {
		_, err = c.stdout.Write(script)
	}
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}

// candidate is a word that may stand somewhere, and what it means.
type candidate struct{ word, about string }

// Words that stand for the names of files; a shell knows them best.
var (
	scriptNames = candidate{":scripts", ""} // *.rnl and *.rnlc
	fileNames   = candidate{":files", ""}
	folderNames = candidate{":folders", ""}
)

// completeInput reads the words of a command line, each on a line and the one to
// be completed last, and writes what it can be.
func (c *cli) completeInput(in io.Reader) int {
	text, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if err != nil {
		return c.problem(err)
	}
	words := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r", ""), "\n"), "\n")
	w := bufio.NewWriter(c.stdout)
	defer w.Flush()
	for _, found := range complete(words) {
		fmt.Fprintf(w, "%s\t%s\n", found.word, found.about)
	}
	return exitOK
}

// complete finds what the last word of a command line can be.
func complete(words []string) (found []candidate) {
	done, last := words[:len(words)-1], words[len(words)-1]
	for _, can := range candidates(done, last) {
		if can.word[0] == ':' || strings.HasPrefix(can.word, last) {
			found = append(found, can)
		}
	}
	return found
}

func candidates(done []string, last string) []candidate {
	if len(done) == 0 {
		if strings.HasPrefix(last, "-") {
			return append(flagNames(runFlags()), candidate{"--version", "show the version"}, candidate{"-e", "run a script given as text"})
		}
		return append(commandNames(), scriptNames)
	}
	cmd := findCommand(done[0])
	switch {
	case cmd != nil:
		return cmd.candidates(done[1:], last)
	case done[0] == "-e":
		return findCommand("eval").candidates(done, last)
	}
	return findCommand("run").candidates(done, last)
}

// candidates are what can follow some arguments of the command.
func (cmd *command) candidates(args []string, last string) []candidate {
	var value *flag // that the next word belongs to
	arguments, flags := 0, true
	for _, arg := range args {
		switch {
		case value != nil:
			value = nil
		case !flags || len(arg) < 2 || arg[0] != '-':
			arguments++
			flags = flags && !cmd.script
		case arg == "--":
			flags = false
		default:
			if f := findFlag(cmd.flags, arg); f != nil && f.arg != "" {
				value = f
			}
		}
	}
	name, _, hasValue := strings.Cut(last, "=")
	switch {
	case value != nil:
		return named(value.arg, fileNames)
	case flags && hasValue && findFlag(cmd.flags, name) != nil:
		list := named(findFlag(cmd.flags, name).arg, fileNames)
		for i := range list {
			if list[i].word[0] != ':' {
				list[i].word = name + "=" + list[i].word
			}
		}
		return list
	case flags && strings.HasPrefix(last, "-"):
		return flagNames(cmd.flags)
	case cmd.script && arguments > 0:
		return []candidate{fileNames}
	}
	return cmd.arguments()
}

// arguments are what its usage names.
func (cmd *command) arguments() (list []candidate) {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "", "...", "").Replace(cmd.usage))
	for i, word := range words {
		if word[0] != '-' && (i == 0 || words[i-1][0] != '-') {
			list = append(list, named(word, scriptNames)...)
		}
	}
	return list
}

// named are the words that a name in a usage or of a flag's value stands for.
func named(what string, files candidate) (list []candidate) {
	for part := range strings.SplitSeq(what, "|") {
		switch part {
		case "FILE", "OUT":
			list = append(list, files)
		case "FOLDER", "DIR":
			list = append(list, folderNames)
		case "COMMAND":
			list = append(list, commandNames()...)
		case "CODE":
			for _, info := range diag.Codes() {
				list = append(list, candidate{string(info.Code), info.Title})
			}
		case "NAME":
			for _, m := range all.Modules() {
				list = append(list, candidate{m.Name, "module " + m.Name})
			}
		case strings.ToLower(part):
			list = append(list, candidate{part, ""})
		}
	}
	return list
}

func commandNames() (list []candidate) {
	for _, cmd := range commands() {
		list = append(list, candidate{cmd.name, cmd.short})
	}
	return list
}

func flagNames(flags []flag) (list []candidate) {
	for _, f := range flags {
		for name := range strings.FieldsSeq(f.names) {
			list = append(list, candidate{name, f.help})
		}
	}
	return append(list, candidate{"--help", "show help"})
}
