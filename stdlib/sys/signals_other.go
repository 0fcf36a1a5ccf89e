//go:build !unix

package sys

import (
	"os"
	"syscall"
)

// known are the signals by the names that scripts call them.
var known = map[string]os.Signal{"int": os.Interrupt, "term": syscall.SIGTERM}
