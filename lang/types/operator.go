package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

func (c *checker) unary(e *syntax.Unary, want Type) Type {
	if e.Op == syntax.OpNot {
		c.cond(e.X)
		c.fold(e, Bool)
		return Bool
	}
	t := Prune(c.expr(e.X, c.numberHint(want), nil)) // an operator of its own gives another type
	if t == Type(Invalid) || t == Type(Never) {
		return t
	}
	if e.Op == syntax.OpNeg {
		if own := c.ownMethod(t, "NegOp"); own != nil {
			return c.operatorCall(e, e.Sp, own)
		}
	}
	ok := false
	v, open := t.(*Var)
	switch e.Op {
	case syntax.OpNeg:
		ok = t == Type(Int) || t == Type(Float) || t == Type(Duration) || c.isNumberParam(t) || open && v.IntLit
	case syntax.OpCompl:
		ok = t == Type(Int) || open && c.tryUnify(t, Int)
		if ok {
			t = Int
		}
	}
	if !ok {
		if open {
			c.unknownYet(e.X, v)
			return Invalid
		}
		d := c.err(diag.BadOperands, e.Sp, "`%s` cannot be used on `%s`", unaryText[e.Op], c.shown(t))
		if _, isOpt := optionalOf(t); isOpt {
			d.help("it may be none: use `x!` or `x ?? default` first")
		}
		return Invalid
	}
	c.fold(e, t)
	return t
}

var unaryText = [...]string{syntax.OpNot: "!", syntax.OpNeg: "-", syntax.OpCompl: "~"}

var binaryText = [...]string{
	syntax.OpNone: "=", syntax.OpAdd: "+", syntax.OpSub: "-", syntax.OpMul: "*", syntax.OpDiv: "/", syntax.OpMod: "%", syntax.OpPow: "**",
	syntax.OpShl: "<<", syntax.OpShr: ">>", syntax.OpAnd: "&", syntax.OpXor: "^", syntax.OpOr: "|",
	syntax.OpEq: "==", syntax.OpNe: "!=", syntax.OpLt: "<", syntax.OpLe: "<=", syntax.OpGt: ">", syntax.OpGe: ">=",
	syntax.OpAndAnd: "&&", syntax.OpOrOr: "||", syntax.OpCoalesce: "??",
}

func (c *checker) binary(e *syntax.Binary, want Type, why *reason) Type {
	switch e.Op {
	case syntax.OpAndAnd, syntax.OpOrOr:
		c.logical(e)
		return Bool
	case syntax.OpCoalesce:
		return c.coalesce(e, want, why)
	case syntax.OpEq, syntax.OpNe:
		return c.equality(e)
	}
	h := c.numberHint(want) // in `2 * 5s` the operands differ
	if isComparison(e.Op) {
		h = nil
	}
	if c.doubleMinus(e) {
		return Prune(c.expr(e.X, h, nil))
	}
	c.notPower(e)
	x, y := c.operands(e, h, want)
	if isComparison(e.Op) && isChained(e) {
		return Bool
	}
	if t, ok := c.ownBinary(e, e.Op, e.OpSp, e.X, e.Y, x, y); ok {
		return t
	}
	t := c.operate(e.Op, e.OpSp, e.X, e.Y, x, y)
	c.fold(e, t)
	return t
}

// numberHint is what is wanted of an operator's value, where its operands are of that type: a number.
func (c *checker) numberHint(want Type) Type {
	h := withoutOptional(want)
	if h != nil && h != Type(Float) && !c.isNumberParam(h) && !isOpen(h) {
		return nil
	}
	return h
}

// isChained reports a comparison of a comparison, a syntax error already.
func isChained(e *syntax.Binary) bool {
	x, ok := e.X.(*syntax.Binary)
	return ok && x.Op >= syntax.OpEq && x.Op <= syntax.OpGe
}

func isComparison(op syntax.BinOp) bool { return op >= syntax.OpLt && op <= syntax.OpGe }

