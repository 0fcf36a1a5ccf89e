package http

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	gonet "net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// pool is the connections of a Client. They are closed with it, or with its
// instance.
type pool struct {
	*connections
	keep vm.Object // of the resource that closes them
}

// connections do not refer to their pool, so that it can become unreachable.
type connections struct {
	open atomic.Int64

	mu         sync.Mutex
	transports map[string]*http.Transport // by the certificates they trust
}

const (
	poolSize         = 512
	transportSize    = 4096
	connectionSize   = 16 << 10
	maxReplyHeaders  = 256 << 10
	perHost, maxIdle = 64, 256 // idle connections
)

// Close closes idle connections; those in use are closed by their replies.
func (p *connections) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.transports {
		t.CloseIdleConnections()
	}
	return nil
}

// connection is counted while it is open.
type connection struct {
	gonet.Conn
	closed func()
}

func (c *connection) Close() error {
	c.closed()
	return c.Conn.Close()
}

// transport returns the transport that trusts some certificates, or the system's,
// for argument 0, and has the instance pay for a connection more.
func (p *pool) transport(c *vm.Call, ca string) *http.Transport {
	grant := net.Granted(c)
	c.Charge(connectionSize)
	c.ResizeNative(0, poolSize+connectionSize*int(p.open.Load()+1))
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.transports[ca]; t != nil {
		return t
	}
	c.Charge(transportSize)
	if p.transports == nil {
		p.transports = map[string]*http.Transport{}
		p.keep = c.NewResource(bytecode.IDInvalid, "connections of an HTTP client", p.connections, poolSize)
	}
	t := &http.Transport{
		DialContext:            p.dial(grant),
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxReplyHeaders,
	}
	if ca != "" {
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM([]byte(ca)) {
			c.Throw(vm.ErrValue, "http: ca holds no certificate in PEM")
		}
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	p.transports[strings.Clone(ca)] = t
	return t
}

func (p *connections) dial(grant net.Network) func(ctx context.Context, network, address string) (gonet.Conn, error) {
	return func(ctx context.Context, network, address string) (gonet.Conn, error) {
		conn, err := vm.Opening(func() (gonet.Conn, error) { return grant.Dial(ctx, network, address) })
		if err != nil {
			return nil, err
		}
		p.open.Add(1)
		return &connection{conn, sync.OnceFunc(func() { p.open.Add(-1) })}, nil
	}
}

// exchange is a request on its way, and what has come back.
type exchange struct {
	client  http.Client
	request *http.Request
	timeout time.Duration
	maxBody int64                   // that is read as a whole
	cancel  context.CancelCauseFunc // of the request, whose context lasts as long as the body
	timer   *time.Timer             // cancels it
}

var errTimedOut = &vm.IOError{Kind: vm.IOTimedOut, Err: errors.New("the server has taken too long")}

func poolArg(c *vm.Call) *pool { return vm.NativeArg[*pool](c, 0) }

// newExchange makes a request of the arguments pool, method, url and headers, and
// of settings and ca, which are at last.
func newExchange(c *vm.Call, body io.Reader, size int64, last int) *exchange {
	settings := intsArg(c, last)
	x := &exchange{timeout: time.Duration(settings[0]), maxBody: max(settings[2], 0)}
	x.client = http.Client{Transport: poolArg(c).transport(c, c.Str(last+1)), CheckRedirect: atMost(int(settings[1]))}
	ctx, cancel := context.WithCancelCause(context.Background())
	x.cancel = cancel
	x.request = newRequestTo(c, ctx, body, size)
	return x
}

// maxURL bounds a URL, which is copied some times on its way.
const maxURL = 1 << 20

func newRequestTo(c *vm.Call, ctx context.Context, body io.Reader, size int64) *http.Request {
	if n := len(c.Str(2)); n > maxURL {
		c.Throw(vm.ErrValue, "http: a URL of %d bytes is too long", n)
	}
	c.Charge(8 * len(c.Str(2)))
	method, address := strings.Clone(c.Str(1)), strings.Clone(c.Str(2))
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		c.Throw(vm.ErrValue, "http: %v", cause(err))
	}
	if r.URL.Scheme != "http" && r.URL.Scheme != "https" || r.URL.Host == "" {
		c.Throw(vm.ErrValue, "http: %s is not an http or https URL", vm.QuoteName(address))
	}
	if size >= 0 {
		r.ContentLength = size
	}
	r.Header = headerArg(c, 3)
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "runnel")
	}
	return r
}

