package docs

import (
	"unicode"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// tone is how a part of code is shown.
type tone int

const (
	plain tone = iota
	keyword
	literal
	quoted
	comment
	typeName
	arrow // which has no color, but is not to be broken
	numTones
)

// toned is a part of code that is shown in one way.
type toned struct {
	text string
	tone tone
}

// highlight takes code apart. The code need not be a whole program.
func highlight(code string) (parts []toned) {
	var set diag.FileSet
	file := set.Add("", code)
	tree, _ := syntax.Parse(file)
	at := 0
	member := false // whether a dot stands before
	add := func(to int, t tone) {
		if to > at {
			parts = append(parts, toned{code[at:to], t})
			at = to
		}
	}
	for _, tok := range tree.Tokens {
		start, end := int(tok.Sp.Start-file.Base), int(tok.Sp.End-file.Base)
		t := toneOf(tok.Kind, code[start:end], member)
		member = tok.Kind == token.Dot || tok.Kind == token.QDot
		if t != plain {
			add(start, plain)
			add(end, t)
		}
	}
	add(len(code), plain)
	return parts
}

func toneOf(kind token.Kind, word string, member bool) tone {
	switch kind {
	case token.Comment, token.DocComment:
		return comment
	case token.Str, token.RawStr, token.StrHead, token.StrMid, token.StrTail, token.Spec, token.Bytes:
		return quoted
	case token.Arrow:
		return arrow
	case token.Int, token.Float, token.Duration, token.True, token.False, token.None:
		return literal
	case token.Ident:
		if unicode.IsUpper(rune(word[0])) || builtInTypes[word] && !member {
			return typeName
		}
		return plain
	}
	if kind >= token.As && kind < token.NumKinds {
		return keyword
	}
	return plain
}

var builtInTypes = map[string]bool{
	"any": true, "bool": true, "buffer": true, "bytes": true, "chan": true, "duration": true, "float": true,
	"int": true, "map": true, "mutex": true, "range": true, "set": true, "str": true, "task": true,
}
