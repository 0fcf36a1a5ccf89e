package types

import (
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// callee is what a call calls, before its arguments are looked at.
type callee struct {
	info   *CallInfo
	name   string
	what   string // "argument" or "field", for messages
	params []calleeParam
	result Type
	at     diag.Span // of the declaration
	recv   Type      // of a method of a generic type
	on     string    // what such a method is called on, where that is a name
	later  *later    // what decides the type of what a method is called on, if no one wrote it
	why    *reason   // of the value that a variant makes
}

type calleeParam struct {
	name     string
	t        Type
	optional bool // has a default
	at       diag.Span
}

// call checks a call. The callee's own expression gets the type (), unless it
// is a value of function type.
func (c *checker) call(e *syntax.Call, want Type, why *reason) Type {
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		b := c.local(fn.Name)
		if b == nil {
			return c.callName(e, fn, want, why)
		}
		if l, ok := b.obj.(*Local); ok && l.Fn != nil {
			return c.callLocal(e, fn, l, want, why)
		}
	case *syntax.TypeName:
		c.info.Types[fn.Id] = Unit
		return c.newBuiltin(e, fn, want)
	case *syntax.Member:
		return c.callMember(e, fn, want, why)
	}
	return c.callValue(e, c.expr(e.Fn, nil, nil), want, why)
}

// callName is a call of a top-level name.
func (c *checker) callName(e *syntax.Call, fn *syntax.Ident, want Type, why *reason) Type {
	c.identSite(fn, want)
	o := c.topLevel(fn.Name)
	if enum, v := c.variantWanted(fn.Name, want); v != nil {
		if _, isFunc := orInvalid(withoutOptional(want)).(*Func); !isFunc || o == nil {
			c.info.Types[fn.Id] = Unit
			return c.callVariant(e, fn, enum.Decl, v, nil, want, why)
		}
	}
	if o == nil {
		if k, ok := ctors[fn.Name]; ok || fn.Name == "buffer" {
			c.info.Types[fn.Id] = Unit
			return c.newApplied(e, k, fn.Name, nil, want)
		}
		c.typeExprs(fn.TypeArgs)
		c.info.Types[fn.Id] = Invalid
		c.looseArgs(e)
		c.unknownFunction(e, fn, want, why)
		return Invalid
	}
	return c.callObject(e, fn, fn.Name, o, fn.TypeArgs, want, why)
}

// callObject calls what a top-level name stands for.
func (c *checker) callObject(e *syntax.Call, fn syntax.Expr, name string, o Object, typeArgs []syntax.TypeExpr, want Type, why *reason) Type {
	c.info.Types[fn.ID()] = Unit
	c.info.Uses[fn.ID()] = o
	switch o := o.(type) {
	case *FuncDecl:
		c.useFunc(o, fn.Span())
		if o.Module.Std && c.greatest(e, name) {
			c.looseArgs(e)
			return Invalid
		}
		args := c.typeArgsFor(o.TypeParams, typeArgs, o.Name, fn.Span())
		ce := c.funcCallee(o, CallFunc, nil, args)
		if o.folds() {
			c.foldedArgs(e, ce)
		}
		return c.finish(e, ce, want, why)
	case *TypeDecl:
		return c.construct(e, fn, o, c.typeExprs(typeArgs), want, why)
	case *aliasObj:
		if n, ok := c.resolveAlias(o).(*Named); ok {
			args := c.typeArgsFor(o.params, typeArgs, name, fn.Span())
			n = (&Subst{o.params, args}).Apply(n).(*Named)
			c.info.Uses[fn.ID()] = n.Decl
			return c.construct(e, fn, n.Decl, n.Args, want, why)
		}
	case *BuiltinFunc:
		c.noTypeArgs(typeArgs, name)
		return c.callBuiltin(e, o.Name, want)
	}
	t := c.value(fn, name, o, typeArgs)
	c.setType(fn.ID(), t)
	return c.callValue(e, t, want, why)
}

// folds reports whether a function takes any number of values from two on: min(a, b, c) is
// min(min(a, b), c).
func (f *FuncDecl) folds() bool {
	return f.Module.prelude && f.Owner == nil && f.Ext == nil && (f.Name == "min" || f.Name == "max")
}

