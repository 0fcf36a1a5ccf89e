package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// block checks a block; its type is that of its last expression, () without
// one, never when it is left before its end.
func (c *checker) block(b *syntax.Block, want Type, why *reason) Type {
	names, facts := len(c.names), len(c.facts)
	c.frame.scopes = append(c.frame.scopes, names)
	diverged, warned := false, false
	var t Type
	for i, s := range b.Stmts {
		if diverged && !warned {
			warned = true
			c.unreachable(s.Span())
		}
		if x, ok := s.(*syntax.ExprStmt); ok && i == len(b.Stmts)-1 && !x.Semi {
			if diverged { // never reached: its type does not matter
				c.expr(x.X, nil, nil)
				break
			}
			t = c.blockValue(x.X, want, why)
			diverged = diverged || t == Type(Never)
			break
		}
		if c.stmt(s) {
			diverged = true
		}
		if _, bad := s.(*syntax.BadStmt); bad {
			t = Invalid // what is missing may be here
		}
	}
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
		if s, ok := b.Stmts[n-1].(*syntax.ExprStmt); ok && s.Semi {
			semi := diag.Span{Start: s.X.Span().End, End: s.Sp.End}
			d.help("the `;` after the last expression drops its value").fix("remove the `;`", diag.Edit{Span: semi})
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
		case *syntax.FnDecl:
			what = "a function"
		case *syntax.ImportDecl:
			what = "an import"
		case *syntax.TestDecl:
			what = "a test"
		case *syntax.StructDecl, *syntax.EnumDecl, *syntax.InterfaceDecl, *syntax.TypeDecl:
			what = "a type"
		}
		d := c.err(diag.MisplacedDecl, s.Span(), "%s must be declared at the top level of the file", what)
		if _, ok := s.(*syntax.FnDecl); ok {
			d.help("inside a function, write a lambda: `let f = |x: int| -> int { ... }`")
		}
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
	if !ok || !simple || s.Kind != syntax.Let || c.lits[lit] == nil {
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
		if info := c.info.Calls[x]; info != nil && (info.Kind == CallStruct || info.Kind == CallVariant) {
			return "this value"
		}
	}
	return ""
}

