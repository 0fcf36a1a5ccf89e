package main

import (
	"os"
	"strings"

	"github.com/runnel-lang/runnel/internal/bindgen"
)

// bindgenFlags fill in the options.
func bindgenFlags(opts *bindgen.Options) []flag {
	patterns := func(to *[]string) func(*cli, string) error {
		return func(_ *cli, v string) error {
			*to = append(*to, strings.Split(v, ",")...)
			return nil
		}
	}
	text := func(to *string) func(*cli, string) error {
		return func(_ *cli, v string) error {
			*to = v
			return nil
		}
	}
	return []flag{
		{"-o --output", "OUT", "the Go file to write (default: standard output)", func(c *cli, v string) error {
			c.output = v
			return nil
		}},
		{"--name", "NAME", "name of the module (default: the package's)", text(&opts.Name)},
		{"--package", "NAME", "Go package of the written file (default: the module's name)", text(&opts.Package)},
		{"--only", "NAMES", "what is offered, by Go names with *, separated by commas: Index*,Builder,Reader.Read*", patterns(&opts.Only)},
		{"--skip", "NAMES", "what is not", patterns(&opts.Skip)},
	}
}

// bindgen writes the Go source that offers a Go package to scripts.
func (c *cli) bindgen(args []string) int {
	var opts bindgen.Options
	packages, err := c.parse(args, bindgenFlags(&opts), true)
	if err != nil {
		return c.usage(err.Error())
	}
	if len(packages) != 1 {
		return c.usage("bindgen needs one Go package, by its import path or as ./folder")
	}
	source, err := bindgen.Generate(packages[0], opts)
	if err != nil {
		return c.problem(err)
	}
	if c.output == "" {
		_, err = c.stdout.Write(source)
	} else {
		err = os.WriteFile(c.output, source, 0o644)
	}
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}
