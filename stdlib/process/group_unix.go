//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// signals by the names that scripts call them.
var signals = map[string]os.Signal{
	"int": syscall.SIGINT, "term": syscall.SIGTERM, "kill": syscall.SIGKILL, "hup": syscall.SIGHUP, "quit": syscall.SIGQUIT,
	"usr1": syscall.SIGUSR1, "usr2": syscall.SIGUSR2, "stop": syscall.SIGSTOP, "cont": syscall.SIGCONT,
}

// grouped puts a command in a group of its own, with what it starts.
func grouped(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// killGroup ends a process and what it has started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// exitCode is that of a shell for a process that a signal has ended: 128 and its number.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
