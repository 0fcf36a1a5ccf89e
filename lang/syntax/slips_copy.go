package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// Copies of structs with changes as other languages write them: `{ ...p, x: 3 }`,
// `P { x: 3, ..p }`, `P(..p, x: 3)` and `p with { x = 3 }`.

// copySlip is such a copy that is being read.
type copySlip struct {
	d      *diag.Diagnostic
	base   string   // what is copied, as text
	fields []string // those that differ, as arguments
	isMap  bool     // it has keys that name no fields
}

// copyBegins notes a copy at an element that is what is copied, after the given ones.
func (p *parser) copyBegins(args []Arg) *copySlip {
	if p.kind != token.DotDot {
		return nil
	}
	if k := p.next2(); k != token.Dot && k != token.Ident && k != token.Self {
		return nil
	}
	c := p.newCopy(p.here())
	for _, a := range args {
		name := a.Name.Text
		if id, ok := a.Value.(*Ident); ok && name == "" {
			name = id.Name
		}
		c.add(name, p.text(a.Value.Span()))
	}
	return c
}

// entriesAsArgs are the entries of a map whose keys may be meant as names of fields.
func entriesAsArgs(entries []MapEntry) (args []Arg) {
	for _, e := range entries {
		a := Arg{Value: e.Value}
		if id, ok := e.Key.(*Ident); ok {
			a.Name.Text = id.Name
		}
		args = append(args, a)
	}
	return args
}

func (p *parser) newCopy(at diag.Span) *copySlip {
	d := p.report(diag.ForeignSyntax, at, "a struct is copied by its method `copy`, which takes what differs")
	p.errAt = -1
	return &copySlip{d: d}
}

func (c *copySlip) add(name, value string) {
	c.isMap = c.isMap || name == ""
	c.fields = append(c.fields, name+": "+value)
}

// copyElem reads an element of a copy.
func (p *parser) copyElem(c *copySlip) {
	if p.kind == token.DotDot {
		p.next()
		p.accept(token.Dot)
		c.base = p.text(p.expr().Span())
		return
	}
	if !p.isMemberName() {
		c.isMap = true
		p.expr()
		if p.accept(token.Colon) {
			p.expr()
		}
		return
	}
	name := p.ident().Text
	if p.kind != token.Colon && p.kind != token.Eq {
		c.add(name, name) // what has the name of the field
		return
	}
	p.next()
	c.add(name, p.text(p.expr().Span()))
}

// plainPlace is the text of a value that a method can be called on as it stands.
var plainPlace = lazy.Regexp(`^[a-z_]\w*(\.\w+)*$`)

// copyEnds says how a copy that has been read is written.
func (p *parser) copyEnds(c *copySlip, start uint32) Expr {
	text := c.base + ".copy(" + strings.Join(c.fields, ", ") + ")"
	switch {
	case c.isMap:
		c.d.Message = "there is no `...` before an element in Runnel"
		c.d.Help = append(c.d.Help, "a map is copied with `m.copy()`, and its entries are set then: `m[key] = value`; a list is joined with `+`")
	case plainPlace().MatchString(c.base):
		c.d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: text}}}}
	default:
		c.d.Help = append(c.d.Help, "write `p"+text[len(c.base):]+"`")
	}
	return &BadExpr{p.base(start)}
}

// withSlip reads `p with { x = 3 }`, of which p was taken.
func (p *parser) withSlip(start uint32, x Expr) Expr {
	if !p.at("with") || p.noBrace || p.next2() != token.LBrace {
		return nil
	}
	c := p.newCopy(p.here())
	c.base = p.text(x.Span())
	p.next()
	h := p.enter()
	p.opening()
	p.list(func() { p.copyElem(c) })
	p.leave(h)
	return p.copyEnds(c, start)
}
