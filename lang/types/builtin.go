package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/format"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// builtinSig says how many arguments a builtin takes; print takes any number.
var builtinArgs = map[string][2]int{
	"assert": {1, 2}, "same": {2, 2}, "type_of": {1, 1},
	"int": {1, 1}, "float": {1, 1}, "str": {1, 1}, "bytes": {1, 1},
}

// callBuiltin checks a call of a function whose type cannot be written.
func (c *checker) callBuiltin(e *syntax.Call, name string, want Type) Type {
	info := &CallInfo{Kind: CallBuiltin, Builtin: name, Args: oneToOne(len(e.Args)), Params: make([]Type, len(e.Args))}
	c.info.Calls[e] = info
	c.callSite(e, &callee{info: info, name: name})
	if name == "print" {
		c.printedFormat(e)
	}
	for _, a := range e.Args {
		if a.Name.Text != "" {
			if c.methodColon(a) {
				c.skipArgs(e)
				return c.builtinResult(name)
			}
			c.err(diag.UnknownArgument, a.Name.Sp, "the arguments of `%s` have no names", name)
		}
	}
	if n, ok := builtinArgs[name]; ok && (len(e.Args) < n[0] || len(e.Args) > n[1]) {
		c.looseArgs(e)
		if len(e.Args) < n[0] {
			if !c.skipMissing(e) {
				c.err(diag.MissingArgument, e.Sp, "`%s` takes %s, but %s given", name, plural(n[0], "argument"), wereCount(len(e.Args)))
			}
		} else {
			c.err(diag.TooManyArguments, e.Args[n[1]].Value.Span(), "`%s` takes %s, but %s given", name, plural(n[1], "argument"), wereCount(len(e.Args)))
		}
		return c.builtinResult(name)
	}
	for i, a := range e.Args {
		var t Type
		switch {
		case name == "assert" && i == 0:
			yes, _ := c.cond(a.Value)
			c.facts = append(c.facts, yes...)
			t = Bool
		case name == "assert":
			t = c.check(a.Value, Str, &reason{text: "the message of `assert`"})
		case name == "same" && i == 1:
			t = c.expr(a.Value, hint(info.Params[0]), nil)
			if !c.convertible(a.Value, t, info.Params[0]) && !c.convertible(nil, info.Params[0], t) {
				c.mismatch(a.Value, t, info.Params[0], &reason{text: "the second argument of `same`"})
			}
		default:
			t = c.expr(a.Value, nil, nil)
			c.anyNone(t, 0)
			if name == "print" || name == "str" {
				c.shownFunction(a.Value)
				c.shows(t, a.Value.Span())
			}
		}
		info.Params[i] = Prune(t)
	}
	c.settleAll(info.Params)
	if len(e.Args) == 1 {
		c.conversion(e, name, Prune(info.Params[0]))
	}
	return c.builtinResult(name)
}

func (c *checker) builtinResult(name string) Type {
	switch name {
	case "same":
		return Bool
	case "type_of":
		return Str
	case "print", "assert":
		return Unit
	}
	return basicTypes[name]
}

// conversion checks what int(), float() and bytes() convert from; str() takes
// anything.
func (c *checker) conversion(e *syntax.Call, name string, from Type) {
	if v, ok := from.(*Var); ok && v.IntLit && name != "bytes" || from == Type(Invalid) || from == Type(Never) {
		return
	}
	ok, takes := true, ""
	switch name {
	case "int":
		ok = from == Type(Int) || from == Type(Float) || from == Type(Str) || from == Type(Bool) || from == Type(Duration) || c.isNumberParam(from) || isPlainEnum(from)
		takes = "int, float, str, bool, duration and enums without fields"
	case "float":
		ok = from == Type(Int) || from == Type(Float) || from == Type(Str) || c.isNumberParam(from)
		takes = "int, float and str"
	case "bytes":
		ok = from == Type(Str) || from == Type(Bytes)
		takes = "str and bytes; a buffer has `to_bytes()`"
	}
	if ok {
		return
	}
	d := c.err(diag.TypeMismatch, e.Args[0].Value.Span(), "`%s(x)` cannot convert a `%s`", name, c.shown(from))
	d.help("it takes %s", takes)
	if _, isOpt := optionalOf(from); isOpt {
		d.help("it may be none: use `x!` or `x ?? default` first")
	}
}

