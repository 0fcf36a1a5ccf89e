package http_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	gonet "net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
	httpmodule "github.com/runnel-lang/runnel/stdlib/http"
	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/stdlib/sys"
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
	late := time.After(time.Minute)
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
	prog, err := runnel.MustNew(runnel.WithModules(httpmodule.Module, fs.Module, sys.Module), runnel.WithHost(host), runnel.WithLimits(limits), runnel.WithWorkers(2)).
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
	p.wait()
}

// wait returns the error that the program ends with.
func (p *program) wait() error {
	select {
	case err := <-p.ended:
		p.ended <- err
		return err
	case <-time.After(time.Minute):
		p.t.Error("the program does not end")
		return nil
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

// run returns what a script prints and the error it ends with.
func run(t *testing.T, src string, host runnel.Host, limits runnel.Limits) (string, error) {
	t.Helper()
	p := start(t, src, host, limits)
	err := p.wait()
	return p.out.String(), err
}

func newReader(conn gonet.Conn) *bufio.Reader { return bufio.NewReader(conn) }

// certificate makes one for 127.0.0.1 and its key, in PEM.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []gonet.IP{gonet.IPv4(127, 0, 0, 1)},
		IsCA:        true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	keyDER, err := x509.MarshalECPrivateKey(private)
	require.NoError(t, err)
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return text("CERTIFICATE", der), text("EC PRIVATE KEY", keyDER)
}
