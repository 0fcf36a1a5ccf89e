// Package syntax turns source text into a syntax tree.
//
//	text ─ scanner ─▶ tokens ─ lookahead ─▶ parser ─▶ File
//	                                             └────▶ diagnostics
//
// The scanner is a participle lexer.Lexer, the parser a recursive descent over its
// tokens with precedence climbing for operators. Both accept any text: what is
// broken becomes a Bad node and a diagnostic, and parsing continues with the next
// statement.
package syntax

import (
	"context"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// MaxDepth bounds the height of a file's syntax tree, so that no later pass
// that recurses over it can overflow its stack. Chains (a sum, a row of calls, else
// ifs), which programs that are generated have, may be as long; what nests is bounded
// by maxNesting, as some of what looks at it is quadratic.
const (
	MaxDepth   = 10_000
	maxNesting = 1000
)

// maxErrors ends the parse of a text that is not a program at all.
const maxErrors = 100

//go:generate go test -run TestGrammarIsCurrent -update .

// Parse reads one file. The tree is always complete enough to be walked; the
// diagnostics are in source order.
func Parse(f *diag.File) (*File, []diag.Diagnostic) { return ParseContext(context.Background(), f) }

// ParseContext is Parse until ctx ends: then it gives an empty
// tree, soon, and the caller is to ask its context.
func ParseContext(ctx context.Context, f *diag.File) (tree *File, diags []diag.Diagnostic) {
	var p *parser
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Stopped:
			tree, diags = &File{Source: f}, nil
		default:
			d := diag.Defect(r)
			d.Span = diag.Span{Start: f.Base, End: f.Base}
			tree, diags = &File{Source: f}, []diag.Diagnostic{d}
			if p != nil {
				diags = append(p.diagnostics(), d)
			}
		}
	}()
	p = newParser(ctx, f)
	tree = p.sourceFile()
	tree.Source = f
	p.encoding(f)
	return tree, p.diagnostics()
}

func newParser(ctx context.Context, f *diag.File) *parser {
	scan := newScanner(f.Name, f.Src, int(f.Base))
	scan.ctx = ctx
	lex, err := newLookahead(scan, len(f.Src))
	if err != nil {
		panic(err) // the scanner never fails
	}
	return &parser{ctx: ctx, src: f, lex: lex, line: 1, errAt: -1, minusAt: -1}
}

// parser holds the state of one parse. The lookahead is one token.
type parser struct {
	ctx context.Context
	lex *lookahead

	tok    *lexer.Token // the lookahead
	kind   token.Kind   // its kind
	start  uint32       // its position
	nl     bool         // it is the first on its line
	indent int          // column of the first token of its line
	last   token.Kind   // the last token taken
	from   int          // column of the first token of the line of the last token taken
	end    uint32       // position after it
	line   int          // line on which it ends

	open      []delim // brackets not yet closed
	innermost [4]int  // of each kind: how many are open with it, 0 for none; see slot
	nlOff     bool    // newlines mean nothing: the innermost bracket is ( or [
	noBrace   bool    // a { opens the body of a head, not a map
	minusAt   int     // cursor of the token that follows a unary minus

	depth  int // of the recursion
	height int // of the tree below the construct being parsed
	ids    ID

	diags      []*diag.Diagnostic
	errAt      int  // cursor of the last error: one error for one token
	quiet      bool // skipping: report nothing
	aborted    bool // no more errors are wanted
	incomplete bool // the first error is that the text ends
	unbalanced bool // the file has more { than }
	typed      bool // more may follow: what is not closed yet is not forgotten
	bare       bare
	bars       bool   // a type of a pattern or a lambda's parameter: a | or => ends it
	lost       int    // members that could not be parsed
	stmtAt     uint32 // where the last statement without a keyword begins
	bodyAt     uint32 // where the last body without braces begins
	yields     bool   // there was a `yield` in the function that is parsed
	guardIn    int    // one more than the brackets around a guard, whose => ends it
	cases      caseArms
	names      []string            // that a row of names binds
	given      Expr                // what the first `return` of the function that is parsed gives
	misnamed   map[token.Kind]bool // reserved words that something has been called by
	misclosed  *misclosed          // what a brace has closed that was meant for another one
	several    *diag.Diagnostic    // of the names of the last let, if there were several
	src        *diag.File
}

