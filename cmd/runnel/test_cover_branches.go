package main

import (
	"github.com/runnel-lang/runnel/lang/syntax"
)

// branch is a piece of a program that runs or does not, as a value decides.
type branch struct {
	place  sourcePlace // where its beginning is counted
	bare   bool        // nothing but that is at its place
	from   sourcePlace // where it is decided
	untold string      // what is to be said when it was not taken
	times  uint64
}

func (b branch) compare(c branch) int { return b.place.compare(c.place) }

// branches lists those of nodes.
func (p parsedFile) branches(roots ...syntax.Stmt) (list []branch) {
	add := func(from, at uint32, bare bool, untold string) {
		list = append(list, branch{place: p.place(at), bare: bare, from: p.place(from), untold: untold})
	}
	inside := func(from uint32, body syntax.Expr, untold string) {
		_, bare := body.(*syntax.Block)
		add(from, body.Span().Start, bare, untold)
	}
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.If:
			start := n.Span().Start
			inside(start, n.Then, "the condition is never true")
			switch els := n.Else.(type) {
			case nil:
				add(start, n.Span().End, true, "the condition is always true")
			case *syntax.Block:
				inside(start, els, "the condition is always true")
			}
		case *syntax.While:
			inside(n.Span().Start, n.Body, "the loop is never entered")
		case *syntax.For:
			inside(n.Span().Start, n.Body, "the loop is never entered")
		case *syntax.Match:
			for _, arm := range n.Arms {
				inside(arm.Pattern.Span().Start, arm.Body, "this arm is never taken")
			}
		case *syntax.Select:
			for _, arm := range n.Arms {
				inside(arm.Sp.Start, arm.Body, "this arm is never taken")
			}
		case *syntax.Try:
			for _, c := range n.Catches {
				inside(c.Sp.Start, c.Body, "nothing is caught here")
			}
		case *syntax.Binary:
			if op := shortCircuits[n.Op]; op != "" {
				inside(n.OpSp.Start, n.Y, "what follows "+op+" is never evaluated")
			}
		}
		return true
	}
	for _, root := range roots {
		syntax.Walk(root, visit)
	}
	return list
}

// shortCircuits are the operators whose right side is not always evaluated.
var shortCircuits = map[syntax.BinOp]string{syntax.OpAndAnd: "&&", syntax.OpOrOr: "||", syntax.OpCoalesce: "??"}

// taken counts the branches that were.
func (f *fileCoverage) taken() (n int) {
	for _, b := range f.branches {
		if b.times > 0 {
			n++
		}
	}
	return n
}

// untold says of a line that runs which branches that are decided there were
// not taken.
func (f *fileCoverage) untold(line int) (texts []string) {
	if n, ok := f.lines[line]; ok && n == 0 {
		return nil
	}
	for _, b := range f.branches {
		if b.times == 0 && b.from.line == line {
			texts = append(texts, b.untold)
		}
	}
	return texts
}
