//go:build unix

package lineedit

import (
	"os"
	"os/signal"
	"syscall"
)

func (t *tty) Suspend() {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	if syscall.Kill(syscall.Getpid(), syscall.SIGTSTP) == nil {
		<-resumed
	}
}