// delim is an open bracket, with what it suspends until it is closed.
type delim struct {
	kind    token.Kind
	at      diag.Span
	indent  int  // of the line it stands on
	index   bool // x[ ]: an open range may stand in it
	nlOff   bool
	noBrace bool
	outer   int // as parser.innermost, of those around it
}

// slot is the place in parser.innermost of what opens or closes a bracket or an
// interpolation.
func slot(k token.Kind) int {
	switch k {
	case token.LParen, token.RParen:
		return 0
	case token.LBrack, token.RBrack:
		return 1
	case token.LBrace, token.RBrace:
		return 2
	}
	return 3
}

// sourceFile parses everything.
//
// ebnf: SourceFile = { Statement ( newline | ";" ) } .
func (p *parser) sourceFile() *File {
	f := &File{Tokens: p.tokens()}
	p.load()
	f.Doc = p.fileDoc()
	f.Items = p.statements(true)
	f.NumIDs = int(p.ids)
	return f
}

// tokens copies the token slice into its small form and sees whether braces
// balance: if they do not, indentation decides where a block was meant to end.
func (p *parser) tokens() []token.Token {
	braces := 0
	all := p.lex.all[:len(p.lex.all)-1] // without EOF
	toks := make([]token.Token, len(all))
	for i := range all {
		t := &all[i]
		start := uint32(t.Pos.Offset)
		toks[i] = token.Token{Kind: token.Kind(t.Type), Sp: diag.Span{Start: start, End: start + uint32(len(t.Value))}}
		switch toks[i].Kind {
		case token.LBrace:
			braces++
		case token.RBrace:
			braces--
		}
	}
	p.unbalanced = braces > 0 && !p.typed
	return toks
}

// load looks at the next token. Characters that begin no token are reported
// and passed over here, so no other place need know of them.
func (p *parser) load() {
	for {
		p.tok = p.lex.Peek()
		p.start = uint32(p.tok.Pos.Offset)
		p.kind = kindOf(p.tok)
		p.nl = p.tok.Pos.Line > p.line || p.end == 0
		if p.nl {
			p.indent = p.tok.Pos.Column
		}
		if p.kind != token.Invalid {
			if p.misnamed != nil && p.misnamed[p.kind] && p.standsAsName() {
				p.kind = token.Ident
			}
			return
		}
		p.invalid()
		p.lex.Next()
		p.errAt = p.lex.Cursor()
	}
}

func kindOf(t *lexer.Token) token.Kind {
	if t.Type == lexer.EOF {
		return token.EOF
	}
	return token.Kind(t.Type)
}

// next takes the lookahead.
func (p *parser) next() *lexer.Token {
	if p.lex.Cursor()%stopEvery == 0 {
		diag.Stop(p.ctx)
	}
	t := p.tok
	p.last, p.from = p.kind, p.indent
	p.end = p.start + uint32(len(t.Value))
	p.line = t.Pos.Line
	if p.kind.MaySpanLines() {
		p.line += strings.Count(t.Value, "\n")
	}
	p.lex.Next()
	p.load()
	return t
}

// peek2 is the token after the lookahead.
func (p *parser) peek2() *lexer.Token {
	cp := p.lex.Mark()
	p.lex.Next()
	t := p.lex.Peek()
	p.lex.Return(cp)
	return t
}

// next2 is the kind of the token after the lookahead if it is on the same line.
func (p *parser) next2() token.Kind {
	t := p.peek2()
	if t.Pos.Line != p.tok.Pos.Line {
		return token.EOF
	}
	return kindOf(t)
}

// newline reports whether a newline that can end a statement comes next.
func (p *parser) newline() bool { return p.nl && !p.nlOff }

// at reports whether the lookahead is the contextual keyword word.
func (p *parser) at(word string) bool { return p.kind == token.Ident && p.tok.Value == word }

// accept takes the lookahead if it is of kind k.
func (p *parser) accept(k token.Kind) bool {
	if p.kind != k {
		return false
	}
	p.next()
	return true
}

// expect takes a token of kind k or fails.
func (p *parser) expect(k token.Kind) *lexer.Token {
	if p.kind != k {
		p.failExpected("`" + k.String() + "`")
	}
	return p.next()
}

