package syntax

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// report adds a diagnostic and returns it to be filled in. A second one at the
// same token is dropped: it would be a consequence of the first.
func (p *parser) report(code diag.Code, at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: code, Span: at, Message: format}
	if len(args) > 0 {
		d.Message = fmt.Sprintf(format, args...)
	}
	if p.quiet || p.errAt == p.lex.Cursor() {
		return d
	}
	if len(p.diags) == 0 {
		p.incomplete = p.kind == token.EOF || p.breaksOff()
	}
	p.errAt = p.lex.Cursor()
	return p.add(d)
}

// breaksOff reports whether the lookahead is something that may span lines and
// reaches to the end of the file without being closed.
func (p *parser) breaksOff() bool {
	v := p.tok.Value
	return p.kind == token.Invalid && strings.HasPrefix(v, "/*") || p.kind == token.BadLit && v[0] == '`'
}

// breaksOffHere says that the error just reported is that the text ends.
func (p *parser) breaksOffHere() {
	if len(p.diags) == 1 {
		p.incomplete = true
	}
}

// complete says that no further line could mend the error just reported.
func (p *parser) complete() {
	if len(p.diags) == 1 {
		p.incomplete = false
	}
}

// remark adds a diagnostic about something the parser understood all the same:
// it does not hide a later one at this token.
func (p *parser) remark(code diag.Code, at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: code, Span: at, Message: fmt.Sprintf(format, args...)}
	if p.quiet {
		return d
	}
	return p.add(d)
}

func (p *parser) add(d *diag.Diagnostic) *diag.Diagnostic {
	if len(p.diags) < maxErrors {
		p.diags = append(p.diags, d)
		if len(p.diags) == maxErrors {
			d.Notes = append(d.Notes, "there may be more errors: they are not shown")
			p.quiet, p.aborted = true, true
		}
	}
	return d
}

