package printer

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// split breaks the row of tokens [from, to), which is too long, and reports whether
// there was something to break. What breaks is the first there is of
//
//   - several statements, members, arms or elements that stand in the row: as many
//     as fit stay on a line;
//   - the outermost blocks;
//   - a block at the end of the last argument, if it is the only one;
//   - a chain of calls, before the dots;
//   - the longest of the outermost lists of several elements;
//   - the outermost blocks in arguments;
//   - a single argument, if that makes it fit.
func (p *printer) split(from, to int) bool {
	begins, blocks, dots := p.outermost(from, to)
	switch {
	case len(begins) > 0:
		p.fill(from, to, begins)
		return true
	case len(blocks) > 0:
		return p.open(blocks...)
	}
	if last := p.lastBlock(from, to); last != none {
		return p.open(last)
	}
	if p.isChain(from, to, dots) {
		for _, i := range dots {
			p.breaks[i] = 1
		}
		return true
	}
	lists, blocks, single := p.nested(from, to)
	switch {
	case len(lists) > 0:
		return p.open(slices.MaxFunc(lists, func(i, k int) int { return min(p.pair[i], to) - i - min(p.pair[k], to) + k }))
	case len(blocks) > 0:
		return p.open(blocks...)
	case single != none && p.indent(from)+indentation+p.width(single+1, p.pair[single]) < Width:
		return p.open(single)
	}
	return false
}

// outermost finds where a row can be broken outside of all brackets that it
// opens: where statements, members, arms and elements begin, blocks, and the dots
// behind calls.
func (p *printer) outermost(from, to int) (begins, blocks, dots []int) {
	for i := from; i < to; i = p.skip(i) + 1 {
		if k := p.end(i) + 1; k > from && p.next(k) == i && p.divides(i) {
			begins = append(begins, k)
		}
		switch {
		case p.block(i) && p.closed(i):
			blocks = append(blocks, i)
		case i > from && p.dot(i) && (p.kind(i-1) == token.RParen || p.kind(i-1) == token.RBrack):
			dots = append(dots, i)
		}
	}
	return begins, blocks, dots
}

// divides reports whether a line could begin with the token at i, which stands in
// the middle of one.
func (p *printer) divides(i int) bool {
	open := p.in[i]
	return p.is(i, item) || open != none && p.brackets(open) && p.spread[open] && p.pair[open] != i && !p.block(open) && p.beginsElement(i)
}

func (p *printer) dot(i int) bool { return p.kind(i) == token.Dot || p.kind(i) == token.QDot }

// closed reports whether i opens brackets that hold something and are not spread.
func (p *printer) closed(i int) bool { return p.brackets(i) && !p.spread[i] && p.pair[i] > i+1 }

// lastBlock finds the block with which the last argument of a row ends, if there
// is no other in the row.
func (p *printer) lastBlock(from, to int) int {
	end := to - 1
	for p.kind(end) == token.RParen || p.kind(end) == token.RBrack {
		end--
	}
	if p.kind(end) != token.RBrace || p.pair[end] < from || !p.block(p.pair[end]) || !p.closed(p.pair[end]) {
		return none
	}
	for i := from; i < p.pair[end]; i++ {
		if p.block(i) && p.closed(i) {
			return none
		}
	}
	return p.pair[end]
}

// isChain reports whether a row is broken at the dots behind calls: several ones,
// or one if that makes it fit.
func (p *printer) isChain(from, to int, dots []int) bool {
	if len(dots) != 1 {
		return len(dots) > 1
	}
	indent := p.indent(from)
	return indent+p.width(from, dots[0]) <= Width && indent+indentation+p.width(dots[0], to) <= Width
}

// nested finds the outermost lists of several elements in a row, the blocks
// outside of those, and the longest single argument.
func (p *printer) nested(from, to int) (lists, blocks []int, single int) {
	single = none
	for i := from; i < to; i++ {
		switch {
		case p.pair[i] > i && !p.brackets(i):
			i = p.pair[i]
		case !p.closed(i):
		case p.block(i):
			blocks = append(blocks, i)
			i = p.pair[i]
		case len(p.starts(i)) > 1:
			lists = append(lists, i)
			i = p.pair[i]
		case p.takesComma(i) && (single == none || p.pair[i]-i > p.pair[single]-single):
			single = i
		}
	}
	return lists, blocks, single
}

// fill breaks a row at some of the places where it may break, so that as much as
// fits stays on each line.
func (p *printer) fill(from, to int, places []int) {
	indent := p.indent(from)
	for n, i := range places {
		end := to
		if n+1 < len(places) {
			end = places[n+1]
		}
		if indent+p.width(from, end) > Width {
			p.breaks[i] = 1
			from, indent = i, p.indent(i)
		}
	}
}

// open gives what stands in brackets lines of its own, each statement, member,
// arm and element one. The elements of plain lists and maps are left to fill
// lines.
func (p *printer) open(list ...int) bool {
	for _, i := range list {
		p.spread[i] = true
		if !p.plain(i) {
			for _, k := range p.starts(i) {
				p.breaks[k] = max(p.breaks[k], 1)
			}
		}
		p.trim(i)
	}
	return true
}

// plain reports whether i opens a list or map without brackets or lambdas in it.
func (p *printer) plain(i int) bool {
	if !p.is(i, opensList|opensMap) {
		return false
	}
	for k := i + 1; k < p.pair[i]; k = p.skip(k) + 1 {
		if p.pair[k] > k && p.kind(k) != token.StrHead || p.is(k, noBars) {
			return false
		}
	}
	return true
}
