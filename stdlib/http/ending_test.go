package http

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm"
)

// gone is what answers a request of HTTP/2: it panics when it is used after the
// handler has ended.
type gone struct {
	http.ResponseWriter
	mu    sync.Mutex
	ended bool
	late  int // uses after that
}

func (g *gone) used(t time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		g.late++
	}
	return nil
}

func (g *gone) SetReadDeadline(t time.Time) error  { return g.used(t) }
func (g *gone) SetWriteDeadline(t time.Time) error { return g.used(t) }

func (g *gone) Header() http.Header {
	g.used(time.Time{})
	return g.ResponseWriter.Header()
}

// endAfter has the handler return when the request has ended.
func (g *gone) endAfter(q *request) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		q.end()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.ended = true
		close(over)
	}()
	return over
}

func newGone(in io.Reader) (*request, *gone) {
	g := &gone{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequest("POST", "/", in)
	return newRequest(&server{maxBody: 1 << 20}, g, r), g
}

// waiting is a body that nothing comes of until it is let go.
type waiting struct{ begun, let chan struct{} }

func (w waiting) Read([]byte) (int, error) {
	close(w.begun)
	<-w.let
	return 0, os.ErrDeadlineExceeded
}

func TestTheEndOfARequestWaitsForItsReads(t *testing.T) {
	for name, limit := range map[string]time.Duration{"interrupted": time.Hour, "too slow": time.Nanosecond} {
		t.Run(name, func(t *testing.T) {
			in := waiting{make(chan struct{}), make(chan struct{})}
			q, g := newGone(in)
			q.in, q.s.readTime = in, limit
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := q.read(ctx, make([]byte, 1))
				cancel()
				ended <- err
			}()
			<-in.begun
			over := g.endAfter(q)
			select {
			case <-over:
				t.Error("it has ended")
			case <-time.After(10 * time.Millisecond):
			}
			close(in.let)
			require.Error(t, <-ended)
			<-over
			require.Zero(t, g.late)
			require.Equal(t, limit < time.Second, q.clientFault() != nil, "the client is to blame for what takes too long")
		})
	}
}

func TestACancelAfterARequestLeavesItsConnectionAlone(t *testing.T) {
	q, g := newGone(nil)
	ctx, cancel := context.WithCancel(t.Context())
	read, write := q.interrupt(ctx, q.setReadDeadline), q.interrupt(ctx, q.setWriteDeadline)
	<-g.endAfter(q)
	cancel()
	time.Sleep(10 * time.Millisecond) // for what must not happen
	read()
	write()
	require.Zero(t, g.late)
}

func TestTheEndOfARequestWaitsForWorkThatUsesItsResponse(t *testing.T) {
	q, g := newGone(nil)
	begun, let, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- q.use(t.Context(), func() error {
			close(begun)
			<-let
			q.w.Header().Set("A", "b")
			return nil
		})
	}()
	<-begun
	over := g.endAfter(q)
	select {
	case <-over:
		t.Error("it has ended")
	case <-time.After(10 * time.Millisecond):
	}
	close(let)
	require.NoError(t, <-ended)
	<-over
	require.Zero(t, g.late)
	err := q.use(t.Context(), func() error { panic("used") })
	require.True(t, errors.Is(err, vm.ErrResourceClosed))
}
