package syntax

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Scan returns the tokens and comments of any text, be it a program or not. Their
// spans count from the text's first byte.
func Scan(src string) []token.Token {
	var list []token.Token
	for s := newScanner("", src, 0); ; {
		t, _ := s.Next()
		if t.Type == lexer.EOF {
			return list
		}
		start := uint32(t.Pos.Offset)
		list = append(list, token.Token{Kind: token.Kind(t.Type), Sp: diag.Span{Start: start, End: start + uint32(len(t.Value))}})
	}
}
