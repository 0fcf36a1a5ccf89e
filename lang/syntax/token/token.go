// Package token names the kinds of tokens of a source text.
package token

import "github.com/runnel-lang/runnel/lang/diag"

// Token is one token or comment of a file. A file keeps all of them in source
// order, so a formatter can walk what stands between two nodes.
type Token struct {
	Kind Kind
	Sp   diag.Span
}

// Kind is what a token is.
type Kind uint8

const (
	EOF Kind = iota
	Comment
	DocComment   // ///
	Invalid      // characters that begin no token
	BadLit       // a malformed literal: it still stands for an operand
	Unterminated // the place where a string with interpolations breaks off

	Ident
	Label // 'outer
	Int
	Float
	Duration
	Bytes
	RawStr
	Str     // a string without interpolation
	StrHead // "text${
	StrMid  // }text${
	StrTail // }text"
	Spec    // :>8.2f before the } of an interpolation

	LParen
	RParen
	LBrack
	RBrack
	LBrace
	RBrace
	Comma
	Semi
	Colon
	Dot
	QDot
	DotDot
	DotDotEq
	Arrow
	FatArrow
	Question
	QQ

	Bang
	Tilde
	Plus
	Minus
	Star
	StarStar
	Slash
	Percent
	Amp
	Pipe
	Caret
	AndAnd
	OrOr
	EqEq
	NotEq
	Lt
	LtEq
	Shl
	// A > closes a type argument list or begins an operator, so it is always
	// one token; its kind says what it could be joined with.
	Gt     // >
	GtEq   // the > of >=
	GtGt   // the first > of >>
	GtGtEq // the first > of >>=

	Eq
	PlusEq
	MinusEq
	StarEq
	SlashEq
	PercentEq
	AmpEq
	PipeEq
	CaretEq
	ShlEq

	// Not of the language: read as one token to say what to write instead.
	PlusPlus
	ColonEq
	ColonColon

	As
	Await
	Break
	Catch
	Const
	Continue
	Defer
	Else
	Enum
	False
	Fn
	For
	If
	Import
	In
	Interface
	Is
	Let
	Lock
	Loop
	Match
	None
	Pub
	Return
	Scope
	Select
	Self
	Spawn
	Struct
	Throw
	True
	Try
	Var
	While
	Yield

	NumKinds
)

var names = [NumKinds]string{
	EOF: "the end of the file", Comment: "a comment", DocComment: "a doc comment",
	Invalid: "an invalid character", BadLit: "a malformed literal", Unterminated: "the end of the line",
	Ident: "a name", Label: "a label", Int: "an integer", Float: "a float", Duration: "a duration",
	Bytes: "a bytes literal", RawStr: "a raw string", Str: "a string",
	StrHead: "a string", StrMid: "the rest of a string", StrTail: "the rest of a string", Spec: "a format spec",

	LParen: "(", RParen: ")", LBrack: "[", RBrack: "]", LBrace: "{", RBrace: "}",
	Comma: ",", Semi: ";", Colon: ":", Dot: ".", QDot: "?.", DotDot: "..", DotDotEq: "..=",
	Arrow: "->", FatArrow: "=>", Question: "?", QQ: "??",
	Bang: "!", Tilde: "~", Plus: "+", Minus: "-", Star: "*", StarStar: "**", Slash: "/", Percent: "%",
	Amp: "&", Pipe: "|", Caret: "^", AndAnd: "&&", OrOr: "||", EqEq: "==", NotEq: "!=",
	Lt: "<", LtEq: "<=", Shl: "<<", Gt: ">", GtEq: ">", GtGt: ">", GtGtEq: ">",
	Eq: "=", PlusEq: "+=", MinusEq: "-=", StarEq: "*=", SlashEq: "/=", PercentEq: "%=",
	AmpEq: "&=", PipeEq: "|=", CaretEq: "^=", ShlEq: "<<=",
	PlusPlus: "++", ColonEq: ":=", ColonColon: "::",

	As: "as", Await: "await", Break: "break", Catch: "catch", Const: "const", Continue: "continue",
	Defer: "defer", Else: "else", Enum: "enum", False: "false", Fn: "fn", For: "for", If: "if",
	Import: "import", In: "in", Interface: "interface", Is: "is", Let: "let", Lock: "lock",
	Loop: "loop", Match: "match", None: "none", Pub: "pub", Return: "return", Scope: "scope",
	Select: "select", Self: "self", Spawn: "spawn", Struct: "struct", Throw: "throw", True: "true",
	Try: "try", Var: "var", While: "while", Yield: "yield",
}

var keywords = func() map[string]Kind {
	m := make(map[string]Kind)
	for k := As; k <= Yield; k++ {
		m[names[k]] = k
	}
	return m
}()

// Lookup returns the kind of a word: a keyword's or Ident.
func Lookup(word string) Kind {
	if len(word) < 2 || len(word) > 9 {
		return Ident
	}
	if k, ok := keywords[word]; ok {
		return k
	}
	return Ident
}

// Keywords lists the reserved words in alphabetical order.
func Keywords() []string { return append([]string(nil), names[As:Yield+1]...) }

// String is the token's spelling, or what it is called when it has no fixed one.
func (k Kind) String() string { return names[k] }

// IsKeyword reports whether k is a reserved word.
func (k Kind) IsKeyword() bool { return k >= As && k <= Yield }

// IsFixed reports whether a token of this kind is always spelled the same.
func (k Kind) IsFixed() bool { return k >= LParen }

// MaySpanLines reports whether a token of this kind, which is not a comment, may hold
// line breaks.
func (k Kind) MaySpanLines() bool {
	switch k {
	case BadLit, Unterminated, RawStr, Str, StrHead, StrMid, StrTail:
		return true
	}
	return false
}

// IsTrivia reports whether k is a comment.
func (k Kind) IsTrivia() bool { return k == Comment || k == DocComment }
