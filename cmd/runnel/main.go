// Command runnel runs, checks, tests and compiles Runnel programs.
//
//	runnel FILE [ARGS]     runs a script; `runnel help` lists the rest
//	runnel                 holds a session at the terminal
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
)

// Exit codes.
const (
	exitOK          = 0
	exitScript      = 1   // the script threw an error, a test failed
	exitUsage       = 2   // a wrong command line, or a program that does not compile
	exitInterrupted = 130 // by the user; as shells have it
	exitTerminated  = 143 // by a SIGTERM
)

func main() {
	// Scripts allocate much and live shortly: collecting less often is worth
	// the memory. The limit makes it frequent again when memory runs short.
	debug.SetGCPercent(400)
	os.Exit(newCLI().main(os.Args[1:]))
}

func (c *cli) main(args []string) int {
	if len(args) == 0 {
		switch {
		case !isTerminal(os.Stdin):
			return c.start("run", []string{"-"})
		case !isTerminal(c.stdout):
			return c.start("help", nil)
		}
		return c.start("repl", nil)
	}
	switch args[0] {
	case "-h", "--help":
		return c.start("help", args[1:])
	case "--version":
		return c.start("version", nil)
	case "-e":
		return c.start("eval", args)
	}
	switch {
	case findCommand(args[0]) != nil:
		return c.start(args[0], args[1:])
	case looksLikeFile(args[0]):
		return c.start("run", args)
	}
	return c.noCommand(args[0], "command or file")
}

// looksLikeFile tells a script from a mistyped command.
func looksLikeFile(arg string) bool {
	if strings.HasPrefix(arg, "-") || strings.ContainsAny(arg, "./\\") {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}