// diagnostics returns the findings in source order.
func (p *parser) diagnostics() []diag.Diagnostic {
	out := make([]diag.Diagnostic, len(p.diags))
	for i, d := range p.diags {
		out[i] = *d
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out
}

// where is the place of an error at the lookahead: the lookahead itself or,
// when that is on another line, the place after the last token, which is where
// something is missing.
func (p *parser) where() diag.Span {
	if p.end != 0 && (p.nl || p.kind == token.EOF) {
		return diag.Span{Start: p.end, End: p.end}
	}
	if p.kind == token.Unterminated { // it may reach to the end of a text block
		return diag.Span{Start: p.start, End: p.start + uint32(len(firstLine(p.tok.Value)))}
	}
	return p.here()
}

// found names the lookahead in prose.
func (p *parser) found() string {
	v := p.tok.Value
	switch {
	case p.kind == token.EOF:
		return p.kind.String()
	case p.newline():
		return "the end of the line"
	case p.kind == token.Ident:
		return "the name `" + v + "`"
	case p.kind.IsKeyword():
		return "the keyword `" + v + "`"
	case p.kind.IsFixed():
		return "`" + p.operator() + "`"
	case p.kind == token.Int || p.kind == token.Float || p.kind == token.Duration:
		return "the number `" + v + "`"
	}
	return p.kind.String()
}

// operator is the operator at the lookahead with the parts of >>= joined.
func (p *parser) operator() string {
	switch p.kind {
	case token.GtEq:
		return ">="
	case token.GtGt:
		return ">>"
	case token.GtGtEq:
		return ">>="
	}
	return p.tok.Value
}

// failExpected reports that something else was expected at the lookahead and
// gives up the production.
func (p *parser) failExpected(what string) {
	d := p.report(diag.UnexpectedToken, p.where(), "expected %s, found %s", what, p.found())
	if p.slipHelp(d); len(d.Help) == 0 {
		p.elsewhereHelp(d, what)
	}
	p.bail()
}

// elsewhereHelp says what a token that does not begin what is expected means elsewhere.
func (p *parser) elsewhereHelp(d *diag.Diagnostic, what string) {
	help := ""
	switch {
	case what == "a pattern" && p.kind == token.Star:
		help = "the rest of a list is a slice: `let first = xs[0]` and `let rest = xs[1..]`"
	case what == "a pattern" && p.kind == token.Percent:
		help = "a struct is taken apart with `let Point(x, y) = p`; an entry of a map is read with `m[\"x\"]`"
	case what == "an expression" && p.kind == token.Colon && p.next2() == token.Ident:
		help = "there are no atoms: a fixed set of names is an `enum`, anything else a text: `\"" + p.peek2().Value + "\"`"
	case strings.HasPrefix(what, "the name of a member") && p.newline():
		help = "a statement ends with its line, without a dot"
	case strings.HasSuffix(what, "after a variant") && p.kind == token.LBrace:
		help = "the fields of a variant stand in parentheses: `Rect(w: float, h: float)`"
	case (p.kind == token.Var || p.kind == token.Let) && strings.HasPrefix(what, "`,` or"):
		help = "a function gives what it finds as its value: an optional, or several in a tuple"
	default:
		return
	}
	d.Help = append(d.Help, help)
}

// misclosed is a block whose closing brace is indented less than the line it begins on.
// Where a brace is missing in the file, it is most likely this block's.
type misclosed struct {
	delim
	end uint32 // of what stands in it
}

// missing reports that d was never closed. It does not give up.
func (p *parser) missing(d delim) {
	if m := p.misclosed; m != nil && d.kind == token.LBrace && m.at.Start > d.at.Start {
		e := p.report(diag.Unclosed, point(m.end), "missing `}`")
		e.Text = "expected `}` here"
		e.Labels = append(e.Labels, diag.Label{Span: m.at, Text: "this `{` is not closed, as the next `}` is indented less"})
		text := "\n" + strings.Repeat(" ", m.indent-1) + "}"
		e.Fixes = []diag.Fix{{Title: "close the block", Edits: []diag.Edit{{Span: point(m.end), New: text}}}}
		return
	}
	end := closer(d.kind).String()
	if d.kind == token.StrHead {
		end = "}"
	}
	e := p.report(diag.Unclosed, p.where(), "missing `%s`", end)
	e.Text = "expected `" + end + "` here"
	open := d.kind.String()
	if d.kind == token.StrHead {
		open = "${"
	}
	e.Labels = append(e.Labels, diag.Label{Span: d.at, Text: "this `" + open + "` is not closed"})
	if line, _, _ := strings.Cut(p.src.Src[int(p.end-p.src.Base):], "\n"); strings.HasPrefix(strings.TrimLeft(line, " "), "//") && strings.Contains(line, end) {
		at := p.end + uint32(strings.Index(line, "//"))
		e.Help = append(e.Help, "what stands behind `//` is a comment")
		e.Fixes = []diag.Fix{{Title: "integers are divided with `/`", Edits: []diag.Edit{{Span: diag.Span{Start: at, End: at + 2}, New: "/"}}}}
	}
}

// encoding reports the first place that is not UTF-8.
func (p *parser) encoding(f *diag.File) {
	if utf8.ValidString(f.Src) {
		return
	}
	for i, r := range f.Src {
		if r != utf8.RuneError || strings.HasPrefix(f.Src[i:], "\uFFFD") {
			continue
		}
		d := &diag.Diagnostic{Code: diag.BadCharacter, Span: f.Span(i, i+1), Message: "the file is not valid UTF-8 here"}
		d.Help = append(d.Help, "save the file in the encoding UTF-8; bytes are written `b\"\\xff\"`")
		p.diags = append(p.diags, d)
		return
	}
}

// tooDeep ends the parse: whoever nests this deep has no program to mend.
func (p *parser) tooDeep() {
	d := p.report(diag.TooNested, p.here(), "the program is nested too deeply here")
	d.Notes = append(d.Notes, fmt.Sprintf("brackets, blocks, types and patterns may stand %d deep in one another, and chains have %d links", maxNesting, MaxDepth))
	d.Help = append(d.Help, "give parts of it a name with `let`, or move them to a function")
	p.abort()
}

// invalid reports characters that begin no token.
func (p *parser) invalid() {
	v := p.tok.Value
	r, _ := utf8.DecodeRuneInString(v)
	switch {
	case r == utf8.RuneError: // reported for the file as a whole
	case strings.HasPrefix(v, "/*"):
		d := p.report(diag.UnclosedComment, diag.Span{Start: p.start, End: p.start + 2}, "this comment is never closed")
		d.Help = append(d.Help, "block comments nest: each `/*` needs its own `*/`")
	case r == '#':
		p.hash()
	case r == '@':
		p.annotation()
	case strings.ContainsRune("“”„‟«»", r):
		d := p.report(diag.BadCharacter, p.here(), "`%c` is a typographic quotation mark", r)
		d.Help = append(d.Help, "strings are written in plain quotes: \"text\"")
	case r < ' ' || r == 0x7f:
		p.report(diag.BadCharacter, p.here(), "a control character (U+%04X) may not stand here", r)
	case r >= 0x80:
		d := p.report(diag.BadCharacter, p.here(), "`%s` is not a name or operator", v)
		d.Help = append(d.Help, "names are made of the letters a to z, digits and `_`; other characters may stand in strings and comments")
	default:
		d := p.report(diag.BadCharacter, p.here(), "`%s` begins nothing in Runnel", v)
		switch r {
		case '$':
			if p.dollarText(d) {
				break
			}
			d.Fixes = []diag.Fix{{Title: "names are written without a sign", Edits: []diag.Edit{{Span: p.here(), New: ""}}}}
		case '\\':
			d.Help = append(d.Help, "a line goes on by itself where it ends with an operator or within `(` and `[`")
		}
	}
}
