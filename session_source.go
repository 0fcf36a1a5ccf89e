package runnel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// Source returns the entries as a script, without those that failed and without
// declarations that newer ones have replaced. A replaced declaration that is
// still used is kept under a new name.
func (s *Session) Source() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	src := sessionSource{s: s, used: map[types.Object]bool{}, names: map[types.Object]string{}, taken: map[string]bool{}}
	for name := range s.names {
		src.taken[name] = true
	}
	for i := len(s.entries) - 1; i >= 0; i-- { // what is used is known before what declares it
		src.choose(s.entries[i])
	}
	slices.Reverse(src.items)
	var b strings.Builder
	for _, it := range src.items {
		b.WriteString(src.text(it))
		b.WriteByte('\n')
	}
	return b.String()
}

// sessionSource collects the items of a session's script.
type sessionSource struct {
	s     *Session
	items []sourceItem // the last one first
	used  map[types.Object]bool
	names map[types.Object]string // of what is renamed
	taken map[string]bool
}

type sourceItem struct {
	m    *types.Module
	stmt syntax.Stmt
	at   diag.Span // with the comments above
}

// isValue reports whether an item gives its entry's value.
func (it sourceItem) isValue() bool {
	return it.m.Value != nil && it.stmt == it.m.File.Items[len(it.m.File.Items)-1]
}

// choose takes the items of an entry that the script needs.
func (src *sessionSource) choose(m *types.Module) {
	file := m.File.Source
	start := file.Base
	var items []sourceItem
	for _, stmt := range m.File.Items {
		items = append(items, sourceItem{m, stmt, diag.Span{Start: start, End: stmt.Span().End}})
		start = stmt.Span().End
	}
	for _, it := range slices.Backward(items) {
		if src.needed(it) {
			src.items = append(src.items, it)
			src.note(it)
		}
	}
}

// needed reports whether an item declares what is still used or seen, or does
// something.
func (src *sessionSource) needed(it sourceItem) bool {
	names := syntax.Declared(it.stmt)
	if it.isValue() {
		return src.used[it.m.Value] || doesSomething(it.stmt)
	}
	if len(names) == 0 {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool {
		o := it.m.Lookup(name)
		return src.used[o] || src.s.names[name] == o
	})
}

// note notes what an item uses, and what of it must get another name.
func (src *sessionSource) note(it sourceItem) {
	syntax.Walk(it.stmt, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			if o := it.m.Info.Uses[id.ID()]; o != nil {
				src.used[o] = true
			}
		}
		return true
	})
	for _, name := range syntax.Declared(it.stmt) {
		o := it.m.Lookup(name)
		_, isFunc := o.(*types.FuncDecl)
		if src.s.names[name] != o || name == "main" && isFunc { // a script would call it
			src.names[o] = src.fresh(name)
		}
	}
	if it.isValue() {
		switch {
		case src.used[it.m.Value]:
			src.names[it.m.Value] = src.fresh("result")
		case !mayStandAlone(it.stmt):
			src.names[it.m.Value] = "_"
		}
	}
}

// fresh returns a name that nothing has.
func (src *sessionSource) fresh(name string) string {
	for i := 1; ; i++ {
		if try := fmt.Sprintf("%s_%d", name, i); !src.taken[try] {
			src.taken[try] = true
			return try
		}
	}
}

// text of an item, with what is renamed.
func (src *sessionSource) text(it sourceItem) string {
	file := it.m.File.Source
	var edits []diag.Edit
	rename := func(o types.Object, at diag.Span) {
		if name := src.names[o]; name != "" {
			edits = append(edits, diag.Edit{Span: at, New: name})
		}
	}
	syntax.Walk(it.stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			at := n.Span()
			at.End = at.Start + uint32(len(n.Name))
			rename(it.m.Info.Uses[n.ID()], at)
		case *syntax.BindPattern:
			if g := it.m.Info.GlobalBinds[n]; g != nil {
				rename(g, n.Name.Sp)
			}
		}
		return true
	})
	if fn, ok := it.stmt.(*syntax.FnDecl); ok {
		rename(it.m.Lookup(fn.Name.Text), fn.Name.Sp)
	}
	if it.isValue() && src.names[it.m.Value] != "" {
		at := diag.Span{Start: it.stmt.Span().Start, End: it.stmt.Span().Start}
		edits = slices.Insert(edits, 0, diag.Edit{Span: at, New: "let " + src.names[it.m.Value] + " = "}) // before a name there
	}
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var b strings.Builder
	from := it.at.Start
	for _, e := range edits {
		b.WriteString(file.Src[from-file.Base : e.Span.Start-file.Base])
		b.WriteString(e.New)
		from = e.Span.End
	}
	b.WriteString(file.Src[from-file.Base : it.at.End-file.Base])
	return strings.Trim(strings.TrimLeft(b.String(), "; \t\n"), "\n")
}

// doesSomething reports whether an expression may be evaluated for more than its value.
func doesSomething(x syntax.Node) (does bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.Lambda:
			return false
		case *syntax.Call, *syntax.Await, *syntax.Spawn, *syntax.AssignStmt, *syntax.Select:
			does = true
		}
		return !does
	})
	return does
}

// mayStandAlone reports whether an item whose value is not used is a statement.
func mayStandAlone(item syntax.Stmt) bool {
	x, ok := item.(*syntax.ExprStmt)
	if !ok {
		return true
	}
	switch x.X.(type) {
	case *syntax.Call, *syntax.Await, *syntax.Spawn:
		return true
	}
	return false
}
