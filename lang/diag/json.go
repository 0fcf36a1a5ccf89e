package diag

import (
	"encoding/json"
	"io"
)

type jsonPos struct {
	Offset int `json:"offset"` // in bytes, from 0
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // in characters, from 1
}

type jsonSpan struct {
	File  string  `json:"file"`
	Start jsonPos `json:"start"`
	End   jsonPos `json:"end"`
}

type jsonLabel struct {
	Span *jsonSpan `json:"span,omitempty"`
	Text string    `json:"text"`
}

type jsonEdit struct {
	Span *jsonSpan `json:"span"`
	New  string    `json:"new"`
}

type jsonFix struct {
	Title string     `json:"title"`
	Edits []jsonEdit `json:"edits"`
}

type jsonDiagnostic struct {
	Code     Code        `json:"code"`
	Severity string      `json:"severity"`
	Message  string      `json:"message"`
	Span     *jsonSpan   `json:"span,omitempty"`
	Text     string      `json:"text,omitempty"`
	Labels   []jsonLabel `json:"labels,omitempty"`
	Notes    []string    `json:"notes,omitempty"`
	Help     []string    `json:"help,omitempty"`
	Fixes    []jsonFix   `json:"fixes,omitempty"`
}

// RenderJSON writes diagnostics as a JSON array, for tools.
func RenderJSON(w io.Writer, fs *FileSet, diags []Diagnostic) error {
	out := make([]jsonDiagnostic, 0, len(diags))
	for _, d := range diags {
		j := jsonDiagnostic{
			Code: d.Code, Severity: d.Severity.String(), Message: d.Message,
			Span: spanJSON(fs, d.Span), Text: d.Text, Notes: d.Notes, Help: d.Help,
		}
		for _, l := range d.Labels {
			j.Labels = append(j.Labels, jsonLabel{spanJSON(fs, l.Span), l.Text})
		}
		for _, f := range d.Fixes {
			fix := jsonFix{Title: f.Title, Edits: []jsonEdit{}}
			for _, e := range f.Edits {
				fix.Edits = append(fix.Edits, jsonEdit{spanJSON(fs, e.Span), e.New})
			}
			j.Fixes = append(j.Fixes, fix)
		}
		out = append(out, j)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func spanJSON(fs *FileSet, s Span) *jsonSpan {
	f := fs.File(s.Start)
	if f == nil {
		return nil
	}
	return &jsonSpan{f.Name, posJSON(f, s.Start), posJSON(f, min(s.End, f.Base+uint32(len(f.Src))))}
}

func posJSON(f *File, pos uint32) jsonPos {
	line, col := f.Pos(pos)
	return jsonPos{int(pos - f.Base), line, col}
}
