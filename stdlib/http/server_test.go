package http_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	gonet "net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/vm/host"
)

// stoppable is a server that a request for /stop stops; it prints how that ended.
func stoppable(t *testing.T, handler, within string) (*program, string) {
	t.Helper()
	return serveWith(t, `
let stops = chan<bool>(1)
fn handle(req: http.Request) -> http.Response {
  if req.path() == "/stop" { stops.send(true); return http.empty() }
  work(req)
}
fn work(req: http.Request) -> http.Response { `+handler+` }`,
		`handle)
let stopping = spawn {
  stops.recv()
  print("stopped: ${server.stop(`+within+`)}")
}
defer await stopping
print(`, ``, runnel.Host{}, runnel.Limits{})
}

// Requests that were sent before or while the server stops get whole responses;
// then connections are refused.
func TestStoppingUnderLoadLosesNoRequest(t *testing.T) {
	p, address := stoppable(t, `sleep(5ms); http.text("x".repeat(10_000))`, "5s")
	var answered, refused atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for {
				n, err := useConnection(address)
				answered.Add(int64(n))
				if err != nil && n > 0 {
					t.Errorf("lost: %v", err)
				}
				if err != nil {
					// The system resets what connects while the server ceases to listen.
					refused.Add(1)
					return
				}
			}
		})
	}
	time.Sleep(200 * time.Millisecond)
	require.Zero(t, refused.Load())
	go http.Get("http://" + address + "/stop")
	all.Wait()
	p.out.await(t, "stopped: true")
	require.Equal(t, int64(32), refused.Load())
	require.Greater(t, answered.Load(), int64(200))
}

// useConnection sends requests on one connection until the server announces to
// close it, and tells how many got whole responses.
func useConnection(address string) (n int, err error) {
	conn, err := gonet.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	r := newReader(conn)
	for {
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			return n, err
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			return n, err
		}
		if body, err := io.ReadAll(resp.Body); err != nil || len(body) != 10_000 {
			return n, fmt.Errorf("%d bytes: %w", len(body), err)
		}
		n++
		if resp.Close {
			return n, nil
		}
	}
}

func TestStoppingWaitsForLongRequests(t *testing.T) {
	p, address := stoppable(t, `print("waits"); sleep(500ms); http.text("done")`, "5s")
	got := make(chan string)
	go func() {
		_, body := get(t, "http://"+address)
		got <- body
	}()
	p.out.await(t, "waits")
	get(t, "http://"+address+"/stop")
	require.Equal(t, "done", <-got)
	p.out.await(t, "stopped: true")
	_, err := http.Get("http://" + address)
	require.Error(t, err)
	require.NoError(t, p.wait())
}

func TestWhatIsNotDoneInTimeIsCancelled(t *testing.T) {
	p, address := stoppable(t, `defer print("cleaned up"); print("waits"); sleep(1h); http.text("never")`, "300ms")
	go http.Get("http://" + address)
	p.out.await(t, "waits")
	get(t, "http://"+address+"/stop")
	p.out.await(t, "stopped: false")
	p.out.await(t, "cleaned up")
}

func TestCancellingServeAnswersWhatHasCome(t *testing.T) {
	p := start(t, `
import http
let t = spawn { http.serve("127.0.0.1:0", |req| http.text("x")) }
sleep(50ms)
t.cancel()
print(try { await t; "ended" } catch e: TaskCancelled { "cancelled" })
`, runnel.Host{}, runnel.Limits{})
	p.out.await(t, "cancelled")
}

func TestServersEndWithTheirInstance(t *testing.T) {
	p, address := serve(t, `|req| { defer print("cleaned up"); print("waits"); sleep(1h); http.text("never") }`)
	go http.Get("http://" + address)
	p.out.await(t, "waits")
	p.end()
	require.Contains(t, p.out.String(), "cleaned up")
	_, err := gonet.Dial("tcp", address)
	require.Error(t, err)
}

func TestWebsocketsAreClosedWhenTheServerStops(t *testing.T) {
	p, address := stoppable(t, `http.websocket(|ws| { for m in ws { }; print("code ${ws.close_code()}") })`, "5s")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+address, nil)
	require.NoError(t, err)
	go http.Get("http://" + address + "/stop")
	_, _, err = conn.Read(ctx)
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(err))
	p.out.await(t, "code 1001")
	p.out.await(t, "stopped: true")
}

