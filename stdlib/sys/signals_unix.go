//go:build unix

package sys

import (
	"os"
	"syscall"
)

// known are the signals by the names that scripts call them.
var known = map[string]os.Signal{
	"int": syscall.SIGINT, "term": syscall.SIGTERM, "hup": syscall.SIGHUP, "quit": syscall.SIGQUIT,
	"usr1": syscall.SIGUSR1, "usr2": syscall.SIGUSR2, "winch": syscall.SIGWINCH,
}
