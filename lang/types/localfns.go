package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// localFns declares and checks the functions that stand one after the other in a block,
// from the i-th statement on: they know each other. Those behind the first are done with it.
func (c *checker) localFns(stmts []syntax.Stmt, i int) {
	if i > 0 {
		if _, ok := stmts[i-1].(*syntax.FnDecl); ok {
			return
		}
	}
	var group []*Local
	for _, s := range stmts[i:] {
		d, ok := s.(*syntax.FnDecl)
		if !ok {
			break
		}
		group = append(group, c.declareLocalFn(d))
	}
	c.info.LocalFns[stmts[i].(*syntax.FnDecl)] = group
	for _, l := range group {
		c.localBody(l)
	}
}

// declareLocalFn makes a function of a block known from here to the block's end.
func (c *checker) declareLocalFn(d *syntax.FnDecl) *Local {
	c.lowerCase(d.Name, "function")
	if len(d.TypeParams) > 0 {
		c.err(diag.MisplacedDecl, d.TypeParams[0].Name.Sp, "a function in a block has no type parameters").
			help("it can use those of the function around it; or declare it at the top level")
	}
	c.libraryOnly(c.mod, d.Native, d.Name.Sp, "`native fn`")
	fn := &FuncDecl{Name: d.Name.Text, Module: c.mod, Doc: d.Doc, Result: Invalid, Syntax: d, At: d.Name.Sp}
	fn.TypeParams = c.newTypeParams(d.TypeParams, fn)
	c.resolveFunc(fn)
	t := &Func{Result: fn.Result}
	for _, p := range fn.Params {
		t.Params = append(t.Params, p.Type)
	}
	l := c.newLocal(d.Name, t)
	l.Fn = fn
	c.bind(d.Name, l, c.scopeStart())
	fr := &frame{node: fn, parent: c.frame, result: fn.Result, yields: d.Yields}
	fr.why = &reason{text: "the result of `" + fn.Name + "`", at: fn.At, note: "declared here"}
	if d.Result != nil {
		fr.why.at, fr.why.note = d.Result.Span(), "the declared result"
	}
	c.lambdas[l] = fr
	return l
}

func (c *checker) localBody(l *Local) {
	fn, fr := l.Fn, c.lambdas[l]
	for _, p := range fn.Params {
		if p.Default != nil {
			c.in(env{mod: c.mod, info: c.info, tparams: c.tparams, frame: &frame{node: fn}}, func() {
				c.defaultValue(p.Default, p.Type, p.Name, p.Obj.At)
			})
		}
	}
	body := fn.Syntax.Body
	if body == nil {
		return
	}
	outer := c.tparams
	c.tparams = append(outer[:len(outer):len(outer)], fn.TypeParams...)
	defer func() { c.tparams = outer }()
	c.inFrame(fr, func() {
		from := len(c.names)
		for i, p := range fn.Params {
			c.bind(fn.Syntax.Params[i].Name, p.Obj, from)
		}
		r := c.openRegion()
		c.functionBody(body, fr)
		c.closeRegion(r)
	})
}

// callLocal is a call of a local name that is a function of a block: like that of a
// declared one it may name its arguments, and leave out those that have a default.
func (c *checker) callLocal(e *syntax.Call, fn *syntax.Ident, l *Local, want Type, why *reason) Type {
	c.expr(fn, nil, nil)
	args := c.typeArgsFor(l.Fn.TypeParams, nil, l.Name, fn.Sp) // an error where there are any
	return c.finish(e, c.funcCallee(l.Fn, CallValue, nil, args), want, why)
}

// callsItself tells how a function that calls itself is written, where a lambda uses the
// name that its value is bound to.
func (c *checker) callsItself(d report, name string) bool {
	s := c.binding
	if s == nil || c.frame.parent == nil {
		return false
	}
	b, ok := s.Pattern.(*syntax.BindPattern)
	lit, isLambda := unparen(s.Value).(*syntax.Lambda)
	if !ok || !isLambda || b.Name.Text != name {
		return false
	}
	d.note("a lambda does not know the name that it is bound to")
	if !c.asFunction(d, s, b, lit) {
		d.help("write a function, in a block too: `fn %s(n: int) -> int { ... }`", name)
	}
	return true
}

// asFunction offers to write a lambda whose types are written as a function.
func (c *checker) asFunction(d report, s *syntax.LetStmt, b *syntax.BindPattern, e *syntax.Lambda) bool {
	body, ok := e.Body.(*syntax.Block)
	if !ok || e.Result == nil || s.Type != nil || s.Kind != syntax.Let || s.Pub || s.Value != syntax.Expr(e) {
		return false
	}
	for _, p := range e.Params {
		if p.Type == nil || p.Pattern != nil {
			return false
		}
	}
	params := "()"
	if n := len(e.Params); n > 0 {
		params = "(" + c.source(diag.Span{Start: e.Params[0].Name.Sp.Start, End: e.Params[n-1].Type.Span().End}) + ")"
	}
	head := diag.Span{Start: s.Sp.Start, End: body.Sp.Start}
	d.fix("write a function", diag.Edit{Span: head, New: "fn " + b.Name.Text + params + " -> " + c.source(e.Result.Span()) + " "})
	return true
}
