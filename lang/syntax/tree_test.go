package syntax

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/runnel-lang/runnel/lang/diag"
)

// checkTree sees that spans lie in the file and in their parents' spans, and
// that ids are unique and within 1..NumIDs.
func checkTree(t testing.TB, f *File) {
	t.Helper()
	c := &treeCheck{seen: make([]bool, f.NumIDs+1)}
	all := diag.Span{Start: f.Source.Base, End: f.Source.Base + uint32(len(f.Source.Src))}
	for _, s := range f.Items {
		c.walk(reflect.ValueOf(s), all, "file")
	}
	for _, e := range c.errs {
		t.Error(e)
	}
}

type treeCheck struct {
	seen []bool
	errs []string
}

func (c *treeCheck) errorf(format string, args ...any) {
	if len(c.errs) < 5 {
		c.errs = append(c.errs, fmt.Sprintf(format, args...))
	}
}

func (c *treeCheck) walk(v reflect.Value, outer diag.Span, path string) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			c.walk(v.Elem(), outer, path)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		path += "/" + v.Elem().Type().Name()
		if n, ok := v.Interface().(Node); ok {
			sp := n.Span()
			if sp.Start > sp.End || sp.Start < outer.Start || sp.End > outer.End {
				c.errorf("%s: span %v outside of %v", path, sp, outer)
			}
			outer = sp
		}
		if n, ok := v.Interface().(interface{ ID() ID }); ok {
			id := int(n.ID())
			switch {
			case id < 1 || id >= len(c.seen):
				c.errorf("%s: id %d is not in 1..%d", path, id, len(c.seen)-1)
			case c.seen[id]:
				c.errorf("%s: id %d is used twice", path, id)
			default:
				c.seen[id] = true
			}
		}
		c.walk(v.Elem(), outer, path)
	case reflect.Slice:
		for i := range v.Len() {
			c.walk(v.Index(i), outer, path)
		}
	case reflect.Struct:
		if n, ok := v.Interface().(Name); ok {
			if n.Text != "" && n.Sp.IsValid() && (n.Sp.Start < outer.Start || n.Sp.End > outer.End) {
				c.errorf("%s: name %s at %v outside of %v", path, n.Text, n.Sp, outer)
			}
			return
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).Anonymous {
				c.walk(v.Field(i), outer, path)
			}
		}
	}
}
