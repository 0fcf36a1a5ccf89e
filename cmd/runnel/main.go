// Command runnel runs, checks, tests and compiles Runnel programs.
//
//	runnel FILE [ARGS]     runs a script; `runnel help` lists the rest
//
// It is a thin shell around package runnel: it reads files, grants the script
// what the process may do, and shows errors.
//
//	main → command (run, check, test, build, ...) → package runnel
//	                 └─> report: diagnostics and uncaught errors on stderr
package main

import (
	"os"
	"runtime/debug"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Exit codes.
const (
	exitOK          = 0
	exitScript      = 1   // the script threw an error, a test failed
	exitUsage       = 2   // a wrong command line, or a program that does not compile
	exitInterrupted = 130 // by the user; as shells have it
)

// command is one of the words that may follow runnel.
type command struct {
	name  string
	usage string // its arguments
	short string
	run   func(*cli, []string) int
}

// commands in the order in which help lists them.
func commands() []command {
	return []command{
		{"run", "[FLAGS] FILE [ARGS]", "run a script (.rnl) or a compiled program (.rnlc)", (*cli).run},
		{"eval", "[FLAGS] CODE [ARGS]", "run a script given as text (also -e CODE)", (*cli).eval},
		{"check", "[--json] FILE...", "report errors and warnings without running", (*cli).check},
		{"test", "[FLAGS] [-v] FILE...", "run the test blocks of scripts", (*cli).test},
		{"build", "FILE -o OUT.rnlc", "compile a script to a file", (*cli).build},
		{"bindgen", "[FLAGS] PACKAGE", "write Go source that offers a Go package to scripts", (*cli).bindgen},
		{"doc", "[FLAGS] [FILE...] [NAME]", "show what a name means (list.map, http), or document modules", (*cli).doc},
		{"dis", "FILE", "show the bytecode of a script or of a compiled program", (*cli).dis},
		{"explain", "[CODE]", "explain the code of an error, such as E0301", (*cli).explain},
		{"version", "", "show the version", (*cli).version},
		{"help", "", "show this help", (*cli).help},
	}
}

func main() {
	// Scripts allocate much and live shortly: collecting less often is worth
	// the memory. The limit makes it frequent again when memory runs short.
	debug.SetGCPercent(400)
	os.Exit(newCLI().main(os.Args[1:]))
}

func (c *cli) main(args []string) int {
	if len(args) == 0 {
		if isTerminal(os.Stdin) {
			return c.help(nil)
		}
		return c.run([]string{"-"})
	}
	switch args[0] {
	case "-h", "--help":
		return c.help(nil)
	case "--version":
		return c.version(nil)
	case "-e":
		return c.eval(args)
	}
	for _, cmd := range commands() {
		if cmd.name == args[0] {
			return cmd.run(c, args[1:])
		}
	}
	if looksLikeFile(args[0]) {
		return c.run(args)
	}
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	msg := "there is no command or file `" + args[0] + "`"
	if near := diag.Suggest(args[0], names); near != "" {
		msg += ": did you mean `" + near + "`?"
	}
	return c.usage(msg)
}

// looksLikeFile tells a script from a mistyped command.
func looksLikeFile(arg string) bool {
	if strings.HasPrefix(arg, "-") || strings.ContainsAny(arg, "./\\") {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// isTerminal reports whether a stream is connected to a terminal, and not to a
// file or pipe.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
