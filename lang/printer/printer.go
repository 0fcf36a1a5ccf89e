// Package printer writes programs in the one style of the language.
//
//	text ─ parser ─▶ tree ─▶ roles ┐
//	            └──▶ tokens ───────┴─▶ line breaks ─▶ rows ─▶ text
//
// The tokens are printed, each once and in order, comments among them, so that
// nothing can be lost; the tree tells what those are that look alike: a minus, a
// brace, a bar. The white space within lines and in front of them is the
// printer's. Line breaks are the author's, by these rules:
//
//   - What stands in brackets stands on one line, or has lines of its own: each
//     statement, member and arm one, or as many elements of a list on each as the
//     author put there. A block has lines of its own if there is a line break in
//     it at all.
//   - Else a line breaks behind an operator, in front of a dot, or at a comment.
//   - A line that is longer than Width is broken at its outermost brackets, until
//     it fits or there is nothing to break.
//   - Of empty lines one stays, and none directly within brackets.
//
// Separators follow from that: a comma stands behind the last element if a line
// break follows it and not otherwise; between members and between arms commas,
// and between statements semicolons, stand only within a line. Imports that stand
// one below the other are sorted: modules by name, then files in the order in
// which the author put them, since that is the order in which they run.
package printer

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Width is how long a line may be before it is broken where it can be, a
// comment at its end aside.
const Width = 120

// Format returns the text of a program in the style of the language. One with
// errors has no text, only diagnostics.
func Format(f *diag.File) (string, []diag.Diagnostic) {
	file, diags := syntax.Parse(f)
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return "", diags
	}
	p := newPrinter(file)
	p.arrange()
	rows := p.rows()
	sortImports(rows)
	return join(rows), nil
}

// printer holds what is known of each token of a file, by its index. Commas and
// semicolons are none of them, but belong to the token before them.
type printer struct {
	file    *syntax.File
	toks    []token.Token
	texts   []string
	roles   []role
	pair    []int   // of an opening bracket the closing one and the other way round
	in      []int   // the innermost opening bracket around it, none at the top level; of a closing one its opening one
	items   [][]int // of an opening bracket: the statements, members or arms in it
	base    []int   // of an opening bracket: how far its row is indented
	inBlock []bool  // part of a text block, whose lines are indented with its row
	spread  []bool  // of an opening bracket: what stands in it has lines of its own
	breaks  []int   // line breaks before it: 0, 1, or 2 for an empty line
	sep     []separator

	imports map[int]*syntax.ImportDecl // by their first token
}

// separator is what stands behind a token.
type separator struct {
	text   string // "", "," or ";"
	within bool   // only if something follows on the same line
}

const none = -1

func newPrinter(file *syntax.File) *printer {
	n := len(file.Tokens)
	p := &printer{
		file: file, toks: make([]token.Token, 0, n), texts: make([]string, 0, n),
		breaks: make([]int, 0, n), sep: make([]separator, 0, n), imports: map[int]*syntax.ImportDecl{},
	}
	src, base := file.Source.Src, file.Source.Base
	breaks, last := 0, base
	for _, t := range file.Tokens {
		text := src[t.Sp.Start-base : t.Sp.End-base]
		breaks = min(2, breaks+strings.Count(src[last-base:t.Sp.Start-base], "\n"))
		last = t.Sp.End
		if t.Kind == token.Comma || t.Kind == token.Semi {
			p.separate(text)
			if p.kind(len(p.toks)-1) == token.DocComment { // which documents nothing
				breaks = 2
			}
			continue
		}
		if t.Kind.IsTrivia() {
			text = strings.ReplaceAll(strings.TrimRight(text, " \t\r"), "\r\n", "\n")
		}
		p.toks, p.texts = append(p.toks, t), append(p.texts, text)
		p.breaks, p.sep = append(p.breaks, breaks), append(p.sep, separator{})
		breaks = 0
	}
	n = len(p.toks)
	p.roles, p.pair, p.in, p.items = make([]role, n), make([]int, n), make([]int, n), make([][]int, n)
	p.base, p.spread, p.inBlock = make([]int, n), make([]bool, n), make([]bool, n)
	p.assign()
	p.match()
	p.dedentBlocks()
	p.members()
	return p
}

// separate puts a comma or semicolon behind the last token and the comments
// that follow it on its line. What stands behind nothing separates nothing.
func (p *printer) separate(text string) {
	i := p.prev(len(p.toks) - 1)
	if i < 0 || p.kind(i) == token.LBrace || p.sep[p.end(len(p.toks))].text != "" {
		return
	}
	for i+1 < len(p.toks) && p.breaks[i+1] == 0 && !strings.HasPrefix(p.texts[i+1], "//") {
		i++
	}
	p.sep[i].text = text
}

// end is the token before i that a separator stands behind, or could.
func (p *printer) end(i int) int {
	for i--; p.kind(i).IsTrivia() && p.sep[i].text == ""; i-- {
	}
	return i
}

// match finds the pairs of brackets, those of types, the bars of lambdas and
// strings with interpolations among them, and what stands in blocks.
func (p *printer) match() {
	open := []int{none}
	for i := range p.toks {
		top := open[len(open)-1]
		p.in[i], p.pair[i] = top, none
		if p.is(i, item) && top != none {
			p.items[top] = append(p.items[top], i)
		}
		switch {
		case p.closes(i, top):
			p.pair[i], p.pair[top] = top, i
			open = open[:len(open)-1]
		case p.opens(i):
			open = append(open, i)
		}
	}
}

func (p *printer) opens(i int) bool {
	switch p.kind(i) {
	case token.LParen, token.LBrack, token.LBrace, token.StrHead:
		return true
	case token.Lt:
		return p.angle(i)
	}
	return p.is(i, bar)
}

func (p *printer) closes(i, open int) bool {
	switch p.kind(i) {
	case token.RParen, token.RBrack, token.RBrace, token.StrTail:
		return true
	case token.Lt:
		return false
	}
	return p.angle(i) || p.is(i, bar) && p.is(open, bar)
}

func (p *printer) kind(i int) token.Kind {
	if i < 0 || i >= len(p.toks) {
		return token.EOF
	}
	return p.toks[i].Kind
}

// next is the first token from i on that is not a comment.
func (p *printer) next(i int) int {
	for p.kind(i).IsTrivia() {
		i++
	}
	return i
}

// prev is the last token up to i that is not a comment.
func (p *printer) prev(i int) int {
	for p.kind(i).IsTrivia() {
		i--
	}
	return i
}

// at is the index of the token that begins at a position.
func (p *printer) at(pos uint32) int {
	i, _ := slices.BinarySearchFunc(p.toks, pos, func(t token.Token, pos uint32) int { return int(t.Sp.Start) - int(pos) })
	return i
}
