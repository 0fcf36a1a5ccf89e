package http

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/runnel-lang/runnel/vm"
)

// socket is one end of a websocket. A goroutine reads: it answers pings, and
// keeps the next message for who asks, so that a task that is cancelled while it
// waits takes nothing with it.
type socket struct {
	conn   *websocket.Conn
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	come    []message     // that nobody has taken; the reader waits while there are any
	changed chan struct{} // closed when something of this changes
	ended   bool
	code    websocket.StatusCode // why it ends
	away    bool                 // the code is that of goAway: what the other end says counts more, which may have closed at the same time
}

type message struct {
	isText bool
	data   []byte
}

const (
	socketSize  = 16 << 10 // with its buffers
	socketWrite = time.Minute
	lost        = 1006
)

func newSocket(conn *websocket.Conn, limit int64) *socket {
	conn.SetReadLimit(limit)
	k := &socket{conn: conn, changed: make(chan struct{})}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	go k.read()
	return k
}

// change tells those who wait. The caller has the lock.
func (k *socket) change() {
	close(k.changed)
	k.changed = make(chan struct{})
}

func (k *socket) read() {
	for {
		kind, data, err := k.conn.Read(k.ctx)
		if err == nil && kind == websocket.MessageText && !utf8.Valid(data) {
			k.goodbye(websocket.StatusInvalidFramePayloadData, "the text is not UTF-8")
			err = vm.ErrResourceClosed
		}
		k.mu.Lock()
		if err != nil {
			k.ended = true
			if code := websocket.CloseStatus(err); code > 0 && (k.code == 0 || k.away) {
				k.code = code
			} else if k.code == 0 {
				k.code = lost
			}
			k.change()
			k.mu.Unlock()
			k.conn.CloseNow()
			return
		}
		k.come = append(k.come, message{kind == websocket.MessageText, data})
		k.change()
		for len(k.come) > 0 && k.ctx.Err() == nil {
			k.wait(k.ctx)
		}
		k.mu.Unlock()
	}
}

// wait gives the lock back until something has changed or the context ends.
func (k *socket) wait(ctx context.Context) {
	changed := k.changed
	k.mu.Unlock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
	k.mu.Lock()
}

// next waits for a message, nil at the end.
func (k *socket) next(ctx context.Context) (*message, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(k.come) > 0:
			m := k.come[0]
			k.come = k.come[1:]
			k.change()
			return &m, nil
		case k.ended:
			return nil, nil
		}
		k.wait(ctx)
	}
}

// putBack has a message come again that its task could not take any more.
func (k *socket) putBack(m *message) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.come = slices.Insert(k.come, 0, *m)
	k.change()
}

// Close ends the connection at once.
func (k *socket) Close() error {
	k.cancel()
	return k.conn.CloseNow()
}

// goodbye ends the connection in agreement with the other end, if that answers.
func (k *socket) goodbye(code websocket.StatusCode, reason string) {
	k.mu.Lock()
	if !k.ended && k.code == 0 {
		k.code = code
	}
	k.mu.Unlock()
	k.conn.Close(code, reason)
}

// goAway tells the other end that this one ends.
func (k *socket) goAway() {
	k.mu.Lock()
	k.away = k.code == 0
	k.mu.Unlock()
	k.goodbye(websocket.StatusGoingAway, "")
}

func socketArg(c *vm.Call) *socket { return vm.ResourceArg[*socket](c, 0) }

func socketOf(c *vm.Call) *socket { return vm.ResourceOf(c, 0).Closer.(*socket) }

func registerSocket() {
	Module.Blocking("accept", accept)
	Module.Blocking("connect", connect)
	Module.Blocking("receive", receive)
	Module.Blocking("WebSocket.send", func(c *vm.Call) { send(c, websocket.MessageText) })
	Module.Blocking("WebSocket.send_bytes", func(c *vm.Call) { send(c, websocket.MessageBinary) })
	Module.Blocking("WebSocket.close", closeSocket)
	Module.Native("WebSocket.close_code", func(c *vm.Call) {
		k := socketOf(c)
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.ended {
			c.SetInt(int64(k.code))
		} else {
			c.SetInt(0)
		}
	})
	Module.Native("WebSocket.protocol", func(c *vm.Call) { c.SetStr(socketOf(c).conn.Subprotocol()) })
}

