package types

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// The heads of lists are their lengths. Those that some pattern tells apart are looked at
// one by one, and all greater ones together, as rustc does for its slices: a head that is
// open stands for every length from its own on.

// lowerList makes the pattern of a list one of the matrix.
func (x *exhaust) lowerList(p *syntax.ListPattern, t Type, depth int) *pat {
	a, ok := appOf(t, CList)
	if !ok {
		return nil
	}
	out := &pat{con: listCon(p.Before(), p.After(), p.Rest > 0, a.Args[0])}
	for _, e := range p.Elems {
		out.args = append(out.args, x.lower(e, a.Args[0], depth+1))
	}
	return out
}

func listCon(before, after int, open bool, elem Type) con {
	return con{kind: conList, before: before, after: after, open: open, types: slices.Repeat([]Type{elem}, before+after)}
}

// coversList reports whether lists of the lengths of d match a pattern with head k.
func (k *con) coversList(d *con) bool {
	least := d.before + d.after
	if k.open {
		return k.before+k.after <= least
	}
	return !d.open && k.before+k.after == least
}

// spreadArgs puts the patterns below a head into a row for a head that it covers: those
// of a list that are counted from the end go to the end.
func (p *pat) spreadArgs(row []*pat) {
	if p.con.kind != conList {
		copy(row, p.args)
		return
	}
	copy(row, p.args[:p.con.before])
	copy(row[len(row)-p.con.after:], p.args[p.con.before:])
}

// lists returns the heads that patterns tell apart, and the open one of all greater lengths.
func lists(heads []con, elem Type) []con {
	longest, before, after := 0, 0, 0
	for _, h := range heads {
		if h.open {
			before, after = max(before, h.before), max(after, h.after)
		} else {
			longest = max(longest, h.before+1)
		}
	}
	if longest > before+after {
		before = longest - after
	}
	all := make([]con, 0, before+after+1)
	for n := range before + after {
		all = append(all, listCon(n, 0, false, elem))
	}
	return append(all, listCon(before, after, true, elem))
}

// usefulList is useful for rows whose first column is about lists.
func (x *exhaust) usefulList(rows [][]*pat, q []*pat) bool {
	head := q[0]
	all := heads(rows)
	if head != nil {
		all = append(all, head.con)
	}
	var elem Type = Invalid
	for _, k := range all {
		if len(k.types) > 0 {
			elem = k.types[0]
		}
	}
	for _, k := range lists(all, elem) {
		x.steps += len(k.types)
		if head != nil && !head.con.covers(&k) {
			continue
		}
		row := make([]*pat, len(k.types), len(k.types)+len(q)-1)
		if head != nil {
			head.spreadArgs(row)
		}
		if x.useful(x.specialize(rows, &k), append(row, q[1:]...)) {
			return true
		}
	}
	return false
}

// headsOf lists all heads of a type, nil when they cannot be listed.
func (x *exhaust) headsOf(t Type, rows [][]*pat) []con {
	a, ok := appOf(Prune(t), CList)
	if !ok {
		return x.constructors(t)
	}
	all := lists(heads(rows), a.Args[0])
	x.steps += len(all)
	return all
}

func exampleList(k *con, args []string) string {
	if k.open {
		args = slices.Insert(slices.Clone(args), k.before, "..")
	}
	return "[" + strings.Join(args, ", ") + "]"
}
