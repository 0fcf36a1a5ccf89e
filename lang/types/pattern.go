package types

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// matcher checks the patterns of one match, let or head.
//
// A plain name in a place of type T? binds the whole optional, unless some
// pattern of the match is `none` at that same place: beside it, the name stands
// for what is not none and has type T.
type matcher struct {
	c         *checker
	t         Type
	place     map[string]bool // places where a pattern is none
	binds     map[string]*Local
	fixed     map[string]bool // in a later alternative: names of the first one
	scope     int
	refutable bool
	sure      sure // where it is not refutable
}

func (c *checker) newMatch(x syntax.Expr, t Type, ps []syntax.Pattern) *matcher {
	m := &matcher{c: c, t: Prune(t), scope: len(c.names), refutable: true, place: map[string]bool{}}
	for _, p := range ps {
		m.findNone(p, m.t, "", 0)
	}
	return m
}

// findNone notes the places where a pattern is none.
func (m *matcher) findNone(p syntax.Pattern, t Type, place string, depth int) {
	if depth > maxTypeDepth {
		return
	}
	switch p := p.(type) {
	case *syntax.LitPattern:
		if _, ok := p.X.(*syntax.NoneLit); ok {
			m.place[place] = true
		}
	case *syntax.OrPattern:
		for _, a := range p.Alts {
			m.findNone(a, t, place, depth+1)
		}
	case *syntax.TuplePattern:
		a, ok := appOf(orInvalid(withoutOptional(t)), CTuple)
		if !ok || !p.Fits(len(a.Args)) {
			return
		}
		for i, e := range p.Elems {
			k := p.Part(i, len(a.Args))
			m.findNone(e, a.Args[k], place+"."+strconv.Itoa(k), depth+1)
		}
	case *syntax.ListPattern:
		if a, ok := appOf(orInvalid(withoutOptional(t)), CList); ok {
			for i, e := range p.Elems {
				m.findNone(e, a.Args[0], elemPlace(p, i, place), depth+1)
			}
		}
	case *syntax.VariantPattern:
		n, ok := withoutOptional(t).(*Named)
		if !ok {
			return
		}
		fields := n.Decl.Fields
		if v := n.Decl.variant(p.Name.Text); v != nil {
			fields = v.Fields
		}
		places := fieldPlaces(fields)
		for i, f := range p.Fields {
			if k := places.field(p, i); k >= 0 && fields[k].Type != nil {
				ft := (&Subst{n.Decl.Params, n.Args}).Apply(fields[k].Type)
				m.findNone(f.Pat, ft, place+"."+p.Name.Text+strconv.Itoa(k), depth+1)
			}
		}
	}
}

// field finds the field that the i-th pattern of a variant or struct is about.
func (p *places) field(v *syntax.VariantPattern, i int) int {
	if name := v.Fields[i].Name.Text; name != "" {
		return p.of(name)
	}
	return v.Part(i, p.n)
}

// pattern checks a whole pattern and binds its names.
func (m *matcher) pattern(p syntax.Pattern) {
	m.binds, m.fixed = map[string]*Local{}, nil
	m.check(p, m.t, "")
}

func (m *matcher) check(p syntax.Pattern, t Type, place string) {
	c := m.c
	if !c.enter(p.Span()) {
		return
	}
	defer c.leave()
	t = Prune(t)
	if v, ok := t.(*Var); ok && !m.refutable {
		t = m.guess(p, v)
	}
	if v, ok := t.(*Var); ok && !m.isName(p) {
		c.err(diag.CannotInfer, p.Span(), "the type of what is matched is not known here yet")
		c.link(v, Invalid)
		t = Invalid
	}
	info := &PatInfo{Type: t}
	c.info.Pats[p] = info
	c.setType(p.ID(), t)
	c.settle(&info.Type)
	inner, optional := optionalOf(t)
	c.patternSite(p, t)
	switch p := p.(type) {
	case *syntax.BindPattern:
		m.binding(p, info, t, place)
		return
	case *syntax.OrPattern:
		m.alternatives(p, t, place)
		return
	case *syntax.LitPattern:
		if _, ok := p.X.(*syntax.NoneLit); ok {
			c.setType(p.X.ID(), t)
			m.needRefutable(p)
			if !optional && t != Type(Invalid) && t != Type(Any) {
				c.err(diag.PatternMismatch, p.Sp, "this pattern is `none`, but the value is never none").text("the value is `%s`", c.shown(t))
			}
			return
		}
	}
	if optional {
		info.Unwrap = true
		m.needRefutable(p)
		t = inner
	}
	switch p := p.(type) {
	case *syntax.LitPattern:
		m.needRefutable(p)
		m.literal(p, info, t)
	case *syntax.RangePattern:
		m.needRefutable(p)
		m.rangePattern(p, info, t)
	case *syntax.TuplePattern:
		m.tuple(p, t, place)
	case *syntax.ListPattern:
		m.list(p, t, place)
	case *syntax.VariantPattern:
		m.variant(p, info, t, place)
	}
}

