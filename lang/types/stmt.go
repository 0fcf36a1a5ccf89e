package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// block checks a block; its type is that of its last expression, () without
// one, never when it is left before its end.
func (c *checker) block(b *syntax.Block, want Type, why *reason) Type {
	names, facts := len(c.names), len(c.facts)
	laters, before := len(c.laters), c.faults()
	c.frame.scopes = append(c.frame.scopes, names)
	diverged, warned := false, false
	var t Type
	for i, s := range b.Stmts {
		if c.isPast(s) {
			break
		}
		if diverged && !warned {
			warned = true
			c.unreachable(s.Span())
		}
		if x, ok := s.(*syntax.ExprStmt); ok && i == len(b.Stmts)-1 && !x.Semi {
			if diverged { // never reached: it need not be what is wanted
				c.expr(x.X, want, nil)
				break
			}
			t = c.blockValue(x.X, want, why)
			diverged = diverged || t == Type(Never)
			break
		}
		if _, ok := s.(*syntax.FnDecl); ok {
			c.localFns(b.Stmts, i)
		} else if c.stmt(s) {
			diverged = true
		}
		if _, bad := s.(*syntax.BadStmt); bad {
			t = Invalid // what is missing may be here
		}
	}
	c.reportLaters(laters, before)
	c.reportUnusedLocals(names)
	c.frame.scopes = c.frame.scopes[:len(c.frame.scopes)-1]
	c.names, c.facts = c.names[:names], c.facts[:facts]
	switch {
	case diverged:
		return Never
	case t != nil:
		if why != nil && want != nil && !isOpen(want) {
			return want // the value was held to it, or reported
		}
		return t
	case why != nil && want != nil && want != Type(Unit) && !isOpen(want) && want != Type(Invalid) && want != Type(Any):
		c.missingValue(b, want, why)
		return Invalid
	}
	return Unit
}

func (c *checker) blockValue(x syntax.Expr, want Type, why *reason) Type {
	defer c.commentedOperand(x)
	if why != nil && want != nil {
		return Prune(c.check(x, want, why))
	}
	return c.expr(x, want, why)
}

// missingValue reports a block without a value where one is needed.
func (c *checker) missingValue(b *syntax.Block, want Type, why *reason) {
	at := b.Rbrace
	if !at.IsValid() {
		at = b.Sp
	}
	d := c.err(diag.MissingValue, at, "%s must be `%s`, but this block gives no value", why, c.shown(want))
	d.label(why.at, "`%s` is expected here", c.shown(want))
	if n := len(b.Stmts); n > 0 {
		if s, ok := b.Stmts[n-1].(*syntax.ExprStmt); ok && s.Semi && c.convertible(s.X, c.info.TypeOf(s.X), want) {
			c.followsFrom(diag.DroppedValue, s.X.Span())
			d.help("the `;` after the last expression drops its value")
			rest := diag.Span{Start: s.X.Span().End, End: b.Sp.End}
			if i := strings.IndexByte(c.source(rest), ';'); i >= 0 {
				semi := rest.Start + uint32(i)
				d.fix("remove the `;`", diag.Edit{Span: diag.Span{Start: semi, End: semi + 1}})
			}
			return
		}
	}
	if want == Type(Never) {
		d.help("end it with `throw` or an endless `loop`")
		return
	}
	d.help("end it with an expression, `return` or `throw`")
}

func (c *checker) unreachable(at diag.Span) {
	c.warn(diag.UnreachableCode, at, "this is never reached").
		note("what stands before it always leaves the block")
}

// stmt checks a statement, a region of inference. It reports whether the
// statement never ends.
func (c *checker) stmt(s syntax.Stmt) (diverges bool) {
	c.current = s.Span()
	switch s := s.(type) {
	case *syntax.ExprStmt:
		// Statements in a lambda may leave variables of its call open.
		if c.isLambda() {
			return c.drop(s.X) == Type(Never)
		}
		r := c.openRegion()
		diverges = c.drop(s.X) == Type(Never)
		c.closeRegion(r)
	case *syntax.LetStmt:
		r := c.openRegion()
		diverges = c.let(s)
		c.leaveOpen(s, r)
		c.closeRegion(r)
		c.noteLambda(s)
	case *syntax.AssignStmt:
		r := c.openRegion()
		c.assign(s)
		c.closeRegion(r)
	case *syntax.DeferStmt:
		r := c.openRegion()
		c.deferStmt(s)
		c.closeRegion(r)
	case *syntax.BadStmt:
		c.broken = true
	default:
		what := "this declaration"
		switch s.(type) {
		case *syntax.ImportDecl:
			what = "an import"
		case *syntax.TestDecl:
			what = "a test or a benchmark"
		case *syntax.StructDecl, *syntax.EnumDecl, *syntax.InterfaceDecl, *syntax.TypeDecl:
			what = "a type"
		}
		c.err(diag.MisplacedDecl, s.Span(), "%s must be declared at the top level of the file", what)
	}
	return diverges
}

