package repl

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// opens and closes tell the brackets.
func opens(k token.Kind) bool {
	return k == token.LParen || k == token.LBrack || k == token.LBrace
}

func closes(k token.Kind) bool {
	return k == token.RParen || k == token.RBrack || k == token.RBrace
}

// closing tells the characters that belong where the line begins which opened
// them.
func closing(r rune) bool { return r == '}' || r == ')' || r == ']' }

// indentation is how far a new line behind a text is indented: as far as its
// last line, or deeper when that leaves a bracket open.
func indentation(source string) int {
	if word, arg := splitCommand(source); word != "" {
		source = arg
	}
	lineStart := strings.LastIndexByte(source, '\n') + 1
	line := source[lineStart:]
	open := 0
	for _, t := range syntax.Scan(source) {
		switch {
		case int(t.Sp.End) == len(source) && goesOn(t.Kind, source[t.Sp.Start:]):
			return 0 // spaces would be text
		case int(t.Sp.Start) < lineStart:
		case opens(t.Kind):
			open++
		case closes(t.Kind):
			open = max(open-1, 0)
		}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if open > 0 {
		indent += 2
	}
	return indent
}

// goesOn tells that a token at the end of a text continues in the next line.
func goesOn(k token.Kind, text string) bool {
	switch k {
	case token.BadLit:
		return text[0] == '`'
	case token.Comment, token.Invalid:
		return strings.HasPrefix(text, "/*")
	}
	return false
}

// brackets finds the bracket before the cursor, or the one behind it, and the one
// that belongs to it.
func brackets(source string, cursor int) (a, b int, ok bool) {
	type pair struct{ open, close int }
	var open []token.Token
	var found *pair
	for _, t := range syntax.Scan(source) {
		switch {
		case opens(t.Kind):
			open = append(open, t)
		case closes(t.Kind) && len(open) > 0 && open[len(open)-1].Kind+1 == t.Kind:
			p := pair{int(open[len(open)-1].Sp.Start), int(t.Sp.Start)}
			open = open[:len(open)-1]
			switch {
			case p.open == cursor-1 || p.close == cursor-1:
				return p.open, p.close, true
			case p.open == cursor || p.close == cursor:
				found = &p
			}
		}
	}
	if found == nil {
		return 0, 0, false
	}
	return found.open, found.close, true
}
