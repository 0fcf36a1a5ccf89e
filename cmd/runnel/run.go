package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// run runs a script or a compiled program; what follows the file are the
// script's own arguments.
func (c *cli) run(args []string) int {
	args, err := c.parse(args, limitFlags(), false)
	if err != nil {
		return c.usage(err.Error())
	}
	if len(args) == 0 {
		return c.usage("run needs a file (`-` is standard input)")
	}
	name, data, err := readFile(args[0])
	if err != nil {
		return c.problem(err)
	}
	return c.runText(name, data, args[1:])
}

// eval runs a script given on the command line.
func (c *cli) eval(args []string) int {
	flags := append(limitFlags(), flag{"-e", "CODE", "the script", func(c *cli, v string) error {
		c.code, c.hasCode = v, true
		return nil
	}})
	args, err := c.parse(args, flags, false)
	if err != nil {
		return c.usage(err.Error())
	}
	if !c.hasCode {
		if len(args) == 0 {
			return c.usage("eval needs the text of a script")
		}
		c.code, args = args[0], args[1:]
	}
	return c.runText("<eval>", c.code, args)
}

func (c *cli) runText(name, text string, args []string) int {
	host := vm.SystemHost(args)
	p, code := c.load(name, text, c.runtime(host))
	if p == nil {
		return code
	}
	if c.warn {
		c.diagnostics(p.Files, p.Warnings)
	}
	err := c.limited(p.Start().Run)
	if out, ok := host.Stdout.(*vm.Output); ok {
		out.Flush()
	}
	if err != nil {
		return c.scriptError(p, err)
	}
	return exitOK
}

// runtime makes a Runtime that grants the script what the process may do.
func (c *cli) runtime(host vm.Host, opts ...runnel.Option) *runnel.Runtime {
	if c.limits.Memory == 0 {
		total := machineMemory()
		c.limits.Memory = total / 2
	}
	// The collector works harder when garbage is about to exceed what scripts
	// may keep alive.
	debug.SetMemoryLimit(c.limits.Memory / 2 * 3)
	return runnel.New(append([]runnel.Option{
		runnel.WithHost(host), runnel.WithLimits(c.limits), runnel.WithSources(runnel.OSSources()),
	}, opts...)...)
}

// load compiles a script, or decodes and verifies a compiled program. Without
// a program it gives the exit code, with the reason reported.
func (c *cli) load(name, text string, rt *runnel.Runtime) (*runnel.Program, int) {
	if data := []byte(text); runnel.IsCompiled(data) {
		p, err := rt.Decode(data)
		if err != nil {
			return nil, c.problem(errors.New(name + ": " + err.Error()))
		}
		return p, exitOK
	}
	p, err := rt.Compile(name, text)
	if err != nil {
		return nil, c.compileError(err)
	}
	return p, exitOK
}

// limited runs f until it ends, its time is over or the user interrupts it: the
// first interrupt stops the script, whose deferred statements still run; the
// second one ends the process.
func (c *cli) limited(f func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	return f(ctx)
}

// readFile reads a script; `-` is standard input.
func readFile(path string) (name, text string, err error) {
	if path == "-" {
		data, err := io.ReadAll(os.Stdin)
		return "<stdin>", string(data), err
	}
	data, err := os.ReadFile(path)
	return path, string(data), err
}
