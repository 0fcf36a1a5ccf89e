package docs_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	rnet "github.com/runnel-lang/runnel/stdlib/net"
)

// stage is the world that examples run in: a directory of their own, and servers
// that answer for the whole Internet.
type stage struct {
	dir                  string // with the files that examples read
	web, secureWeb, text string // addresses
}

func newStage(t *testing.T) *stage {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere no variable names the certificates to trust")
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
		answer := `{"id": 7, "name": "ada"}`
		if strings.HasSuffix(r.URL.Path, "/users") {
			answer = "[" + answer + "]"
		}
		_, _ = io.WriteString(w, answer)
	})
	web, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	t.Cleanup(web.Close)
	t.Cleanup(secure.Close)
	// Its certificate is one for example.com and for all below it.
	roots := filepath.Join(t.TempDir(), "roots.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	require.NoError(t, os.WriteFile(roots, cert, 0o600))
	t.Setenv("SSL_CERT_FILE", roots)
	s := &stage{dir: t.TempDir(), web: web.Listener.Addr().String(), secureWeb: secure.Listener.Addr().String(), text: textServer(t)}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS("testdata/examples/files")))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "cert.pem"), cert, 0o600))
	key, err := x509.MarshalPKCS8PrivateKey(secure.TLS.Certificates[0].PrivateKey)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	return s
}

// textServer says a few lines to whoever connects, and listens.
func textServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // too many open files
				time.Sleep(time.Millisecond)
				continue
			}
			go func() {
				defer conn.Close()
				_, _ = io.WriteString(conn, "one\ntwo\nthree\n")
				_ = conn.(*net.TCPConn).CloseWrite()
				_, _ = io.Copy(io.Discard, conn)
			}()
		}
	}()
	return l.Addr().String()
}

// network leads to what the example itself listens on, and else to the servers
// of the stage.
type network struct {
	rnet.System
	stage *stage
	mu    sync.Mutex
	ports map[string]string // where a script listens, by the port that it names
	wrap  func(net.Conn) net.Conn
}

func (n *network) wrapped(conn net.Conn, err error) (net.Conn, error) {
	if err == nil && n.wrap != nil {
		conn = n.wrap(conn)
	}
	return conn, err
}

func (n *network) Listen(ctx context.Context, kind, address string) (net.Listener, error) {
	l, err := n.System.Listen(ctx, "tcp", "127.0.0.1:0")
	if err == nil {
		n.mu.Lock()
		n.ports[portOf(address)] = l.Addr().String()
		n.ports[portOf(l.Addr().String())] = l.Addr().String()
		n.mu.Unlock()
	}
	return l, err
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

func (n *network) Dial(ctx context.Context, kind, address string) (net.Conn, error) {
	n.mu.Lock()
	own := n.ports[portOf(address)]
	n.mu.Unlock()
	switch {
	case own != "":
		return n.wrapped(n.System.Dial(ctx, "tcp", own))
	case strings.HasSuffix(address, ":443"):
		return n.wrapped(n.System.Dial(ctx, "tcp", n.stage.secureWeb))
	case strings.HasSuffix(address, ":80"):
		return n.wrapped(n.System.Dial(ctx, "tcp", n.stage.web))
	}
	return n.wrapped(n.System.Dial(ctx, "tcp", n.stage.text))
}

var usesFiles = regexp.MustCompile(`import (fs|journal|testing)\b|http\.files?\(`)

// play runs a program. Its error tells whether it was still waiting at the end.
func (s *stage) play(t *testing.T, src string, limit time.Duration) (string, error) {
	return s.playWith(t, src, limit, t.TempDir(), func(*setting) {})
}

// setting is what a program on the stage is given.
type setting struct {
	host   runnel.Host
	net    *network
	limits runnel.Limits
	begin  func(in *runnel.Instance, stop func()) // right before it runs
}

// playWith is play in a directory, with a setting that is changed before.
func (s *stage) playWith(t *testing.T, src string, limit time.Duration, dir string, change func(*setting)) (string, error) {
	if usesFiles.MatchString(src) {
		require.NoError(t, os.CopyFS(dir, os.DirFS(s.dir)))
		require.NoError(t, os.Symlink("v1.txt", filepath.Join(dir, "current")))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	host := all.Host([]string{"ada"})
	var set setting
	var out bytes.Buffer
	host.Stdout, host.Stderr = runnel.Output(&out), io.Discard
	host.Stdin = strings.NewReader("one\ntwo\nthree\nfour\n")
	host.FS = runnel.Directory(root)
	host.Exit = func(code int) { panic(fmt.Sprintf("the example ends the process with %d", code)) }
	for i, g := range host.Grants {
		if _, ok := g.(rnet.System); ok {
			set.net = &network{stage: s, ports: map[string]string{}}
			host.Grants[i] = set.net
		}
	}
	set.host = host
	change(&set)
	host = set.host
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithLimits(set.limits))
	defer rt.Close()
	prog, err := rt.Compile("example.rnl", src)
	if err != nil {
		return "", err
	}
	in := prog.NewInstance()
	defer in.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if set.begin != nil {
		set.begin(in, cancel)
	}
	err = in.Run(ctx)
	if ctx.Err() != nil {
		return out.String(), errWaits
	}
	return out.String(), err
}

var errWaits = errors.New("still runs")
