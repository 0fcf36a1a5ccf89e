package syntax

// Walk calls visit for a node and, while it answers true, for the nodes below
// it, in source order. Types are not visited.
func Walk(n Node, visit func(Node) bool) {
	if isNil(n) || !visit(n) {
		return
	}
	w := walker{visit}
	w.children(n)
}

type walker struct{ visit func(Node) bool }

func isNil(n Node) bool {
	if n == nil {
		return true
	}
	b, ok := n.(*Block)
	return ok && b == nil
}

func (w walker) walk(n Node) { Walk(n, w.visit) }

func (w walker) expr(e Expr) {
	if e != nil {
		Walk(e, w.visit)
	}
}

func (w walker) exprs(es []Expr) {
	for _, e := range es {
		w.expr(e)
	}
}

func (w walker) stmts(ss []Stmt) {
	for _, s := range ss {
		Walk(s, w.visit)
	}
}

func (w walker) pattern(p Pattern) {
	if p != nil {
		Walk(p, w.visit)
	}
}

func (w walker) params(ps []*Param) {
	for _, p := range ps {
		w.pattern(p.Pattern)
		w.expr(p.Default)
	}
}

func (w walker) methods(ms []*FnDecl) {
	for _, m := range ms {
		Walk(m, w.visit)
	}
}

func (w walker) cond(c Cond) {
	w.expr(c.X)
	w.pattern(c.Pattern)
	for _, more := range c.More {
		w.expr(more.X)
		w.pattern(more.Pattern)
	}
}

func (w walker) children(n Node) {
	switch n := n.(type) {
	case *FnDecl:
		w.params(n.Params)
		w.walk(n.Body)
	case *StructDecl:
		for _, f := range n.Fields {
			w.expr(f.Default)
		}
		w.methods(n.Methods)
	case *EnumDecl:
		for _, v := range n.Variants {
			w.params(v.Fields)
			w.expr(v.Number)
		}
		w.methods(n.Methods)
	case *InterfaceDecl:
		w.methods(n.Methods)
	case *ExtendDecl:
		w.methods(n.Methods)
	case *TestDecl:
		w.walk(n.Body)
	case *LetStmt:
		w.expr(n.Value)
		w.pattern(n.Pattern)
	case *AssignStmt:
		w.expr(n.Target)
		w.expr(n.Value)
	case *ExprStmt:
		w.expr(n.X)
	case *DeferStmt:
		Walk(n.Body, w.visit)
	case Pattern:
		w.patternChildren(n)
	case Expr:
		w.exprChildren(n)
	}
}

func (w walker) exprChildren(e Expr) {
	switch e := e.(type) {
	case *InterpLit:
		for _, p := range e.Parts {
			w.expr(p.X)
			w.exprs(p.Holes)
		}
	case *ListLit:
		w.exprs(e.Elems)
	case *Spread:
		w.expr(e.X)
	case *MapLit:
		for _, en := range e.Entries {
			w.expr(en.Key)
			w.expr(en.Value)
		}
	case *TupleLit:
		w.exprs(e.Elems)
	case *RangeLit:
		w.expr(e.Lo)
		w.expr(e.Hi)
	case *Member:
		w.expr(e.X)
	case *Index:
		w.expr(e.X)
		w.expr(e.I)
	case *Call:
		w.expr(e.Fn)
		for _, a := range e.Args {
			w.expr(a.Value)
		}
	case *Unwrap:
		w.expr(e.X)
	case *Unary:
		w.expr(e.X)
	case *Binary:
		w.expr(e.X)
		w.expr(e.Y)
	case *Is:
		w.expr(e.X)
	case *As:
		w.expr(e.X)
	case *Paren:
		w.expr(e.X)
	case *Lambda:
		w.params(e.Params)
		w.expr(e.Body)
	default:
		w.controlChildren(e)
	}
}

func (w walker) controlChildren(e Expr) {
	switch e := e.(type) {
	case *Block:
		w.stmts(e.Stmts)
	case *If:
		w.cond(e.Cond)
		w.walk(e.Then)
		w.expr(e.Else)
	case *While:
		w.cond(e.Cond)
		w.walk(e.Body)
	case *Loop:
		w.walk(e.Body)
	case *For:
		w.expr(e.X)
		for _, v := range e.Vars {
			w.pattern(v)
		}
		w.walk(e.Body)
	case *Match:
		w.expr(e.X)
		for _, a := range e.Arms {
			w.pattern(a.Pattern)
			w.expr(a.Guard)
			w.expr(a.Body)
		}
	case *Try:
		w.walk(e.Body)
		for _, c := range e.Catches {
			w.walk(c.Body)
		}
	case *Throw:
		w.expr(e.X)
	case *Yield:
		w.expr(e.X)
	case *Return:
		w.expr(e.X)
	case *Spawn:
		w.expr(e.X)
	case *Await:
		w.expr(e.X)
	case *Scope:
		w.walk(e.Body)
	case *Lock:
		w.expr(e.X)
		w.walk(e.Body)
	case *Select:
		for _, a := range e.Arms {
			w.pattern(a.Bind)
			w.expr(a.Chan)
			w.expr(a.X)
			w.expr(a.Body)
		}
	}
}

func (w walker) patternChildren(p Pattern) {
	switch p := p.(type) {
	case *LitPattern:
		w.expr(p.X)
	case *RangePattern:
		w.expr(p.Lo)
		w.expr(p.Hi)
	case *TuplePattern:
		for _, e := range p.Elems {
			w.pattern(e)
		}
	case *ListPattern:
		for _, e := range p.Elems {
			w.pattern(e)
		}
		if p.Between != nil {
			w.pattern(p.Between)
		}
	case *VariantPattern:
		for _, f := range p.Fields {
			w.pattern(f.Pat)
		}
	case *OrPattern:
		for _, a := range p.Alts {
			w.pattern(a)
		}
	}
}

// Declared returns the names that a top-level item declares. An import is not among
// them.
func Declared(item Stmt) (names []string) {
	switch d := item.(type) {
	case *FnDecl:
		return []string{d.Name.Text}
	case *StructDecl:
		return []string{d.Name.Text}
	case *EnumDecl:
		return []string{d.Name.Text}
	case *InterfaceDecl:
		return []string{d.Name.Text}
	case *TypeDecl:
		return []string{d.Name.Text}
	case *LetStmt:
		Walk(d.Pattern, func(n Node) bool {
			if b, ok := n.(*BindPattern); ok && b.Name.Text != "_" {
				names = append(names, b.Name.Text)
			}
			return true
		})
	}
	return names
}
