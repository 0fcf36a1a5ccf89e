package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// checkModule checks a module's top-level statements in order, then, unless it
// is of the library, its declarations.
func (c *checker) checkModule(m *Module) {
	top := &frame{node: m}
	c.in(env{mod: m, info: m.Info, frame: top}, func() { c.topLevelStmts(m) })
	for _, o := range m.Consts {
		c.evaluate(o)
	}
	switch {
	case m.Std || c.opts.At != 0 && m != c.prog.Main:
		return
	case c.opts.At != 0:
		c.checkAt(m, c.opts.At)
		return
	}
	for _, t := range m.Types {
		c.checkRules(t)
		c.fieldDefaults(t)
		c.bodies(t)
	}
	for _, f := range m.Funcs {
		c.body(f)
	}
	for _, e := range m.extends {
		for _, f := range e.Methods {
			c.body(f)
		}
	}
	for _, t := range m.Tests {
		c.testBody(m, t)
	}
}

func (c *checker) testBody(m *Module, t *syntax.TestDecl) {
	c.in(env{mod: m, info: m.Info, test: true, frame: &frame{node: t, result: Unit}}, func() {
		r := c.openRegion()
		c.drop(t.Body)
		c.closeRegion(r)
	})
}

func (c *checker) topLevelStmts(m *Module) {
	c.frame.scopes = append(c.frame.scopes, 0)
	whole := c.openRegion()
	defer func() {
		c.reportLaters(0, whole.faults)
		c.closeRegion(whole)
	}()
	diverged, warned := false, false
	for _, item := range m.File.Items {
		switch s := item.(type) {
		case *syntax.ImportDecl, *syntax.FnDecl, *syntax.StructDecl, *syntax.EnumDecl, *syntax.InterfaceDecl,
			*syntax.TypeDecl, *syntax.ExtendDecl, *syntax.TestDecl:
			continue
		case *syntax.LetStmt:
			if m.folded[s] {
				continue
			}
			if c.topLevelLet(s) {
				diverged = true
			}
			continue
		case *syntax.BadStmt:
			c.broken = true
			continue
		}
		if diverged && !warned {
			warned = true
			c.unreachable(item.Span())
		}
		if !m.Script {
			c.err(diag.ModuleStatement, item.Span(), "an imported module only declares things; it runs no statements").
				help("put it in a function, and call that from the script")
		}
		if !c.wanted(item) {
			continue
		}
		if t, ok := c.lastValue(m, item); ok {
			diverged = t == Type(Never)
		} else if c.stmt(item) {
			diverged = true
		}
	}
}

func (c *checker) topLevelLet(s *syntax.LetStmt) (diverges bool) {
	r := c.openRegion()
	c.binding = s
	t := c.letValue(s)
	c.binding = nil
	c.bindIrrefutable(s.Pattern, t, 0, inLet)
	c.leaveOpen(s, r)
	c.closeRegion(r)
	c.noteLambda(s)
	c.eachBinding(s.Pattern, func(b *syntax.BindPattern) {
		if g := c.info.GlobalBinds[b]; g != nil {
			if g.Type == nil {
				g.Type = Invalid
			}
			c.globals[g] = true
		}
	})
	return t == Type(Never)
}

// bodies checks the functions of a type.
func (c *checker) bodies(t *TypeDecl) {
	for _, f := range t.Methods {
		c.body(f)
	}
	for _, f := range t.Statics {
		c.body(f)
	}
}

