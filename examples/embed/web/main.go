// Command web is an HTTP server whose handlers are functions of a script. One
// instance handles all requests, many at a time; a request that takes too long,
// or whose client has gone, is cancelled in the script.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
)

//go:embed handlers/notes.rnl
var script string

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	s, err := NewServer(ctx, "notes.rnl", script, 250*time.Millisecond, log.New(out, "log: ", 0))
	if err != nil {
		return err
	}
	defer s.Close()
	srv := httptest.NewServer(s) // any http.Server would do
	defer srv.Close()
	for _, ask := range []string{
		"GET /hello/ada", "POST /notes?author=ada a first note", "POST /notes ", "GET /notes/1", "GET /notes/7",
		"GET /report", "GET /slow", "GET /broken", "GET /nowhere",
	} {
		method, rest, _ := strings.Cut(ask, " ")
		path, body, _ := strings.Cut(rest, " ")
		status, answer, err := request(ctx, method, srv.URL+path, body)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-22s %d %s\n", method+" "+path, status, answer)
	}
	return measure(ctx, out, s, srv.URL)
}

func request(ctx context.Context, method, url, body string) (status int, answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, strings.TrimSpace(string(text)), err
}

// measure tells what a request costs: in the script alone, with everything
// around it but the network, and over connections.
func measure(ctx context.Context, out io.Writer, s *Server, url string) error {
	hello, err := runnel.Bind1[Request, Response](s.inst, "hello")
	if err != nil {
		return err
	}
	req := Request{Method: "GET", Path: "/hello/ada", Params: map[string]string{"name": "ada"}}
	return errors.Join(
		rate(out, "in the script", 1, 20_000, func() error { _, err := hello(ctx, req); return err }),
		rate(out, "with net/http", 4, 5_000, func() error { return serve(ctx, s) }),
		rate(out, "over connections", 4, 500, func() error { _, _, err := request(ctx, "GET", url+"/hello/ada", ""); return err }),
	)
}

func serve(ctx context.Context, s *Server) error {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/hello/ada", nil))
	if w.Code != http.StatusOK {
		return fmt.Errorf("status %d", w.Code)
	}
	return nil
}

// rate calls f from some goroutines, n times each.
func rate(out io.Writer, what string, goroutines, n int, f func() error) error {
	var wg sync.WaitGroup
	errs := make([]error, goroutines)
	began := time.Now()
	for g := range goroutines {
		wg.Go(func() {
			for range n {
				if err := f(); err != nil {
					errs[g] = err
					return
				}
			}
		})
	}
	wg.Wait()
	each := time.Since(began) / time.Duration(n*goroutines)
	fmt.Fprintf(out, "%s: %v a request\n", what, each.Round(100*time.Nanosecond))
	return errors.Join(errs...)
}
