package net

import (
	"context"
	"net"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func init() {
	Module.Blocking("udp", listenPacket)
	Module.Blocking("receive", receive)
	Module.Blocking("Socket.send", send)
	Module.Blocking("Socket.close", textio.Close)
	Module.Native("Socket.address", func(c *vm.Call) {
		c.SetStr(addressOf(vm.ResourceArg[*socket](c, 0).LocalAddr()))
	})
}

// maxPacket is more than any packet of UDP holds.
const maxPacket = 64 << 10

type packet struct {
	data []byte
	from net.Addr
}

// socket is what a Socket of scripts holds.
type socket struct {
	net.PacketConn
	network Network
	packets *inbox[packet]
}

func newSocket(conn net.PacketConn, n Network) *socket {
	var room []byte
	receive := func() (packet, error) {
		if room == nil {
			room = make([]byte, maxPacket)
		}
		n, from, err := conn.ReadFrom(room)
		return packet{append([]byte(nil), room[:n]...), from}, err
	}
	return &socket{conn, n, newInbox(receive, conn.SetReadDeadline, func(packet) {})}
}

func (s *socket) Close() error {
	err := s.PacketConn.Close()
	s.packets.close()
	return cause(err)
}

func listenPacket(c *vm.Call) {
	n, address := Granted(c), c.Str(0)
	id := c.Ref().Result
	await(c, "listen on "+quote(address), func(ctx context.Context) (net.PacketConn, error) {
		return n.ListenPacket(ctx, "udp", address)
	}, func(c *vm.Call, conn net.PacketConn) {
		name := "socket on " + quote(addressOf(conn.LocalAddr()))
		c.SetObject(c.NewResource(id, name, newSocket(conn, n), streamSize+maxPacket))
	})
}

// receive gives data and sender of the next packet, none when the socket is closed.
func receive(c *vm.Call) {
	s := vm.ResourceOf(c, 0).Closer.(*socket)
	s.packets.fetch(c, "receive from", maxPacket, true, func(c *vm.Call, p packet) {
		c.Steps(1 + len(p.data)/1024)
		c.ChargeObject(vm.FillSize(len(p.data)))
		data, room := vm.NewFill(bytecode.IDBytes, len(p.data))
		copy(room, p.data)
		c.Pin(data.Object())
		c.SetObject(pair(c, connType(c), data.Value(), addressOf(p.from)))
	})
}

// pair makes a tuple of a value, which is pinned, and a text.
func pair(c *vm.Call, id uint32, first vm.Value, second string) vm.Object {
	p := c.NewStruct(id)
	c.Pin(p.Object())
	p.Set(0, first)
	p.Set(1, c.NewStr(second).Value())
	return p.Object()
}

// send sends a packet.
func send(c *vm.Call) {
	s, address, data := vm.ResourceArg[*socket](c, 0), c.Str(1), c.Str(2)
	what := "send to " + quote(address)
	c.Steps(1 + len(data)/1024)
	c.Block(what, func(ctx context.Context) (any, error) {
		to, err := s.resolve(ctx, address)
		if err != nil {
			return nil, cause(err)
		}
		defer textio.InterruptWrite(ctx, s.PacketConn)()
		_, err = s.WriteTo([]byte(data), to)
		return nil, cause(err)
	}, func(c *vm.Call, _ any, err error) {
		if err != nil {
			c.ThrowIO("cannot "+what, err)
		}
	})
}

// resolve returns the address of a name and a port, by what the host grants.
func (s *socket) resolve(ctx context.Context, address string) (net.Addr, error) {
	if r, ok := s.PacketConn.(interface {
		Resolve(ctx context.Context, address string) (net.Addr, error)
	}); ok {
		return r.Resolve(ctx, address)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, invalid("%s is no host:port", quote(address))
	}
	addrs, err := s.network.Lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	return net.ResolveUDPAddr("udp", net.JoinHostPort(addrs[0], port))
}
