package http_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

const echo = `|req| http.text("${req.method()} ${req.path()} ${req.text()}")`

func TestAConnectionIsKeptForTheNextRequest(t *testing.T) {
	_, address := serve(t, echo)
	conn, r := dial(t, address)
	io.WriteString(conn, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
	resp, body := response(t, r, "GET")
	require.Equal(t, "GET /1 ", body)
	require.False(t, resp.Close)
	_, body = response(t, r, "POST")
	require.Equal(t, "POST /2 ab", body)
	io.WriteString(conn, "GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	resp, body = response(t, r, "GET")
	require.Equal(t, "GET /3 ", body)
	require.True(t, resp.Close)
	_, err := r.ReadByte()
	require.Equal(t, io.EOF, err)
}

func TestHTTP10EndsTheConnection(t *testing.T) {
	_, address := serve(t, echo)
	conn, r := dial(t, address)
	io.WriteString(conn, "GET /1 HTTP/1.0\r\n\r\n")
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Contains(t, string(all), "200 OK")
	require.True(t, strings.HasSuffix(string(all), "GET /1 "))
}

func TestChunkedBodiesInBothDirections(t *testing.T) {
	_, address := serve(t, `|req| {
  let body = req.text()
  http.stream(|out| { for part in body.split("-") { out.write(part); out.flush() } }, "text/plain")
}`)
	conn, r := dial(t, address)
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab-\r\n2\r\ncd\r\n0\r\n\r\n")
	var raw strings.Builder
	for !strings.HasSuffix(raw.String(), "\r\n0\r\n\r\n") {
		b, err := r.ReadByte()
		require.NoError(t, err)
		raw.WriteByte(b)
	}
	require.Contains(t, raw.String(), "Transfer-Encoding: chunked\r\n")
	require.Contains(t, raw.String(), "\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n")
	require.Contains(t, raw.String(), "Connection: close\r\n")
	_, err := r.ReadByte()
	require.Equal(t, io.EOF, err)
}

func TestHEADHasNoBody(t *testing.T) {
	_, address := serve(t, `|req| if req.path() == "/stream" { http.stream(|out| out.write("x"), "text/plain") } else { http.text("y".repeat(int(req.path()[1..]))) }`)
	conn, r := dial(t, address)
	for _, size := range []string{"5", "5000"} {
		io.WriteString(conn, "HEAD /"+size+" HTTP/1.1\r\nHost: x\r\n\r\n")
		resp, body := response(t, r, "HEAD")
		require.Equal(t, size, resp.Header.Get("Content-Length"))
		require.Empty(t, body)
	}
	io.WriteString(conn, "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\nGET /3 HTTP/1.1\r\nHost: x\r\n\r\n")
	resp, _ := response(t, r, "HEAD")
	require.Equal(t, "text/plain", resp.Header.Get("Content-Type"))
	_, body := response(t, r, "GET")
	require.Equal(t, "yyy", body)
}

func TestAClientIsToldToContinueWhenTheBodyIsRead(t *testing.T) {
	_, address := serve(t, `|req| if req.path() == "/no" { http.text("no", 403) } else { http.text(req.text()) }`)
	conn, r := dial(t, address)
	io.WriteString(conn, "POST /yes HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
	line, err := r.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
	_, err = r.ReadString('\n')
	require.NoError(t, err)
	io.WriteString(conn, "body")
	resp, body := response(t, r, "POST")
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "body", body)
	io.WriteString(conn, "POST /no HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
	resp, body = response(t, r, "POST")
	require.Equal(t, 403, resp.StatusCode)
	require.Equal(t, "no", body)
}

func TestLimitsOfRequests(t *testing.T) {
	p, address := serveWith(t, "", echo, `, http.Limits(body: 10, header: 1000, header_time: 200ms, read_time: 300ms, idle_time: 200ms)`, runnel.Host{}, runnel.Limits{})
	post := func(body io.Reader) int {
		resp, err := http.Post("http://"+address, "text/plain", body)
		require.NoError(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	require.Equal(t, 200, post(strings.NewReader("0123456789")))
	require.Equal(t, 413, post(strings.NewReader("0123456789x")), "of known length")
	require.Equal(t, 200, post(io.MultiReader(strings.NewReader("01234"), strings.NewReader("56789"))))
	require.Equal(t, 413, post(io.MultiReader(strings.NewReader("01234"), strings.NewReader("56789x"))), "in chunks")

	conn, r := dial(t, address)
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nX: "+strings.Repeat("x", 10_000)+"\r\n\r\n")
	resp, _ := response(t, r, "GET")
	require.Equal(t, 431, resp.StatusCode)

	for name, sent := range map[string]string{
		"nothing comes":         "",
		"headers that stop":     "GET / HTTP/1.1\r\nHost",
		"a body that stops":     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab",
		"chunks that stop":      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"nothing more, in idle": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn, r := dial(t, address)
			io.WriteString(conn, sent)
			began := time.Now()
			_, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Less(t, time.Since(began), time.Minute)
		})
	}
	require.NotContains(t, p.errs.String(), "413")
}

func TestHeadersCannotSplitAResponse(t *testing.T) {
	_, address := serve(t, `|req| http.text("x").header("X-A", "a\r\nX-B: b").header("X C", "c").header("Location\r\nX-D", "d")`)
	resp, err := http.Get("http://" + address)
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, "a  X-B: b", resp.Header.Get("X-A"))
	for _, name := range []string{"X-B", "X C", "X-D"} {
		require.Empty(t, resp.Header.Get(name))
	}
}

func TestErrorsOfHandlersEndNothing(t *testing.T) {
	p, address := serveWith(t, `fn deep(n: int) -> int { deep(n + 1) + 1 }`, `|req| match req.path() {
  "/throw" => { throw error("it is broken") }
  "/status" => http.empty(99)
  "/body" => http.Response(200, 5)
  "/stack" => http.text("${deep(1)}")
  _ => http.text("fine")
}`, "", runnel.Host{}, runnel.Limits{})
	for _, path := range []string{"/throw", "/status", "/body", "/stack"} {
		status, body := get(t, "http://"+address+path)
		require.Equal(t, 500, status, path)
		require.Equal(t, "Internal Server Error\n", body)
	}
	require.Contains(t, p.errs.String(), "http: GET /throw: ")
	require.Contains(t, p.errs.String(), "it is broken")
	require.Contains(t, p.errs.String(), "the status 99")
	status, body := get(t, "http://"+address+"/")
	require.Equal(t, 200, status)
	require.Equal(t, "fine", body)
}

func TestABrokenStreamIsSeen(t *testing.T) {
	_, address := serve(t, `|req| http.stream(|out| { out.write("begun"); out.flush(); throw error("broken") })`)
	resp, err := http.Get("http://" + address)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "begun", string(body))
}

func TestAClientThatGoesAwayCancelsItsHandler(t *testing.T) {
	p, address := serve(t, `|req| {
  defer print("cleaned up ${req.path()}")
  print("waits")
  if req.path() == "/stream" { return http.stream(|out| { defer print("stream ended"); loop { out.write("x"); out.flush(); sleep(1ms) } }) }
  sleep(1h)
  http.text("never")
}`)
	conn, _ := dial(t, address)
	io.WriteString(conn, "GET /sleep HTTP/1.1\r\nHost: x\r\n\r\n")
	p.out.await(t, "waits")
	conn.Close()
	p.out.await(t, "cleaned up /sleep")
	conn, _ = dial(t, address)
	io.WriteString(conn, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
	p.out.await(t, "cleaned up /stream")
	conn.Close()
	p.out.await(t, "stream ended")
	require.Empty(t, p.errs.String())
}

func TestARequestIsOfNoUseWhenItIsAnswered(t *testing.T) {
	p, address := serveWith(t, `
let kept = chan<http.Request>(1)
let outs = chan<http.Writer>(1)
spawn {
  let req = kept.recv()!
  let out = outs.recv()!
  sleep(50ms)
  print(req.method(), req.header("A"), req.query("q"))
  for f in [|| { let _ = req.text() }, || { out.write("x") }, || { out.write("x".repeat(100_000)) }, || { out.flush() }] {
    print(try { f(); "worked" } catch e: IoError { "${e.kind}" })
  }
  print("done")
}`, `|req| { kept.send(req); http.stream(|out| { outs.send(out); out.write("body") }) }`, "", runnel.Host{}, runnel.Limits{})
	req, err := http.NewRequest("POST", "http://"+address+"/?q=1", io.MultiReader(strings.NewReader("not read")))
	require.NoError(t, err)
	req.Header.Set("A", "b")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "body", string(body))
	p.out.await(t, "done")
	require.Contains(t, p.out.String(), "POST b 1\nClosed\nClosed\nClosed\nClosed\ndone")
}
