package fs

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// lock takes an open file, which the system frees when it is closed or its
// process ends; false when another opening of the file has it.
func lock(conn syscall.RawConn) (bool, error) {
	var err error
	control := conn.Control(func(fd uintptr) {
		const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
		err = windows.LockFileEx(windows.Handle(fd), flags, 0, 1, 0, new(windows.Overlapped))
	})
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, control
	}
	return err == nil, errors.Join(control, err)
}

// unlock has nothing to do: closing a file frees it.
func unlock(syscall.RawConn) {}
