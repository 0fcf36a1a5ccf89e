package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"math"
	"strings"

	"github.com/runnel-lang/runnel/internal/whole"
	"github.com/runnel-lang/runnel/lang/query"
)

// coverHTMLReport writes the source with how often each line has run: a page that
// needs nothing else.
type coverHTMLReport struct{ c *cli }

func (coverHTMLReport) result(*testResult)   {}
func (coverHTMLReport) problem(*testProblem) {}

//go:embed test_cover.html
var coverPageText string

func (h coverHTMLReport) end(t *testTotal) error {
	var data struct {
		All   coverSums
		Files []htmlFile
	}
	for _, f := range t.coverage {
		data.All.add(f)
		data.Files = append(data.Files, f.html())
	}
	coverPage, err := template.New("").Parse(coverPageText)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := coverPage.Execute(&page, data); err != nil {
		return err
	}
	return whole.Write(h.c.tests.coverHTML, page.Bytes())
}

type htmlFile struct {
	Name   string
	Sums   coverSums
	Source []htmlLine
}

// Whole reports whether all of the file has run.
func (f htmlFile) Whole() bool { return f.Sums.run == f.Sums.lines && f.Sums.taken == f.Sums.branches }

type htmlLine struct {
	Number int
	Class  string // run, not, part where a branch was not taken, or none for a line that cannot run
	Times  string
	Code   template.HTML
	Untold string
}

func (f *fileCoverage) html() htmlFile {
	h := htmlFile{Name: f.name}
	h.Sums.add(f)
	for i, code := range htmlLines(f.text) {
		line := htmlLine{Number: i + 1, Code: code, Untold: strings.Join(f.untold(i+1), ", ")}
		n, counted := f.lines[i+1]
		if counted {
			line.Times = times(n)
		}
		switch {
		case counted && n == 0:
			line.Class = "not"
		case line.Untold != "":
			line.Class = "part"
		case counted:
			line.Class = "run"
		}
		h.Source = append(h.Source, line)
	}
	return h
}

// htmlLines returns the lines of a source with their tokens marked; a token over
// several lines is marked in each.
func htmlLines(text string) (lines []template.HTML) {
	var out strings.Builder
	write := func(code, class string) {
		for i, part := range strings.Split(code, "\n") {
			if i > 0 {
				lines = append(lines, template.HTML(out.String()))
				out.Reset()
			}
			part = template.HTMLEscapeString(strings.TrimSuffix(part, "\r"))
			if class != "" && part != "" {
				part = `<i class="` + class + `">` + part + `</i>`
			}
			out.WriteString(part)
		}
	}
	at := 0
	for _, t := range query.Highlight(text) {
		write(text[at:t.Start], "")
		class := string(t.Kind)
		if t.Kind == query.Variable || t.Kind == query.Operator || t.Kind == query.Punctuation {
			class = ""
		}
		write(text[t.Start:t.End], class)
		at = t.End
	}
	write(text[at:], "")
	if out.Len() > 0 {
		lines = append(lines, template.HTML(out.String()))
	}
	return lines
}

// Lines and Branches are sums for the page.
func (s coverSums) Lines() htmlSum    { return htmlSum{s.run, s.lines} }
func (s coverSums) Branches() htmlSum { return htmlSum{s.taken, s.branches} }

type htmlSum struct{ Run, All int }

func (s htmlSum) Percent() string { return percent(s.Run, s.All) }

// Part is in hundredths, for a bar.
func (s htmlSum) Part() int {
	if s.All == 0 {
		return 100
	}
	return int(math.Round(100 * float64(s.Run) / float64(s.All)))
}