// operate returns the type of x op y for everything but logic and equality.
func (c *checker) operate(op syntax.BinOp, at diag.Span, xe, ye syntax.Expr, x, y Type) Type {
	comparison := isComparison(op)
	if x == Type(Invalid) || y == Type(Invalid) {
		if comparison {
			return Bool
		}
		return Invalid
	}
	if x == Type(Never) || y == Type(Never) {
		return Never
	}
	x, y = c.adapt(op, xe, ye, x, y)
	if comparison {
		if c.tryUnify(x, y) && (c.isOrdered(x) || isIntVar(x)) {
			return Bool
		}
		c.badOperands(op, at, xe, ye, x, y)
		return Bool
	}
	if t := c.arithmetic(op, x, y); t != nil {
		return t
	}
	if v, ok := x.(*Var); ok {
		c.unknownYet(xe, v)
		return Invalid
	}
	if v, ok := y.(*Var); ok {
		c.unknownYet(ye, v)
		return Invalid
	}
	c.badOperands(op, at, xe, ye, x, y)
	return Invalid
}

func isIntVar(t Type) bool {
	v, ok := Prune(t).(*Var)
	return ok && (v.IntLit || v.Bound != nil)
}

// adapt makes integer literals float beside a float, and takes an operand of
// unknown type to be of the other's type.
func (c *checker) adapt(op syntax.BinOp, xe, ye syntax.Expr, x, y Type) (Type, Type) {
	floatish := func(t Type) bool { return t == Type(Float) || c.isNumberParam(t) }
	switch {
	case floatish(x) && y == Type(Int) && isIntLiteral(ye):
		c.retype(ye, x)
		return x, x
	case floatish(y) && x == Type(Int) && isIntLiteral(xe):
		c.retype(xe, y)
		return y, y
	}
	vx, xOpen := x.(*Var)
	vy, yOpen := y.(*Var)
	guess := func(t Type) bool { return t == Type(Int) || floatish(t) || t == Type(Str) }
	switch {
	case xOpen && yOpen && (vx.IntLit || vy.IntLit || vx == vy):
		c.tryUnify(x, y)
	case xOpen && !yOpen:
		if y == Type(Duration) && vx.IntLit {
			c.tryUnify(x, Int)
		} else if guess(y) || op >= syntax.OpLt {
			c.tryUnify(x, y)
		}
	case yOpen && !xOpen:
		if x == Type(Duration) && vy.IntLit {
			c.tryUnify(y, Int)
		} else if guess(x) || op >= syntax.OpLt {
			c.tryUnify(y, x)
		}
	}
	return Prune(x), Prune(y)
}

// arithmetic returns the type of x op y, nil when the operands do not fit.
func (c *checker) arithmetic(op syntax.BinOp, x, y Type) Type {
	same := x == y || Identical(x, y)
	number := x == Type(Int) || x == Type(Float) || c.isNumberParam(x) || isIntVar(x)
	switch op {
	case syntax.OpAdd:
		if same && (number || x == Type(Str) || x == Type(Duration) || x == Type(Bytes)) {
			return x
		}
		if isList(x) && isList(y) && c.tryUnify(x, y) {
			return x
		}
	case syntax.OpSub:
		if same && (number || x == Type(Duration)) {
			return x
		}
	case syntax.OpMod:
		if same && (number || x == Type(Duration)) {
			return x
		}
	case syntax.OpMul:
		switch {
		case same && number:
			return x
		case x == Type(Duration) && y == Type(Int), x == Type(Int) && y == Type(Duration):
			return Duration
		}
	case syntax.OpDiv:
		switch {
		case same && number:
			return x
		case x == Type(Duration) && y == Type(Int):
			return Duration
		case x == Type(Duration) && y == Type(Duration):
			return Int
		}
	case syntax.OpPow:
		if same && number {
			return x
		}
	case syntax.OpShl, syntax.OpShr, syntax.OpAnd, syntax.OpXor, syntax.OpOr:
		if isIntVar(x) {
			c.tryUnify(x, Int)
		}
		if Prune(x) == Type(Int) && (isIntVar(y) && c.tryUnify(y, Int) || Prune(y) == Type(Int)) {
			return Int
		}
	}
	return nil
}

