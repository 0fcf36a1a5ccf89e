package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
)

// A text block is a string of several lines, as in Swift and Java:
//
//	let letter = """
//	  Dear ${name},
//	    you owe us ${sum}.
//	  """
//
// The lines between the quotes are its text, each without the white space that stands
// before the closing quotes. It does not end with a line break.

// IsBlock reports whether a token is a text block or the first part of one.
func IsBlock(text string) bool { return strings.HasPrefix(text, blockQuotes) }

// BlockIndent is the white space in front of the closing quotes of a text block whose
// last token is given; ok is false if something else stands there.
func BlockIndent(last string) (indent string, ok bool) {
	last = strings.TrimSuffix(last, blockQuotes)
	line := strings.LastIndexByte(last, '\n') + 1
	return last[line:], line > 0 && isBlank(last[line:])
}

func isBlank(s string) bool { return strings.Trim(s, " \t\r") == "" }

// textBlock returns the text of each piece of a text block.
func (p *parser) textBlock(pieces []piece) []string {
	first, last := &pieces[0], &pieces[len(pieces)-1]
	lineEnd := strings.IndexByte(first.text, '\n')
	indent, closed := BlockIndent(last.text)
	if opened := lineEnd >= 0 && isBlank(first.text[:lineEnd]); !opened || !closed {
		p.badBlock(*first, *last, indent, opened, closed)
		return make([]string, len(pieces))
	}
	end := strings.LastIndexByte(last.text, '\n')
	if len(pieces) == 1 && end == lineEnd {
		return []string{""}
	}
	last.text = last.text[:end]
	first.text, first.pos = first.text[lineEnd+1:], first.pos+uint32(lineEnd)+1
	texts := make([]string, len(pieces))
	for i, t := range pieces {
		texts[i] = p.blockPiece(t, indent, i == 0, i == len(pieces)-1)
	}
	return texts
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// blockPiece takes the indentation from each line that begins in a piece.
func (p *parser) blockPiece(t piece, indent string, begins, ends bool) string {
	var b strings.Builder
	for rest, pos := t.text, t.pos; ; begins = true {
		line, after, more := strings.Cut(rest, "\n")
		next := pos + uint32(len(line)) + 1
		if more || ends {
			line = strings.TrimSuffix(line, "\r")
		}
		if begins {
			line, pos = p.unindent(line, indent, pos, more || ends)
		}
		joined := more && endsInBackslash(line)
		if joined || ends && endsInBackslash(line) {
			line = line[:len(line)-1]
		}
		b.WriteString(p.unescape(line, pos, false))
		if !more {
			return b.String()
		}
		if !joined {
			b.WriteByte('\n')
		}
		rest, pos = after, next
	}
}

// unindent takes the indentation from a line, of which whole says that nothing is
// inserted behind it.
func (p *parser) unindent(line, indent string, pos uint32, whole bool) (string, uint32) {
	if rest, ok := strings.CutPrefix(line, indent); ok {
		return rest, pos + uint32(len(indent))
	}
	if whole && isBlank(line) {
		return "", pos
	}
	space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	d := p.remark(diag.BadTextBlock, diag.Span{Start: pos, End: pos + uint32(max(1, len(space)))}, "this line is indented less than the quotes that close the text")
	d.Help = append(d.Help, "what stands before the closing quotes is taken from each line: indent them less, or the line more")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "indent it", Edits: []diag.Edit{{Span: diag.Span{Start: pos, End: pos + uint32(len(space))}, New: indent}}})
	return line, pos
}

// endsInBackslash reports whether the last character is a backslash that no other one
// escapes.
func endsInBackslash(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// badBlock reports quotes of a text block that do not stand on lines of their own.
func (p *parser) badBlock(first, last piece, indent string, opened, closed bool) {
	line := firstLine(first.text)
	end := last.pos + uint32(len(last.text))
	at, message := diag.Span{Start: end, End: end + uint32(len(blockQuotes))}, "the quotes that close a text block stand on a line of their own"
	var edits []diag.Edit
	if !opened {
		at, message = diag.Span{Start: first.pos, End: first.pos + uint32(max(1, len(line)))}, "a text block begins on the line after its quotes"
		if !closed {
			indent = ""
		}
		edits = append(edits, diag.Edit{Span: point(first.pos), New: "\n" + indent})
	}
	if !closed {
		edits = append(edits, diag.Edit{Span: point(end), New: "\n"})
	}
	d := p.remark(diag.BadTextBlock, at, "%s", message)
	d.Help = append(d.Help, "a string of one line has one quote on each side")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "put the quotes on lines of their own", Edits: edits})
}

// unclosedBlock reports a text block that begins at a place and never ends.
func (p *parser) unclosedBlock(start uint32) {
	d := p.report(diag.UnclosedString, diag.Span{Start: start, End: start + uint32(len(blockQuotes))}, "this text is never closed")
	d.Help = []string{"close it with `\"\"\"` on a line of its own"}
	p.breaksOffHere()
}

// singleQuotedBlock reports a text in three single quotes on each side.
func (p *parser) singleQuotedBlock() {
	at, n := p.here(), uint32(len(singleQuotes))
	d := p.report(diag.SingleQuotes, diag.Span{Start: at.Start, End: at.Start + n}, "strings are written in double quotes")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "use double quotes", Edits: []diag.Edit{
		{Span: diag.Span{Start: at.Start, End: at.Start + n}, New: blockQuotes},
		{Span: diag.Span{Start: at.End - n, End: at.End}, New: blockQuotes},
	}})
}
