package types

import (
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// frame is a function being checked: a declared one, a lambda, a spawn block,
// a test, or a module's top level.
type frame struct {
	node    any         // what Local.Func is for its locals
	expr    syntax.Expr // the Lambda or Spawn that captures; nil for the others
	parent  *frame      // the frame around a lambda or spawn block
	result  Type        // what return gives; nil where return cannot stand
	why     *reason     // of result
	loops   []*loop
	defers  int    // how many defers are open
	yields  bool   // a generator
	yielded bool   // a lambda in it yields, and should not
	held    string // the innermost lock, scope or select that is open
	scopes  []int
	effects effects
}

// effects are what a function does that matters when it runs in a task: the
// vars of others that it touches, and the functions it refers to.
type effects struct {
	vars  []varUse
	calls []callUse
}

type varUse struct {
	name     string
	typ      func() Type
	declared diag.Span
	at       diag.Span
	owner    *frame // nil for a top-level var
}

type callUse struct {
	fn     *FuncDecl // nil for a call of a local lambda
	lambda *frame
	name   string
	at     diag.Span
}

// spawnSite is a spawn whose task may not touch vars of the spawner.
type spawnSite struct {
	at      diag.Span
	spawner *frame
	effects *effects // of the spawned block or lambda
	call    callUse  // or the function spawned
}

// inFrame checks f as the body of a function of its own.
func (c *checker) inFrame(fr *frame, f func()) {
	outer, names, facts := c.frame, len(c.names), len(c.facts)
	c.frame = fr
	f()
	c.frame, c.names, c.facts = outer, c.names[:names], c.facts[:facts]
	if fr.parent != nil {
		fr.parent.effects.vars = append(fr.parent.effects.vars, fr.effects.vars...)
		fr.parent.effects.calls = append(fr.parent.effects.calls, fr.effects.calls...)
	}
}

func (c *checker) spawn(e *syntax.Spawn, want Type) Type {
	c.noSuspension(e.Sp, "`spawn`")
	var inner Type
	if t, ok := appOf(orInvalid(withoutOptional(want)), CTask); ok {
		inner = t.Args[0]
	}
	switch x := e.X.(type) {
	case *syntax.Block:
		result := inner
		if result == nil || result == c.either {
			result = c.newVar(e.Sp, "the type of this task's value", "")
		}
		fr := &frame{node: e, expr: e, parent: c.frame, result: result}
		fr.why = &reason{text: "the task's value"}
		c.inFrame(fr, func() { c.resultBody(x, fr) })
		c.spawns = append(c.spawns, spawnSite{at: e.Sp, spawner: c.frame, effects: &fr.effects})
		return &App{CTask, []Type{Prune(result)}}
	case *syntax.Call:
		t := c.expr(x, inner, nil)
		c.spawnCall(e, x)
		return &App{CTask, []Type{t}}
	}
	c.expr(e.X, nil, nil) // anything else is a syntax error
	return Invalid
}

// spawnCall notes what a spawned call will run.
func (c *checker) spawnCall(e *syntax.Spawn, x *syntax.Call) {
	info := c.info.Calls[x]
	if info == nil {
		return
	}
	switch info.Kind {
	case CallStruct, CallVariant, CallCopy, CallNewBuiltin:
		c.err(diag.CannotSpawn, x.Sp, "this makes a value and is no call of a function").
			help("put it in a block: `spawn { ... }`")
		return
	}
	if info.Kind == CallBuiltin && info.Builtin != "print" && info.Builtin != "eprint" {
		c.err(diag.CannotSpawn, x.Sp, "`%s` is no function that a task can run by itself", info.Builtin).
			help("put it in a block: `spawn { ... }`")
		return
	}
	if m, ok := x.Fn.(*syntax.Member); ok && m.Safe {
		c.err(diag.CannotSpawn, m.Sp, "a `?.` call cannot be spawned").help("put it in a block: `spawn { ... }`")
		return
	}
	site := spawnSite{at: e.Sp, spawner: c.frame}
	switch fn := unparen(x.Fn).(type) {
	case *syntax.Lambda:
		if fr := c.lits[fn]; fr != nil {
			site.effects = &fr.effects
		}
	case *syntax.Ident:
		if o := c.info.Uses[fn.Id]; o != nil && c.lambdas[o] != nil {
			site.call = callUse{lambda: c.lambdas[o], name: fn.Name, at: fn.Sp}
		}
	}
	if info.Fn != nil && (info.Kind == CallFunc || info.Kind == CallMethod) {
		site.call = callUse{fn: info.Fn, name: info.Fn.Name, at: x.Fn.Span()}
	}
	if site.effects != nil || site.call.fn != nil || site.call.lambda != nil {
		c.spawns = append(c.spawns, site)
	}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// checkSpawns reports the vars that spawned code would share with others.
func (c *checker) checkSpawns() {
	sites := c.spawns
	c.spawns = nil
	for _, s := range sites {
		outside := map[*frame]bool{}
		for f := s.spawner; f != nil; f = f.parent {
			outside[f] = true
		}
		w := &spawnWalk{c: c, site: s, outside: outside, seen: map[any]bool{}, reported: map[diag.Span]bool{}}
		if s.effects != nil {
			w.visit(s.effects)
		} else {
			w.call(s.call)
		}
	}
}

type spawnWalk struct {
	c        *checker
	site     spawnSite
	outside  map[*frame]bool
	seen     map[any]bool
	reported map[diag.Span]bool // vars, by their declaration
	path     []callUse
}

func (w *spawnWalk) call(u callUse) {
	var key any = u.fn
	if u.fn == nil {
		key = u.lambda
	}
	if w.seen[key] || len(w.path) > maxTypeDepth {
		return
	}
	w.seen[key] = true
	w.path = append(w.path, u)
	if u.fn != nil {
		if st := w.c.fns[u.fn]; st != nil {
			w.visit(&st.effects)
		}
	} else {
		w.visit(&u.lambda.effects)
	}
	w.path = w.path[:len(w.path)-1]
}

func (w *spawnWalk) visit(fx *effects) {
	for _, v := range fx.vars {
		if (v.owner == nil || w.outside[v.owner]) && !w.reported[v.declared] {
			w.reported[v.declared] = true
			w.report(v)
		}
	}
	for _, u := range fx.calls {
		w.call(u)
	}
}

// unknown reports whether the variable's value is wrong already, so that nothing is known of it.
func (v varUse) unknown() bool { return Prune(v.typ()) == Type(Invalid) }

func (w *spawnWalk) report(v varUse) {
	c := w.c
	at := v.at
	if len(w.path) > 0 {
		at = w.path[0].at
	}
	if v.unknown() {
		return
	}
	d := c.err(diag.SharedVariable, at, "a spawned task cannot use the variable `%s`", v.name)
	d.label(v.declared, "declared here, outside the task")
	if len(w.path) > 0 {
		steps := make([]string, len(w.path))
		for i, u := range w.path {
			steps[i] = fmt.Sprintf("`%s`", u.name)
		}
		d.text("this uses `%s`", v.name)
		d.label(v.at, "used here")
		d.note("the task runs %s, which uses `%s` at %s", strings.Join(steps, ", which calls "), v.name, c.place(v.at))
	} else {
		d.label(w.site.at, "the task starts here")
	}
	d.note("the task runs in parallel with the code that owns the variable, so both could change it at once")
	d.help("pass a `let` copy to the task, guard it with `mutex(...)` and `lock`, send it over a `chan`, or use `sync.atomic`")
}

// noSuspension reports what may not stand at the top level of an imported
// module, which runs before the program and cannot wait.
func (c *checker) noSuspension(at diag.Span, what string) {
	if m, ok := c.frame.node.(*Module); ok && !m.Script {
		c.err(diag.SuspendsInModule, at, "%s cannot stand at the top level of an imported module", what).
			note("a module's values are made before the program runs, and making them may not wait").
			help("put it in a function")
	}
}

func (c *checker) await(e *syntax.Await, want Type) Type {
	c.noSuspension(e.Sp, "`await`")
	if c.awaitedElsewhere(e) {
		return Invalid
	}
	var taskWant Type
	if h := hint(want); h != nil {
		taskWant = &App{CTask, []Type{h}}
	}
	t := Prune(c.expr(e.X, taskWant, nil))
	if a, ok := appOf(t, CTask); ok {
		return Prune(a.Args[0])
	}
	if isOpen(t) {
		v := c.newVar(e.Sp, "the type of this task's value", "")
		if c.tryUnify(t, &App{CTask, []Type{v}}) {
			return v
		}
	}
	if t != Type(Invalid) && t != Type(Never) {
		d := c.err(diag.NotConcurrent, e.X.Span(), "only a task can be awaited, and this is `%s`", c.shown(t))
		if l, ok := appOf(t, CList); ok {
			if _, ok := appOf(l.Args[0], CTask); ok {
				d.help("wait for all of them with `await_all(tasks)`")
			}
		} else if _, ok := e.X.(*syntax.Call); ok {
			d.help("a call waits by itself; `await` is for what `spawn` gives")
			d.fix("leave `await` out", diag.Edit{Span: diag.Span{Start: e.Sp.Start, End: e.X.Span().Start}})
		}
	}
	return Invalid
}

func (c *checker) scopeExpr(e *syntax.Scope, want Type, why *reason) Type {
	c.noSuspension(e.Sp, "`scope`")
	defer c.hold("scope")()
	return c.expr(e.Body, want, why)
}

func (c *checker) lock(e *syntax.Lock, want Type, why *reason) Type {
	c.noSuspension(e.Sp, "`lock`")
	defer c.hold("lock")()
	t := Prune(c.expr(e.X, nil, nil))
	var inner Type = Invalid
	if a, ok := appOf(t, CMutex); ok {
		inner = Prune(a.Args[0])
	} else if t != Type(Invalid) && t != Type(Never) {
		c.err(diag.NotConcurrent, e.X.Span(), "only a mutex can be locked, and this is `%s`", c.shown(t)).
			help("guard the value where it is made: `let m = mutex(value)`")
	}
	names := len(c.names)
	l := c.newLocal(e.Name, inner)
	l.Var, l.LockOf, l.Used = true, true, true
	c.lowerCase(e.Name, "variable")
	c.mutated[l] = true
	c.settle(&l.Type)
	c.info.Locks[e] = l
	c.bind(e.Name, l, names)
	got := c.expr(e.Body, want, why)
	c.names = c.names[:names]
	return got
}

func (c *checker) selectExpr(e *syntax.Select, want Type, why *reason) Type {
	c.noSuspension(e.Sp, "`select`")
	defer c.hold("select")()
	j := c.newJoin(want, why)
	after, def := diag.NoSpan, diag.NoSpan
	for _, arm := range e.Arms {
		names, facts := len(c.names), len(c.facts)
		switch arm.Kind {
		case syntax.SelRecv:
			elem := c.channel(arm.Chan)
			if arm.Bind != nil {
				c.bindIrrefutable(arm.Bind, NewOptional(elem), names, inLet)
			}
		case syntax.SelSend:
			elem := c.channel(arm.Chan)
			c.check(arm.X, elem, &reason{text: "what is sent"})
		case syntax.SelAfter:
			c.check(arm.X, Duration, &reason{text: "the time to wait"})
			c.onceInSelect(&after, arm.Sp, "`after`")
		case syntax.SelDefault:
			c.onceInSelect(&def, arm.Sp, "`_`")
		}
		j.add(arm.Body)
		c.reportUnusedLocals(names)
		c.names, c.facts = c.names[:names], c.facts[:facts]
	}
	if after.IsValid() && def.IsValid() {
		c.err(diag.BadSelect, after, "`after` is never reached beside a `_` arm, which does not wait").label(def, "does not wait")
	}
	if len(e.Arms) == 0 {
		if body := strings.Fields(c.source(e.Sp)); strings.HasSuffix(strings.Join(body, ""), "{}") { // else its arms could not be parsed
			c.err(diag.BadSelect, e.Sp, "a `select` needs an arm")
		}
		return Invalid
	}
	return j.result()
}

func (c *checker) onceInSelect(first *diag.Span, at diag.Span, what string) {
	if first.IsValid() {
		c.err(diag.BadSelect, at, "a `select` can have only one %s arm", what).label(*first, "the first one")
		return
	}
	*first = at
}

// channel checks the operand of a select arm and gives its element type.
func (c *checker) channel(e syntax.Expr) Type {
	t := Prune(c.expr(e, nil, nil))
	if a, ok := appOf(t, CChan); ok {
		return Prune(a.Args[0])
	}
	if t != Type(Invalid) && t != Type(Never) {
		c.err(diag.NotConcurrent, e.Span(), "a `select` arm needs a channel, and this is `%s`", c.shown(t))
	}
	return Invalid
}

func orInvalid(t Type) Type {
	if t == nil {
		return Invalid
	}
	return t
}
