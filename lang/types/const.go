package types

import (
	"math"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// constDef is how a constant is written, for its evaluation when it is first
// used.
type constDef struct {
	stmt *syntax.LetStmt
	mod  *Module
	busy bool
	done bool
}

// maxConstText bounds the text a constant expression may build.
const maxConstText = 1 << 16

// constNames visits the names that a constant is made of. It reports false for an
// expression that no constant can be.
func constNames(e syntax.Expr, visit func(name string)) bool {
	ok := true
	syntax.Walk(e, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.StrLit, *syntax.BytesLit, *syntax.DurationLit, *syntax.InterpLit,
			*syntax.Paren, *syntax.Unary, *syntax.Binary, *syntax.BadExpr:
		case *syntax.Ident:
			visit(x.Name)
		case *syntax.Member: // perhaps a constant of a module
			id, isName := x.X.(*syntax.Ident)
			ok = ok && isName && isLowerSnake(id.Name) && isLowerSnake(x.Name.Text)
			if ok {
				visit(id.Name + "." + x.Name.Text)
			}
			return false
		case syntax.Expr:
			ok = false
		}
		return ok
	})
	return ok
}

// foldedConsts finds the constants of a file that are known when it is compiled: those made
// of literals, operators and other such constants. Any other `const` is a `let`.
func foldedConsts(m *Module) map[*syntax.LetStmt]bool {
	folded, users, others := map[*syntax.LetStmt]bool{}, map[string][]*syntax.LetStmt{}, []string{}
	for _, item := range m.File.Items {
		switch s := item.(type) {
		case *syntax.FnDecl:
			others = append(others, s.Name.Text)
		case *syntax.LetStmt:
			b, named := s.Pattern.(*syntax.BindPattern)
			isConst := named && s.Kind == syntax.Const && constNames(s.Value, func(name string) {
				users[name] = append(users[name], s)
				if m.isVariable(name) {
					others = append(others, name)
				}
			})
			if isConst {
				folded[s] = true
			} else if named {
				others = append(others, b.Name.Text)
			}
		}
	}
	for len(others) > 0 {
		name := others[len(others)-1]
		others = others[:len(others)-1]
		for _, s := range users[name] {
			if folded[s] {
				delete(folded, s)
				others = append(others, s.Pattern.(*syntax.BindPattern).Name.Text)
			}
		}
	}
	return folded
}

// isVariable reports whether a name, of a module it may be, that the file does not declare
// is a variable.
func (m *Module) isVariable(name string) bool {
	o := m.outer[name]
	if of, own, ok := strings.Cut(name, "."); ok {
		if mod, ok := m.find(of).(*ModuleObj); ok {
			o = mod.Module.scope[own]
		}
	}
	_, ok := o.(*Global)
	return ok
}

// IsConst reports whether a statement declares a constant that is known when compiling.
func (i *Info) IsConst(s *syntax.LetStmt) bool {
	b, ok := s.Pattern.(*syntax.BindPattern)
	return ok && s.Kind == syntax.Const && i.ConstBinds[b] != nil
}

func (c *checker) newConst(m *Module, s *syntax.LetStmt, b *syntax.BindPattern) *ConstObj {
	c.bindingCase(b, "constant")
	o := &ConstObj{Name: b.Name.Text, Module: m, Type: Invalid, Pub: s.Pub, Doc: s.Doc, At: b.Name.Sp}
	c.consts[o] = &constDef{stmt: s, mod: m}
	m.Info.ConstBinds[b] = o
	m.Consts = append(m.Consts, o)
	return o
}

// evaluate gives a constant its type and value, those it is made of first: a
// chain of them may be longer than the checker may nest.
func (c *checker) evaluate(o *ConstObj) {
	for open := []*ConstObj{o}; len(open) > 0; {
		o := open[len(open)-1]
		def := c.consts[o]
		if def == nil || def.done {
			open = open[:len(open)-1]
			continue
		}
		if def.busy {
			c.define(o, def)
			continue
		}
		def.busy = true
		c.eachConst(def.mod, def.stmt.Value, func(p *ConstObj) {
			switch d := c.consts[p]; {
			case d == nil || d.done:
			case d.busy:
				c.err(diag.DefinedByItself, p.At, "the constant `%s` is defined by itself", p.Name)
				d.done = true
			default:
				open = append(open, p)
			}
		})
	}
}

// eachConst visits the top-level constants that an expression names, also one that
// is not constant: its type asks for theirs.
func (c *checker) eachConst(m *Module, e syntax.Expr, visit func(*ConstObj)) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Ident:
			if o, ok := m.find(x.Name).(*ConstObj); ok {
				visit(o)
			}
		case *syntax.Member:
			if id, ok := x.X.(*syntax.Ident); ok {
				if mod, ok := m.find(id.Name).(*ModuleObj); ok {
					if o, ok := mod.Module.scope[x.Name.Text].(*ConstObj); ok {
						visit(o)
					}
					return false
				}
			}
		}
		return true
	})
}

