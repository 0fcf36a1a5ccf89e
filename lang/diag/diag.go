// Package diag holds source positions and diagnostics as data. Nothing here
// prints: one renderer each turns a Diagnostic into terminal text or JSON.
package diag

import "strings"

// Code identifies a kind of diagnostic forever: codes are append-only. E01xx
// lexing and parsing, E02xx names and modules, E03xx types, E04xx patterns and
// flow, E05xx concurrency rules, W06xx warnings, E07xx limits of a program, E08xx what the compiler refuses.
type Code string

// Severity of a diagnostic.
type Severity uint8

const (
	Error Severity = iota
	Warning
)

// String is the word shown before a message.
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Label marks a place with a short text; the primary place is the
// diagnostic's own span.
type Label struct {
	Span Span
	Text string
}

// Edit replaces the text at Span.
type Edit struct {
	Span Span
	New  string
}

// Fix is a change that would mend the program.
type Fix struct {
	Title string
	Edits []Edit
}

// IsGuess reports whether something else may be meant: a title that asks.
func (f Fix) IsGuess() bool { return strings.HasSuffix(f.Title, "?") }

// Diagnostic is one finding.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Span     Span
	Message  string // one sentence without a final dot
	Text     string // short text under the caret, may be ""
	Labels   []Label
	Notes    []string
	Help     []string
	Fixes    []Fix
}

// Misleads reports a warning that a program most likely does something else than it seems
// to, so that its output is not understood without it.
func (d *Diagnostic) Misleads() bool {
	return d.Code == DividesByZero || d.Code == SharedElement || d.Code == MeansElsewhere
}

// CodeInfo explains a code: one line, then why and how to mend it, then a
// program that gives exactly this code, and one like it that gives none. Files
// that a program imports stand in it after lines `// file <import path>`.
type CodeInfo struct {
	Code    Code
	Title   string
	Explain string
	Example string
	Mended  string
}
