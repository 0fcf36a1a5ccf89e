package http

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	gonet "net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// server calls a script's handler for each request.
type server struct {
	http    http.Server
	listen  *listener
	inst    *vm.Instance
	handler *vm.Func
	request uint32             // the type of what the handler gets
	fields  []bytecode.Field   // of what it gives
	reports io.Writer          // of errors
	cancel  context.CancelFunc // of all requests

	maxBody, maxOpen    int64
	readTime, writeTime time.Duration

	stopping  atomic.Bool
	forgetEnd func()        // see heedEnd
	open      atomic.Int64  // connections
	ended     chan struct{} // closed when it takes no more connections
	done      chan struct{} // closed when it has been closed

	mu      sync.Mutex
	sockets map[*socket]struct{}
	quiet   chan struct{} // closed when it is stopping and the last socket has gone
}

// The fields of a Response.
const (
	statusField = iota
	bodyField
	typeField
)

const serverSize = 2048

// reachable is an address that a client here can use: one that listens on all of
// the machine's addresses is at localhost.
func reachable(a gonet.Addr) string {
	if tcp, ok := a.(*gonet.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return gonet.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

func registerServer() {
	Module.Blocking("open", open)
	Module.Native("Listening.address", func(c *vm.Call) {
		c.SetStr(reachable(vm.ResourceArg[*server](c, 0).listen.Addr()))
	})
	Module.Blocking("Listening.wait", func(c *vm.Call) {
		s := vm.ResourceOf(c, 0).Closer.(*server)
		c.Await(vm.Blocking{
			Name:  "serve " + s.listen.Addr().String(),
			Parks: true,
			Work: func(ctx context.Context) (any, error) {
				select {
				case <-s.done:
				case <-ctx.Done():
				}
				return nil, nil
			},
			Finish: func(*vm.Call, any, error) {},
		})
	})
	Module.Blocking("Listening.stop", func(c *vm.Call) {
		resource, within := vm.ResourceOf(c, 0), time.Duration(c.Int(1))
		c.Await(vm.Blocking{
			Name:  "stop the server",
			Parks: true,
			Work: func(ctx context.Context) (any, error) {
				all := resource.Closer.(*server).stop(ctx, within)
				resource.Close()
				return all, nil
			},
			Finish: func(c *vm.Call, all any, err error) {
				if err != nil {
					c.ThrowIO("cannot stop the server", err)
				}
				c.SetBool(all.(bool))
			},
		})
	})
}

// open listens and begins to serve.
func open(c *vm.Call) {
	network, address := "tcp", c.Str(0)
	grant := net.Granted(c)
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, address = "unix", path
	}
	s := newServer(c)
	var ln gonet.Listener
	c.Await(vm.Blocking{
		Name:  "listen on " + address,
		Parks: true,
		Work: func(ctx context.Context) (_ any, err error) {
			ln, err = vm.Opening(func() (gonet.Listener, error) { return grant.Listen(ctx, network, address) })
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot listen on "+address, err)
			}
			s.listen = &listener{Listener: ln, s: s}
			c.SetObject(c.NewResource(c.Ref().Result, "server on "+ln.Addr().String(), s, serverSize))
			s.heedEnd(c.Host())
			go s.serve()
		},
		Drop: func() {
			if ln != nil {
				ln.Close()
			}
		},
	})
}