func (m *matcher) binding(p *syntax.BindPattern, info *PatInfo, t Type, place string) {
	c := m.c
	bound := t
	inner, optional := optionalOf(t)
	switch {
	case p.Type != nil:
		test := c.typeExpr(p.Type)
		bound = test
		if !m.refutable && (Identical(test, t) || c.testable(t, test) != "" && !optional) {
			if !Identical(test, t) && t != Type(Invalid) && test != Type(Invalid) {
				c.err(diag.PatternMismatch, p.Type.Span(), "`%s` is `%s`, not `%s`", p.Name.Text, c.shown(t), test)
			}
			break // it says what is known
		}
		m.needRefutable(p)
		from := t
		if optional {
			info.Unwrap = true
			from = inner
		}
		switch {
		case test == Type(Invalid) || t == Type(Invalid):
		case optional && Identical(inner, test):
		default:
			if why := c.testable(from, test); why != "" {
				c.err(diag.PatternMismatch, p.Type.Span(), "this cannot be tested to be `%s`: %s", test, why).
					text("the value is `%s`", c.shown(t))
			}
			info.Test = test
		}
	case optional && m.place[place] && p.Name.Text != "_":
		info.Unwrap = true
		bound = inner
		m.needRefutable(p)
	}
	info.Bind = m.bind(p, bound)
}

// bind makes the variable of a name, or takes that of the first alternative.
func (m *matcher) bind(p *syntax.BindPattern, t Type) *Local {
	c := m.c
	name := p.Name.Text
	if name == "_" {
		return nil
	}
	old, seen := m.binds[name]
	switch {
	case m.fixed[name]:
		delete(m.fixed, name)
		if old != nil && !Identical(old.Type, t) && t != Type(Invalid) && old.Type != Type(Invalid) {
			c.err(diag.AlternativeNames, p.Sp, "`%s` is `%s` here, but `%s` in the first alternative", name, c.shown(t), c.shown(old.Type)).
				label(old.At, "first alternative")
		}
		return old
	case m.fixed != nil:
		c.err(diag.AlternativeNames, p.Sp, "`%s` is not bound by the first alternative", name).
			help("every alternative must bind the same names")
		t = Invalid
	case seen:
		d := c.err(diag.DuplicateName, p.Sp, "`%s` is bound twice in this pattern", name)
		if old != nil {
			d.label(old.At, "first bound here")
		}
		return old
	}
	l := c.bindLocal(p, t, m.scope)
	m.binds[name] = l
	return l
}

func (m *matcher) alternatives(p *syntax.OrPattern, t Type, place string) {
	c := m.c
	outer := m.fixed
	for i, a := range p.Alts {
		if i == 0 {
			m.check(a, t, place)
			continue
		}
		names := map[string]bool{}
		m.fixed = names
		for n, l := range m.binds {
			if l != nil && within(l.At, p.Alts[0].Span()) {
				names[n] = true
			}
		}
		m.check(a, t, place)
		if len(names) > 0 {
			var missing []string
			for n := range names {
				missing = append(missing, n)
			}
			slices.Sort(missing)
			c.err(diag.AlternativeNames, a.Span(), "this alternative does not bind %s", listed(missing)).
				help("every alternative must bind the same names")
		}
		m.fixed = outer
	}
}

func within(s, outer diag.Span) bool { return s.Start >= outer.Start && s.End <= outer.End }

