package http_test

import (
	"fmt"
	"io"
	gonet "net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/net"
)

// backend is a server in Go that scripts talk to.
func backend(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func TestConnectionsAreUsedAgainAndEndWithTheInstance(t *testing.T) {
	var open, all atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "x") }))
	s.Config.ConnState = func(_ gonet.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
			all.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
	s.Start()
	defer s.Close()
	p := start(t, fmt.Sprintf(`
import http
let url = %q
for i in 0..20 { assert(http.get(url).status == 200) }       // the body is not asked for
for i in 0..20 { assert(http.get(url).text() == "x") }
print("done")
`, s.URL), runnel.Host{}, runnel.Limits{})
	require.NoError(t, p.wait())
	require.Equal(t, int64(1), all.Load())
	require.Eventually(t, func() bool { return open.Load() == 0 }, time.Minute, 5*time.Millisecond)
}

// Connections count as memory of the script, and end with the last use of their client.
func TestClientsThatAreForgottenLeaveNothingOpen(t *testing.T) {
	var open atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "x") }))
	s.Config.ConnState = func(_ gonet.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
	s.Start()
	defer s.Close()
	p := start(t, fmt.Sprintf(`
import http
for i in 0..50 { assert(http.Client().get(%q).status == 200) }
print("done")
sleep(1h)`, s.URL), runnel.Host{}, runnel.Limits{})
	p.out.await(t, "done")
	require.Eventually(t, func() bool {
		runtime.GC()
		return open.Load() <= 2 // the last one may still stand in a register
	}, time.Minute, 20*time.Millisecond)

	_, err := run(t, fmt.Sprintf(`
import http
let clients: [http.Client] = []
loop { let c = http.Client(); assert(c.get(%q).status == 200); clients.push(c) }`, s.URL), runnel.Host{}, runnel.Limits{Memory: 1 << 20})
	require.ErrorContains(t, err, "memory limit")
	require.Less(t, open.Load(), int64(100))
}

func TestRedirectsKeepToTheGrant(t *testing.T) {
	reached := false
	secret := backend(t, func(http.ResponseWriter, *http.Request) { reached = true })
	public := backend(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret.URL, http.StatusFound) })
	grant := net.Allow{DialTo: []string{strings.TrimPrefix(public.URL, "http://")}}
	out, err := run(t, fmt.Sprintf(`
import http
let r = http.Client(redirects: 0).get(%[1]q)
print(r.status, r.header("Location"))
print(try { http.get(%[1]q).text() } catch e: IoError { "${e.kind}" })
print(try { http.get(%[2]q).text() } catch e: IoError { "${e.kind}" })
`, public.URL, secret.URL), runnel.Host{Grants: []any{grant}}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "302 "+secret.URL+"\nNotGranted\nNotGranted\n", out)
	require.False(t, reached)
	_, err = run(t, `import http; http.get("http://localhost/")`, runnel.Host{Grants: []any{}}, runnel.Limits{})
	require.ErrorContains(t, err, "does not grant this program access to the network")
}

func TestSlowServersAreTimedOutAndCancelled(t *testing.T) {
	gone := make(chan string, 10)
	s := backend(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
		gone <- r.URL.Path
	})
	out, err := run(t, fmt.Sprintf(`
import http
let url = %q
let quick = http.Client(timeout: 100ms)
print(try { quick.get(url + "/head").text() } catch e: IoError { "${e.kind}" })
print(try { quick.get(url + "/body").text() } catch e: IoError { "${e.kind}" })
print(try { timeout(100ms, || http.get(url + "/head").text()) } catch e: Timeout { "timeout" })
print(try { timeout(100ms, || http.get(url + "/body").text()) } catch e: Timeout { "timeout" })
let t = spawn { http.get(url + "/head").text() }
sleep(50ms)
t.cancel()
print(try { await t } catch e: TaskCancelled { "cancelled" })
`, s.URL), runnel.Host{}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "TimedOut\nTimedOut\ntimeout\ntimeout\ncancelled\n", out)
	for range 5 {
		select {
		case <-gone:
		case <-time.After(time.Minute):
			t.Fatal("a request goes on")
		}
	}
}

