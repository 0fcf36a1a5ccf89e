package types

import (
	"strings"
	"unicode"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// isConsequence reports whether an unknown name, or a type where a value is
// needed, most likely comes of a syntax error that is reported: what could not
// be parsed may declare it, or continues after it.
func (c *checker) isConsequence(at diag.Span, name string) bool {
	if !c.mayFollow(at, name) {
		return false
	}
	c.consequences = append(c.consequences, at)
	return true
}

func (c *checker) mayFollow(at diag.Span, name string) bool {
	if !c.opts.Broken && !c.broken {
		return false
	}
	if f := c.prog.Files.File(at.Start); f != nil && int(at.End-f.Base) <= len(f.Src) {
		if strings.HasPrefix(f.Src[at.End-f.Base:], "::") {
			return true
		}
	}
	return c.lostIn(c.mod)[name]
}

// lostIn returns the words of the statements and expressions of a module that could
// not be parsed.
func (c *checker) lostIn(m *Module) map[string]bool {
	if lost, ok := c.lost[m]; ok {
		return lost
	}
	lost := map[string]bool{}
	for _, item := range m.File.Items {
		syntax.Walk(item, func(n syntax.Node) bool {
			_, bad := n.(*syntax.BadStmt)
			if _, badExpr := n.(*syntax.BadExpr); bad || badExpr {
				for _, word := range strings.FieldsFunc(c.source(n.Span()), func(r rune) bool {
					return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
				}) {
					lost[word] = true
				}
			}
			return true
		})
	}
	c.lost[m] = lost
	return lost
}

// faults counts what was wrong so far: what is reported, and what follows from syntax errors.
type faults struct{ reports, consequences int }

func (c *checker) faults() faults { return faults{len(c.reports), len(c.consequences)} }

// since returns where something was wrong after a moment.
func (c *checker) since(before faults) (at []diag.Span) {
	for _, d := range c.reports[before.reports:] {
		at = append(at, d.Span)
	}
	return append(at, c.consequences[before.consequences:]...)
}
