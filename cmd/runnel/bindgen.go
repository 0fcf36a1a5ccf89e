package main

import (
	"strings"

	"github.com/runnel-lang/runnel/internal/bindgen"
	"github.com/runnel-lang/runnel/internal/whole"
)

func bindgenFlags() []flag {
	patterns := func(to *[]string, v string) error {
		*to = append(*to, strings.Split(v, ",")...)
		return nil
	}
	text := func(to *string, v string) error {
		*to = v
		return nil
	}
	return []flag{
		{"-o --output", "OUT", "write to this Go file (default: standard output)", func(c *cli, v string) error { return text(&c.output, v) }},
		{"--name", "NAME", "name of the module (default: the package's)", func(c *cli, v string) error { return text(&c.bind.Name, v) }},
		{"--package", "NAME", "Go package of the generated file (default: the module's name)", func(c *cli, v string) error {
			return text(&c.bind.Package, v)
		}},
		{"--only", "NAMES", "Go names to include, separated by commas, with * as a wildcard: Index*,Builder,Reader.Read*", func(c *cli, v string) error {
			return patterns(&c.bind.Only, v)
		}},
		{"--skip", "NAMES", "Go names to leave out", func(c *cli, v string) error { return patterns(&c.bind.Skip, v) }},
	}
}

// bindgen writes the Go source that offers a Go package to scripts.
func (c *cli) bindgen(packages []string) int {
	if len(packages) != 1 {
		return c.usage("bindgen needs one Go package: an import path or ./folder")
	}
	source, err := bindgen.Generate(packages[0], c.bind)
	if err != nil {
		return c.problem(err)
	}
	if c.output == "" {
		_, err = c.stdout.Write(source)
	} else {
		err = whole.Write(c.output, source)
	}
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}