// foldedArgs gives a call that folds a parameter for each of its arguments.
func (c *checker) foldedArgs(e *syntax.Call, ce *callee) {
	for _, a := range e.Args {
		if a.Name.Text != "" {
			return
		}
	}
	for len(ce.params) < len(e.Args) {
		ce.params = append(ce.params, calleeParam{t: ce.params[1].t, at: ce.params[1].at})
	}
}

// callValue calls a value of function type.
func (c *checker) callValue(e *syntax.Call, t Type, want Type, why *reason) Type {
	t = Prune(t)
	switch f := t.(type) {
	case *Func:
		ce := &callee{info: &CallInfo{Kind: CallValue}, name: c.calleeName(e.Fn), what: "argument", result: f.Result}
		for _, p := range f.Params {
			ce.params = append(ce.params, calleeParam{t: p})
		}
		return c.finish(e, ce, want, why)
	case *Var:
		// A parameter of a lambda that is called before its type is known.
		params := make([]Type, len(e.Args))
		for i, a := range e.Args {
			params[i] = c.expr(a.Value, nil, nil)
		}
		res := c.newVar(e.Sp, "what this call gives", "write the parameter's type")
		if !c.tryUnify(f, &Func{params, res}) {
			c.unknownYet(e.Fn, f)
			return Invalid
		}
		c.info.Calls[e] = &CallInfo{Kind: CallValue, Params: params, Args: oneToOne(len(params))}
		c.settleAll(params)
		return res
	}
	c.looseArgs(e)
	if t == Type(Never) {
		return Never
	}
	if t != Type(Invalid) {
		d := c.err(diag.NotCallable, e.Fn.Span(), "this is not a function").text("this is `%s`", c.shown(t))
		if inner, ok := optionalOf(t); ok {
			if _, ok := inner.(*Func); ok {
				d.help("it may be none: `if let f = ... { f() }`")
			}
		} else if n, ok := t.(*Named); ok && n.Decl.Kind == KEnum {
			d.help("this variant has no fields: leave the parentheses away")
		} else if m, ok := e.Fn.(*syntax.Member); ok && m.Name.Text == "step" && wayKind(Prune(c.info.TypeOf(m.X))) == "range" {
			d.help("`step` is the field that says how far apart its integers are")
			d.fix("count in steps with `step_by`", diag.Edit{Span: m.Name.Sp, New: "step_by"})
		} else if m, ok := e.Fn.(*syntax.Member); ok && !c.anotherWay(d, m, c.info.TypeOf(m.X), e) {
			d.help("`%s` is a field: leave the parentheses away", m.Name.Text)
		}
	}
	return Invalid
}

func (c *checker) calleeName(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name
	case *syntax.Member:
		return e.Name.Text
	}
	return "this function"
}

// looseArgs checks the arguments of a call that is wrong already; lambdas and
// variants, whose types it would say, are left out.
func (c *checker) looseArgs(e *syntax.Call) {
	for _, a := range e.Args {
		if _, ok := unparen(a.Value).(*syntax.Lambda); ok || c.isLostVariant(a.Value) {
			c.info.Types[a.Value.ID()] = Invalid
			continue
		}
		c.expr(a.Value, nil, nil)
	}
}

// isLostVariant reports a bare variant, called or not, that only the type which
// is expected could explain.
func (c *checker) isLostVariant(e syntax.Expr) bool {
	e = unparen(e)
	if call, ok := e.(*syntax.Call); ok {
		e = call.Fn
	}
	id, ok := e.(*syntax.Ident)
	return ok && isUpperCamel(id.Name) && c.topLevel(id.Name) == nil && foreignHelp()[id.Name] == ""
}

// funcCallee describes a call of a declared function or method.
func (c *checker) funcCallee(fn *FuncDecl, kind CallKind, recvArgs, typeArgs []Type) *callee {
	ce := &callee{
		info: &CallInfo{Kind: kind, Fn: fn, RecvArgs: recvArgs, TypeArgs: typeArgs},
		name: fn.Name, what: "argument", at: fn.At,
	}
	if fn.Owner != nil && len(recvArgs) > 0 {
		ce.recv = &Named{Decl: fn.Owner, Args: recvArgs}
	}
	apply := methodSubst(fn, recvArgs, typeArgs).Apply
	ce.params = make([]calleeParam, len(fn.Params))
	for i, p := range fn.Params {
		ce.params[i] = calleeParam{p.Name, apply(p.Type), p.Default != nil, p.Obj.At}
	}
	ce.result = apply(fn.Result)
	return ce
}