// Tasks that wait for a websocket hold no thread of the pool, so many may.
func TestManyWebsocketsAtOnce(t *testing.T) {
	p, address := serveWith(t, "import fs\n", `|req| if req.path() == "/ws" {
  http.websocket(|ws| { for m in ws { if let Text(s) = m { ws.send(s.upper()) } } })
} else { http.text(fs.read("a.txt")) }`, "", runnel.Host{FS: host.ReadOnlyFS{FS: fstest.MapFS{"a.txt": {Data: []byte("file")}}}}, runnel.Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	const n = 600 // more than the pool has
	conns := make([]*websocket.Conn, n)
	for i := range conns {
		conn, _, err := websocket.Dial(ctx, "ws://"+address+"/ws", nil)
		require.NoError(t, err)
		conns[i] = conn
	}
	_, body := get(t, "http://"+address+"/")
	require.Equal(t, "file", body)
	for i, conn := range conns {
		require.NoError(t, conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, "m%d", i)))
	}
	for i, conn := range conns {
		_, data, err := conn.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("M%d", i), string(data))
		conn.CloseNow()
	}
	p.end()
}

func TestMessagesThatAreTooLongOrNoTextEndAWebsocket(t *testing.T) {
	p, address := serve(t, `|req| http.websocket(|ws| { for m in ws { }; print("code ${ws.close_code()}") }, limit: 10)`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, c := range []struct {
		data string
		code websocket.StatusCode
	}{{"0123456789x", websocket.StatusMessageTooBig}, {"\xff", websocket.StatusInvalidFramePayloadData}} {
		conn, _, err := websocket.Dial(ctx, "ws://"+address, nil)
		require.NoError(t, err)
		require.NoError(t, conn.Write(ctx, websocket.MessageText, []byte(c.data)))
		_, _, err = conn.Read(ctx)
		require.Equal(t, c.code, websocket.CloseStatus(err))
		p.out.await(t, "code")
	}
}

func TestWebsocketsOfOtherOriginsAreRefused(t *testing.T) {
	_, address := serve(t, `|req| http.websocket(|ws| ws.send("hello"), origins: ["*.example.com"])`)
	for origin, status := range map[string]int{"https://evil.org": 403, "https://a.example.com": 101} {
		conn, resp, _ := websocket.Dial(t.Context(), "ws://"+address, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
		require.Equal(t, status, resp.StatusCode)
		if conn != nil {
			conn.CloseNow()
		}
	}
	status, _ := get(t, "http://"+address)
	require.Equal(t, 426, status)
}

func TestNothingIsServedWithoutAGrant(t *testing.T) {
	allow := net.Allow{ListenOn: []string{"127.0.0.1:9"}}
	for _, grants := range [][]any{{}, {allow}} {
		_, err := run(t, `import http; http.serve("127.0.0.1:0", |req| http.text("x"))`, runnel.Host{Grants: grants}, runnel.Limits{})
		require.ErrorContains(t, err, "not grant")
	}
}

func TestFilesAreThoseOfTheGrant(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(dir+"/public/sub", 0o755))
	require.NoError(t, os.WriteFile(dir+"/public/a.css", []byte("body {}"), 0o600))
	require.NoError(t, os.WriteFile(dir+"/public/.secret", []byte("hidden"), 0o600))
	require.NoError(t, os.WriteFile(dir+"/secret", []byte("secret"), 0o600))
	require.NoError(t, os.Symlink("../secret", dir+"/public/link"))
	require.NoError(t, os.Symlink("/etc/hostname", dir+"/public/out"))
	root, err := os.OpenRoot(dir + "/public")
	require.NoError(t, err)
	const handler = `router.serve`
	const before = "let router = http.router()\nrouter.get(\"/{path...}\", http.files(\".\"))"
	for name, files := range map[string]host.FileSystem{"root": host.RootFS{Root: root}, "read-only": host.ReadOnlyFS{FS: root.FS()}} {
		t.Run(name, func(t *testing.T) {
			_, address := serveWith(t, before, handler, "", runnel.Host{FS: files}, runnel.Limits{})
			status, body := get(t, "http://"+address+"/a.css")
			require.Equal(t, 200, status)
			require.Equal(t, "body {}", body)
			for _, path := range []string{"/link", "/out", "/.secret", "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/a%00.css", "/sub", "/none", "/C:%5cx"} {
				conn, r := dial(t, address)
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
				resp, body := response(t, r, "GET")
				require.GreaterOrEqual(t, resp.StatusCode, 300, path)
				require.NotContains(t, body, "secret")
			}
			conn, r := dial(t, address)
			io.WriteString(conn, "GET /a.css HTTP/1.1\r\nHost: x\r\nRange: bytes=5-6\r\n\r\n")
			resp, body := response(t, r, "GET")
			require.Equal(t, 206, resp.StatusCode)
			require.Equal(t, "{}", body)
			require.Equal(t, "text/css; charset=utf-8", resp.Header.Get("Content-Type"))
			io.WriteString(conn, "GET /a.css HTTP/1.1\r\nHost: x\r\nIf-Modified-Since: "+resp.Header.Get("Last-Modified")+"\r\n\r\n")
			resp, _ = response(t, r, "GET")
			require.Equal(t, 304, resp.StatusCode)
		})
	}
	p, address := serveWith(t, before, handler, "", runnel.Host{}, runnel.Limits{})
	status, _ := get(t, "http://"+address+"/a.css")
	require.Equal(t, 500, status)
	require.Contains(t, p.errs.String(), "does not grant this program access to files")
}

func TestEncryptedConnections(t *testing.T) {
	cert, key := certificate(t)
	host := runnel.Host{Env: func(name string) (string, bool) {
		text, ok := map[string]string{"CERT": cert, "KEY": key}[name]
		return text, ok
	}}
	p, address := serveWith(t, "import sys\nlet pem = http.Certificate(sys.env(\"CERT\")!, sys.env(\"KEY\")!)", `|req| http.text("secure: ${req.is_secure()}")`, ", tls: pem)\nlet client = http.Client(ca: pem.cert)\nprint(client.get(\"https://${server.address()}\").text()", host, runnel.Limits{})
	require.Contains(t, p.out.String(), "secure: true")
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM([]byte(cert)))
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	resp, err := client.Get("https://" + address)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, "HTTP/2.0", resp.Proto)
	_, err = http.Get("https://" + address)
	require.ErrorContains(t, err, "certificate")
}

