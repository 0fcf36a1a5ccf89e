package net

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

// inbox takes what comes one by one, connections or packets, for tasks to fetch.
// What came for a task that was cancelled meanwhile is there for the next one.
type inbox[T any] struct {
	receive     func() (T, error)
	setDeadline func(time.Time) error // ends a receive that waits
	discard     func(T)
	turn        chan struct{} // has room for one: who has put something in receives

	mu     sync.Mutex
	came   []T
	closed bool
}

func newInbox[T any](receive func() (T, error), setDeadline func(time.Time) error, discard func(T)) *inbox[T] {
	return &inbox[T]{receive: receive, setDeadline: setDeadline, discard: discard, turn: make(chan struct{}, 1)}
}

// fill waits until something has come.
func (b *inbox[T]) fill(ctx context.Context) error {
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-b.turn }()
	if b.has() {
		return nil
	}
	undo := textio.Interrupt(ctx, b.setDeadline)
	defer undo()
	for {
		item, err := vm.Opening(b.receive)
		switch {
		case err == nil:
			b.put(item)
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !passes(err):
			return cause(err)
		}
		select {
		case <-time.After(retryAccept):
		case <-ctx.Done():
		}
	}
}

// retryAccept is how long to wait when a connection cannot be accepted now.
const retryAccept = 20 * time.Millisecond

// passes tells of errors that are not the listener's: connections that are gone
// again, and too many open files, which others close.
func passes(err error) bool {
	return errors.Is(err, syscall.ECONNABORTED) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) ||
		errors.Is(err, syscall.ENOBUFS)
}

func (b *inbox[T]) has() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.came) > 0
}

func (b *inbox[T]) put(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		b.discard(item)
		return
	}
	b.came = append(b.came, item)
}

func (b *inbox[T]) take() (item T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.came) == 0 {
		return item, false
	}
	item, b.came = b.came[0], b.came[1:]
	return item, true
}

func (b *inbox[T]) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, item := range b.came {
		b.discard(item)
	}
	b.came = nil
}

// fetch gives set the next item. When the resource that the first argument is
// has been closed, it sets none where that may be, and throws else.
func (b *inbox[T]) fetch(c *vm.Call, verb string, charge int, orNone bool, set func(*vm.Call, T)) {
	if item, ok := b.take(); ok {
		done := false
		defer func() {
			if !done {
				b.discard(item)
			}
		}()
		set(c, item)
		done = true
		return
	}
	r := vm.ResourceOf(c, 0)
	what := verb + " the " + r.Name
	if r.Closed() {
		b.resourceClosed(c, r, orNone)
		return
	}
	c.Await(vm.Blocking{
		Name:   what,
		Charge: charge,
		Parks:  true,
		Work:   func(ctx context.Context) (any, error) { return nil, b.fill(ctx) },
		Finish: func(c *vm.Call, _ any, err error) {
			switch {
			case err == nil:
				c.Again()
			case r.Closed():
				b.resourceClosed(c, r, orNone)
			default:
				c.ThrowIO("cannot "+what, err)
			}
		},
	})
}

func (b *inbox[T]) resourceClosed(c *vm.Call, r *vm.Resource, orNone bool) {
	if !orNone {
		c.ThrowIOKind(vm.IOClosed, "the %s is closed", r.Name)
	}
	c.SetNone()
}

// listener is what a Listener of scripts holds.
type listener struct {
	net.Listener
	conns *inbox[net.Conn]
}

// newListener makes a listener. With a config its connections are TLS; they
// shake hands when they are first used, so that a slow one holds up nobody but
// its own task.
func newListener(l net.Listener, config *tls.Config) *listener {
	setDeadline := func(time.Time) error { return nil }
	if d, ok := l.(interface{ SetDeadline(time.Time) error }); ok {
		setDeadline = d.SetDeadline
	}
	accept := l.Accept
	if config != nil {
		accept = func() (net.Conn, error) {
			conn, err := l.Accept()
			if err != nil {
				return nil, err
			}
			return tls.Server(conn, config), nil
		}
	}
	return &listener{l, newInbox(accept, setDeadline, func(conn net.Conn) { conn.Close() })}
}

func (l *listener) Close() error {
	err := l.Listener.Close()
	l.conns.close()
	return cause(err)
}
