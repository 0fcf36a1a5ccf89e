package types

import (
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// reason says why a value of a type is expected, for the message when it is
// not one. A check with a nil reason only takes the expected type as a hint.
type reason struct {
	text string    // "argument `b` of `f`", "the value of `x`"
	at   diag.Span // where the type comes from, may be invalid
	note string    // label at that place

	arg, of, what string  // an argument or field of a call, in place of text
	recv          Type    // of the method of a generic type that is called, or nil
	on            string  // what it is called on, where that is a name
	later         *later  // what decides the type that is expected, if no one wrote it
	outer         *reason // why the call itself is expected, or the function whose result this is
}

func (r *reason) String() string {
	switch {
	case r.what == "":
		return r.text
	case strings.HasPrefix(r.arg, "number "):
		return fmt.Sprintf("%s %s of `%s`", r.what, strings.TrimPrefix(r.arg, "number "), r.of)
	}
	return fmt.Sprintf("%s `%s` of `%s`", r.what, r.arg, r.of)
}

var (
	becauseValue = &reason{text: "this"}
	becauseCond  = &reason{text: "a condition"}
	becauseDrop  = &reason{text: "a statement"}
)

// check types e where a value of type want is expected; the mismatch is
// reported with its reason.
func (c *checker) check(e syntax.Expr, want Type, why *reason) Type {
	want = Prune(want)
	if want == Type(Unit) {
		return c.drop(e)
	}
	t := c.expr(e, want, why)
	if !c.convertible(e, t, want) {
		c.mismatch(e, t, want, why)
	} else if from, ok := t.(*Named); ok {
		if to, ok := want.(*Named); ok && to.Decl.Kind == KInterface {
			c.nearMisses(from.Decl, to.Decl)
		}
	}
	return t
}

// convertible reports whether e of type from can stand where to is expected,
// solving variables. The conversions are T to T?, a type to an interface it
// satisfies, anything to any, and an integer literal to float.
func (c *checker) convertible(e syntax.Expr, from, to Type) bool {
	from, to = Prune(from), Prune(to)
	if to == Type(Invalid) {
		c.giveUp(from, 0) // nothing else will solve its variables
		return true
	}
	if from == Type(Invalid) || from == Type(Never) || from == to {
		return true
	}
	if to == Type(Any) {
		c.anyNone(from, 0)
		return true
	}
	if _, fromOptional := optionalOf(from); fromOptional || isOpen(from) || isOpen(to) {
		if c.tryUnify(from, to) {
			return true
		}
	}
	if inner, ok := optionalOf(to); ok {
		if fromInner, isOpt := optionalOf(from); isOpt {
			_, nested := optionalOf(inner)
			return nested && c.tryUnify(from, inner) && fromInner != nil
		}
		return c.convertible(e, from, inner)
	}
	if n, ok := to.(*Named); ok && n.Decl.Kind == KInterface && !isOpen(from) {
		if fn, ok := from.(*Named); ok && fn.Decl == n.Decl {
			return c.tryUnify(from, to)
		}
		mark := len(c.trail)
		if c.unsatisfied(from, n) == nil {
			return true
		}
		c.undo(mark)
		return false
	}
	if (to == Type(Float) || c.isNumberParam(to)) && e != nil && from == Type(Int) && isIntLiteral(e) {
		c.retype(e, to)
		return true
	}
	return c.tryUnify(from, to)
}

// isIntLiteral reports whether e is built of integer literals only.
func isIntLiteral(e syntax.Expr) bool {
	for {
		switch x := e.(type) {
		case *syntax.IntLit:
			return true
		case *syntax.Paren:
			e = x.X
		case *syntax.Unary:
			if x.Op != syntax.OpNeg {
				return false
			}
			e = x.X
		case *syntax.Binary:
			switch x.Op {
			case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpPow:
			default:
				return false
			}
			if !isIntLiteral(x.Y) {
				return false
			}
			e = x.X
		default:
			return false
		}
	}
}

// retype makes an expression of integer literals one of type t.
func (c *checker) retype(e syntax.Expr, t Type) {
	c.info.Types[e.ID()] = t
	delete(c.info.Consts, e.ID())
	switch x := e.(type) {
	case *syntax.Paren:
		c.retype(x.X, t)
	case *syntax.Unary:
		c.retype(x.X, t)
	case *syntax.Binary:
		c.retype(x.X, t)
		c.retype(x.Y, t)
	}
	c.fold(e, t)
}

// shown is a type as a message prints it: solved variables replaced.
func (c *checker) shown(t Type) Type {
	z, _ := zonk(t, 0)
	return z
}

// qualified prints a type with the modules of its names.
func qualified(t Type) string {
	n, ok := t.(*Named)
	if !ok {
		return t.String()
	}
	s := n.Decl.Module.Name + "." + n.Decl.Name
	if len(n.Args) > 0 {
		parts := make([]string, len(n.Args))
		for i, a := range n.Args {
			parts[i] = qualified(Prune(a))
		}
		s += "<" + strings.Join(parts, ", ") + ">"
	}
	return s
}
