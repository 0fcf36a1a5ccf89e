package printer

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// role is what the tree says of a token.
type role uint16

const (
	operator  role = 1 << iota // stands between two operands
	prefix                     // an operator before its operand
	item                       // begins a statement, a member or an arm
	member                     // begins a member or an arm
	opensMap                   // the { of a map
	opensList                  // the [ of a list
	bar                        // before or behind the parameters of a lambda
	noBars                     // the || of a lambda without parameters
	variable                   // the first of two variables: no element ends at its comma
	apart                      // a space stands before it, whatever it is
)

func (p *printer) is(i int, r role) bool { return i >= 0 && i < len(p.roles) && p.roles[i]&r != 0 }

// assign walks the tree and gives tokens their roles.
func (p *printer) assign() {
	p.statements(p.file.Items, len(p.toks))
	for _, s := range p.file.Items {
		syntax.Walk(s, func(n syntax.Node) bool {
			p.node(n)
			return true
		})
	}
}

func (p *printer) mark(pos uint32, r role) { p.roles[p.at(pos)] |= r }

func (p *printer) cond(c syntax.Cond) {
	for _, more := range c.More {
		p.operator(more.AndSp)
	}
}

func (p *printer) node(n syntax.Node) {
	start := n.Span().Start
	switch n := n.(type) {
	case *syntax.Binary:
		p.operator(n.OpSp)
	case *syntax.AssignStmt:
		p.operator(n.OpSp)
	case *syntax.If:
		p.cond(n.Cond)
	case *syntax.While:
		p.cond(n.Cond)
	case *syntax.Unary:
		p.mark(start, prefix)
	case *syntax.MapLit:
		p.mark(start, opensMap)
	case *syntax.ListLit:
		p.mark(start, opensList)
	case *syntax.Lambda:
		p.bars(p.at(start))
	case *syntax.Block:
		// An assignment as the body of an arm is a block without braces.
		if p.kind(p.at(start)) == token.LBrace {
			p.statements(n.Stmts, p.at(n.Rbrace.Start))
		}
	case *syntax.For:
		if len(n.Vars) == 2 {
			p.mark(n.Vars[0].Span().Start, variable)
		}
	case *syntax.Match:
		for _, a := range n.Arms {
			i := p.at(a.Pattern.Span().Start)
			for k := p.prev(i - 1); p.kind(k) == token.LParen; k = p.prev(k - 1) { // around the pattern
				i = k
			}
			p.roles[i] |= item | member
		}
	case *syntax.Select:
		for _, a := range n.Arms {
			p.mark(a.Sp.Start, item|member)
			if a.Kind == syntax.SelAfter {
				p.mark(a.X.Span().Start, apart)
			}
		}
	default:
		p.declaration(n)
	}
}

func (p *printer) declaration(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ImportDecl:
		p.imports[p.at(n.Sp.Start)] = n
	case *syntax.StructDecl:
		for _, f := range n.Fields {
			i := p.at(f.Name.Sp.Start)
			if f.ReadOnly {
				i = p.prev(i - 1)
			}
			p.roles[i] |= item | member
		}
		p.methods(n.Methods)
	case *syntax.EnumDecl:
		for _, v := range n.Variants {
			p.mark(v.Name.Sp.Start, item|member)
		}
		p.methods(n.Methods)
	case *syntax.InterfaceDecl:
		p.methods(n.Methods)
	case *syntax.ExtendDecl:
		p.mark(n.Target.Span().Start, apart)
		p.methods(n.Methods)
	}
}

// statements marks those that stand before end. A semicolon between two is only
// written within a line; behind the last one it matters if that is an
// expression.
func (p *printer) statements(list []syntax.Stmt, end int) {
	for i, s := range list {
		p.mark(s.Span().Start, item)
		if i > 0 {
			p.sep[p.end(p.at(s.Span().Start))].within = true
		}
	}
	if n := len(list); n > 0 {
		if x, ok := list[n-1].(*syntax.ExprStmt); !ok || !x.Semi {
			p.sep[p.end(end)] = separator{}
		}
	}
}

func (p *printer) methods(list []*syntax.FnDecl) {
	for _, m := range list {
		p.mark(m.Sp.Start, item|member)
	}
}

// members separates them, and arms, by commas within lines.
func (p *printer) members() {
	for open, list := range p.items {
		if len(list) == 0 || !p.is(list[0], member) {
			continue
		}
		for _, i := range list[1:] {
			p.sep[p.end(i)] = separator{",", true}
		}
		p.sep[p.end(p.pair[open])] = separator{}
	}
}

// operator marks an operator, which may be several tokens: >= is two.
func (p *printer) operator(sp diag.Span) {
	for i := p.at(sp.Start); i < len(p.toks) && p.toks[i].Sp.Start < sp.End; i++ {
		p.roles[i] |= operator
	}
}

// bars marks those around the parameters of the lambda that begins at i.
func (p *printer) bars(i int) {
	if p.kind(i) == token.OrOr {
		p.roles[i] |= noBars
		return
	}
	p.roles[i] |= bar
	for i++; p.kind(i) != token.Pipe; i++ {
	}
	p.roles[i] |= bar
}

// block reports whether i opens a block, or the members or arms of something.
func (p *printer) block(i int) bool { return p.kind(i) == token.LBrace && !p.is(i, opensMap) }

// arguments reports whether the parenthesis or bracket at i follows what it
// belongs to directly: arguments, parameters, an index.
func (p *printer) arguments(i int) bool {
	if p.is(i, apart) || p.breaks[i] > 0 {
		return false
	}
	before := i - 1
	switch p.kind(before) {
	case token.Ident, token.Self, token.RParen, token.RBrack, token.Fn, token.Str, token.StrTail, token.RawStr, token.Bytes:
		return true
	case token.Int: // t.0
		return p.kind(before-1) == token.Dot || p.kind(before-1) == token.QDot
	case token.Bang:
		return !p.is(before, prefix)
	case token.RBrace:
		return p.is(p.pair[before], opensMap)
	}
	if p.angle(before) && p.kind(before) != token.Lt {
		return true
	}
	// Any word names a method: fn match(
	return p.kind(before).IsKeyword() && p.kind(before-1) == token.Fn
}

// angle reports whether i is a bracket of types.
func (p *printer) angle(i int) bool {
	switch p.kind(i) {
	case token.Lt, token.Gt, token.GtEq, token.GtGt, token.GtGtEq:
		return !p.is(i, operator)
	}
	return false
}
