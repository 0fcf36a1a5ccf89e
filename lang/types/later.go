package types

import (
	"regexp"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// later is a let whose value leaves a part of its type open: `[]`, `{}`, `none`, or
// `Stack()`. The first statement that decides it does so, up to the end of the block.
type later struct {
	let  string // "let counts", or with var
	name string
	t    Type
	vars []*Var
	by   diag.Span // of the name in the let, or of the statement that has decided it
}

// typedLet is how the help for an open type begins the let that says it.
var typedLet = regexp.MustCompile(`let \w+:`)

// leaveOpen puts off what is open in the type of a let's value, to the end of the block.
// What a function takes and gives is not: it is hardly ever found out by calls.
func (c *checker) leaveOpen(s *syntax.LetStmt, r region) {
	b, ok := s.Pattern.(*syntax.BindPattern)
	if !ok || s.Type != nil || b.Type != nil || len(c.vars) == r.vars || b.Name.Text == "_" {
		return
	}
	t := Prune(c.info.TypeOf(s.Value))
	if _, whole := t.(*Var); whole {
		return
	}
	open := c.openParts(nil, t, 0)
	if len(open) == 0 {
		return
	}
	l := &later{let: "let " + b.Name.Text, name: b.Name.Text, t: t}
	switch s.Kind {
	case syntax.Var:
		l.let = "var " + l.name
	case syntax.Const:
		l.let = "const " + l.name
	}
	l.add(open)
	c.laters, c.undecided = append(c.laters, l), append(c.undecided, l)
	if local := c.info.Pats[b]; local != nil && local.Bind != nil {
		c.decided[local.Bind] = l
	} else if g := c.info.GlobalBinds[b]; g != nil {
		c.decided[g] = l
	}
}

func (l *later) add(open []*Var) {
	for _, v := range open {
		v.later = l
	}
	l.vars = append(l.vars, open...)
}

// openParts lists the open variables of a type that nobody decides later so far, but
// those of functions.
func (c *checker) openParts(open []*Var, t Type, depth int) []*Var {
	if depth > maxTypeDepth {
		return open
	}
	var args []Type
	switch t := Prune(t).(type) {
	case *Var:
		if t.later == nil && !t.IntLit {
			open = append(open, t)
		}
	case *App:
		args = t.Args
	case *Named:
		args = t.Args
	}
	for _, a := range args {
		open = c.openParts(open, a, depth+1)
	}
	return open
}

// decide is called at the end of each region: a number that has decided a type is an
// int, and what is open in a type that has decided another is decided later too.
func (c *checker) decide() {
	c.undecided = slices.DeleteFunc(c.undecided, func(l *later) bool {
		open := false
		for i := 0; i < len(l.vars); i++ {
			v := l.vars[i]
			if v.Link == nil && v.IntLit {
				c.link(v, Int)
			}
			if v.Link != nil {
				l.add(c.openParts(nil, v.Link, 0))
			}
			open = open || v.Link == nil
		}
		return !open
	})
}

// reportLaters reports what nothing in a block, whose lets begin at mark, has decided.
func (c *checker) reportLaters(mark int, before faults) {
	if len(c.laters) == mark {
		return
	}
	c.decide()
	others := c.since(before)
	for _, l := range c.laters[mark:] {
		for _, v := range l.vars {
			switch {
			case v.Link != nil:
			case c.anyBeside(l.name, others):
				v.Link = Invalid // most likely it would have decided it
			default:
				c.cannotInfer(c.vars[v.ID], c.faults())
			}
		}
	}
	c.laters = c.laters[:mark]
	c.decide()
}

// anyBeside reports whether something was wrong in a line that has a name.
func (c *checker) anyBeside(name string, faults []diag.Span) bool {
	var word *regexp.Regexp
	return slices.ContainsFunc(faults, func(at diag.Span) bool {
		f := c.prog.Files.File(at.Start)
		if f == nil {
			return false
		}
		line, _ := f.Pos(at.Start)
		if !strings.Contains(f.Line(line), name) {
			return false
		}
		if word == nil {
			word = regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		}
		return word.MatchString(f.Line(line))
	})
}

// laterOf finds the let that leaves open the type of what an expression begins with.
func (c *checker) laterOf(e syntax.Expr) *later {
	for {
		switch x := unparen(e).(type) {
		case *syntax.Member:
			e = x.X
		case *syntax.Index:
			e = x.X
		case *syntax.Unwrap:
			e = x.X
		case *syntax.Call:
			e = x.Fn
		case *syntax.Ident:
			return c.decided[c.info.Uses[x.Id]]
		default:
			return nil
		}
	}
}

// explainDecided says which statement has decided the type that a value does not fit.
func (c *checker) explainDecided(d report, e syntax.Expr, got, want Type, why *reason) bool {
	l := c.laterOf(e)
	if l == nil && why != nil {
		l = why.later
	}
	if l == nil || !l.by.IsValid() {
		return false
	}
	d.label(l.by, "this decides the type of `%s`", l.name)
	t := "T"
	if _, name := unparen(e).(*syntax.Ident); hasOpen(want, 0) {
	} else if name && c.laterOf(e) == l {
		t = want.String()
	} else if a, ok := Prune(l.t).(*App); ok {
		if i := slices.IndexFunc(a.Args, func(arg Type) bool { return Identical(c.shown(arg), want) }); i >= 0 {
			args := slices.Clone(a.Args)
			args[i] = got
			t = c.shown(&App{a.Ctor, args}).String()
		}
	}
	d.help("for another type, write it where `%s` is declared: `%s: %s = ...`", l.name, l.let, t)
	return true
}
