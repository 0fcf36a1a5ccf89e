package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// hole is the name that is put where one is asked for: a text is parsed and
// checked with it, and what the checker knows of it tells what could stand there.
const hole = "hole__"

// attempts are texts with the hole in the place of the word, the likeliest
// first: with all that follows; with the rest of the line left out and what is
// open on it closed; and with nothing of the statement but the operand that the
// word belongs to. Each has the hole at the given place.
func (c *surroundings) attempts() []attempt {
	lineEnd := len(c.text)
	if i := strings.IndexByte(c.text[c.end:], '\n'); i >= 0 {
		lineEnd = c.end + i
	}
	head, after := c.text[:c.start], c.text[lineEnd:]
	list := []attempt{
		{head + hole + c.text[c.end:], c.start},
		{head + hole + c.closers() + after, c.start},
	}
	if rest := strings.TrimSpace(c.text[c.end:lineEnd]); rest == "" || strings.HasPrefix(rest, "//") {
		list = list[1:]
	}
	from, operand := c.statementStart(), c.operandStart()
	if t := c.top(); t.kind == token.LBrace && t.head == token.Select {
		from = int(c.toks[t.from].Sp.Start) // an arm cannot be an operand
	}
	return append(list, attempt{c.text[:from] + c.text[operand:c.start] + hole + after, from + c.start - operand})
}

type attempt struct {
	text string
	at   int
}

// closers closes what is open on the line of the word, innermost first.
func (c *surroundings) closers() string {
	var b strings.Builder
	line := strings.LastIndexByte(c.text[:c.start], '\n')
	if c.kind(1) == token.Spawn {
		b.WriteString("()")
	}
	b.WriteString(strings.Repeat(">", c.typeArgs()))
	arm := c.inPattern()
	for i := len(c.open) - 1; i >= 0; i-- {
		o := c.open[i]
		if arm && o.kind == token.LBrace {
			b.WriteString(" => ()")
			arm = false
		}
		if int(c.toks[o.index].Sp.Start) < line && o.kind != token.StrHead {
			break
		}
		switch o.kind {
		case token.LParen:
			b.WriteByte(')')
		case token.LBrack:
			b.WriteByte(']')
		case token.LBrace:
			b.WriteByte('}')
			if o.head == token.Try {
				b.WriteString(" catch _ {}")
			}
		case token.StrHead:
			b.WriteString(c.closeString(o.index))
		case token.Pipe:
			b.WriteString("| ()")
		case token.EOF:
			b.WriteString(c.body(o))
		}
	}
	return b.String()
}

// closeString closes the interpolation behind a token, and the string around it. The
// rest of a text block stays.
func (c *surroundings) closeString(head int) string {
	if syntax.IsBlock(c.text[c.toks[head].Sp.Start:]) {
		return "}"
	}
	return "}\""
}

// typeArgs counts the lists of type arguments that are open at the word. A <
// begins one when it follows a name closely.
func (c *surroundings) typeArgs() (n int) {
	for i := len(c.toks) - 1; i > 0; i-- {
		switch c.toks[i].Kind {
		case token.Ident, token.Comma, token.Colon, token.Dot, token.Question, token.QQ:
		case token.Gt, token.GtGt:
			n--
		case token.Lt:
			if c.toks[i-1].Kind != token.Ident || c.toks[i-1].Sp.End != c.toks[i].Sp.Start {
				return max(0, n)
			}
			n++
		default:
			return max(0, n)
		}
	}
	return max(0, n)
}

// body is what is missing after the head of a construct.
func (c *surroundings) body(o opened) string {
	switch {
	case o.head == token.Fn && !c.hasAfter(o.index, token.LParen):
		return "() {}"
	case o.head == token.Lock && !o.bound:
		return " as v {}"
	case o.head == token.For && !o.bound:
		return " in [] {}"
	case (o.head == token.If || o.head == token.While) && o.index+1 < len(c.toks) && c.toks[o.index+1].Kind == token.Let && !c.hasAfter(o.index, token.Eq):
		return " = none {}"
	}
	return " {}"
}

func (c *surroundings) hasAfter(i int, k token.Kind) bool {
	for _, t := range c.toks[i:] {
		if t.Kind == k {
			return true
		}
	}
	return false
}

// statementStart is where the statement of the word begins.
func (c *surroundings) statementStart() int {
	in := -1
	for _, o := range c.open {
		if o.kind == token.LBrace {
			in = o.index
		}
	}
	for i := len(c.toks) - 1; i > in; i-- {
		if c.newLine(i) || i == in+1 || c.toks[i-1].Kind == token.Semi {
			return int(c.toks[i].Sp.Start)
		}
	}
	return c.start
}

// operandStart is where the operand begins of which the word is a member, or
// the word.
func (c *surroundings) operandStart() int {
	i := len(c.toks)
	for i > 0 && (c.toks[i-1].Kind == token.Dot || c.toks[i-1].Kind == token.QDot) {
		j := c.beforeOperand(i - 2)
		if j == i-2 {
			break
		}
		i = j + 1
	}
	if i == len(c.toks) {
		return c.start
	}
	return int(c.toks[i].Sp.Start)
}

// beforeOperand is the index of the token before the name, literal or call
// that ends with the ith one.
func (c *surroundings) beforeOperand(i int) int {
	for i >= 0 {
		switch c.toks[i].Kind {
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			open := c.opener(i)
			called := c.toks[i].Kind != token.RBrace && c.toks[i].Kind != token.StrTail
			if i = open - 1; !called || i < 0 || !endsOperand(c.toks[i].Kind) || c.newLine(open) {
				return i
			}
		case token.Bang:
			i--
		case token.Ident, token.Self, token.Int, token.Float, token.Duration, token.Str, token.RawStr, token.Bytes:
			return i - 1
		default:
			return i
		}
	}
	return i
}

// opener is the index of the bracket that the ith token closes.
func (c *surroundings) opener(i int) int {
	depth := 0
	for ; i > 0; i-- {
		switch c.toks[i].Kind {
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			depth++
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}
