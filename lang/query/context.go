package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// surroundings are what the tokens before an offset tell of it: what is open there,
// and whether a name can stand there at all.
type surroundings struct {
	text       string
	start, end int           // the word around the offset, or the offset twice
	prefix     string        // the word up to the offset
	toks       []token.Token // before the word, without comments
	open       []opened
	inText     bool // in a comment, a text or a number
}

// opened is a bracket that is not closed yet, or a word whose { is still to
// come.
type opened struct {
	kind  token.Kind // of the bracket; Pipe around the parameters of a lambda; EOF for a word
	head  token.Kind // the word that the bracket or the missing { belongs to, EOF when none
	index int        // of the token
	from  int        // of the token of the head
	bound bool       // the head has its `let ... =`, its `in` or its `as`
	label string     // of a loop
}

// contextAt reads a text up to an offset.
func contextAt(text string, at int) *surroundings {
	c := &surroundings{text: text, start: at, end: at}
	for c.start > 0 && isWordByte(text[c.start-1]) {
		c.start--
	}
	for c.end < len(text) && isWordByte(text[c.end]) {
		c.end++
	}
	c.prefix = text[c.start:at]
	for _, t := range syntax.Scan(text[:c.start]) {
		switch {
		case t.Kind.IsTrivia():
			c.inText = int(t.Sp.End) == c.start && strings.HasPrefix(c.spelling(t), "//")
			continue
		case t.Kind == token.Unterminated && t.Sp.End == t.Sp.Start && int(t.Sp.End) == c.start:
			continue // the text ends within an interpolation
		}
		c.inText = int(t.Sp.End) == c.start && (t.Kind == token.BadLit || t.Kind == token.Spec || t.Kind == token.Unterminated) ||
			t.Kind == token.Invalid && strings.HasPrefix(c.spelling(t), "/*")
		c.toks = append(c.toks, t)
		c.take(len(c.toks) - 1)
	}
	if c.newLine(len(c.toks)) && !continues(c.kind(1)) {
		c.dropHeads()
	}
	if c.start < c.end && text[c.start] >= '0' && text[c.start] <= '9' && !c.afterDot() {
		c.inText = true
	}
	return c
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}

func (c *surroundings) spelling(t token.Token) string { return c.text[t.Sp.Start:t.Sp.End] }

// kind is that of the nth token before the word, counted from 1.
func (c *surroundings) kind(n int) token.Kind {
	if n > len(c.toks) {
		return token.EOF
	}
	return c.toks[len(c.toks)-n].Kind
}

// word is the spelling of the nth token before the word.
func (c *surroundings) word(n int) string {
	if n > len(c.toks) {
		return ""
	}
	return c.spelling(c.toks[len(c.toks)-n])
}

func (c *surroundings) afterDot() bool { return c.kind(1) == token.Dot || c.kind(1) == token.QDot }

// newLine reports whether a token, or the word when i is their number, is on
// another line than the one before it.
func (c *surroundings) newLine(i int) bool {
	from, to := 0, c.start
	if i > 0 {
		from = int(c.toks[i-1].Sp.End)
	}
	if i < len(c.toks) {
		to = int(c.toks[i].Sp.Start)
	}
	return i == 0 || strings.Contains(c.text[from:to], "\n")
}

// top is the innermost thing open.
func (c *surroundings) top() opened {
	if len(c.open) == 0 {
		return opened{}
	}
	return c.open[len(c.open)-1]
}

// take notes what the ith token opens and closes.
func (c *surroundings) take(i int) {
	before := token.EOF
	if i > 0 {
		before = c.toks[i-1].Kind
	}
	if c.newLine(i) && !continues(before) && c.toks[i].Kind != token.LBrace {
		c.dropHeads()
	}
	switch k := c.toks[i].Kind; k {
	case token.LParen, token.LBrack, token.StrHead:
		c.open = append(c.open, opened{kind: k, index: i})
	case token.LBrace:
		o := opened{kind: k, index: i}
		if t := c.top(); t.head != token.EOF && t.kind == token.EOF {
			o.head, o.label, o.from = t.head, t.label, t.index
			c.open = c.open[:len(c.open)-1]
		}
		c.open = append(c.open, o)
	case token.RParen:
		c.close(token.LParen)
	case token.RBrack:
		c.close(token.LBrack)
	case token.RBrace:
		c.close(token.LBrace)
	case token.StrTail:
		c.close(token.StrHead)
	case token.Semi, token.FatArrow:
		c.dropHeads()
	case token.Pipe:
		c.pipe(i, before)
	case token.Eq, token.In, token.As:
		if t := c.top(); t.head != token.EOF && t.kind == token.EOF {
			c.open[len(c.open)-1].bound = true
		}
	default:
		c.takeWord(i, before)
	}
}

// takeWord notes a word that a { is to follow.
func (c *surroundings) takeWord(i int, before token.Kind) {
	head := c.toks[i].Kind
	switch head {
	case token.Fn:
		if !c.declares(before, i) {
			return
		}
	case token.If, token.While, token.For, token.Match, token.Struct, token.Enum, token.Interface, token.Loop,
		token.Try, token.Catch, token.Scope, token.Lock, token.Select, token.Else:
	default:
		return
	}
	o := opened{head: head, index: i, bound: true}
	switch head {
	case token.If:
		if endsOperand(before) && !c.newLine(i) {
			return // the guard of an arm
		}
		if t := c.top(); t.head == token.Else && t.kind == token.EOF {
			c.open = c.open[:len(c.open)-1]
		}
	case token.While, token.Loop, token.For:
		o.bound = head != token.For
		if i >= 2 && before == token.Colon && c.toks[i-2].Kind == token.Label {
			o.label = c.spelling(c.toks[i-2])[1:]
		}
	case token.Lock:
		o.bound = false
	}
	c.open = append(c.open, o)
}

