package progen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// make returns an expression of type t from its own kind: literals, operators,
// library methods.
func (g *gen) make(t *typ, d int) string {
	if d < 0 {
		if s := g.smallest(t); s != "" {
			return s
		}
	}
	switch t.kind {
	case kInt:
		return g.intExpr(d)
	case kFloat:
		return g.floatExpr(d)
	case kBool:
		return g.boolExpr(d)
	case kStr:
		return g.strExpr(d)
	case kBytes:
		return g.bytesExpr(d)
	case kDuration:
		return g.durationExpr(d)
	case kAny:
		u := g.randType(max(0, min(d, 2)))
		if u.kind == kAny {
			u = tInt
		}
		return g.exact(u, d-1)
	case kSized:
		return g.sizedExpr(d)
	case kList:
		return g.listExpr(t, d)
	case kMap:
		return g.mapExpr(t, d)
	case kSet:
		return g.setExpr(t, d)
	case kOptional:
		return g.optionalExpr(t, d)
	case kTuple:
		return "(" + g.exprs(t.elems, d-1) + ")"
	case kFunc:
		return g.lambda(t, d-1, g.chance(4))
	case kStruct:
		if v := g.find(func(v *variable) bool { return v.typ == t }); v != nil && g.chance(3) {
			return g.copied(v, d)
		}
		return fmt.Sprintf("%s(%s)", t.decl.name, g.arguments(t.decl.fields, d-1))
	case kEnum:
		v := pick(g, t.decl.variants...)
		if len(v.fields) == 0 {
			return t.decl.name + "." + v.name
		}
		return fmt.Sprintf("%s.%s(%s)", t.decl.name, v.name, g.arguments(v.fields, d-1))
	case kBox:
		return fmt.Sprintf("Box<%s>%s(%s)", t.elem(), pick(g, "", ".of"), g.expr(t.elem(), d-1))
	case kTree:
		return g.treeExpr(t, d)
	}
	return g.resultExpr(t, d)
}

// smallest is the smallest value of a type that may hold others: where it is
// used, values end.
func (g *gen) smallest(t *typ) string {
	switch t.kind {
	case kAny:
		return g.intLit()
	case kSized:
		return "Box<int>(" + g.intLit() + ")"
	case kList:
		return "[]"
	case kMap:
		return "({})"
	case kSet:
		return t.String() + "()"
	case kOptional:
		return "none"
	case kTree:
		return "Tree.Leaf"
	case kResult:
		return "Result.Nothing"
	}
	return ""
}

var ints = []int64{0, 1, 2, 3, 5, 7, 8, 10, 63, 64, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536,
	math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, 1 << 40, math.MaxInt64 - 1, math.MaxInt64}

func (g *gen) intLit() string {
	switch g.n(12) {
	case 0:
		return "(-9223372036854775808)"
	case 1, 2:
		return fmt.Sprintf("(-%d)", pick(g, ints...))
	case 3:
		return fmt.Sprintf("0x%x", g.r.Uint64())
	case 4, 5, 6:
		return fmt.Sprint(pick(g, ints...))
	}
	return fmt.Sprint(g.n(12))
}

