package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// test runs the test blocks of scripts, each on an instance of its own, after
// the script's top-level statements. What a test prints is shown when it fails.
func (c *cli) test(args []string) int {
	flags := append(limitFlags(), flag{"-v --verbose", "", "name the tests that pass", func(c *cli, _ string) error {
		c.verbose = true
		return nil
	}})
	files, err := c.parse(args, flags, true)
	if err != nil {
		return c.usage(err.Error())
	}
	if len(files) == 0 {
		return c.usage("test needs a file")
	}
	start := time.Now()
	passed, failed, exit := 0, 0, exitOK
	for _, path := range files {
		name, text, err := readFile(path)
		if err != nil {
			exit = c.problem(err)
			continue
		}
		var out bytes.Buffer
		host := vm.SystemHost(nil)
		stdout := vm.NewUnbufferedOutput(&out)
		host.Stdout = stdout
		p, code := c.load(name, text, c.runtime(host, runnel.WithTests()))
		if p == nil {
			exit = code
			continue
		}
		if c.warn {
			c.diagnostics(p.Files, p.Warnings)
		}
		for i := range p.Code.Tests {
			out.Reset()
			if c.runTest(p, i, name, &out) {
				passed++
			} else {
				failed++
			}
		}
	}
	fmt.Fprintf(c.stdout, "%s passed, %d failed (%s)\n", plural(passed, "test"), failed, time.Since(start).Round(time.Millisecond))
	if failed > 0 && exit == exitOK {
		exit = exitScript
	}
	return exit
}

func (c *cli) runTest(p *runnel.Program, i int, file string, out *bytes.Buffer) bool {
	name := p.Code.Tests[i].Name
	err := c.limited(func(ctx context.Context) error {
		in := p.Start()
		if err := in.Run(ctx); err != nil {
			return err
		}
		out.Reset()
		return in.RunTest(ctx, i)
	})
	if err == nil {
		if c.verbose {
			fmt.Fprintf(c.stdout, "ok    %s: %s\n", file, name)
		}
		return true
	}
	fmt.Fprintf(c.stdout, "FAIL  %s: %s\n", file, name)
	c.scriptError(p, err)
	if out.Len() > 0 {
		fmt.Fprintln(os.Stderr, "it printed:")
		os.Stderr.Write(out.Bytes())
	}
	return false
}
