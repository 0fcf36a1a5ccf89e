package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

// Each test block of it is a check.
//
//go:embed doctor.rnl
var doctorScript string

// doctorCheck is something that was tried.
type doctorCheck struct {
	Name   string `json:"name"`
	Micros int64  `json:"microseconds"`
	Error  string `json:"error,omitempty"`
	Mend   string `json:"mend,omitempty"`
}

// doctorPatience is how long a check may take.
const doctorPatience = 10 * time.Second

// mends tell what to do about a check that fails on the machine's side; any
// other failure is a defect.
func mends(check string) string {
	switch check {
	case "files":
		return "Scripts cannot write temporary files. Make " + os.TempDir() + " writable, or set TMPDIR to a folder that is."
	case "sockets":
		return "Programs on this machine cannot connect to each other: allow connections to 127.0.0.1 in its firewall or sandbox. Scripts that use net or http need them."
	}
	return "This is a bug in Runnel: please report it, with the whole output of `runnel doctor`."
}

// doctorChecks compile a script, write and read it as a compiled program, and
// run its blocks.
func (c *cli) doctorChecks() (checks []doctorCheck) {
	try := func(name string, f func() error) bool {
		begin := time.Now()
		err := f()
		check := doctorCheck{Name: name, Micros: time.Since(begin).Microseconds()}
		if err != nil {
			check.Error, check.Mend = oneLine(err), mends(name)
		}
		checks = append(checks, check)
		return err == nil
	}
	host := all.Host(nil)
	host.Stdout = runnel.Output(c.stderr)
	rt := c.runtime(host, runnel.WithTests())
	defer rt.Close()
	var prog *runnel.Program
	ok := try("compile", func() (err error) {
		prog, err = rt.Compile("doctor.rnl", doctorScript)
		return err
	})
	ok = ok && try("write and verify", func() (err error) {
		prog, err = rt.Decode(prog.Encode())
		return err
	})
	if !ok {
		return checks
	}
	for i, test := range prog.Code.Tests {
		try(test.Name, func() error { return doctorRun(prog, i) })
	}
	return checks
}

// doctorRun runs a block on an instance of its own.
func doctorRun(prog *runnel.Program, test int) error {
	ctx, cancel := context.WithTimeout(context.Background(), doctorPatience)
	defer cancel()
	in := prog.NewInstance()
	defer in.Close()
	err := in.Run(ctx)
	if err == nil {
		err = in.RunTest(ctx, test)
	}
	if unhandled := in.Unhandled(); err == nil && len(unhandled) > 0 {
		err = unhandled[0]
	}
	if ctx.Err() != nil {
		return fmt.Errorf("not finished within %s", doctorPatience)
	}
	return err
}

// oneLine is what went wrong, without where in the script of the doctor.
func oneLine(err error) string {
	var e *vm.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