func (m *matcher) literal(p *syntax.LitPattern, info *PatInfo, t Type) {
	c := m.c
	got := c.expr(p.X, t, nil)
	info.Lit, _ = c.info.ConstOf(p.X)
	if t == Type(Any) || isInterface(t) {
		c.err(diag.PatternMismatch, p.Sp, "a `%s` is first tested for its type", c.shown(t)).
			help("write `x: %s if x == ...`", got)
		return
	}
	if !c.convertible(p.X, got, t) {
		c.err(diag.PatternMismatch, p.Sp, "this pattern is `%s`, but the value is `%s`", c.shown(got), c.shown(t))
		return
	}
	if t == Type(Float) {
		info.Lit, _ = c.info.ConstOf(p.X)
	}
}

func isInterface(t Type) bool {
	n, ok := Prune(t).(*Named)
	return ok && n.Decl.Kind == KInterface
}

func (m *matcher) rangePattern(p *syntax.RangePattern, info *PatInfo, t Type) {
	c := m.c
	lo := c.expr(p.Lo, nil, nil)
	hi := lo
	if p.Hi != nil {
		hi = c.expr(p.Hi, nil, nil)
	}
	if t == Type(Invalid) {
		return
	}
	if t != Type(Int) && t != Type(Duration) && t != Type(Str) {
		c.err(diag.PatternMismatch, p.Sp, "a range matches int, duration and the characters of a str, but the value is `%s`", c.shown(t))
		return
	}
	if lo != t || hi != t {
		c.err(diag.PatternMismatch, p.Sp, "the bounds of this range must be `%s`", t)
		return
	}
	var ok bool
	if info.Lo, ok = c.rangeBound(p.Lo); !ok {
		return
	}
	switch {
	case p.Hi == nil && t == Type(Str):
		info.Hi = utf8.MaxRune
		return
	case p.Hi == nil:
		info.Hi = math.MaxInt64
		return
	}
	if info.Hi, ok = c.rangeBound(p.Hi); !ok {
		return
	}
	empty := info.Lo > info.Hi
	if !p.Inclusive {
		empty = info.Lo >= info.Hi
		info.Hi--
	}
	if empty {
		c.err(diag.PatternMismatch, p.Sp, "this range is empty")
	}
}

// rangeBound returns the value of a bound of a range; of text, the code of its character.
func (c *checker) rangeBound(e syntax.Expr) (int64, bool) {
	k, ok := c.info.ConstOf(e)
	if !ok {
		return 0, false
	}
	code, ok := codeOf(k)
	if !ok {
		c.err(diag.PatternMismatch, e.Span(), "a bound of a range of text is a single character").
			help("such a range fits one character; compare longer text in a guard: `s if s >= \"ab\" && s < \"cd\"`")
	}
	return code, ok
}

// codeOf returns the number that a range is about: an int, or the code of a single character.
func codeOf(k Const) (int64, bool) {
	switch k := k.(type) {
	case int64:
		return k, true
	case string:
		r, n := utf8.DecodeRuneInString(k)
		return int64(r), n > 0 && n == len(k) && !(r == utf8.RuneError && n == 1)
	}
	return 0, false
}

func (m *matcher) tuple(p *syntax.TuplePattern, t Type, place string) {
	c := m.c
	a, ok := appOf(t, CTuple)
	n := 0
	if ok {
		n = len(a.Args)
	}
	if t == Type(Unit) && len(p.Elems) == 0 {
		return
	}
	fits := ok && p.Fits(n)
	if t != Type(Invalid) && !fits {
		if ok {
			d := c.err(diag.PatternMismatch, p.Sp, "this pattern has %s, but the tuple has %d", plural(len(p.Elems), "element"), n).
				text("the value is `%s`", c.shown(t))
			if len(p.Elems) < n && p.Rest == 0 {
				d.help("`..` stands for parts that are not looked at: `(a, ..)`")
			}
		} else {
			c.err(diag.PatternMismatch, p.Sp, "this pattern is a tuple, but the value is `%s`", c.shown(t))
		}
	}
	for i, e := range p.Elems {
		k, et := i, Type(Invalid)
		if fits {
			k = p.Part(i, n)
			et = a.Args[k]
		}
		m.check(e, et, place+"."+strconv.Itoa(k))
	}
}

