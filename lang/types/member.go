package types

import (
	"slices"
	"strconv"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// head resolves what stands before a dot when it is a module, or a type whose
// variants are named; typeArgs are those written on the type.
func (c *checker) head(x syntax.Expr) (m *ModuleObj, t *TypeDecl, args []Type) {
	if m = c.moduleNamed(x); m != nil {
		return m, nil, nil
	}
	var o Object
	var written []syntax.TypeExpr
	switch x := x.(type) {
	case *syntax.Ident:
		if c.local(x.Name) != nil || !isUpperCamel(x.Name) {
			return nil, nil, nil
		}
		o, written = c.topLevel(x.Name), x.TypeArgs
	case *syntax.Member:
		inner := c.moduleNamed(x.X)
		if inner == nil || !isUpperCamel(x.Name.Text) {
			return nil, nil, nil
		}
		o, written = inner.Module.scope[x.Name.Text], x.TypeArgs
		switch o.(type) {
		case *TypeDecl, *aliasObj:
			o = c.exportOf(inner.Module, x.Name, true)
			c.info.Members[x] = &MemberInfo{Kind: MemModule, Type: Unit}
		}
	case *syntax.TypeName:
		if n, ok := c.typeExpr(x.Type).(*Named); ok {
			c.info.Types[x.Id] = Unit
			return nil, n.Decl, n.Args
		}
	}
	switch o := o.(type) {
	case *TypeDecl:
		t = o
		if len(written) > 0 {
			args = c.typeArgsFor(t.Params, written, t.Name, x.Span())
		}
	case *aliasObj:
		n, ok := c.resolveAlias(o).(*Named)
		if !ok {
			return nil, nil, nil
		}
		args = c.typeArgsFor(o.params, written, o.decl.Name.Text, x.Span())
		n = (&Subst{o.params, args}).Apply(n).(*Named)
		t, args = n.Decl, n.Args
	default:
		return nil, nil, nil
	}
	c.info.Uses[x.ID()] = t
	c.info.Types[x.ID()] = Unit
	return nil, t, args
}

// member is x.name that is not called.
func (c *checker) member(e *syntax.Member, want Type, why *reason) Type {
	m, enum, args := c.head(e.X)
	if m != nil || enum != nil {
		c.memberSite(e, nil, m, enum, want)
		c.noValue(e)
	}
	switch {
	case m != nil:
		o := c.exportOf(m.Module, e.Name, false)
		if o == nil {
			c.typeExprs(e.TypeArgs)
			return Invalid
		}
		t := c.value(e, e.Name.Text, o, e.TypeArgs)
		c.info.Members[e] = &MemberInfo{Kind: MemModule, Type: t}
		c.settle(&c.info.Members[e].Type)
		return t
	case enum != nil:
		if f := enum.Static(e.Name.Text); f != nil {
			return c.staticValue(e, f, args, want)
		}
		v := c.variantOf(enum, e, why)
		if v == nil {
			return Invalid
		}
		if args == nil {
			args = c.variantArgs(enum, v, e, want)
		}
		t := c.variantValue(e, enum, v, args)
		c.info.Members[e] = &MemberInfo{Kind: MemVariant, Type: t}
		c.settle(&c.info.Members[e].Type)
		return t
	}
	if name, ok := c.isForeign(e); ok && c.foreignValue(e, name) {
		c.info.Types[e.X.ID()] = Invalid
		return Invalid
	}
	recv := Prune(c.expr(e.X, nil, nil))
	c.memberSite(e, recv, nil, nil, want)
	t, ok := c.receiver(e, recv)
	if !ok {
		c.typeExprs(e.TypeArgs)
		return Invalid
	}
	info := c.memberOf(e, t)
	if info == nil {
		return Invalid
	}
	c.info.Members[e] = info
	c.settle(&info.Type)
	return c.safely(e, info.Type)
}

// variantArgs makes the type arguments of a generic enum's variant.
func (c *checker) variantArgs(enum *TypeDecl, v *VariantDecl, e syntax.Expr, want Type) []Type {
	if len(enum.Params) == 0 {
		return nil
	}
	args := c.freshArgs(enum.Params, enum.Name, e.Span())
	c.wantBounds(enum.Params, args, enum.Name, e.Span())
	if n, _ := c.variantWanted(v.Name, want); n != nil && n.Decl == enum {
		c.unifyAll(args, n.Args, 0)
	}
	return args
}

// variantOf finds the variant a member of an enum type names.
func (c *checker) variantOf(enum *TypeDecl, e *syntax.Member, why *reason) *VariantDecl {
	c.noTypeArgs(e.TypeArgs, e.Name.Text)
	if v := enum.variant(e.Name.Text); v != nil {
		return v
	}
	if enum.Kind != KEnum {
		c.unknownStatic(enum, e)
		return nil
	}
	if enum.Method(e.Name.Text) != nil {
		c.unknownStatic(enum, e)
		return nil
	}
	if own := derivedNames[e.Name.Text]; enum.Static(own) != nil {
		c.err(diag.UnknownVariant, e.Name.Sp, "enum `%s` has no `%s`", enum.Name, e.Name.Text).
			fix("it is called `"+own+"` here", diag.Edit{Span: e.Name.Sp, New: own})
		return nil
	}
	c.unknownVariant(enum, e.Name, "", why)
	return nil
}

// derivedNames are what other languages call what every enum without fields has.
var derivedNames = map[string]string{
	"values": "all", "variants": "all", "iter": "all", "members": "all", "entries": "all", "cases": "all", "list": "all", "each": "all",
	"from_int": "of", "from_number": "of", "from_repr": "of", "from_value": "of", "value": "of", "from_ordinal": "of",
	"from_str": "parse", "from_string": "parse", "from_name": "parse", "value_of": "parse", "valueOf": "parse", "named": "parse",
}

// unknownVariant reports a name that is none of an enum's variants, but of
// another enum if that is not "".
func (c *checker) unknownVariant(enum *TypeDecl, name syntax.Name, other string, why *reason) {
	d := c.err(diag.UnknownVariant, name.Sp, "enum `%s` has no variant `%s`", enum.Name, name.Text)
	if other != "" || !d.didYouMean(name.Text, name.Sp, variantNames(enum)) {
		d.help("it has %s", listed(variantNames(enum)))
	}
	d.label(enum.At, "declared here")
	c.noteReceiver(d, why)
	if other != "" {
		d.note("`%s` is a variant of `%s`", name.Text, other)
	}
}

func variantNames(enum *TypeDecl) []string {
	var out []string
	for _, v := range enum.Variant {
		out = append(out, v.Name)
	}
	return out
}

// receiver checks what stands before a dot, and takes the optional of `?.`
// away. false means that an error was reported.
func (c *checker) receiver(e *syntax.Member, t Type) (Type, bool) {
	if v, ok := t.(*Var); ok {
		c.unknownYet(e.X, v)
		return Invalid, false
	}
	if t == Type(Invalid) || t == Type(Never) {
		return Invalid, false
	}
	if !e.Safe {
		return t, true
	}
	inner, ok := optionalOf(t)
	if !ok {
		dot := diag.Span{Start: e.X.Span().End, End: e.Name.Sp.Start}
		c.err(diag.OptionalMisuse, e.Sp, "`?.` needs an optional, and this is never none").
			text("this is `%s`", c.shown(t)).
			fix("write `.`", diag.Edit{Span: dot, New: "."})
		return t, true
	}
	if v, ok := inner.(*Var); ok {
		c.unknownYet(e.X, v)
		return Invalid, false
	}
	return inner, true
}

// safely is the type of x?.name for a member of type t: optional, once.
func (c *checker) safely(e *syntax.Member, t Type) Type {
	t = Prune(t)
	if !e.Safe || t == Type(Invalid) || t == Type(Unit) || t == Type(Never) {
		return t
	}
	if _, ok := optionalOf(t); ok {
		return t
	}
	return NewOptional(t)
}

// memberOf finds a field, a tuple's element or a method of a type.
func (c *checker) memberOf(e *syntax.Member, t Type) *MemberInfo {
	name := e.Name.Text
	if name == "" {
		return nil
	}
	if a, ok := appOf(t, CTuple); ok && name[0] >= '0' && name[0] <= '9' {
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(a.Args) {
			c.err(diag.UnknownMember, e.Name.Sp, "this tuple has %s, so `.%s` does not exist", plural(len(a.Args), "element"), name).
				text("this is `%s`", c.shown(t))
			return nil
		}
		return &MemberInfo{Kind: MemTuple, Index: i, Type: Prune(a.Args[i])}
	}
	if n, ok := t.(*Named); ok && n.Decl.Kind == KStruct {
		if f := n.Decl.field(name); f != nil {
			c.noTypeArgs(e.TypeArgs, name)
			var ft Type = Invalid
			if f.Type != nil {
				ft = (&Subst{n.Decl.Params, n.Args}).Apply(f.Type)
			}
			return &MemberInfo{Kind: MemField, Field: f, Type: ft}
		}
	}
	fn, recvArgs := c.methodOf(t, name)
	if fn == nil {
		fn, recvArgs = c.iteratorMethod(t, name)
	}
	if fn == nil {
		c.typeExprs(e.TypeArgs)
		c.unknownMember(e, t, nil)
		return nil
	}
	c.useFunc(fn, e.Name.Sp)
	args := c.typeArgsFor(fn.TypeParams, e.TypeArgs, fn.Name, e.Name.Sp)
	recvArgs = slices.Clone(recvArgs)
	c.settleAll(recvArgs)
	c.settleAll(args)
	info := &MemberInfo{Kind: MemMethod, Fn: fn, RecvArgs: recvArgs, TypeArgs: args, CallKind: c.methodKind(t, fn)}
	info.Type = funcType(fn, methodSubst(fn, recvArgs, args).Apply)
	return info
}

// methodKind says how a method is called on a receiver.
func (c *checker) methodKind(t Type, fn *FuncDecl) CallKind {
	switch t := Prune(t).(type) {
	case *TypeParam:
		return CallBound
	case *Named:
		if t.Decl.Kind == KInterface {
			return CallIface
		}
	}
	return CallMethod
}

// noValue reports `?.` on the name of a module or a type.
func (c *checker) noValue(e *syntax.Member) {
	if e.Safe {
		c.err(diag.OptionalMisuse, e.Sp, "`?.` needs an optional, and this is no value").help("write `.`")
	}
}

// callMember is x.name(...): a function of a module, a variant, a method, or a
// function held in a field.
func (c *checker) callMember(e *syntax.Call, fn *syntax.Member, want Type, why *reason) Type {
	m, enum, args := c.head(fn.X)
	if m != nil || enum != nil {
		c.memberSite(fn, nil, m, enum, want)
		c.noValue(fn)
	}
	switch {
	case m != nil:
		o := c.exportOf(m.Module, fn.Name, false)
		if o == nil {
			c.info.Types[fn.Id] = Invalid
			c.typeExprs(fn.TypeArgs)
			c.looseArgs(e)
			return Invalid
		}
		c.info.Members[fn] = &MemberInfo{Kind: MemModule, Type: Unit}
		return c.callObject(e, fn, fn.Name.Text, o, fn.TypeArgs, want, why)
	case enum != nil:
		if f := enum.Static(fn.Name.Text); f != nil {
			return c.callStatic(e, fn, f, args, want, why)
		}
		c.info.Types[fn.Id] = Unit
		v := c.variantOf(enum, fn, why)
		if v == nil {
			c.looseArgs(e)
			return Invalid
		}
		c.info.Members[fn] = &MemberInfo{Kind: MemVariant, Type: Unit}
		return c.callVariant(e, fn, enum, v, args, want, why)
	}
	if name, ok := c.isForeign(fn); ok && c.foreignCall(e, name) {
		c.info.Types[fn.Id], c.info.Types[fn.X.ID()] = Invalid, Invalid
		c.looseArgs(e)
		return Invalid
	}
	c.info.Types[fn.Id] = Unit
	recv := Prune(c.expr(fn.X, nil, nil))
	c.memberSite(fn, recv, nil, nil, want)
	t, ok := c.receiver(fn, recv)
	if !ok {
		c.typeExprs(fn.TypeArgs)
		c.looseArgs(e)
		if c.info.Types[fn.X.ID()] == Type(Never) {
			return Never
		}
		return Invalid
	}
	if n, ok := t.(*Named); ok && n.Decl.field(fn.Name.Text) != nil || isTuple(t) {
		info := c.memberOf(fn, t)
		if info == nil {
			c.looseArgs(e)
			return Invalid
		}
		c.info.Members[fn] = info
		c.settle(&info.Type)
		c.record(fn, info.Type)
		return c.safely(fn, c.callValue(e, info.Type, nil, nil))
	}
	method, recvArgs := c.methodOf(t, fn.Name.Text)
	if method == nil {
		method, recvArgs = c.iteratorMethod(t, fn.Name.Text)
	}
	if n := copiedStruct(t, fn.Name.Text); method == nil && n != nil {
		return c.copyStruct(e, fn, n, want, why)
	}
	if method == nil {
		c.typeExprs(fn.TypeArgs)
		c.unknownMember(fn, t, e)
		c.looseArgs(e)
		return Invalid
	}
	c.useFunc(method, fn.Name.Sp)
	if method.Ext != nil && !isKeyed(t) { // the keys were checked where the type was made
		c.wantBounds(method.Ext.Params, recvArgs, method.Name, fn.Name.Sp)
	}
	own := c.typeArgsFor(method.TypeParams, fn.TypeArgs, method.Name, fn.Name.Sp)
	c.hintAnswer(method, own)
	ce := c.funcCallee(method, c.methodKind(t, method), recvArgs, own)
	ce.later = c.laterOf(fn.X)
	if ce.recv != nil {
		ce.on = c.nameOf(fn.X)
	}
	if fn.Safe {
		want = nil
	}
	result := c.safely(fn, c.finish(e, ce, want, why))
	if method.Ext != nil && isList(t) {
		c.sharedRows(e, fn)
	}
	return result
}

func isKeyed(t Type) bool {
	a, ok := Prune(t).(*App)
	return ok && (a.Ctor == CMap || a.Ctor == CSet)
}

func isTuple(t Type) bool {
	_, ok := appOf(t, CTuple)
	return ok
}
