package docs_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium, spoken to by the WebDriver protocol.
type browser struct {
	t       *testing.T
	session string // its address
}

// newBrowser starts one, or skips the test where none is installed.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("needs chromedriver and Chromium")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	cmd := exec.Command(driver, fmt.Sprintf("--port=%d", port))
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b := &browser{t: t, session: fmt.Sprintf("http://127.0.0.1:%d", port)}
	require.Eventually(t, b.ready, time.Minute, 50*time.Millisecond)
	b.open()
	return b
}

func (b *browser) ready() bool {
	r, err := http.Get(b.session + "/status")
	if err != nil {
		return false
	}
	r.Body.Close()
	return r.StatusCode == http.StatusOK
}

func (b *browser) open() {
	profile, err := os.MkdirTemp("", "")
	require.NoError(b.t, err)
	options := map[string]any{"args": []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--user-data-dir=" + profile,
	}}
	wanted := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:chromeOptions": options, "goog:loggingPrefs": map[string]string{"browser": "ALL"},
	}}}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	for attempt := 1; ; attempt++ {
		status, answer := b.send("POST", "/session", wanted)
		if status == http.StatusOK {
			b.read(answer, &made)
			break
		}
		// Chromium may be unable to start: in a container, or where memory is short.
		require.Contains(b.t, string(answer), "session not created")
		if attempt == 3 {
			b.t.Skipf("Chromium does not start here: %.300s", answer)
		}
	}
	b.session += "/session/" + made.SessionID
	b.t.Cleanup(func() {
		b.call("DELETE", "", nil, nil)
		_ = os.RemoveAll(profile) // Chromium may still be writing there
	})
}

// call sends a command and reads the value of its answer.
func (b *browser) call(method, path string, body, value any) {
	b.t.Helper()
	status, answer := b.send(method, path, body)
	require.Equal(b.t, http.StatusOK, status, "%s %s: %s", method, path, answer)
	if value != nil {
		b.read(answer, value)
	}
}

func (b *browser) send(method, path string, body any) (status int, answer []byte) {
	b.t.Helper()
	var data []byte
	if body != nil {
		var err error
		data, err = json.Marshal(body)
		require.NoError(b.t, err)
	}
	req, err := http.NewRequest(method, b.session+path, bytes.NewReader(data))
	require.NoError(b.t, err)
	r, err := http.DefaultClient.Do(req)
	require.NoError(b.t, err)
	defer r.Body.Close()
	answer, err = io.ReadAll(r.Body)
	require.NoError(b.t, err)
	return r.StatusCode, answer
}

func (b *browser) read(answer []byte, value any) {
	b.t.Helper()
	require.NoError(b.t, json.Unmarshal(answer, &struct {
		Value any `json:"value"`
	}{value}))
}

func (b *browser) visit(url string) {
	b.t.Helper()
	b.call("POST", "/url", map[string]any{"url": url}, nil)
	b.arrives(url)
}

// arrives waits until the browser is at a URL and has loaded and painted its
// page: the driver may answer before that, a page without its style has other
// sizes, and a page that was never painted drops the keys pressed on it.
func (b *browser) arrives(url string, about ...any) {
	b.t.Helper()
	place := func(url string) string { return strings.TrimSuffix(url, "index.html") } // servers leave it out
	b.shows(place(url), func() string { return place(b.url()) }, about...)
	b.becomes("complete, painted", `document.readyState + (performance.getEntriesByType("paint").length > 0 ? ", painted" : "")`, about...)
}

// becomes waits until an expression is what it should be: a busy browser takes its time.
func (b *browser) becomes(want, expression string, about ...any) {
	b.t.Helper()
	b.shows(want, func() string { return b.text(expression) }, about...)
}

func (b *browser) shows(want string, look func() string, about ...any) {
	b.t.Helper()
	got := look()
	for end := time.Now().Add(20 * time.Second); got != want && time.Now().Before(end); got = look() {
		time.Sleep(20 * time.Millisecond)
	}
	require.Equal(b.t, want, got, about...)
}

func (b *browser) url() (url string) {
	b.t.Helper()
	b.call("GET", "/url", nil, &url)
	return url
}

// eval gives the value of a script's expression.
func (b *browser) eval(expression string, value any) {
	b.t.Helper()
	b.call("POST", "/execute/sync", map[string]any{"script": "return " + expression, "args": []any{}}, value)
}

// text is the value of an expression as a text.
func (b *browser) text(expression string) (text string) {
	b.t.Helper()
	b.eval("String("+expression+")", &text)
	return text
}

// Keys as the protocol names them.
const (
	keyEnter  = "\ue007"
	keyEscape = "\ue00c"
	keyDown   = "\ue015"
	keyUp     = "\ue013"
)

// press presses and releases keys, one after the other.
func (b *browser) press(keys string) {
	b.t.Helper()
	var actions []map[string]string
	for _, key := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": string(key)}, map[string]string{"type": "keyUp", "value": string(key)})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}}, nil)
}

func (b *browser) devtools(command string, params map[string]any) {
	b.t.Helper()
	b.call("POST", "/goog/cdp/execute", map[string]any{"cmd": command, "params": params}, nil)
}

// screen sets the size of the page in pixels.
func (b *browser) screen(width, height int) {
	b.t.Helper()
	b.devtools("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
}

// scheme sets what the user likes: "light" or "dark".
func (b *browser) scheme(name string) {
	b.t.Helper()
	b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": name}}})
}

// complaints are the messages of the console since they were last asked for.
func (b *browser) complaints() (list []string) {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.call("POST", "/se/log", map[string]any{"type": "browser"}, &entries)
	for _, e := range entries {
		list = append(list, e.Level+": "+e.Message)
	}
	return list
}

// shot saves a picture of the page into the folder that -shots names.
func (b *browser) shot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var picture string
	b.call("GET", "/screenshot", nil, &picture)
	data, err := base64.StdEncoding.DecodeString(picture)
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(*shots+"/"+name+".png", data, 0o644))
}
