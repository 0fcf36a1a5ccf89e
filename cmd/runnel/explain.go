package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

// explain shows what the codes of diagnostics mean; without one it lists them
// all.
func (c *cli) explain(args []string) int {
	w := bufio.NewWriter(c.stdout)
	defer w.Flush()
	e := explainer{w, c.colored(c.stdout), textWidth(c.stdout)}
	if len(args) == 0 {
		e.list()
		return exitOK
	}
	for i, arg := range args {
		info, ok := diag.Explain(diag.Code(arg))
		if !ok {
			return c.usage(noCode(arg))
		}
		if i > 0 {
			e.line("")
		}
		e.code(info)
	}
	return exitOK
}

// textWidth is how wide text is that is to be read.
func textWidth(stream io.Writer) int {
	const most = 100 // longer lines are hard to read
	if width := terminalWidth(stream); width > 0 {
		return min(width, most)
	}
	return most
}

func noCode(arg string) string {
	msg := "there is no code `" + arg + "`"
	var codes []string
	for _, info := range diag.Codes() {
		codes = append(codes, string(info.Code))
	}
	if near := diag.Suggest(strings.ToUpper(arg), codes); near != "" {
		info, _ := diag.Explain(diag.Code(near))
		return msg + ": did you mean " + near + ", " + info.Title + "?"
	}
	return msg + ": `runnel explain` lists them"
}

// explainer writes explanations.
type explainer struct {
	w     *bufio.Writer
	color bool
	width int
}

func (e *explainer) line(text string) { e.w.WriteString(strings.TrimRight(text, " ") + "\n") }

func (e *explainer) list() {
	section := ""
	for _, info := range diag.Codes() {
		if title := diag.Section(info.Code); title != section {
			if section != "" {
				e.line("")
			}
			section = title
			e.line(painted(e.color, bold, title))
		}
		e.line("  " + painted(e.color, blue, string(info.Code)) + "  " + info.Title)
	}
}

func (e *explainer) code(info diag.CodeInfo) {
	e.line(painted(e.color, bold, string(info.Code)+": "+info.Title))
	e.line("")
	for _, line := range wrapped(info.Explain, e.width) {
		e.line(line)
	}
	if info.Example != "" {
		e.program("Wrong:", info.Example)
		e.program("Right:", info.Mended)
	}
}

func (e *explainer) program(title, text string) {
	e.line("")
	e.line(painted(e.color, bold, title))
	e.line("")
	// What an example imports stands in it below the path of the import.
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "// file ", "// and in the file of ")
	if e.color {
		text = highlighted(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		e.line("    " + line)
	}
}

// wrapped breaks a paragraph into lines of a width.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// highlighted colors a program.
func highlighted(text string) string {
	var b strings.Builder
	done := 0
	for _, t := range query.Highlight(text) {
		b.WriteString(text[done:t.Start])
		b.WriteString(painted(tokenStyles[t.Kind] != "", tokenStyles[t.Kind], text[t.Start:t.End]))
		done = t.End
	}
	return b.String() + text[done:]
}

// tokenStyles are those of tokens that stand out.
var tokenStyles = map[query.TokenKind]string{
	query.Keyword:    blue,
	query.Constant:   "\x1b[35m",
	query.Type:       "\x1b[36m",
	query.Number:     "\x1b[35m",
	query.Text:       "\x1b[32m",
	query.Comment:    "\x1b[2m",
	query.DocComment: "\x1b[2m",
	query.Wrong:      "\x1b[31m",
}