func (g *gen) intExpr(d int) string {
	if d <= 0 {
		return g.intLit()
	}
	d--
	x := func() string { return g.operand(tInt, d) }
	switch g.n(26) {
	case 24:
		return g.vector(d) + ".x"
	case 25:
		if e := g.plainEnum(); e != nil {
			return "int(" + g.exact(e, d) + ")"
		}
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "+", "-", "*", "&", "|", "^"), x())
	case 4, 5, 6:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "+", "-", "*", "&", "|", "^"), g.intLit())
	case 7:
		return fmt.Sprintf("(%s %s %s)", g.intLit(), pick(g, "+", "-", "*", "&", "|", "^"), x())
	case 8, 9:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "/", "%"), pick(g, "2", "3", "7", "8", "(-1)", "(-3)", "64", "1000", "(-8)", "1", "4611686018427387904"))
	case 10:
		return fmt.Sprintf("(%s %s id(%s))", x(), pick(g, "/", "%", "<<", ">>", "**"), g.expr(tInt, d))
	case 11:
		return fmt.Sprintf("(%s %s %d)", x(), pick(g, "<<", ">>"), g.n(64))
	case 12:
		return fmt.Sprintf("(%s ** %d)", x(), g.n(6))
	case 13:
		return fmt.Sprintf("(%s%s)", pick(g, "-", "~"), x())
	case 14:
		if v := g.find(func(v *variable) bool {
			return v.typ.kind == kList || v.typ.kind == kMap || v.typ.kind == kSet || v.typ.kind == kStr || v.typ.kind == kBytes
		}); v != nil {
			return v.name + ".len()"
		}
	case 15:
		return fmt.Sprintf("%s.fold(%s, |a, b| a %s b)", g.list(tInt, d), g.expr(tInt, d), pick(g, "+", "-", "*", "^"))
	case 16:
		return fmt.Sprintf("int(%s)", g.exact(pick(g, tFloat, tBool, of(kDuration)), d))
	case 17:
		return fmt.Sprintf("%s<int>(%s, %s)", pick(g, "min", "max"), x(), x())
	case 18:
		return fmt.Sprintf("(%s.checked_%s(%s) ?? %s)", x(), pick(g, "add", "sub", "mul"), x(), x())
	case 19:
		return fmt.Sprintf("%s.%s()", x(), pick(g, "abs", "sign", "bit_count", "leading_zeros", "trailing_zeros"))
	case 20:
		return fmt.Sprintf("%s.%s()", g.list(tInt, d), pick(g, "sum", "product"))
	case 21:
		if v := g.find(func(v *variable) bool { return v.typ.kind == kSized || v.typ.sized() }); v != nil {
			if v.typ.kind == kSized {
				return v.name + pick(g, ".size()", ".twice()")
			}
			return v.name + ".size()"
		}
	case 22:
		return fmt.Sprintf("nest(%d, %s)", g.n(4), g.lambda(of(kFunc, tInt, tInt), d, false))
	case 23:
		if v := g.findKind(kTree); v != nil {
			return v.name + ".count()"
		}
	}
	return g.intLit()
}

func (g *gen) floatLit() string {
	return pick(g, "0.0", "1.0", "0.5", "(-0.5)", "1.5", "3.25", "(-2.0)", "1e10", "1e308", "5e-324", "0.1", "100.0", "(-0.0)", "(0.0 / 0.0)", "(1.0 / 0.0)")
}

func (g *gen) floatExpr(d int) string {
	if d <= 0 {
		return g.floatLit()
	}
	d--
	x := func() string { return g.operand(tFloat, d) }
	op := func() string { return pick(g, "+", "-", "*", "/", "+", "-", "*", "%", "**") }
	switch g.n(14) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x(), op(), x())
	case 4, 5:
		return fmt.Sprintf("(%s %s %s)", x(), op(), g.floatLit())
	case 6:
		return fmt.Sprintf("(%s %s %s)", g.floatLit(), op(), x())
	case 7:
		return fmt.Sprintf("(%s %s %d)", x(), pick(g, "+", "-", "*", "/"), g.n(5))
	case 8:
		return fmt.Sprintf("(-%s)", x())
	case 9, 10:
		return fmt.Sprintf("float(%s)", g.exact(tInt, d))
	case 11:
		return fmt.Sprintf("math.sqrt(%s)", x())
	case 12:
		return fmt.Sprintf("%s.%s()", x(), pick(g, "abs", "floor", "ceil", "trunc", "fract", "sign"))
	}
	return g.floatLit()
}