// here is the span of the lookahead.
func (p *parser) here() diag.Span {
	return diag.Span{Start: p.start, End: p.start + uint32(len(p.tok.Value))}
}

// span reaches from start to the last token taken. What has no token at all
// stands directly behind the last one.
func (p *parser) span(start uint32) diag.Span {
	if p.end < start && p.end != 0 {
		return point(p.end)
	}
	return diag.Span{Start: start, End: max(start, p.end)}
}

func point(pos uint32) diag.Span { return diag.Span{Start: pos, End: pos} }

func (p *parser) id() ID { p.ids++; return p.ids }

func (p *parser) base(start uint32) ExprBase { return ExprBase{p.span(start), p.id()} }

// enter goes one level down; leave comes back with what enter gave.
func (p *parser) enter() (height int) {
	p.depth++
	if p.depth > maxNesting {
		p.tooDeep()
	}
	height = p.height
	p.height = 0
	return height
}

func (p *parser) leave(height int) {
	p.depth--
	p.height = max(height, p.height+1)
}

// grow notes that a node was put on top of what was parsed, as in a.b.c.d.
func (p *parser) grow() {
	p.height++
	if p.depth+p.height > MaxDepth {
		p.tooDeep()
	}
}

// opening takes an opening bracket.
func (p *parser) opening() {
	p.push(p.kind, p.here())
	p.nlOff = p.kind == token.LParen || p.kind == token.LBrack
	p.noBrace = false
	p.next()
}

// push notes an open bracket.
func (p *parser) push(kind token.Kind, at diag.Span) {
	last := &p.innermost[slot(kind)]
	p.open = append(p.open, delim{kind: kind, at: at, indent: p.indent, nlOff: p.nlOff, noBrace: p.noBrace, outer: *last})
	*last = len(p.open)
}

// pop forgets the innermost bracket.
func (p *parser) pop() { p.unwind(len(p.open) - 1) }

// closer maps an opening bracket to its closing one.
func closer(k token.Kind) token.Kind {
	switch k {
	case token.LParen:
		return token.RParen
	case token.LBrack:
		return token.RBrack
	case token.LBrace:
		return token.RBrace
	}
	return token.EOF
}

// list parses elements up to the closing bracket of the innermost open one.
func (p *parser) list(elem func()) {
	end := closer(p.open[len(p.open)-1].kind)
	for p.kind != end && p.kind != token.EOF {
		elem()
		if !p.accept(token.Comma) {
			break
		}
	}
	p.closing("`,` or ")
}

// closing takes the closing bracket of the innermost open one. A missing one
// is reported and assumed where the text looks as if it was only forgotten.
func (p *parser) closing(or string) {
	d := p.open[len(p.open)-1]
	end := closer(d.kind)
	if p.kind != end {
		if !p.forgotten(d) {
			if or != "" && startsOperand(p.kind) {
				d := p.report(diag.UnexpectedToken, p.where(), "expected %s`%s`, found %s", or, end.String(), p.found())
				d.Help = append(d.Help, "a comma may be missing here")
				p.bail()
			}
			p.failExpected(or + "`" + end.String() + "`")
		}
		p.missing(d)
		p.pop()
		if (p.kind == token.RParen || p.kind == token.RBrack) && !p.closesOpen() {
			p.next() // a bracket of the wrong kind
		}
		return
	}
	if d.kind == token.LBrace && p.unbalanced && p.misclosed == nil && p.nl && p.tok.Pos.Column < d.indent {
		p.misclosed = &misclosed{d, p.end}
	}
	p.pop()
	p.next()
}

// closesOpen reports whether the lookahead closes the innermost open bracket.
func (p *parser) closesOpen() bool {
	return len(p.open) > 0 && closer(p.open[len(p.open)-1].kind) == p.kind
}

// forgotten reports whether the lookahead suggests that d should have been
// closed before it: the file or an outer bracket ends, or a line begins that is
// not indented below the line of d.
func (p *parser) forgotten(d delim) bool {
	switch p.kind {
	case token.EOF, token.Unterminated, token.StrMid, token.StrTail, token.Spec, token.RParen, token.RBrack:
		return true
	case token.RBrace:
		if p.inBraces(0) {
			return true
		}
	}
	return p.nl && p.tok.Pos.Column <= d.indent && !p.typed
}
