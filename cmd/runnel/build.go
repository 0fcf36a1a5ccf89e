package main

import (
	"github.com/runnel-lang/runnel/internal/whole"
	"github.com/runnel-lang/runnel/vm/host"
)

func buildFlags() []flag {
	return []flag{{"-o --output", "OUT", "the file to write", func(c *cli, v string) error {
		c.output = v
		return nil
	}}, colorFlag}
}

// build compiles a script to a file that runs without its source.
func (c *cli) build(files []string) int {
	if len(files) != 1 || c.output == "" {
		return c.usage("build needs a file and the name of the output: build FILE -o OUT.rnlc")
	}
	name, text, err := readFile(files[0])
	if err != nil {
		return c.problem(err)
	}
	p, code := c.load(name, text, c.runtime(host.Host{}))
	if p == nil {
		return code
	}
	if err := whole.Write(c.output, p.Encode()); err != nil {
		return c.problem(err)
	}
	return exitOK
}