// methodSubst maps the parameters of a method's owner and its own.
func methodSubst(fn *FuncDecl, recvArgs, typeArgs []Type) *Subst {
	owner := fn.OwnerParams()
	switch {
	case len(owner) == 0:
		return &Subst{fn.TypeParams, typeArgs}
	case len(fn.TypeParams) == 0:
		return &Subst{owner, recvArgs}
	}
	params := append(append([]*TypeParam(nil), owner...), fn.TypeParams...)
	args := append(append([]Type(nil), recvArgs...), typeArgs...)
	return &Subst{params, args}
}

// construct makes a struct.
func (c *checker) construct(e *syntax.Call, fn syntax.Expr, d *TypeDecl, args []Type, want Type, why *reason) Type {
	if d.Kind != KStruct || d.Native {
		c.looseArgs(e)
		switch {
		case d.Native:
			c.err(diag.NotConstructible, fn.Span(), "a `%s` cannot be made directly", d.Name).
				help("module `%s` makes it", libraryModule(d.Module))
		case d.Kind == KEnum:
			r := c.err(diag.NotCallable, fn.Span(), "`%s` is an enum: its values are its variants", d.Name)
			if len(d.Variant) > 0 {
				r.help("write for example `%s.%s`", d.Name, d.Variant[0].Name)
				if d.Plain() && len(e.Args) == 1 {
					r.help("the variant of a number is `%s.of(1)`, that of a name `%s.parse(\"%s\")`", d.Name, d.Name, d.Variant[0].Name)
				}
			}
		default:
			c.err(diag.NotCallable, fn.Span(), "`%s` is an interface: make a value of a type that satisfies it", d.Name)
		}
		return Invalid
	}
	c.fieldDefaults(d)
	if len(args) == 0 {
		args = c.freshArgs(d.Params, d.Name, fn.Span())
	} else if len(args) != len(d.Params) {
		c.err(diag.TypeArgCount, fn.Span(), "`%s` takes %s, not %d", d.Name, plural(len(d.Params), "type argument"), len(args))
		args = c.freshArgs(d.Params, d.Name, fn.Span())
	}
	c.wantBounds(d.Params, args, d.Name, fn.Span())
	t := d.Self
	if len(args) > 0 {
		t = &Named{d, args}
	}
	ce := &callee{info: &CallInfo{Kind: CallStruct, Type: t}, name: d.Name, what: "field", at: d.At, result: t}
	ce.params = fieldParams(d.Fields, &Subst{d.Params, args})
	return c.finish(e, ce, want, why)
}

func fieldParams(fields []*Field, s *Subst) []calleeParam {
	out := make([]calleeParam, len(fields))
	for i, f := range fields {
		var t Type = Invalid
		if f.Type != nil {
			t = s.Apply(f.Type)
		}
		out[i] = calleeParam{f.Name, t, f.Default != nil || f.noneByDefault, f.At}
	}
	return out
}

// callVariant makes a value of an enum; args are the enum's type arguments
// when they were written.
func (c *checker) callVariant(e *syntax.Call, fn syntax.Expr, d *TypeDecl, v *VariantDecl, args []Type, want Type, why *reason) Type {
	c.info.Uses[fn.ID()] = &VariantRef{d, v}
	if len(v.Fields) == 0 {
		c.looseArgs(e)
		at := e.Rparen
		at.Start = fn.Span().End
		d := c.err(diag.TooManyArguments, e.Sp, "variant `%s` has no fields", v.Name).
			label(v.At, "declared here").
			fix("remove the parentheses", diag.Edit{Span: at})
		c.noteReceiver(d, why)
		return Invalid
	}
	c.fieldDefaults(d)
	if len(args) == 0 {
		args = c.freshArgs(d.Params, d.Name, fn.Span())
		c.wantBounds(d.Params, args, d.Name, fn.Span())
	}
	t := d.Self
	if len(args) > 0 {
		t = &Named{d, args}
	}
	ce := &callee{info: &CallInfo{Kind: CallVariant, Variant: v, Type: t}, name: v.Name, what: "field", at: v.At, result: t, why: why}
	ce.params = fieldParams(v.Fields, &Subst{d.Params, args})
	return c.finish(e, ce, want, why)
}