// newBuiltin is a call of a written type: map<str, int>(), chan<int>(16).
func (c *checker) newBuiltin(e *syntax.Call, fn *syntax.TypeName, want Type) Type {
	t := Prune(c.typeExpr(fn.Type))
	switch x := t.(type) {
	case *App:
		if name := ctorNames[min(int(x.Ctor), len(ctorNames)-1)]; x.Ctor <= CMutex && name != "" && x.Ctor != CTask {
			return c.newApplied(e, x.Ctor, name, x, want)
		}
		if x.Ctor == CList && len(e.Args) == 0 {
			c.err(diag.NotCallable, fn.Sp, "a list is made with `[]`").help("write the type where it is declared: `let xs: %s = []`", t)
			return t
		}
	case *Named:
		return c.construct(e, fn, x.Decl, x.Args, want, nil)
	case *Basic:
		if x == Buffer {
			return c.newApplied(e, 0, "buffer", nil, want)
		}
	}
	c.looseArgs(e)
	if t != Type(Invalid) {
		c.err(diag.NotCallable, fn.Sp, "a `%s` cannot be made by a call", t)
	}
	return Invalid
}

// newApplied makes a built-in collection, channel or mutex. t is the type when
// it was written out.
func (c *checker) newApplied(e *syntax.Call, k Ctor, name string, t *App, want Type) Type {
	if id, ok := e.Fn.(*syntax.Ident); ok && t == nil && len(id.TypeArgs) > 0 {
		c.typeExprs(id.TypeArgs)
	}
	info := &CallInfo{Kind: CallNewBuiltin, Builtin: name}
	c.info.Calls[e] = info
	if name == "buffer" {
		info.Type = Buffer
		c.newArgs(e, info, "buffer")
		return Buffer
	}
	if t == nil {
		t = &App{Ctor: k}
		if w, ok := appOf(orInvalid(withoutOptional(want)), k); ok {
			t.Args = append(t.Args, w.Args...)
		} else {
			for _, p := range strings.Fields("K V")[:k.arity()] {
				what := "`" + p + "` of this `" + name + "`"
				if k.arity() == 1 {
					what = "the element type of this `" + name + "`"
				}
				t.Args = append(t.Args, c.newVar(e.Sp, what, "write it: `"+name+"<"+[...]string{"int", "str, int"}[k.arity()-1]+">()`"))
			}
			if k == CMap || k == CSet {
				c.keyCheck(t.Args[0], e.Sp)
			}
		}
	}
	info.Type = t
	c.settle(&info.Type)
	switch k {
	case CTask:
		c.looseArgs(e)
		c.err(diag.NotCallable, e.Fn.Span(), "a task is started with `spawn`")
	case CMap:
		c.newArgs(e, info, "map")
	case CSet:
		if len(e.Args) > 0 {
			c.newArgs(e, info, "set", NewList(t.Args[0]))
		}
	case CChan:
		if len(e.Args) > 0 {
			c.newArgs(e, info, "chan", Int)
		}
	case CMutex:
		c.newArgs(e, info, "mutex", t.Args[0])
	}
	return t
}

// newArgs checks the arguments of a built-in constructor.
func (c *checker) newArgs(e *syntax.Call, info *CallInfo, name string, params ...Type) {
	for i, a := range e.Args {
		if i >= len(params) {
			c.expr(a.Value, nil, nil)
			c.err(diag.TooManyArguments, a.Value.Span(), "`%s` takes %s, but %s given", name, plural(len(params), "argument"), wereCount(len(e.Args)))
			return
		}
		if a.Name.Text != "" {
			c.err(diag.UnknownArgument, a.Name.Sp, "the argument of `%s` has no name", name)
		}
		c.check(a.Value, params[i], &reason{text: "the argument of `" + name + "`"})
	}
	if len(e.Args) < len(params) && !c.skipMissing(e) {
		c.err(diag.MissingArgument, e.Sp, "`%s` needs the value it guards", name).help("write `%s(value)`", name)
	}
	info.Params = params
	info.Args = oneToOne(len(params))
	c.settleAll(info.Params)
}

// formatSpec checks the format of `${x:>8.2f}`, and that it fits x.
func (c *checker) formatSpec(p *syntax.InterpPart, t Type) {
	spec, err := format.Parse(p.Spec)
	if err == nil {
		switch {
		case t == Type(Int):
			err = spec.Fits(format.Int)
		case t == Type(Float):
			err = spec.Fits(format.Float)
		case t == Type(Any), t == Type(Invalid), t == Type(Never), isOpen(t), isInterface(t), isTypeParam(t):
			// What it is shows when it runs.
		default:
			err = spec.Fits(format.Text)
		}
	}
	if err != nil {
		d := c.err(diag.BadFormatSpec, p.SpecSp, "%v", err).label(p.X.Span(), "this is `%s`", c.shown(t))
		if strings.Contains(p.Spec, "{") {
			d.help("what stands in braces is the name of a variable, as in `${x:>{width}.{precision}}`")
		}
	}
}

func isTypeParam(t Type) bool {
	_, ok := t.(*TypeParam)
	return ok
}