func newServer(c *vm.Call) *server {
	sizes, times := intsArg(c, 2), intsArg(c, 3)
	handler := c.Type(c.Ref().Params[1])
	s := &server{
		inst:    c.Instance(),
		handler: c.Callback(1),
		request: handler.Params[0],
		fields:  c.Type(handler.Result).Fields,
		reports: c.Host().Stderr,
		maxBody: max(sizes[0], 0), maxOpen: sizes[2], readTime: time.Duration(times[1]), writeTime: time.Duration(times[2]),
		ended:     make(chan struct{}),
		done:      make(chan struct{}),
		sockets:   map[*socket]struct{}{},
		quiet:     make(chan struct{}),
		forgetEnd: func() {},
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.http = http.Server{
		Handler:           s,
		MaxHeaderBytes:    int(max(sizes[1], 1)),
		ReadHeaderTimeout: time.Duration(times[0]),
		IdleTimeout:       time.Duration(times[3]),
		ConnState:         s.count,
		BaseContext:       func(gonet.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // it tells of what clients do wrong
	}
	if cert := c.Str(4); cert != "" {
		pair, err := tls.X509KeyPair([]byte(cert), []byte(c.Str(5)))
		if err != nil {
			c.Throw(vm.ErrValue, "http: the certificate cannot be used: %v", err)
		}
		s.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	return s
}

func (s *server) serve() {
	defer close(s.ended)
	if s.http.TLSConfig != nil {
		s.http.ServeTLS(s.listen, "", "")
	} else {
		s.http.Serve(s.listen)
	}
}

// ServeHTTP answers a request on net/http's goroutine of its connection, which
// waits until the handler has ended.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == "PRI" && r.ProtoMajor > 1 { // HTTP/2 is spoken where it was agreed on, in TLS
		w.Header()["Connection"] = closeValue
		http.Error(w, "HTTP Version Not Supported", http.StatusHTTPVersionNotSupported)
		return
	}
	if r.ContentLength > s.maxBody {
		http.Error(w, "Request Entity Too Large", http.StatusRequestEntityTooLarge)
		return
	}
	q := newRequest(s, w, r)
	if err := q.prefetch(); err != nil {
		w.Header()["Connection"] = closeValue
		http.Error(w, http.StatusText(blame(err).status), blame(err).status)
		return
	}
	v, err := s.call(q)
	q.end()
	q.mayClose()
	if err != nil {
		q.failed(err)
	} else {
		q.answer(v)
	}
}

// call runs the handler in a task of its own, which is cancelled when the client
// goes away.
func (s *server) call(q *request) (vm.Value, error) {
	return s.handler.Call(q.r.Context(), s.inst.NewHostObject(s.request, q, requestSize+len(q.body.data)))
}

// Values of headers that are set often; nobody changes them.
var (
	closeValue = []string{"close"}
	plainText  = []string{"text/plain; charset=utf-8"}
	htmlText   = []string{"text/html; charset=utf-8"}
	jsonText   = []string{"application/json"}
)

func headerValue(text string) []string {
	for _, known := range [...][]string{plainText, jsonText, htmlText} {
		if known[0] == text {
			return known
		}
	}
	return []string{strings.Clone(text)}
}

// report tells of an error that no handler has caught.
func (s *server) report(r *http.Request, err error) {
	if s.reports != nil {
		fmt.Fprintf(s.reports, "http: %s %s: %v\n", r.Method, r.URL.Path, err)
	}
}

// linger is how long a server that stops still takes connections and requests,
// whose responses close them. So nobody who is busy loses a request; one sent on
// a connection that was idle for that long may come too late, as ever with HTTP.
const linger = 500 * time.Millisecond

// stop ends the server when all requests have been answered, or in time; it
// reports whether they were.
func (s *server) stop(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if !s.stopping.Swap(true) {
		s.closeSockets()
	}
	for end := time.Now().Add(min(linger, within/4)); s.open.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	s.listen.drain()
	select {
	case <-s.ended:
	case <-ctx.Done():
	}
	err := s.http.Shutdown(ctx)
	select {
	case <-s.quiet:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return err == nil
}

// count counts the connections that are open.
func (s *server) count(_ gonet.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed, http.StateHijacked: // a websocket adds itself
		s.open.Add(-1)
	}
}

// Close ends the server and cancels what it has not answered.
func (s *server) Close() error {
	defer close(s.done)
	s.forgetEnd()
	s.stopping.Store(true)
	s.cancel()
	s.closeSockets()
	s.handler.Release()
	return s.http.Close()
}

// closeSockets says goodbye on all websockets, and sees to it that quiet is
// closed after the last.
func (s *server) closeSockets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.sockets {
		go k.goAway()
	}
	s.hush()
}

// hush closes quiet when it is time to. The caller has the lock.
func (s *server) hush() {
	if s.stopping.Load() && len(s.sockets) == 0 {
		select {
		case <-s.quiet:
		default:
			close(s.quiet)
		}
	}
}

// track has stop wait for a websocket and close it.
func (s *server) track(k *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sockets[k] = struct{}{}
	s.open.Add(1)
	if s.stopping.Load() {
		go k.goAway()
	}
}

func (s *server) forget(k *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sockets, k)
	s.open.Add(-1)
	s.hush()
}

// listener takes the connections that wait in the system's queue before it ends,
// and no more than are allowed.
type listener struct {
	gonet.Listener
	s        *server
	draining atomic.Bool
}

func (l *listener) Accept() (gonet.Conn, error) {
	for {
		conn, err := vm.Opening(l.Listener.Accept)
		if err != nil && l.draining.Load() {
			conn, err = l.last()
		}
		if err != nil || l.s.open.Load() < l.s.maxOpen {
			return conn, err
		}
		conn.Close()
	}
}

// last takes one of those that wait still.
func (l *listener) last() (gonet.Conn, error) {
	if t, ok := l.Listener.(deadliner); ok {
		t.SetDeadline(time.Now().Add(time.Millisecond))
		if conn, err := l.Listener.Accept(); err == nil {
			return conn, nil
		}
	}
	return nil, gonet.ErrClosed
}

type deadliner interface{ SetDeadline(time.Time) error }

// drain has Accept give those that wait, and then end.
func (l *listener) drain() {
	l.draining.Store(true)
	if t, ok := l.Listener.(deadliner); ok {
		t.SetDeadline(longAgo)
	} else {
		l.Listener.Close()
	}
}
