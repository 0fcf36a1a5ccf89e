package net

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Granted returns the network that the host grants. What a host has written itself is
// called on goroutines of net/http and of others too, where nobody would take care of
// a panic: it is an error.
func Granted(c *vm.Call) Network {
	switch n := vm.Granted[Network](c, "the network").(type) {
	case System, *System, Allow, *Allow:
		return n
	default:
		return guarded{n}
	}
}

type guarded struct{ Network }

// Dial connects.
func (g guarded) Dial(ctx context.Context, network, address string) (c net.Conn, err error) {
	err = host.Guarded(func() (err error) {
		c, err = g.Network.Dial(ctx, network, address)
		return err
	})
	if err != nil {
		return nil, err
	}
	return guardedConn(c), nil
}

// Listen waits for connections.
func (g guarded) Listen(ctx context.Context, network, address string) (ln net.Listener, err error) {
	err = host.Guarded(func() (err error) {
		ln, err = g.Network.Listen(ctx, network, address)
		return err
	})
	if err != nil {
		return nil, err
	}
	return guardedListener(ln), nil
}

// conn is a connection of a host's own making.
type conn struct{ net.Conn }

// halfConn is one whose end of writing can be told.
type halfConn struct{ conn }

type halfCloser interface{ CloseWrite() error }

func guardedConn(c net.Conn) net.Conn {
	switch c.(type) {
	case nil, *net.TCPConn, *net.UnixConn, *net.UDPConn, *tls.Conn:
		return c
	case halfCloser:
		return halfConn{conn{c}}
	}
	return conn{c}
}

func (c conn) Read(p []byte) (n int, err error) {
	err = host.Guarded(func() (err error) { n, err = c.Conn.Read(p); return err })
	return n, err
}

func (c conn) Write(p []byte) (n int, err error) {
	err = host.Guarded(func() (err error) { n, err = c.Conn.Write(p); return err })
	return n, err
}

func (c conn) Close() error { return host.Guarded(c.Conn.Close) }

func (c conn) SetDeadline(t time.Time) error {
	return host.Guarded(func() error { return c.Conn.SetDeadline(t) })
}

func (c conn) SetReadDeadline(t time.Time) error {
	return host.Guarded(func() error { return c.Conn.SetReadDeadline(t) })
}

func (c conn) SetWriteDeadline(t time.Time) error {
	return host.Guarded(func() error { return c.Conn.SetWriteDeadline(t) })
}

func (c conn) LocalAddr() net.Addr  { return guardedAddr(c.Conn.LocalAddr) }
func (c conn) RemoteAddr() net.Addr { return guardedAddr(c.Conn.RemoteAddr) }

func (c halfConn) CloseWrite() error { return host.Guarded(c.Conn.(halfCloser).CloseWrite) }

// guardedAddr returns an address that says nothing in the place of none.
func guardedAddr(of func() net.Addr) (a net.Addr) {
	err := host.Guarded(func() error { a = of(); return nil })
	if err != nil || a == nil {
		return &net.UnixAddr{Net: "unix"}
	}
	return a
}

// ownListener is that of a host's own making.
type ownListener struct{ net.Listener }

// patientListener is one that can be told how long to wait.
type patientListener struct{ ownListener }

type deadliner interface{ SetDeadline(time.Time) error }

func guardedListener(ln net.Listener) net.Listener {
	switch ln.(type) {
	case nil, *net.TCPListener, *net.UnixListener:
		return ln
	case deadliner:
		return patientListener{ownListener{ln}}
	}
	return ownListener{ln}
}

func (l ownListener) Accept() (c net.Conn, err error) {
	err = host.Guarded(func() (err error) { c, err = l.Listener.Accept(); return err })
	if err != nil {
		return nil, err
	}
	return guardedConn(c), nil
}

func (l ownListener) Close() error   { return host.Guarded(l.Listener.Close) }
func (l ownListener) Addr() net.Addr { return guardedAddr(l.Listener.Addr) }

func (l patientListener) SetDeadline(t time.Time) error {
	return host.Guarded(func() error { return l.Listener.(deadliner).SetDeadline(t) })
}
