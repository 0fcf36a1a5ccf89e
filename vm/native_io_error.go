package vm

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/runnel-lang/runnel/vm/host"
)

// IOKind is the kind of failure of an IoError: the enum IoKind of the prelude.
type IOKind uint8

const (
	IOOther IOKind = iota
	IONotFound
	IOExists
	IOPermission
	IONotGranted
	IOTimedOut
	IOClosed
	IORefused
	IOInvalid
)

// ErrResourceClosed is the cause of errors about closed resources.
var ErrResourceClosed = errors.New("it is closed")

// IOError is a Go error with the kind that a module assigns to it.
type IOError struct {
	Kind IOKind
	Err  error
}

func (e *IOError) Error() string { return e.Err.Error() }
func (e *IOError) Unwrap() error { return e.Err }

// ThrowIO raises an IoError: what failed, and the cause without the operation
// and path that Go's file errors repeat.
func (c *Call) ThrowIO(what string, err error) {
	panic(&thrown{kind: ErrIO, io: ioKind(err), text: message("%s: %v", []any{what, ioCause(err)}), cause: err})
}

// ThrowIOKind raises an IoError of a kind that no Go error implies.
func (c *Call) ThrowIOKind(kind IOKind, format string, args ...any) {
	panic(&thrown{kind: ErrIO, io: kind, text: message(format, args)})
}

func ioKind(err error) IOKind {
	var timeout interface{ Timeout() bool }
	var known *IOError
	switch {
	case errors.As(err, &known):
		return known.Kind
	case errors.Is(err, host.ErrNotGranted):
		return IONotGranted
	case errors.Is(err, fs.ErrNotExist):
		return IONotFound
	case errors.Is(err, fs.ErrExist):
		return IOExists
	case errors.Is(err, fs.ErrPermission):
		return IOPermission
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return IOTimedOut
	case errors.Is(err, ErrResourceClosed), errors.Is(err, fs.ErrClosed), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET):
		return IOClosed
	case errors.Is(err, syscall.ECONNREFUSED):
		return IORefused
	case errors.Is(err, fs.ErrInvalid):
		return IOInvalid
	}
	return IOOther
}

func ioCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
