package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// operatorInterfaces names the interfaces of the prelude, of one method each, by which a
// type has an operator of its own.
var operatorInterfaces = map[syntax.BinOp][]string{
	syntax.OpAdd: {"AddOp"}, syntax.OpSub: {"SubOp", "SinceOp"}, syntax.OpMul: {"MulOp"},
	syntax.OpDiv: {"DivOp"}, syntax.OpMod: {"RemOp"}, syntax.OpPow: {"PowOp"},
	syntax.OpLt: {"Comparable"}, syntax.OpLe: {"Comparable"}, syntax.OpGt: {"Comparable"}, syntax.OpGe: {"Comparable"},
}

// own is the method by which a type has an operator.
type own struct {
	on       Type
	fn       *FuncDecl
	recvArgs []Type
}

func (o *own) subst() *Subst { return methodSubst(o.fn, o.recvArgs, nil) }

// operand is the type of the right operand.
func (o *own) operand() Type { return Prune(o.subst().Apply(o.fn.Params[0].Type)) }

// ownMethod finds the method of an operator's interface, nil when the type does not say
// that it has it: a method that happens to have the name is none.
func (c *checker) ownMethod(t Type, iface string) *own {
	t = Prune(t)
	n, ok := t.(*Named)
	if p, isParam := t.(*TypeParam); isParam && p.Bound != nil {
		n, ok = p.Bound, true
	}
	if !ok {
		return nil
	}
	for _, a := range append([]*Named{n}, n.Decl.Asserts...) {
		if !c.core.is(a.Decl, iface) {
			continue
		}
		want := a.Decl.Methods[0]
		if fn, recvArgs := c.methodOf(t, want.Name); fn != nil && len(fn.Params) == len(want.Params) && len(fn.TypeParams) == 0 {
			return &own{t, fn, recvArgs}
		}
	}
	return nil
}

// isOperator reports whether an interface is that of an operator, whose method is for others.
func (c *checker) isOperator(iface *Named) bool {
	if c.core.is(iface.Decl, "Comparable") || c.core.is(iface.Decl, "NegOp") {
		return true
	}
	for _, names := range operatorInterfaces {
		for _, name := range names {
			if c.core.is(iface.Decl, name) {
				return true
			}
		}
	}
	return false
}

// ownMethods finds those of a binary operator.
func (c *checker) ownMethods(op syntax.BinOp, t Type) (list []*own) {
	for _, name := range operatorInterfaces[op] {
		if o := c.ownMethod(t, name); o != nil {
			list = append(list, o)
		}
	}
	return list
}

// ownOperand is the type that the right operand of an operator of type t has, nil when
// that is not known.
func (c *checker) ownOperand(op syntax.BinOp, t Type) Type {
	if list := c.ownMethods(op, t); len(list) == 1 {
		return list[0].operand()
	}
	return nil
}

// ownBinary checks x op y at node n where the type of x has the operator.
func (c *checker) ownBinary(n syntax.Node, op syntax.BinOp, at diag.Span, xe, ye syntax.Expr, x, y Type) (Type, bool) {
	list := c.ownMethods(op, x)
	if len(list) == 0 || y == Type(Invalid) || y == Type(Never) {
		return nil, false
	}
	for _, o := range list {
		if !c.convertible(ye, y, o.operand()) {
			continue
		}
		t := c.operatorCall(n, at, o)
		if isComparison(op) {
			return Bool, true
		}
		return t, true
	}
	d := c.err(diag.BadOperands, at, "`%s` of `%s` takes `%s`, and this is `%s`", binaryText[op], c.shown(x), c.shown(list[0].operand()), c.shown(y)).
		label(xe.Span(), "`%s`", c.shown(x)).
		label(ye.Span(), "`%s`", c.shown(y))
	for _, o := range list {
		d.label(o.fn.At, "declared here")
	}
	c.madeWithOf(d, ye, y, list[0].operand())
	if isComparison(op) {
		return Bool, true
	}
	return Invalid, true
}

// madeWithOf offers the conversion of a number to one of a module, as `big.of` makes it.
func (c *checker) madeWithOf(d report, e syntax.Expr, got, want Type) {
	n, ok := Prune(want).(*Named)
	if !ok || n.Decl.Module == c.mod {
		return
	}
	of, ok := n.Decl.Module.scope["of"].(*FuncDecl)
	if !ok || len(of.Params) != 1 || !Identical(c.shown(of.Params[0].Type), c.shown(got)) || !Identical(of.Result, n) {
		return
	}
	for name, o := range c.mod.scope {
		if m, ok := o.(*ModuleObj); ok && m.Module == n.Decl.Module {
			d.fix("make it one", diag.Edit{Span: e.Span(), New: name + ".of(" + c.source(e.Span()) + ")"})
			return
		}
	}
}

// operatorCall notes that an operator calls a method, and gives its result's type.
func (c *checker) operatorCall(n syntax.Node, at diag.Span, o *own) Type {
	c.useFunc(o.fn, at)
	info := &CallInfo{Kind: c.methodKind(o.on, o.fn), Fn: o.fn, RecvArgs: append([]Type(nil), o.recvArgs...)}
	c.settleAll(info.RecvArgs)
	c.info.Operators[n] = info
	return Prune(o.subst().Apply(o.fn.Result))
}

// ownHelp says how a type gets an operator, or where its value has to stand.
func (c *checker) ownHelp(d report, op syntax.BinOp, xe, ye syntax.Expr, x, y Type) bool {
	for _, o := range c.ownMethods(op, y) {
		if !isComparison(op) && Identical(o.operand(), x) {
			d.help("the operator is that of the value on its left: `%s %s %s`", c.short(ye), binaryText[op], c.short(xe))
			return true
		}
	}
	n, ok := x.(*Named)
	names := operatorInterfaces[op]
	if !ok || len(names) == 0 || n.Decl.Kind == KInterface || n.Decl.Module.Std {
		return false
	}
	iface := c.core.decls[names[0]]
	if isComparison(op) {
		d.help("int, float, bool, str, bytes, duration, and tuples and enums of these are ordered; "+
			"a type of your own is when it says so, `%s: Comparable<%s>`, and has `fn compare(other: %s) -> int`", n.Decl.Name, n, n)
		return true
	}
	d.help("a type has `%s` when it says so, `%s: %s<%s, %s>`, and has `fn %s(other: %s) -> %s`",
		binaryText[op], n.Decl.Name, iface.Name, c.shown(y), n, iface.Methods[0].Name, c.shown(y), n)
	return true
}