func (c *checker) badOperands(op syntax.BinOp, at diag.Span, xe, ye syntax.Expr, x, y Type) {
	x, y = c.shown(x), c.shown(y)
	d := c.err(diag.BadOperands, at, "`%s` cannot be used on `%s` and `%s`", binaryText[op], x, y).
		label(xe.Span(), "`%s`", x).
		label(ye.Span(), "`%s`", y)
	_, xOpt := optionalOf(x)
	_, yOpt := optionalOf(y)
	xa, _ := x.(*App)
	if len(c.ownMethods(op, y)) > 0 {
		c.madeWithOf(d, xe, x, y)
	}
	switch {
	case op == syntax.OpLt && xa != nil && xa.Ctor == CChan:
		d.help("a value is sent with `ch.send(x)` and received with `ch.recv()`")
	case xa != nil && xa.Ctor == CMutex:
		d.help("use the value inside `lock m as v { ... }`")
	case xa != nil && xa.Ctor == CTask:
		d.help("wait for the task's value with `await`")
	case op == syntax.OpMul && y == Type(Int) && (x == Type(Str) || isList(x)):
		d.fix("write `repeat`", diag.Edit{Span: xe.Span().To(ye.Span()), New: c.source(xe.Span()) + ".repeat(" + c.source(ye.Span()) + ")"})
	case op == syntax.OpMul && x == Type(Int) && (y == Type(Str) || isList(y)):
		d.fix("write `repeat`", diag.Edit{Span: xe.Span().To(ye.Span()), New: c.source(ye.Span()) + ".repeat(" + c.source(xe.Span()) + ")"})
	case (op == syntax.OpMul || op == syntax.OpDiv || op == syntax.OpSub) && (x == Type(Str) || y == Type(Str)):
		d.help("`int(x)` and `float(x)` read a number from text")
	case op == syntax.OpMod && x == Type(Str) && c.percentText(d, xe, ye):
	case op == syntax.OpMod && x == Type(Str):
		d.help("text takes values in: \"${x}\", with a format \"${x:>8.2f}\"")
	case c.uncalled(d, xe, x, y), c.uncalled(d, ye, y, x):
	case xOpt || yOpt:
		d.help("an operand may be none: use `x!`, `x ?? default` or `if let`")
	case op == syntax.OpAdd && (x == Type(Str) || y == Type(Str)):
		d.help("turn the other operand into text: `str(x)`, or write \"${a}${b}\"")
	case x == Type(Int) && y == Type(Float), x == Type(Float) && y == Type(Int):
		d.help("convert the int: `float(n)`; only integer literals become float by themselves")
	case op == syntax.OpAdd && isList(x) && isList(y):
		d.help("lists that are joined have elements of one type; to convert those of one write `xs.map(|x| ...)`")
	case op == syntax.OpAdd && isList(x) && Identical(xa.Args[0], y):
		d.help("`xs.push(x)` adds an element to a list; `xs + [x]` makes a new one")
	case (op == syntax.OpOr || op == syntax.OpAnd) && x == Type(Bool):
		d.help("for bool write `%s%s`", binaryText[op], binaryText[op])
	case op == syntax.OpSub && Identical(x, y) && c.hasMember(x, "since"):
		d.help("the time between them is `a.since(b)`")
	case c.ownHelp(d, op, xe, ye, x, y):
	case isComparison(op) && Identical(x, y):
		if p, ok := x.(*TypeParam); ok {
			d.help("bound the type parameter: `<%s: Ordered>`", p.Name)
		} else {
			d.help("int, float, bool, str, bytes, duration, and tuples and enums of these are ordered; compare something of the values that is one of these")
		}
	case Identical(x, y):
		if p, ok := x.(*TypeParam); ok {
			d.help("bound the type parameter: `<%s: Number>`", p.Name)
		}
	case x == Type(Duration) || y == Type(Duration):
		c.scaledDuration(d, op, xe, ye, x, y)
	}
}