func (g *gen) boolExpr(d int) string {
	if d <= 0 {
		return pick(g, "true", "false")
	}
	d--
	switch g.n(17) {
	case 16:
		return fmt.Sprintf("(%s %s %s)", g.vector(d), g.comparison(), g.vector(d))
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.operand(tInt, d), g.comparison(), g.operand(tInt, d))
	case 2, 3:
		return fmt.Sprintf("(%s %s %s)", g.operand(tInt, d), g.comparison(), g.intLit())
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.intLit(), g.comparison(), g.operand(tInt, d))
	case 5:
		return fmt.Sprintf("(%s %s %s)", g.operand(tFloat, d), g.comparison(), g.operand(tFloat, d))
	case 6:
		return fmt.Sprintf("(%s %s %s)", g.operand(tFloat, d), g.comparison(), g.floatLit())
	case 7, 8:
		return fmt.Sprintf("(%s %s %s)", g.expr(tBool, d), pick(g, "&&", "||"), g.expr(tBool, d))
	case 9:
		return "!" + g.expr(tBool, d)
	case 10:
		t := g.randType(2)
		if !t.ordered() {
			t = tStr
		}
		return fmt.Sprintf("(%s %s %s)", g.operand(t, d), g.comparison(), g.operand(t, d))
	case 11:
		t := g.randType(2)
		return fmt.Sprintf("(%s %s %s)", g.operand(t, d), pick(g, "==", "!="), g.operand(t, d))
	case 12:
		if v := g.find(func(v *variable) bool { return v.typ.kind == kAny && (v.mut || v.field) }); v != nil {
			return fmt.Sprintf("(%s is %s)", v.name, g.testedType())
		}
	case 13:
		if v := g.findKind(kList); v != nil {
			return fmt.Sprintf("%s.%s", v.name, pick(g, "is_empty()", fmt.Sprintf("contains(%s)", g.expr(v.typ.elem(), d)),
				fmt.Sprintf("any(%s)", g.lambda(of(kFunc, v.typ.elem(), tBool), d, false)),
				fmt.Sprintf("all(%s)", g.lambda(of(kFunc, v.typ.elem(), tBool), d, false))))
		}
		if v := g.findKind(kSet); v != nil {
			return fmt.Sprintf("%s.has(%s)", v.name, g.expr(v.typ.elem(), d))
		}
		if v := g.findKind(kMap); v != nil {
			return fmt.Sprintf("%s.has(%s)", v.name, g.expr(v.typ.elem(), d))
		}
	case 14:
		return fmt.Sprintf("%s.%s(%s)", g.operand(tStr, d), pick(g, "starts_with", "ends_with", "contains"), g.expr(tStr, d))
	case 15:
		if v := g.find(func(v *variable) bool { return v.typ.kind == kOptional && (v.mut || v.field) }); v != nil {
			return fmt.Sprintf("(%s %s none)", v.name, pick(g, "==", "!="))
		}
	}
	return pick(g, "true", "false")
}

// vector is an expression of the preamble's type with operators of its own.
func (g *gen) vector(d int) string {
	d--
	switch {
	case d <= 0 || g.chance(3):
		return fmt.Sprintf("Vec(%s)", g.expr(tInt, d))
	case g.chance(3):
		return fmt.Sprintf("(%s * %s)", g.vector(d), g.operand(tInt, d))
	case g.chance(4):
		return fmt.Sprintf("(-%s)", g.vector(d))
	case g.chance(4):
		return fmt.Sprintf("%s.copy(y: %s)", g.vector(d), g.expr(tFloat, d))
	}
	return fmt.Sprintf("(%s %s %s)", g.vector(d), pick(g, "+", "-"), g.vector(d))
}

// plainEnum is the type of an enum whose variants have numbers, or nil.
func (g *gen) plainEnum() *typ {
	for _, d := range g.decls {
		if d.plain {
			return d.typ
		}
	}
	return nil
}

// textBlock is a text of several lines.
func (g *gen) textBlock(d int) string {
	t := pick(g, tInt, tStr, tFloat, tBool)
	x := g.exact(t, d)
	if strings.ContainsAny(x, "\n`") { // what is inserted stands on one line
		x = g.constantLine(t)
	}
	return fmt.Sprintf("\"\"\"\n  ${%s}\n    %s\n  \"\"\"", x, pick(g, "b \\\n  c", "\"quoted\"", "", "\\u{e9} \\$ \\t"))
}

func (g *gen) comparison() string { return pick(g, "==", "!=", "<", "<=", ">", ">=") }

var texts = []string{"", "a", "b", "abc", "hello world", "été", "日本", "x,y,z", "12", "-7", "line\\n", "\\\"q\\\"", "\\u{1F600}", "  pad "}

func (g *gen) strLit() string { return `"` + pick(g, texts...) + `"` }