// define evaluates a constant; those it names are.
func (c *checker) define(o *ConstObj, def *constDef) {
	def.done = true
	c.in(env{mod: def.mod, info: def.mod.Info, frame: &frame{node: def.mod}}, func() {
		if !c.defineConst(o, def.stmt) {
			c.err(diag.NotConstant, def.stmt.Value.Span(), "the value of a constant must be known when the program is compiled").
				help("it is made of literals, operators and other constants; use `let` for anything else")
		}
	})
}

// localConst binds the name of a const of a block: a constant where its value is known, and
// else what a let binds. It reports false, and does nothing, if it can only be that.
func (c *checker) localConst(s *syntax.LetStmt) bool {
	b, ok := s.Pattern.(*syntax.BindPattern)
	if !ok || !constNames(s.Value, func(string) {}) {
		return false
	}
	c.bindingCase(b, "constant")
	o := &ConstObj{Name: b.Name.Text, Module: c.mod, Type: Invalid, At: b.Name.Sp}
	if !c.defineConst(o, s) {
		c.bindIrrefutable(b, o.Type, c.scopeStart(), inLet)
		return true
	}
	c.info.ConstBinds[b] = o
	c.bind(b.Name, o, c.scopeStart())
	return true
}

// defineConst reports whether the value is known, or wrong.
func (c *checker) defineConst(o *ConstObj, s *syntax.LetStmt) bool {
	r := c.openRegion()
	reports := len(c.reports)
	if !c.enter(s.Sp) {
		return true
	}
	t := c.letValue(s)
	c.leave()
	c.closeRegion(r)
	o.Type = Prune(t)
	if b, ok := s.Pattern.(*syntax.BindPattern); ok {
		c.info.Pats[b] = &PatInfo{Type: o.Type}
	}
	v, ok := c.info.ConstOf(s.Value)
	if o.Type == Type(Float) {
		if n, isInt := v.(int64); isInt {
			v = float64(n)
		}
	}
	if ok {
		o.Value = v
	}
	return ok || o.Type == Type(Invalid) || len(c.reports) > reports
}

// constValue is the use of a constant.
func (c *checker) constValue(e syntax.Expr, o *ConstObj) Type {
	o.Used = true
	c.evaluate(o)
	if o.Value != nil {
		c.info.Consts[e.ID()] = o.Value
	}
	return o.Type
}

// ConstOf returns the value of an expression known when compiling. Literals are
// not in Consts, everything that is folded is.
func (i *Info) ConstOf(e syntax.Expr) (Const, bool) {
	switch x := e.(type) {
	case *syntax.IntLit:
		if i.Types[x.Id] == Type(Float) {
			return float64(x.Value), true
		}
		return x.Value, true
	case *syntax.FloatLit:
		return x.Value, true
	case *syntax.BoolLit:
		return x.Value, true
	case *syntax.StrLit:
		return x.Value, true
	case *syntax.BytesLit:
		return x.Value, true
	case *syntax.DurationLit:
		return x.Value, true
	case *syntax.Ident, *syntax.Member, *syntax.Paren, *syntax.Unary, *syntax.Binary, *syntax.InterpLit:
		v, ok := i.Consts[e.ID()]
		return v, ok
	}
	return nil, false
}

// fold computes an operator whose operands are known. Only closed types are
// folded: a number whose type is still open may become float.
func (c *checker) fold(e syntax.Expr, t Type) {
	if b, ok := Prune(t).(*Basic); !ok || b == Invalid {
		return
	}
	var v Const
	switch x := e.(type) {
	case *syntax.Paren:
		v, _ = c.info.ConstOf(x.X)
	case *syntax.Unary:
		if o, ok := c.info.ConstOf(x.X); ok {
			v = foldUnary(x.Op, o)
		}
	case *syntax.Binary:
		if a, ok := c.info.ConstOf(x.X); ok {
			if b, ok := c.info.ConstOf(x.Y); ok {
				v = c.foldBinary(x, a, b)
			}
		} else if b, ok := c.info.ConstOf(x.Y); ok && (x.Op == syntax.OpDiv || x.Op == syntax.OpMod) && b == Const(int64(0)) {
			c.warn(diag.DividesByZero, x.OpSp, "this always divides by zero")
		}
	case *syntax.InterpLit:
		v = c.foldText(x)
	}
	if v != nil {
		c.info.Consts[e.ID()] = v
	}
}

