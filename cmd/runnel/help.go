package main

import (
	"bufio"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"text/tabwriter"
)

// version of the language and its tools.
const version = "0.1.0"

func (c *cli) version(_ []string) int {
	text := "runnel " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				text += " (" + s.Value[:min(12, len(s.Value))] + ")"
			}
		}
		text += " " + info.GoVersion
	}
	fmt.Fprintln(c.stdout, text)
	return exitOK
}

// help lists the commands, or shows what one of them takes.
func (c *cli) help(args []string) int {
	w := bufio.NewWriter(c.stdout)
	defer w.Flush()
	if len(args) == 0 {
		helpCommands(w)
		return exitOK
	}
	cmd := findCommand(args[0])
	if cmd == nil {
		return c.noCommand(args[0], "command")
	}
	helpCommand(w, cmd)
	return exitOK
}

func helpCommands(w io.Writer) {
	fmt.Fprint(w, "Runnel, a small statically typed language for concurrent programs.\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  runnel FILE [ARGS]\trun a script: the same as runnel run FILE [ARGS]\n")
	for _, cmd := range commands() {
		fmt.Fprintf(t, "  %s\t%s\n", cmd.line(), cmd.short)
	}
	t.Flush()
	fmt.Fprint(w, "\n`runnel help COMMAND` shows the flags of a command and an example. FILE may be `-`, standard input.\n"+
		"\nExit codes: 0 success, 1 an uncaught error or a failed test, 2 a program or command line that is wrong,\n"+
		"130 interrupted: the first Ctrl-C cancels all tasks and lets deferred statements run, the second one ends at once.\n")
}

// line is a command with its arguments.
func (cmd *command) line() string { return strings.TrimSpace("runnel " + cmd.name + " " + cmd.usage) }

func helpCommand(w io.Writer, cmd *command) {
	fmt.Fprintf(w, "%s\n\n%s%s.\n", cmd.line(), strings.ToUpper(cmd.short[:1]), cmd.short[1:])
	if len(cmd.flags) > 0 {
		fmt.Fprint(w, "\n")
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, f := range cmd.flags {
			fmt.Fprintf(t, "  %s\t%s\n", strings.TrimSpace(strings.ReplaceAll(f.names, " ", ", ")+" "+f.arg), f.help)
		}
		t.Flush()
	}
	if cmd.script {
		fmt.Fprint(w, "\nWhat follows the script belongs to it.\n")
	}
	fmt.Fprintf(w, "\nFor example:\n\n  %s\n", strings.ReplaceAll(cmd.example, "\n", "\n  "))
}