func TestBodiesAreStreamedBothWays(t *testing.T) {
	s := backend(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/refuse" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%d %d %s\n", n, r.ContentLength, r.Header.Get("Content-Type"))
		for i := range 3 {
			fmt.Fprintf(w, "line %d\r\n", i)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, strings.Repeat("z", 100_000))
	})
	out, err := run(t, fmt.Sprintf(`
import http
struct Pieces { left: int, fails: bool = false
  fn read(most: int) -> bytes? {
    if self.left == 0 { if self.fails { throw error("no more") }; return none }
    self.left -= 1
    b"0123456789".repeat(1000)
  }
}
let url = %q
for line in http.post(url, Pieces(100)).lines() { print(line.len(), line.slice(0, min(line.len(), 40))) }
print(http.post(url + "/refuse", Pieces(1000)).status)
print(try { http.post(url, Pieces(3, fails: true)).text() } catch e: PlainError { e.text })
let r = http.get(url)
var n = 0
while let piece = r.read(1000) { assert(piece.len() <= 1000); n += piece.len() }
print(n)
let left = http.get(url)
left.read(1)
left.close()
print(try { left.text() } catch e: IoError { "${e.kind}" })
let twice = http.get(url)
let _ = twice.text()
print(try { twice.text() } catch e: IoError { "${e.kind}" })
print(try { http.Client(limit: 1000).get(url).text() } catch e: IoError { "${e.kind}" })
`, s.URL), runnel.Host{}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "35 1000000 -1 application/octet-stream\n6 line 0\n6 line 1\n6 line 2\n100000 "+strings.Repeat("z", 40)+
		"\n403\nno more\n100029\nClosed\nClosed\nInvalid\n", out)
}

// What a server sends is paid for by the instance, also when it is packed.
func TestRepliesKeepToTheMemoryLimit(t *testing.T) {
	s := backend(t, func(w http.ResponseWriter, r *http.Request) {
		for range 1000 {
			w.Write(make([]byte, 64<<10))
		}
	})
	_, err := run(t, fmt.Sprintf(`import http; http.get(%q).bytes()`, s.URL), runnel.Host{}, runnel.Limits{Memory: 8 << 20})
	require.ErrorContains(t, err, "memory limit")
}

func TestAWebsocketOfAClient(t *testing.T) {
	_, address := serve(t, `|req| http.websocket(|ws| {
  print(ws.protocol())
  for m in ws {
    match m {
      Text("bye") => { ws.close(4000, "bye"); }
      Text(s) => ws.send("${req.header("Key") ?? ""} ${s}")
      Data(d) => ws.send_bytes(d)
    }
  }
}, protocols: ["chat"])`)
	out, err := run(t, fmt.Sprintf(`
import http
let ws = http.connect_websocket("ws://%s", {"Key": "k"}, ["chat"])
ws.send("a")
print(ws.next(), ws.protocol(), ws.close_code())
print(try { timeout(50ms, || ws.next()) } catch e: Timeout { none })
ws.send_bytes(b"\x01".repeat(100_000))
if let m = ws.next() { if let Data(d) = m { print(d.len()) } }
ws.send("bye")
print(ws.next(), ws.close_code())
print(try { ws.send("x"); "sent" } catch e: IoError { "${e.kind}" })
ws.close()
ws.close()
`, address), runnel.Host{}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Text(\"k a\") chat 0\nnone\n100000\nnone 4000\nClosed\n", out)
}

// Four instances, all at once, talk to one server in a fifth.
func TestManyRequestsAtOnce(t *testing.T) {
	_, address := serve(t, `|req| http.text(req.text().upper())`)
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := run(t, fmt.Sprintf(`
import http
scope {
  for i in 0..20 {
    spawn { for k in 0..20 { assert(http.post("http://%s", "a${i}x${k}").text() == "A${i}X${k}") } }
  }
}`, address), runnel.Host{}, runnel.Limits{})
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
}