func (c *checker) reportDropped(e syntax.Expr, what string) {
	d := c.err(diag.DroppedValue, e.Span(), "%s is not used", what)
	switch x := unparen(e).(type) {
	case *syntax.Unary:
		if x.Op == syntax.OpNeg {
			d.help("to continue the line above, write the `-` at its end")
			return
		}
	case *syntax.Binary:
		if x.Op == syntax.OpEq {
			d.help("`==` compares; to assign, write `=`")
			return
		}
	case *syntax.ListLit, *syntax.TupleLit:
		d.help("a line that begins with `(` or `[` starts a new statement")
		return
	case *syntax.Lambda:
		d.help("call it, or remove it")
		return
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
	if fn, ok := c.frame.node.(*FuncDecl); ok && fn.Syntax.Result == nil && fn.Syntax.Body != nil && lastExpr(fn.Syntax.Body) == e {
		d.help("to give it back from `%s`, declare its type: `-> %s`", fn.Name, c.shown(c.info.TypeOf(e)))
		return
	}
	d.help("use it, or remove it; `let _ = ...` drops a value on purpose")
}

// ---- let ----

func (c *checker) let(s *syntax.LetStmt) (diverges bool) {
	if s.Kind == syntax.Const {
		c.localConst(s)
		return false
	}
	t := c.letValue(s)
	if s.Kind == syntax.Var {
		c.bindPattern(s.Pattern, t, true)
	} else {
		c.bindIrrefutable(s.Pattern, t, c.scopeStart())
	}
	return t == Type(Never)
}

// letValue checks the value of a let and gives the type of what it binds.
func (c *checker) letValue(s *syntax.LetStmt) Type {
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
	c.bindIrrefutable(p, t, c.scopeStart())
	for _, b := range c.names[first:] {
		if l, ok := b.obj.(*Local); ok && isVar {
			l.Var = true
		}
	}
}

// ---- assignment ----

func (c *checker) assign(s *syntax.AssignStmt) {
	target := unparen(s.Target)
	t := c.target(target)
	if target != s.Target {
		c.info.Types[s.Target.ID()] = t
	}
	if s.Op == syntax.OpNone {
		c.check(s.Value, t, &reason{text: "what is assigned to `" + c.short(target) + "`"})
		return
	}
	var got Type
	if w := Prune(t); w == Type(Float) || c.isNumberParam(w) {
		got = c.expr(s.Value, w, nil)
	} else {
		got = c.expr(s.Value, nil, nil)
	}
	res := c.operate(s.Op, s.OpSp, s.Target, s.Value, Prune(t), Prune(got))
	if res != Type(Invalid) && !c.convertible(nil, res, t) {
		c.err(diag.TypeMismatch, s.Value.Span(), "the result is `%s`, but `%s` is `%s`", c.shown(res), c.short(target), c.shown(t))
	}
}

// short is an expression's source for a message.
func (c *checker) short(e syntax.Expr) string {
	if s := c.source(e.Span()); len(s) <= 30 {
		return s
	}
	return "this"
}

// target checks what is assigned to and gives the type of the place.
func (c *checker) target(e syntax.Expr) Type {
	switch x := e.(type) {
	case *syntax.Ident:
		t := c.variableTarget(x)
		c.info.Types[x.Id] = t
		return t
	case *syntax.Member:
		t := c.expr(x, nil, nil)
		info := c.info.Members[x]
		switch {
		case info == nil:
			return t
		case x.Safe:
			c.err(diag.BadTarget, x.Sp, "`?.` cannot be assigned through").help("use `if let v = x { v.%s = ... }`", x.Name.Text)
			return Invalid
		case info.Kind == MemField && info.Field.ReadOnly:
			c.err(diag.Immutable, x.Name.Sp, "field `%s` is read-only", info.Field.Name).
				label(info.Field.At, "declared with `let`").
				help("remove the `let` of its declaration to make it assignable")
		case info.Kind == MemTuple:
			c.err(diag.Immutable, x.Sp, "a tuple cannot be changed").help("make a new one: `t = (a, b)`")
		case info.Kind == MemModule:
			c.err(diag.Immutable, x.Sp, "`%s` belongs to another module and cannot be assigned", c.short(x))
		case info.Kind != MemField:
			c.err(diag.BadTarget, x.Sp, "`%s` cannot be assigned", c.short(x))
		}
		return t
	case *syntax.Index:
		reports := len(c.reports)
		t := c.expr(x, nil, nil)
		if len(c.reports) > reports {
			return t
		}
		switch xt := Prune(c.info.TypeOf(x.X)); {
		case xt == Type(Str) || xt == Type(Bytes):
			c.err(diag.Immutable, x.Sp, "a `%s` cannot be changed", xt).help("build a new one, or use a `buffer`")
		default:
			if _, ok := unparen(x.I).(*syntax.RangeLit); ok && xt != Type(Invalid) {
				c.err(diag.BadTarget, x.Sp, "a slice cannot be assigned")
			}
		}
		return t
	case *syntax.BadExpr:
		return Invalid
	}
	t := c.expr(e, nil, nil)
	c.err(diag.BadTarget, e.Span(), "this cannot be assigned to").
		help("a variable, a field `x.f` or an element `x[i]` can")
	c.giveUp(t, 0)
	return Invalid
}

func (c *checker) variableTarget(x *syntax.Ident) Type {
	fixed := func(at diag.Span, what, help string) {
		d := c.err(diag.Immutable, x.Sp, "`%s` cannot be assigned, as it is %s", x.Name, what)
		d.label(at, "declared here")
		if help != "" {
			d.help("%s", help)
		}
	}
	if b := c.local(x.Name); b != nil {
		c.info.Uses[x.Id] = b.obj
		switch o := b.obj.(type) {
		case *Local:
			c.use(b, x.Sp)
			c.mutated[o] = true
			if !o.Var {
				o.Used = true
				c.reportFixed(o, fixed)
			}
			return o.Type
		case *ConstObj:
			o.Used = true
			fixed(o.At, "a constant", "")
			return o.Type
		}
	}
	o := c.topLevel(x.Name)
	if o == nil {
		d := c.err(diag.UnknownName, x.Sp, "there is no variable `%s`", x.Name)
		if c.self != nil && c.memberKind(c.self, x.Name) == "field" {
			d.help("`%s` is a field of this type: write `self.%s`", x.Name, x.Name).
				fix("write self."+x.Name, diag.Edit{Span: x.Sp, New: "self." + x.Name})
		} else if near := nearest(x.Name, c.visibleNames()); near != "" {
			d.help("did you mean `%s`?", near)
		} else {
			d.help("declare it: `var %s = ...`", x.Name)
		}
		return Invalid
	}
	c.info.Uses[x.Id] = o
	switch o := o.(type) {
	case *Global:
		c.useGlobal(o, x.Sp)
		c.mutated[o] = true
		if !o.Var {
			o.Used = true
			fixed(o.At, "declared with `let`", "declare it with `var`")
		}
		return c.globalValue(x, o)
	case *ConstObj:
		o.Used = true
		fixed(o.At, "a constant", "")
		return o.Type
	case badObj:
		return Invalid
	}
	c.err(diag.BadTarget, x.Sp, "`%s` is no variable", x.Name).label(objectPlace(o), "declared here")
	return Invalid
}

func (c *checker) reportFixed(o *Local, fixed func(diag.Span, string, string)) {
	if fn, ok := o.Func.(*FuncDecl); ok {
		for _, p := range fn.Params {
			if p.Obj == o {
				fixed(o.At, "a parameter", "copy it: `var "+o.Name+"_now = "+o.Name+"`")
				return
			}
		}
	}
	fixed(o.At, "not declared with `var`", "declare it with `var`")
}

// ---- defer, loops, jumps ----

func (c *checker) deferStmt(s *syntax.DeferStmt) {
	if c.frame.result == nil {
		if _, top := c.frame.node.(*Module); top && !c.frameIsScript() {
			c.err(diag.OutsideFunction, s.Sp, "`defer` can only stand in a function")
		}
	}
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

// loop is a loop around the code being checked.
type loop struct {
	label  string
	expr   syntax.Expr
	broken bool // a break leaves it
}

func (c *checker) inLoop(e syntax.Expr, label syntax.Name, body *syntax.Block) *loop {
	l := &loop{label: label.Text, expr: e}
	if label.Text != "" {
		for _, o := range c.frame.loops {
			if o.label == label.Text {
				c.err(diag.DuplicateName, label.Sp, "a loop around this one has the label `%s` too", label.Text)
			}
		}
	}
	c.frame.loops = append(c.frame.loops, l)
	facts := len(c.facts)
	c.drop(body)
	c.facts = c.facts[:facts]
	c.frame.loops = c.frame.loops[:len(c.frame.loops)-1]
	return l
}

func (c *checker) while(e *syntax.While) Type {
	names, facts := len(c.names), len(c.facts)
	yes, no := c.condHead(e.Cond)
	c.facts = append(c.facts, yes...)
	l := c.inLoop(e, e.Label, e.Body)
	c.reportUnusedLocals(names)
	c.names, c.facts = c.names[:names], c.facts[:facts]
	if !l.broken {
		c.facts = append(c.facts, no...)
	}
	return Unit
}

func (c *checker) loopExpr(e *syntax.Loop) Type {
	if c.inLoop(e, e.Label, e.Body).broken {
		return Unit
	}
	return Never
}

func (c *checker) jump(e syntax.Expr, label syntax.Name, at diag.Span, what string) Type {
	loops := c.frame.loops
	if len(loops) == 0 {
		switch {
		case c.frame.defers > 0:
			c.err(diag.LeavesDefer, at, "`%s` cannot leave a `defer`", what)
		case c.frame.expr != nil && c.frame.parent != nil && len(c.frame.parent.loops) > 0:
			c.err(diag.OutsideLoop, at, "`%s` cannot leave a closure or task for the loop around it", what).
				help("give back a value and let the loop decide")
		default:
			c.err(diag.OutsideLoop, at, "`%s` can only stand in a loop", what)
		}
		return Invalid
	}
	target := loops[len(loops)-1]
	if label.Text != "" {
		target = nil
		var labels []string
		for _, l := range loops {
			if l.label == label.Text {
				target = l
			}
			if l.label != "" {
				labels = append(labels, l.label)
			}
		}
		if target == nil {
			d := c.err(diag.UnknownLabel, label.Sp, "no loop around this has the label `%s`", label.Text)
			if near := nearest(label.Text, labels); near != "" {
				d.help("did you mean `%s`?", near)
			}
			return Invalid
		}
	}
	if what == "break" {
		target.broken = true
	}
	c.info.Labels[e] = target.expr
	return Never
}

func (c *checker) returnExpr(e *syntax.Return) Type {
	fr := c.frame
	switch {
	case fr.defers > 0:
		c.err(diag.LeavesDefer, e.Sp, "`return` cannot stand in a `defer`").note("it runs when the function has ended already")
	case fr.result == nil:
		c.err(diag.OutsideFunction, e.Sp, "`return` can only stand in a function")
	case e.X != nil && Prune(fr.result) == Type(Unit) && fr.why != nil && !c.isLambda():
		t := c.expr(e.X, nil, nil)
		if t != Type(Unit) && t != Type(Invalid) && t != Type(Never) {
			d := c.err(diag.TypeMismatch, e.X.Span(), "this function gives no value")
			if fn, ok := fr.node.(*FuncDecl); ok {
				d.label(fn.At, "declared without a result").help("declare it: `-> %s`", c.shown(t))
			}
		}
		return Never
	case e.X != nil:
		c.check(e.X, fr.result, fr.why)
		return Never
	default:
		if t := Prune(fr.result); isOpen(t) {
			c.tryUnify(t, Unit)
		} else if t != Type(Unit) && t != Type(Invalid) {
			c.err(diag.MissingValue, e.Sp, "this `return` needs a value of type `%s`", c.shown(t))
		}
		return Never
	}
	if e.X != nil {
		c.expr(e.X, nil, nil)
	}
	return Invalid
}

func (c *checker) forExpr(e *syntax.For) Type {
	names, facts := len(c.names), len(c.facts)
	info := &ForInfo{Vars: make([]*Local, len(e.Vars)), Elem: Invalid}
	vars := c.iterate(e, info)
	c.info.Fors[e] = info
	for i, b := range e.Vars {
		var t Type = Invalid
		if i < len(vars) {
			t = vars[i]
		}
		c.info.Pats[b] = &PatInfo{Type: t}
		c.info.Types[b.Id] = t
		if b.Name.Text == "_" {
			continue
		}
		c.lowerCase(b.Name, "variable")
		l := c.newLocal(b.Name, t)
		l.Used = true
		c.settle(&l.Type)
		info.Vars[i] = l
		c.info.Pats[b].Bind = l
		c.bind(b.Name, l, names)
	}
	c.settle(&info.Elem)
	c.settle(&info.Key)
	c.inLoop(e, e.Label, e.Body)
	c.names, c.facts = c.names[:names], c.facts[:facts]
	return Unit
}

// iterate finds out how a for runs, and the types of its variables.
func (c *checker) iterate(e *syntax.For, info *ForInfo) []Type {
	t := Prune(c.expr(e.X, nil, nil))
	one := func(kind ForKind, elem Type) []Type {
		info.Kind, info.Elem = kind, Prune(elem)
		if len(e.Vars) > 1 {
			c.err(diag.NotIterable, e.Vars[1].Sp, "this loop has only one variable: `%s` gives one value each turn", c.shown(t)).
				help("only lists, maps and strings give two")
		}
		return []Type{info.Elem}
	}
	two := func(kind ForKind, first, elem Type) []Type {
		info.Kind, info.Elem = kind, Prune(elem)
		if len(e.Vars) < 2 {
			return []Type{info.Elem}
		}
		return []Type{Prune(first), info.Elem}
	}
	if _, ok := unparen(e.X).(*syntax.RangeLit); ok {
		return one(ForRange, Int)
	}
	switch x := t.(type) {
	case *App:
		switch x.Ctor {
		case CList:
			return two(ForList, Int, x.Args[0])
		case CMap:
			info.Key = Prune(x.Args[0])
			if len(e.Vars) < 2 {
				two(ForMap, nil, x.Args[1])
				return []Type{info.Key}
			}
			return two(ForMap, x.Args[0], x.Args[1])
		case CSet:
			return one(ForSet, x.Args[0])
		case CChan:
			return one(ForChan, x.Args[0])
		}
	case *Basic:
		switch x {
		case Str:
			return two(ForStr, Int, Str)
		case Bytes:
			return two(ForBytes, Int, Int)
		case Invalid, Never:
			return nil
		}
	case *Var:
		c.unknownYet(e.X, x)
		return nil
	}
	if c.isRange(t) {
		return one(ForRangeVal, Int)
	}
	if next, recvArgs := c.methodOf(t, "next"); next != nil && len(next.Params) == 0 && len(next.TypeParams) == 0 {
		if elem, ok := optionalOf(methodSubst(next, recvArgs, nil).Apply(next.Result)); ok {
			c.useFunc(next, e.X.Span())
			info.Next = &CallInfo{Kind: c.methodKind(t, next), Fn: next, RecvArgs: append([]Type(nil), recvArgs...)}
			c.settleAll(info.Next.RecvArgs)
			return one(ForIterator, elem)
		}
	}
	d := c.err(diag.NotIterable, e.X.Span(), "a `for` cannot run over `%s`", c.shown(t))
	switch {
	case t == Type(Int):
		d.help("count with a range: `for i in 0..n`")
	case isTuple(t):
		d.help("a tuple's elements have different types; name them: `let (a, b) = t`")
	default:
		if _, ok := optionalOf(t); ok {
			d.help("it may be none: use `if let xs = ... { for x in xs { } }`")
		} else {
			d.help("lists, maps, sets, strings, bytes, ranges, channels and types with `fn next() -> T?` can be run over")
		}
	}
	return nil
}
