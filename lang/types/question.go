package types

import (
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// What is said of messages and questions to actors.

// actorHelp says what to do instead of what other systems have on a type.
var actorHelp = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{"Context": {
		"self":   "the actor's own address is `ctx.me()`",
		"sender": "a message says itself who is to hear: give it a field, an `actor.Reply<T>` for an answer or an `actor.Ref<M>`",
		"reply":  "a question brings the place for its answer: `Get(reply: actor.Reply<int>)` is answered with `reply.send(1)`",
		"spawn":  "an actor is started with `actor.start`, and by a supervisor with `actor.spec`",
	},
	}
})

// noteReceiver says what the method is called on one of whose arguments is
// wrong. Of a part of an argument it says so where that is a message.
func (c *checker) noteReceiver(d report, why *reason) {
	for r := why; r != nil; r = r.outer {
		if r.recv == nil || r != why && !isOfActors(r.recv) {
			continue
		}
		t := written(c.shown(r.recv))
		if r.on == "" {
			d.note("it is called on a value of type `%s`", t)
		} else {
			d.note("`%s` is of type `%s`", r.on, t)
		}
		return
	}
}

// nameOf is an expression's source where that is a name, perhaps with dots.
func (c *checker) nameOf(e syntax.Expr) string {
	for x := e; ; {
		switch at := x.(type) {
		case *syntax.Ident, *syntax.SelfExpr:
			return c.source(e.Span())
		case *syntax.Member:
			x = at.X
		default:
			return ""
		}
	}
}

// libraryModule is what scripts import a module of the library as.
func libraryModule(m *Module) string {
	name, _, _ := strings.Cut(m.Path, "/")
	return name
}

// written prints a type as a user writes it: a name of the library with its module.
func written(t Type) string {
	n, ok := t.(*Named)
	if !ok || !n.Decl.Module.Std || strings.HasPrefix(n.Decl.Module.Path, "prelude") {
		return t.String()
	}
	return libraryModule(n.Decl.Module) + "." + t.String()
}

// isOfActors reports a type of module actor.
func isOfActors(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Module.Std && libraryModule(n.Decl.Module) == "actor"
}

// isReply reports a place for the answer to an actor's question.
func isReply(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Name == "Reply" && isOfActors(n)
}

// explainQuestion says of what was to make a question for an actor why it makes
// none: it has no place for an answer, one for another type, or more than that.
func (c *checker) explainQuestion(d report, e syntax.Expr, got, want Type) bool {
	w, ok := want.(*Func)
	if !ok || len(w.Params) != 1 || !isReply(w.Params[0]) {
		return false
	}
	var parts []Type
	g, isFunc := got.(*Func)
	v := c.variantUsed(e)
	switch {
	case isFunc:
		parts = g.Params
	case !Identical(got, w.Result):
		return false
	case v != nil:
		for _, f := range v.Fields {
			parts = append(parts, f.Type)
		}
	}
	var replies []Type
	for _, p := range parts {
		if isReply(p) {
			replies = append(replies, Prune(p).(*Named).Args[0])
		}
	}
	switch {
	case len(replies) == 0 && v != nil:
		d.help("`%s` has no `actor.Reply` to be answered with: send it with `tell`", v.Name)
	case len(replies) == 0:
		d.help("what it makes has no `actor.Reply` to be answered with: send it with `tell`")
	case len(replies) > 1:
		d.help("a question has one answer, and this has %d places for one: give the answers together, as a tuple or struct", len(replies))
	case v != nil && (len(parts) > 1 || !isFunc):
		d.help("`ask` gives the place for the answer, and wants the message with it: `|r| %s`", c.withFields(e, v, "r"))
	case len(parts) > 1:
		d.help("`ask` gives the place for the answer, and wants the message with it: `|r| f(..., r)`")
	default:
		d.help("its answer is of type `%s`", replies[0])
	}
	return true
}

// hintAnswer prepares what is said when nothing tells the type of the answer that
// a method which sends questions gives: the question does not ask for one.
func (c *checker) hintAnswer(method *FuncDecl, typeArgs []Type) {
	for _, p := range method.Params {
		f, ok := p.Type.(*Func)
		if !ok || len(f.Params) != 1 || !isReply(f.Params[0]) {
			continue
		}
		for i, t := range typeArgs {
			if v, ok := Prune(t).(*Var); ok && f.Params[0].(*Named).Args[0] == Type(method.TypeParams[i]) {
				c.vars[v.ID].fix = "put the place for the answer into the message, `|r| Get(r)`; a message without one is sent with `tell`"
			}
		}
	}
}

// variantUsed is the variant that an expression is or makes, or nil.
func (c *checker) variantUsed(e syntax.Expr) *VariantDecl {
	if call, ok := unparen(e).(*syntax.Call); ok {
		e = call.Fn
	}
	if v, ok := c.info.Uses[unparen(e).ID()].(*VariantRef); ok {
		return v.Variant
	}
	return nil
}

// withFields writes a call of a variant: its fields by their names, and what
// place stands for where one is for the answer.
func (c *checker) withFields(e syntax.Expr, v *VariantDecl, place string) string {
	var fields []string
	for _, f := range v.Fields {
		name := f.Name
		if isReply(f.Type) {
			name = place
		}
		fields = append(fields, name)
	}
	if call, ok := unparen(e).(*syntax.Call); ok {
		e = call.Fn
	}
	return c.source(e.Span()) + "(" + strings.Join(fields, ", ") + ")"
}

// explainActor says how an address is got where something of it was given, and
// that its type says what can be sent there.
func (c *checker) explainActor(d report, got, want Type) bool {
	w, ok := want.(*Named)
	if !ok || !isOfActors(w) || w.Decl.Name != "Ref" {
		return false
	}
	if g, ok := got.(*Named); ok && g.Decl != w.Decl && isOfActors(g) {
		for _, m := range g.Decl.Methods {
			result := Prune(c.resultOf(m, g))
			if len(m.Params) == 0 && m.Doc != "" && Identical(withoutOptional(result), want) {
				d.help("its `%s()` is a `%s`", m.Name, result)
				return true
			}
		}
	}
	if m, _ := c.methodOf(w.Args[0], "receive"); m != nil && len(m.Params) > 0 {
		d.help("an address says what can be sent there: `actor.Ref<%s>`", c.shown(m.Params[0].Type))
		return true
	}
	return false
}

// resultOf is what a method gives of a value of type t.
func (c *checker) resultOf(m *FuncDecl, t *Named) Type {
	return (&Subst{m.OwnerParams(), t.Args}).Apply(m.Result)
}