// headerArg reads headers, of which a later one replaces an earlier one of its name.
func headerArg(c *vm.Call, i int) http.Header {
	h := http.Header{}
	for _, p := range pairsArg(c, i) {
		c.Charge(len(p.name) + len(p.value) + 64)
		h.Set(strings.Clone(p.name), strings.Clone(p.value))
	}
	return h
}

func atMost(redirects int) func(*http.Request, []*http.Request) error {
	return func(_ *http.Request, via []*http.Request) error {
		switch {
		case redirects <= 0:
			return http.ErrUseLastResponse
		case len(via) > redirects:
			return fmt.Errorf("it was redirected more than %d times", redirects)
		}
		return nil
	}
}

// cause is an error without the method and URL that Go puts in front.
func cause(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// do sends the request; its context ends with that of the task, or when the
// response takes too long.
func (x *exchange) do(ctx context.Context) (*reply, error) {
	x.timer = time.AfterFunc(noLimit, func() { x.cancel(errTimedOut) })
	defer x.limit()()
	stop := context.AfterFunc(ctx, func() { x.cancel(context.Cause(ctx)) })
	defer stop()
	response, err := x.client.Do(x.request)
	if err != nil {
		err = x.why(err)
		x.cancel(err)
		return nil, err
	}
	r := &reply{x: x, response: response}
	r.body = body{name: "the reply", size: response.ContentLength, limit: x.maxBody, read: r.read}
	if err := r.prefetch(); err != nil {
		err = x.why(err)
		r.Close()
		return nil, err
	}
	return r, nil
}

const noLimit = math.MaxInt64

// limit bounds what comes until its result is called.
func (x *exchange) limit() (over func() bool) {
	if x.timeout > 0 {
		x.timer.Reset(x.timeout)
	}
	return x.timer.Stop
}

// why returns the reason for which the request was cancelled, if it was.
func (x *exchange) why(err error) error {
	if why := context.Cause(x.request.Context()); why != nil && why != context.Canceled {
		return why
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &vm.IOError{Kind: vm.IOClosed, Err: errors.New("the connection was closed before the end of the reply")}
	}
	return cause(err)
}

// reply is what has come back.
type reply struct {
	x        *exchange
	response *http.Response
	body     body
	over     atomic.Bool // nothing follows in the connection
}

// Spent: a reply that has been read to its end holds nothing open.
func (r *reply) Spent() bool { return r.over.Load() }

// Spent: idle connections are nobody's to close.
func (*connections) Spent() bool { return true }

const replySize = 2048

// prefetch reads a small body at once: its connection is free again then, whether
// the script reads the body or not.
func (r *reply) prefetch() (err error) {
	if size := r.response.ContentLength; size >= 0 && size <= prefetched {
		if r.body.data, err = io.ReadAll(r.response.Body); err == nil {
			r.body.ended = true
			r.Close()
		}
	}
	return err
}

// read reads the body on behalf of a task.
func (r *reply) read(ctx context.Context, p []byte) (int, error) {
	defer r.x.limit()()
	stop := context.AfterFunc(ctx, func() { r.x.cancel(context.Cause(ctx)) })
	defer stop()
	n, err := r.response.Body.Read(p)
	switch {
	case err == io.EOF:
		r.Close()
	case err != nil:
		err = r.x.why(err)
	}
	return n, err
}

// Close gives the connection back, or closes it where the body was not read to its end.
func (r *reply) Close() error {
	r.over.Store(true)
	err := r.response.Body.Close()
	r.x.cancel(vm.ErrResourceClosed)
	return err
}

func registerClient() {
	Module.Native("new_pool", func(c *vm.Call) {
		c.SetObject(c.NewNative(c.Ref().Result, &pool{connections: &connections{}}, poolSize))
	})
	Module.Blocking("exchange", func(c *vm.Call) {
		content := text(c.Value(4))
		var r io.Reader = http.NoBody
		if content != "" {
			r = strings.NewReader(content)
		}
		x := newExchange(c, r, int64(len(content)), 5)
		awaitReply(c, x, x.do)
	})
	Module.Blocking("begin_upload", func(c *vm.Call) {
		r, w := io.Pipe()
		u := &upload{x: newExchange(c, r, -1, 4), w: w, ended: make(chan struct{})}
		c.SetObject(c.NewResource(c.Ref().Result, "upload", u, replySize))
		go u.run()
	})
	Module.Blocking("Upload.write", writeUpload)
	Module.Blocking("Upload.finish", func(c *vm.Call) {
		u := vm.ResourceArg[*upload](c, 0)
		awaitReply(c, u.x, u.finish)
	})
	Module.Native("Upload.abort", func(c *vm.Call) { vm.ResourceOf(c, 0).Close() })

	Module.Native("ReplyBody.status", func(c *vm.Call) { c.SetInt(int64(replyOf(c).response.StatusCode)) })
	Module.Native("ReplyBody.url", func(c *vm.Call) { c.SetStr(replyOf(c).response.Request.URL.String()) })
	Module.Native("ReplyBody.header", func(c *vm.Call) { setHeader(c, replyOf(c).response.Header) })
	Module.Native("ReplyBody.header_entries", func(c *vm.Call) { setPairs(c, headerPairs(replyOf(c).response.Header)) })
	Module.Blocking("ReplyBody.text", func(c *vm.Call) { vm.ResourceArg[*reply](c, 0).body.readWhole(c) })
	Module.Blocking("ReplyBody.bytes", func(c *vm.Call) { vm.ResourceArg[*reply](c, 0).body.readWhole(c) })
	Module.Blocking("ReplyBody.read", func(c *vm.Call) { vm.ResourceArg[*reply](c, 0).body.readPiece(c) })
	Module.Native("ReplyBody.close", func(c *vm.Call) { vm.ResourceOf(c, 0).Close() })
}

// replyOf is also of one that is closed.
func replyOf(c *vm.Call) *reply { return vm.ResourceOf(c, 0).Closer.(*reply) }

// awaitReply sets the result to what comes back.
func awaitReply(c *vm.Call, x *exchange, work func(context.Context) (*reply, error)) {
	var got *reply
	what := x.request.Method + " " + x.request.URL.Redacted()
	c.Await(vm.Blocking{
		Name:   what,
		Charge: prefetched,
		Parks:  true,
		Work: func(ctx context.Context) (_ any, err error) {
			got, err = work(ctx)
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO(what, err)
			}
			c.SetObject(c.NewResource(c.Ref().Result, "reply", got, replySize+len(got.body.data)))
		},
		Drop: func() {
			if got != nil {
				got.Close()
			}
		},
	})
}

