package printer

import "github.com/runnel-lang/runnel/lang/syntax/token"

// arrange decides which of the author's line breaks stay.
func (p *printer) arrange() {
	for i := range p.toks {
		if p.breaks[i] > 0 && !p.mayBreak(i) {
			p.breaks[i] = 0
		}
	}
	broken := p.broken()
	for i := range p.toks {
		if !p.brackets(i) || p.pair[i] == i+1 {
			continue
		}
		p.spread[i] = p.block(i) && broken[i] || p.isSpread(i)
		p.trim(i)
	}
}

// mayBreak reports whether a line may begin with the token at i.
func (p *printer) mayBreak(i int) bool {
	before := p.kind(i - 1)
	switch {
	case before.IsTrivia(), p.kind(i).IsTrivia(), p.begins(i), p.is(i, operator):
		return true
	case p.is(i-1, operator):
		return p.breaks[i-1] == 0
	case before == token.Eq, before == token.FatArrow, p.kind(i) == token.Dot, p.kind(i) == token.QDot:
		return true
	}
	return p.pair[i] >= 0 && p.pair[i] < i && p.brackets(p.pair[i])
}

// begins reports whether i begins a statement, a member, an arm or an element, or
// what else stands on a level with those.
func (p *printer) begins(i int) bool {
	if open := p.in[i]; open != none && !p.block(open) {
		return p.brackets(open) && p.beginsElement(i)
	}
	return p.is(i, item) || p.kind(i) == token.Else || p.kind(i) == token.Catch
}

// beginsElement reports whether i, which stands directly in brackets, is the first
// token of an element.
func (p *printer) beginsElement(i int) bool {
	before := p.end(i)
	return before == p.in[i] || p.ends(before)
}

// ends reports whether the element that the token at i belongs to ends with it.
func (p *printer) ends(i int) bool { return p.sep[i].text != "" && !p.is(i, variable) }

// brackets reports whether i opens brackets that hold lines.
func (p *printer) brackets(i int) bool {
	switch p.kind(i) {
	case token.LParen, token.LBrack, token.LBrace:
		return true
	}
	return false
}

// starts are the tokens that begin a line of their own when the bracket at i is
// spread: statements, members and arms; or elements.
func (p *printer) starts(i int) []int {
	if p.block(i) {
		return p.items[i]
	}
	var list []int
	for k := i; k < p.pair[i]; k = p.skip(k + 1) {
		if k != i && !p.ends(k) {
			continue
		}
		if start := p.behind(k); start < p.pair[i] {
			list = append(list, start)
		}
	}
	return list
}

// skip is i, or the closing bracket if i opens one.
func (p *printer) skip(i int) int { return max(i, p.pair[i]) }

// behind is the first token behind i, but for comments on the same line.
func (p *printer) behind(i int) int {
	for i++; p.kind(i).IsTrivia() && p.breaks[i] == 0; i++ {
	}
	return i
}

// broken tells of each opening bracket whether there is a line break in it.
func (p *printer) broken() []bool {
	broken := make([]bool, len(p.toks))
	for i := len(p.toks) - 1; i >= 0; i-- {
		if p.pair[i] > i {
			broken[i] = broken[i] || p.breaks[p.pair[i]] > 0
		}
		if open := p.in[i]; open != none && (p.breaks[i] > 0 || broken[i]) && open != p.pair[i] {
			broken[open] = true
		}
	}
	return broken
}

// isSpread reports whether the author broke a line at a place where the bracket
// at i has one when it is spread.
func (p *printer) isSpread(i int) bool {
	end := p.pair[i]
	if p.breaks[p.behind(i)] > 0 || p.breaks[end] > 0 {
		return true
	}
	for _, k := range p.starts(i) {
		if p.breaks[k] > 0 {
			return true
		}
	}
	return false
}

// trim sees to what stands directly within a pair of brackets that is not empty:
// if it is spread line breaks without empty lines, and a comma behind the last
// element.
func (p *printer) trim(i int) {
	end := p.pair[i]
	if p.spread[i] {
		first := p.behind(i)
		p.breaks[i+1] = min(p.breaks[i+1], 1)
		if p.kind(first-1) != token.DocComment || p.breaks[first] == 0 { // else it would document what follows
			p.breaks[first] = 1
		}
		p.breaks[end] = 1
		if k := p.kind(end + 1); k == token.Else || k == token.Catch {
			p.breaks[end+1] = 0
		}
	}
	if last := p.end(end); last != i && p.takesComma(i) {
		p.sep[last] = separator{}
		if p.spread[i] {
			p.sep[last].text = ","
		}
	}
}

// takesComma reports whether a comma may stand behind the last element.
func (p *printer) takesComma(i int) bool {
	switch p.kind(i) {
	case token.LBrace:
		return p.is(i, opensMap)
	case token.LBrack:
		return p.is(i, opensList)
	}
	return p.arguments(i) || len(p.starts(i)) > 1
}
