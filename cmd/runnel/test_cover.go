package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// coverage counts how often each word of a program's code has run, in all tests.
type coverage struct {
	code   *bytecode.Program
	mu     sync.Mutex
	counts []uint64
}

func newCoverage(code *bytecode.Program) *coverage {
	return &coverage{code: code, counts: make([]uint64, len(code.Code))}
}

func (v *coverage) add(counts []uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.counts {
		v.counts[i] += counts[i]
	}
}

// sourcePlace is a line and a column.
type sourcePlace struct{ line, col int }

func (p sourcePlace) compare(q sourcePlace) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.col, q.col))
}

// fileCoverage tells for the lines of a file that can run how often they have.
type fileCoverage struct {
	name, text string
	lines      map[int]uint64
}

// files gives the coverage of the script and of the files it imports. Test
// blocks do not count.
func (v *coverage) files() (list []*fileCoverage) {
	places := make([]map[sourcePlace]uint64, len(v.code.Files))
	for i := range v.code.Funcs {
		f := &v.code.Funcs[i]
		if v.code.Files[f.File].Std {
			continue
		}
		if places[f.File] == nil {
			places[f.File] = map[sourcePlace]uint64{}
		}
		for at, n := range v.ofFunc(f) {
			places[f.File][at] += n // a generic function is there several times
		}
	}
	for i, p := range places {
		if p != nil {
			list = append(list, newFileCoverage(&v.code.Files[i], p))
		}
	}
	slices.SortFunc(list, func(a, b *fileCoverage) int { return strings.Compare(a.name, b.name) })
	return list
}

// ofFunc gives how often the places of a function have run.
func (v *coverage) ofFunc(f *bytecode.Func) map[sourcePlace]uint64 {
	places := map[sourcePlace]uint64{}
	for _, l := range f.Lines {
		at := sourcePlace{int(l.Line), int(l.Col)}
		places[at] = max(places[at], v.counts[l.PC])
	}
	return places
}

// newFileCoverage counts a line as its place that has run most often, and the
// statements of functions that nothing calls, which are not compiled, as not run.
func newFileCoverage(src *bytecode.SourceFile, places map[sourcePlace]uint64) *fileCoverage {
	f := &fileCoverage{name: src.Name, text: src.Text, lines: map[int]uint64{}}
	file := (&diag.FileSet{}).Add(src.Name, src.Text)
	tree, _ := syntax.Parse(file)
	place := func(pos uint32) sourcePlace {
		line, col := file.Pos(pos)
		return sourcePlace{line, col}
	}
	within := func(at sourcePlace, s diag.Span) bool {
		return at.compare(place(s.Start)) >= 0 && at.compare(place(s.End)) < 0
	}
	for _, item := range tree.Items {
		if t, ok := item.(*syntax.TestDecl); ok {
			maps.DeleteFunc(places, func(at sourcePlace, _ uint64) bool { return within(at, t.Span()) })
		}
	}
	for _, b := range nodes[*syntax.Block](tree) {
		if b.Rbrace.IsValid() {
			delete(places, place(b.Rbrace.Start)) // where functions return
		}
	}
	for at, n := range places {
		f.lines[at.line] = max(f.lines[at.line], n)
	}
	for _, fn := range nodes[*syntax.FnDecl](tree) {
		compiled := fn.Body == nil
		for at := range places {
			compiled = compiled || within(at, fn.Body.Span())
		}
		if !compiled {
			f.uncalled(fn, place)
		}
	}
	return f
}

// nodes lists those of a kind in a file.
func nodes[T syntax.Node](tree *syntax.File) (list []T) {
	for _, item := range tree.Items {
		syntax.Walk(item, func(n syntax.Node) bool {
			if n, ok := n.(T); ok {
				list = append(list, n)
			}
			return true
		})
	}
	return list
}

// uncalled adds the lines of a function's statements.
func (f *fileCoverage) uncalled(fn *syntax.FnDecl, place func(uint32) sourcePlace) {
	syntax.Walk(fn.Body, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Block); ok {
			for _, s := range b.Stmts {
				line := place(s.Span().Start).line
				f.lines[line] = max(f.lines[line], 0)
			}
		}
		return true
	})
}

// add joins what tests of another file have run of this one.
func (f *fileCoverage) add(other *fileCoverage) {
	for line, n := range other.lines {
		f.lines[line] += n
	}
}

// run counts the lines that have run.
func (f *fileCoverage) run() (n int) {
	for _, times := range f.lines {
		if times > 0 {
			n++
		}
	}
	return n
}

// missed gives the lines that have not run, as ranges: those between two that
// cannot run belong to them.
func (f *fileCoverage) missed() []string {
	ranges := []string{}
	first, last := 0, 0
	end := func() {
		switch {
		case first == 0:
		case first == last:
			ranges = append(ranges, fmt.Sprint(first))
		default:
			ranges = append(ranges, fmt.Sprintf("%d-%d", first, last))
		}
		first = 0
	}
	for _, line := range slices.Sorted(maps.Keys(f.lines)) {
		if f.lines[line] > 0 {
			end()
			continue
		}
		if first == 0 {
			first = line
		}
		last = line
	}
	end()
	return ranges
}

func percent(run, lines int) string {
	if lines == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(run)/float64(lines))
}

// coverTable shows how much of each file has run, and which lines have not.
func coverTable(out io.Writer, files []*fileCoverage) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "file\tlines\trun\t\tnot run\n")
	lines, run := 0, 0
	for _, f := range files {
		lines, run = lines+len(f.lines), run+f.run()
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\n", f.name, len(f.lines), f.run(), percent(f.run(), len(f.lines)), strings.Join(f.missed(), " "))
	}
	if len(files) > 1 {
		fmt.Fprintf(t, "all\t%d\t%d\t%s\t\n", lines, run, percent(run, lines))
	}
	t.Flush()
}
