//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// List compiles a function, with those that it calls, of a program without instances,
// which is not run afterwards. It reports whether the function can be compiled.
func List(p *vm.Program, function int) (Listing, bool) {
	u := use(p, false)
	if u == nil {
		return Listing{}, false
	}
	f := &p.Funcs[function]
	u.seen[f] = queued
	c := u.code(u.withCalled([]*bc.Func{f}))
	if c == nil {
		return Listing{}, false
	}
	start, ok := c.starts[f.Start]
	if !ok {
		return Listing{}, false
	}
	l := Listing{Code: c.b, Start: start, End: c.ends[f.Start], Functions: map[int]uint32{}}
	for word, at := range c.starts {
		l.Functions[at] = word
	}
	for _, part := range c.parts {
		if start <= part.Offset && part.Offset < l.End {
			l.Parts = append(l.Parts, part)
		}
	}
	return l, true
}
