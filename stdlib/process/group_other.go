//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// signals by the names that scripts call them.
var signals = map[string]os.Signal{"kill": os.Kill, "int": os.Interrupt}

// grouped does nothing: only processes themselves are ended here.
func grouped(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