// missingKey mends m[key] == none, of a map, which asks whether it has the key.
func (c *checker) missingKey(d report, e *syntax.Binary, first syntax.Expr) bool {
	ix, ok := unparen(first).(*syntax.Index)
	if !ok {
		return false
	}
	if _, isMap := appOf(Prune(c.info.TypeOf(ix.X)), CMap); !isMap {
		return false
	}
	own := c.source(ix.X.Span()) + ".has(" + c.source(ix.I.Span()) + ")"
	if e.Op == syntax.OpEq {
		own = "!" + own
	}
	d.help("a key that is missing is an error; `m.get(key)` gives none for it")
	d.fix("ask for the key with `has`", diag.Edit{Span: e.Sp, New: own})
	return true
}

// maybeInMap offers get for m[key], which throws where there is no such key.
func (c *checker) maybeInMap(d report, e syntax.Expr) bool {
	x, ok := unparen(e).(*syntax.Index)
	if !ok {
		return false
	}
	if _, ok := appOf(orInvalid(c.info.Types[x.X.ID()]), CMap); !ok {
		return false
	}
	d.fix("`m[key]` throws where there is no such key; `get` gives an optional", diag.Edit{
		Span: diag.Span{Start: x.X.Span().End, End: x.Sp.End}, New: ".get(" + c.source(x.I.Span()) + ")",
	})
	return true
}

// uncalled offers to call an operand whose result has the type of the other.
func (c *checker) uncalled(d report, e syntax.Expr, t, other Type) bool {
	f, ok := t.(*Func)
	if !ok || len(f.Params) > 0 || !Identical(f.Result, other) {
		return false
	}
	d.fix("call it", diag.Edit{Span: e.Span(), New: c.source(e.Span()) + "()"})
	return true
}

func isList(t Type) bool {
	_, ok := appOf(t, CList)
	return ok
}

// equality checks == and !=: both operands have one type, or one converts to
// the other's.
func (c *checker) equality(e *syntax.Binary) Type {
	before := len(c.reports)
	first, second := e.X, e.Y
	if isNone(e.X) || isBareVariant(e.X) { // the other operand gives the type
		first, second = e.Y, e.X
	}
	x := Prune(c.expr(first, nil, nil))
	y := Prune(c.expr(second, hint(x), nil))
	c.fold(e, Bool)
	if c.notFirst(e, before) {
		return Bool
	}
	_, optional := optionalOf(x)
	switch {
	case isChained(e), x == Type(Invalid), y == Type(Invalid):
		c.giveUp(x, 0)
		c.giveUp(y, 0)
		return Bool
	case isNone(second) && x == Type(Any):
		c.anyNone(y, 0)
		return Bool
	case isNone(second) && !optional && !isOpen(x):
		c.giveUp(y, 0)
		d := c.err(diag.OptionalMisuse, e.OpSp, "this is never none").
			label(first.Span(), "this is `%s`", c.shown(x))
		if !c.missingKey(d, e, first) {
			d.help("only an optional, a `T?`, can be none")
		}
		return Bool
	case c.convertible(second, y, x), c.convertible(first, x, y):
		return Bool
	}
	d := c.err(diag.BadOperands, e.OpSp, "`%s` compares values of one type, not `%s` and `%s`", binaryText[e.Op], c.shown(x), c.shown(y)).
		label(first.Span(), "`%s`", c.shown(x)).
		label(second.Span(), "`%s`", c.shown(y))
	switch {
	case c.explainAnew(d, x, y), c.uncalled(d, first, x, y), c.uncalled(d, second, y, x):
	case x == Type(Int) && y == Type(Float), x == Type(Float) && y == Type(Int):
		d.help("convert the int: `float(n)`")
	case x == Type(Str) || y == Type(Str):
		d.help("turn the other operand into text: `str(x)`")
	}
	return Bool
}

