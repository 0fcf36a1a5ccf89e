package main

import (
	"bufio"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/runnel-lang/runnel/internal/bindgen"
	"github.com/runnel-lang/runnel/lang/diag"
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

func (c *cli) help(_ []string) int {
	w := bufio.NewWriter(c.stdout)
	defer w.Flush()
	fmt.Fprint(w, "Runnel, a small statically typed language for concurrent programs.\n\n")
	fmt.Fprint(w, "  runnel FILE [ARGS]\n")
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-36s %s\n", strings.TrimSpace("runnel "+cmd.name+" "+cmd.usage), cmd.short)
	}
	fmt.Fprint(w, "\nFILE may be `-`, standard input. Flags stand before FILE; what follows it belongs to the script:\n\n")
	helpFlags(w, commonFlags())
	fmt.Fprint(w, "\nOf run and eval:\n\n")
	helpFlags(w, watchFlags())
	fmt.Fprint(w, "\nOf test:\n\n")
	helpFlags(w, testFlags())
	fmt.Fprint(w, "\nOf bindgen:\n\n")
	helpFlags(w, bindgenFlags(&bindgen.Options{}))
	fmt.Fprint(w, "\nOf doc:\n\n")
	helpFlags(w, docFlags(new(string), new(string)))
	fmt.Fprint(w, "\nExit codes: 0 success, 1 an uncaught error or a failed test, 2 a program or command line that is wrong,\n"+
		"130 interrupted: the first Ctrl-C cancels all tasks and lets deferred statements run, the second one ends at once.\n")
	return exitOK
}

func helpFlags(w io.Writer, flags []flag) {
	for _, f := range flags {
		fmt.Fprintf(w, "  %-22s %s\n", strings.ReplaceAll(f.names, " ", ", ")+" "+f.arg, f.help)
	}
}

// explain shows what a diagnostic's code means; without one it lists them all.
func (c *cli) explain(args []string) int {
	w := bufio.NewWriter(c.stdout)
	defer w.Flush()
	if len(args) == 0 {
		for _, info := range diag.Codes() {
			fmt.Fprintf(w, "%s  %s\n", info.Code, info.Title)
		}
		return exitOK
	}
	info, ok := diag.Explain(diag.Code(strings.ToUpper(args[0])))
	if !ok {
		return c.usage("there is no code `" + args[0] + "`: `runnel explain` lists them")
	}
	fmt.Fprintf(w, "%s: %s\n\n%s\n", info.Code, info.Title, info.Explain)
	if info.Example != "" {
		fmt.Fprint(w, "\nThis gives it:\n\n")
		for _, line := range strings.Split(strings.TrimRight(info.Example, "\n"), "\n") {
			fmt.Fprintln(w, strings.TrimRight("    "+line, " "))
		}
	}
	return exitOK
}
