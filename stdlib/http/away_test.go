package http_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

// Clients go away, or handlers return, while work for the script uses what
// net/http gave: the race detector tells where that outlasts the handler, and
// HTTP/2 ends the process.

func TestClientsThatGoAwayWhileTheyBecomeWebsockets(t *testing.T) {
	p, address := serve(t, `|req| http.websocket(|ws| try { ws.send("hello") } catch e: IoError {})`)
	for i := range 200 {
		conn, _ := dial(t, address)
		io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
		if i%2 == 0 {
			io.ReadFull(conn, make([]byte, 1))
		}
		conn.Close()
	}
	conn, _, err := websocket.Dial(t.Context(), "ws://"+address, nil)
	require.NoError(t, err)
	_, data, err := conn.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, "hello", string(data))
	conn.CloseNow()
	require.Empty(t, p.errs.String())
}

func TestHandlersThatReturnWhileTheirWorkIsOnItsWay(t *testing.T) {
	cert, key := certificate(t)
	host := runnel.Host{Env: func(name string) (string, bool) {
		text, ok := map[string]string{"CERT": cert, "KEY": key}[name]
		return text, ok
	}}
	for name, handler := range map[string]string{
		"read":  `|req| { let t = spawn { req.read() }; yield_now(); if req.path() == "/cancel" { t.cancel() }; http.text("answered") }`,
		"write": `|req| http.stream(|out| { let t = spawn { out.write("answered".repeat(10_000)) }; yield_now(); if req.path() == "/cancel" { t.cancel() } })`,
	} {
		t.Run(name, func(t *testing.T) {
			_, address := serveWith(t, "import sys\nlet pem = http.Certificate(sys.env(\"CERT\")!, sys.env(\"KEY\")!)", handler, ", tls: pem", host, runnel.Limits{})
			roots := x509.NewCertPool()
			require.True(t, roots.AppendCertsFromPEM([]byte(cert)))
			client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
			defer client.CloseIdleConnections()
			path := ""
			post := func(ctx context.Context, body io.Reader) {
				req, err := http.NewRequestWithContext(ctx, "POST", "https://"+address+path, body)
				require.NoError(t, err)
				if resp, err := client.Do(req); err == nil {
					require.Equal(t, "HTTP/2.0", resp.Proto)
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			}
			for i := range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				path = []string{"/", "/cancel"}[i%2]
				if i%3 == 0 {
					time.AfterFunc(time.Duration(i)*10*time.Microsecond, cancel)
				}
				body, w := io.Pipe()
				go io.WriteString(w, "x")
				post(ctx, body)
				w.Close()
				cancel()
			}
		})
	}
}
