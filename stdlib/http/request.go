package http

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// request is a request that a server has got, and what answers it. Scripts may
// keep it longer than it lasts.
type request struct {
	s    *server
	r    *http.Request
	in   io.Reader // its body. r.Body stays net/http's own, which looks at it to end the connection in peace
	body body

	// Work that uses w outlasts its task, which a cancel takes from it, and so may
	// outlast the handler: see use and interrupt.
	using sync.Mutex // held while work has w for itself; taken before mu

	mu      sync.Mutex // guards all below, and what r and w change
	w       http.ResponseWriter
	over    bool // w is not to be used any more, nor does the rest change but query and fault
	live    bool // it is answered by something else than a text
	tooLong bool // its body was
	fault   *clientFault
	reading int       // reads of its body on their way
	come    int64     // bytes of it
	since   time.Time // when the first was asked for
	query   []pair
	file    string
	files   host.FileSystem
	out     *writer
	socket  *socket
}

var requestSize = vm.SizeOf[request]() + 1024 // with net/http's part

func newRequest(s *server, w http.ResponseWriter, r *http.Request) *request {
	q := &request{s: s, w: w, r: r, in: r.Body}
	if r.ContentLength < 0 {
		q.in = http.MaxBytesReader(nil, r.Body, s.maxBody)
	}
	q.body = body{name: "the request", size: r.ContentLength, limit: s.maxBody, read: q.read, blame: q.blame}
	return q
}

// blame makes an error the client's, and notes it.
func (q *request) blame(err error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fault = blame(err)
	return q.fault
}

func (q *request) clientFault() *clientFault {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.fault
}

// clientFault is an error of reading a request for which its client is to blame.
// A handler that does not catch it has answered with its status.
type clientFault struct {
	status int
	err    error
}

func (f *clientFault) Error() string { return f.err.Error() }
func (f *clientFault) Unwrap() error { return f.err }

// blame makes an error of reading a request the client's.
func blame(err error) *clientFault {
	var known *clientFault
	switch {
	case errors.As(err, &known):
		return known
	case timedOut(err):
		return &clientFault{http.StatusRequestTimeout, err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = &vm.IOError{Kind: vm.IOClosed, Err: err}
	default:
		err = &vm.IOError{Kind: vm.IOInvalid, Err: err}
	}
	return &clientFault{http.StatusBadRequest, err}
}

// mayClose has the connection closed after the response where the server stops, or
// the body came in chunks: net/http does not tell whether the request gave a length
// too, as those do that smuggle another request past a proxy, and after which a
// connection must be closed (RFC 9112, 6.1).
func (q *request) mayClose() {
	if q.s.stopping.Load() || len(q.r.TransferEncoding) > 0 {
		q.w.Header()["Connection"] = closeValue
	}
}

const prefetched = 64 << 10

// prefetch reads a small body before the handler is called, which then gets it
// without waiting. A client that waits to be told to go on is not told so yet.
func (q *request) prefetch() error {
	size := q.r.ContentLength
	if size == 0 {
		q.body.ended = true
		return nil
	}
	if size < 0 || size > prefetched || q.r.Header.Get("Expect") != "" {
		return nil
	}
	q.setReadDeadline(until(time.Now(), q.s.readTime, size))
	q.body.data = make([]byte, size)
	if _, err := io.ReadFull(q.in, q.body.data); err != nil {
		return err // and the deadline stays, so that nobody waits for the rest
	}
	q.setReadDeadline(time.Time{})
	q.body.ended = true
	return nil
}

// read reads the body on behalf of a task.
func (q *request) read(ctx context.Context, p []byte) (int, error) {
	q.mu.Lock()
	if q.over {
		q.mu.Unlock()
		return 0, vm.ErrResourceClosed
	}
	q.reading++
	if q.since.IsZero() {
		q.since = time.Now()
	}
	late := until(q.since, q.s.readTime, q.come)
	q.setReadDeadline(late)
	q.mu.Unlock()
	stop := q.interrupt(ctx, q.setReadDeadline)
	n, err := q.in.Read(p)
	stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reading--
	q.come += int64(n)
	switch _, tooLong := err.(*http.MaxBytesError); {
	case tooLong:
		q.tooLong = true
		err = &vm.IOError{Kind: vm.IOInvalid, Err: err}
	case err == io.EOF && !q.over:
		q.setReadDeadline(time.Time{})
	case err != nil && err != io.EOF && (!timedOut(err) || !late.IsZero() && !time.Now().Before(late)):
		// Not because it was interrupted, though net/http cancels the handler before it tells of the error.
		q.fault = blame(err)
		err = q.fault
	}
	return n, err
}

func timedOut(err error) bool {
	var slow interface{ Timeout() bool }
	return errors.As(err, &slow) && slow.Timeout()
}

var longAgo = time.Unix(1, 0)

// use lets work have w for itself, to write or to take its connection.
// The end of the context, and that of the request, breaks it off.
func (q *request) use(ctx context.Context, f func() error) error {
	q.using.Lock()
	defer q.using.Unlock()
	q.mu.Lock()
	over := q.over
	q.mu.Unlock()
	if over {
		return vm.ErrResourceClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return f()
}

// interrupt sets a deadline that has passed when the context ends before stop is
// called, unless the request has ended: HTTP/2 has no deadlines to set then, and
// those of a connection are the next request's.
func (q *request) interrupt(ctx context.Context, set func(time.Time)) (stop func()) {
	stopped := false
	forget := context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if !stopped && !q.over {
			set(longAgo)
		}
	})
	return func() {
		forget()
		q.mu.Lock()
		defer q.mu.Unlock()
		stopped = true
	}
}