func TestManyOpenConnections(t *testing.T) {
	n := 1000
	p, address := serve(t, `|req| http.text("hello")`)
	conns := make([]gonet.Conn, n)
	for i := range conns {
		conns[i], _ = dial(t, address)
		io.WriteString(conns[i], "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	for range 2 {
		for _, conn := range conns {
			_, body := response(t, newReader(conn), "GET")
			require.Equal(t, "hello", body)
			io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	require.Empty(t, p.errs.String())
}

// Bodies are paid for by the instance: one that it cannot afford ends the request.
func TestBodiesKeepToTheMemoryLimit(t *testing.T) {
	p, address := serveWith(t, "", `|req| http.text("${req.text().len()}")`, "", runnel.Host{}, runnel.Limits{Memory: 8 << 20})
	for _, body := range []io.Reader{strings.NewReader(strings.Repeat("x", 9<<20)), io.MultiReader(strings.NewReader(strings.Repeat("x", 9<<20)))} {
		resp, err := http.Post("http://"+address, "text/plain", body)
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, 500, resp.StatusCode)
	}
	require.Contains(t, p.errs.String(), "memory limit")
	resp, err := http.Post("http://"+address, "text/plain", strings.NewReader(strings.Repeat("x", 1<<20)))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
}

func TestNoMoreConnectionsThanAllowed(t *testing.T) {
	_, address := serveWith(t, "", echo, ", http.Limits(connections: 2)", runnel.Host{}, runnel.Limits{})
	ask := func() (gonet.Conn, error) {
		conn, r := dial(t, address)
		io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		_, err := http.ReadResponse(r, nil)
		return conn, err
	}
	conn, err := ask()
	require.NoError(t, err)
	_, err = ask()
	require.NoError(t, err)
	_, err = ask()
	require.Error(t, err)
	conn.Close()
	require.Eventually(t, func() bool { _, err := ask(); return err == nil }, time.Minute, 10*time.Millisecond)
}