// body checks the defaults and the body of a function, once.
func (c *checker) body(fn *FuncDecl) {
	st := c.fns[fn]
	if st == nil || st.started {
		return
	}
	st.started = true
	tparams := append(fn.OwnerParams()[:len(fn.OwnerParams()):len(fn.OwnerParams())], fn.TypeParams...)
	place := env{mod: fn.Module, info: fn.Module.Info, tparams: tparams, frame: &frame{node: fn}}
	c.in(place, func() {
		for _, p := range fn.Params {
			if p.Default != nil {
				c.defaultValue(p.Default, p.Type, p.Name, p.Obj.At)
			}
		}
		if fn.Syntax.Body == nil {
			return
		}
		c.bindSelf(fn)
		for i, p := range fn.Params {
			c.bind(fn.Syntax.Params[i].Name, p.Obj, len(c.names))
		}
		c.frame.result = fn.Result
		c.frame.why = &reason{text: "the result of `" + fn.Name + "`", at: fn.At, note: "declared here"}
		if fn.Syntax.Result != nil {
			c.frame.why.at, c.frame.why.note = fn.Syntax.Result.Span(), "the declared result"
		}
		c.frame.yields = fn.Syntax.Yields
		r := c.openRegion()
		c.functionBody(fn.Syntax.Body, c.frame)
		c.closeRegion(r)
		st.effects = c.frame.effects
	})
	if fn.Module.Std {
		c.checkSpawns()
	}
}

// bindSelf brings self into scope in a method.
func (c *checker) bindSelf(fn *FuncDecl) {
	switch {
	case fn.On != nil:
		c.on = fn.On
		return
	case fn.Owner != nil:
		c.self, c.on = fn.Owner.Self, fn.Owner
	case fn.Ext != nil:
		c.self = fn.Ext.Target
	default:
		return
	}
	l := &Local{Name: "self", Type: c.self, Func: fn, At: fn.At, Used: true}
	c.info.Selfs[fn.Syntax] = l
	c.push(binding{"self", l, c.frame, 0})
}

// defaultValue checks the default of a parameter or field, which sees only
// the module's names.
func (c *checker) defaultValue(e syntax.Expr, t Type, name string, at diag.Span) {
	r := c.openRegion()
	c.check(e, t, &reason{text: "the default of `" + name + "`", at: at, note: "declared here"})
	c.closeRegion(r)
}

// fieldDefaults checks the defaults of the fields of a type, once.
func (c *checker) fieldDefaults(t *TypeDecl) {
	if !c.fields[t] {
		return
	}
	delete(c.fields, t)
	c.in(env{mod: t.Module, info: t.Module.Info, tparams: t.Params, frame: &frame{node: t}}, func() {
		for _, f := range t.Fields {
			if f.Default != nil {
				c.defaultValue(f.Default, f.Type, f.Name, f.At)
			}
		}
		for _, v := range t.Variant {
			for _, f := range v.Fields {
				if f.Default != nil {
					c.defaultValue(f.Default, f.Type, f.Name, f.At)
				}
			}
		}
	})
}

// lambda checks a lambda. Types that are not written come from the function
// type expected; the rest are variables of the call around it.
func (c *checker) lambda(e *syntax.Lambda, want Type, why *reason) Type {
	w, _ := orInvalid(withoutOptional(want)).(*Func)
	miscounted := false
	if w != nil && len(w.Params) != len(e.Params) {
		c.err(diag.TypeMismatch, e.Sp, "expected a function of %s, but this has %d", plural(len(w.Params), "parameter"), len(e.Params)).
			text("expected `%s`", c.shown(w)).
			pairHelp(c, e, w)
		w, miscounted = nil, true
	}
	f := &Func{Params: make([]Type, len(e.Params))}
	locals := make([]*Local, len(e.Params))
	fr := &frame{node: e, expr: e, parent: c.frame, yields: e.Yields, why: &reason{text: "the result of this function", outer: why}}
	for i, p := range e.Params {
		switch {
		case p.Type != nil:
			f.Params[i] = c.typeExpr(p.Type)
		case w != nil:
			f.Params[i] = Prune(w.Params[i])
		case miscounted:
			f.Params[i] = Invalid
		default:
			f.Params[i] = c.paramVar(p)
		}
		if p.Pattern != nil {
			continue
		}
		c.lowerCase(p.Name, "parameter")
		locals[i] = &Local{Name: p.Name.Text, Type: f.Params[i], Func: e, At: p.Name.Sp, Used: true}
		c.settle(&locals[i].Type)
		c.info.Params[p] = locals[i]
	}
	switch {
	case e.Result != nil:
		f.Result = c.typeExpr(e.Result)
		fr.why.at, fr.why.note = e.Result.Span(), "the declared result"
	case w != nil:
		f.Result = Prune(w.Result)
	default:
		f.Result = c.newVar(e.Sp, "the result type of this function", "write it: `|...| -> T { ... }`")
	}
	fr.result = f.Result
	c.inFrame(fr, func() {
		from := len(c.names)
		for i, p := range e.Params {
			if p.Pattern != nil {
				c.bindParts(p.Pattern, f.Params[i], from, inLambda)
				continue
			}
			c.bind(p.Name, locals[i], from)
		}
		e.Body = emptyMap(e.Body, f.Result)
		c.resultBody(e.Body, fr)
	})
	c.lits[e] = fr
	if miscounted {
		return Invalid
	}
	return f
}

