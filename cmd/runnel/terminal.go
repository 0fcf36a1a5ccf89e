package main

import (
	"io"
	"os"
	"strings"

	"github.com/chzyer/readline"

	"github.com/runnel-lang/runnel/lang/diag"
)

// isTerminal reports whether a stream is connected to a terminal, and not to a
// file or pipe.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && readline.IsTerminal(int(f.Fd()))
}

// terminalWidth is how many cells a line of the terminal has, 0 when the stream
// is none or does not tell.
func terminalWidth(stream any) int {
	if s, ok := stream.(interface{ Size() (width, height int) }); ok { // that of a session
		width, _ := s.Size()
		return width
	}
	if !isTerminal(stream) {
		return 0
	}
	width, _, err := readline.GetSize(int(stream.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}

// colored reports whether to color what goes to a stream: as --color says, else
// as is usual: https://no-color.org, https://force-color.org.
func (c *cli) colored(stream io.Writer) bool {
	switch c.color {
	case "always":
		return true
	case "never":
		return false
	}
	return colorWanted(os.Getenv, isTerminal(stream))
}

func colorWanted(env func(string) string, terminal bool) bool {
	forced := func(name string) bool { return env(name) != "" && env(name) != "0" }
	switch {
	case env("NO_COLOR") != "":
		return false
	case forced("CLICOLOR_FORCE"), forced("FORCE_COLOR"):
		return true
	}
	return terminal && env("TERM") != "dumb"
}

// Styles of what the command writes itself; those of diagnostics are diag's.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	green  = "\x1b[1;32m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
)

// paint gives a text for stderr a style, if that is colored.
func (c *cli) paint(style, text string) string { return painted(c.colored(c.stderr), style, text) }

func painted(on bool, style, text string) string {
	if !on {
		return text
	}
	return style + text + "\x1b[0m"
}

// safe is a text without what could command a terminal.
func safe(text string) string { return strings.Join(diag.PrintableLines(text), "\n") }
