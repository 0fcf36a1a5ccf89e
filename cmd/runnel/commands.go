package main

import (
	"errors"
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
)

// command is one of the words that may follow runnel. All that help, shell
// completions and the parsing of flags know of it stands here.
type command struct {
	name    string
	usage   string // its arguments; FILE, FOLDER, CODE, NAME, COMMAND and a|b are completed
	short   string
	flags   []flag
	script  bool   // the first argument is a script, and what follows it its arguments
	example string // command lines, each with a comment
	run     func(*cli, []string) int
}

// commands in the order in which help lists them.
func commands() []command {
	return []command{
		{name: "run", usage: "[FLAGS] FILE [ARGS]", short: "run a script (.rnl) or a compiled program (.rnlc)",
			flags: runFlags(), script: true, run: (*cli).run,
			example: "runnel run --time 10s --memory 1G crawl.rnl https://example.org   # flags, the script, its arguments\n" +
				"runnel run --seed 7 --race bank.rnl                               # the same run every time; reports data races"},
		{name: "eval", usage: "[FLAGS] TEXT [ARGS]", short: "run a script given as text (also -e TEXT)",
			flags: append(runFlags(), textFlag), script: true, run: (*cli).eval,
			example: "runnel eval 'import sys; print(sys.args.len())' a b"},
		{name: "repl", usage: "[FLAGS]", short: "start a REPL (an interactive session), as runnel without arguments does",
			flags: runFlags(), run: (*cli).repl,
			example: "runnel repl --memory 1G"},
		{name: "check", usage: "[FLAGS] [FILE|FOLDER...]", short: "report errors and warnings without running anything (default: all scripts in this folder)",
			flags: checkFlags(), run: (*cli).check,
			example: "runnel check                      # all scripts in this folder and below\n" +
				"runnel check a.rnl lib            # a file, and a folder with everything below it\n" +
				"runnel check --fix --diff a.rnl   # show what the fixes would change\n" +
				"runnel check --json a.rnl         # for tools"},
		{name: "test", usage: "[FLAGS] [FILE|FOLDER...]", short: "run the test blocks of scripts (default: all scripts in this folder)",
			flags: slices.Concat(commonFlags(), testFlags()), run: (*cli).test,
			example: "runnel test --cover\n" +
				"runnel test --watch --parallel 4 bank.rnl      # run again when it changes\n" +
				"runnel test --only bank --explore 1000 a.rnl   # under 1000 different schedules"},
		{name: "bench", usage: "[FLAGS] [FILE|FOLDER...]", short: "run the benchmarks of scripts (default: all scripts in this folder)",
			flags: slices.Concat(commonFlags(), benchFlags()), run: (*cli).bench,
			example: "runnel bench --save old.json .\n" +
				"runnel bench --compare old.json .   # what has changed since then"},
		{name: "fmt", usage: "[FLAGS] [FILE|FOLDER...]", short: "format scripts (default: all in this folder; - is standard input)",
			flags: fmtFlags(), run: (*cli).format,
			example: "runnel fmt\n" +
				"runnel fmt --diff a.rnl lib   # show what would change\n" +
				"runnel fmt --check .          # list the files that are not formatted"},
		{name: "build", usage: "FILE -o OUT", short: "compile a script to a file (.rnlc)",
			flags: buildFlags(), run: (*cli).build,
			example: "runnel build server.rnl -o server.rnlc"},
		{name: "bindgen", usage: "[FLAGS] PACKAGE", short: "generate Go source that makes a Go package usable from scripts",
			flags: bindgenFlags(), run: (*cli).bindgen,
			example: "runnel bindgen --only 'Index*,Builder' -o strings.go strings"},
		{name: "doc", usage: "[FLAGS] [FILE|FOLDER...|NAME]", short: "show the documentation of a name (list.map, http) or of modules",
			flags: docFlags(), run: (*cli).doc,
			example: "runnel doc list.map\n" +
				"runnel doc --html site *.rnl   # builtins, the library and these files"},
		{name: "dis", usage: "[FLAGS] FILE [FUNCTION...]", short: "show the bytecode of a script or of a compiled program",
			flags: disFlags(), run: (*cli).dis,
			example: "runnel dis a.rnl\n" +
				"runnel dis --native a.rnl main.fib   # with the machine code of a function"},
		{name: "explain", usage: "[CODE]", short: "explain an error code, such as E0301",
			flags: []flag{colorFlag}, run: (*cli).explain,
			example: "runnel explain E0301\n" +
				"runnel explain         # list all codes"},
		{name: "doctor", usage: "[FLAGS]", short: "check that everything works, and collect what a bug report needs",
			flags: doctorFlags(), run: (*cli).doctor,
			example: "runnel doctor\n" +
				"runnel doctor --json > report.json"},
		{name: "completions", usage: "bash|zsh|fish|powershell", short: "print a completion script for your shell",
			run: (*cli).completions,
			example: "runnel completions bash > ~/.local/share/bash-completion/completions/runnel\n" +
				"runnel completions zsh > ~/.zsh/_runnel   # a folder in $fpath\n" +
				"runnel completions fish > ~/.config/fish/completions/runnel.fish\n" +
				"runnel completions powershell >> $PROFILE"},
		{name: "version", short: "show the version", run: (*cli).version,
			example: "runnel version"},
		{name: "help", usage: "[COMMAND]", short: "show help for a command",
			run:     (*cli).help,
			example: "runnel help test   # also: runnel test --help"},
	}
}

// findCommand returns nil when there is no command of this name.
func findCommand(name string) *command {
	list := commands()
	if i := slices.IndexFunc(list, func(cmd command) bool { return cmd.name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// start runs a command with what follows its name.
func (c *cli) start(name string, args []string) int {
	cmd := findCommand(name)
	c.command = name
	args, err := c.parse(args, cmd.flags, !cmd.script)
	switch {
	case errors.Is(err, errHelp):
		return c.help([]string{name})
	case err != nil:
		return c.usage(err.Error())
	}
	return cmd.run(c, args)
}

// noCommand reports that an argument is neither a command nor, where one is allowed, a file.
func (c *cli) noCommand(name, what string) int {
	c.command = ""
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	msg := "there is no " + what + " `" + name + "`"
	if near := diag.Suggest(name, names); near != "" {
		msg += ": did you mean `" + near + "`?"
	}
	return c.usage(msg)
}
