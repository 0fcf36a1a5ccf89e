// Package net holds the native functions of module net, and the capability that
// all modules ask for that reach the network.
package net

import (
	"context"
	"crypto/tls"
	_ "embed"
	"net"
	"strconv"
	"time"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed net.rnl
var source string

// Module is what the import of net gives.
var Module = vm.NewModule("net", source, textio.Module)

func init() {
	Module.Blocking("connect", func(c *vm.Call) { connect(c, "tcp", c.Int(1), nil) })
	Module.Blocking("connect_unix", func(c *vm.Call) { connect(c, "unix", c.Int(1), nil) })
	Module.Blocking("connect_tls", connectTLS)
	Module.Blocking("listen", func(c *vm.Call) { listen(c, "tcp", nil) })
	Module.Blocking("listen_unix", func(c *vm.Call) { listen(c, "unix", nil) })
	Module.Blocking("listen_tls", listenTLS)
	Module.Blocking("lookup", lookup)
	Module.Native("split_address", splitAddress)
	Module.Native("join_address", func(c *vm.Call) {
		c.SetStr(net.JoinHostPort(c.Str(0), strconv.FormatInt(c.Int(1), 10)))
	})

	textio.Reading(Module, "Conn", func(c *vm.Call) *textio.Reader { return vm.ResourceArg[*stream](c, 0).reader })
	textio.Writing(Module, "Conn", func(c *vm.Call) *textio.Writer { return vm.ResourceArg[*stream](c, 0).writer })
	Module.Blocking("Conn.close_write", closeWrite)
	Module.Blocking("Conn.close", textio.Close)
	Module.Native("Conn.local_address", func(c *vm.Call) {
		c.SetStr(addressOf(vm.ResourceArg[*stream](c, 0).conn.LocalAddr()))
	})
	Module.Native("Conn.remote_address", func(c *vm.Call) {
		c.SetStr(addressOf(vm.ResourceArg[*stream](c, 0).conn.RemoteAddr()))
	})

	Module.Blocking("Listener.accept", func(c *vm.Call) { accept(c, false) })
	Module.Blocking("Listener.next", func(c *vm.Call) { accept(c, true) })
	Module.Blocking("Listener.close", textio.Close)
	Module.Native("Listener.address", func(c *vm.Call) {
		c.SetStr(addressOf(vm.ResourceArg[*listener](c, 0).Addr()))
	})
}

func quote(s string) string { return vm.QuoteName(s) }

// await has work done that opens something, which newNative makes the result.
func await[T interface{ Close() error }](c *vm.Call, what string, open func(context.Context) (T, error), newNative func(*vm.Call, T)) {
	var opened T
	var err error
	c.Await(vm.Blocking{
		Name:  what,
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			opened, err = vm.Opening(func() (T, error) { return open(ctx) })
			return nil, cause(err)
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot "+what, err)
			}
			newNative(c, opened)
		},
		Drop: func() {
			if any(opened) != nil && err == nil {
				opened.Close()
			}
		},
	})
}

// connect makes a connection, and with a config has it shake hands.
func connect(c *vm.Call, kind string, wait int64, config *tls.Config) {
	n, address := Granted(c), c.Str(0)
	id := connType(c)
	await(c, "connect to "+quote(address), func(ctx context.Context) (net.Conn, error) {
		if wait > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(wait))
			defer cancel()
		}
		conn, err := n.Dial(ctx, kind, address)
		if err != nil || config == nil {
			return conn, err
		}
		secure := tls.Client(conn, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, err
		}
		return secure, nil
	}, func(c *vm.Call, conn net.Conn) { newConn(c, id, conn) })
}

// connType is the type of the call's result, a Conn or an optional one.
func connType(c *vm.Call) uint32 {
	id := c.Ref().Result
	if t := c.Type(id); t.Kind == bytecode.TOptional {
		return t.Elem
	}
	return id
}

func listen(c *vm.Call, kind string, config *tls.Config) {
	n, address := Granted(c), c.Str(0)
	id := c.Ref().Result
	await(c, "listen on "+quote(address), func(ctx context.Context) (net.Listener, error) {
		return n.Listen(ctx, kind, address)
	}, func(c *vm.Call, l net.Listener) {
		name := "listener on " + quote(addressOf(l.Addr()))
		c.SetObject(c.NewResource(id, name, newListener(l, config), streamSize))
	})
}

func accept(c *vm.Call, orNone bool) {
	l := vm.ResourceOf(c, 0).Closer.(*listener)
	id := connType(c)
	l.conns.fetch(c, "accept a connection of", 0, orNone, func(c *vm.Call, conn net.Conn) { newConn(c, id, conn) })
}

func lookup(c *vm.Call) {
	n, host := Granted(c), c.Str(0)
	what := "look up " + quote(host)
	c.Block(what, func(ctx context.Context) (any, error) {
		addrs, err := vm.Opening(func() ([]string, error) { return n.Lookup(ctx, host) })
		return addrs, cause(err)
	}, func(c *vm.Call, value any, err error) {
		if err != nil {
			c.ThrowIO("cannot "+what, err)
		}
		addrs := value.([]string)
		c.Steps(len(addrs))
		list := c.NewList(c.Ref().Result, len(addrs))
		c.Pin(list.Object())
		for _, a := range addrs {
			list.Push(c.NewStr(a).Value())
		}
		c.SetObject(list.Object())
	})
}

// splitAddress gives host and port of an address.
func splitAddress(c *vm.Call) {
	host, port, err := net.SplitHostPort(c.Str(0))
	n, err2 := strconv.ParseUint(port, 10, 16)
	if err != nil || err2 != nil {
		c.Throw(vm.ErrValue, "%s is not a host and port", quote(c.Str(0)))
	}
	pair := c.NewStruct(c.Ref().Result)
	c.Pin(pair.Object())
	pair.Set(0, c.NewStr(host).Value())
	pair.Set(1, vm.IntValue(int64(n)))
	c.SetValue(pair.Value())
}