// setReadDeadline and setWriteDeadline do nothing where the connection has none.
func (q *request) setReadDeadline(t time.Time) {
	if d, ok := q.w.(interface{ SetReadDeadline(time.Time) error }); ok {
		d.SetReadDeadline(t)
	}
}

func (q *request) setWriteDeadline(t time.Time) {
	if d, ok := q.w.(interface{ SetWriteDeadline(time.Time) error }); ok {
		d.SetWriteDeadline(t)
	}
}

// slowest is how many bytes a second a client has to send or take at least.
const slowest = 32 << 10

// until is how long n bytes may take from a time on; a limit of 0 is none.
func until(from time.Time, limit time.Duration, n int64) time.Time {
	if limit <= 0 {
		return time.Time{}
	}
	return from.Add(limit + time.Duration(n/slowest)*time.Second)
}

// mayWrite gives the client the time to take n bytes.
func (q *request) mayWrite(n int64) { q.setWriteDeadline(until(time.Now(), q.s.writeTime, n)) }

// locked runs f while the request lasts; else it throws.
func (q *request) locked(c *vm.Call, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		c.ThrowIOKind(vm.IOClosed, "the request has been answered")
	}
	f()
}

func requestArg(c *vm.Call) *request { return vm.NativeArg[*request](c, 0) }

func registerRequest() {
	get := func(name string, value func(q *request) string) {
		Module.Native("Request."+name, func(c *vm.Call) { c.SetStr(value(requestArg(c))) })
	}
	get("method", func(q *request) string { return q.r.Method })
	get("path", func(q *request) string { return q.r.URL.Path })
	get("target", func(q *request) string { return q.r.RequestURI })
	get("host", func(q *request) string { return q.r.Host })
	get("remote", func(q *request) string { return q.r.RemoteAddr })
	Module.Native("Request.is_secure", func(c *vm.Call) { c.SetBool(requestArg(c).r.TLS != nil) })
	Module.Native("Request.header", func(c *vm.Call) { setHeader(c, requestArg(c).r.Header) })
	Module.Native("request_headers", func(c *vm.Call) { setPairs(c, headerPairs(requestArg(c).r.Header)) })
	Module.Native("Request.param", func(c *vm.Call) {
		q, name := requestArg(c), c.Str(1)
		q.mu.Lock()
		value, pattern := q.r.PathValue(name), q.r.Pattern
		q.mu.Unlock()
		if value == "" && !strings.Contains(pattern, "{"+name+"}") && !strings.Contains(pattern, "{"+name+"...}") {
			c.Throw(vm.ErrValue, "http: the pattern %s has no {%s}", vm.QuoteName(pattern), vm.Brief(name))
		}
		c.SetStr(value)
	})
	Module.Native("Request.query", func(c *vm.Call) {
		name := c.Str(1)
		pairs := requestArg(c).queryPairs(c)
		i := slices.IndexFunc(pairs, func(p pair) bool { return p.name == name })
		if i < 0 {
			c.SetNone()
		} else {
			c.SetStr(pairs[i].value)
		}
	})
	Module.Native("Request.query_entries", func(c *vm.Call) { setPairs(c, requestArg(c).queryPairs(c)) })
	Module.Native("Request.cookie", func(c *vm.Call) {
		cookie, err := requestArg(c).r.Cookie(c.Str(1))
		if err != nil {
			c.SetNone()
		} else {
			c.SetStr(cookie.Value)
		}
	})
	Module.Blocking("Request.text", func(c *vm.Call) { requestArg(c).body.readWhole(c) })
	Module.Blocking("Request.bytes", func(c *vm.Call) { requestArg(c).body.readWhole(c) })
	Module.Blocking("Request.read", func(c *vm.Call) { requestArg(c).body.readPiece(c) })
}

func setHeader(c *vm.Call, h http.Header) {
	values := h.Values(c.Str(1))
	setOptional(c, first(values), len(values) > 0)
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

// headerPairs returns headers in the order of their names.
func headerPairs(h http.Header) []pair {
	var pairs []pair
	for name, values := range h {
		for _, v := range values {
			pairs = append(pairs, pair{name, v})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	return pairs
}

// queryPairs parses the query when it is first asked for.
func (q *request) queryPairs(c *vm.Call) []pair {
	c.Steps(1 + len(q.r.URL.RawQuery)/16)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.query == nil {
		q.query = queryPairs(q.r.URL.RawQuery)
	}
	return q.query
}

// queryPairs are the names and values of a query or form in their order, as
// url.ParseQuery has them. What cannot be decoded is left out.
func queryPairs(raw string) []pair {
	pairs := []pair{}
	for len(raw) > 0 {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		if part == "" || strings.Contains(part, ";") {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		value, err = url.QueryUnescape(value)
		if err != nil {
			continue
		}
		pairs = append(pairs, pair{name, value})
	}
	return pairs
}