// finish matches the arguments with the parameters and solves the type
// arguments: first from the type expected of the call where it must be the
// result's, then from the arguments, lambdas last.
func (c *checker) finish(e *syntax.Call, ce *callee, want Type, why *reason) Type {
	bounds := len(c.bounds)
	if want != nil && why != nil {
		c.solveFromWant(ce.result, want)
	}
	info := ce.info
	c.callSite(e, ce)
	info.Args = c.matchArgs(e, ce)
	late := false
	reports := len(c.reports)
	for i, at := range info.Args {
		if at < 0 {
			continue
		}
		if c.isLate(e.Args[at].Value, ce.params[i].t) {
			late = true
			continue
		}
		c.arg(e, ce, i, at)
	}
	if late {
		c.solveBounds(bounds)
		for i, at := range info.Args {
			if at >= 0 && c.info.Types[e.Args[at].Value.ID()] == nil {
				c.arg(e, ce, i, at)
			}
		}
	}
	c.solveBounds(bounds)
	c.swapped(e, ce, reports)
	info.Params = make([]Type, len(ce.params))
	for i, p := range ce.params {
		info.Params[i] = Prune(p.t)
	}
	c.settleAll(info.Params)
	c.settleAll(info.TypeArgs)
	if info.Kind == CallMethod && info.Fn.Ext != nil || len(info.RecvArgs) > 0 {
		info.RecvArgs = append([]Type(nil), info.RecvArgs...)
		c.settleAll(info.RecvArgs)
	}
	c.settle(&info.Type)
	c.info.Calls[e] = info
	return Prune(ce.result)
}

// solveFromWant solves variables of a call's result from the type expected,
// where no conversion can come between.
func (c *checker) solveFromWant(result, want Type) {
	if !hasOpen(result, 0) {
		return
	}
	result, want = Prune(result), Prune(want)
	if isOpen(want) {
		return
	}
	if _, ok := optionalOf(want); ok {
		if _, ok := optionalOf(result); !ok {
			want = withoutOptional(want)
			if isOpen(result) || isOpen(want) {
				return
			}
		}
	}
	if n, ok := want.(*Named); ok && n.Decl.Kind == KInterface {
		if r, ok := result.(*Named); !ok || r.Decl != n.Decl {
			return
		}
	}
	if want == Type(Any) || want == Type(Unit) {
		return
	}
	c.tryUnify(result, want)
}

// isLate reports whether an argument is better checked after the others:
// lambdas, and variants of an enum not known yet.
func (c *checker) isLate(x syntax.Expr, t Type) bool {
	if _, ok := unparen(x).(*syntax.Lambda); ok {
		return hasOpen(t, 0)
	}
	return isOpen(t) && isBareVariant(x)
}

func (c *checker) arg(e *syntax.Call, ce *callee, i, at int) {
	p := &ce.params[i]
	why := &reason{at: p.at, arg: p.name, of: ce.name, what: ce.what, recv: ce.recv, on: ce.on, later: ce.later, outer: ce.why}
	if p.name == "" {
		why.arg = ordinal(i)
	}
	c.check(e.Args[at].Value, p.t, why)
}

func ordinal(i int) string { return fmt.Sprintf("number %d", i+1) }

