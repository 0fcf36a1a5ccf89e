package types

import "github.com/runnel-lang/runnel/lang/diag"

// showMethod returns the method by which a struct or enum shows itself as text, nil where it has none.
func (c *checker) showMethod(t Type) (*FuncDecl, []Type) {
	n, ok := Prune(t).(*Named)
	if !ok || n.Decl.Kind == KInterface || n.Decl.Native {
		return nil, nil
	}
	fn, recvArgs := c.methodOf(n, "to_str")
	if fn == nil || fn.Native || len(fn.Params) > 0 || len(fn.TypeParams) > 0 || Prune(fn.Result) != Type(Str) {
		return nil, nil
	}
	return fn, recvArgs
}

// shows notes that the value of an expression is shown: it may be by a method of its type.
func (c *checker) shows(t Type, at diag.Span) {
	if elem, ok := optionalOf(Prune(t)); ok {
		t = elem
	}
	if fn, _ := c.showMethod(t); fn != nil {
		c.useFunc(fn, at)
	}
}

// ShowMethod returns the method by which a struct or enum shows itself as text, nil where it has none.
func (p *Program) ShowMethod(t Type) (fn *FuncDecl, recvArgs []Type) {
	p.c.in(env{mod: p.Main, info: p.Main.Info}, func() {
		fn, recvArgs = p.c.showMethod(t)
		recvArgs, _ = zonkAll(recvArgs, 0)
	})
	return fn, recvArgs
}

// AnyShows reports whether a type that the program declares shows itself.
func (p *Program) AnyShows() bool {
	for _, m := range p.Modules {
		for _, o := range m.Scope() {
			d, ok := o.(*TypeDecl)
			if !ok || d.Kind == KInterface {
				continue
			}
			if fn, _ := p.ShowMethod(&Named{Decl: d, Args: typeParams(d)}); fn != nil {
				return true
			}
		}
	}
	return false
}

func typeParams(d *TypeDecl) (args []Type) {
	for _, param := range d.Params {
		args = append(args, param)
	}
	return args
}
