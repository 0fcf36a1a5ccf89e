//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package fs

import (
	"errors"
	"syscall"
)

// lock cannot be had here.
func lock(syscall.RawConn) (bool, error) { return false, errors.ErrUnsupported }

// unlock has nothing to do: closing a file frees it.
func unlock(syscall.RawConn) {}
