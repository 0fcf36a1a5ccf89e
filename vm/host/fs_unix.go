//go:build unix

package host

import "syscall"

// noWait has files opened without waiting: a named pipe whose other end nobody has
// opened, or a device, would keep a thread for as long.
const noWait = syscall.O_NONBLOCK