// declares reports whether the fn at a token begins a function, not a type.
func (c *surroundings) declares(before token.Kind, i int) bool {
	return before == token.Pub || c.newLine(i) || before == token.LBrace || before == token.RBrace || before == token.Semi || before == token.Comma ||
		before == token.Ident && c.spelling(c.toks[i-1]) == "native"
}

// pipe notes the | at a token, which follows one of the kind before.
func (c *surroundings) pipe(i int, before token.Kind) {
	switch {
	case c.top().kind == token.Pipe:
		c.open = c.open[:len(c.open)-1]
	case !endsOperand(before) || c.newLine(i):
		c.open = append(c.open, opened{kind: token.Pipe, index: i})
	}
}

// dropHeads forgets words whose { has not come.
func (c *surroundings) dropHeads() {
	for len(c.open) > 0 && (c.top().kind == token.EOF || c.top().kind == token.Pipe) {
		c.open = c.open[:len(c.open)-1]
	}
}

// close forgets the innermost bracket of a kind and what was opened after it.
func (c *surroundings) close(bracket token.Kind) {
	for i := len(c.open) - 1; i >= 0; i-- {
		if c.open[i].kind == bracket {
			c.open = c.open[:i]
			return
		}
	}
}

// endsOperand reports whether an operand can end with a token.
func endsOperand(k token.Kind) bool {
	switch k {
	case token.Ident, token.Int, token.Float, token.Duration, token.Bytes, token.RawStr, token.Str, token.StrTail, token.BadLit,
		token.RParen, token.RBrack, token.RBrace, token.Self, token.True, token.False, token.None, token.Bang, token.Question:
		return true
	}
	return false
}

// continues reports whether what stands on a line continues after a token.
func continues(k token.Kind) bool {
	switch k {
	case token.EOF, token.LBrace, token.Semi, token.Return, token.Break, token.Continue, token.Label:
		return false
	}
	return !endsOperand(k) && !k.IsKeyword()
}

// startsStatement reports whether the word is the first of a statement.
func (c *surroundings) startsStatement() bool {
	if k := c.kind(1); k == token.LBrace || k == token.Semi || k == token.EOF {
		return true
	}
	in := c.top().kind
	return (in == token.EOF || in == token.LBrace) && c.newLine(len(c.toks)) && !continues(c.kind(1))
}

// inPattern reports whether the word stands in the pattern of an arm, or in that of an if let.
func (c *surroundings) inPattern() bool {
	from := -1 // the token after which the pattern begins
	for n := len(c.open) - 1; n >= 0; n-- {
		o := c.open[n]
		if o.kind == token.LBrace && o.head == token.Match {
			from = o.index
			for i := len(c.toks) - 1; i > from; i-- {
				if c.toks[i].Kind == token.FatArrow {
					return c.armEnds(i)
				}
			}
			break
		}
		if o.kind != token.LParen {
			return false
		}
	}
	return from >= 0
}

// armEnds reports whether the arm whose => is the ith token has ended before
// the word.
func (c *surroundings) armEnds(i int) bool {
	depth := 0
	for j := i + 1; j < len(c.toks); j++ {
		switch c.toks[j].Kind {
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			depth++
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			depth--
		case token.Comma:
			if depth == 0 {
				return true
			}
		}
		if depth == 0 && j > i+1 && c.newLine(j) && !continues(c.toks[j-1].Kind) {
			return true
		}
	}
	return depth == 0 && len(c.toks) > i+1 && c.newLine(len(c.toks)) && !continues(c.kind(1))
}

// declaring reports whether the word is a new name, for which there is nothing
// to offer.
func (c *surroundings) declaring() bool {
	t := c.top()
	switch k := c.kind(1); k {
	case token.Let, token.Var, token.Const:
		return c.kind(2) != token.If && c.kind(2) != token.While
	case token.For, token.Struct, token.Enum, token.Interface, token.Catch:
		return true
	case token.Fn:
		return t.head == token.Fn
	case token.As:
		return c.kind(3) == token.Import || t.head == token.Lock && t.kind == token.EOF
	case token.Pipe:
		return t.kind == token.Pipe
	case token.Ident:
		return c.word(1) == "type" && !c.newLine(len(c.toks)) && c.newLine(len(c.toks)-1)
	case token.Comma, token.LParen:
		return t.kind == token.Pipe || t.head == token.For && t.kind == token.EOF && !t.bound || c.inNames()
	}
	return false
}

// inNames reports whether the innermost bracket is that around the parameters
// of a function, or around the names of a let.
func (c *surroundings) inNames() bool {
	t := c.top()
	if t.kind != token.LParen || t.index == 0 {
		return false
	}
	before := c.toks[t.index-1].Kind
	if before == token.Let || before == token.Var {
		return t.index < 2 || c.toks[t.index-2].Kind != token.If && c.toks[t.index-2].Kind != token.While
	}
	return (before == token.Ident || before == token.Gt) && len(c.open) > 1 && c.open[len(c.open)-2].head == token.Fn && c.open[len(c.open)-2].kind == token.EOF
}

// afterOperand reports whether what stands before the word on its line is a
// whole operand, so that only an infix word can follow.
func (c *surroundings) afterOperand() bool {
	if c.newLine(len(c.toks)) || !endsOperand(c.kind(1)) {
		return false
	}
	if t := c.top(); t.kind == token.Pipe {
		return false
	}
	detached := c.kind(1) == token.Ident && c.word(1) == "detached" && c.kind(2) == token.Spawn
	return !detached && c.kind(1) != token.Bang || c.kind(1) == token.Bang && endsOperand(c.kind(2))
}