// upload is a request whose body the script writes while it is sent.
type upload struct {
	x     *exchange
	w     *io.PipeWriter
	ended chan struct{} // closed when reply and err are there

	mu     sync.Mutex
	reply  *reply // until somebody takes it
	err    error
	closed bool
}

func (u *upload) run() {
	defer close(u.ended)
	reply, err := u.x.do(context.Background())
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed && reply != nil {
		reply.Close()
		reply, err = nil, vm.ErrResourceClosed
	}
	u.reply, u.err = reply, err
}

// finish ends the body and waits for the reply, which is then the caller's.
func (u *upload) finish(ctx context.Context) (*reply, error) {
	u.w.Close()
	select {
	case <-u.ended:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	reply, err := u.reply, u.err
	u.reply, u.err = nil, vm.ErrResourceClosed
	return reply, err
}

// Close breaks the request off, and drops its reply, unless it has been taken.
func (u *upload) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	u.w.CloseWithError(vm.ErrResourceClosed) // also after an early reply: its connection still reads the body
	select {
	case <-u.ended:
	default:
		u.x.cancel(vm.ErrResourceClosed)
	}
	if u.reply != nil {
		u.reply.Close()
	}
	return nil
}

// writeUpload sends a piece; the result is false when the server wants no more.
func writeUpload(c *vm.Call) {
	u, piece := vm.ResourceArg[*upload](c, 0), c.Str(1)
	c.Await(vm.Blocking{
		Name:   "upload",
		Charge: len(piece),
		Parks:  true,
		Work: func(ctx context.Context) (any, error) {
			stop := context.AfterFunc(ctx, func() { u.Close() })
			defer stop()
			_, err := io.WriteString(u.w, piece)
			return err == nil, nil
		},
		Finish: func(c *vm.Call, more any, err error) {
			if err != nil {
				c.ThrowIO("cannot upload", err)
			}
			c.SetBool(more.(bool))
		},
	})
}
