package http

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzQueryPairs(f *testing.F) {
	for _, raw := range []string{"", "a=1&b=2&a=3", "a", "=x", "a=%zz&b=1", "a;b=1&c=2", "a=1+2&b=%20%C3%A9", "&&", "a=b=c"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := url.Values{}
		for _, p := range queryPairs(raw) {
			got.Add(p.name, p.value)
		}
		want, _ := url.ParseQuery(raw) // with an error it gives what it has understood
		require.Equal(t, want, got)
	})
}

func FuzzMultipartForm(f *testing.F) {
	f.Add("--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--X--\r\n", "X")
	f.Add("--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n\"\r\n\r\none\r\n--X\r\n", "X")
	f.Add(strings.Repeat("--\r\n\r\n", 10), "")
	f.Fuzz(func(t *testing.T, data, boundary string) {
		values, files, err := multipartForm(data, boundary)
		size := 0
		for _, v := range values {
			size += len(v.value)
		}
		for _, f := range files {
			size += len(f.data)
		}
		if err == nil && size > len(data) {
			t.Fatalf("%d bytes of %d", size, len(data))
		}
	})
}

func FuzzPatternsAndPaths(f *testing.F) {
	f.Add("GET /users/{id}", "/users/7")
	f.Add("/files/{path...}", "/files/a/../b")
	f.Add("example.com/{$}", "//")
	f.Add("/{a}/{a}", "/%2e")
	f.Fuzz(func(t *testing.T, pattern, target string) {
		m := routes{http.NewServeMux()}
		if m.add(pattern, 5) != nil {
			return
		}
		if err := m.add(pattern, 6); err == nil {
			t.Fatalf("%q was added twice", pattern)
		}
		r, err := http.NewRequest("GET", "http://localhost", nil)
		require.NoError(t, err)
		r.URL.Path = target
		if found := m.find(r); found.index != 5 && found.index > -300 {
			t.Fatalf("%q at %q: %d", pattern, target, found.index)
		}
	})
}

func FuzzCleanedPath(f *testing.F) {
	for _, p := range []string{"", "a", "../a", "a/../../b", "a//b/", "..\\x", "a\x00", ".git/config", "C:/x"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		cleaned, ok := cleanedPath(p)
		if !ok {
			return
		}
		joined := filepath.Join("/dir", cleaned)
		if joined != "/dir" && !strings.HasPrefix(joined, "/dir/") || strings.ContainsAny(cleaned, "\\\x00") || strings.Contains("/"+cleaned, "/.") {
			t.Fatalf("%q gives %q", p, cleaned)
		}
	})
}
