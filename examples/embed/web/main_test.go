package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out safe
	require.NoError(t, run(t.Context(), &out))
	for _, line := range []string{
		"GET /hello/ada         200 hello, ada\n",
		"POST /notes?author=ada 201 1\n",
		"POST /notes            400 a note needs a text\n",
		"GET /notes/1           200 ada: a first note\n",
		"GET /notes/7           404 there is no note 7\n",
		"GET /report            200 title body footer\n",
		"log: slow was given up\n",
		"GET /slow              504 this takes too long\n",
		"KeyError: the map has no key \"missing\"\n",
		"GET /broken            500 something went wrong\n",
	} {
		assert.Contains(t, out.String(), line)
	}
	assert.Regexp(t, `in the script: [\d.]+µs a request\n`, out.String())
}

// safe is a buffer that many may write to.
type safe struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func serving(t *testing.T, timeout time.Duration) (*Server, *safe) {
	t.Helper()
	var logged safe
	s, err := NewServer(t.Context(), "notes.rnl", script, timeout, log.New(&logged, "", 0))
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, &logged
}

func TestManyRequestsAtOnce(t *testing.T) {
	s, _ := serving(t, time.Minute)
	var wg sync.WaitGroup
	ids := make([]string, 100)
	for i := range ids {
		wg.Go(func() {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", "/notes", strings.NewReader(fmt.Sprint("note ", i))))
			assert.Equal(t, http.StatusCreated, w.Code)
			ids[i] = strings.TrimSpace(w.Body.String())
		})
	}
	wg.Wait()
	for i, id := range ids {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "/notes/"+id, nil))
		assert.Equal(t, fmt.Sprintf("nobody: note %d\n", i), w.Body.String())
	}
}

func TestARequestEndsWhenTheClientGoesAway(t *testing.T) {
	s, logged := serving(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/slow", nil))
	assert.Contains(t, logged.String(), "slow was given up", "its defer has run")
}

func BenchmarkHandler(b *testing.B) {
	s, err := NewServer(b.Context(), "notes.rnl", script, time.Minute, log.Default())
	require.NoError(b, err)
	defer s.Close()
	for b.Loop() {
		if err := serve(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}
