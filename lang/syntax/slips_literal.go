package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Literals and comments as other languages write them.

// hash reports a `#`: a comment, a directive or an attribute up to the end of the line,
// or the length of something.
func (p *parser) hash() {
	v := p.tok.Value
	at := diag.Span{Start: p.start, End: p.start + 1}
	d := p.report(diag.BadCharacter, at, "`#` begins nothing in Runnel")
	word := strings.TrimLeft(v[1:], " ")
	switch {
	case len(v) == 1:
		rest := p.src.Src[int(p.start)+1-int(p.src.Base):]
		n := 0
		for n < len(rest) && (isWord(rest[n]) || rest[n] == '.') {
			n++
		}
		if n == 0 {
			d.Help = append(d.Help, "the length of a list, map or text is `x.len()`")
			return
		}
		text := rest[:n] + ".len()"
		d.Fixes = []diag.Fix{{Title: "the length is `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: p.start, End: p.start + 1 + uint32(n)}, New: text}}}}
	case strings.HasPrefix(word, "include"), strings.HasPrefix(word, "import"):
		d.Help = append(d.Help, "a module is imported with `import name`; `print` and the like need none")
	case strings.HasPrefix(word, "define"):
		d.Help = append(d.Help, "a value that is known when compiling is declared with `const name = 3`")
	case strings.HasPrefix(word, "[") || strings.HasPrefix(word, "!["):
		d.Help = append(d.Help, "there are no attributes: structs print, compare and copy by themselves; leave the line out")
	default:
		d.Fixes = []diag.Fix{{Title: "a comment begins with `//`", Edits: []diag.Edit{{Span: at, New: "//"}}}}
	}
}

// at reports an `@`: an annotation, which is taken with its line, or a field of Ruby.
func (p *parser) annotation() {
	v := p.tok.Value
	d := p.report(diag.BadCharacter, p.here(), "`@` begins nothing in Runnel")
	if len(v) == 1 {
		d.Help = append(d.Help, "there are no annotations; a field is named through `self`: `self.name`")
		return
	}
	if v == "@Override" || v == "@override" {
		d.Help = append(d.Help, "a method satisfies an interface by its name and types: leave the line out")
		return
	}
	d.Help = append(d.Help, "there are no annotations: call the function with what it is to wrap, `let g = "+strings.TrimPrefix(strings.SplitN(v, "(", 2)[0], "@")+"(f)`")
}

// dashComment reports `-- a comment` at the lookahead, a minus, and skips it; false if it
// is something else.
func (p *parser) dashComment() bool {
	if p.kind != token.Minus {
		return false
	}
	next := p.peek2()
	if kindOf(next) != token.Minus || next.Pos.Offset != int(p.start)+1 || p.start == p.end && !p.nl {
		return false
	}
	rest := p.src.Src[int(p.start)+2-int(p.src.Base):]
	line, _, _ := strings.Cut(rest[:min(len(rest), maxComment)], "\n")
	at := diag.Span{Start: p.start, End: p.start + 2}
	switch {
	case strings.HasPrefix(rest, "[["):
		d := p.report(diag.ForeignSyntax, at, "a comment of several lines is written `/* ... */`")
		end := strings.Index(rest, "]]")
		close := uint32(int(p.start) + 2 + len(rest)) // nothing is left to be read where it is not closed
		if end >= 0 {
			close = uint32(int(p.start) + 2 + end)
			d.Fixes = []diag.Fix{{Title: "write `/* ... */`", Edits: []diag.Edit{
				{Span: diag.Span{Start: at.Start, End: at.End + 2}, New: "/*"}, {Span: diag.Span{Start: close, End: close + 2}, New: "*/"}}}}
		}
		p.quiet = true
		for p.kind != token.EOF && p.start < close+2 {
			p.next()
		}
		p.quiet = p.aborted
		return true
	case !isComment(line):
		return false
	}
	d := p.report(diag.ForeignSyntax, at, "a comment begins with `//`")
	d.Fixes = []diag.Fix{{Title: "write `//`", Edits: []diag.Edit{{Span: at, New: "//"}}}}
	p.quiet = true
	on := p.tok.Pos.Line
	for p.kind != token.EOF && p.tok.Pos.Line == on {
		p.next()
	}
	p.quiet = p.aborted
	return true
}

// maxComment is how much of a line is looked at to tell whether it is a comment: a program
// may be one line.
const maxComment = 200

// isComment reports whether what stands behind `--` on its line cannot be an operand: it
// begins with a space and has several words, or there is nothing.
func isComment(line string) bool {
	line = strings.TrimRight(line, "\r")
	if strings.Trim(line, " -\t") == "" {
		return true
	}
	if line[0] != ' ' && line[0] != '\t' {
		return false
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	second := words[1][0]
	return isLetter(second) && words[1] != "as" && words[1] != "is" && isLetter(words[0][0])
}

// numberSuffixes stand behind numbers elsewhere.
const numberSuffixes = "lLuUfFdDnN"

// numberSlip says how a number with a suffix is written.
func (p *parser) numberSlip(d *diag.Diagnostic, v string) bool {
	cut := strings.TrimRight(v, numberSuffixes)
	for _, s := range []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize", "f32", "f64"} {
		if rest, ok := strings.CutSuffix(v, s); ok {
			cut = strings.TrimSuffix(rest, "_")
		}
	}
	if cut == "" || cut == v || strings.IndexFunc(cut, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.' || r == '_') }) >= 0 {
		return false
	}
	d.Message = "a number has no letters behind it"
	if strings.ContainsAny(v, "fFdD") && !strings.Contains(cut, ".") {
		cut += ".0"
	}
	d.Fixes = []diag.Fix{{Title: "write `" + cut + "`", Edits: []diag.Edit{{Span: p.here(), New: cut}}}}
	return true
}

// commentedHead returns the slashes behind the lookahead's line before, if the brace of a body
// is in the comment that they begin.
func (p *parser) commentedHead() diag.Span {
	if !p.nl || p.end == 0 {
		return diag.NoSpan
	}
	rest := p.src.Src[int(p.end-p.src.Base):]
	line, _, _ := strings.Cut(rest[:min(len(rest), maxComment)], "\n")
	text := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(text, "//") || !strings.HasSuffix(strings.TrimRight(text, " \r"), "{") {
		return diag.NoSpan
	}
	at := p.end + uint32(len(line)-len(text))
	return diag.Span{Start: at, End: at + 2}
}

func (p *parser) notDivided(d *diag.Diagnostic, slashes diag.Span) {
	d.Message, d.Span, d.Help = "`//` begins a comment: nothing is divided here", slashes, nil
	d.Fixes = []diag.Fix{{Title: "integers are divided with `/`", Edits: []diag.Edit{{Span: slashes, New: "/"}}}}
}