// isLambda reports whether the code being checked is in a lambda, whose types
// may depend on the call it is an argument of.
func (c *checker) isLambda() bool {
	_, ok := c.frame.node.(*syntax.Lambda)
	return ok
}

// noteLambda remembers what a let binds to a lambda, for calls by spawned code.
func (c *checker) noteLambda(s *syntax.LetStmt) {
	lit, ok := unparen(s.Value).(*syntax.Lambda)
	b, simple := s.Pattern.(*syntax.BindPattern)
	if !ok || !simple || s.Kind == syntax.Var || c.lits[lit] == nil {
		return
	}
	if g := c.info.GlobalBinds[b]; g != nil {
		c.lambdas[g] = c.lits[lit]
	} else if info := c.info.Pats[b]; info != nil && info.Bind != nil {
		c.lambdas[info.Bind] = c.lits[lit]
	}
}

// drop checks an expression whose value is not used. It gives () or never.
func (c *checker) drop(e syntax.Expr) Type {
	var t Type
	switch x := unparen(e).(type) {
	case *syntax.If, *syntax.Match, *syntax.Block, *syntax.Try, *syntax.Scope, *syntax.Lock, *syntax.Select:
		t = c.expr(e, Unit, becauseDrop)
	default:
		t = c.expr(e, nil, nil)
		if t != Type(Invalid) && t != Type(Never) && t != Type(Unit) {
			if what := c.pure(x); what != "" {
				c.reportDropped(e, what)
			}
		}
	}
	if t == Type(Never) {
		return Never
	}
	return Unit
}

// pure says what a dropped expression is when dropping it makes no sense.
func (c *checker) pure(e syntax.Expr) string {
	switch x := e.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.StrLit, *syntax.BytesLit, *syntax.DurationLit, *syntax.NoneLit:
		return "this value"
	case *syntax.InterpLit:
		return "this text"
	case *syntax.ListLit, *syntax.MapLit, *syntax.TupleLit, *syntax.RangeLit:
		return "this value"
	case *syntax.Ident, *syntax.SelfExpr, *syntax.Member, *syntax.Index:
		return "this value"
	case *syntax.Lambda:
		return "this function is not called, and it"
	case *syntax.Unary, *syntax.Is, *syntax.As:
		return "the result of this operator"
	case *syntax.Binary:
		switch x.Op {
		case syntax.OpAndAnd, syntax.OpOrOr, syntax.OpCoalesce:
			return c.pure(unparen(x.Y))
		}
		return "the result of this operator"
	case *syntax.Paren:
		return c.pure(x.X)
	case *syntax.Call:
		if info := c.info.Calls[x]; info != nil && (info.Kind == CallStruct || info.Kind == CallVariant || info.Kind == CallCopy) {
			return "this value"
		} else if info != nil && info.Fn != nil && info.Fn.Syntax.Yields {
			return "a generator runs only when somebody iterates, and this one"
		}
		if c.makesError(x) {
			return "this error is not thrown, and it"
		}
	}
	return ""
}

// makesError reports a call of `error`, which makes one and throws nothing.
func (c *checker) makesError(e *syntax.Call) bool {
	id, ok := e.Fn.(*syntax.Ident)
	if !ok || id.Name != "error" {
		return false
	}
	fn, ok := c.info.Uses[id.Id].(*FuncDecl)
	return ok && fn.Module.Std
}

