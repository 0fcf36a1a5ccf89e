package crossgen

import "strings"

// typ is a type: a head, as it is written in a program, and its arguments. Of
// a function type the last argument is the result. A head that begins with $
// is a type parameter.
type typ struct {
	head string
	args []*typ
}

func mk(head string, args ...*typ) *typ { return &typ{head, args} }

var (
	tInt, tFloat, tBool, tStr = mk("int"), mk("float"), mk("bool"), mk("str")
	tBytes, tDuration         = mk("bytes"), mk("duration")
	tAny, tUnit, tRange       = mk("any"), mk("unit"), mk("range")
	tError                    = mk("Error")
)

func (t *typ) String() string {
	switch t.head {
	case "list":
		return "[" + t.args[0].String() + "]"
	case "opt":
		if t.args[0].head == "fn" {
			return "(" + t.args[0].String() + ")?"
		}
		return t.args[0].String() + "?"
	case "tuple":
		return "(" + join(t.args) + ")"
	case "unit":
		return "()"
	case "fn":
		s := "fn(" + join(t.params()) + ")"
		if t.result().head != "unit" {
			s += " -> " + t.result().String()
		}
		return s
	}
	if len(t.args) > 0 {
		return t.head + "<" + join(t.args) + ">"
	}
	return t.head
}

func (t *typ) result() *typ   { return t.args[len(t.args)-1] }
func (t *typ) params() []*typ { return t.args[:len(t.args)-1] }
func (t *typ) isVar() bool    { return t.head[0] == '$' }

func join(ts []*typ) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.String()
	}
	return strings.Join(s, ", ")
}

func same(a, b *typ) bool { return a == b || a.head == b.head && a.String() == b.String() }

// contains reports whether a head for which is holds stands anywhere in t.
func (t *typ) contains(is func(head string) bool) bool {
	if is(t.head) {
		return true
	}
	for _, a := range t.args {
		if a.contains(is) {
			return true
		}
	}
	return false
}

// binding gives type parameters their types.
type binding map[string]*typ

// bind makes pattern equal to t by binding the pattern's parameters.
func (b binding) bind(pattern, t *typ) bool {
	if pattern.isVar() {
		if was, ok := b[pattern.head]; ok {
			return same(was, t)
		}
		b[pattern.head] = t
		return true
	}
	if pattern.head != t.head || len(pattern.args) != len(t.args) {
		return false
	}
	for i := range pattern.args {
		if !b.bind(pattern.args[i], t.args[i]) {
			return false
		}
	}
	return true
}

// of is a type with its parameters replaced.
func (b binding) of(t *typ) *typ {
	if t.isVar() {
		return b[t.head]
	}
	if len(t.args) == 0 {
		return t
	}
	out := mk(t.head)
	for _, a := range t.args {
		out.args = append(out.args, b.of(a))
	}
	return out
}

// valid reports whether the checker accepts a type: an optional is not one of
// any, and nothing is of type never.
func (t *typ) valid() bool {
	if t.head == "opt" && t.args[0].head == "any" {
		return false
	}
	for i, a := range t.args {
		if !a.valid() || a.head == "never" {
			return false
		}
		if a.head == "unit" && !(t.head == "fn" && i == len(t.args)-1) {
			return false
		}
	}
	return true
}
