package compiler

import "github.com/runnel-lang/runnel/lang/syntax"

// mark makes it countable how often a branch is taken, where that is asked for:
// by a jump to the next word, whose place is that of the branch. A branch that is
// not written, the else of an if without one, has the place behind its if.
func (b *builder) mark(place uint32) {
	if !b.c.opts.Branches || b.frozen > 0 || b.dead {
		return
	}
	saved, next := b.pos, newLabel()
	b.pos = place
	b.jump(next)
	b.pos = saved
	b.bind(next)
}

// markBranch marks the branch that a node is.
func (b *builder) markBranch(n syntax.Node) { b.mark(n.Span().Start) }

// bindUnwritten binds the label of an else that is not written.
func (b *builder) bindUnwritten(els *label, e *syntax.If) {
	if !b.c.opts.Branches {
		b.bind(els)
		return
	}
	end := newLabel()
	b.jump(end)
	b.bind(els)
	b.mark(e.Span().End)
	b.bind(end)
}

// loopBody compiles a turn of a loop.
func (b *builder) loopBody(body *syntax.Block) {
	b.markBranch(body)
	b.discard(body)
}
