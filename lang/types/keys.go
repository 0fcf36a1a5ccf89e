package types

import "fmt"

// notKey says which part of a type keeps its values from being keys, and what to do
// about it; "" when the type itself is the reason.
func (c *checker) notKey(t Type) string {
	path := ""
	for range maxDepth {
		switch n := Prune(t).(type) {
		case *Named:
			f, of := c.changing(n)
			switch {
			case f == nil:
				return blamed(path, n, "has values of other types, which may change")
			case of == "" && !f.ReadOnly:
				return fmt.Sprintf("what is a key must not change, and field `%s` of `%s` can be assigned: declare it with `let`", f.Name, n.Decl.Name)
			case of != "":
				path = fmt.Sprintf("a field of variant `%s` of `%s`", of, n.Decl.Name)
			default:
				path = fmt.Sprintf("field `%s` of `%s`", f.Name, n.Decl.Name)
			}
			t = (&Subst{n.Decl.Params, n.Args}).Apply(f.Type)
		case *App:
			if n.Ctor == COptional {
				return blamed(path, n, "has no place among keys: use a value for `none`")
			}
			if n.Ctor != CTuple {
				return blamed(path, n, "can change; a key can be made of its parts, as a tuple or text")
			}
			for _, a := range n.Args {
				if t = a; !c.isHashable(a) {
					break
				}
			}
			if path == "" {
				path = "a part of the tuple"
			}
		default:
			return blamed(path, n, "may hold what changes")
		}
	}
	return ""
}

func blamed(path string, t Type, why string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf("%s is `%s`, which %s", path, t, why)
}

// changing finds the field that keeps a struct or enum from being a key, and the variant
// that it belongs to.
func (c *checker) changing(n *Named) (f *Field, variant string) {
	if n.Decl.Kind == KInterface || n.Decl.Native {
		return nil, ""
	}
	s := &Subst{n.Decl.Params, n.Args}
	bad := func(f *Field) bool { return f.Type == nil || !c.isHashable(s.Apply(f.Type)) }
	for _, f := range n.Decl.Fields {
		if f.Type != nil && (!f.ReadOnly || bad(f)) {
			return f, ""
		}
	}
	for _, v := range n.Decl.Variant {
		for _, f := range v.Fields {
			if f.Type != nil && bad(f) {
				return f, v.Name
			}
		}
	}
	return nil, ""
}
