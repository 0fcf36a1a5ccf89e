package main

import (
	"bytes"
	"html/template"
	"os"
	"strings"
)

// coverHTMLReport writes the source with how often each line has run: a page that
// needs nothing else.
type coverHTMLReport struct{ c *cli }

func (coverHTMLReport) result(*testResult)   {}
func (coverHTMLReport) problem(*testProblem) {}

func (h coverHTMLReport) end(t *testTotal) error {
	var files []htmlFile
	for _, f := range t.coverage {
		files = append(files, f.html())
	}
	var page bytes.Buffer
	if err := coverPage.Execute(&page, files); err != nil {
		return err
	}
	return os.WriteFile(h.c.tests.coverHTML, page.Bytes(), 0o666)
}

type htmlFile struct {
	Name, Percent string
	Lines, Run    int
	Source        []htmlLine
}

type htmlLine struct {
	Number int
	Class  string // run, not, or none for a line that cannot run
	Times  uint64
	Text   string
}

func (f *fileCoverage) html() htmlFile {
	h := htmlFile{Name: f.name, Percent: percent(f.run(), len(f.lines)), Lines: len(f.lines), Run: f.run()}
	for i, text := range strings.Split(strings.TrimSuffix(f.text, "\n"), "\n") {
		line := htmlLine{Number: i + 1, Text: strings.TrimSuffix(text, "\r")}
		if n, ok := f.lines[i+1]; ok {
			line.Class, line.Times = "not", n
			if n > 0 {
				line.Class = "run"
			}
		}
		h.Source = append(h.Source, line)
	}
	return h
}

var coverPage = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Coverage</title>
<style>
:root { color-scheme: light dark; --run: #d7f2dc; --not: #ffd9d6; --dim: #777; }
@media (prefers-color-scheme: dark) { :root { --run: #123d1e; --not: #5a1d1a; --dim: #999; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0 1em 0 0; }
.source { font: 13px/1.5 ui-monospace, monospace; width: 100%; }
.source td { white-space: pre; padding: 0 .7em; }
.source td:nth-child(-n+2) { text-align: right; color: var(--dim); user-select: none; width: 1%; }
.run td:last-child { background: var(--run); }
.not td:last-child { background: var(--not); }
.scroll { overflow-x: auto; }
</style>
</head>
<body>
<h1>Coverage</h1>
<table>
<tr><th>file</th><th>lines</th><th>run</th><th></th></tr>
{{range $i, $f := .}}<tr><td><a href="#f{{$i}}">{{.Name}}</a></td><td>{{.Lines}}</td><td>{{.Run}}</td><td>{{.Percent}}</td></tr>
{{end}}</table>
{{range $i, $f := .}}<h2 id="f{{$i}}">{{.Name}}</h2>
<div class="scroll"><table class="source">
{{range .Source}}<tr class="{{.Class}}"><td>{{.Number}}</td><td>{{if .Class}}{{.Times}}×{{end}}</td><td>{{.Text}}</td></tr>
{{end}}</table></div>
{{end}}</body>
</html>
`))