func foldUnary(op syntax.UnOp, v Const) Const {
	switch v := v.(type) {
	case int64:
		switch op {
		case syntax.OpNeg:
			return -v
		case syntax.OpCompl:
			return ^v
		}
	case float64:
		if op == syntax.OpNeg {
			return -v
		}
	case bool:
		if op == syntax.OpNot {
			return !v
		}
	}
	return nil
}

func (c *checker) foldBinary(x *syntax.Binary, a, b Const) Const {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return c.foldInts(x, a, b)
		}
	case float64:
		if b, ok := b.(float64); ok {
			return foldFloats(x.Op, a, b)
		}
	case bool:
		if b, ok := b.(bool); ok {
			switch x.Op {
			case syntax.OpAndAnd:
				return a && b
			case syntax.OpOrOr:
				return a || b
			}
			return foldOrder(x.Op, compareBools(a, b))
		}
	case string:
		if b, ok := b.(string); ok {
			if x.Op == syntax.OpAdd {
				if len(a)+len(b) > maxConstText {
					return nil
				}
				return a + b
			}
			return foldOrder(x.Op, strings.Compare(a, b))
		}
	}
	return nil
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func foldOrder(op syntax.BinOp, order int) Const {
	switch op {
	case syntax.OpEq:
		return order == 0
	case syntax.OpNe:
		return order != 0
	case syntax.OpLt:
		return order < 0
	case syntax.OpLe:
		return order <= 0
	case syntax.OpGt:
		return order > 0
	case syntax.OpGe:
		return order >= 0
	}
	return nil
}

func (c *checker) foldInts(x *syntax.Binary, a, b int64) Const {
	switch x.Op {
	case syntax.OpAdd:
		return a + b
	case syntax.OpSub:
		return a - b
	case syntax.OpMul:
		return a * b
	case syntax.OpDiv, syntax.OpMod:
		if b == 0 {
			c.err(diag.ConstantFails, x.OpSp, "this divides by zero")
			return nil
		}
		if b == -1 { // the only quotient that overflows
			if x.Op == syntax.OpMod {
				return int64(0)
			}
			return -a
		}
		if x.Op == syntax.OpDiv {
			return a / b
		}
		return a % b
	case syntax.OpPow:
		if b < 0 {
			return nil
		}
		return intPow(a, b)
	case syntax.OpShl, syntax.OpShr:
		if b < 0 || b > 63 {
			c.err(diag.ConstantFails, x.OpSp, "a shift must be from 0 to 63, and this is %d", b)
			return nil
		}
		if x.Op == syntax.OpShl {
			return a << b
		}
		return a >> b
	case syntax.OpAnd:
		return a & b
	case syntax.OpXor:
		return a ^ b
	case syntax.OpOr:
		return a | b
	}
	switch {
	case a < b:
		return foldOrder(x.Op, -1)
	case a > b:
		return foldOrder(x.Op, 1)
	}
	return foldOrder(x.Op, 0)
}

// intPow wraps, as all int arithmetic does.
func intPow(a, b int64) int64 {
	r := int64(1)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			r *= a
		}
		a *= a
	}
	return r
}

func foldFloats(op syntax.BinOp, a, b float64) Const {
	switch op {
	case syntax.OpAdd:
		return a + b
	case syntax.OpSub:
		return a - b
	case syntax.OpMul:
		return a * b
	case syntax.OpDiv:
		return a / b
	case syntax.OpMod:
		return math.Mod(a, b)
	case syntax.OpPow:
		return math.Pow(a, b)
	case syntax.OpEq:
		return a == b
	case syntax.OpNe:
		return a != b
	case syntax.OpLt:
		return a < b
	case syntax.OpLe:
		return a <= b
	case syntax.OpGt:
		return a > b
	case syntax.OpGe:
		return a >= b
	}
	return nil
}

// foldText joins an interpolation of text, int and bool without formats.
func (c *checker) foldText(x *syntax.InterpLit) Const {
	var b strings.Builder
	for _, p := range x.Parts {
		if p.X == nil {
			b.WriteString(p.Text)
		} else {
			v, ok := c.info.ConstOf(p.X)
			if !ok || p.Spec != "" {
				return nil
			}
			switch v := v.(type) {
			case string:
				if c.info.TypeOf(p.X) != Type(Str) {
					return nil
				}
				b.WriteString(v)
			case int64:
				if c.info.TypeOf(p.X) != Type(Int) {
					return nil
				}
				b.WriteString(strconv.FormatInt(v, 10))
			case bool:
				b.WriteString(strconv.FormatBool(v))
			default:
				return nil
			}
		}
		if b.Len() > maxConstText {
			return nil
		}
	}
	return b.String()
}
