package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// patternsAt lists what can be matched in a place: what arms above have not.
func (l *completer) patternsAt(s *types.Site) {
	if s.Enum != nil {
		for _, v := range s.Enum.Variant {
			l.variantPattern(v, groupMember)
		}
		return
	}
	if s.Module != nil {
		l.typesAt(s)
		return
	}
	for _, f := range s.Fields {
		if f.Name != "" {
			l.add(candidate{group: groupArgument, Completion: Completion{
				Label: f.Name + ":", Kind: "field", Detail: typed(f.Name, f.Type), Doc: f.Doc, Insert: f.Name + ": ",
			}})
		}
	}
	if s.Want == nil {
		return
	}
	covered := l.covered()
	t := types.Prune(s.Want)
	if inner := unwrapped(t); inner != t {
		t = inner
		if !covered["none"] {
			l.word("none", groupWanted)
		}
	}
	switch t := t.(type) {
	case *types.Basic:
		if t == types.Bool {
			for _, w := range []string{"true", "false"} {
				if !covered[w] {
					l.word(w, groupWanted)
				}
			}
		}
	case *types.Named:
		l.namedPatterns(t, covered)
	}
	if !l.inFields() {
		l.word("_", groupKeyword)
	}
}

func (l *completer) namedPatterns(t *types.Named, covered map[string]bool) {
	switch t.Decl.Kind {
	case types.KEnum:
		for _, v := range t.Decl.Variant {
			if !covered[v.Name] {
				l.variantPattern(v, groupWanted)
			}
		}
		l.add(candidate{group: groupModule, Completion: Completion{
			Label: t.Decl.Name, Kind: "enum", Detail: describe(t.Decl, nil), Doc: t.Decl.Doc, Insert: t.Decl.Name + l.unless('.', "."),
		}})
	case types.KStruct:
		k := Completion{Label: t.Decl.Name, Kind: "struct", Detail: describe(t.Decl, nil), Doc: t.Decl.Doc}
		k.Insert = t.Decl.Name + fieldNames(t.Decl.Fields)
		l.add(candidate{group: groupWanted, Completion: k})
	}
}

func (l *completer) variantPattern(v *types.VariantDecl, group int) {
	insert := v.Name
	if len(v.Fields) > 0 && l.unless('(', "(") != "" {
		insert += fieldNames(v.Fields)
	}
	l.add(candidate{group: group, Completion: Completion{
		Label: v.Name, Kind: "variant", Detail: variantLabel(v), Doc: v.Doc, Insert: insert,
	}})
}

// fieldNames is a pattern's list of fields, each bound to its own name.
func fieldNames(fields []*types.Field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
		if f.Name == "" {
			list[i] = "_"
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// inFields reports whether the hole is a pattern within another one.
func (l *completer) inFields() bool { return l.site.Fields != nil }

// covered are the variants and words that other arms of the match around the
// hole match whole.
func (l *completer) covered() map[string]bool {
	out := map[string]bool{}
	at := l.site.Name.Start
	for _, item := range l.a.main.Items {
		sp := item.Span()
		if at < sp.Start || at > sp.End {
			continue
		}
		syntax.Walk(item, func(n syntax.Node) bool {
			if m, ok := n.(*syntax.Match); ok {
				l.coveredBy(m, out)
			}
			sp := n.Span()
			return sp.Start <= at && at <= sp.End
		})
	}
	return out
}

// coveredBy notes what the arms of a match match, if the hole stands for one of
// its patterns.
func (l *completer) coveredBy(m *syntax.Match, out map[string]bool) {
	found := map[string]bool{}
	whole := false
	for _, arm := range m.Arms {
		for _, p := range alternatives(arm.Pattern) {
			if b, ok := p.(*syntax.BindPattern); ok && b.Name.Sp == l.site.Name {
				whole = true
			} else if arm.Guard == nil {
				notePattern(p, found)
			}
		}
	}
	if whole {
		for name := range found {
			out[name] = true
		}
	}
}

func alternatives(p syntax.Pattern) []syntax.Pattern {
	if or, ok := p.(*syntax.OrPattern); ok {
		return or.Alts
	}
	return []syntax.Pattern{p}
}

// notePattern notes a variant whose fields are not looked at, and the words
// none, true and false.
func notePattern(p syntax.Pattern, found map[string]bool) {
	switch p := p.(type) {
	case *syntax.LitPattern:
		switch x := p.X.(type) {
		case *syntax.NoneLit:
			found["none"] = true
		case *syntax.BoolLit:
			found[map[bool]string{true: "true", false: "false"}[x.Value]] = true
		}
	case *syntax.VariantPattern:
		for _, f := range p.Fields {
			if b, ok := f.Pat.(*syntax.BindPattern); !ok || b.Type != nil {
				return
			}
		}
		found[p.Name.Text] = true
	}
}
