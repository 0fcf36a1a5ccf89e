package main

import (
	"fmt"

	"github.com/runnel-lang/runnel/internal/whole"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/printer"
)

func fmtFlags() []flag {
	return []flag{
		{"--check", "", "list the files that are not formatted and change nothing; exit with 1 if there are any", func(c *cli, _ string) error {
			c.list = true
			return nil
		}},
		{"--diff", "", "show what would change; change nothing", func(c *cli, _ string) error { c.diff = true; return nil }},
		colorFlag,
	}
}

// format brings scripts into the style of the language: files in place, all
// scripts in folders, and what comes from standard input to standard output.
// Those with syntax errors are left alone.
func (c *cli) format(args []string) int {
	if len(args) == 0 {
		args = []string{"."}
	}
	exit := exitOK
	paths, err := findScripts(args, nil)
	if err != nil {
		exit = c.problem(err)
	}
	for _, path := range paths {
		exit = max(exit, c.formatFile(path))
	}
	return exit
}

func (c *cli) formatFile(path string) int {
	name, old, err := readFile(path)
	if err != nil {
		return c.problem(err)
	}
	var set diag.FileSet
	file := set.Add(name, old)
	if file == nil {
		return c.problem(fmt.Errorf("%s is too large", name))
	}
	text, diags := printer.Format(file)
	if diags != nil {
		c.diagnostics(&set, diags)
		return exitUsage
	}
	changed := text != old
	if changed && c.diff {
		fmt.Fprint(c.stdout, unified(name, old, text))
	}
	switch {
	case c.list && changed:
		fmt.Fprintln(c.stdout, name)
		return exitScript
	case c.list, c.diff:
	case path == "-":
		fmt.Fprint(c.stdout, text)
	case changed:
		if err := whole.Write(path, []byte(text)); err != nil {
			return c.problem(err)
		}
	}
	return exitOK
}
