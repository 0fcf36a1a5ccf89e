package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

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

// fileCoverage tells for the lines of a file that can run how often they have,
// and for its branches.
type fileCoverage struct {
	name, text string
	lines      map[int]uint64
	branches   []branch
}

// files returns the coverage of the script and of the files it imports. Test
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
		if p == nil {
			continue
		}
		if f := newFileCoverage(&v.code.Files[i], p); len(f.lines) > 0 {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *fileCoverage) int { return strings.Compare(a.name, b.name) })
	return list
}

// ofFunc returns how often the places of a function have run.
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
	tree := parsedFile{file: (&diag.FileSet{}).Add(src.Name, src.Text)}
	tree.File, _ = syntax.Parse(tree.file)
	tree.Items = slices.DeleteFunc(tree.Items, func(item syntax.Stmt) bool {
		t, ok := item.(*syntax.TestDecl)
		if ok {
			maps.DeleteFunc(places, func(at sourcePlace, _ uint64) bool { return tree.within(at, t.Span()) })
		}
		return ok
	})
	for _, fn := range nodes[*syntax.FnDecl](tree.File) {
		if fn.Body != nil && !tree.anyWithin(places, fn.Body.Span()) {
			f.uncalled(fn, tree)
		}
	}
	for _, b := range tree.branches(tree.Items...) {
		n, compiled := places[b.place]
		if compiled {
			b.times = n
			f.branches = append(f.branches, b)
		}
		if b.bare {
			delete(places, b.place)
		}
	}
	slices.SortFunc(f.branches, branch.compare)
	for _, b := range nodes[*syntax.Block](tree.File) {
		if b.Rbrace.IsValid() {
			delete(places, tree.place(b.Rbrace.Start)) // where functions return
		}
	}
	for at, n := range places {
		f.lines[at.line] = max(f.lines[at.line], n)
	}
	return f
}

// parsedFile is a file's tree with its places.
type parsedFile struct {
	*syntax.File
	file *diag.File
}

func (p parsedFile) place(pos uint32) sourcePlace {
	line, col := p.file.Pos(pos)
	return sourcePlace{line, col}
}

func (p parsedFile) within(at sourcePlace, s diag.Span) bool {
	return at.compare(p.place(s.Start)) >= 0 && at.compare(p.place(s.End)) < 0
}

func (p parsedFile) anyWithin(places map[sourcePlace]uint64, s diag.Span) bool {
	for at := range places {
		if p.within(at, s) {
			return true
		}
	}
	return false
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

// uncalled adds the lines of a function's statements, and its branches.
func (f *fileCoverage) uncalled(fn *syntax.FnDecl, tree parsedFile) {
	syntax.Walk(fn.Body, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Block); ok {
			for _, s := range b.Stmts {
				line := tree.place(s.Span().Start).line
				f.lines[line] = max(f.lines[line], 0)
			}
		}
		return true
	})
	f.branches = append(f.branches, tree.branches(fn)...)
}

// add joins what tests of another file have run of this one.
func (f *fileCoverage) add(other *fileCoverage) {
	for line, n := range other.lines {
		f.lines[line] += n
	}
	for _, b := range other.branches {
		i, found := slices.BinarySearchFunc(f.branches, b, branch.compare)
		if found {
			f.branches[i].times += b.times
		} else {
			f.branches = slices.Insert(f.branches, i, b)
		}
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

// missed returns the lines that have not run, as ranges: those between two that
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