// list checks the pattern of a list, which may have another length.
func (m *matcher) list(p *syntax.ListPattern, t Type, place string) {
	c := m.c
	m.needRefutable(p)
	elem := Type(Invalid)
	if a, ok := appOf(t, CList); ok {
		elem = a.Args[0]
	} else if t != Type(Invalid) {
		d := c.err(diag.PatternMismatch, p.Sp, "this pattern is a list, but the value is `%s`", c.shown(t))
		if t == Type(Any) {
			d.help("test for the type first: `xs: [int]`")
		}
		t = Invalid
	}
	for i, e := range p.Elems {
		m.check(e, elem, elemPlace(p, i, place))
	}
	if p.Between != nil {
		m.check(p.Between, t, place+"..")
	}
}

// elemPlace names the place of an element, which is counted from the front or from the end.
func elemPlace(p *syntax.ListPattern, i int, place string) string {
	if i < p.Before() {
		return place + "[" + strconv.Itoa(i)
	}
	return place + "]" + strconv.Itoa(len(p.Elems)-i)
}

func (m *matcher) variant(p *syntax.VariantPattern, info *PatInfo, t Type, place string) {
	c := m.c
	var args []Type
	if len(p.TypeArgs) > 0 {
		args = c.typeExprs(p.TypeArgs)
	}
	n, v, d := m.resolve(p, t, args, info)
	var fields []*Field
	switch {
	case v != nil:
		fields = v.Fields
		info.Variant = v
		if len(n.Decl.Variant) > 1 || info.Test != nil {
			m.needRefutable(p)
		}
	case d != nil:
		fields = d.Fields
		info.Struct = d
		if info.Test != nil {
			m.needRefutable(p)
		}
	default:
		for _, f := range p.Fields {
			m.check(f.Pat, Invalid, place+"?")
		}
		return
	}
	m.fields(p, info, fields, &Subst{n.Decl.Params, n.Args}, place)
}

// resolve finds what a variant pattern names: a variant of the scrutinee's
// enum, its struct, or, for any and interfaces, a type to test for.
func (m *matcher) resolve(p *syntax.VariantPattern, t Type, args []Type, info *PatInfo) (*Named, *VariantDecl, *TypeDecl) {
	c := m.c
	if t == Type(Invalid) {
		return nil, nil, nil
	}
	n, named := t.(*Named)
	if named && n.Decl.Kind != KInterface {
		if n.Decl.Kind == KEnum {
			if other := m.qualifier(p); other != nil && other != n.Decl {
				c.err(diag.PatternMismatch, p.Sp, "this pattern is a `%s`, but the value is `%s`", other.Name, c.shown(t))
				return nil, nil, nil
			}
			if v := n.Decl.variant(p.Name.Text); v != nil {
				return n, v, nil
			}
			d := c.err(diag.UnknownVariant, p.Name.Sp, "enum `%s` has no variant `%s`", n.Decl.Name, p.Name.Text)
			if !d.didYouMean(p.Name.Text, p.Name.Sp, variantNames(n.Decl)) {
				d.help("it has %s", listed(variantNames(n.Decl)))
			}
			return nil, nil, nil
		}
		if n.Decl.Name == p.Name.Text || m.namedType(p) == n.Decl {
			return n, nil, n.Decl
		}
		c.err(diag.PatternMismatch, p.Sp, "this pattern is a `%s`, but the value is `%s`", p.Name.Text, c.shown(t))
		return nil, nil, nil
	}
	if !named && t != Type(Any) {
		m.someSlip(c.err(diag.PatternMismatch, p.Sp, "this pattern is a `%s`, but the value is `%s`", p.Name.Text, c.shown(t)), p)
		return nil, nil, nil
	}
	d, v := m.namedType(p), (*VariantDecl)(nil)
	if d == nil {
		if d, v = m.namedVariant(p); v == nil {
			r := c.err(diag.UnknownType, p.Name.Sp, "there is no type `%s`", p.Name.Text)
			if enum := c.enumWith(p.Name.Text); enum != "" {
				r.help("write `%s.%s`, as the value can be of any type", enum, p.Name.Text)
			}
			return nil, nil, nil
		}
	}
	if len(args) != len(d.Params) || v == nil && d.Kind != KStruct {
		c.err(diag.PatternMismatch, p.Sp, "`%s` cannot be taken apart here", p.Name.Text).
			help("test for the type: `x: %s`", d.Name)
		return nil, nil, nil
	}
	test := &Named{d, args}
	if len(args) == 0 {
		test = d.Self
	}
	if why := c.testable(t, test); why != "" {
		c.err(diag.PatternMismatch, p.Sp, "this cannot be a `%s`: %s", test, why)
	}
	info.Test = test
	if v != nil {
		return test, v, nil
	}
	return test, nil, d
}

