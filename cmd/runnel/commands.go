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
				"runnel run --seed 7 --race bank.rnl                               # the same each time, and looking for data races"},
		{name: "eval", usage: "[FLAGS] TEXT [ARGS]", short: "run a script given as text (also -e TEXT)",
			flags: append(runFlags(), textFlag), script: true, run: (*cli).eval,
			example: "runnel eval 'import sys; print(sys.args.len())' a b"},
		{name: "repl", usage: "[FLAGS]", short: "hold a session (a REPL) at the terminal, as runnel alone does",
			flags: runFlags(), run: (*cli).repl,
			example: "runnel repl --memory 1G"},
		{name: "check", usage: "[FLAGS] [FILE|FOLDER...]", short: "report errors and warnings without running; of all scripts here when none is named",
			flags: checkFlags(), run: (*cli).check,
			example: "runnel check                     # the scripts of this folder and of those in it\n" +
				"runnel check a.rnl lib           # also lib/..., as with Go's commands\n" +
				"runnel check --fix --diff a.rnl   # what the fixes of the diagnostics would change\n" +
				"runnel check --json a.rnl         # for tools"},
		{name: "test", usage: "[FLAGS] [FILE|FOLDER...]", short: "run the test blocks of scripts; of all here when none is named",
			flags: slices.Concat(commonFlags(), testFlags()), run: (*cli).test,
			example: "runnel test --cover\n" +
				"runnel test --watch --parallel 4 bank.rnl      # again when it changes\n" +
				"runnel test --only bank --explore 1000 a.rnl   # under 1000 orders in which tasks take turns"},
		{name: "bench", usage: "[FLAGS] [FILE|FOLDER...]", short: "measure the bench blocks of scripts; of all here when none is named",
			flags: slices.Concat(commonFlags(), benchFlags()), run: (*cli).bench,
			example: "runnel bench --save old.json .\n" +
				"runnel bench --compare old.json .   # what has changed since then"},
		{name: "fmt", usage: "[FLAGS] [FILE|FOLDER...]", short: "format scripts; all here when none is named (- is standard input)",
			flags: fmtFlags(), run: (*cli).format,
			example: "runnel fmt\n" +
				"runnel fmt --diff a.rnl lib   # what would be changed\n" +
				"runnel fmt --check .          # lists what is formatted otherwise"},
		{name: "build", usage: "FILE -o OUT", short: "compile a script to a file (.rnlc)",
			flags: buildFlags(), run: (*cli).build,
			example: "runnel build server.rnl -o server.rnlc"},
		{name: "bindgen", usage: "[FLAGS] PACKAGE", short: "write Go source that offers a Go package to scripts",
			flags: bindgenFlags(), run: (*cli).bindgen,
			example: "runnel bindgen --only 'Index*,Builder' -o strings.go strings"},
		{name: "doc", usage: "[FLAGS] [FILE|FOLDER...|NAME]", short: "show what a name means (list.map, http), or document modules",
			flags: docFlags(), run: (*cli).doc,
			example: "runnel doc list.map\n" +
				"runnel doc --html site *.rnl   # what is built in, the library and these files"},
		{name: "dis", usage: "FILE", short: "show the bytecode of a script or of a compiled program",
			flags: []flag{colorFlag}, run: (*cli).dis,
			example: "runnel dis a.rnl"},
		{name: "explain", usage: "[CODE]", short: "explain the code of an error, such as E0301",
			flags: []flag{colorFlag}, run: (*cli).explain,
			example: "runnel explain E0301\n" +
				"runnel explain         # lists all codes"},
		{name: "doctor", usage: "[FLAGS]", short: "show what a report of a bug needs, and try whether all works here",
			flags: doctorFlags(), run: (*cli).doctor,
			example: "runnel doctor\n" +
				"runnel doctor --json > report.json"},
		{name: "completions", usage: "bash|zsh|fish|powershell", short: "write the script that has a shell complete commands, flags and files",
			run: (*cli).completions,
			example: "runnel completions bash > ~/.local/share/bash-completion/completions/runnel\n" +
				"runnel completions zsh > ~/.zsh/_runnel   # a folder of $fpath\n" +
				"runnel completions fish > ~/.config/fish/completions/runnel.fish\n" +
				"runnel completions powershell >> $PROFILE"},
		{name: "version", short: "show the version", run: (*cli).version,
			example: "runnel version"},
		{name: "help", usage: "[COMMAND]", short: "show what a command does, and its flags",
			run:     (*cli).help,
			example: "runnel help test   # also: runnel test --help"},
	}
}

// findCommand gives nil when there is no command of this name.
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

// noCommand tells that an argument is no command, or neither that nor a file.
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
