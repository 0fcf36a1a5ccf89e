package http_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	gonet "net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm/host"
)

// exchangeRaw sends bytes as they are and gives all that comes back, until the
// server closes the connection or says nothing for a while.
func exchangeRaw(t *testing.T, address, sent string) (got string, closed bool) {
	t.Helper()
	conn, err := gonet.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	go io.WriteString(conn, sent)
	var all bytes.Buffer
	for {
		conn.SetReadDeadline(time.Now().Add(400 * time.Millisecond))
		_, err := io.CopyN(&all, conn, 1)
		if os.IsTimeout(err) {
			return all.String(), false
		}
		if err != nil {
			return all.String(), true
		}
	}
}

const rawHandler = `|req| match req.path() {
  "/read" => http.text(req.text())
  "/pieces" => { var n = 0; while let p = req.read() { n += p.len() }; http.text("${n}") }
  "/stream" => http.stream(|out| out.write("streamed"))
  "/caught" => try { http.text(req.text()) } catch e: IoError { http.text("${e.kind}", 418) }
  _ => if req.path().starts_with("/files/") { http.file("/" + req.path()[7..]) } else { http.text("ok ${req.path()}") }
}`

// What requests get that no proper client sends; RFC 9112 by section.
func TestMalformedRequests(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	p, address := serveWith(t, "", rawHandler, `, http.Limits(body: 1000, header: 2000, read_time: 200ms)`, runnel.Host{FS: host.RootFS{Root: root}}, runnel.Limits{})
	const host = "Host: x\r\n"
	post := func(path, rest string) string { return "POST " + path + " HTTP/1.1\r\n" + host + rest }
	chunked := "Transfer-Encoding: chunked\r\n\r\n"
	for _, c := range []struct {
		name, sent string
		status     int
		closes     bool
	}{
		{"a length and chunks: no second request (6.1)", post("/", "Content-Length: 6\r\n"+chunked+"0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"), 200, true},
		{"two lengths (6.3)", post("/", "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"), 400, true},
		{"the same length twice", post("/", "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), 200, false},
		{"an unknown coding (6.1)", post("/", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"), 501, true},
		{"chunked is not last (6.1)", post("/", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"), 501, true},
		{"two codings", post("/", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"), 501, true},
		{"a blank before the colon (5.1)", post("/", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"), 400, true},
		{"no size of a chunk", post("/read", chunked+"zz\r\nabc\r\n0\r\n\r\n"), 400, true},
		{"a negative size of a chunk", post("/read", chunked+"-1\r\nabc\r\n0\r\n\r\n"), 400, true},
		{"a huge size of a chunk (7.1)", post("/read", chunked+"FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n"), 400, true},
		{"a chunk that is longer than it says", post("/read", chunked+"3\r\nabcXX\r\n0\r\n\r\n"), 400, true},
		{"bad chunks read in pieces", post("/pieces", chunked+"3\r\nabc\r\nzz\r\n"), 400, true},
		{"bad chunks that the handler deals with", post("/caught", chunked+"zz\r\n"), 418, true},
		{"bad chunks that nobody reads", post("/", chunked+"zz\r\n"), 200, true},
		{"chunks that are too long", post("/read", chunked+strings.Repeat("64\r\n"+strings.Repeat("a", 100)+"\r\n", 11)+"0\r\n\r\n"), 413, true},
		{"chunks, answered by a stream", post("/stream", chunked+"0\r\n\r\n"), 200, true},
		{"a body that is no text", post("/read", "Content-Length: 3\r\n\r\n\xff\xfe\xfd"), 400, false},
		{"chunks that are no text", post("/read", chunked+"3\r\n\xff\xfe\xfd\r\n0\r\n\r\n"), 400, true},
		{"a body that stops", post("/read", "Content-Length: 10\r\n\r\nabc"), 408, true},
		{"chunks that stop", post("/read", chunked+"5\r\nab"), 408, true},
		{"a negative length", post("/", "Content-Length: -1\r\n\r\nabc"), 400, true},
		{"a length with a sign (6.3)", post("/", "Content-Length: +3\r\n\r\nabc"), 400, true},
		{"a length that is too long", post("/", "Content-Length: 99999999999999999999\r\n\r\n"), 400, true},
		{"more than is allowed", post("/", "Content-Length: 1001\r\n\r\n"+strings.Repeat("a", 1001)), 413, false},
		{"no host (3.2)", "GET / HTTP/1.1\r\n\r\n", 400, true},
		{"two hosts (3.2)", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, true},
		{"a later version", "GET / HTTP/9.9\r\n" + host + "\r\n", 505, true},
		{"no version", "GET /\r\n" + host + "\r\n", 400, true},
		{"HTTP/2 that was not agreed on", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, true},
		{"garbage", "\x00\x01\x02\r\n\r\n", 400, true},
		{"a NUL in a header (5.5)", "GET / HTTP/1.1\r\n" + host + "X: a\x00b\r\n\r\n", 400, true},
		{"a folded header (5.2)", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n", 200, false},
		{"a header without a name", "GET / HTTP/1.1\r\n" + host + ": a\r\n\r\n", 400, true},
		{"a large header", "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("a", 100_000) + "\r\n\r\n", 431, true},
		{"many headers", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: a\r\n", 20_000) + "\r\n", 431, true},
		{"a long target", "GET /" + strings.Repeat("a", 100_000) + " HTTP/1.1\r\n" + host + "\r\n", 431, true},
		{"an expectation that nobody meets", post("/", "Content-Length: 3\r\nExpect: 200-ok\r\n\r\nabc"), 417, true},
		{"a path that is no text", "GET /\xff\xfe HTTP/1.1\r\n" + host + "\r\n", 200, false},
		{"a path that means no text", "GET /%ff%fe HTTP/1.1\r\n" + host + "\r\n", 200, false},
		{"a file", "GET /files/a.txt HTTP/1.1\r\n" + host + "\r\n", 200, false},
		{"a file as a directory", "GET /files/a.txt/ HTTP/1.1\r\n" + host + "\r\n", 404, false},
		{"a file below a file", "GET /files/a.txt/b HTTP/1.1\r\n" + host + "\r\n", 404, false},
		{"a name that is too long", "GET /files/" + strings.Repeat("a", 300) + " HTTP/1.1\r\n" + host + "\r\n", 404, false},
		{"a name with a NUL", "GET /files/a%00b HTTP/1.1\r\n" + host + "\r\n", 404, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, closed := exchangeRaw(t, address, c.sent)
			require.Regexp(t, fmt.Sprintf(`^(HTTP/1\.1 100 Continue\r\n\r\n)?HTTP/1\.[01] %d `, c.status), got)
			require.Equal(t, c.closes, closed, got)
			require.Equal(t, 1, strings.Count(got, "HTTP/1.1 ")-strings.Count(got, " 100 Continue"), got)
			require.Equal(t, c.closes, strings.Contains(got, "\r\nConnection: close\r\n"), got)
			require.NotContains(t, got, "ok /smuggled")
			require.True(t, utf8.ValidString(got), "a str of the script is text")
		})
	}
	require.Empty(t, p.errs.String(), "what clients do wrong is no news")
}

// A reply that ends before it should is an error, whichever way it is read.
func TestARepliesEndIsLookedFor(t *testing.T) {
	l, err := gonet.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				io.WriteString(conn, map[string]string{
					"/short":  "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\ntwo\nth",
					"/long":   "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\none\ntwo\nth",
					"/chunk":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\none\ntwo\n\r\n5\r\nth",
					"/chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\none\ntwo\n\r\n",
				}[r.URL.Path])
			}()
		}
	}()
	p := start(t, `import http
for path in ["short", "long", "chunk", "chunks"] {
  let url = "http://`+l.Addr().String()+`/" + path
  let ways: [fn()] = [
    || { http.get(url).text(); () },
    || { http.get(url).bytes(); () },
    || { let r = http.get(url); while let _ = r.read() {} },
    || { let r = http.get(url); while let _ = r.read(3) {} },
    || { for _ in http.get(url).lines() {} },
  ]
  for i, way in ways {
    try { way(); print("ended", path, i) } catch e: IoError {
      if e.kind != IoKind.Closed || !e.message().contains("the connection was closed before the end of the reply") { print(path, i, e) }
    }
  }
}
let r = http.get("http://`+l.Addr().String()+`/chunks")
print(r.read(), try { r.read(); "ended" } catch e { "failed" }, try { r.read(); "ended" } catch e { "failed" })`, runnel.Host{}, runnel.Limits{})
	require.NoError(t, p.wait())
	require.Equal(t, "b\"one\\ntwo\\n\" failed failed\n", p.out.String())
}

// Requests that are handled while the program is stopped are told so.
func TestAProgramThatIsStoppedAnswersItsRequests(t *testing.T) {
	p, address := serve(t, `|req| { print("waits"); sleep(1h); http.text("never") }`)
	conn, r := dial(t, address)
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	p.out.await(t, "waits")
	p.cancel()
	resp, _ := response(t, r, "GET")
	require.Equal(t, 503, resp.StatusCode)
	require.Empty(t, p.errs.String())
}