// qualifier finds the type before a variant's name, nil when there is none.
func (m *matcher) qualifier(p *syntax.VariantPattern) *TypeDecl {
	if p.Qualifier.Text == "" {
		return nil
	}
	d := m.typeAt(p.Qualifier.Text)
	if d == nil {
		m.c.err(diag.UnknownType, p.Qualifier.Sp, "there is no type `%s`", p.Qualifier.Text)
	}
	return d
}

// typeAt finds a type by its name, with or without a module.
func (m *matcher) typeAt(q string) *TypeDecl {
	c := m.c
	var o Object
	if mod, name, ok := strings.Cut(q, "."); ok {
		mo, isMod := c.mod.find(mod).(*ModuleObj)
		if !isMod {
			return nil
		}
		mo.Used = true
		o = mo.Module.scope[name]
		if o != nil && !isPub(o) {
			return nil
		}
	} else {
		o = c.topLevel(q)
	}
	switch o := o.(type) {
	case *TypeDecl:
		return o
	case *aliasObj:
		if n, ok := c.resolveAlias(o).(*Named); ok {
			return n.Decl
		}
	}
	return nil
}

// namedType finds the type a pattern names.
func (m *matcher) namedType(p *syntax.VariantPattern) *TypeDecl {
	if p.Qualifier.Text == "" {
		return m.typeAt(p.Name.Text)
	}
	return m.typeAt(p.Qualifier.Text + "." + p.Name.Text)
}

// namedVariant finds the variant a qualified pattern names.
func (m *matcher) namedVariant(p *syntax.VariantPattern) (*TypeDecl, *VariantDecl) {
	if p.Qualifier.Text == "" {
		return nil, nil
	}
	d := m.typeAt(p.Qualifier.Text)
	if d == nil {
		return nil, nil
	}
	return d, d.variant(p.Name.Text)
}

// fields checks the patterns of a variant's or struct's fields. Without
// parentheses the fields do not matter; with names, those not named do not.
func (m *matcher) fields(p *syntax.VariantPattern, info *PatInfo, fields []*Field, s *Subst, place string) {
	c := m.c
	seen := make([]bool, len(fields))
	positional := false
	places := fieldPlaces(fields)
	for i, f := range p.Fields {
		k := places.field(p, i)
		positional = positional || f.Name.Text == ""
		info.Fields = append(info.Fields, k)
		var ft Type = Invalid
		switch {
		case k < 0 && f.Name.Text != "":
			d := c.err(diag.PatternFields, f.Name.Sp, "`%s` has no field `%s`", p.Name.Text, f.Name.Text)
			d.didYouMean(f.Name.Text, f.Name.Sp, fieldNames(fields))
		case k < 0:
		case seen[k]:
			c.err(diag.PatternFields, f.Pat.Span(), "field `%s` is matched twice", fields[k].Name)
		default:
			seen[k] = true
			if fields[k].Type != nil {
				ft = s.Apply(fields[k].Type)
			}
		}
		m.check(f.Pat, ft, place+"."+p.Name.Text+strconv.Itoa(k))
		c.fieldSite(f.Pat, fields)
	}
	if !p.HasArgs || !positional && len(p.Fields) > 0 {
		return
	}
	if len(p.Fields) != len(fields) && (p.Rest == 0 || len(p.Fields) > len(fields)) {
		d := c.err(diag.PatternFields, p.Sp, "`%s` has %s, but this pattern has %d", p.Name.Text, plural(len(fields), "field"), len(p.Fields))
		if names := fieldNames(fields); len(names) > 0 && len(p.Fields) < len(fields) {
			d.help("it has %s; match only some by their names: `%s(%s: x)`, or the first ones: `%s(x, ..)`", listed(names), p.Name.Text, names[0], p.Name.Text)
		} else if len(fields) == 0 {
			d.help("write it without parentheses")
		}
	}
}

func fieldNames(fields []*Field) []string {
	var out []string
	for _, f := range fields {
		if f.Name != "" {
			out = append(out, f.Name)
		}
	}
	return out
}