func (g *gen) strExpr(d int) string {
	if d <= 0 {
		return g.strLit()
	}
	d--
	x := func() string { return g.operand(tStr, d) }
	switch g.n(16) {
	case 14:
		return "str(" + g.vector(d) + ")"
	case 15:
		return g.textBlock(d)
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", x(), x())
	case 2:
		return fmt.Sprintf("(%s + %s + %s)", x(), g.strLit(), x())
	case 3, 4, 5:
		return g.interpolation(d)
	case 6:
		return fmt.Sprintf("str(%s)", g.exact(g.randType(2), d))
	case 7:
		return fmt.Sprintf("%s.%s()", x(), pick(g, "upper", "lower", "trim"))
	case 8:
		return fmt.Sprintf("%s.repeat(%d)", x(), g.n(4))
	case 9:
		return fmt.Sprintf("%s[%s]", x(), pick(g, "..1", "1..", "0..2", "1..=1", fmt.Sprintf("%s..%s", g.index(d), g.index(d))))
	case 10:
		return fmt.Sprintf("%s.join(%s)", g.list(tStr, d), g.strLit())
	case 11:
		return fmt.Sprintf("%s.replace(%s, %s)", x(), g.strLit(), g.strLit())
	case 12:
		return fmt.Sprintf("type_of(%s)", g.exact(g.randType(1), d))
	}
	return g.strLit()
}

func (g *gen) interpolation(d int) string {
	if !g.chance(4) {
		return g.interpolated(d, "")
	}
	hole := fmt.Sprintf("w%d", d) // a width or precision that is known when the program runs
	text := ""
	g.function(tStr, func() { text = g.interpolated(d, hole) })
	return fmt.Sprintf("(|%s: int| %s)(id(%d))", hole, text, g.n(12))
}

// interpolated is a text with values in it; hole is the name of an int, or "".
func (g *gen) interpolated(d int, hole string) string {
	var b strings.Builder
	b.WriteByte('"')
	for range 1 + g.n(3) {
		if g.chance(2) {
			b.WriteString(pick(g, texts...))
		}
		t := g.randType(1)
		spec := ""
		if g.chance(3) {
			t = pick(g, tInt, tFloat, tStr)
			switch t.kind {
			case kInt:
				spec = pick(g, ":>6", ":05", ":x", ":+", ":,", ":b", ":<4")
			case kFloat:
				spec = pick(g, ":.3f", ":e", ":8.2f", ":+", ":g")
			case kStr:
				spec = pick(g, ":<5", ":^7", ":?", ":>3")
			}
			if hole != "" && g.chance(2) {
				switch t.kind {
				case kFloat:
					spec = ":{" + hole + "}.{" + hole + "}f"
				default:
					spec = ":*" + pick(g, "<", ">", "^") + "{" + hole + "}"
				}
			}
		}
		x := g.exact(t, d)
		if strings.ContainsAny(x, "\n`") { // a string stands on one line
			x = g.constantLine(t)
		}
		b.WriteString("${" + x + spec + "}")
	}
	b.WriteByte('"')
	return b.String()
}

// constantLine is a value of type t on one line.
func (g *gen) constantLine(t *typ) string {
	if v := g.findType(t); v != nil {
		return v.name
	}
	for range 3 {
		if s := fmt.Sprintf("id<%s>(%s)", t, g.constant(t)); !strings.Contains(s, "\n") {
			return s
		}
	}
	return "1"
}

func (g *gen) bytesExpr(d int) string {
	if d > 0 {
		switch g.n(4) {
		case 0:
			return fmt.Sprintf("bytes(%s)", g.exact(tStr, d-1))
		case 1:
			return fmt.Sprintf("%s.bytes()", g.operand(tStr, d-1))
		case 2:
			return fmt.Sprintf("%s[%s]", g.operand(of(kBytes), d-1), pick(g, "..1", "1..", "0..2"))
		}
	}
	return pick(g, `b""`, `b"ab"`, `b"\x00\xff"`)
}

