package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/types"
)

// candidate is a completion with what ranks it.
type candidate struct {
	Completion
	group  int
	value  types.Type // of the name as a value, nil when it is none
	called types.Type // of a call of it
}

// Where a name comes from; of names that are as good otherwise the nearer is
// likelier.
const (
	groupArgument = iota // a parameter or field by its name
	groupWanted          // a variant of the enum that is expected
	groupLocal
	groupMember
	groupModule
	groupPrelude
	groupKeyword
	groupType   // of the prelude, where a value is expected
	groupLinked // a member behind ?.
)

// add notes a candidate, unless one of its name was noted before: the inner one
// is meant.
func (l *completer) add(k candidate) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if l.seen[k.Label] || k.Label == "" || k.Label == hole {
		return
	}
	l.seen[k.Label] = true
	if k.End == 0 {
		k.End = l.c.end
	}
	if k.Start == 0 {
		k.Start = l.c.start
	}
	k.Doc = firstSentence(k.Doc)
	l.list = append(l.list, k)
}

// ranked returns the candidates that have what is typed, best first.
func (l *completer) ranked() []Completion {
	type scored struct {
		Completion
		match, fit, group int
	}
	var list []scored
	for _, k := range l.list {
		if m := matching(l.c.prefix, k.Label); m >= 0 {
			list = append(list, scored{k.Completion, m, l.fit(k), k.group})
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.match, b.match), cmp.Compare(a.fit, b.fit), cmp.Compare(a.group, b.group), cmp.Compare(a.Label, b.Label))
	})
	out := make([]Completion, len(list))
	for i, s := range list {
		out[i] = s.Completion
	}
	return out
}

// matching tells how well a name matches what is typed: 0 when it begins so, 1
// when only the case differs, 2 when it has the letters in their order or is
// one that is better left alone, -1 when not even that.
func matching(typed, name string) int {
	switch {
	case typed == "" && name[0] == '_' && name != "_":
		return 2
	case strings.HasPrefix(name, typed):
		return 0
	case len(typed) <= len(name) && strings.EqualFold(name[:len(typed)], typed):
		return 1
	}
	rest := strings.ToLower(name)
	for _, b := range []byte(strings.ToLower(typed)) {
		i := strings.IndexByte(rest, b)
		if i < 0 {
			return -1
		}
		rest = rest[i+1:]
	}
	return 2
}

// fit is 0 when a candidate has the type that is expected, 1 when it leads to
// one by a call or when nothing is expected, else 2.
func (l *completer) fit(k candidate) int {
	if l.site == nil || l.site.Want == nil || l.site.Kind == types.SitePattern {
		return 1
	}
	want := types.Prune(l.site.Want)
	if want == types.Type(types.Invalid) || want == types.Type(types.Any) || want == types.Type(types.Unit) {
		return 1
	}
	fits := func(t types.Type) bool {
		return t != nil && types.Prune(t) != types.Type(types.Invalid) && l.a.prog.Fits(t, want)
	}
	switch {
	case k.group == groupWanted, fits(k.value):
		return 0
	case fits(k.called), k.Kind == "argument":
		return 1
	}
	return 2
}

// firstSentence is the beginning of a doc comment.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	for i := 0; i+1 < len(doc); i++ {
		if doc[i] == '.' && doc[i+1] == ' ' {
			return doc[:i+1]
		}
	}
	return doc
}
