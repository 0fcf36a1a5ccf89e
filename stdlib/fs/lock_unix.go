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

// unlock frees a file that is about to be closed. To close it is not enough: a child process
// that is being started has it open too, for a moment.
func unlock(conn syscall.RawConn) {
	conn.Control(func(fd uintptr) { unix.Flock(int(fd), unix.LOCK_UN) })
}
