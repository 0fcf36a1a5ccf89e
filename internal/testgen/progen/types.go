package progen

import "strings"

type kind uint8

const (
	kInt kind = iota
	kFloat
	kBool
	kStr
	kBytes
	kDuration
	kAny
	kSized // the interface Sized
	kList
	kMap
	kSet
	kOptional
	kTuple
	kFunc
	kStruct
	kEnum
	kBox // generic ones of the preamble
	kTree
	kResult
	kHidden
)

// typ is a type of the program.
type typ struct {
	kind  kind
	elems []*typ // arguments; of a function its parameters, then its result
	decl  *decl  // of a struct or enum
}

var (
	tInt   = &typ{kind: kInt}
	tFloat = &typ{kind: kFloat}
	tBool  = &typ{kind: kBool}
	tStr   = &typ{kind: kStr}
	tAny   = &typ{kind: kAny}
	tSized = &typ{kind: kSized}

	hidden = &typ{kind: kHidden} // of a variable that is not to be used
)

func of(k kind, elems ...*typ) *typ { return &typ{kind: k, elems: elems} }

func (t *typ) elem() *typ     { return t.elems[0] }
func (t *typ) result() *typ   { return t.elems[len(t.elems)-1] }
func (t *typ) params() []*typ { return t.elems[:len(t.elems)-1] }

func (t *typ) String() string {
	switch t.kind {
	case kList:
		return "[" + t.elem().String() + "]"
	case kOptional:
		if t.elem().kind == kFunc { // the ? would belong to the result
			return "(" + t.elem().String() + ")?"
		}
		return t.elem().String() + "?"
	case kTuple:
		return "(" + join(t.elems) + ")"
	case kFunc:
		return "fn(" + join(t.params()) + ") -> " + t.result().String()
	case kStruct, kEnum:
		return t.decl.name
	case kMap, kSet, kBox, kTree, kResult:
		return [...]string{kMap: "map", kSet: "set", kBox: "Box", kTree: "Tree", kResult: "Result"}[t.kind] + "<" + join(t.elems) + ">"
	}
	if t == hidden {
		return "hidden"
	}
	return [...]string{"int", "float", "bool", "str", "bytes", "duration", "any", "Sized"}[t.kind]
}

func join(ts []*typ) string {
	var s []string
	for _, t := range ts {
		s = append(s, t.String())
	}
	return strings.Join(s, ", ")
}

func same(a, b *typ) bool { return a == b || a.String() == b.String() }

// inferred reports whether values of the type say themselves what type they are.
func (t *typ) inferred() bool {
	switch t.kind {
	case kAny, kSized, kOptional, kFunc, kResult, kTree:
		return false
	}
	for _, e := range t.elems {
		if !e.inferred() {
			return false
		}
	}
	return true
}

// hashable reports whether the type can be a key.
func (t *typ) hashable() bool {
	switch t.kind {
	case kInt, kFloat, kBool, kStr, kBytes, kDuration:
		return true
	case kTuple:
		for _, e := range t.elems {
			if !e.hashable() {
				return false
			}
		}
		return true
	case kEnum:
		return t.decl.hashable()
	}
	return false
}

// ordered reports whether the type has < and the like.
func (t *typ) ordered() bool {
	switch t.kind {
	case kInt, kFloat, kBool, kStr, kBytes, kDuration:
		return true
	case kTuple:
		for _, e := range t.elems {
			if !e.ordered() {
				return false
			}
		}
		return true
	}
	return false
}

// sized reports whether the type satisfies the interface Sized.
func (t *typ) sized() bool {
	return t.kind == kStruct && t.decl.sized || t.kind == kBox
}

// randType makes a random type at most d levels deep.
func (g *gen) randType(d int) *typ {
	if d <= 0 {
		return g.leafType()
	}
	switch g.n(16) {
	case 0, 1:
		return of(kList, g.randType(d-1))
	case 2:
		return of(kMap, g.keyType(d-1), g.randType(d-1))
	case 3:
		return of(kSet, g.keyType(d-1))
	case 4, 5:
		t := g.randType(d - 1)
		if t.kind == kAny { // an optional is not one of any
			t = tInt
		}
		return of(kOptional, t)
	case 6:
		t := of(kTuple)
		for range 2 + g.n(2) {
			t.elems = append(t.elems, g.randType(d-1))
		}
		return t
	case 7:
		t := of(kFunc)
		for range g.n(3) {
			t.elems = append(t.elems, g.randType(d-1))
		}
		t.elems = append(t.elems, g.randType(d-1))
		return t
	case 8:
		return of(kBox, g.randType(d-1))
	case 9:
		return of(kResult, g.randType(d-1))
	case 10:
		return of(kTree, g.leafType())
	}
	return g.leafType()
}

func (g *gen) leafType() *typ {
	if n := len(g.decls); n > 0 && g.n(4) == 0 {
		return g.decls[g.n(n)].typ
	}
	switch g.n(14) {
	case 0, 1, 2, 3:
		return tInt
	case 4, 5:
		return tFloat
	case 6, 7:
		return tBool
	case 8, 9:
		return tStr
	case 10:
		return of(kBytes)
	case 11:
		return of(kDuration)
	case 12:
		return tAny
	}
	return tSized
}

func (g *gen) keyType(d int) *typ {
	for range 3 {
		if t := g.randType(d); t.hashable() {
			return t
		}
	}
	if g.n(2) == 0 {
		return tStr
	}
	return tInt
}

// tested reports whether an any can be tested for the type: it holds what is in
// an optional, not the optional.
func (t *typ) tested() bool { return t.kind != kAny && t.kind != kOptional }

func (g *gen) testedType() *typ {
	for {
		if t := g.randType(1); t.tested() {
			return t
		}
	}
}
