package http_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	gonet "net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	httpmodule "github.com/runnel-lang/runnel/stdlib/http"
	"github.com/runnel-lang/runnel/stdlib/net"
	timemodule "github.com/runnel-lang/runnel/stdlib/time"
)

// program is a script that runs while a test talks to it.
type program struct {
	t      *testing.T
	out    *lines
	errs   *lines
	ended  chan error
	cancel context.CancelFunc
	in     *runnel.Instance
}

// lines is an output whose lines can be waited for.
type lines struct {
	mu   sync.Mutex
	all  bytes.Buffer
	more chan struct{}
}

func newLines() *lines { return &lines{more: make(chan struct{}, 1)} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.all.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// await waits until a text has been written.
func (l *lines) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(10 * time.Second)
	for !strings.Contains(l.String(), text) {
		select {
		case <-l.more:
		case <-late:
			t.Fatalf("%q has not come, but %q", text, l.String())
		}
	}
}

// start runs a script whose host grants the network unless it says otherwise.
func start(t *testing.T, src string, host runnel.Host, limits runnel.Limits) *program {
	t.Helper()
	p := &program{t: t, out: newLines(), errs: newLines(), ended: make(chan error, 1)}
	host.Stdout, host.Stderr = p.out, p.errs
	if host.Grants == nil {
		host.Grants = []any{net.System{}}
	}
	prog, err := runnel.MustNew(runnel.WithModules(httpmodule.Module, timemodule.Module), runnel.WithHost(host), runnel.WithLimits(limits), runnel.WithWorkers(2)).
		Compile("test.rnl", src)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel, p.in = cancel, prog.NewInstance()
	go func() {
		defer p.in.Close()
		p.ended <- p.in.Run(ctx)
	}()
	t.Cleanup(p.end)
	return p
}

func (p *program) end() {
	p.cancel()
	select {
	case err := <-p.ended:
		p.ended <- err
	case <-time.After(15 * time.Second):
		p.t.Error("the program does not end")
	}
}

// serve runs a script that serves with a handler, and gives its address. more
// stands before the handler, and what comes after it ends the script.
func serve(t *testing.T, handler string) (*program, string) {
	t.Helper()
	return serveWith(t, "", handler, "", runnel.Host{}, runnel.Limits{})
}

func serveWith(t *testing.T, before, handler, options string, host runnel.Host, limits runnel.Limits) (*program, string) {
	t.Helper()
	p := start(t, fmt.Sprintf(`
import http
%s
let server = http.listen("127.0.0.1:0", %s%s)
print("at ${server.address()}.")
server.wait()
`, before, handler, options), host, limits)
	p.out.await(t, ".\n")
	_, address, _ := strings.Cut(p.out.String(), "at ")
	address, _, _ = strings.Cut(address, ".\n")
	return p, address
}

// dial opens a connection to write requests to by hand.
func dial(t *testing.T, address string) (gonet.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := gonet.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(15 * time.Second))
	return conn, bufio.NewReader(conn)
}

// response reads a response to a request of a method.
func response(t *testing.T, r *bufio.Reader, method string) (*http.Response, string) {
	t.Helper()
	resp, err := http.ReadResponse(r, &http.Request{Method: method})
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(body)
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

// run gives what a script prints and the error it ends with.
func run(t *testing.T, src string, host runnel.Host, limits runnel.Limits) (string, error) {
	t.Helper()
	p := start(t, src, host, limits)
	select {
	case err := <-p.ended:
		p.ended <- err
		return p.out.String(), err
	case <-time.After(15 * time.Second):
		t.Fatal("the program does not end")
		return "", nil
	}
}