// accept makes a request's connection a websocket; where the client has asked
// for none, it is answered with an error and the result is none.
func accept(c *vm.Call) {
	q, limit := requestArg(c), c.Int(3)
	opts := &websocket.AcceptOptions{OriginPatterns: cloned(textsArg(c, 1)), Subprotocols: cloned(textsArg(c, 2))}
	q.locked(c, func() {
		if q.live {
			c.ThrowIOKind(vm.IOClosed, "the request has been answered")
		}
		q.live = true
	})
	var k *socket
	c.Await(vm.Blocking{
		Name:  "accept a websocket",
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			var conn *websocket.Conn
			if err := q.use(ctx, func() error {
				q.mayWrite(0)
				defer q.interrupt(ctx, q.setWriteDeadline)()
				conn, _ = websocket.Accept(q.w, q.r, opts)
				return nil
			}); err != nil || conn == nil {
				return nil, err
			}
			k = newSocket(conn, limit)
			q.mu.Lock()
			defer q.mu.Unlock()
			if q.over {
				return nil, vm.ErrResourceClosed
			}
			q.socket = k
			q.s.track(k)
			return nil, nil
		},
		Finish: func(c *vm.Call, _ any, err error) {
			switch {
			case err != nil:
				c.ThrowIO("cannot accept the websocket", err)
			case k == nil:
				c.SetNone()
			default:
				c.SetObject(c.NewResource(c.Type(c.Ref().Result).Elem, "websocket", k, socketSize))
			}
		},
		Drop: func() {
			if k != nil {
				k.Close()
			}
		},
	})
}

func cloned(texts []string) []string {
	for i := range texts {
		texts[i] = strings.Clone(texts[i])
	}
	return texts
}

// connect opens a websocket to a server.
func connect(c *vm.Call) {
	address, limit, timeout := strings.Clone(c.Str(1)), c.Int(4), time.Duration(c.Int(5))
	opts := &websocket.DialOptions{
		HTTPClient:   &http.Client{Transport: poolArg(c).transport(c, c.Str(6))},
		HTTPHeader:   headerArg(c, 2),
		Subprotocols: cloned(textsArg(c, 3)),
	}
	var k *socket
	c.Await(vm.Blocking{
		Name:  "connect to " + address,
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			if timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeoutCause(ctx, timeout, errTimedOut)
				defer cancel()
			}
			conn, _, err := websocket.Dial(ctx, address, opts)
			if err != nil {
				if ctx.Err() != nil {
					err = context.Cause(ctx)
				}
				return nil, cause(err)
			}
			k = newSocket(conn, limit)
			return nil, nil
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot connect to "+address, err)
			}
			c.SetObject(c.NewResource(c.Ref().Result, "websocket to "+address, k, socketSize))
		},
		Drop: func() {
			if k != nil {
				k.Close()
			}
		},
	})
}

func receive(c *vm.Call) {
	k := socketOf(c)
	var m *message
	c.Await(vm.Blocking{
		Name:  "receive from a websocket",
		Parks: true,
		Work: func(ctx context.Context) (_ any, err error) {
			m, err = k.next(ctx)
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			switch {
			case err != nil:
				c.ThrowIO("cannot receive from the websocket", err)
			case m == nil:
				c.SetValue(vm.BoxNone())
			default:
				c.Steps(1 + len(m.data)/1024)
				text := vm.TextView(m.data)
				if m.isText {
					c.SetValue(vm.BoxObject(c.NewStr(text).Object()))
				} else {
					c.SetValue(vm.BoxObject(c.NewBytes(text).Object()))
				}
				m = nil
			}
		},
		Drop: func() {
			if m != nil {
				k.putBack(m)
			}
		},
	})
}

func send(c *vm.Call, kind websocket.MessageType) {
	k, text := socketArg(c), c.Str(1)
	c.Steps(1 + len(text)/1024)
	c.Await(vm.Blocking{
		Name:   "send to a websocket",
		Charge: len(text),
		Parks:  true,
		Work: func(ctx context.Context) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, socketWrite)
			defer cancel()
			return nil, k.conn.Write(ctx, kind, []byte(text))
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot send to the websocket", k.closed(err))
			}
		},
	})
}

// closed gives an error about a connection that has ended the kind for that.
func (k *socket) closed(err error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended {
		return &vm.IOError{Kind: vm.IOClosed, Err: errors.New("the connection has ended")}
	}
	return err
}

func closeSocket(c *vm.Call) {
	resource, code, reason := vm.ResourceOf(c, 0), c.Int(1), strings.Clone(c.Str(2))
	if code != 1000 && code != 1001 && (code < 3000 || code > 4999) || len(reason) > 123 {
		c.Throw(vm.ErrValue, "http: a websocket is closed with a code of 1000, 1001 or 3000 to 4999, and at most 123 bytes of reason")
	}
	c.Await(vm.Blocking{
		Name:  "close a websocket",
		Parks: true,
		Work: func(context.Context) (any, error) {
			resource.Closer.(*socket).goodbye(websocket.StatusCode(code), reason)
			resource.Close()
			return nil, nil
		},
		Finish: func(*vm.Call, any, error) {},
	})
}
