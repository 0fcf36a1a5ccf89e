package types

// explainAnew tells of two types of one name, of which a session has declared one when
// it had the other: in a later entry, or in a file that it has loaded again.
func (c *checker) explainAnew(d report, x, y Type) bool {
	seen := map[string]*TypeDecl{}
	eachDecl(x, func(t *TypeDecl) { seen[t.Name] = t })
	var later *TypeDecl
	eachDecl(y, func(t *TypeDecl) {
		s := seen[t.Name]
		switch {
		case s == nil || s == t || !declaredAnew(s.Module, t.Module):
		case s.At.Start > t.At.Start:
			later = s
		default:
			later = t
		}
	})
	if later == nil {
		return false
	}
	d.label(later.At, "declared anew here").
		help("`%s` as it was before and as it is now are two types: make again what was made before", later.Name)
	return true
}

// declaredAnew reports whether two modules are entries, or one file loaded twice.
func declaredAnew(m, n *Module) bool {
	return m != n && !m.Std && !n.Std && (m.Script && n.Script || m.Path == n.Path)
}

// eachDecl calls f with each declared type in a type.
func eachDecl(t Type, f func(*TypeDecl)) {
	for todo := []Type{t}; len(todo) > 0; {
		t := Prune(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		switch t := t.(type) {
		case *Named:
			f(t.Decl)
			todo = append(todo, t.Args...)
		case *App:
			todo = append(todo, t.Args...)
		case *Func:
			todo = append(append(todo, t.Params...), t.Result)
		}
	}
}
