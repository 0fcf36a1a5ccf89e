package net

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

// stream is what a Conn of scripts holds.
type stream struct {
	conn   net.Conn
	reader *textio.Reader
	writer *textio.Writer
}

// streamSize is about what a connection takes beside its buffer; with TLS more.
const (
	streamSize = 1 << 10
	tlsSize    = 32 << 10
)

// newConn makes the Conn of a connection. The caller closes it when that throws.
func newConn(c *vm.Call, id uint32, conn net.Conn) {
	size := streamSize + textio.ReaderSize + textio.WriterSize
	if _, ok := conn.(*tls.Conn); ok {
		size += tlsSize
	}
	name := "connection to " + quote(peerName(conn))
	plain := plainErrors{conn}
	s := &stream{conn, textio.NewReader(plain, nil, name), textio.NewWriter(plain, name)}
	c.SetObject(c.NewResource(id, name, s, size))
}

// peerName tells who is at the other end: the one address there is, where the
// other is a socket without a name.
func peerName(conn net.Conn) string {
	if name := addressOf(conn.RemoteAddr()); name != "" {
		return name
	}
	return addressOf(conn.LocalAddr())
}

func addressOf(addr net.Addr) string {
	if addr == nil || addr.String() == "@" {
		return ""
	}
	return addr.String()
}

// closeGrace is how long a TLS connection may take to say that it ends.
const closeGrace = 200 * time.Millisecond

// Close closes the connection, also under those who use it.
func (s *stream) Close() error {
	if t, ok := s.conn.(*tls.Conn); ok {
		defer time.AfterFunc(closeGrace, func() { t.NetConn().Close() }).Stop()
	}
	err := s.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return cause(err)
}

// closeWrite tells the other end that nothing more comes.
func (s *stream) closeWrite() error {
	half, ok := s.conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return cause(half.CloseWrite())
}

func closeWrite(c *vm.Call) {
	s := vm.ResourceArg[*stream](c, 0)
	name := vm.ResourceOf(c, 0).Name
	c.Block("close the writing of the "+name,
		func(ctx context.Context) (any, error) {
			defer textio.InterruptWrite(ctx, s.conn)()
			return nil, s.closeWrite()
		},
		func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot close the writing of the "+name, err)
			}
		})
}

// plainErrors gives the errors of a connection as scripts see them.
type plainErrors struct{ net.Conn }

func (p plainErrors) Read(data []byte) (int, error) {
	n, err := p.Conn.Read(data)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, cause(err)
}

func (p plainErrors) Write(data []byte) (int, error) {
	n, err := p.Conn.Write(data)
	if err != nil {
		err = cause(err)
	}
	return n, err
}
