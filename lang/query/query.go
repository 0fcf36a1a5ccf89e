// Package query answers what editors and the REPL ask about a program:
// positions go in, places, texts and edits come out. Nothing here reads a file
// or prints.
//
//	text ─ syntax ─ types ─▶ File ─▶ names.go  each name with its Symbol
//	  │                       │       ├─ Definition, References, Rename
//	  │                       │       └─ Hover
//	  │                       ├─────▶ Symbols, Diagnostics ─▶ edits.go  Fix
//	  └▶ context.go, hole.go ─┴─────▶ Complete, Signature
//	  └▶ Highlight
//
// Positions are byte offsets in the file asked about. What is asked about a
// single place checks only the body around it; the whole program is checked
// when Diagnostics or References need it. A File is used by one
// goroutine at a time.
package query

import (
	"context"
	"sort"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// Options say what a program is checked with.
type Options struct {
	Loader  types.Loader
	Prelude []types.Source
	// Outer are names that the text continues, as a line of a session continues
	// those before it; Files are those in which they are declared.
	Outer map[string]types.Object
	Files *diag.FileSet
	// Context ends the analysis, of which then nothing is known; nil: nothing does.
	Context context.Context
}

// File is one text of a program's main file.
type File struct {
	name, text string
	opts       Options
	whole      *analysis
	part       *analysis
	partAt     int
}

// Open makes a File. Nothing is parsed before something is asked.
func Open(name, text string, opts Options) *File {
	return &File{name: name, text: text, opts: opts}
}

// analysis is a checked program.
type analysis struct {
	files *diag.FileSet
	main  *syntax.File // nil when the text is too large, or the analysis was ended
	prog  *types.Program
	diags []diag.Diagnostic
	names []Name // of main, in source order; see analysis.mainNames
}

// analyze parses a text and checks it: all of it, or what is at an offset.
func analyze(name, text string, opts Options, at int) *analysis {
	a := &analysis{files: &diag.FileSet{}}
	if opts.Files != nil {
		a.files = opts.Files.Clone()
	}
	src := a.files.Add(name, text)
	if src == nil {
		a.diags = []diag.Diagnostic{{Code: diag.ProgramTooLarge, Message: "the source is too large"}}
		return a
	}
	a.main, a.diags = syntax.ParseContext(opts.Context, src)
	to := types.Options{Loader: opts.Loader, Prelude: opts.Prelude, Outer: opts.Outer, Tests: true, Broken: failed(a.diags), Context: opts.Context}
	if at >= 0 {
		to.At = src.Base + uint32(at)
	}
	var more []diag.Diagnostic
	a.prog, more = types.Check(a.files, a.main, to)
	a.diags = append(a.diags, more...)
	if opts.Context != nil && opts.Context.Err() != nil {
		return &analysis{files: a.files, diags: a.diags}
	}
	return a
}

func failed(diags []diag.Diagnostic) bool { return errorCount(diags) > 0 }

func errorCount(diags []diag.Diagnostic) (n int) {
	for _, d := range diags {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// all is the analysis of the whole program.
func (f *File) all() *analysis {
	if f.whole == nil {
		f.whole = analyze(f.name, f.text, f.opts, -1)
	}
	return f.whole
}

// near is an analysis that knows what is at an offset.
func (f *File) near(at int) *analysis {
	switch {
	case f.whole != nil:
		return f.whole
	case f.part == nil || f.partAt != at:
		f.part, f.partAt = analyze(f.name, f.text, f.opts, at), at
	}
	return f.part
}

// inside moves an offset into the text.
func (f *File) inside(at int) int { return max(0, min(at, len(f.text))) }

// Diagnostics returns what is wrong with the program, and its files.
func (f *File) Diagnostics() (*diag.FileSet, []diag.Diagnostic) {
	a := f.all()
	return a.files, a.diags
}

// Place is a range of bytes of a file.
type Place struct {
	File       string
	Start, End int
}

// place turns a span into the file and offsets it stands for.
func (a *analysis) place(s diag.Span) (Place, bool) {
	f := a.files.File(s.Start)
	if f == nil || !s.IsValid() {
		return Place{}, false
	}
	return Place{f.Name, int(s.Start - f.Base), int(s.End - f.Base)}, true
}

// text is the source of a span, "" when there is none.
func (a *analysis) text(s diag.Span) string {
	f := a.files.File(s.Start)
	if f == nil || s.End < s.Start || int(s.End-f.Base) > len(f.Src) {
		return ""
	}
	return f.Text(s)
}

// pos is the global position of an offset of the main file.
func (a *analysis) pos(at int) uint32 { return a.main.Source.Base + uint32(at) }

// mainNames lists the names of the main file in source order.
func (a *analysis) mainNames() []Name {
	if a.names == nil && a.main != nil {
		a.names = a.namesOf(a.prog.Main)
		sort.SliceStable(a.names, func(i, j int) bool { return a.names[i].Span.Start < a.names[j].Span.Start })
	}
	return a.names
}

// nameAt finds the name that an offset is in or at the end of.
func (a *analysis) nameAt(at int) (Name, bool) {
	if a.main == nil {
		return Name{}, false
	}
	names, pos := a.mainNames(), a.pos(at)
	i := sort.Search(len(names), func(i int) bool { return names[i].Span.Start > pos })
	if i == 0 || pos > names[i-1].Span.End {
		return Name{}, false
	}
	return names[i-1], true
}

// Definition finds where what is named at an offset is declared.
func (f *File) Definition(at int) (Place, bool) {
	at = f.inside(at)
	a := f.near(at)
	n, ok := a.nameAt(at)
	if !ok {
		return Place{}, false
	}
	return a.place(declaredAt(n.Symbol))
}

// References lists the names that stand for the same as the one at an offset,
// its declaration among them, in the program's own files.
func (f *File) References(at int) []Place {
	a := f.all()
	n, ok := a.nameAt(f.inside(at))
	if !ok {
		return nil
	}
	var list []Place
	for _, n := range a.namesFor(n.Symbol) {
		if p, ok := a.place(n.Span); ok {
			list = append(list, p)
		}
	}
	return list
}
