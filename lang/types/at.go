package types

import "github.com/runnel-lang/runnel/lang/syntax"

// checkAt checks what holds a position among the declarations of a module.
func (c *checker) checkAt(m *Module, at uint32) {
	for _, t := range m.Types {
		if !holds(t.Syntax, at) {
			continue
		}
		c.fieldDefaults(t)
		for _, f := range t.Methods {
			c.bodyAt(f, at)
		}
		for _, f := range t.Statics {
			c.bodyAt(f, at)
		}
	}
	for _, f := range m.Funcs {
		c.bodyAt(f, at)
	}
	for _, e := range m.extends {
		for _, f := range e.Methods {
			c.bodyAt(f, at)
		}
	}
	for _, t := range m.Tests {
		if holds(t, at) {
			c.testBody(m, t)
		}
	}
}

func (c *checker) bodyAt(f *FuncDecl, at uint32) {
	if holds(f.Syntax, at) {
		c.body(f)
	}
}

// wanted reports whether a top-level statement that declares nothing is to be
// checked.
func (c *checker) wanted(s syntax.Stmt) bool {
	return c.opts.At == 0 || c.mod == c.prog.Main && (holds(s, c.opts.At) || len(c.undecided) > 0)
}

// isPast reports whether a statement of a block comes after the position that a
// check is limited to: it tells nothing of it.
func (c *checker) isPast(s syntax.Stmt) bool {
	return c.opts.At != 0 && c.mod == c.prog.Main && s.Span().Start > c.opts.At
}

func holds(n syntax.Node, at uint32) bool {
	sp := n.Span()
	return sp.Start <= at && at <= sp.End
}
