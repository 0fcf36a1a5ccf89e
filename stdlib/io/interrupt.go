package io

import (
	"context"
	"time"
)

// Interruptible has reads and writes of a stream end when the context does,
// where the stream can do that: a pipe or a connection, not a file on disk. The
// function it gives makes the stream as it was.
func Interruptible(ctx context.Context, stream any) (undo func()) {
	s, ok := stream.(interface{ SetDeadline(time.Time) error })
	if !ok {
		return func() {}
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		s.SetDeadline(time.Unix(1, 0))
	})
	return func() {
		if !stop() {
			<-done
			s.SetDeadline(time.Time{})
		}
	}
}