func (g *gen) durationExpr(d int) string {
	if d > 0 {
		x := g.operand(of(kDuration), d-1)
		switch g.n(5) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", x, pick(g, "+", "-"), g.operand(of(kDuration), d-1))
		case 1:
			return fmt.Sprintf("(%s %s %s)", x, pick(g, "*", "/"), g.operand(tInt, d-1))
		case 2:
			return fmt.Sprintf("(-%s)", x)
		}
	}
	return pick(g, "1s", "10ms", "5us", "0ns", "2h", "1.5m")
}

func (g *gen) sizedExpr(d int) string {
	var found []*typ
	for _, dc := range g.decls {
		if dc.sized {
			found = append(found, dc.typ)
		}
	}
	if len(found) == 0 || g.chance(3) {
		return g.make(of(kBox, g.leafTypeBut(kSized)), d)
	}
	return g.make(pick(g, found...), d)
}

func (g *gen) leafTypeBut(k kind) *typ {
	for {
		if t := g.leafType(); t.kind != k {
			return t
		}
	}
}

// list is a list as a receiver.
func (g *gen) list(elem *typ, d int) string { return g.operand(of(kList, elem), d) }

func (g *gen) elems(t *typ, d int) string {
	n := g.n(4)
	if g.chance(40) && t.elems == nil && t.kind != kStruct && t.kind != kEnum {
		n = 60 + g.n(10) // more than a literal makes in one go
		d = 0
	}
	var out []string
	for range n {
		out = append(out, g.expr(t, d-1))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (g *gen) listExpr(t *typ, d int) string {
	e := t.elem()
	if e.kind == kEnum && e.decl.plain && g.chance(4) {
		return e.decl.name + ".all()"
	}
	if d <= 0 {
		return g.elems(e, d)
	}
	d--
	switch g.n(16) {
	case 0:
		from := g.randType(1)
		return fmt.Sprintf("%s.map(%s)", g.list(from, d), g.lambda(of(kFunc, from, e), d, false))
	case 1:
		return fmt.Sprintf("%s.filter(%s)", g.list(e, d), g.lambda(of(kFunc, e, tBool), d, false))
	case 2:
		return fmt.Sprintf("%s.%s", g.list(e, d), pick(g, "copy()", "take(2)", "skip(1)", "repeat(2)", "reverse()", "slice(0, 1)"))
	case 3:
		return fmt.Sprintf("%s[%s]", g.list(e, d), pick(g, "..1", "1..", "0..2", "0..=0", fmt.Sprintf("%s..%s", g.index(d), g.index(d))))
	case 4:
		if e.ordered() {
			return fmt.Sprintf("%s.sort()", g.list(e, d))
		}
	case 5:
		return fmt.Sprintf("%s.sort_by(%s)", g.list(e, d), g.lambda(of(kFunc, e, pick(g, tInt, tStr, of(kTuple, tBool, tInt))), d, false))
	case 6:
		return fmt.Sprintf("%s.iter().filter(%s).take(2).to_list()", g.list(e, d), g.lambda(of(kFunc, e, tBool), d, false))
	case 7:
		if e.hashable() {
			return fmt.Sprintf("%s.unique()", g.list(e, d))
		}
	case 8:
		if v := g.find(func(v *variable) bool { return v.typ.kind == kMap && same(v.typ.elems[1], e) }); v != nil {
			return v.name + ".values()"
		}
		if v := g.find(func(v *variable) bool { return v.typ.kind == kTree && same(v.typ.elem(), e) }); v != nil {
			return v.name + ".list()"
		}
	case 9:
		from := g.randType(1)
		return fmt.Sprintf("%s.flat_map(%s)", g.list(from, d), g.lambda(of(kFunc, from, t), d, false))
	case 10:
		if e.kind == kInt {
			return fmt.Sprintf("(%d..%s%d).to_list()", g.n(3), pick(g, "", "="), g.n(6))
		}
	}
	return g.elems(e, d)
}

func (g *gen) mapExpr(t *typ, d int) string {
	k, v := t.elems[0], t.elems[1]
	if d > 0 {
		switch g.n(8) {
		case 0:
			return fmt.Sprintf("%s.map_values(%s)", g.operand(of(kMap, k, v), d-1), g.lambda(of(kFunc, v, v), d-1, false))
		case 1:
			return fmt.Sprintf("%s.filter(%s)", g.operand(t, d-1), g.lambda(of(kFunc, k, v, tBool), d-1, false))
		case 2:
			return fmt.Sprintf("%s.merge(%s)", g.operand(t, d-1), g.expr(t, d-1))
		case 3:
			return fmt.Sprintf("map<%s, %s>()", k, v)
		}
	}
	var entries []string
	for range g.n(4) {
		entries = append(entries, g.expr(k, d-1)+": "+g.expr(v, d-1))
	}
	return "({" + strings.Join(entries, ", ") + "})"
}

func (g *gen) setExpr(t *typ, d int) string {
	if d > 0 {
		switch g.n(6) {
		case 0:
			return fmt.Sprintf("%s.%s(%s)", g.operand(t, d-1), pick(g, "union", "intersect", "diff"), g.expr(t, d-1))
		case 1:
			return fmt.Sprintf("%s.to_set()", g.list(t.elem(), d-1))
		}
	}
	return fmt.Sprintf("set<%s>(%s)", t.elem(), g.elems(t.elem(), d))
}

func (g *gen) optionalExpr(t *typ, d int) string {
	e := t.elem()
	if e.kind == kEnum && e.decl.plain && g.chance(3) {
		return pick(g, fmt.Sprintf("%s.of(%s)", e.decl.name, g.expr(tInt, d-1)), fmt.Sprintf("%s.parse(%s)", e.decl.name, g.expr(tStr, d-1)))
	}
	if d > 0 && g.chance(2) {
		d--
		switch g.n(5) {
		case 0:
			return fmt.Sprintf("%s.%s()", g.list(e, d), pick(g, "first", "last"))
		case 1:
			return fmt.Sprintf("%s.find(%s)", g.list(e, d), g.lambda(of(kFunc, e, tBool), d, false))
		case 2:
			if e.kind != kOptional {
				if v := g.find(func(v *variable) bool {
					return v.typ.kind == kOptional && v.typ.elem().kind == kBox && same(v.typ.elem().elem(), e)
				}); v != nil {
					return v.name + pick(g, "?.value", "?.get()")
				}
			}
		case 3:
			return fmt.Sprintf("%s.get(%s)", g.list(e, d), g.index(d))
		case 4:
			from := g.randType(1)
			if from.kind != kOptional {
				return fmt.Sprintf("%s.map(%s)", g.operand(of(kOptional, from), d), g.lambda(of(kFunc, from, e), d, false))
			}
		}
	}
	if g.chance(3) || e.kind == kOptional {
		return "none"
	}
	if e.kind == kAny { // an optional is taken for an any, but not for an optional of any
		return g.exact(e, d-1)
	}
	return g.expr(e, d-1)
}

func (g *gen) treeExpr(t *typ, d int) string {
	if d <= 0 || g.chance(3) {
		return "Tree.Leaf"
	}
	return fmt.Sprintf("Tree.Node(%s, %s, %s)", g.treeExpr(t, d-1), g.expr(t.elem(), d-1), g.treeExpr(t, d-1))
}

func (g *gen) resultExpr(t *typ, d int) string {
	switch g.n(5) {
	case 0:
		return fmt.Sprintf("Result.Wrong(%s)", g.expr(tStr, d-1))
	case 1:
		return "Result.Nothing"
	case 2:
		if t.elem().kind != kOptional {
			return fmt.Sprintf("Result.Odd(%s, b: %s)", g.expr(tInt, d-1), g.expr(of(kOptional, t.elem()), d-1))
		}
	case 3:
		return fmt.Sprintf("Result.Odd(a: %s)", strconv.Itoa(g.n(9)))
	}
	return fmt.Sprintf("Result.Fine(%s)", g.expr(t.elem(), d-1))
}

// copied is a copy of a struct with some fields changed.
func (g *gen) copied(v *variable, d int) string {
	var args []string
	for _, f := range v.typ.decl.fields {
		if g.chance(2) {
			args = append(args, f.name+": "+g.expr(f.typ, d-1))
		}
	}
	g.r.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
	return v.name + ".copy(" + strings.Join(args, ", ") + ")"
}