func isNone(e syntax.Expr) bool {
	_, ok := unparen(e).(*syntax.NoneLit)
	return ok
}

// isBareVariant reports an expression whose type may have to be known: a
// capitalised name, called or not.
func isBareVariant(e syntax.Expr) bool {
	e = unparen(e)
	if call, ok := e.(*syntax.Call); ok {
		e = call.Fn
	}
	id, ok := e.(*syntax.Ident)
	return ok && isUpperCamel(id.Name)
}

// coalesce is x ?? y: the value of x, or y where x is none.
func (c *checker) coalesce(e *syntax.Binary, want Type, why *reason) Type {
	var h, either Type
	if w := hint(want); w != nil && w != Type(Unit) {
		if _, ok := optionalOf(w); ok {
			h, either = w, w // or an optional of it
		} else {
			h = NewOptional(w)
		}
	}
	reports := len(c.reports)
	outer := c.either
	c.either = either
	x := Prune(c.expr(e.X, h, nil))
	c.either = outer
	inner, ok := optionalOf(x)
	if !ok && len(c.reports) == reports+1 && c.isLooseDefault(c.reports[reports], e) {
		c.expr(e.Y, nil, nil)
		return Invalid
	}
	if v, open := x.(*Var); open {
		inner = c.newVar(e.Sp, "the type of this value", "")
		ok = c.tryUnify(v, NewOptional(inner))
	}
	facts := len(c.facts)
	defer func() { c.facts = c.facts[:facts] }()
	if !ok {
		y := c.expr(e.Y, hint(x), nil)
		if x != Type(Invalid) && x != Type(Never) {
			d := c.err(diag.OptionalMisuse, e.OpSp, "`??` needs an optional on its left, and this is never none").
				label(e.X.Span(), "this is `%s`", c.shown(x))
			rest := diag.Span{Start: e.X.Span().End, End: e.Sp.End}
			if c.maybeInMap(d, e.X) {
				return x
			}
			if strings.Contains(c.source(rest), "\n") {
				d.help("remove the default") // it may be meant as a statement of its own
			} else {
				d.fix("remove the default", diag.Edit{Span: rest})
			}
			return x
		}
		return y
	}
	y := Prune(c.expr(e.Y, hint(inner), nil))
	switch {
	case c.convertible(e.Y, y, inner):
		return Prune(inner)
	case c.convertible(nil, y, x): // another optional: the chain goes on
		return x
	}
	d := c.err(diag.TypeMismatch, e.Y.Span(), "the default must be `%s`, but this is `%s`", c.shown(inner), c.shown(y))
	d.label(e.X.Span(), "this is `%s`", c.shown(x))
	if y, ok := e.Y.(*syntax.Binary); ok && c.convertible(y.X, c.info.TypeOf(y.X), inner) {
		c.bindTighter(d, y.Op, e.X, y.X)
		return Invalid
	}
	return Prune(inner)
}

// bindTighter offers the parentheses that let `??`, which binds less than the
// other operators, stand between x and y.
func (c *checker) bindTighter(d report, op syntax.BinOp, x, y syntax.Expr) {
	at := x.Span().To(y.Span())
	d.Help = nil
	d.fix("`??` binds less than `"+binaryText[op]+"`: put the default in parentheses", diag.Edit{Span: at, New: "(" + c.source(at) + ")"})
}

// isLooseDefault reports a mistake in `a < b ?? c` that comes of its meaning
// `(a < b) ?? c`, and says so in it.
func (c *checker) isLooseDefault(d *diag.Diagnostic, e *syntax.Binary) bool {
	x, ok := e.X.(*syntax.Binary)
	if !ok || d.Code != diag.BadOperands {
		return false
	}
	if _, ok := optionalOf(c.info.TypeOf(x.Y)); !ok {
		return false
	}
	c.bindTighter(report{d, c}, x.Op, x.Y, e.Y)
	return true
}
