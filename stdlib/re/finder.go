package re

import "unicode/utf8"

// finder finds the matches of a pattern in one text: by Go's regexp where one
// search is short, which is fast and cannot be broken off, else by a machine.
type finder struct {
	c       payer
	r       *regex
	text    string
	groups  bool // positions are wanted
	machine *machine
}

// matchSteps is what it costs to tell of a match.
const matchSteps = 4

// quickWork bounds the bytes times instructions of a search by Go's regexp: a few
// milliseconds at most. quickRoom bounds the memory that it takes, uncharged.
var quickWork, quickRoom = 1 << 19, 1 << 20

func newFinder(c payer, r *regex, text string, groups bool) *finder {
	c.Steps(1 + r.insts/workSteps)
	return &finder{c: c, r: r, text: text, groups: groups}
}

// quick reports whether Go's regexp searches from pos on. It begins at the start of
// a text only.
func (f *finder) quick(pos int) bool {
	insts := f.r.insts + 1
	return (len(f.text)-pos+1)*insts <= quickWork && insts*f.caps()*8 <= quickRoom && (pos == 0 || !f.r.looks)
}

// caps is how many positions a match has.
func (f *finder) caps() int {
	if !f.groups {
		return 0
	}
	return 2 * (f.r.NumSubexp() + 1)
}

// next finds the first match from pos on. The positions are valid until the next call.
func (f *finder) next(pos int) (groups []int, found bool) {
	if !f.quick(pos) {
		if f.machine == nil {
			f.machine = newMachine(f.c, f.r.prog(), f.text, f.caps())
		}
		return f.machine.search(pos)
	}
	rest := f.text[pos:]
	if !f.groups {
		f.c.Steps(1 + len(rest)*(1+f.r.insts)/bytesPerStep)
		return nil, f.r.MatchString(rest)
	}
	groups = f.r.FindStringSubmatchIndex(rest)
	searched := len(rest)
	if groups != nil {
		searched = groups[1]
	}
	f.c.Steps(1 + searched*(1+f.r.insts)/bytesPerStep)
	for i := range groups {
		if groups[i] >= 0 {
			groups[i] += pos
		}
	}
	return groups, groups != nil
}

// each calls found with the groups of every match, of the first limit where it is
// not negative. An empty match next to the one before does not count.
func (f *finder) each(limit int, found func(groups []int)) {
	for pos, end := 0, -1; limit != 0 && pos <= len(f.text); {
		groups, ok := f.next(pos)
		if !ok {
			return
		}
		empty := groups[1] == pos
		last := end
		end = groups[1]
		if !empty {
			pos = end
		} else if _, size := utf8.DecodeRuneInString(f.text[pos:]); size > 0 {
			pos += size
		} else {
			pos = len(f.text) + 1
		}
		if !empty || groups[0] != last {
			limit--
			f.c.Steps(matchSteps)
			found(groups)
		}
	}
}
