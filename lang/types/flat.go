package types

import (
	"github.com/runnel-lang/runnel/lang/syntax"
)

// headSet holds the heads of the arms seen so far of a match whose patterns
// look at nothing but the head: literals, variants without conditions on their
// fields. Such a match may have thousands of arms, for which the matrix would
// take quadratic time.
type headSet struct {
	seen map[headKey]bool
	all  bool // a wildcard was seen
}

type headKey struct {
	kind conKind
	tag  int
	lit  Const
	lo   int64
	hi   int64
}

func (k *con) key() headKey {
	if k.kind == conList {
		return headKey{kind: conList, tag: tagOf(k.open), lo: int64(k.before), hi: int64(k.after)}
	}
	return headKey{k.kind, k.tag, k.lit, k.lo, k.hi}
}

func tagOf(open bool) int {
	if open {
		return 1
	}
	return 0
}

// isFlat reports whether a pattern looks at the head alone.
func isFlat(p *pat) bool {
	if p == nil {
		return true
	}
	for _, a := range p.alts {
		if !isFlat(a) {
			return false
		}
	}
	if p.alts != nil {
		return true
	}
	for _, a := range p.args {
		if a != nil {
			return false
		}
	}
	switch p.con.kind {
	case conVariant, conBool, conNone, conSome, conLit:
		return true
	}
	return false
}

// useful reports whether the arms seen so far leave something to a pattern.
func (h *headSet) useful(p *pat) bool {
	switch {
	case h.all:
		return false
	case p == nil:
		return true
	case p.alts != nil:
		for _, a := range p.alts {
			if h.useful(a) {
				return true
			}
		}
		return false
	}
	return !h.seen[p.con.key()]
}

func (h *headSet) add(p *pat) {
	switch {
	case p == nil:
		h.all = true
	case p.alts != nil:
		for _, a := range p.alts {
			h.add(a)
		}
	default:
		h.seen[p.con.key()] = true
		h.all = h.all || p.con.total > 0 && len(h.seen) == p.con.total
	}
}

// flat is exhaustive for arms that look at the head alone.
func (x *exhaust) flat(e *syntax.Match, pats []*pat, t Type) (missing string, found bool) {
	h := &headSet{seen: map[headKey]bool{}}
	for i, arm := range e.Arms {
		if !h.useful(pats[i]) {
			x.unreachable(arm)
		}
		if arm.Guard == nil {
			h.add(pats[i])
		}
	}
	if h.all {
		return "", false
	}
	all := x.constructors(t)
	if len(h.seen) == 0 || all == nil {
		return "_", true
	}
	for i := range all {
		if k := &all[i]; !h.seen[k.key()] {
			args := make([]string, len(k.types))
			for j := range args {
				args[j] = "_"
			}
			return example(k, args), true
		}
	}
	return "", false
}
