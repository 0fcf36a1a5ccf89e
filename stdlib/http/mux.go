package http

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/runnel-lang/runnel/vm"
)

// routes chooses with the patterns of net/http, whose handlers here only tell
// which one they are.
type routes struct{ *http.ServeMux }

const muxSize = 256

// route takes what the chosen handler says: its index, or, when it is one of
// net/http's own, the status and headers that it answers with.
type route struct {
	index  int64
	header http.Header
}

func (r *route) Header() http.Header         { return r.header }
func (r *route) Write(p []byte) (int, error) { return len(p), nil }
func (r *route) WriteHeader(status int)      { r.index = -int64(status) }

type routeIndex int64

func (i routeIndex) ServeHTTP(w http.ResponseWriter, _ *http.Request) { w.(*route).index = int64(i) }

func registerMux() {
	Module.Native("new_mux", func(c *vm.Call) {
		c.SetObject(c.NewNative(c.Ref().Result, routes{http.NewServeMux()}, muxSize))
	})
	Module.Native("Mux.add", func(c *vm.Call) {
		pattern := c.Str(1)
		c.Steps(1 + len(pattern))
		c.Charge(muxSize + 8*len(pattern))
		if err := vm.NativeArg[routes](c, 0).add(strings.Clone(pattern), c.Int(2)); err != nil {
			c.Throw(vm.ErrValue, "http: %v", err)
		}
	})
	Module.Native("find_route", func(c *vm.Call) {
		q := vm.NativeArg[*request](c, 1)
		c.Steps(1 + len(q.r.URL.Path)/bytesPerStep)
		var found route
		q.locked(c, func() { found = vm.NativeArg[routes](c, 0).find(q.r) })
		about := first(found.header["Allow"]) + first(found.header["Location"])
		result := c.NewStruct(c.Ref().Result)
		c.Pin(result.Object())
		result.Set(0, vm.IntValue(found.index))
		result.Set(1, c.NewStr(about).Value())
		c.SetValue(result.Value())
	})
}

// add adds a pattern; net/http panics for those that it cannot take.
func (m routes) add(pattern string, index int64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			text, _, _ := strings.Cut(fmt.Sprint(p), " (registered at")
			err = fmt.Errorf("%s", strings.TrimPrefix(text, "http: "))
		}
	}()
	m.Handle(pattern, routeIndex(index))
	return nil
}

// find returns the route of a request, which then has the values of the pattern.
func (m routes) find(r *http.Request) route {
	found := route{header: http.Header{}}
	m.ServeHTTP(&found, r)
	return found
}
