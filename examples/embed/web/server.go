package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"regexp"
	"time"

	"github.com/runnel-lang/runnel"
)

// Request is what a handler is given.
type Request struct {
	Method string
	Path   string
	Params map[string]string `doc:"the parts of the path that the route names"`
	Query  map[string]string
	Body   string
}

// Response is what it gives.
type Response struct {
	Body   string
	Status int               `default:"200"`
	Header map[string]string `default:"{\"Content-Type\": \"text/plain; charset=utf-8\"}"`
}

// Route is a pattern as http.ServeMux has them, and the script's function that
// handles its requests.
type Route struct {
	Pattern string
	Handle  func(context.Context, Request) (Response, error)
}

// Server answers requests with the functions of a script.
type Server struct {
	mux  *http.ServeMux
	rt   *runnel.Runtime
	inst *runnel.Instance
}

// maxBody is the most that a request may send.
const maxBody = 1 << 20

// NewServer starts a script. Each request may take some time.
func NewServer(ctx context.Context, name, script string, timeout time.Duration, logger *log.Logger) (*Server, error) {
	web := runnel.NewModule("web", "Requests and their answers.")
	runnel.Type[Request](web)
	runnel.Type[Response](web)
	runnel.Type[Route](web)
	runnel.Func(web, "log", func(text string) { logger.Print(text) }, runnel.Params("text"), runnel.Doc("Writes to the server's log."))
	rt, err := runnel.New(runnel.WithModules(web), runnel.WithWorkers(4), runnel.WithLimits(runnel.Limits{Memory: 256 << 20}))
	if err != nil {
		return nil, err
	}
	s := &Server{mux: http.NewServeMux(), rt: rt}
	if err := s.start(ctx, name, script, timeout, logger); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, name, script string, timeout time.Duration, logger *log.Logger) error {
	prog, err := s.rt.Compile(name, script)
	if err != nil {
		return err
	}
	if s.inst, err = prog.Start(ctx); err != nil {
		return err
	}
	routes, err := runnel.Get[[]Route](s.inst, "routes")
	if err != nil {
		return err
	}
	for _, r := range routes {
		s.mux.Handle(r.Pattern, handler{r, params(r.Pattern), timeout, logger})
	}
	return nil
}

// Close ends the script, and the requests that it still handles.
func (s *Server) Close() { s.rt.Close() }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// params are the names in a pattern.
func params(pattern string) (names []string) {
	for _, m := range regexp.MustCompile(`\{(\w+)`).FindAllStringSubmatch(pattern, -1) {
		names = append(names, m[1])
	}
	return names
}

// handler answers the requests of a route.
type handler struct {
	Route
	params  []string
	timeout time.Duration
	log     *log.Logger
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req := Request{Method: r.Method, Path: r.URL.Path, Params: map[string]string{}, Query: map[string]string{}, Body: string(body)}
	for _, name := range h.params {
		req.Params[name] = r.PathValue(name)
	}
	for name, values := range r.URL.Query() {
		req.Query[name] = values[0]
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.timeout) // it ends, too, when the client goes away
	defer cancel()
	res, err := h.Handle(ctx, req)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		http.Error(w, "this takes too long", http.StatusGatewayTimeout)
	case err != nil:
		h.log.Print(err) // it may tell what is no business of the client
		http.Error(w, "something went wrong", http.StatusInternalServerError)
	default:
		for name, value := range res.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(res.Status)
		io.WriteString(w, res.Body) // a client that is gone is none of ours
	}
}