// matchArgs returns for each parameter the index of its argument, or -1.
func (c *checker) matchArgs(e *syntax.Call, ce *callee) []int {
	out := make([]int, len(ce.params))
	for i := range out {
		out[i] = -1
	}
	params := places{n: len(ce.params), name: func(i int) string { return ce.params[i].name }}
	named := false
	extra, unknown := -1, false
	for i, a := range e.Args {
		k := i
		if a.Name.Text != "" {
			named = true
			if k = params.of(a.Name.Text); k < 0 {
				c.unknownArg(ce, a)
				unknown = true
				c.expr(a.Value, nil, nil)
				continue
			}
		} else if named {
			// A positional argument after a named one takes the same place as without names.
			if k < len(out) && out[k] >= 0 {
				c.err(diag.RepeatedArgument, a.Value.Span(), "give this %s by its name too, as it follows a named one", ce.what)
				c.expr(a.Value, nil, nil)
				continue
			}
		}
		if k >= len(out) {
			if extra < 0 {
				extra = i
			}
			if _, ok := unparen(a.Value).(*syntax.Lambda); !ok {
				c.expr(a.Value, nil, nil)
			} else {
				c.info.Types[a.Value.ID()] = Invalid
			}
			continue
		}
		if out[k] >= 0 {
			c.err(diag.RepeatedArgument, a.Value.Span(), "%s `%s` is given twice", ce.what, ce.params[k].name).
				label(e.Args[out[k]].Value.Span(), "first given here")
			c.expr(a.Value, nil, nil)
			continue
		}
		out[k] = i
	}
	if n, ok := ce.info.Type.(*Named); ok && ce.info.Kind == CallStruct && n.Decl.Broken {
		return out // some of its fields could not be parsed
	}
	if extra >= 0 && !named && c.listTaken(e, ce) {
		out[len(out)-1] = -1
		return out
	}
	if extra >= 0 {
		at := e.Args[extra].Value.Span().To(e.Args[len(e.Args)-1].Value.Span())
		d := c.err(diag.TooManyArguments, at, "`%s` takes %s, but %s given", ce.name, plural(len(ce.params), ce.what), wereCount(len(e.Args)))
		d.label(ce.at, "declared here")
		c.noteReceiver(d, ce.why)
		c.takesFunction(d, e, unparen(e.Args[extra].Value))
		if ce.name == "reduce" && len(e.Args) == 2 && ce.info.Kind == CallMethod {
			d.help("with a first value it is `fold`: `xs.fold(0, |acc, x| acc + x)`")
		}
		if ce.name == "count" && len(ce.params) == 0 && len(e.Args) == 1 {
			c.countsFiltered(d, e)
		}
		if _, ok := optionalOf(ce.result); ok && ce.name == "get" && len(ce.params) == 1 {
			d.help("it gives none where there is nothing; a default stands behind `??`: `m.get(key) ?? x`")
		}
	}
	var missing []string
	for i, p := range ce.params {
		if out[i] < 0 && !p.optional {
			name := p.name
			if name == "" {
				name = ordinal(i)
			}
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 && !unknown && !c.skipMissing(e) {
		what := ce.what
		if len(missing) > 1 {
			what += "s"
		}
		at := e.Rparen
		if !at.IsValid() {
			at = e.Sp
		}
		names := listed(missing)
		if ce.info.Kind == CallValue {
			names = strings.NewReplacer("`", "", "number ", "").Replace(names)
		}
		d := c.err(diag.MissingArgument, at, "missing %s %s of `%s`", what, names, ce.name)
		d.label(ce.at, "declared here")
		for i, p := range ce.params {
			if out[i] < 0 && !p.optional && p.name != "" {
				d.note("`%s: %s`", p.name, c.shown(p.t))
			}
		}
		c.noteReceiver(d, ce.why)
		switch {
		case ce.name == "range" && ce.info.Kind == CallStruct && ce.info.Type == c.rangeType():
			c.rangeCall(d, e)
		case ce.name == "count" && ce.info.Kind == CallMethod && len(e.Args) == 0:
			d.help("the number of elements is `x.len()`")
		}
	}
	return out
}

// countsFiltered helps one who gives the `count` of an iterator a function.
func (c *checker) countsFiltered(d report, e *syntax.Call) {
	if m, ok := e.Fn.(*syntax.Member); ok && e.Rparen.IsValid() {
		at := m.Name.Sp.To(e.Rparen)
		d.fix("filter an iterator first", diag.Edit{Span: at, New: "filter(" + c.source(e.Args[0].Value.Span()) + ").count()"})
	}
}

// skipMissing reports that an argument could not be parsed, so that it is not
// reported as missing too.
func (c *checker) skipMissing(e *syntax.Call) bool {
	for _, a := range e.Args {
		if _, ok := a.Value.(*syntax.BadExpr); ok {
			return true
		}
	}
	return false
}

func (c *checker) unknownArg(ce *callee, a syntax.Arg) {
	if c.methodColon(a) {
		return
	}
	d := c.err(diag.UnknownArgument, a.Name.Sp, "`%s` has no %s `%s`", ce.name, ce.what, a.Name.Text)
	var names []string
	for _, p := range ce.params {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	switch {
	case d.didYouMean(a.Name.Text, a.Name.Sp, names):
	case len(names) > 0:
		d.help("it has %s", listed(names))
	case ce.info.Kind == CallValue:
		d.help("the arguments of a function value have no names")
	}
	if ce.at.IsValid() {
		d.label(ce.at, "declared here")
	}
}

func oneToOne(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// takesFunction names the method that takes a function where this one takes
// none: `sort_by` one of an element, `sort_with` one of two.
func (c *checker) takesFunction(d report, e *syntax.Call, extra syntax.Expr) {
	m, ok := unparen(e.Fn).(*syntax.Member)
	if !ok {
		return
	}
	f, ok := extra.(*syntax.Lambda)
	if !ok || len(f.Params) < 1 || len(f.Params) > 2 {
		return
	}
	like := m.Name.Text + []string{"_by", "_with"}[len(f.Params)-1]
	if c.hasMember(c.info.TypeOf(m.X), like) {
		d.fix("`"+like+"` takes such a function", diag.Edit{Span: m.Name.Sp, New: like})
	}
}

// swapped makes one report of those from reports on, if two arguments stand in each other's
// places.
func (c *checker) swapped(e *syntax.Call, ce *callee, reports int) {
	if len(c.reports) != reports+2 {
		return
	}
	var places []int // of the arguments that do not fit
	for i, at := range ce.info.Args {
		if at < 0 || e.Args[at].Name.Text != "" {
			continue
		}
		for _, d := range c.reports[reports:] {
			if d.Code == diag.TypeMismatch && d.Span == e.Args[at].Value.Span() {
				places = append(places, i)
			}
		}
	}
	if len(places) != 2 || !c.onOneLine(e.Sp) {
		return
	}
	i, j := places[0], places[1]
	a, b := e.Args[ce.info.Args[i]].Value, e.Args[ce.info.Args[j]].Value
	if !c.convertible(nil, c.info.TypeOf(a), ce.params[j].t) || !c.convertible(nil, c.info.TypeOf(b), ce.params[i].t) {
		return
	}
	c.reports = c.reports[:reports+1]
	d := report{c.reports[reports], c}
	d.Message = fmt.Sprintf("the %ss `%s` and `%s` of `%s` stand in each other's places", ce.what, ce.params[i].name, ce.params[j].name, ce.name)
	d.Span, d.Text, d.Help, d.Fixes = a.Span().To(b.Span()), "", nil, nil
	d.fix("exchange them", diag.Edit{Span: a.Span(), New: c.source(b.Span())}, diag.Edit{Span: b.Span(), New: c.source(a.Span())})
}

// listTaken reports several arguments in the place of a list, which is the last parameter.
func (c *checker) listTaken(e *syntax.Call, ce *callee) bool {
	last := len(ce.params) - 1
	if last < 0 || len(e.Args) < 2 {
		return false
	}
	list, ok := appOf(Prune(ce.params[last].t), CList)
	if !ok || !c.onOneLine(e.Sp) || isOpen(list.Args[0]) {
		return false
	}
	for _, a := range e.Args[last:] {
		if _, ok := unparen(a.Value).(*syntax.Lambda); ok {
			return false
		}
		t := c.info.Types[a.Value.ID()]
		if t == nil {
			t = c.expr(a.Value, nil, nil)
		}
		if !c.convertible(a.Value, t, list.Args[0]) {
			return false
		}
	}
	first, end := e.Args[last].Value.Span(), e.Args[len(e.Args)-1].Value.Span()
	c.err(diag.TooManyArguments, first.To(end), "`%s` takes a list here, but %s given", ce.name, wereCount(len(e.Args)-last)).
		label(ce.at, "declared here").
		fix("put them into a list", diag.Edit{Span: diag.Span{Start: first.Start, End: first.Start}, New: "["}, diag.Edit{Span: diag.Span{Start: end.End, End: end.End}, New: "]"})
	return true
}
