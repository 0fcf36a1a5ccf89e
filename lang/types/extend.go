package types

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Entry is a script that continues where those before it end, as one of a session.
type Entry struct {
	File   *syntax.File
	Outer  map[string]Object // what those before it have declared
	Broken bool              // it has syntax errors
	// Valued has its last statement, when that is an expression, give a value:
	// Module.Value.
	Valued bool
}

// Extend checks a further script as part of the program. Only when no diagnostic
// is an error it belongs to the program, as Main, together with what it imports.
// When ctx ends the check is stopped, and the program is as it was.
// Names that nobody uses are no cause for a warning: who comes later may.
func (p *Program) Extend(ctx context.Context, e Entry) (*Module, []diag.Diagnostic) {
	c := p.c
	f := e.File
	c.broken, c.opts.Broken = e.Broken, e.Broken
	c.load.fresh, c.load.replaced = map[*Module]bool{}, map[string]*Module{}
	before := len(p.Modules)
	// Entries of one name are not one module: each declares types of its own.
	place := fmt.Sprintf("%s@%d", f.Source.Name, f.Source.Base)
	m := &Module{Path: place, Name: f.Source.Name, Script: true, File: f, Info: newInfo(f), outer: e.Outer, valued: e.Valued}
	diags := c.within(ctx, func() { c.checkEntry(m, before) })
	if diags != nil {
		c.reset(before)
		return m, diags
	}
	diags = c.take()
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		c.unload(before)
		return m, diags
	}
	p.Modules = append(p.Modules, m)
	p.Main = m
	return m, diags
}

// checkEntry checks an entry and the modules that it adds to those before.
func (c *checker) checkEntry(m *Module, before int) {
	c.load.open = []opened{{key: path.Clean(m.Name), mod: m}}
	c.ready = false
	c.declare(m)
	c.load.open = nil
	c.resolve(m)
	c.runChecks()
	c.ready = true
	for _, added := range c.prog.Modules[before:] {
		c.checkModule(added)
	}
	c.checkModule(m)
	c.checkSpawns()
}

// reset forgets what a check was at when it was stopped, and the modules from a place
// on, of which some may not be checked.
func (c *checker) reset(from int) {
	c.env, c.inference, c.depth = env{}, inference{}, 0
	c.take()
	c.checks, c.spawns, c.load.open = nil, nil, nil
	c.prog.Modules = c.prog.Modules[:from]
	for key, m := range c.load.byKey {
		if !slices.Contains(c.prog.Modules, m) {
			delete(c.load.byKey, key)
			delete(c.load.ahead, key)
		}
	}
	maps.Copy(c.load.byKey, c.load.replaced)
}

// unload forgets the modules from a place on: they may be mended and imported
// again. Those of the library stay.
func (c *checker) unload(from int) {
	unloaded := map[*Module]bool{}
	for _, m := range c.prog.Modules[from:] {
		unloaded[m] = !m.Std
	}
	c.prog.Modules = slices.DeleteFunc(c.prog.Modules, func(m *Module) bool { return unloaded[m] })
	for key, m := range c.load.byKey {
		if m == nil || unloaded[m] {
			delete(c.load.byKey, key)
			delete(c.load.ahead, key)
		}
	}
	maps.Copy(c.load.byKey, c.load.replaced)
}

// Replaced are the files that the last entry has imported again because they, or
// others that they import, have changed: what was made of them before goes on.
func (p *Program) Replaced() []string {
	return slices.Sorted(maps.Keys(p.c.load.replaced))
}

// lastValue checks the last statement of an entry as an expression whose value is
// kept, if it is one.
func (c *checker) lastValue(m *Module, s syntax.Stmt) (t Type, ok bool) {
	x, isExpr := s.(*syntax.ExprStmt)
	if !m.valued || !isExpr || x.Semi || s != m.File.Items[len(m.File.Items)-1] {
		return nil, false
	}
	defer c.commentedOperand(x.X)
	r := c.openRegion()
	g := &Global{Name: "_", Module: m, Type: c.expr(x.X, nil, nil), At: x.Span(), Index: len(m.Globals), Used: true}
	c.settle(&g.Type)
	c.closeRegion(r)
	g.Type = Prune(g.Type)
	if g.Type != Type(Unit) && g.Type != Type(Never) && g.Type != Type(Invalid) {
		m.Value = g
		m.Globals = append(m.Globals, g)
		c.globals[g] = true
	}
	return g.Type, true
}