// emptyMap is what the body of a lambda or of an arm means: `{}` is a map where one is
// wanted, as a block with nothing in it gives nothing.
func emptyMap(body syntax.Expr, want Type) syntax.Expr {
	b, ok := body.(*syntax.Block)
	if !ok || len(b.Stmts) > 0 || want == nil {
		return body
	}
	if _, ok := appOf(withoutOptional(want), CMap); !ok {
		return body
	}
	return &syntax.MapLit{ExprBase: b.ExprBase}
}

// pairHelp tells how a lambda takes apart the tuple that it is called with, where it has
// a parameter for each part.
func (r report) pairHelp(c *checker, e *syntax.Lambda, want *Func) report {
	if len(want.Params) != 1 || len(e.Params) < 2 {
		return r
	}
	if a, ok := appOf(Prune(want.Params[0]), CTuple); ok && len(a.Args) == len(e.Params) {
		names := make([]string, len(e.Params))
		for i, p := range e.Params {
			names[i] = c.source(p.Name.Sp)
		}
		first, last := e.Params[0].Name.Sp, e.Params[len(e.Params)-1].Name.Sp
		if e.Params[len(e.Params)-1].Type != nil {
			return r.help("it is called with one tuple; take it apart in parentheses: `|(%s)| ...`", strings.Join(names, ", "))
		}
		r.fix("take the tuple apart: it is called with one", diag.Edit{Span: diag.Span{Start: first.Start, End: first.Start}, New: "("},
			diag.Edit{Span: diag.Span{Start: last.End, End: last.End}, New: ")"})
	}
	return r
}

// paramVar is the type of a lambda's parameter that is to be found out.
func (c *checker) paramVar(p *syntax.Param) Type {
	if x, ok := p.Pattern.(*syntax.TuplePattern); ok && x.Rest == 0 && len(x.Elems) > 0 {
		return c.tupleOf(x)
	}
	text := c.source(p.Name.Sp)
	return c.newVar(p.Name.Sp, "the type of parameter `"+text+"`", "write it: `|"+text+": T| ...`")
}

// bindParts binds the names of a for's or a parameter's pattern, which need not be used.
func (c *checker) bindParts(p syntax.Pattern, t Type, scope int, where sure) {
	first := len(c.names)
	c.bindIrrefutable(p, t, scope, where)
	for _, b := range c.names[first:] {
		if l, ok := b.obj.(*Local); ok {
			l.Used = true
		}
	}
}

// resultBody checks the body of a lambda or task, whose result may be found
// out by it.
func (c *checker) resultBody(body syntax.Expr, fr *frame) {
	v, open := Prune(fr.result).(*Var)
	if !open || fr.yields {
		c.functionBody(body, fr)
		return
	}
	t := Prune(c.expr(body, v, nil))
	switch {
	case t == Type(Never):
		c.diverge = append(c.diverge, v)
	case t == Type(Invalid) && v.Link == nil:
		c.link(v, Invalid)
	case !c.convertible(tail(body), t, fr.result):
		c.mismatch(tail(body), t, fr.result, fr.why)
	}
}
