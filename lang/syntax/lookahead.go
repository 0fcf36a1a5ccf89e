package syntax

import (
	"github.com/alecthomas/participle/v2/lexer"
)

// lookahead gives the tokens of a text as participle's PeekingLexer does, with any
// number of them ahead and a way back. It differs in what that would cost: room for the
// tokens is made once, and comments are passed over without a map.
type lookahead struct {
	place
	all []lexer.Token // comments too; the last is EOF
}

// place is where a lookahead stands.
type place struct {
	raw    int // first token after the last taken, maybe a comment
	next   int // first token after it that is not a comment
	cursor int // tokens taken
}

// bytesPerToken of plain programs, comments and spaces included; texts that are denser
// grow the slice.
const bytesPerToken = 4

func newLookahead(scan lexer.Lexer, size int) (*lookahead, error) {
	l := &lookahead{all: make([]lexer.Token, 0, min(size, 1<<20)/bytesPerToken+2)}
	for {
		t, err := scan.Next()
		if err != nil {
			return nil, err
		}
		l.all = append(l.all, t)
		if t.EOF() {
			break
		}
	}
	l.passComments()
	return l, nil
}

func (l *lookahead) passComments() {
	l.next = l.raw
	for kindOf(&l.all[l.next]).IsTrivia() {
		l.next++
	}
}

// Next takes the next token; at the end it stays there.
func (l *lookahead) Next() *lexer.Token {
	t := &l.all[l.next]
	if !t.EOF() {
		l.raw = l.next + 1
		l.cursor++
		l.passComments()
	}
	return t
}

// Peek returns the next token without taking it.
func (l *lookahead) Peek() *lexer.Token { return &l.all[l.next] }

// Cursor counts the tokens taken, comments not among them.
func (l *lookahead) Cursor() int { return l.cursor }

// Mark returns the place to which Return leads back.
func (l *lookahead) Mark() place { return l.place }

// Return goes back to a place, or forward.
func (l *lookahead) Return(to place) { l.place = to }