func (c *checker) reportDropped(e syntax.Expr, what string) {
	if at := e.Span().End; strings.HasPrefix(strings.TrimLeft(c.restOfLine(at), " "), "//=") {
		at += uint32(strings.Index(c.restOfLine(at), "/"))
		slashes := diag.Span{Start: at, End: at + 3}
		c.err(diag.ForeignSyntax, slashes, "`//` begins a comment: nothing is divided here").
			fix("integers are divided with `/=`", diag.Edit{Span: slashes, New: "/="})
		return
	}
	if fn, ok := c.frame.node.(*FuncDecl); ok && fn.Syntax.Untyped && fn.Syntax.Body != nil && lastExpr(fn.Syntax.Body) == e {
		return // it has been told that its result needs a type
	}
	d := c.err(diag.DroppedValue, e.Span(), "%s is not used", what)
	switch x := unparen(e).(type) {
	case *syntax.Unary:
		if x.Op == syntax.OpNeg {
			d.help("to continue the line above, write the `-` at its end")
			return
		}
	case *syntax.Binary:
		if x.Op == syntax.OpEq {
			switch unparen(x.X).(type) {
			case *syntax.Ident, *syntax.Member, *syntax.Index:
				d.help("`==` compares; to assign, write `=`")
			default:
				d.help("`==` compares: use what it gives, `if %s { ... }`, or demand it, `assert(%[1]s)`", c.source(e.Span()))
			}
			return
		}
		if y, ok := x.Y.(*syntax.Unary); ok && x.Op == syntax.OpLt && y.Op == syntax.OpNeg && c.info.TypeOf(x.X) == Type(Invalid) {
			c.follows[d.Diagnostic] = true // ch <- v of a channel that is wrong already
		}
	case *syntax.ListLit, *syntax.TupleLit:
		d.help("a line that begins with `(` or `[` starts a new statement")
		return
	case *syntax.Lambda:
		d.help("call it, or remove it")
		return
	case *syntax.Call:
		if c.makesError(x) {
			d.fix("write `throw`", diag.Edit{Span: diag.Span{Start: x.Sp.Start, End: x.Sp.Start}, New: "throw "})
			return
		}
	case *syntax.Ident:
		if _, ok := c.info.Uses[x.Id].(*FuncDecl); ok {
			d.help("call the function: `%s()`", x.Name)
			return
		}
	case *syntax.Member:
		if m := c.info.Members[x]; m != nil && m.Kind == MemMethod {
			d.help("call the method: `%s()`", c.source(x.Sp))
			return
		}
	}
	if _, ok := unparen(e).(*syntax.NoneLit); ok {
		d.help("an arm or branch that does nothing is written `{}`")
		return
	}
	if fn, ok := c.frame.node.(*FuncDecl); ok && fn.Syntax.Result == nil && fn.Syntax.Body != nil && lastExpr(fn.Syntax.Body) == e {
		d.help("to give it back from `%s`, declare its type: `-> %s`", fn.Name, c.shown(c.info.TypeOf(e)))
		return
	}
	if c.frame.yields {
		if elem, ok := elementOf(c.frame.result); !ok {
			c.follows[d.Diagnostic] = true // the function is none that yields
		} else if Identical(c.shown(c.info.TypeOf(e)), c.shown(elem)) {
			d.fix("give it as an element", diag.Edit{Span: diag.Span{Start: e.Span().Start, End: e.Span().Start}, New: "yield "})
			return
		}
	} else if want := c.frame.result; want != nil && want != Type(Unit) && Identical(c.shown(c.info.TypeOf(e)), c.shown(want)) {
		d.help("a value that is not the last of a block is dropped; give it back with `return`").
			fix("write `return`", diag.Edit{Span: diag.Span{Start: e.Span().Start, End: e.Span().Start}, New: "return "})
		return
	}
	d.help("use it, or remove it; `let _ = ...` drops a value on purpose")
}

// ---- let ----

func (c *checker) let(s *syntax.LetStmt) (diverges bool) {
	if s.Kind == syntax.Const && c.localConst(s) {
		return false
	}
	outer := c.binding
	c.binding = s
	t := c.letValue(s)
	c.binding = outer
	if s.Kind == syntax.Var {
		c.bindPattern(s.Pattern, t, true)
	} else {
		c.bindIrrefutable(s.Pattern, t, c.scopeStart(), inLet)
	}
	return t == Type(Never)
}

// letValue checks the value of a let and gives the type of what it binds.
func (c *checker) letValue(s *syntax.LetStmt) Type {
	defer c.commentedOperand(s.Value)
	if s.Type == nil {
		return c.expr(s.Value, nil, nil)
	}
	t := c.typeExpr(s.Type)
	why := &reason{text: "this value", at: s.Type.Span(), note: "declared with this type"}
	if b, ok := s.Pattern.(*syntax.BindPattern); ok {
		why.text = "the value of `" + b.Name.Text + "`"
	}
	if got := c.check(s.Value, t, why); got == Type(Never) {
		return Never
	}
	return t
}

// scopeStart is where the names of the innermost block begin.
func (c *checker) scopeStart() int {
	if n := len(c.frame.scopes); n > 0 {
		return c.frame.scopes[n-1]
	}
	return len(c.names)
}

func (c *checker) bindPattern(p syntax.Pattern, t Type, isVar bool) {
	first := len(c.names)
	c.bindIrrefutable(p, t, c.scopeStart(), inLet)
	for _, b := range c.names[first:] {
		if l, ok := b.obj.(*Local); ok && isVar {
			l.Var = true
		}
	}
}

func (c *checker) deferStmt(s *syntax.DeferStmt) {
	if c.frame.result == nil && !c.frameIsScript() { // of a module, or a default
		c.err(diag.OutsideFunction, s.Sp, "`defer` can only stand in a function")
	}
	c.noDefer(s)
	loops := c.frame.loops
	c.frame.loops = nil
	c.frame.defers++
	facts := len(c.facts)
	names := len(c.names)
	c.frame.scopes = append(c.frame.scopes, names)
	c.stmt(s.Body)
	c.frame.scopes = c.frame.scopes[:len(c.frame.scopes)-1]
	c.names, c.facts = c.names[:names], c.facts[:facts]
	c.frame.defers--
	c.frame.loops = loops
}

func (c *checker) frameIsScript() bool {
	m, ok := c.frame.node.(*Module)
	return ok && m.Script
}
