package main

import (
	"bufio"
	"fmt"
	"runtime/debug"
	"strings"
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
	w := helpWriter{bufio.NewWriter(c.stdout), textWidth(c.stdout)}
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

// helpWriter writes help that fits the terminal.
type helpWriter struct {
	*bufio.Writer
	width int
}

// paragraph writes text, broken into lines.
func (w helpWriter) paragraph(text string) {
	fmt.Fprintf(w, "%s\n", strings.Join(wrapped(text, w.width), "\n"))
}

func helpCommands(w helpWriter) {
	w.paragraph("Runnel, a small statically typed language for concurrent programs.")
	rows := [][2]string{{"runnel FILE [ARGS]", "run a script; short for runnel run FILE [ARGS]"}}
	for _, cmd := range commands() {
		rows = append(rows, [2]string{cmd.line(), cmd.short})
	}
	fmt.Fprintln(w)
	columns(w, w.width, rows)
	fmt.Fprintln(w)
	w.paragraph("`runnel help COMMAND` shows a command's flags and an example. FILE can be `-` for standard input.")
	fmt.Fprintln(w)
	w.paragraph("Exit codes: 0 success, 1 an uncaught error or a failed test, 2 an error in the program or the command line, " +
		"130 interrupted. The first Ctrl-C cancels all tasks and runs their deferred statements; a second one ends the process at once.")
}

// line is a command with its arguments.
func (cmd *command) line() string { return strings.TrimSpace("runnel " + cmd.name + " " + cmd.usage) }

func helpCommand(w helpWriter, cmd *command) {
	fmt.Fprintf(w, "%s\n\n", cmd.line())
	w.paragraph(strings.ToUpper(cmd.short[:1]) + cmd.short[1:] + ".")
	if len(cmd.flags) > 0 {
		fmt.Fprintln(w)
		var rows [][2]string
		for _, f := range cmd.flags {
			rows = append(rows, [2]string{strings.TrimSpace(strings.ReplaceAll(f.names, " ", ", ") + " " + f.arg), f.help})
		}
		columns(w, w.width, rows)
	}
	if cmd.script {
		fmt.Fprint(w, "\nArguments after the script are passed to it.\n")
	}
	fmt.Fprintf(w, "\nFor example:\n\n  %s\n", strings.ReplaceAll(cmd.example, "\n", "\n  "))
}
