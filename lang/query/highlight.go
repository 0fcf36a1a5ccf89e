package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/lang/types"
)

// TokenKind is what a token is to the eye.
type TokenKind string

const (
	Keyword     TokenKind = "keyword"
	Constant    TokenKind = "constant" // true, false, none
	Variable    TokenKind = "variable" // any name of which no more is known
	Function    TokenKind = "function" // a name that is called or declared so
	Type        TokenKind = "type"     // a type, or a variant of an enum
	Member      TokenKind = "member"   // the name after a dot that is not called
	Module      TokenKind = "module"   // of the names that are checked only
	Variant     TokenKind = "variant"  // likewise
	Label       TokenKind = "label"
	Number      TokenKind = "number"
	Text        TokenKind = "string"
	Comment     TokenKind = "comment"
	DocComment  TokenKind = "doc"
	Operator    TokenKind = "operator"
	Punctuation TokenKind = "punctuation" // brackets, separators, and the ${ } of an interpolation
	Wrong       TokenKind = "invalid"     // what is not a token, and strings that are not closed
)

// Token is a piece of a text. What stands between tokens is white space.
type Token struct {
	Start, End int
	Kind       TokenKind
}

// Highlight tells what the pieces of a text are, in order and without overlap.
// It knows the tokens only, so the text may be broken and cost is linear.
func Highlight(text string) []Token {
	h := highlighter{text: text, toks: syntax.Scan(text)}
	for i := range h.toks {
		h.token(i)
	}
	return h.out
}

// Highlight tells what the pieces of the file are, names by what they stand for.
func (f *File) Highlight() []Token {
	list := Highlight(f.text)
	a, i := f.all(), 0
	for _, n := range a.mainNames() {
		p, _ := a.place(n.Span)
		for i < len(list) && list[i].Start < p.Start {
			i++
		}
		if i < len(list) && list[i].Start == p.Start && list[i].End == p.End {
			if kind := symbolKind(n.Symbol); kind != "" {
				list[i].Kind = kind
			}
		}
	}
	return list
}

// symbolKind is the kind of a name that stands for a symbol, "" when its place
// tells.
func symbolKind(s Symbol) TokenKind {
	switch s := s.(type) {
	case *types.Local, *types.Global:
		return Variable
	case *types.ConstObj:
		return Constant
	case *types.FuncDecl, *types.BuiltinFunc:
		return Function
	case *types.TypeDecl, *types.TypeParam:
		return Type
	case *types.VariantDecl:
		return Variant
	case *types.Field:
		return Member
	case *types.ModuleObj:
		return Module
	case types.Object:
		if d, _ := types.Alias(s); d != nil {
			return Type
		}
	}
	return ""
}

type highlighter struct {
	text string
	toks []token.Token
	out  []Token
}

func (h *highlighter) add(start, end int, kind TokenKind) {
	if start < end {
		h.out = append(h.out, Token{start, end, kind})
	}
}

func (h *highlighter) token(i int) {
	t := h.toks[i]
	start, end := int(t.Sp.Start), int(t.Sp.End)
	switch t.Kind {
	case token.Ident:
		h.add(start, end, h.name(i))
	case token.StrHead:
		h.add(start, end-2, Text)
		h.add(end-2, end, Punctuation)
	case token.StrMid:
		h.add(start, start+1, Punctuation)
		h.add(start+1, end-2, Text)
		h.add(end-2, end, Punctuation)
	case token.StrTail:
		h.add(start, start+1, Punctuation)
		h.add(start+1, end, Text)
	default:
		h.add(start, end, kindOf(t.Kind))
	}
}

func kindOf(k token.Kind) TokenKind {
	switch k {
	case token.Comment:
		return Comment
	case token.DocComment:
		return DocComment
	case token.Invalid, token.BadLit, token.Unterminated:
		return Wrong
	case token.Label:
		return Label
	case token.Int, token.Float, token.Duration:
		return Number
	case token.Bytes, token.RawStr, token.Str, token.Spec:
		return Text
	case token.True, token.False, token.None:
		return Constant
	case token.LParen, token.RParen, token.LBrack, token.RBrack, token.LBrace, token.RBrace,
		token.Comma, token.Semi, token.Colon, token.ColonColon, token.Dot, token.QDot:
		return Punctuation
	}
	if k.IsKeyword() {
		return Keyword
	}
	return Operator
}

// name tells what a name is by its neighbors and its case.
func (h *highlighter) name(i int) TokenKind {
	before, after, word := h.kind(i-1), h.kind(i+1), h.word(i)
	member := before == token.Dot || before == token.QDot
	switch {
	case !member && h.isWord(i, word):
		return Keyword
	case word[0] >= 'A' && word[0] <= 'Z':
		return Type
	case before == token.Fn || after == token.LParen:
		return Function
	case !member && builtinTypes[word] && !isVariable(before, after):
		return Type
	case member:
		return Member
	}
	return Variable
}

// isVariable reports whether a name stands where no type does.
func isVariable(before, after token.Kind) bool {
	switch before {
	case token.Let, token.Var, token.Const, token.For, token.Pipe:
		return true
	}
	return after == token.Dot || after == token.Colon
}

// builtinTypes are the types that are written with small letters.
var builtinTypes = map[string]bool{
	"int": true, "float": true, "bool": true, "str": true, "bytes": true, "duration": true, "any": true, "never": true,
	"buffer": true, "map": true, "set": true, "task": true, "chan": true, "mutex": true, "range": true,
}

// isWord reports whether a name is one of the words that mean something only
// in their place: there another name, or a text, follows on the same line.
func (h *highlighter) isWord(i int, word string) bool {
	after := h.kind(i + 1)
	if after == token.EOF || strings.Contains(h.text[h.toks[i].Sp.End:h.toks[i+1].Sp.Start], "\n") {
		return false
	}
	switch word {
	case "type":
		return after == token.Ident
	case "test", "bench":
		return after == token.Str
	case "native":
		return after == token.Fn || after == token.Struct
	case "extend":
		return after == token.Ident || h.starts(i) && (after == token.Lt || after == token.LBrack)
	case "detached":
		return h.kind(i-1) == token.Spawn && (after == token.Ident || after == token.LBrace)
	case "after":
		return after == token.Duration || after == token.Ident
	}
	return false
}

// starts reports whether a token is the first of its line.
func (h *highlighter) starts(i int) bool {
	return i == 0 || strings.Contains(h.text[h.toks[i-1].Sp.End:h.toks[i].Sp.Start], "\n")
}

func (h *highlighter) kind(i int) token.Kind {
	if i < 0 || i >= len(h.toks) {
		return token.EOF
	}
	return h.toks[i].Kind
}

func (h *highlighter) word(i int) string { return h.text[h.toks[i].Sp.Start:h.toks[i].Sp.End] }
