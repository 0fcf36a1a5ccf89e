//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fs

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// lock takes an open file, which the system frees when it is closed or its
// process ends; false when another opening of the file has it.
func lock(conn syscall.RawConn) (bool, error) {
	var err error
	control := conn.Control(func(fd uintptr) {
		for err = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB); err == unix.EINTR; {
			err = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB)
		}
	})
	if err == unix.EWOULDBLOCK {
		return false, control
	}
	return err == nil, errors.Join(control, err)
}
