package io

import (
	"context"
	"time"

	"github.com/runnel-lang/runnel/vm/host"
)

// InterruptRead has reads of a stream end when the context does, where the
// stream can do that: a pipe or a connection, not a file on disk. What others
// write goes on. The function it gives makes the stream as it was.
func InterruptRead(ctx context.Context, stream any) (undo func()) {
	if s, ok := stream.(interface{ SetReadDeadline(time.Time) error }); ok {
		return Interrupt(ctx, s.SetReadDeadline)
	}
	return func() {}
}

// InterruptWrite is InterruptRead for writes.
func InterruptWrite(ctx context.Context, stream any) (undo func()) {
	if s, ok := stream.(interface{ SetWriteDeadline(time.Time) error }); ok {
		return Interrupt(ctx, s.SetWriteDeadline)
	}
	return func() {}
}

// Interrupt has the wait end, when the context does, whose deadline a function sets.
func Interrupt(ctx context.Context, setDeadline func(time.Time) error) (undo func()) {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		host.Guarded(func() error { return setDeadline(time.Unix(1, 0)) })
	})
	return func() {
		if !stop() {
			<-done
			setDeadline(time.Time{})
		}
	}
}

// Parks reports whether reads of a stream hold no thread while they wait: those
// that have deadlines do not.
func Parks(stream any) bool {
	s, ok := stream.(interface{ SetReadDeadline(time.Time) error })
	return ok && s.SetReadDeadline(time.Time{}) == nil
}
